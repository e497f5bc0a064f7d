"""A game told as it is played, turn by turn, in lines for a player to read.

Each turn begins with where everybody is. Sealed plots are told when they are flown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from guncamera.rules.ruleset import Deed
from guncamera.rulesets.circus.aircraft import Manoeuvre, Pose
from guncamera.rulesets.circus.arcs import (
    relative,
    within_30_degrees,
    within_30_degrees_of_the_tail,
)
from guncamera.rulesets.circus.board import other
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.harms import PARTS, in_words, told
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import Craft, Opportunity, Phase, Plots, Shoot, View
from guncamera.rulesets.circus.outcomes import (
    DrumChanged,
    Effect,
    EndedAircraft,
    Fired,
    Flown,
    FlownFlight,
    Harm,
    SeenBy,
    Sighting,
    Sightings,
    TurnEnded,
)
from guncamera.rulesets.circus.picture_words import (
    ENDS,
    POSES,
    guns,
    heading,
    order_of_play,
    position,
    title_of,
    troubles,
)

WORDS = 7
NEAR_HEXES = 20
STEEP = (Pose.STEEP_DIVE, Pose.POWER_DIVE)
MANOEUVRES: Mapping[Manoeuvre, str] = {
    Manoeuvre.SIDE_SLIP: "slips aside",
    Manoeuvre.YO_YO: "in a yo-yo",
    Manoeuvre.HAMMERHEAD: "in a hammerhead",
    Manoeuvre.ROLLING_REVERSAL: "in a rolling reversal",
    Manoeuvre.LOOP: "in a loop",
    Manoeuvre.DISPLACEMENT_ROLL: "in a displacement roll",
    Manoeuvre.PROPELLER_HANG: "hangs on the propeller",
    Manoeuvre.POWER_DIVE: "in a power dive",
}
_SEEN: Mapping[SeenBy, str] = {
    SeenBy.ROLL: "{spotter} sees {target}.",
    SeenBy.FIRING_AT_SPOTTER: "{spotter} sees {target}, who has fired at it.",
    SeenBy.FORMATION: "{spotter} sees {target}, who flies with one it sees.",
    SeenBy.MISSED: "{spotter} looks for {target} in vain.",
    SeenBy.BLIND_SPOT: "{target} is in the blind spot of {spotter}.",
    SeenBy.NO_LINE_OF_SIGHT: "A cloud hides {target} from {spotter}.",
}


def tell(deed: Deed | None, before: View, after: View, book: CircusBook) -> tuple[str, ...]:
    """What is to be told of an action.

    Args:
        deed: None at the beginning of a game, where both views are the first.
        before, after: The board before the action and after it.

    Returns:
        Lines without line breaks; none where there is nothing to tell.
    """
    lines = [] if deed is None else list(_told(deed, before, after, book))
    if deed is None or (after.turn != before.turn and after.phase != Phase.FINISHED):
        lines += ["", *_turn(after, book)]
    return tuple(lines)


def _told(deed: Deed, before: View, after: View, book: CircusBook) -> Iterator[str]:
    match getattr(deed.outcome, "procedure", None):
        case Sightings(sightings):
            yield from _labelled("Look", (_seen(one) for one in sightings))
        case Flown(flights):
            yield from _labelled("Move", (_flown(one, deed, before, book) for one in flights))
            yield from _labelled("", _apart(after, book))
            if after.phase != Phase.FIRE and before.phase != Phase.MOVE:
                yield from _labelled("Fire", ["Nobody has a shot."])
        case Fired() as fired:
            yield from _labelled("Fire", _shot(deed, fired, before))
        case DrumChanged():
            yield from _labelled("Fire", [deed.summary])
        case TurnEnded(aircraft):
            yield from _labelled("End", (line for one in aircraft for line in _ended(one)))
    yield from _labelled("", _news(before, after))


def _labelled(label: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines in a column of their own, with a word before the first."""
    for line in lines:
        yield f"  {label:<{WORDS}}{line}"
        label = ""


# ---- The beginning of a turn


def _turn(view: View, book: CircusBook) -> Iterator[str]:
    """Which turn it is, and where everybody is who flies."""
    yield f"{heading(view)}, {order_of_play(view)}"
    for craft in view.craft:
        if craft.end is None:
            kind = title_of(craft.aircraft.aeroplane, view, book)
            yield f"  {craft.aircraft.id}, {kind}: {'; '.join(_state(craft, view, book))}"


def _state(craft: Craft, view: View, book: CircusBook) -> Iterator[str]:
    where, *rest = position(craft)
    hex_, facing = where.split(" ", 1)
    yield f"hex {hex_} facing {facing}"
    yield ", ".join(rest)
    yield f"resolution {craft.aircraft.resolution}"
    yield from guns(craft, view, book)
    yield from troubles(craft, view, book)


# ---- Looking and moving


def _seen(one: Sighting) -> str:
    return _SEEN[one.by].format(spotter=one.spotter, target=one.target)


def _flown(one: FlownFlight, deed: Deed, before: View, book: CircusBook) -> str:
    """From where to where, how, and what became of it on the way."""
    start, last = one.path[0], one.path[-1]
    parts = [f"{one.aircraft} flies from {start.hex} to {last.hex}"]
    if start.facing != last.facing:
        parts.append(f"turns from {start.facing} to {last.facing}")
    else:
        parts.append(f"still faces {last.facing}")
    parts.append(_climbed(last.altitude_feet - start.altitude_feet, last.altitude_feet))
    if one.dive in STEEP:
        parts.append(POSES[one.dive])
    parts += [
        f"{MANOEUVRES[which]}{' twice' if times == 2 else f' {times} times' if times > 2 else ''}"
        for which, times in Counter(one.manoeuvres).items()
        if which.value != one.dive.value
    ]
    codes = _codes(one.aircraft, deed, before)
    flown = f" ({codes})" if codes else ""
    words = f"{', '.join(parts)}, at speed {one.speed_mp}{flown}."
    words += "".join(f" {_sentence(in_words(effect))}" for effect in one.effects)
    if one.weapons_cleared:
        words += " Its jam is cleared."
    if not one.stalled:
        return words
    barred = ", and may not fire" if book.settings.stall_fire == "barred" else ""
    return f"{words} It has stalled{barred}."


def _climbed(feet: int, now_feet: int) -> str:
    if not feet:
        return f"stays at {now_feet:,} ft"
    return f"{'climbs' if feet > 0 else 'drops'} {abs(feet):,} to {now_feet:,} ft"


def _codes(id_: str, deed: Deed, before: View) -> str:
    """The plot as it was written; nothing for who fell without one."""
    order = deed.order.procedure if deed.order is not None else None
    own = order.plots if isinstance(order, Plots) else ()
    return next((plot.codes for plot in (*before.plots, *own) if plot.aircraft == id_), "")


def _apart(view: View, book: CircusBook) -> Iterator[str]:
    """How each aircraft lies to the enemy nearest to it; each pair once."""
    told = set()
    flying = [craft for craft in view.craft if craft.end is None]
    for craft in flying:
        enemies = [enemy for enemy in flying if enemy.side == other(craft.side)]
        if not enemies:
            continue
        nearest = min(enemies, key=lambda enemy: _hexes(craft, enemy, book))
        pair = frozenset((craft.aircraft.id, nearest.aircraft.id))
        if pair not in told and _hexes(craft, nearest, book) <= NEAR_HEXES:
            told.add(pair)
            yield _lie(craft, nearest, book)


def _hexes(one: Craft, two: Craft, book: CircusBook) -> int:
    here, there = (hex_at(each.aircraft.hex, book, "hex", anywhere=True) for each in (one, two))
    return here.distance(there)


def _lie(one: Craft, two: Craft, book: CircusBook) -> str:
    """Who is on whose tail, how far away, and who is above."""
    hexes = _hexes(one, two, book)
    for hunter, prey in ((one, two), (two, one)):
        if _is_on_tail(hunter, prey, book):
            words = f"{hunter.aircraft.id} is on the tail of {prey.aircraft.id}"
            return f"{words}, {_away(hexes)} behind{_height(_above(hunter, prey))}."
    who = f"{one.aircraft.id} and {two.aircraft.id}"
    height = _height(_above(one, two), one.aircraft.id)
    if not hexes:
        return f"{who} are in one hex{height}."
    head_on = _is_ahead(one, two, book) and _is_ahead(two, one, book)
    return f"{who} {'come head on,' if head_on else 'are'} {_away(hexes)} apart{height}."


def _above(one: Craft, two: Craft) -> int:
    return one.aircraft.altitude_feet - two.aircraft.altitude_feet


def _away(hexes: int) -> str:
    return f"{hexes} hex{'' if hexes == 1 else 'es'}"


def _height(above: int, id_: str = "") -> str:
    if not above:
        return ", at one height"
    who = f"{id_} " if id_ else ""
    return f", {who}{abs(above):,} ft {'higher' if above > 0 else 'lower'}"


def _is_on_tail(hunter: Craft, prey: Craft, book: CircusBook) -> bool:
    """Whether one has the other ahead and flies behind it."""
    here = hex_at(hunter.aircraft.hex, book, "hex", anywhere=True)
    there = hex_at(prey.aircraft.hex, book, "hex", anywhere=True)
    return _is_ahead(hunter, prey, book) and within_30_degrees_of_the_tail(
        relative(there, prey.aircraft.facing, here)
    )


def _is_ahead(one: Craft, two: Craft, book: CircusBook) -> bool:
    """Whether one has the other before its nose."""
    here = hex_at(one.aircraft.hex, book, "hex", anywhere=True)
    there = hex_at(two.aircraft.hex, book, "hex", anywhere=True)
    return within_30_degrees(relative(here, one.aircraft.facing, there))


# ---- Shots


def _shot(deed: Deed, fired: Fired, before: View) -> Iterator[str]:
    """A shot: from where, the dice, and what it did."""
    order = deed.order.procedure if deed.order is not None else None
    if not isinstance(order, Shoot):
        yield deed.summary
        return
    burst = "a long burst" if order.long_burst else "a burst"
    words = f"{order.shooter} fires {burst} of its {order.mount} guns at {order.target}"
    yield f"{words}{_from(order, before)}: range {fired.range_hexes}."
    yield f"{' '.join(_dice(deed, fired))}"
    if fired.hits:
        yield f"The resolution of {order.target} is {fired.resolution}."


def _from(order: Shoot, before: View) -> str:
    """How the target lay, as the firing clock had it."""
    wanted = order.shooter, order.target, order.mount
    for one in before.opportunities:
        if (one.shooter, one.target, one.mount) == wanted:
            return f", {_away(one.hexes)} away{_height(one.height_difference_feet)}, {_held(one)}"
    return ""


def _held(one: Opportunity) -> str:
    """How long the target was in the arc, by the clock that has the better of it."""
    own, his = one.own_mp_in_arc, one.target_mp_in_arc
    if one.own_mp and own * one.target_mp >= his * one.own_mp:
        return f"in the arc for {own} of its own {one.own_mp} points"
    return f"in the arc for {his} of the target's {one.target_mp} points"


def _dice(deed: Deed, fired: Fired) -> Iterator[str]:
    """The dice of a shot, and what each did."""
    thrown = {roll.purpose: " and ".join(map(str, roll.faces)) for roll in deed.rolls}
    hits = f"{fired.hits} {'hit' if fired.hits == 1 else 'hits'}" if fired.hits else "a miss"
    yield f"Die {thrown.pop('to-hit', '?')} on combat table {fired.table}: {hits}."
    second, jam = thrown.pop("critical-test", ""), thrown.pop("jam", "")
    critical = fired.critical
    if critical is None:
        if second:
            yield f"Second die {second}: no critical hit."
    else:
        yield f"Second die {second}: a critical hit on the {PARTS[critical.part]}."
        harm = told(critical.effects) if critical.effects else "nothing worse than before"
        dice = ", ".join(f"{name.replace('-', ' ')} {faces}" for name, faces in thrown.items())
        yield _sentence(f"{dice}: {harm}" if dice else harm)
    if jam:
        yield f"Jam die {jam}: {'the guns jam' if fired.weapons_jammed else 'they do not jam'}."


# ---- The end of a turn, and what else changed


def _ended(one: EndedAircraft) -> Iterator[str]:
    for effect in one.effects:
        if effect.harm != Harm.OIL_LEAK_TESTED:
            yield f"{one.aircraft}: {in_words(Effect(effect.harm, effect.amount))}."
    if one.resolution_loss:
        yield f"{one.aircraft}: its pilot loses {one.resolution_loss} of his resolution."
    if one.weapons_reloaded:
        yield f"{one.aircraft}: its guns are loaded again."


def _news(before: View, after: View) -> Iterator[str]:
    """Who has had enough, and who has left the game."""
    for old, new in zip(before.craft, after.craft):
        id_ = new.aircraft.id
        if new.broken and not old.broken:
            yield f"The pilot of {id_} breaks off, and makes for home."
        if new.end is not None and old.end is None:
            yield f"{id_} is out of the game: {ENDS[new.end]}."


def _sentence(words: str) -> str:
    return f"{_capital(words)}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
