"""What sessions store, field by field, as the code has it and as `tests/stored/shapes` keeps it.

A game outlives the build that began it. What is stored may grow by fields that old bytes do
without. Any other change is another format: raise `FORMAT` of `guncamera.sessions.codec`, which
then reads the old one too. `python tests/stored_shapes.py` keeps the shapes of today, if
what is stored still reads, or if `FORMAT` is a new one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from guncamera.rules.book import VariantPin
from guncamera.rules.plain import members_of, to_plain
from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.rules.shape import FieldShape, shape_of
from guncamera.rules.trace import TraceLine
from guncamera.sessions import codec
from guncamera.sessions.session import Action, Undone

STORED = Path(__file__).parent / "stored"
FOLDER = STORED / "shapes"
COMMAND = "python tests/stored_shapes.py"
SESSIONS = "sessions"

Shape = dict[str, Any]
Shapes = dict[str, Shape]
"""By path, `board.aircraft.hex`: what stands there (`is`), the `values` of an enum, and what is
read where it is absent (`default`); without one it has to be there."""


class Sample(NamedTuple):
    """Something stored with all that it may hold, and how it is written and read."""

    value: Any
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]


def shapes_today() -> dict[str, Shapes]:
    """By name of the file: what every session stores, then what each rule set adds."""
    return {SESSIONS: _of_sessions(), **{slug: _of(found) for slug, found in rulesets().items()}}


def _of(found: Ruleset) -> Shapes:
    shapes: Shapes = {}
    records = {"setup": found.setup, "board": found.board}
    for verb, procedure in found.procedures.items():
        records |= {f"{verb}_order": procedure.order, f"{verb}_outcome": procedure.outcome}
    for name, cls in records.items():
        describe(cls, name, shapes)
    _describe_members(members_of(found.event), "event", shapes)
    return shapes


def _of_sessions() -> Shapes:
    shapes: Shapes = {}
    for name, sample in samples().items():
        plain = json.loads(sample.encode(sample.value))
        for key, value in plain.items():
            shapes[f"{name}.{key}"] = {"is": _outline(value), **_absent(sample, plain, key)}
    describe(Undone, "undone", shapes)
    _describe_members(members_of(TraceLine), "trace", shapes)
    return shapes


def samples() -> dict[str, Sample]:
    """What the codec spells out itself, from the first game of `tests/stored`; no field is bare."""
    lines = next(iter(sorted(STORED.glob("*.jsonl")))).read_bytes().splitlines()
    record = codec.decode_record(lines[0])
    found = record.ruleset
    state = codec.decode_state(lines[1], found)
    entries = [codec.decode_entry(line, found) for line in lines[2:]]
    action = next(one for one in entries if isinstance(one, Action) and one.rolls)
    undone = Undone(3, action.seat, 1, (action.seat,), "Back to 1.", 1, 7)
    pin = VariantPin("a-variant", "0123")
    record = replace(
        record,
        seal_seconds=1,
        spectator_delay_seconds=2,
        start_revision=3,
        start_micros=4,
        variant=pin,
    )
    state = replace(state, result="Over.", undos=((3, 1),), kept_from=(action.seat,))
    entry = partial(codec.decode_entry, found=found)
    return {
        "record": Sample(record, codec.encode_record, codec.decode_record),
        "state": Sample(state, codec.encode_state, partial(codec.decode_state, found=found)),
        "action": Sample(
            replace(action, client_nonce="a-nonce-", by_default=True), codec.encode_entry, entry
        ),
        "undo": Sample(undone, codec.encode_entry, entry),
        "sealed": Sample(
            (action.verb, action.order),
            lambda sealed: codec.encode_order(*sealed),
            partial(codec.decode_order, found=found),
        ),
    }


def _outline(value: Any) -> str:
    """`[(str, int)]` of a list of pairs; records of a rule set are described with it."""
    if not isinstance(value, list):
        return "object" if isinstance(value, dict) else type(value).__name__
    parts = [_outline(item) for item in value]
    if all(isinstance(item, list | dict) for item in value):
        return f"[{', '.join(dict.fromkeys(parts))}]"
    return f"({', '.join(parts)})"


def _absent(sample: Sample, plain: Mapping[str, Any], key: str) -> Shape:
    """Whether what is stored is read without a key."""
    rest = {name: value for name, value in plain.items() if name != key}
    try:
        sample.decode(json.dumps(rest).encode())
    except (KeyError, AssertionError):
        return {}
    return {"default": "absent"}


def describe(cls: type, path: str, shapes: Shapes) -> None:
    """Every field of a dataclass, and of those it holds."""
    for shape, field in zip(shape_of(cls), fields(cls)):
        here = f"{path}.{shape.name}"
        shapes[here] = _field(shape, field)
        if shape.kind == "record":
            describe(shape.type, here, shapes)
        _describe_members(shape.members, here, shapes)


def _describe_members(members: Mapping[str, type], path: str, shapes: Shapes) -> None:
    for name, cls in members.items():
        shapes[f"{path}.{name}"] = {"is": "member"}
        describe(cls, f"{path}.{name}", shapes)


def _field(shape: FieldShape, field: Field[Any]) -> Shape:
    found: Shape = {"is": f"[{shape.kind}]" if shape.repeated else shape.kind}
    if shape.kind == "enum":
        found["values"] = [member.value for member in shape.type]
    if field.default_factory is not MISSING:
        found["default"] = _plain(field.default_factory())
    elif field.default is not MISSING:
        found["default"] = _plain(field.default)
    elif shape.optional:
        found["default"] = None  # what `restore` puts there
    return found


def _plain(default: Any) -> Any:
    if isinstance(default, tuple):
        return [_plain(item) for item in default]
    return to_plain(default) if is_dataclass(default) else default


def faults(before: Shapes, now: Shapes) -> Iterator[str]:
    """Why bytes of before are not read as they were meant; none: they are."""
    for path, was in before.items():
        if path in now:
            yield from (f"{path} {fault}" for fault in _faults_of(was, now[path]))
        elif _above(path) in now or _above(path) not in before:
            yield f"{path} is gone"
    for path, shape in now.items():
        # What stands within something new has never been left out of it.
        is_within_new = _above(path) in now and _above(path) not in before
        is_new = path not in before and not is_within_new
        if is_new and shape["is"] != "member" and "default" not in shape:
            yield f"{path} is new and has no default"


def _faults_of(was: Shape, now: Shape) -> Iterator[str]:
    if was["is"] != now["is"]:
        yield f"was {was['is']} and is {now['is']}"
    if "default" in was and "default" not in now:
        yield "had a default and has none"
    elif "default" in was and was["default"] != now["default"]:
        yield f"had the default {was['default']!r} and has {now['default']!r}"
    for value in was.get("values", ()):
        if value not in now.get("values", ()):
            yield f"can no longer be {value}"


def _above(path: str) -> str:
    return path.rpartition(".")[0]


def text_of(shapes: Shapes) -> str:
    """A file: the format, then a line for each path."""
    lines = [f"{json.dumps(path)}: {json.dumps(shape)}" for path, shape in shapes.items()]
    return ",\n".join([f'{{\n"format": {codec.FORMAT}', *lines]) + "\n}\n"


def kept(name: str) -> tuple[int, Shapes]:
    """The format and the shapes in a file; none of a rule set that is new."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return codec.FORMAT, {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return found.pop("format"), found


def faults_today(name: str, shapes: Shapes) -> list[str]:
    """Why bytes of the kept shapes are not read as this format; a file's first time has none."""
    form, before = kept(name)
    return list(faults(before, shapes)) if before and form == codec.FORMAT else []


def main() -> int:
    """Keep the shapes of today; returns 1 where stored bytes would no longer read."""
    today = shapes_today()
    found = [f"{name}: {one}" for name, now in today.items() for one in faults_today(name, now)]
    if found:
        print(
            *found, "Give it a default, or raise FORMAT and read both.", sep="\n", file=sys.stderr
        )
        return 1
    FOLDER.mkdir(exist_ok=True)
    for name, shapes in today.items():
        (FOLDER / f"{name}.json").write_text(text_of(shapes), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
