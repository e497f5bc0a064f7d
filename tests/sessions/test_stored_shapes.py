"""What is stored has the shapes that `tests/stored/shapes` keeps, or `FORMAT` is another one.

See `tests/stored_shapes.py`. The games of `test_stored_before` show that old bytes read; this
shows each field that changes, also one that no game of there holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, make_dataclass, replace
from enum import StrEnum
from typing import Any, get_type_hints

import pytest
from guncamera.rules.plain import restore, to_plain
from guncamera.sessions.session import Action, Record, State, Undone
from stored_shapes import (
    COMMAND,
    FOLDER,
    Shapes,
    describe,
    faults,
    faults_today,
    kept,
    main,
    samples,
    shapes_today,
    text_of,
)

TODAY = shapes_today()
HOW = f"""

Old games are read with what the code says today. Where a field is new, give it the default that
old bytes mean, then run

    {COMMAND}

and commit tests/stored/shapes with the change. What vanishes, is required or changes its type is
another format: raise FORMAT in sessions/codec.py, keep reading the old one, and put a folder of
games of the new one beside tests/stored."""


@pytest.mark.parametrize("name", TODAY)
def test_what_is_stored_still_reads(name: str) -> None:
    found = faults_today(name, TODAY[name])
    assert not found, "\n".join(found) + HOW


@pytest.mark.parametrize("name", TODAY)
def test_what_is_stored_is_what_is_kept(name: str) -> None:
    path = FOLDER / f"{name}.json"
    then = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    now = text_of(TODAY[name]).splitlines()
    new = [f"- {line}" for line in then if line not in now]
    new += [f"+ {line}" for line in now if line not in then]
    said = "\n".join(new) or "another order of fields"
    assert now == then, f"{path.name} is not the code's:\n{said}{HOW}"


def test_there_is_a_file_for_each_and_no_other() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(TODAY)


@pytest.mark.parametrize("name", ["record", "state", "action", "undo", "sealed"])
def test_every_field_comes_back_as_it_was_stored(name: str) -> None:
    """So that none is added to a session which the codec leaves out."""
    value, encode, decode = samples()[name]
    # By text: what was encoded in this process is remembered by its bytes.
    again = decode(json.dumps(json.loads(encode(value))).encode())
    if name == "record":
        again = replace(again, book=value.book)  # of a variant that is not here
    assert again == value


@pytest.mark.parametrize(("name", "cls"), [("record", Record), ("state", State),
                                           ("action", Action), ("undo", Undone)])  # fmt: skip
def test_a_sample_has_no_field_at_its_default(name: str, cls: type) -> None:
    value = samples()[name].value
    assert type(value) is cls
    for field in fields(cls):
        if field.default is not MISSING:
            assert getattr(value, field.name) != field.default, field.name


class Hue(StrEnum):
    RED = "red"
    BLUE = "blue"


class Hues(StrEnum):
    RED = "red"
    BLUE = "blue"
    GREEN = "green"


@dataclass(frozen=True)
class Wing:
    span: int
    hue: Hue = Hue.RED


@dataclass(frozen=True)
class Tail:
    length: int


@dataclass(frozen=True)
class Plane:
    name: str
    wing: Wing
    part: Wing | Tail
    marks: tuple[int, ...] = ()
    note: str | None = None


def changed(cls: type, without: str = "", **new: Any) -> type:
    """A class with fields added or changed, each a type, or a type and its default."""
    hints = get_type_hints(cls)
    found = {
        field.name: (hints[field.name], *(() if field.default is MISSING else (field.default,)))
        for field in fields(cls)
        if field.name != without
    }
    found |= {name: one if isinstance(one, tuple) else (one,) for name, one in new.items()}
    spelt = [(name, *kind) for name, kind in found.items()]
    return make_dataclass(cls.__name__, spelt, frozen=True, kw_only=True)


def shapes_of(cls: type) -> Shapes:
    shapes: Shapes = {}
    describe(cls, "board", shapes)
    return shapes


PART = "board.part"
CHANGES: dict[str, tuple[Callable[[], type], list[str]]] = {
    "a field with a default is new": (lambda: changed(Plane, fuel=(int, 3)), []),
    "a field that may be absent is new": (lambda: changed(Plane, fuel=int | None), []),
    "a field without one is new": (
        lambda: changed(Plane, fuel=int),
        ["board.fuel is new and has no default"],
    ),
    "a record without a default is new": (
        lambda: changed(Plane, tail=Tail),
        ["board.tail is new and has no default"],
    ),
    "what is within a new record may be bare": (
        lambda: changed(Plane, tail=(Tail, Tail(2))),
        [],
    ),
    "one is new within a record": (
        lambda: changed(Plane, wing=changed(Wing, drag=int)),
        ["board.wing.drag is new and has no default"],
    ),
    "a field is gone": (lambda: changed(Plane, "note"), ["board.note is gone"]),
    "a record is gone": (lambda: changed(Plane, "wing"), ["board.wing is gone"]),
    "a type is another": (lambda: changed(Plane, name=int), ["board.name was str and is int"]),
    "one becomes a list": (
        lambda: changed(Plane, name=tuple[str, ...]),
        ["board.name was str and is [str]"],
    ),
    "a default is gone": (
        lambda: changed(Plane, marks=tuple[int, ...]),
        ["board.marks had a default and has none"],
    ),
    "a default is another": (
        lambda: changed(Plane, note=(str | None, "none")),
        ["board.note had the default None and has 'none'"],
    ),
    "what may be absent may no longer": (
        lambda: changed(Plane, note=str),
        ["board.note had a default and has none"],
    ),
    "a value is new": (lambda: changed(Plane, wing=changed(Wing, hue=(Hues, Hues.RED))), []),
    "a member is new": (lambda: changed(Plane, part=Wing | Tail | Plane), []),
    "a member is gone": (
        lambda: changed(Plane, part=Tail | Plane),
        [f"{PART}.wing is gone"],
    ),
    "a union is one of its members": (
        lambda: changed(Plane, part=Wing),
        [
            f"{PART} was union and is record",
            f"{PART}.wing is gone",
            f"{PART}.tail is gone",
            f"{PART}.span is new and has no default",
        ],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_told_that_old_bytes_do_not_read(change: str) -> None:
    make, expected = CHANGES[change]
    found = list(faults(shapes_of(Plane), shapes_of(make())))
    assert sorted(found) == sorted(expected)


def test_a_value_that_is_gone_is_told() -> None:
    before = shapes_of(changed(Plane, wing=changed(Wing, hue=(Hues, Hues.RED))))
    assert list(faults(before, shapes_of(Plane))) == ["board.wing.hue can no longer be green"]


def test_what_is_no_fault_is_read_from_old_bytes() -> None:
    """What the faults say is what `restore` does."""
    old = to_plain(Plane("a", Wing(4), Tail(2)))
    for change, (make, expected) in CHANGES.items():
        if not expected:
            assert restore(make(), old).name == "a", change
    with pytest.raises(KeyError, match="fuel"):
        restore(changed(Plane, fuel=int), old)


def test_shapes_that_do_not_read_are_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {path: path.read_bytes() for path in FOLDER.iterdir()}
    now = {name: dict(shapes) for name, shapes in TODAY.items()}
    now["kettering"]["board.fuel"] = {"is": "int"}
    monkeypatch.setattr("stored_shapes.shapes_today", lambda: now)
    assert main() == 1
    assert "kettering: board.fuel is new and has no default" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in FOLDER.iterdir()} == files


def test_another_format_may_have_other_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    _, now = kept("kettering")
    del now["board.turn"]
    assert faults_today("kettering", now) == ["board.turn is gone"]
    monkeypatch.setattr("guncamera.sessions.codec.FORMAT", 2)
    assert faults_today("kettering", now) == []
