"""A flight to an enemy ship: whether it may be flown. Chapter 5; who meets it: `interception`.

Everything here is public: the card flies face up, the target is a place. Nothing may depend on
which ship stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import KATE, CarriersBook, card_of, tells_what_decided
from guncamera.rulesets.carriers.cards import AircraftCard, Line, Role, Side, Station, Weapon
from guncamera.rulesets.carriers.facts import Approach, Flyer, Reconnaissance, Strike
from guncamera.rulesets.carriers.outcomes import Approached, Passed

LAND_ROLES = (Role.RECON, Role.BOMBER_RECON)
"""Types that fly from land, and that reconnoiter by trade."""


@dataclass(frozen=True, slots=True)
class Mission:
    """What a flight sets out to do.

    Attributes:
        path: Of its facts: `strike`.
        weapon: None for reconnaissance.
    """

    path: str
    flyer: Flyer
    line: Line
    weapon: Weapon | None
    revealed: bool
    flown: tuple[Weapon, ...]


def mission_of(facts: Approach | Reconnaissance | Strike) -> Mission:
    """The flight of any facts."""
    match facts:
        case Approach():
            return Mission(
                "approach", facts.flyer, facts.line, facts.weapon, facts.revealed, facts.flown
            )
        case Reconnaissance():
            return Mission("reconnaissance", facts.flyer, facts.line, None, facts.revealed, ())
        case Strike():
            line = facts.target.line
            return Mission("strike", facts.flyer, line, facts.weapon, facts.revealed, facts.flown)


# ---- Whether it may be flown


def check_flight(
    mission: Mission, own: Sequence[AircraftCard], book: CarriersBook, trace: Trace
) -> AircraftCard:
    """The card of a flight that may be flown.

    Raises:
        Malformed: CAR-1.2, there is no such type; CAR-5.2, its line is wanted.
        Illegal: CAR-5.1, it is spent; CAR-5.2, it does not reach; CAR-5.3, CAR-5.4, it may not
            fly from there; CAR-6.1, CAR-7.2, it is not fit for that; CAR-7.4, its kind comes
            first or last; CAR-7.5, the target is hidden.

    Source: seed 003, reconnaissance, dive bombing, torpedo strikes; register 4.3 to 4.5.
    """
    card = card_of(mission.flyer.type, own, book, f"{mission.path}.flyer.type")
    trace.finding("CAR-1.2", "card", card.type)
    if mission.flyer.spent:
        raise Illegal(
            "CAR-5.1",
            f"This {card.title} is spent: it has flown or intercepted this turn. Send another "
            "card, or wait for the next turn.",
            field=f"{mission.path}.flyer.spent",
            type=card.type,
        )
    _check_range(card, mission, book, trace)
    if mission.weapon is None:
        _check_scout(card, mission, book, trace)
    else:
        _check_load(card, mission.weapon, mission.path, book, trace)
        _check_order(mission, mission.weapon, book, trace)
    _check_start(card, mission, book, trace)
    _check_seen(mission, book, trace)
    return card


def _check_scout(card: AircraftCard, mission: Mission, book: CarriersBook, trace: Trace) -> None:
    """That the card can reconnoiter (CAR-6.1)."""
    settings = book.settings
    if not recon_number(card, book):
        raise Illegal(
            "CAR-6.1",
            f"The {card.title} has no reconnaissance number. Send a card that has one.",
            field=f"{mission.path}.flyer.type",
            type=card.type,
        )
    if card.role in LAND_ROLES:
        return
    if settings.recon_cards == "recon-roles":
        raise Illegal(
            "CAR-6.1",
            f"The {card.title} is a {card.role.replace('_', ' ')}; in this game only types built "
            "for reconnaissance reconnoiter. Send one of those.",
            field=f"{mission.path}.flyer.type",
            type=card.type,
            role=card.role.value,
        )
    trace.setting("CAR-6.1", "recon_cards", settings.recon_cards)


def _check_load(
    card: AircraftCard, weapon: Weapon, path: str, book: CarriersBook, trace: Trace
) -> None:
    """That the card can attack so (CAR-7.2)."""
    trace.finding("CAR-7.1", "weapon", weapon.value)
    number = strike_number(card, weapon, book)
    if not number:
        raise Illegal(
            "CAR-7.2",
            f"The {card.title} has no {_number_for(weapon, book)} number, which an attack with "
            f"a {weapon} goes by here. Send another card, or the other weapon.",
            field=f"{path}.weapon",
            type=card.type,
            weapon=weapon.value,
        )
    if card.type == KATE:
        trace.setting("CAR-1.2", "kate_swap", book.settings.kate_swap)
    if weapon == Weapon.BOMB and card.bomb != card.torpedo:
        trace.setting("CAR-7.2", "bomb_number_for_dive", book.settings.bomb_number_for_dive)
    trace.finding("CAR-7.2", f"{weapon.value}_number", number)


def _check_order(mission: Mission, weapon: Weapon, book: CarriersBook, trace: Trace) -> None:
    """That the kind of strike is not over, where a setting has an order (CAR-7.4)."""
    other = Weapon.TORPEDO if weapon == Weapon.BOMB else Weapon.BOMB
    if other not in mission.flown:
        return
    order = book.settings.strike_order
    first = {"dive-first": Weapon.BOMB, "torpedo-first": Weapon.TORPEDO}.get(order)
    if weapon == first:
        raise Illegal(
            "CAR-7.4",
            f"The side's attacks with a {weapon} are over: in this game they come before those "
            f"with a {other}, and one of those has flown. Send a {other}, or pass.",
            field=f"{mission.path}.weapon",
            weapon=weapon.value,
            strike_order=order,
        )
    trace.setting("CAR-7.4", "strike_order", order)


def _check_range(card: AircraftCard, mission: Mission, book: CarriersBook, trace: Trace) -> None:
    """That the card reaches the target's line (CAR-5.2)."""
    trace.finding("CAR-5.2", "range", card.range.value)
    trace.finding("CAR-5.2", "target_line", mission.line.value)
    line = _distance(mission, book, trace)
    if card.range == line:
        return
    nearer = _rank(line, book) < _rank(card.range, book)
    if nearer and book.settings.range_rule == "at-most":
        trace.setting("CAR-5.2", "range_rule", book.settings.range_rule)
        return
    reach = "only" if book.settings.range_rule == "exact" else "and nearer ones"
    far = "" if line == mission.line else f"the card sets out from the {line} line, which counts; "
    raise Illegal(
        "CAR-5.2",
        f"The target is on the {mission.line} line; {far}the {card.title} reaches the {card.range} "
        f"line {reach}. Choose another target or another card.",
        field=f"{mission.path}.flyer.type",
        range=card.range.value,
        line=line.value,
    )


def _distance(mission: Mission, book: CarriersBook, trace: Trace) -> Line:
    """The line that the card's range is held against (CAR-5.2).

    Raises:
        Malformed: CAR-5.2, it lay at a ship, and on which line is not said where that counts.
    """
    own, counts = mission.flyer.line, book.settings.distance == "farther-line"
    if own is None:
        if counts and mission.flyer.station is not None:
            raise Malformed(
                "The card sets out from a ship, and in this game that ship's line counts for its "
                "range; say which it is.",
                rule_id="CAR-5.2",
                field=f"{mission.path}.flyer.line",
            )
        return mission.line
    if _rank(own, book) <= _rank(mission.line, book):
        return mission.line
    if tells_what_decided(book):
        trace.finding("CAR-5.2", "own_line", own.value)
        trace.setting("CAR-5.2", "distance", book.settings.distance)
    return own if counts else mission.line


def _rank(line: Line, book: CarriersBook) -> int:
    return book.tables["lines"].number(line.value, "rank")


def _check_start(card: AircraftCard, mission: Mission, book: CarriersBook, trace: Trace) -> None:
    """That the card may fly from where it lies (CAR-5.3, CAR-5.4)."""
    flyer, settings = mission.flyer, book.settings
    if flyer.station == Station.FRONT:
        if not settings.cap_strikes:
            raise Illegal(
                "CAR-5.3",
                f"This {card.title} flies combat air patrol in front of a ship, and in this game "
                "may not leave it for a mission. Send a card that lies adjacent or in hand.",
                field=f"{mission.path}.flyer.station",
                type=card.type,
            )
        trace.setting("CAR-5.3", "cap_strikes", settings.cap_strikes)
    # Under the other value nothing is named: it would tell that a card lay at no carrier.
    if mission.weapon is None or settings.strike_base != "carrier":
        return
    if card.role not in LAND_ROLES and not flyer.at_carrier:
        raise Illegal(
            "CAR-5.4",
            f"This {card.title} does not lie at a carrier in commission, from which strikes fly in "
            "this game. Place it at one first, or send another card.",
            field=f"{mission.path}.flyer.at_carrier",
            type=card.type,
        )
    trace.setting("CAR-5.4", "strike_base", settings.strike_base)
    trace.finding("CAR-5.4", "from_land", card.role in LAND_ROLES)


def _check_seen(mission: Mission, book: CarriersBook, trace: Trace) -> None:
    """That a strike may go to a ship that is hidden, if it is (CAR-7.5)."""
    if mission.weapon is None or mission.revealed:
        return
    if book.settings.strike_needs_recon:
        raise Illegal(
            "CAR-7.5",
            "Nobody has seen what ship this is, and in this game reconnaissance comes first. "
            "Strike a ship that lies open.",
            field=f"{mission.path}.revealed",
            revealed=False,
        )
    trace.setting("CAR-7.5", "strike_needs_recon", book.settings.strike_needs_recon)


# ---- Numbers of a card, as the settings read them


def strike_number(card: AircraftCard, weapon: Weapon, book: CarriersBook) -> int:
    """The number with which a card strikes; 0: it cannot (CAR-7.2)."""
    return card.bomb if _number_for(weapon, book) == Weapon.BOMB else card.torpedo


def _number_for(weapon: Weapon, book: CarriersBook) -> Weapon:
    """Whose number an attack goes by."""
    return weapon if book.settings.bomb_number_for_dive else Weapon.TORPEDO


def combat_number(card: AircraftCard, book: CarriersBook) -> int:
    """The number with which a card intercepts (CAR-5.6)."""
    return card.recon if book.settings.fourth_number == "combat" else card.combat


def recon_number(card: AircraftCard, book: CarriersBook) -> int:
    """The number with which a card reconnoiters (CAR-6.2)."""
    return card.combat if book.settings.fourth_number == "combat" else card.recon


def record_fourth(card: AircraftCard, rule_id: str, book: CarriersBook, trace: Trace) -> None:
    """Name the setting, where the two numbers of the card differ."""
    if card.combat != card.recon:
        trace.setting(rule_id, "fourth_number", book.settings.fourth_number)


# ---- What both verbs have: a flight announced, and a side that flies nothing


def announced(
    facts: Approach, own: Sequence[AircraftCard], book: CarriersBook, trace: Trace
) -> tuple[AircraftCard, Approached]:
    """A flight that may be flown, and to which the defender has yet to answer. No dice.

    Raises:
        Malformed, Illegal: As `check_flight`.
    """
    card = check_flight(mission_of(facts), own, book, trace)
    optional = facts.weapon is None or book.settings.strike_interception == "optional"
    if facts.weapon is not None:
        trace.setting("CAR-5.7", "strike_interception", book.settings.strike_interception)
    trace.finding("CAR-5.7", "defender_may_refuse", optional)
    if tells_what_decided(book):
        _record_course(facts, book, trace)
    return card, Approached(facts.line, facts.weapon)


def _record_course(facts: Approach, book: CarriersBook, trace: Trace) -> None:
    """Name what decides where the card lies now, and whether its target lies open.

    Neither tells more than the table shows: a back that is gone, or used; a ship that was shown.
    """
    settings = book.settings
    if facts.flyer.station is not None:
        trace.setting("CAR-5.8", "flown_cards", settings.flown_cards)
    if settings.ships_hidden == "behind-cards" or not facts.revealed:
        trace.setting("CAR-10.1", "ships_hidden", settings.ships_hidden)


def passed(side: Side, book: CarriersBook, trace: Trace) -> Passed:
    """A side flies no card now (CAR-2.4). No dice."""
    trace.finding("CAR-2.4", "passes", side.value)
    if tells_what_decided(book):
        trace.setting("CAR-2.3", "alternation", book.settings.alternation)
        if book.settings.alternation == "cards":
            trace.setting("CAR-2.4", "passing", book.settings.passing)
    return Passed(side)
