"""Names of ships: two that nobody can tell apart are one."""

from __future__ import annotations

import pytest
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import rulesets
from guncamera.rulesets.carriers.cards import Line, ShipClass
from guncamera.rulesets.carriers.orders import Entrant, Force, Setup

FOUND = rulesets()["carriers"]
FREE = FOUND.book.with_settings({"fleet_rule": "free"})


def setup_with(*names: str) -> Setup:
    ships = tuple(Entrant(name, ShipClass.CARRIER, Line.SHORT) for name in names)
    return Setup(us=Force(ships=ships, cards=()))


@pytest.mark.parametrize("other", ["José", "Jose\u0301", " José "])
def test_a_name_is_one_however_it_is_written(other: str) -> None:
    with pytest.raises(Malformed) as refused:
        FOUND.open_board(setup_with("José", other), FREE)
    fields = [violation.field for violation in refused.value.violations]
    assert fields == ["setup.us.ships[0].name", "setup.us.ships[1].name"]


def test_names_of_any_script_are_kept_as_they_are() -> None:
    names = ("赤城", "Адмирал", "Ökonom°", "Jose\u0301")
    board = FOUND.open_board(setup_with(*names), FREE)
    assert tuple(ship.name for ship in board.us.ships) == names
