"""The words of the picture: phases, cards, damage, flights, and all of it for who cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import (
    AircraftCard,
    Key,
    Line,
    Side,
    Weapon,
)
from guncamera.rulesets.carriers.orders import (
    CardSeen,
    Fate,
    FleetSeen,
    Flight,
    Phase,
    Report,
    ShipSeen,
    SlotSeen,
    View,
)

TITLE = "Aviation Cards"
NAMES: Mapping[Side, str] = {Side.US: "US", Side.JAPAN: "Japan"}
PHASES: Mapping[Phase, str] = {
    Phase.DEPLOY: "deploying",
    Phase.INITIATIVE: "initiative",
    Phase.MOVE: "moving ships",
    Phase.CAP_1: "placing cards",
    Phase.RECON: "reconnaissance",
    Phase.CAP_2: "placing cards again",
    Phase.STRIKE: "strikes",
    Phase.ASSESS: "damage assessment",
    Phase.FINISHED: "finished",
}
_TO_DO: Mapping[Phase, str] = {
    Phase.DEPLOY: "to deploy",
    Phase.INITIATIVE: "to roll for who is first",
    Phase.MOVE: "to move ships",
    Phase.CAP_1: "to place cards",
    Phase.RECON: "to reconnoiter or pass",
    Phase.CAP_2: "to place cards",
    Phase.STRIKE: "to strike or pass",
    Phase.ASSESS: "to assess damage",
}
LETTERS: Mapping[Key, str] = {
    Key.BRIDGE: "B",
    Key.DECK_AIRCRAFT: "A",
    Key.OUT_OF_COMMISSION: "X",
    Key.CONNING: "C",
    Key.GUNNERY: "G",
    Key.RUDDER: "R",
    Key.LISTING: "L",
    Key.TURRET: "T",
    Key.TURRET_LOST: "U",
    Key.DEAD_IN_WATER: "D",
    Key.EXPLODED: "E",
    Key.SUNK: "S",
}
KEY_WORDS: Mapping[Key, str] = {
    Key.BRIDGE: "bridge",
    Key.DECK_AIRCRAFT: "aircraft on deck",
    Key.OUT_OF_COMMISSION: "out of commission",
    Key.CONNING: "conning tower",
    Key.GUNNERY: "gunnery director",
    Key.RUDDER: "rudder",
    Key.LISTING: "listing",
    Key.TURRET: "turret, this turn",
    Key.TURRET_LOST: "turret lost",
    Key.DEAD_IN_WATER: "dead in the water",
    Key.EXPLODED: "exploded",
    Key.SUNK: "sunk",
}
_LOADS: Mapping[Weapon | None, str] = {
    None: "scouts",
    Weapon.BOMB: "bombs",
    Weapon.TORPEDO: "torpedoes",
}
FATES: Mapping[Fate, str] = {
    Fate.INBOUND: "inbound",
    Fate.TURNED_BACK: "turned back",
    Fate.NOTHING_SEEN: "nothing seen",
    Fate.REVEALED: "ship found",
    Fate.MISSED: "missed",
    Fate.VOID: "hit, void",
    Fate.HIT: "hit",
}
SHORT = 4


# ---- Types of card


def cards_by_type(view: View, book: CarriersBook) -> dict[str, AircraftCard]:
    """The figures of the types of a game; its own ones first."""
    return {**book.aircraft, **{card.type: card for card in view.own_cards}}


def type_name(type_: str) -> str:
    """A type as it is written on its card: `F4F`, `Zeke`."""
    is_code = len(type_) <= SHORT and not set("aeiou").intersection(type_)
    if is_code or any(letter.isdigit() for letter in type_):
        return type_.upper()
    return type_[:1].upper() + type_[1:].replace("_", " ")


def number_told(number: int) -> str:
    """A number of a card as the page prints it."""
    if not number:
        return "–"
    return "1" if number == 1 else f"1–{number}"


# ---- Turn and phase


def heading(view: View) -> str:
    """The turn, or the end."""
    if view.phase == Phase.FINISHED:
        return f"Turn {view.turn}: the end"
    return f"Turn {view.turn} of {view.turns}" if view.turn else "Before the first turn"


def now(view: View) -> str:
    """Who is to do what; at the end, who has won."""
    if view.phase == Phase.FINISHED:
        return f"The {side_word(view.winner)} side wins" if view.winner else "A draw"
    who = " or ".join(NAMES[side] for side in view.acting)
    waits = view.flights and view.flights[-1].fate == Fate.INBOUND
    return f"Now: {who} {'to answer the flight' if waits else _TO_DO[view.phase]}"


def side_word(side: Side) -> str:
    """A side as an adjective."""
    return "US" if side == Side.US else "Japanese"


def first_told(view: View) -> str:
    """Who acts first this turn."""
    if view.first is None or view.phase == Phase.FINISHED:
        return ""
    return f"{NAMES[view.first]} acts first"


def is_seen(fleet: FleetSeen, view: View) -> bool:
    """Whether it is seen where a side's ships stand, as a rule: before they deploy it is not."""
    return fleet.whole or view.phase != Phase.DEPLOY


# ---- Damage


def harm_words(keys: Iterable[Key], belts: int) -> list[str]:
    """All damage of a ship, worst things first as they came."""
    found = [KEY_WORDS[key] for key in keys]
    if belts:
        found.append("belt pierced" + (f" {belts} times" if belts > 1 else ""))
    return found


def is_lost(report: Report) -> bool:
    """Whether a ship has left its line."""
    return Key.EXPLODED in report.keys or Key.SUNK in report.keys


# ---- Flights


def place_told(flight: Flight) -> str:
    """A place by line and slot: `Medium 2`."""
    return f"{flight.target.line.value.capitalize()} {flight.target.slot}"


def flight_told(flight: Flight) -> str:
    """A flight in a line."""
    told = f"{type_name(flight.type)} {_LOADS[flight.weapon]} {place_told(flight)}"
    return f"{told}: {fate_told(flight)}"


def fate_told(flight: Flight) -> str:
    """How a flight stands, and who met it."""
    fate = FATES[flight.fate]
    if flight.keys:
        fate = ", ".join(KEY_WORDS[key] for key in flight.keys)
    elif flight.fate == Fate.HIT:
        fate = "hit, nothing lasting"
    if not flight.interceptor:
        return fate
    met = type_name(flight.interceptor)
    return f"{fate} by {met}" if flight.fate == Fate.TURNED_BACK else f"past {met}, {fate}"


# ---- For who cannot see


def description(view: View) -> str:
    """Everything that the picture shows, in sentences."""
    told = [f"{heading(view)}, {PHASES[view.phase]}. {now(view)}."]
    if first_told(view):
        told.append(f"{first_told(view)}.")
    for fleet in view.fleets:
        told += _fleet(fleet)
    told += [f"{NAMES[flight.side]}: {flight_told(flight)}." for flight in view.flights]
    return " ".join(told)


def _fleet(fleet: FleetSeen) -> Iterator[str]:
    yield f"{side_word(fleet.side)} side, {points(fleet.points)}."
    for line in fleet.lines:
        if line.slots:
            places = "; ".join(_slot(at, slot) for at, slot in enumerate(line.slots))
            yield f"{line.line.value.capitalize()} line: {places}."
    if fleet.hand:
        yield f"In hand: {', '.join(_own_card(card) for card in fleet.hand)}."
    for report in fleet.reports:
        harm = ", ".join(harm_words(report.keys, report.belts))
        yield f"{report.name}, {report.ship_class}: {harm}."


def points(number: int) -> str:
    """Points in words."""
    return f"{number} point" if number == 1 else f"{number} points"


def _slot(at: int, slot: SlotSeen) -> str:
    told = [f"{at} {_ship(slot.ship)}"]
    if slot.front:
        told.append(f"in front {', '.join(_card(card) for card in slot.front)}")
    if slot.adjacent:
        told.append(f"adjacent {', '.join(_card(card) for card in slot.adjacent)}")
    if slot.revealed:
        told.append("lies open")
    if slot.intercepted:
        told.append(f"{slot.intercepted} used")
    return ", ".join(told)


def _ship(ship: ShipSeen | None) -> str:
    if ship is None:
        return "a hidden ship"
    harm = harm_words(ship.keys, ship.belts)
    return f"{ship.name}, {ship.ship_class}" + (f" ({', '.join(harm)})" if harm else "")


def _card(card: CardSeen) -> str:
    return type_name(card.type) if card.type else "a card's back"


def _own_card(card: CardSeen) -> str:
    return type_name(card.type) + (" (used)" if card.spent else "")


def inches_told(line: Line, book: CarriersBook) -> str:
    """A line and how far it is from its owner's edge."""
    inches = book.tables["lines"].number(line.value, "inches")
    return f"{line.value} · {inches} in"
