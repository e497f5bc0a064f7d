"""Facts from a command line: `key=value` words and files, in the plain form of case files."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from guncamera.cli.console import Failure
from guncamera.cli.options import TRUTHS, number, pairs_of
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.shape import FieldShape, shape_of
from guncamera.rules.spelling import meant
from guncamera.rules.unseen import unseen_in


def read_facts(cls: type, words: Sequence[str], file: str | None) -> Any:
    """The facts that words and a file say; words come on top of the file.

    Args:
        cls: The procedure's facts. Where one union is all they must have, the first word may name
            its member (`advance`), and the rest are that member's fields.
        words: `key=value`, dotted for what is nested.
        file: TOML or JSON in plain form; `-` is standard input.

    Raises:
        Failure: The words or the file cannot be read.
        Malformed: They are no such facts; every fault by path.
    """
    procedures = procedures_of(cls)
    chosen = None
    if words and "=" not in words[0]:
        chosen, words = _procedure(words[0], procedures), words[1:]
    plain = {} if file is None else read_document(file)
    if procedures and not chosen:
        _check_named(cls, procedures, plain, words)
    faults: list[Violation] = []
    inner = procedures[chosen] if chosen else cls
    for name, text in pairs_of(words, "a fact"):
        _put(plain, inner, name.split("."), text, name, faults)
    faults += [
        Violation(path, f"holds {found}, of which nothing is seen; leave it out")
        for path, found in unseen_in(plain)
    ]
    if chosen:
        plain = _around(cls, chosen, plain)
    value: Any = None
    try:
        value = from_plain(cls, plain)
    except Malformed as refusal:
        faults += _not_told(refusal.violations, faults, cls, chosen)
    if faults:
        raise Malformed(f"{faults[0].field}: {faults[0].description}.", violations=faults)
    return value


def read_document(file: str) -> dict[str, Any]:
    """A TOML or JSON file; `-` is standard input.

    Raises:
        Failure: It cannot be read; the line names the place.
    """
    name = "standard input" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        if data.lstrip()[:1] == b"{":  # no TOML begins so
            document = orjson.loads(data)
        else:
            document = tomllib.loads(data.decode())
    except OSError as fault:
        raise Failure(f"{name}: cannot be read: {fault.strerror}.") from None
    except (ValueError, RecursionError) as fault:  # of JSON, TOML and UTF-8
        raise Failure(f"{name}: neither JSON nor TOML: {fault}.") from None
    return dict(document)


def procedures_of(cls: type) -> Mapping[str, type]:
    """The members of the one union that a dataclass must have; empty where it must have more."""
    needed = [shape for shape in shape_of(cls) if not shape.default]
    if len(needed) == 1 and needed[0].kind == "union" and not needed[0].repeated:
        return needed[0].members
    return {}


def _union_of(cls: type) -> str:
    """The one field that a dataclass must have."""
    return next((shape.name for shape in shape_of(cls) if not shape.default), "")


def _check_named(
    cls: type, procedures: Mapping[str, type], plain: Mapping[str, Any], words: Sequence[str]
) -> None:
    """Facts of several procedures: is it said of which?"""
    union = _union_of(cls)
    if union not in plain and not any(word.startswith(f"{union}.") for word in words):
        raise Failure(
            f"Say which procedure, before its facts: {', '.join(procedures)}. "
            "--help lists the facts of each."
        )


def _around(cls: type, chosen: str, plain: dict[str, Any]) -> dict[str, Any]:
    """The facts of a procedure within the facts of its verb, beside what a file says of those."""
    union = _union_of(cls)
    beside = {shape.name for shape in shape_of(cls) if shape.name != union}
    inner = {name: value for name, value in plain.items() if name not in beside}
    outer = {name: value for name, value in plain.items() if name in beside}
    return {**outer, union: {chosen: inner}}


def _procedure(word: str, procedures: Mapping[str, type]) -> str:
    if word in procedures:
        return word
    if not procedures:
        raise Failure(f"{word!r} is not a fact; write name=value. This verb has one procedure.")
    raise Failure(
        f"There is no procedure {word!r}{meant(word, procedures)}; take one of "
        f"{', '.join(procedures)}."
    )


def _not_told(
    found: Sequence[Violation], told: Sequence[Violation], cls: type, chosen: str | None
) -> list[Violation]:
    """Violations by the names a person wrote, but for those that were told already."""
    union = _union_of(cls)
    start = f"{union}.{chosen}." if chosen else ""
    known = {fault.field for fault in told}
    named = [Violation(v.field.removeprefix(start), v.description, v.rule_id) for v in found]
    return [
        violation
        for violation in named
        if not any(f"{violation.field}.".startswith(f"{field}.") for field in known)
    ]


def _put(
    plain: dict[str, Any], cls: type, path: list[str], text: str, name: str, faults: list[Violation]
) -> None:
    """Set one field of plain data by its path, or note what is wrong."""
    head, *rest = path
    shapes = {shape.name: shape for shape in shape_of(cls)}
    shape = shapes.get(head)
    if shape is None:
        listed = f"; there are {', '.join(shapes)}" if shapes else "; there are no fields"
        faults.append(Violation(name, f"unknown field{meant(head, shapes)}{listed}"))
    elif shape.kind in ("record", "union") and shape.repeated:
        faults.append(Violation(name, "a list of records; give it in a file with --facts"))
    elif shape.kind == "record" and rest:
        _put(_inner(plain, head), shape.type, rest, text, name, faults)
    elif shape.kind == "record":
        fields = ", ".join(f"{name}.{inner.name}" for inner in shape_of(shape.type))
        faults.append(Violation(name, f"it has fields of its own: {fields}"))
    elif shape.kind == "union":
        _put_member(_inner(plain, head), shape, rest, text, name, faults)
    elif rest:
        faults.append(Violation(name, f"{head} has no fields of its own"))
    elif shape.repeated:
        items = [item.strip() for item in text.split(",")] if text else []
        plain[head] = [_value(shape, item, name, faults) for item in items]
    else:
        plain[head] = _value(shape, text, name, faults)


def _put_member(
    union: dict[str, Any],
    shape: FieldShape,
    path: list[str],
    text: str,
    name: str,
    faults: list[Violation],
) -> None:
    member, *rest = path or [text]
    if member not in shape.members:
        listed = ", ".join(shape.members)
        faults.append(
            Violation(name, f"{member!r} is none of {listed}{meant(member, shape.members)}")
        )
    elif rest:
        _put(_inner(union, member), shape.members[member], rest, text, name, faults)
    else:
        _inner(union, member)


def _inner(plain: dict[str, Any], name: str) -> dict[str, Any]:
    found = plain.setdefault(name, {})
    if not isinstance(found, dict):
        raise Failure(f"{name} is a plain value in the file, and cannot have fields.")
    return found


def _value(shape: FieldShape, text: str, name: str, faults: list[Violation]) -> Any:
    """What a text says, by the kind of field."""
    if shape.kind == "int":
        value = number(text, default=text)
        if not isinstance(value, int):
            faults.append(Violation(name, f"{text!r} is not a whole number"))
        return value
    if shape.kind == "bool":
        if text.lower() not in TRUTHS:
            faults.append(Violation(name, f"{text!r} is neither yes nor no"))
        return TRUTHS.get(text.lower(), text)
    return text
