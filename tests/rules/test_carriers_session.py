"""The course of a game of the carriers: segments, turns of the sides, flights, damage, the end."""

from dataclasses import replace

import pytest
from carriers_table import (
    ADJACENT,
    BOMB,
    FRONT,
    JAPAN,
    LONG,
    MEDIUM,
    TORPEDO,
    US,
    Table,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Illegal, Malformed, PhaseClosed
from guncamera.rules.ruleset import Verb
from guncamera.rules.trace import FindingLine, SettingLine
from guncamera.rulesets.carriers.cards import Key, Side
from guncamera.rulesets.carriers.events import (
    ActingChanged,
    CardIntercepted,
    CardsRemoved,
    FlightBegun,
)
from guncamera.rulesets.carriers.facts import ShipMove
from guncamera.rulesets.carriers.orders import (
    DamageOrder,
    Deploy,
    Fate,
    FireOrder,
    Intercept,
    MoveOrder,
    MoveShips,
    PassFlight,
    Phase,
    PlaceCards,
    RollOff,
    SpotOrder,
)
from guncamera.rulesets.carriers.outcomes import Ending
from guncamera.rulesets.carriers.survey import survey

ZEKE, ZEKE_2, VAL, KATE, BETTY = (f"japan-card-{at}" for at in range(1, 6))
F4F, F4F_2, SBD, SBD_2, TBM, PBY = (f"us-card-{at}" for at in range(1, 7))
CARRIER, US_CARRIER = "japan-ship-3", "us-ship-3"
"""The carriers on the medium line, slot 0."""


def at_strikes(*, guards=(), turn=1, **settings):
    """The US side about to strike, with Japanese cards in front of the carrier on the medium."""
    table = Table(**settings).go_to(Phase.CAP_2, turn)
    table.place(US)
    table.place(JAPAN, *((card, CARRIER, FRONT) for card in guards))
    return table


def at_recon(*, guards=(), **settings):
    table = Table(**settings).go_to(Phase.CAP_1)
    table.place(US)
    table.place(JAPAN, *((card, CARRIER, FRONT) for card in guards))
    return table


# ---- Segments and sides (CAR-2.1 to CAR-2.6)


@pytest.mark.parametrize(("first", "second"), [(US, JAPAN), (JAPAN, US)])
def test_a_whole_turn(first, second):
    table = Table(first_player=first.value)
    assert table.phase is Phase.DEPLOY
    assert table.active == ("us", "japan")
    table.deploy(JAPAN)
    assert table.active == ("us",)
    table.deploy(US)
    assert (table.phase, table.board.turn, table.active) == (Phase.MOVE, 1, (first,))
    assert table.board.first is first
    table.move(first, ShipMove(f"{first}-ship-1", swap_with=f"{first}-ship-2"))
    assert table.navy(first).ships[0].id == f"{first}-ship-2"
    assert table.active == (second,)
    table.move(second)
    assert (table.phase, table.active) == (Phase.CAP_1, (first,))
    table.place(first)
    table.place(second, (f"{second}-card-1", f"{second}-ship-3", FRONT))
    assert (table.phase, table.active) == (Phase.RECON, (first,))
    scout = {US: PBY, JAPAN: KATE}[first]
    table.recon(first, scout, MEDIUM, 0)
    assert table.active == (second,), "the defender answers"
    assert table.ruling.outcome.procedure.line is MEDIUM
    table.answer(second, "", 3)
    assert table.board.flights[-1].fate is Fate.REVEALED
    assert table.active == (second,), "the other side's turn to fly"
    table.passes(second)
    assert table.active == (first,)
    table.passes(first)
    assert (table.phase, table.active) == (Phase.CAP_2, (first,))
    table.place(first)
    table.place(second)
    assert (table.phase, table.active) == (Phase.STRIKE, (first,))
    striker = {US: SBD, JAPAN: KATE}[first]
    if first is JAPAN:
        with pytest.raises(Illegal, match="spent"):
            table.strike(first, striker, TORPEDO, MEDIUM, 0)
        table.passes(first)
    else:
        table.strike(first, striker, BOMB, MEDIUM, 0, 6, 4, 1)
        assert table.ship(second, 3).keys == (Key.BRIDGE,)
    table.passes(second)
    if table.phase is Phase.STRIKE:
        table.passes(first)
    assert (table.phase, table.active) == (Phase.ASSESS, ("us", "japan"))
    table.assess(second)
    assert (table.phase, table.board.turn, table.active) == (Phase.MOVE, 2, (first,))
    assert table.board.flights == ()
    assert not any(card.spent for card in table.navy(first).cards)


def test_under_a_setting_the_other_side_places_its_cards_first():
    table = Table(placing_first="second-side").go_to(Phase.MOVE)
    assert table.active == ("us",)
    for phase, side in ((Phase.CAP_1, "japan"), (Phase.RECON, "us"), (Phase.CAP_2, "japan")):
        table.go_to(phase)
        assert table.active == (side,), phase
    table.place(JAPAN, (ZEKE, CARRIER, FRONT))
    assert table.active == ("us",)
    assert len(table.slot(JAPAN, MEDIUM, 0, US).front) == 1, "the first side has seen its back"
    table.place(US)
    assert (table.phase, table.active) == (Phase.STRIKE, ("us",))


def settings_named(table):
    """The readings that the last ruling turned on, with their values."""
    lines = [line for line in table.ruling.trace if isinstance(line, SettingLine)]
    return {line.name: line.value for line in lines}


@pytest.mark.parametrize("value", ["first-side", "second-side"])
def test_both_sides_are_told_which_reading_says_who_places_first(value):
    table = Table(placing_first=value).go_to(Phase.CAP_1)
    for _ in Side:
        side = table.active[0]
        table.place(side)
        assert settings_named(table) == {"placing_first": value}
        first = "us" if value == "first-side" else "japan"
        assert FindingLine("CAR-2.5", "places_first", first) in table.deed(side).trace


def test_a_pass_names_what_the_side_may_still_fly():
    told = []
    for settings in ({}, {"passing": "for-good"}, {"alternation": "sides"}):
        table = at_strikes(**settings)
        table.passes(US)
        told.append(settings_named(table))
    assert told == [
        {"alternation": "cards", "passing": "running"},
        {"alternation": "cards", "passing": "for-good"},
        {"alternation": "sides"},
    ]


@pytest.mark.parametrize("value", ["hand", "place"])
def test_a_card_that_leaves_a_ship_names_where_it_will_lie(value):
    table = Table(flown_cards=value).go_to(Phase.CAP_2)
    table.place(US, (SBD, US_CARRIER, ADJACENT))
    table.place(JAPAN)
    table.send(US, SBD, BOMB, MEDIUM, 0)
    assert settings_named(table)["flown_cards"] == value
    table.answer(JAPAN, "", 6)
    table.passes(JAPAN)
    table.send(US, SBD_2, BOMB, MEDIUM, 0)
    assert "flown_cards" not in settings_named(table), "it lay at no ship"


def test_a_game_of_before_is_told_of_no_reading_that_was_not_named_then():
    table = Table(flown_cards="place", placing_first="second-side").go_to(Phase.CAP_2)
    table.book = replace(table.book, later=frozenset({"damage_reports", "distance"}))
    named = []
    table.place(JAPAN)
    named.append(settings_named(table))
    table.place(US, (SBD, "us-ship-5", FRONT))
    named.append(settings_named(table))
    table.send(US, SBD, BOMB, MEDIUM, 0)
    named.append(settings_named(table))
    assert "own_line" not in {getattr(line, "name", "") for line in table.ruling.trace}
    table.answer(JAPAN, "", 6)
    table.passes(JAPAN)
    named.append(settings_named(table))
    news = {"placing_first", "alternation", "passing", "flown_cards", "ships_hidden", "distance"}
    assert named[2].keys() >= {"cap_strikes", "strike_interception"}
    assert not any(news & one.keys() for one in named)


def test_under_a_setting_the_farther_of_both_lines_counts():
    for distance, reaches in (("target-line", True), ("farther-line", False)):
        table = Table(distance=distance).go_to(Phase.CAP_2)
        table.place(US, (SBD, "us-ship-5", ADJACENT))
        table.place(JAPAN)
        assert table.ship(US, 5).line == LONG
        open_to = {one.order.procedure.card for one in table.legal(US)[1:]}
        assert open_to >= {SBD_2}, "one in hand"
        assert (SBD in open_to) is reaches
        if not reaches:
            with pytest.raises(
                Illegal, match="the card sets out from the long line, which counts"
            ) as refused:
                table.send(US, SBD, BOMB, MEDIUM, 0)
            assert refused.value.rule_id == "CAR-5.2"


def test_an_answer_that_cannot_be_is_told_which_can():
    table = at_strikes(guards=(ZEKE, BETTY))
    table.send(US, SBD, BOMB, MEDIUM, 0)
    with pytest.raises(Illegal, match=f"name one of {ZEKE}, {BETTY}"):
        table.answer(JAPAN, "none-such")
    alone = at_strikes()
    alone.send(US, SBD, BOMB, MEDIUM, 0)
    with pytest.raises(Illegal, match="none of yours can; answer without a card"):
        alone.answer(JAPAN, "none-such")


def test_a_roll_off_opens_each_turn():
    table = Table(first_player="roll").go_to(Phase.INITIATIVE)
    assert table.active == ("us", "japan")
    assert table.board.first is None
    table.roll_off(2, 5, seat=JAPAN)
    assert (table.phase, table.active, table.board.first) == (Phase.MOVE, ("japan",), JAPAN)
    table.go_to(Phase.INITIATIVE, 2)
    assert (table.board.first, table.board.before) == (None, JAPAN)


def test_equal_dice_are_rolled_again_or_keep_who_was_first():
    table = Table(first_player="roll").go_to(Phase.INITIATIVE)
    table.roll_off(3, 3, 1, 4)
    assert table.board.first is JAPAN
    keep = Table(first_player="roll", initiative_tie="keep").go_to(Phase.INITIATIVE)
    keep.roll_off(3, 3)
    assert keep.board.first is US, "nobody was first before turn 1"
    keep.go_to(Phase.INITIATIVE, 2).roll_off(1, 2)
    assert keep.board.first is JAPAN
    keep.go_to(Phase.INITIATIVE, 3).roll_off(6, 6)
    assert keep.board.first is JAPAN


def test_sides_fly_card_by_card_and_two_passes_running_end_it():
    table = at_strikes()
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    assert table.active == ("japan",)
    assert not any(isinstance(event, ActingChanged) for event in table.told), "it was his turn"
    table.passes(JAPAN)
    table.strike(US, SBD_2, BOMB, MEDIUM, 0, 6)
    table.strike(JAPAN, KATE, TORPEDO, MEDIUM, 0, 6)
    table.passes(US)
    assert table.phase is Phase.STRIKE
    table.strike(JAPAN, BETTY, BOMB, LONG, 0, 6)
    table.passes(US)
    table.passes(JAPAN)
    assert table.phase is Phase.ASSESS


def test_under_a_setting_a_pass_is_for_good_and_the_other_side_flies_on_alone():
    table = at_strikes(passing="for-good")
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    table.passes(JAPAN)
    table.strike(US, SBD_2, BOMB, MEDIUM, 0, 6)
    assert table.active == ("us",), "the Japanese side has passed"
    table.strike(US, TBM, TORPEDO, MEDIUM, 0, 6)
    assert table.active == ("us",)
    table.passes(US)
    assert table.phase is Phase.ASSESS
    running = at_strikes()
    running.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    running.passes(JAPAN)
    running.strike(US, SBD_2, BOMB, MEDIUM, 0, 6)
    assert running.active == ("japan",)


def test_under_a_setting_a_side_flies_all_it_wants_and_its_pass_is_for_good():
    table = at_strikes(alternation="sides")
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    assert table.active == ("us",)
    table.strike(US, SBD_2, BOMB, MEDIUM, 0, 6)
    table.passes(US)
    assert table.active == ("japan",)
    table.strike(JAPAN, KATE, TORPEDO, MEDIUM, 0, 6)
    assert table.active == ("japan",)
    table.passes(JAPAN)
    assert table.phase is Phase.ASSESS


def test_under_that_setting_the_attacker_goes_on_after_an_answer():
    table = at_strikes(alternation="sides", guards=(ZEKE, ZEKE_2))
    table.send(US, SBD, BOMB, MEDIUM, 0)
    assert table.active == ("japan",)
    table.answer(JAPAN, ZEKE, 1)
    assert table.active == ("us",)


@pytest.mark.parametrize(
    ("order", "phases"),
    [
        (MoveOrder(Deploy()), {Phase.DEPLOY}),
        (MoveOrder(RollOff()), {Phase.INITIATIVE}),
        (MoveOrder(MoveShips()), {Phase.MOVE}),
        (MoveOrder(PlaceCards()), {Phase.CAP_1, Phase.CAP_2}),
        (SpotOrder(PassFlight()), {Phase.RECON}),
        (FireOrder(PassFlight()), {Phase.STRIKE}),
        (DamageOrder(), {Phase.ASSESS}),
    ],
)
def test_an_order_belongs_to_its_segment(order, phases):
    table = Table(first_player="roll")
    for phase in Phase:
        if phase is Phase.FINISHED:
            break
        table.go_to(phase, 0 if phase is Phase.DEPLOY else 1)
        if phase in phases:
            assert survey(table.board, table.active[0], Verb.MOVE, order, table.book)
            continue
        with pytest.raises(PhaseClosed) as refused:
            survey(table.board, table.active[0], Verb.MOVE, order, table.book)
        assert refused.value.rule_id == "CAR-2.1"
        assert refused.value.facts["phase"] == phase.value


# ---- What an order names (CAR-2.7)


def test_a_card_is_one_of_the_sides_own():
    table = at_strikes()
    messages = []
    for card in ("none-such", KATE):
        with pytest.raises(Malformed) as refused:
            table.strike(US, card, BOMB, MEDIUM, 0)
        assert (refused.value.rule_id, refused.value.field) == ("CAR-2.7", "send_strike.card")
        messages.append(refused.value.message.replace(card, "…"))
    assert messages[0] == messages[1], "an enemy's id is as unknown as any"


def test_a_target_is_a_place_where_a_ship_stands():
    table = at_recon()
    with pytest.raises(Illegal) as refused:
        table.recon(US, PBY, MEDIUM, 3)
    assert (refused.value.rule_id, refused.value.field) == (
        "CAR-2.7",
        "reconnoiter.target.slot",
    )
    assert "slots 0 to 2" in refused.value.message
    with pytest.raises(Illegal, match="nothing stands on it"):
        table.recon(US, PBY, LONG, 0)


def test_a_lost_card_flies_no_more():
    table = at_strikes(guards=(ZEKE,), intercepted_cards="lost")
    table.strike(US, SBD, BOMB, MEDIUM, 0, 1)
    assert table.card(SBD).lost
    table.go_to(Phase.STRIKE, 2)
    with pytest.raises(Illegal, match="out of the game") as refused:
        table.strike(US, SBD, BOMB, MEDIUM, 0)
    assert refused.value.rule_id == "CAR-2.7"
    assert SBD not in {card.id for card in table.fleet(US, US).hand}


# ---- Interception (CAR-5.5, CAR-5.7)


def test_every_flight_waits_for_the_defender():
    table = at_recon(guards=(ZEKE,))
    table.recon(US, PBY, MEDIUM, 0)
    assert isinstance(table.told[0], FlightBegun)
    assert table.board.flights[-1].fate is Fate.INBOUND
    with pytest.raises(PhaseClosed, match="waits for an answer"):
        table.passes(JAPAN)
    table.answer(JAPAN, ZEKE, 5)
    assert table.board.flights[-1].fate is Fate.TURNED_BACK
    assert table.board.flights[-1].interceptor == "zeke"
    assert table.card(ZEKE).spent
    assert table.card(PBY).spent
    with pytest.raises(PhaseClosed, match="No flight waits"):
        table.answer(JAPAN)


def test_reconnaissance_may_be_let_through():
    table = at_recon(guards=(ZEKE,))
    table.recon(US, PBY, MEDIUM, 0)
    table.answer(JAPAN, "", 4)
    assert table.board.flights[-1].fate is Fate.NOTHING_SEEN
    assert not table.card(ZEKE).spent
    table.passes(JAPAN)
    table.scout(US, TBM, MEDIUM, 1, 3)
    assert table.board.flights[-1].fate is Fate.REVEALED


def test_one_card_meets_a_strike_by_itself():
    table = at_strikes(guards=(ZEKE,))
    table.strike(US, SBD, BOMB, MEDIUM, 0, 5)
    assert table.board.flights[-1].fate is Fate.TURNED_BACK
    table.passes(JAPAN)
    table.strike(US, SBD_2, BOMB, MEDIUM, 0, 4, 1)
    assert table.board.flights[-1].interceptor == "", "a card meets one flight a turn"
    assert table.ship(JAPAN, 3).keys == (Key.BRIDGE,)


def test_the_defender_picks_among_several_and_may_not_refuse():
    table = at_strikes(guards=(ZEKE, BETTY))
    table.send(US, SBD, BOMB, MEDIUM, 0)
    assert table.active == ("japan",)
    assert {one.order.procedure for one in table.legal(JAPAN)} == {
        Intercept(ZEKE),
        Intercept(BETTY),
    }
    with pytest.raises(Illegal) as refused:
        table.answer(JAPAN, "")
    assert refused.value.rule_id == "CAR-5.7"
    for card in (ZEKE_2, SBD, "none-such"):
        with pytest.raises(Illegal) as refused:
            table.answer(JAPAN, card)
        assert refused.value.rule_id == "CAR-5.5"
    table.answer(JAPAN, BETTY, 3, 5)
    assert table.board.flights[-1].fate is Fate.MISSED
    assert table.card(BETTY).spent
    assert not table.card(ZEKE).spent


def meets(table, cards, *faces):
    """The Japanese side meets the flight that waits with several cards."""
    first, *more = cards
    order = FireOrder(Intercept(first, tuple(more)))
    return table.give(JAPAN, order, DealtDice(faces))


def test_under_a_setting_several_cards_meet_a_flight_and_all_are_used():
    table = at_strikes(guards=(ZEKE, BETTY, VAL), interceptors="together")
    table.send(US, SBD, BOMB, MEDIUM, 0)
    lots = {
        (one.order.procedure.card, *one.order.procedure.further_cards) for one in table.legal(JAPAN)
    }
    assert lots == {
        (ZEKE,), (VAL,), (BETTY,), (ZEKE, VAL), (ZEKE, BETTY), (VAL, BETTY), (ZEKE, VAL, BETTY)
    }  # fmt: skip
    meets(table, (BETTY, ZEKE), 3, 5)
    met = [event for event in table.told if isinstance(event, CardIntercepted)]
    assert [(event.card, event.turned_back) for event in met] == [(BETTY, True), (ZEKE, True)]
    assert table.board.flights[-1].interceptor == "zeke", "the last one named"
    assert [table.card(card).spent for card in (ZEKE, BETTY, VAL)] == [True, True, False]
    assert table.deed(US).order.procedure == Intercept(), "ids are their owner's"
    assert table.deed(JAPAN).order.procedure == Intercept(BETTY, (ZEKE,))


@pytest.mark.parametrize(
    ("settings", "cards", "rule_id", "field"),
    [
        ({}, (ZEKE, BETTY), "CAR-5.9", "intercept.further_cards"),
        ({"interceptors": "together"}, (ZEKE, ZEKE), "CAR-5.9", "intercept.further_cards"),
        ({"interceptors": "together"}, ("", ZEKE), "CAR-5.9", "intercept.card"),
        ({"interceptors": "together"}, (ZEKE, VAL), "CAR-5.5", "intercept.further_cards[0]"),
    ],
)
def test_several_cards_are_named_once_each_and_where_they_may(settings, cards, rule_id, field):
    table = at_strikes(guards=(ZEKE, BETTY), **settings)
    table.send(US, SBD, BOMB, MEDIUM, 0)
    with pytest.raises((Illegal, Malformed)) as refused:
        meets(table, cards)
    assert (refused.value.rule_id, refused.value.field) == (rule_id, field)


def test_a_card_that_has_flown_is_in_hand_or_by_setting_where_it_lay():
    for settings, ship, station in (({}, "", None), ({"flown_cards": "place"}, US_CARRIER, FRONT)):
        table = Table(**settings).go_to(Phase.CAP_2)
        table.place(US, (SBD, US_CARRIER, FRONT), (F4F, US_CARRIER, FRONT))
        table.place(JAPAN)
        table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
        card = table.card(SBD)
        assert (card.ship, card.station, card.spent) == (ship, station, True)
        slot = table.slot(US, MEDIUM, 0, JAPAN)
        assert (len(slot.front), slot.intercepted) == ((2, 1) if ship else (1, 0))
        table.passes(JAPAN)
        table.passes(US)
        table.assess()
        assert not table.card(SBD).spent
        assert table.card(SBD).ship == ship


def test_a_card_that_is_lost_lies_nowhere_under_either_setting():
    for flown_cards in ("hand", "place"):
        table = Table(flown_cards=flown_cards, intercepted_cards="lost").go_to(Phase.CAP_2)
        table.place(US, (SBD, US_CARRIER, FRONT))
        table.place(JAPAN, (ZEKE, CARRIER, FRONT))
        table.strike(US, SBD, BOMB, MEDIUM, 0, 1)
        card = table.card(SBD)
        assert (card.lost, card.ship, card.station) == (True, "", None)
        assert table.slot(US, MEDIUM, 0, JAPAN).front == ()


def test_under_a_setting_a_strike_may_be_let_through():
    table = at_strikes(guards=(ZEKE,), strike_interception="optional")
    table.send(US, SBD, BOMB, MEDIUM, 0)
    assert {one.order.procedure for one in table.legal(JAPAN)} == {Intercept(), Intercept(ZEKE)}
    table.answer(JAPAN, "", 5)
    assert table.board.flights[-1].fate is Fate.MISSED
    assert not table.card(ZEKE).spent


def test_adjacent_cards_intercept_under_a_setting_only():
    for settings, met in (({}, ""), ({"adjacent_cap": True}, "zeke")):
        table = Table(**settings).go_to(Phase.CAP_2)
        table.place(US)
        table.place(JAPAN, (ZEKE, CARRIER, ADJACENT))
        table.strike(US, SBD, BOMB, MEDIUM, 0, 6, *((6,) if met else ()))
        assert table.board.flights[-1].interceptor == met


def test_fighters_only_may_meet_a_flight_where_adjacent_cards_do():
    for card, answer in ((ZEKE, ZEKE), (BETTY, "")):
        table = Table(adjacent_cap=True, any_card_cap=False).go_to(Phase.CAP_2)
        table.place(US)
        table.place(JAPAN, (card, CARRIER, ADJACENT))
        table.send(US, SBD, BOMB, MEDIUM, 0)
        assert [one.order.procedure for one in table.legal(JAPAN)] == [Intercept(answer)]
        table.answer(JAPAN, answer, *((6,) if answer else ()), 6)
        assert table.board.flights[-1].fate is Fate.MISSED


def test_a_card_meets_every_flight_under_a_setting():
    table = at_strikes(guards=(ZEKE,), cap_use="unlimited")
    table.strike(US, SBD, BOMB, MEDIUM, 0, 5)
    assert not table.card(ZEKE).spent
    table.passes(JAPAN)
    table.strike(US, SBD_2, BOMB, MEDIUM, 0, 5)
    assert table.board.flights[-1].interceptor == "zeke"
    assert table.slot(JAPAN, MEDIUM, 0, US).intercepted == 0


def test_a_card_that_flies_leaves_its_ship():
    table = at_recon()
    table.go_to(Phase.CAP_2).place(US, (SBD, "us-ship-3", FRONT))
    table.place(JAPAN)
    table.send(US, SBD, BOMB, MEDIUM, 0)
    assert (table.card(SBD).ship, table.card(SBD).station) == ("", None)
    table.answer(JAPAN, "", 6)
    table.passes(JAPAN)
    with pytest.raises(Illegal, match="spent"):
        table.strike(US, SBD, BOMB, MEDIUM, 0)


def test_a_setting_keeps_patrols_at_their_ships():
    table = Table(cap_strikes=False).go_to(Phase.CAP_2)
    table.place(US, (SBD, "us-ship-3", FRONT), (SBD_2, "us-ship-3", ADJACENT))
    table.place(JAPAN)
    with pytest.raises(Illegal) as refused:
        table.strike(US, SBD, BOMB, MEDIUM, 0)
    assert refused.value.rule_id == "CAR-5.3"
    table.strike(US, SBD_2, BOMB, MEDIUM, 0, 6)


def test_a_setting_has_strikes_fly_from_carriers_in_commission():
    table = Table(strike_base="carrier").go_to(Phase.CAP_2)
    table.place(US, (SBD, "us-ship-3", ADJACENT), (TBM, "us-ship-4", ADJACENT))
    table.place(JAPAN)
    for card in (TBM, SBD_2):
        with pytest.raises(Illegal) as refused:
            table.strike(US, card, BOMB, MEDIUM, 0)
        assert refused.value.rule_id == "CAR-5.4"
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    table.passes(JAPAN)
    table.strike(US, PBY, BOMB, MEDIUM, 0, 6)


@pytest.mark.parametrize(
    ("setting", "first", "then"),
    [("dive-first", TORPEDO, BOMB), ("torpedo-first", BOMB, TORPEDO)],
)
def test_a_setting_orders_the_strikes_of_a_turn(setting, first, then):
    table = at_strikes(strike_order=setting)
    table.strike(US, SBD, first, MEDIUM, 0, 6)
    table.passes(JAPAN)
    with pytest.raises(Illegal) as refused:
        table.strike(US, SBD_2, then, MEDIUM, 0)
    assert refused.value.rule_id == "CAR-7.4"
    table.go_to(Phase.STRIKE, 2)
    table.strike(US, SBD_2, then, MEDIUM, 0, 6)


def test_k24_a_card_is_used_once_a_turn():
    table = at_recon()
    table.scout(US, SBD, MEDIUM, 0, 6)
    table.go_to(Phase.STRIKE)
    with pytest.raises(Illegal) as refused:
        table.strike(US, SBD, BOMB, MEDIUM, 0)
    assert refused.value.rule_id == "CAR-5.1"


# ---- Damage at once (CAR-2.8)


def test_k4_cards_at_a_carrier_out_of_commission_are_lost():
    table = at_strikes(guards=(ZEKE,))
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6, 2, 3, 5, 4)
    assert table.card(ZEKE).lost
    removed = [one for one in table.told if isinstance(one, CardsRemoved)]
    assert [(one.cards, one.count, one.lost) for one in removed] == [((ZEKE,), 1, True)]
    assert Key.OUT_OF_COMMISSION in table.ship(JAPAN, 3).keys


@pytest.mark.parametrize(("setting", "lost"), [("returned", False), ("lost", True)])
def test_k8_a_ship_that_explodes_leaves_its_line(setting, lost):
    table = Table(lost_ship_cards=setting).go_to(Phase.CAP_2)
    table.place(US)
    table.place(JAPAN, (ZEKE, "japan-ship-4", FRONT), (KATE, "japan-ship-4", ADJACENT))
    table.strike(US, SBD, BOMB, MEDIUM, 1, 6, 1, 1, 4)
    for card in (ZEKE, KATE):
        found = table.card(card)
        assert (found.ship, found.spent, found.lost) == ("", True, lost)
    assert not table.ship(JAPAN, 4).afloat
    assert table.names(JAPAN, MEDIUM) == ["japan-carrier-3", "japan-destroyer-5"]
    table.passes(JAPAN)
    table.strike(US, SBD_2, BOMB, MEDIUM, 1, 1, 2, 6)
    assert table.board.flights[-1].keys == (Key.RUDDER,), "the line has closed up"
    assert table.ship(JAPAN, 5).keys == (Key.RUDDER,)


@pytest.mark.parametrize(("setting", "kept"), [(False, 2), (True, 1)])
def test_a_deck_hit_costs_a_card_under_a_setting(setting, kept):
    table = Table(deck_hit_card=setting).go_to(Phase.CAP_2)
    table.place(US)
    table.place(JAPAN, (ZEKE, CARRIER, FRONT), (VAL, CARRIER, ADJACENT))
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6, 2, 3, 2)
    assert len(table.navy(JAPAN).at(CARRIER)) == kept
    assert table.card(VAL).lost is setting
    assert not table.card(ZEKE).lost, "an adjacent card goes first"


def test_k17_damage_counts_from_the_next_card():
    table = at_strikes()
    table.hurt(JAPAN, 4, Key.LISTING)
    table.strike(US, TBM, TORPEDO, MEDIUM, 1, 5, 3)
    assert table.board.flights[-1].fate is Fate.VOID


# ---- The end of a turn and of the game (CAR-2.9, chapter 9)


def test_k13_a_turret_hit_ends_with_the_turn():
    table = at_strikes()
    table.strike(US, SBD, BOMB, MEDIUM, 1, 4, 5, 5)
    assert table.ship(JAPAN, 4).keys == (Key.TURRET,)
    table.go_to(Phase.ASSESS).assess()
    assert table.ship(JAPAN, 4).keys == ()


@pytest.mark.parametrize(("setting", "keys"), [("game", (Key.BRIDGE,)), ("turn", ())])
def test_carrier_damage_lasts_as_the_setting_says(setting, keys):
    table = at_strikes(carrier_damage_lasts=setting)
    table.strike(US, SBD, BOMB, MEDIUM, 0, 1, 1)
    table.go_to(Phase.ASSESS).assess()
    assert table.ship(JAPAN, 3).keys == keys


def test_the_game_is_over_after_its_last_turn():
    table = Table(max_turns=2).go_to(Phase.ASSESS, 2)
    table.assess()
    assert table.phase is Phase.FINISHED
    assert table.active == ()
    assert table.board.ending is Ending.TURNS
    assert table.result == "A draw: the last turn is over, turn 2; 0 points to 0, US side first."
    assert table.view().draw


@pytest.mark.parametrize("setting", [True, False])
def test_a_side_without_a_carrier_in_commission_has_lost_it(setting):
    table = at_strikes(no_carrier_end=setting)
    table.hurt(JAPAN, 1, Key.OUT_OF_COMMISSION).hurt(JAPAN, 3, Key.OUT_OF_COMMISSION)
    table.go_to(Phase.ASSESS).assess()
    assert (table.result is not None) is setting
    assert table.fleet(US).points == 20
    if setting:
        assert table.board.winner is US
        assert table.result.startswith("The US side wins: a side has no carrier in commission")


def test_a_side_without_ships_has_lost():
    table = at_strikes(no_carrier_end=False)
    for number in (2, 4, 5):
        table.hurt(JAPAN, number, Key.EXPLODED)
    for number in (1, 3):
        table.hurt(JAPAN, number, Key.SUNK)
    assert [one.order.procedure for one in table.legal(US)] == [PassFlight()]
    table.go_to(Phase.ASSESS).assess()
    assert (table.board.ending, table.board.winner) == (Ending.NO_SHIPS, US)
