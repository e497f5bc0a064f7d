"""Frozen dataclasses that are made and changed quickly are frozen dataclasses all the same."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any, Generic, TypeVar

import pytest
from guncamera.rules.plain import restore
from guncamera.rules.straight_line import changed, maker, quick

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Slow(Generic[V]):
    """Its fields are named like what makes it."""

    made: int
    cls: V
    twin: str = "none"


@quick
@dataclass(frozen=True, slots=True)
class Fast(Generic[V]):
    made: int
    cls: V
    twin: str = "none"


@quick
@dataclass(frozen=True, slots=True)
class Checked:
    sides: int

    def __post_init__(self) -> None:
        if self.sides < 2:
            raise AssertionError("no such die")


@pytest.mark.parametrize("kind", [Slow, Fast])
@pytest.mark.parametrize("make", ["call", "maker", "changed", "replace", "restore"])
def test_an_instance_is_one_however_it_was_made(kind: Any, make: str) -> None:
    one = {
        "call": lambda: kind(1, cls="v"),
        "maker": lambda: maker(kind)(1, "v", "none"),
        "changed": lambda: changed(kind(5, "v"), made=1),
        "replace": lambda: replace(kind(5, "v"), made=1),
        "restore": lambda: restore(Plain, {"made": 1, "cls": "v"}),
    }[make]()
    cls = Plain if make == "restore" else kind
    assert type(one) is cls
    assert one == cls(1, "v", "none")
    assert hash(one) == hash(cls(1, "v", "none"))
    assert repr(one).endswith("(made=1, cls='v', twin='none')")
    with pytest.raises(FrozenInstanceError):
        one.made = 2
    with pytest.raises(FrozenInstanceError):
        del one.made
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        one.other = 2
    assert one.made == 1


@dataclass(frozen=True, slots=True)
class Plain:
    made: int
    cls: str
    twin: str = "none"


def test_what_a_class_checks_is_checked() -> None:
    assert Checked(6).sides == 6
    with pytest.raises(AssertionError):
        Checked(1)
    with pytest.raises(TypeError, match="__post_init__"):
        changed(Checked(6), sides=1)
    assert maker(Checked) is Checked


def test_fields_that_are_missing_or_unknown_are_refused() -> None:
    with pytest.raises(TypeError):
        Fast(1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        changed(Fast(1, 2), feathers=3)


def test_only_a_frozen_class_with_its_own_slots_is_quick() -> None:
    @dataclass(frozen=True)
    class Dict:
        made: int

    @dataclass(frozen=True, slots=True)
    class Longer(Slow[int]):
        more: int = 0

    for cls in (Dict, Longer):
        with pytest.raises(TypeError):
            quick(cls)
    assert maker(Longer) is Longer
    assert maker(Longer)(1, 2, "n", 3) == Longer(1, 2, "n", 3)
