"""Dealt dice: supplied faces are held to their dice, and nothing is silently re-rolled."""

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, AtLeast, LookUp, Odd, Total
from guncamera.rules.refusal import RollInvalid, RollRequired
from guncamera.rules.table import tables_from

TWO_D6 = Ask((6, 6), AtLeast(8), "to-hit", "TST-1")


def test_faces_are_dealt_in_order_and_remembered_by_purpose():
    dice = DealtDice([6, 2, 3])
    assert dice.roll(TWO_D6).value is True
    assert dice.roll(Ask((6,), Odd(), "speed", "TST-2")).value is True
    assert [(r.purpose, r.faces) for r in dice.rolls] == [("to-hit", (6, 2)), ("speed", (3,))]
    dice.close()


def test_too_few_faces_name_the_dice_that_are_missing():
    with pytest.raises(RollRequired) as refused:
        DealtDice([6]).roll(TWO_D6)
    assert refused.value.ask is TWO_D6
    assert "2d6" in refused.value.message
    assert "8 or more" in refused.value.message


def test_faces_left_over_are_refused():
    dice = DealtDice([6, 6, 1])
    dice.roll(TWO_D6)
    with pytest.raises(RollInvalid) as refused:
        dice.close()
    assert refused.value.field == "dice.supplied.faces[2]"
    assert "1 supplied face was not asked for; the ruling used 2." in refused.value.message


def test_faces_where_none_are_thrown_are_refused_with_the_way_out():
    with pytest.raises(RollInvalid) as refused:
        DealtDice([6, 1]).close()
    assert refused.value.field == "dice.supplied.faces[0]"
    assert "2 supplied faces were not asked for; no dice are thrown" in refused.value.message
    assert "Leave `dice` out" in refused.value.message


def test_the_nought_of_a_ten_sided_die_is_a_ten():
    with pytest.raises(RollInvalid, match="give 1 to 10, and 10 for the 0 that some show"):
        DealtDice([0]).roll(Ask((10,), AtLeast(8), "to-hit", "TST-1"))
    assert DealtDice([10]).roll(Ask((10,), AtLeast(8), "to-hit", "TST-1")).value is True


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_is_not_on_the_die_is_refused_even_before_the_count(face):
    with pytest.raises(RollInvalid) as refused:
        DealtDice([face]).roll(TWO_D6)
    assert refused.value.facts["face"] == face


def test_notation_is_as_players_write_it():
    assert Ask((10, 4, 4, 4), Total(), "pool", "TST-1").notation() == "1d10+3d4"


def test_no_rule_can_ask_for_unbounded_dice():
    with pytest.raises(AssertionError):
        Ask((6,) * 41, Total(), "flood", "TST-1")
    with pytest.raises(AssertionError):
        Ask((1_431_000_000,), Total(), "flood", "TST-1")


def test_a_look_up_reads_the_row_of_the_modified_total():
    tables = tables_from(
        {
            "table": [
                {
                    "id": "t", "title": "t", "rule": "TST-1", "source": "s", "basis": "house",
                    "unit": "hits", "row_axis": "total", "columns": ["A"],
                    "rows": [["..4", 0], ["5..8", 1], ["9..", 2]],
                }
            ]
        }
    )  # fmt: skip
    assert LookUp(tables["t"], "A", -3)((6, 6)) == 2
    assert LookUp(tables["t"], "A", -4)((6, 6)) == 1
