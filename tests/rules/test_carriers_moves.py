"""Laws of deploying, moving and placing: what must hold whatever the fleet and the orders.

A second, plainer telling of the moves, with a list for each line, says what should come out.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Illegal, Malformed, RollRequired
from guncamera.rules.trace import SettingLine, audit
from guncamera.rulesets.carriers.book import load_book
from guncamera.rulesets.carriers.cards import Card, Key, Line, Ship, ShipClass, Side, Station
from guncamera.rulesets.carriers.facts import (
    Berth,
    Deploying,
    MoveFacts,
    Placement,
    Placing,
    RollingOff,
    Sailing,
    ShipMove,
)
from guncamera.rulesets.carriers.fleets import (
    berths_of,
    in_commission,
    line_of,
    neighbors,
    ship_at,
    slot_of,
    with_berths,
)
from guncamera.rulesets.carriers.move import rule_on_move
from guncamera.rulesets.carriers.rolling import MOST_ROLLS
from hypothesis import event, given
from hypothesis import strategies as st

BOOK = load_book()
LINES = list(Line)
STATES = (
    *[()] * 8, (Key.RUDDER,), (Key.DEAD_IN_WATER,), (Key.OUT_OF_COMMISSION,), (Key.EXPLODED,),
    (Key.SUNK,), (Key.LISTING, Key.TURRET),
)  # fmt: skip
NAMES = "abcdefgh"
SOME_BOOKS = {
    name: BOOK.with_settings(changed)
    for name, changed in {
        "default": {},
        "mover": {"swap_cost": "mover"},
        "still": {"out_of_commission_ship": "still"},
        "three": {"line_capacity": 3},
        "end": {"line_entry": "end"},
    }.items()
}


def ship(name, line=Line.MEDIUM, *keys, kind=ShipClass.CARRIER):
    return Ship(Side.US, kind, Line(line), id=name, keys=keys)


@st.composite
def fleets(draw):
    count = draw(st.integers(1, len(NAMES)))
    return tuple(
        ship(name, draw(st.sampled_from(LINES)), *draw(st.sampled_from(STATES)))
        for name in NAMES[:count]
    )


names = st.sampled_from(NAMES)
anything = st.builds(ShipMove, ship=names, swap_with=names) | st.builds(
    ShipMove, ship=names, line=st.sampled_from(LINES), slot=st.integers(0, 3)
)


def likely(fleet):
    """Moves that some ship of a fleet could make, were nothing wrong with it."""
    for line in LINES:
        row = [one.id for one in fleet if one.line == line and one.afloat]
        for left, right in pairwise(row):
            yield ShipMove(left, swap_with=right)
            yield ShipMove(right, swap_with=left)
        for other in LINES:
            if abs(LINES.index(line) - LINES.index(other)) == 1:
                yield from (ShipMove(name, line=other) for name in row)


@st.composite
def voyages(draw):
    """A fleet, and moves of which most can be made."""
    fleet = first = draw(fleets())
    orders = []
    for _ in range(draw(st.integers(0, 4))):
        tired = {name for order in orders for name in (order.ship, order.swap_with)}
        usual = [one for one in likely(fleet) if not {one.ship, one.swap_with} & tired - {""}]
        sensible = st.sampled_from(usual) if usual else anything
        orders.append(draw(sensible if draw(st.integers(0, 9)) else anything))
        with contextlib.suppress(Illegal, Malformed):
            moved = rule_on_move(MoveFacts(Sailing(fleet, (orders[-1],))), BOOK, DealtDice(()))
            fleet = with_berths(fleet, moved.outcome.procedure.berths)
    return first, tuple(orders)


def ruled(procedure, book=BOOK, faces=()):
    dice = DealtDice(faces)
    ruling = rule_on_move(MoveFacts(procedure), book, dice)
    dice.close()
    assert audit(ruling.trace, book.tables) == []
    assert {line.rule_id for line in ruling.trace} <= {rule.id for rule in book.index}
    named = {line.name for line in ruling.trace if isinstance(line, SettingLine)}
    assert named <= set(book.setting_specs)
    assert ruling.events == ()
    assert ruling.summary.endswith(".")
    return ruling


# ---- Moves


def told_again(fleet, orders, book):
    """The ids on each line after the orders; None where one of them is not allowed."""
    at = {line: [one.id for one in fleet if one.line == line and one.afloat] for line in LINES}
    keys = {one.id: set(one.keys) for one in fleet}
    stuck = {Key.DEAD_IN_WATER}
    if book.settings.out_of_commission_ship == "still":
        stuck.add(Key.OUT_OF_COMMISSION)
    moved = set()
    for order in orders:
        both = [order.ship] + ([order.swap_with] if order.swap_with else [])
        homes = [[line for line in LINES if name in at[line]] for name in both]
        if not all(homes) or any(keys[name] & stuck for name in both):
            return None
        cost = both if book.settings.swap_cost == "both" else both[:1]
        if moved & set(cost):
            return None
        moved |= set(cost)
        home = at[homes[0][0]]
        if order.swap_with:
            if any(Key.RUDDER in keys[name] for name in both) or homes[0] != homes[1]:
                return None
            i, j = (home.index(name) for name in both)
            if abs(i - j) != 1:
                return None
            home[i], home[j] = home[j], home[i]
            continue
        new = at[order.line]
        if abs(LINES.index(homes[0][0]) - LINES.index(order.line)) != 1 or order.slot > len(new):
            return None
        if book.settings.line_entry == "end" and order.slot < len(new):
            return None
        if book.settings.line_capacity and len(new) >= book.settings.line_capacity:
            return None
        home.remove(order.ship)
        new.insert(order.slot, order.ship)
    return at


@examples(200)
@given(voyages(), st.sampled_from(sorted(SOME_BOOKS)))
def test_moves_come_out_as_a_plainer_telling_has_them(voyage, name):
    (fleet, orders), book = voyage, SOME_BOOKS[name]
    wanted = told_again(fleet, orders, book)
    event(f"{len(orders)} moves, {'refused' if wanted is None else 'made'}")
    try:
        ruling = ruled(Sailing(fleet, orders), book)
    except (Illegal, Malformed):
        assert wanted is None
        return
    berths = ruling.outcome.procedure.berths
    assert berths == tuple(Berth(name, line) for line in LINES for name in wanted[line])
    after = with_berths(fleet, berths)
    assert {one.id: one.keys for one in after} == {one.id: one.keys for one in fleet}
    assert berths_of(after) == berths


@examples(100)
@given(voyages())
def test_a_ship_goes_one_line_at_most_and_a_stuck_one_none(voyage):
    fleet, orders = voyage
    try:
        berths = ruled(Sailing(fleet, orders)).outcome.procedure.berths
    except (Illegal, Malformed):
        return
    before = {one.id: one for one in fleet}
    assert {berth.ship for berth in berths} == {one.id for one in fleet if one.afloat}
    for berth in berths:
        was = before[berth.ship]
        assert abs(LINES.index(was.line) - LINES.index(berth.line)) <= 1
        if Key.DEAD_IN_WATER in was.keys:
            assert berth.line == was.line


@examples(100)
@given(voyages())
def test_moves_given_in_two_parts_are_moves_given_at_once(voyage):
    """But for the limit of one move a ship, which counts over all of them."""
    fleet, orders = voyage
    ships = [name for order in orders for name in (order.ship, order.swap_with) if name]
    if len(set(ships)) < len(ships):
        return
    try:
        whole = ruled(Sailing(fleet, orders)).outcome
    except (Illegal, Malformed):
        return
    for cut in range(len(orders) + 1):
        first = ruled(Sailing(fleet, orders[:cut])).outcome.procedure
        rest = Sailing(with_berths(fleet, first.berths), orders[cut:])
        assert ruled(rest).outcome == whole


@pytest.mark.parametrize("line", [Line.SHORT, Line.LONG])
def test_every_slot_of_a_neighboring_line_can_be_reached(line):
    fleet = (ship("a", Line.MEDIUM), ship("b", line), ship("c", line), ship("d", line))
    found = []
    for slot in range(4):
        sailing = Sailing(fleet, (ShipMove("a", line=line, slot=slot),))
        found.append("".join(one.ship for one in ruled(sailing).outcome.procedure.berths))
    assert found == ["abcd", "bacd", "bcad", "bcda"]


# ---- Deploying


@examples(100)
@given(fleets(), st.randoms(use_true_random=False))
def test_any_order_on_any_lines_may_be_deployed(fleet, random):
    afloat = [one.id for one in fleet if one.afloat]
    random.shuffle(afloat)
    berths = tuple(Berth(name, random.choice(LINES)) for name in afloat)
    found = ruled(Deploying(fleet, berths)).outcome.procedure.berths
    assert Counter(found) == Counter(berths)
    for line in LINES:
        given_, out = ([b.ship for b in some if b.line == line] for some in (berths, found))
        assert given_ == out
    assert ruled(Deploying(fleet)).outcome.procedure.berths == berths_of(fleet)
    if berths:
        for broken in (berths[1:], (*berths, berths[0]), (*berths, Berth("z", Line.LONG))):
            if broken:
                with pytest.raises(Malformed) as refused:
                    ruled(Deploying(fleet, broken))
                assert refused.value.rule_id == "CAR-3.9"


# ---- Fleets


@examples(100)
@given(fleets())
def test_slots_and_neighbors(fleet):
    for line in LINES:
        row = line_of(fleet, line)
        for slot, one in enumerate(row):
            assert one.afloat
            assert slot_of(fleet, one) == slot
            assert ship_at(fleet, line, slot) is one
            assert neighbors(fleet, one) == tuple(
                row[max(0, slot - 1) : slot] + row[slot + 1 :][:1]
            )
        assert ship_at(fleet, line, len(row)) is None
        assert ship_at(fleet, line, -1) is None
    assert with_berths(fleet, berths_of(fleet))[len(berths_of(fleet)) :] == tuple(
        one for one in fleet if not one.afloat
    )


def test_which_ships_are_carriers_in_commission():
    assert in_commission(ship("a"))
    assert in_commission(ship("a", Line.LONG, Key.DECK_AIRCRAFT, Key.DEAD_IN_WATER))
    assert not in_commission(ship("a", Line.LONG, Key.OUT_OF_COMMISSION))
    assert not in_commission(ship("a", Line.LONG, Key.SUNK))
    assert not in_commission(ship("a", kind=ShipClass.BATTLESHIP))


# ---- Placing

TYPES = ("f4f", "sbd", "tbm", "pby")


@st.composite
def hands(draw, fleet):
    cards = []
    for at in range(draw(st.integers(0, 7))):
        where = draw(st.sampled_from([None, *fleet]))
        station = draw(st.sampled_from(list(Station))) if where else None
        card = Card(f"c{at}", draw(st.sampled_from(TYPES)), where.id if where else "", station)
        flags = draw(st.sampled_from([*[{}] * 6, {"spent": True}, {"lost": True}]))
        cards.append(replace(card, **flags))
    return tuple(cards)


@st.composite
def placings(draw):
    fleet = draw(fleets())
    cards = draw(hands(fleet))
    orders = []
    for _ in range(draw(st.integers(0, 6)) if cards else 0):
        where = draw(st.sampled_from([None, *fleet]))
        station = draw(st.sampled_from(list(Station))) if where else None
        name = draw(st.sampled_from([card.id for card in cards]))
        orders.append(Placement(name, where.id if where else "", station))
    return Placing(fleet, cards, tuple(orders))


def may_be_placed(facts, fighters_only):
    """Whether each order is allowed as it is given, counted anew each time."""
    lies = {card.id: (card.ship, card.station) for card in facts.cards if not card.lost}
    usable = {card.id for card in facts.cards if not card.lost and not card.spent}
    kinds = {card.id: card.type for card in facts.cards}
    closed = {
        one.id
        for one in facts.fleet
        if {Key.OUT_OF_COMMISSION, Key.EXPLODED, Key.SUNK} & set(one.keys)
    }
    for order in facts.placements:
        if order.card not in usable or order.ship in closed:
            return False
        lies[order.card] = (order.ship, order.station)
        if order.station != Station.FRONT:
            continue
        if fighters_only and kinds[order.card] != "f4f":
            return False
        if list(lies.values()).count((order.ship, Station.FRONT)) > 3:
            return False
    return True


@examples(200)
@given(placings(), st.booleans())
def test_placings_are_allowed_and_come_out_as_a_plainer_telling_has_them(facts, fighters_only):
    book = BOOK.with_settings({"any_card_cap": not fighters_only})
    wanted = may_be_placed(facts, fighters_only)
    event(f"{len(facts.placements)} placings, {'made' if wanted else 'refused'}")
    try:
        placed = ruled(facts, book).outcome.procedure.placements
    except Illegal:
        assert not wanted
        return
    assert wanted
    last = {order.card: order for order in facts.placements}
    assert set(placed) == set(last.values())
    assert len(placed) == len(last)


# ---- Who acts first


@pytest.mark.parametrize(("us", "japan"), list(product(range(1, 7), repeat=2)))
def test_the_higher_die_acts_first(us, japan):
    if us == japan:
        with pytest.raises(RollRequired):
            ruled(RollingOff(), faces=(us, japan))
        return
    first = ruled(RollingOff(), faces=(us, japan)).outcome.procedure.first
    assert first == (Side.US if us > japan else Side.JAPAN)


@pytest.mark.parametrize("before", [None, *Side])
def test_ties_come_to_an_end_and_keep_who_was_first(before):
    ties = (5, 5) * MOST_ROLLS
    first = ruled(RollingOff(before), faces=ties).outcome.procedure.first
    assert first == (before or Side.US)
    odds = odds_of(lambda dice: rule_on_move(MoveFacts(RollingOff(before)), BOOK, dice).outcome)
    chances = {outcome.procedure.first: chance for outcome, chance in odds.outcomes.items()}
    tied = Fraction(1, 6) ** MOST_ROLLS
    assert chances[first] == (1 - tied) / 2 + tied
    assert chances[first.other] == (1 - tied) / 2


def test_facts_that_cannot_be_list_every_fault():
    fleet = (ship("a"), ship("a"), replace(ship("b"), nation=Side.JAPAN), ship(""))
    with pytest.raises(Malformed) as refused:
        ruled(Sailing(fleet))
    assert [one.field for one in refused.value.violations] == [
        "sailing.fleet[0].id", "sailing.fleet[1].id", "sailing.fleet[2].nation",
        "sailing.fleet[3].id",
    ]  # fmt: skip
    cards = (Card("c", "f4f", "z", Station.FRONT), Card("c", "f4f", "a"), Card("", "f4f"))
    with pytest.raises(Malformed) as refused:
        ruled(Placing((ship("a"),), cards))
    assert [one.field for one in refused.value.violations] == [
        "placing.cards[0].id", "placing.cards[0].ship", "placing.cards[1].id",
        "placing.cards[1].station", "placing.cards[2].id",
    ]  # fmt: skip
