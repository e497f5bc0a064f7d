"""Who sees what in a game of the carriers. Chapter 10."""

from dataclasses import fields, is_dataclass, replace

import pytest
from carriers_table import (
    ADJACENT,
    BOMB,
    FRONT,
    JAPAN,
    LONG,
    MEDIUM,
    SHORT,
    US,
    Table,
)
from guncamera.rules.trace import FindingLine, ModifierLine, SettingLine, SumLine
from guncamera.rulesets.carriers.cards import Key, Line, ShipClass
from guncamera.rulesets.carriers.events import (
    ActingChanged,
    CardIntercepted,
    CardsRemoved,
    FlightBegun,
    FlightEnded,
    PhaseChanged,
    ShipDamaged,
    ShipRevealed,
    TurnAssessed,
)
from guncamera.rulesets.carriers.facts import ShipMove
from guncamera.rulesets.carriers.legal import legal_orders
from guncamera.rulesets.carriers.orders import Fate, Phase
from guncamera.rulesets.carriers.pilot_board import board_of
from guncamera.rulesets.carriers.standing import SUBTRACTION

ZEKE, ZEKE_2, VAL, KATE, BETTY = (f"japan-card-{at}" for at in range(1, 6))
F4F, F4F_2, SBD, SBD_2, TBM, PBY = (f"us-card-{at}" for at in range(1, 7))
CARRIER = "japan-ship-3"
EVERYONE = (US, JAPAN, None, "referee")


def texts(value):
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from texts(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def ids_in(value, side):
    """The ids of a side's ships and cards that a value names."""
    marks = (f"{side}-ship-", f"{side}-card-")
    return {text for text in texts(value) if any(mark in text for mark in marks)}


def at_strikes(*placed, **settings):
    table = Table(**settings).go_to(Phase.CAP_2)
    table.place(US)
    table.place(JAPAN, *placed)
    return table


# ---- The board (CAR-10.1, CAR-10.2, CAR-10.7)


def test_a_side_sees_its_own_whole_and_of_the_enemy_backs_at_places():
    table = at_strikes((ZEKE, CARRIER, FRONT), (KATE, CARRIER, ADJACENT))
    own, seen = table.fleet(JAPAN, JAPAN), table.fleet(JAPAN, US)
    assert own.whole
    assert not seen.whole
    assert {card.id for card in own.hand} == {ZEKE_2, VAL, BETTY}
    assert seen.hand == ()
    slot, back = table.slot(JAPAN, MEDIUM, 0, JAPAN), table.slot(JAPAN, MEDIUM, 0, US)
    assert (slot.ship.name, slot.ship.id) == ("japan-carrier-3", CARRIER)
    assert [card.id for card in slot.front] == [ZEKE]
    assert back.ship is None
    assert [(card.type, card.id, card.face_up) for card in back.front] == [("", "", False)]
    assert [(card.type, card.id) for card in back.adjacent] == [("", "")]
    assert table.view(None).fleets[1] == seen, "a spectator sees what an enemy does"


def test_nobody_sees_the_enemy_deploy():
    table = Table()
    table.deploy(JAPAN, *[(f"japan-ship-{at}", Line.LONG) for at in range(1, 6)])
    for seat in (US, None):
        assert [line.slots for line in table.fleet(JAPAN, seat).lines] == [(), (), ()]
    assert len(table.line(JAPAN, LONG, JAPAN)) == 5
    table.deploy(US)
    assert len(table.line(JAPAN, LONG, US)) == 5, "both are on the table"


@pytest.mark.parametrize("seat", [JAPAN, None])
def test_moves_show_when_the_segment_is_over(seat):
    table = Table().go_to(Phase.MOVE, 2)
    before = table.view(seat).fleets[0]
    table.move(US, ShipMove("us-ship-5", line=MEDIUM, slot=0))
    assert table.phase is Phase.MOVE
    assert table.view(seat).fleets[0] == before
    assert len(table.line(US, MEDIUM, US)) == 3
    table.move(JAPAN)
    assert len(table.line(US, MEDIUM, seat)) == 3


def test_a_referee_sees_everything():
    table = at_strikes((ZEKE, CARRIER, FRONT))
    for side in (US, JAPAN):
        assert table.fleet(side, "referee") == table.fleet(side, side)
    assert [table.deed("referee", at) for at in range(len(table.deeds))] == table.deeds
    assert "referee" not in table.active


def test_everything_lies_open_when_the_game_is_over():
    table = at_strikes((ZEKE, CARRIER, FRONT), max_turns=1)
    assert table.seen(US)[3], "until then a film would tell"
    table.go_to(Phase.ASSESS).assess()
    for seat in EVERYONE:
        assert all(fleet.whole for fleet in table.view(seat).fleets)
    assert not table.seen(US)[3]


# ---- Reveals (CAR-10.3, CAR-6.3, CAR-7.6)


def revealed(**settings):
    """The Japanese carrier on the medium line, seen by reconnaissance."""
    table = Table(**settings).go_to(Phase.RECON)
    table.hurt(JAPAN, 3, Key.BRIDGE)
    table.scout(US, PBY, MEDIUM, 0, 3)
    return table


def test_reconnaissance_shows_name_class_and_damage_and_no_cards():
    table = Table().go_to(Phase.CAP_1)
    table.place(US)
    table.place(JAPAN, (ZEKE, CARRIER, FRONT))
    table.hurt(JAPAN, 3, Key.BRIDGE)
    table.recon(US, PBY, MEDIUM, 0)
    table.answer(JAPAN, "", 3)
    slot = table.slot(JAPAN, MEDIUM, 0, US)
    assert slot.revealed
    assert (slot.ship.name, slot.ship.ship_class) == ("japan-carrier-3", ShipClass.CARRIER)
    assert (slot.ship.keys, slot.ship.id) == ((Key.BRIDGE,), "")
    assert [card.type for card in slot.front] == [""]
    assert not table.slot(JAPAN, MEDIUM, 1, US).revealed


def test_a_reveal_lasts_until_ships_move_again():
    table = revealed().go_to(Phase.ASSESS)
    assert table.slot(JAPAN, MEDIUM, 0, US).revealed
    table.assess()
    assert table.phase is Phase.MOVE
    assert not table.slot(JAPAN, MEDIUM, 0, US).revealed


def test_a_reveal_lasts_for_the_game_under_a_setting():
    table = revealed(reveal_length="game").go_to(Phase.MOVE, 2)
    table.move(US)
    table.move(JAPAN, ShipMove(CARRIER, swap_with="japan-ship-4"))
    assert [slot.revealed for slot in table.line(JAPAN, MEDIUM, US)] == [False, True, False]


@pytest.mark.parametrize("faces", [(4, 1, 5), (4, 1, 4), (4, 2, 1)])
def test_a_strike_that_goes_through_shows_its_target_even_if_it_is_void(faces):
    table = at_strikes()
    table.strike(US, SBD, BOMB, MEDIUM, 1, *faces)
    shown = [event for event in table.told if isinstance(event, ShipRevealed)]
    assert [event.name for event in shown] == ["japan-battleship-4"]


@pytest.mark.parametrize(("strike_shows", "seen"), [("through", False), ("past-cards", True)])
def test_a_miss_shows_its_target_under_a_setting_only(strike_shows, seen):
    table = at_strikes(strike_shows=strike_shows)
    table.hurt(JAPAN, 4, Key.LISTING)
    table.strike(US, SBD, BOMB, MEDIUM, 1, 6)
    shown = [event.name for event in table.told if isinstance(event, ShipRevealed)]
    assert shown == (["japan-battleship-4"] if seen else [])
    assert table.slot(JAPAN, MEDIUM, 1, US).revealed is seen
    why = [line for line in table.deed(US).trace if line.rule_id == SUBTRACTION]
    assert bool(why) is seen, "what was taken off the die"
    told = [line.value for line in table.deed(US).trace if line.rule_id == "CAR-7.6"]
    assert told == [strike_shows, *(["the battleship japan-battleship-4"] if seen else [])]
    assert [line for line in table.deed(JAPAN).trace if line.rule_id == SUBTRACTION]


def test_a_strike_that_is_turned_back_shows_nothing_under_that_setting():
    table = at_strikes((ZEKE, CARRIER, FRONT), strike_shows="past-cards")
    table.strike(US, SBD, BOMB, MEDIUM, 0, 1)
    assert not table.slot(JAPAN, MEDIUM, 0, US).revealed


def test_under_a_setting_only_a_card_in_front_hides_a_ship():
    settings = {"ships_hidden": "behind-cards", "strike_needs_recon": True}
    table = at_strikes((ZEKE, CARRIER, FRONT), (VAL, "japan-ship-4", ADJACENT), **settings)
    slots = table.line(JAPAN, MEDIUM, US)
    assert [slot.revealed for slot in slots] == [False, True, True]
    assert [slot.ship and slot.ship.name for slot in slots[:2]] == [None, "japan-battleship-4"]
    assert slots[1].ship.id == ""
    targets = {one.order.procedure.target for one in table.legal(US)[1:]}
    assert {one.slot for one in targets if one.line == MEDIUM} == {1, 2}, "what lies open is seen"
    ordered = {one.order for one in legal_orders(board_of(table.view(US)), "us", table.book)}
    assert ordered == {one.order for one in table.legal(US)}
    table.strike(US, SBD, BOMB, MEDIUM, 1, 6)
    (ended,) = (event for event in table.told if isinstance(event, FlightEnded))
    assert ended.revealed
    assert not any(isinstance(event, ShipRevealed) for event in table.told), "it lay open"
    table.go_to(Phase.CAP_1, 2)
    table.place(US)
    table.place(JAPAN, (ZEKE, "japan-ship-4", FRONT))
    assert [slot.revealed for slot in table.line(JAPAN, MEDIUM, US)] == [True, False, True]


def test_reconnaissance_first_makes_a_strike_legal_where_a_setting_asks_for_it():
    table = revealed(strike_needs_recon=True).go_to(Phase.STRIKE)
    targets = {one.order.procedure.target.slot for one in table.legal(US)[1:]}
    assert targets == {0}


def test_damage_is_announced_by_name_and_stays_known():
    table = at_strikes()
    table.strike(US, SBD, BOMB, MEDIUM, 1, 1, 2, 6)
    table.go_to(Phase.MOVE, 2)
    for seat in EVERYONE:
        (report,) = table.fleet(JAPAN, seat).reports
        assert (report.name, report.keys) == ("japan-battleship-4", (Key.RUDDER,))
    assert table.slot(JAPAN, MEDIUM, 1, US).ship is None, "but not where it stands"


def test_reports_are_in_an_order_that_tells_no_places():
    table = at_strikes()
    table.hurt(JAPAN, 5, Key.RUDDER).hurt(JAPAN, 2, Key.LISTING)
    names = [report.name for report in table.fleet(JAPAN, US).reports]
    table.go_to(Phase.MOVE, 2).move(US)
    table.move(JAPAN, ShipMove("japan-ship-5", line=SHORT, slot=0))
    assert [report.name for report in table.fleet(JAPAN, US).reports] == names == sorted(names)


@pytest.mark.parametrize("seat", EVERYONE)
def test_under_a_setting_a_side_reads_its_own_reports_only(seat):
    table = at_strikes(damage_reports="own")
    table.hurt(JAPAN, 4, Key.TURRET, Key.CONNING).hurt(US, 3, Key.BRIDGE)
    table.go_to(Phase.ASSESS).assess()
    deed = table.deed(seat)
    assert deed.outcome.procedure.us_points == deed.outcome.procedure.japan_points == 1
    for side, name in ((JAPAN, "japan-battleship-4"), (US, "us-carrier-3")):
        own = seat in (side, "referee")
        assert bool(table.fleet(side, seat).reports) is own
        assert (name in str(deed)) is own
        scores = [line.name for line in deed.trace if isinstance(line, SumLine)]
        assert (f"{side.other}_points" in scores) is own
    assert SettingLine("CAR-10.6", "damage_reports", "own") in deed.trace


def test_under_that_setting_damage_is_told_as_it_is_done_and_shown_on_ships_that_lie_open():
    table = at_strikes(damage_reports="own")
    table.strike(US, SBD, BOMB, MEDIUM, 1, 1, 2, 6)
    assert "the rudder is hit" in table.deed(US).summary
    assert table.slot(JAPAN, MEDIUM, 1, US).ship.keys == (Key.RUDDER,)
    assert table.fleet(JAPAN, US).reports == ()


@pytest.mark.parametrize("value", ["all", "behind-cards"])
def test_a_flight_names_what_hides_its_target_whether_or_not_a_card_lies_there(value):
    told = []
    for guards in ((), ((ZEKE, CARRIER, FRONT),)):
        table = at_strikes(*guards, ships_hidden=value)
        table.send(US, SBD, BOMB, MEDIUM, 0)
        told.append([line for line in table.deed(US).trace if line.rule_id == "CAR-10.1"])
    assert told[0] == told[1] == [SettingLine("CAR-10.1", "ships_hidden", value)]
    shown = revealed(ships_hidden=value).go_to(Phase.STRIKE)
    shown.send(US, SBD, BOMB, MEDIUM, 0)
    named = any(line.rule_id == "CAR-10.1" for line in shown.deed(US).trace)
    assert named is (value == "behind-cards")


def test_assessment_tells_no_places_and_no_ids():
    told = []
    for moves in ((), (ShipMove("japan-ship-4", swap_with="japan-ship-5"),)):
        table = Table().go_to(Phase.MOVE, 2)
        table.hurt(JAPAN, 4, Key.TURRET, Key.CONNING).hurt(JAPAN, 5, Key.TURRET, Key.LISTING)
        table.move(US)
        table.move(JAPAN, *moves)
        table.go_to(Phase.ASSESS, 2).assess()
        (cleared,) = (e.cleared for e in table.deed(US).events if isinstance(e, TurnAssessed))
        assert cleared == ()
        (own,) = (e.cleared for e in table.deed(JAPAN).events if isinstance(e, TurnAssessed))
        assert own == ("japan-ship-4", "japan-ship-5")
        assert table.deed(JAPAN).outcome.procedure.cleared == own
        told.append(table.deed(US))
        assert not ids_in(told[-1], JAPAN)
    assert told[0] == told[1]


def test_assessment_lists_ships_by_name_and_not_as_they_were_set_up():
    table = Table().go_to(Phase.ASSESS)
    table.hurt(JAPAN, 1, Key.LISTING).hurt(JAPAN, 4, Key.CONNING).hurt(JAPAN, 5, Key.RUDDER)
    table.assess()
    names = [line.name for line in table.ruling.trace if isinstance(line, ModifierLine)]
    assert len(names) == 3
    assert names == sorted(names)


# ---- Cards that fly or intercept (CAR-10.4)


def flown(setting, *, strike, turned_back):
    """A flight at the carrier that a fighter met, under a setting of `interceptor_shown`."""
    table = Table(interceptor_shown=setting).go_to(Phase.CAP_2 if strike else Phase.CAP_1)
    table.place(US)
    table.place(JAPAN, (ZEKE, CARRIER, FRONT))
    if strike:
        table.strike(US, SBD, BOMB, MEDIUM, 0, *((5,) if turned_back else (6, 6)))
    else:
        table.recon(US, PBY, MEDIUM, 0)
        table.answer(JAPAN, ZEKE, *((5,) if turned_back else (6, 6)))
    assert table.board.flights[-1].interceptor == "zeke", "it was seen, however it ended"
    return table


@pytest.mark.parametrize(
    ("setting", "strike", "turned_back", "face_up"),
    [
        ("recon-down", False, True, False),
        ("recon-down", False, False, True),
        ("recon-down", True, True, True),
        ("until-move", False, True, True),
        ("until-move", True, False, True),
        ("flight", False, False, False),
        ("flight", True, True, False),
        ("flight", True, False, False),
    ],
)
def test_how_long_a_card_that_intercepted_is_seen(setting, strike, turned_back, face_up):
    table = flown(setting, strike=strike, turned_back=turned_back)
    (card,) = table.slot(JAPAN, MEDIUM, 0, US).front
    assert (card.face_up, card.type) == ((True, "zeke") if face_up else (False, ""))
    assert table.slot(JAPAN, MEDIUM, 0, US).intercepted == 1
    table.go_to(Phase.MOVE, 2)
    (card,) = table.slot(JAPAN, MEDIUM, 0, US).front
    assert (card.face_up, card.type) == (False, "")


def test_k21_a_reconnaissance_that_is_turned_back_turns_all_cards_down():
    table = Table(cap_use="unlimited").go_to(Phase.CAP_1)
    table.place(US)
    table.place(JAPAN, (ZEKE, CARRIER, FRONT), (ZEKE_2, "japan-ship-4", FRONT))
    table.recon(US, PBY, MEDIUM, 1)
    table.answer(JAPAN, ZEKE_2, 6, 6)
    assert table.slot(JAPAN, MEDIUM, 1, US).front[0].face_up
    table.passes(JAPAN)
    table.recon(US, TBM, MEDIUM, 0)
    table.answer(JAPAN, ZEKE, 5)
    assert not any(card.face_up for card in table.navy(JAPAN).cards)


def test_cards_that_lie_open_are_seen_in_an_order_that_tells_nothing():
    table = at_strikes((ZEKE, CARRIER, FRONT), (VAL, CARRIER, FRONT), (BETTY, CARRIER, FRONT))
    for card in (SBD, SBD_2):
        table.send(US, card, BOMB, MEDIUM, 0)
        table.answer(JAPAN, ZEKE if card == SBD else BETTY, 6, 6)
        table.passes(JAPAN)
    assert [card.id for card in table.slot(JAPAN, MEDIUM, 0, JAPAN).front] == [ZEKE, VAL, BETTY]
    assert [card.type for card in table.slot(JAPAN, MEDIUM, 0, US).front] == ["betty", "zeke", ""]
    assert table.slot(JAPAN, MEDIUM, 0, US).intercepted == 2


def test_a_card_back_in_hand_is_seen_no_more():
    table = flown("until-move", strike=False, turned_back=True)
    table.board = replace(
        table.board,
        japan=replace(
            table.board.japan,
            cards=tuple(replace(card, spent=False) for card in table.board.japan.cards),
        ),
    )
    table.go_to(Phase.CAP_2).place(US)
    table.place(JAPAN, (ZEKE,))
    assert not table.card(ZEKE).face_up


# ---- Actions


@pytest.mark.parametrize("seat", [JAPAN, None])
def test_what_a_side_does_unseen_is_told_in_one_line(seat):
    table = Table()
    table.deploy(US)
    table.deploy(JAPAN)
    table.move(US, ShipMove("us-ship-1", swap_with="us-ship-2"))
    table.move(JAPAN)
    table.place(US, (F4F, "us-ship-1", FRONT))
    for at, done in ((0, "has deployed"), (2, "has moved"), (4, "has placed its cards")):
        deed = table.deed(seat, at)
        assert (deed.order, deed.outcome, deed.trace, deed.rolls) == (None, None, (), ())
        assert deed.summary == f"The US side {done}."
        assert all(isinstance(e, PhaseChanged | ActingChanged) for e in deed.events)
        assert table.deed(US, at) == table.deeds[at]


def test_flights_name_no_ids_of_the_other_side():
    table = at_strikes((ZEKE, CARRIER, FRONT), (ZEKE_2, CARRIER, FRONT))
    table.send(US, SBD, BOMB, MEDIUM, 0)
    table.answer(JAPAN, ZEKE_2, 6, 4, 3, 5, 4)
    kinds = {type(event) for deed in table.deeds[-2:] for event in deed.events}
    flights = {FlightBegun, CardIntercepted, ShipRevealed, ShipDamaged, CardsRemoved, FlightEnded}
    assert flights <= kinds
    for side in (US, JAPAN):
        for at in (-2, -1):
            assert ids_in(table.deeds[at], side)
            assert ids_in(table.deed(side, at), side)
            assert not ids_in(table.deed(side.other, at), side)
            assert not ids_in(table.deed(None, at), side)


@pytest.mark.parametrize("minus_one", ["roll", "number"])
def test_a_miss_tells_nothing_of_what_stands_there(minus_one):
    """CAR-10.5: one face, at a carrier unhurt and at a battleship with two effects."""
    tables = []
    for first, second in (("japan-ship-3", "japan-ship-4"), ("japan-ship-4", "japan-ship-3")):
        table = Table(minus_one=minus_one)
        line = ((ship, MEDIUM) for ship in (first, second, "japan-ship-5"))
        table.deploy(JAPAN, ("japan-ship-1", SHORT), ("japan-ship-2", SHORT), *line)
        table.go_to(Phase.STRIKE).hurt(JAPAN, 4, Key.LISTING, Key.GUNNERY)
        table.strike(US, TBM, BOMB, MEDIUM, 0, 6)
        assert table.board.flights[-1].fate is Fate.MISSED
        tables.append(table)
    unhurt, hurt = tables
    assert unhurt.deeds[-1].trace != hurt.deeds[-1].trace
    for seat in (US, None):
        assert unhurt.seen(seat) == hurt.seen(seat)
    assert unhurt.seen(JAPAN) != hurt.seen(JAPAN)


def test_a_miss_at_a_ship_that_lies_open_is_told_in_full():
    table = revealed().go_to(Phase.STRIKE)
    table.hurt(JAPAN, 3, Key.DECK_AIRCRAFT)
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    assert any(isinstance(line, SumLine) for line in table.deed(US).trace)
    assert table.deed(US).summary == table.deeds[-1].summary


def test_the_defender_is_told_in_full_what_missed_him():
    table = at_strikes()
    table.hurt(JAPAN, 3, Key.DECK_AIRCRAFT)
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    assert any(isinstance(line, ModifierLine) for line in table.deed(JAPAN).trace)
    for seat in (US, None):
        deed = table.deed(seat)
        assert not any(isinstance(line, ModifierLine | SumLine) for line in deed.trace)
        assert any(isinstance(line, FindingLine) and line.name == "hit" for line in deed.trace)
        assert deed.rolls == table.deeds[-1].rolls
