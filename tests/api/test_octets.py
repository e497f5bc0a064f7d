"""Messages whose octets are written here, against the same messages set field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from chance import examples
from guncamera.api import wire
from guncamera.api.octets import WireMismatch, enum_number, member_writers, merge
from guncamera.rules.dice import Roll
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.rules.shape import FieldShape, is_within, shape_of, snake
from guncamera.rules.trace import FindingLine, SumLine
from guncamera.v1 import actions_pb2, dice_pb2, ruling_pb2
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.one_of(st.text(max_size=4), st.sampled_from(["", "ß", "鳥" * 60, "x" * 128, "x" * 200]))
NUMBERS = st.one_of(
    st.sampled_from([0, 1, 127, 128, -1, 2**31 - 1, -(2**31)]), st.integers(-9, 300)
)


def kinds(found: Ruleset) -> list[tuple[str, type]]:
    """A rule set's dataclasses by the message that has a field for them."""
    verbs = [
        (f"{verb.value.capitalize()}{kind.capitalize()}", getattr(procedure, kind))
        for verb, procedure in found.procedures.items()
        for kind in ("facts", "outcome", "order")
    ]
    own = [("RulesetSettings", type(found.book.settings)), ("BoardView", found.view)]
    return [("SessionSetup", found.setup), *own, *verbs]


KINDS = [(slug, *kind) for slug, found in rulesets().items() for kind in kinds(found)]


def values(cls: Any) -> st.SearchStrategy[Any]:
    """Any instance of a dataclass, of limits of no concern."""
    return st.builds(cls, **{shape.name: _field(shape) for shape in shape_of(cls)})


def _field(shape: FieldShape) -> st.SearchStrategy[Any]:
    one: st.SearchStrategy[Any]
    if shape.kind == "union":
        one = st.one_of(
            [st.deferred(lambda m=member: values(m)) for member in shape.members.values()]
        )
    elif shape.kind == "record":
        one = st.deferred(lambda: values(shape.type))
    elif shape.kind == "enum":
        one = st.sampled_from(shape.type)
    else:
        one = {"int": NUMBERS, "bool": st.booleans(), "str": TEXTS}[shape.kind]
    if shape.repeated:
        one = st.lists(one, max_size=3).map(tuple)
    return st.none() | one if shape.optional else one


def set_fields(message: Any, value: Any) -> None:
    """What the octets have to amount to, the slow way."""
    for shape in shape_of(type(value)):
        found = getattr(value, shape.name)
        if found is None:
            continue
        if shape.kind == "union":
            _set_inside(getattr(message, snake(type(found).__name__)), found)
            continue
        field = message.DESCRIPTOR.fields_by_name[shape.name]
        if shape.kind == "record":
            here = getattr(message, shape.name)
            for item in found if shape.repeated else ():
                set_fields(here.add(), item)
            if not shape.repeated:
                _set_inside(here, found)
            continue
        if shape.kind == "enum":
            each = found if shape.repeated else (found,)
            numbers = [enum_number(field.enum_type, item.value) for item in each]
            found = numbers if shape.repeated else numbers[0]
        if shape.repeated:
            getattr(message, shape.name).extend(found)
        else:
            setattr(message, shape.name, found)


def _set_inside(message: Any, value: Any) -> None:
    message.SetInParent()
    set_fields(message, value)


def message_for(slug: str, name: str) -> Any:
    return getattr(getattr(actions_pb2, name)(), slug)


@pytest.mark.parametrize(("slug", "name", "cls"), KINDS, ids=lambda part: str(part)[-40:])
@examples(25)
@given(data=st.data())
def test_octets_are_the_message_set_field_by_field(
    slug: str, name: str, cls: Any, data: Any
) -> None:
    value = data.draw(values(cls))
    written, wanted = message_for(slug, name), message_for(slug, name)
    wire.fill(written, value)
    set_fields(wanted, value)
    assert written == wanted
    if is_within(value):
        assert wire.read(written, cls, "it") == value
    else:
        with pytest.raises(Malformed):
            wire.read(written, cls, "it")


def test_a_value_is_written_alike_the_first_time_and_when_it_is_remembered() -> None:
    for _ in range(2):
        for total in range(-5, 1200):
            message = ruling_pb2.SumLine()
            wire.fill(message, SumLine("TST-1", f"sum {total}", 0, total))
            assert (message.name, message.base, message.total) == (f"sum {total}", 0, total)


def test_a_member_of_a_union_is_there_even_when_all_its_fields_are_empty() -> None:
    line = ruling_pb2.TraceLine()
    merge(
        line, member_writers(ruling_pb2.TraceLine.DESCRIPTOR)[FindingLine](FindingLine("", "", ""))
    )
    assert line.WhichOneof("line") == "finding_line"


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1])
def test_a_number_that_does_not_fit_is_not_cut_off(number: int) -> None:
    with pytest.raises(ValueError, match="32 bits"):
        wire.fill(ruling_pb2.SumLine(), SumLine("TST-1", "sum", number, 0))
    with pytest.raises(ValueError, match="32 bits"):
        wire.fill(dice_pb2.Roll(), Roll("to-hit", (6,), (number,)))


def test_a_dataclass_that_does_not_correspond_is_a_fault_of_ours() -> None:
    @dataclass(frozen=True, slots=True)
    class Unknown:
        feathers: int

    @dataclass(frozen=True, slots=True)
    class Other:
        purpose: int

    with pytest.raises(WireMismatch, match="feathers"):
        wire.fill(dice_pb2.Roll(), Unknown(1))
    with pytest.raises(WireMismatch, match="purpose"):
        wire.fill(dice_pb2.Roll(), Other(1))
    with pytest.raises(WireMismatch, match="unknown"):
        member_writers(ruling_pb2.TraceLine.DESCRIPTOR)[Unknown](Unknown(1))
