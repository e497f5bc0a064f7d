"""What the picture says in words: of the turn, of aircraft, of cards and shots."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, DataBook, Flight, Mounting
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import (
    condition_of,
    current_rating,
    engines_gone,
    is_burning,
    is_damaged,
    is_smoking,
    marks_of,
)
from guncamera.rulesets.redstars.fire import boxes_of
from guncamera.rulesets.redstars.orders import Card, Craft, Phase, Shot, Side, View
from guncamera.rulesets.redstars.specials import guns_left

TITLE = "Rising Suns and Red Stars"
_KINDS = {"lmg": "LMG", "hmg": "HMG", "cannon": "cannon", "rocket": "rockets"}
_DOING = {
    Phase.CHOOSE: "choose cards in secret",
    Phase.RAM: "declare a ram, or none",
    Phase.ORDER: "roll off the ties",
    Phase.MOVE: "move",
    Phase.COLLIDE: "work out who meets",
    Phase.FIRE: "fire",
    Phase.END: "end the turn",
    Phase.FINISHED: "game over",
}


def heading(view: View) -> str:
    """The turn."""
    return f"Turn {view.turn} of {view.turns}"


def now(view: View) -> str:
    """What is to be done, and by whom; or who has won."""
    if view.phase == Phase.FINISHED:
        return "A draw" if view.winner is None else f"The {side_name(view.winner)} side wins"
    doing = _DOING[view.phase]
    if view.phase in (Phase.MOVE, Phase.FIRE) and view.order:
        after = f", then {', '.join(view.order[1:])}" if view.order[1:] else ""
        return f"Now: {view.order[0]} to {doing}{after}"
    if view.phase == Phase.COLLIDE and view.meetings:
        meeting = view.meetings[0]
        how = "rams" if meeting.ram else "may strike"
        return f"Now: {meeting.first} {how} {meeting.second}"
    return f"Now: {doing}"


def side_name(side: Side) -> str:
    """A side, as it begins a name."""
    return side.value.capitalize()


def book_in(view: View, one: Aircraft, book: RedstarsBook) -> DataBook | None:
    """The data book of a type; None for one that nobody knows."""
    for own in view.own_books:
        if own.type == one.type:
            return own
    return book.aircraft.get(one.type)


def title_of(view: View, one: Aircraft, book: RedstarsBook) -> str:
    """A type's name."""
    data_book = book_in(view, one, book)
    return data_book.title if data_book else one.type


# ---- Cards


_SHORT = {"climb": "climb +", "dive": "dive -", "accelerate": "accel. +", "decelerate": "decel. -"}
_NAMES = {"immelmann": "Immelmann", "split_s": "split-S"}


def spoken(card: str) -> str:
    """A card's name, short enough to stand on it."""
    words, _, number = card.rpartition("_")
    if words in _SHORT:
        return f"{_SHORT[words]}{number}"
    return _NAMES.get(card, card.replace("_", " "))


def card_lines(card: Card) -> list[str]:
    """What a card shows to this seat: its face, or what was told of it."""
    choice = card.choice
    if choice is not None:
        played = [choice.maneuver, choice.altitude_card, choice.speed_card]
        lines = [spoken(one.value) for one in played if one]
        return [*lines, "takes speed"] if choice.take_speed else lines
    if card.intent is not None:
        discs = [f"{card.intent.discs} discs"] if card.intent.discs else []
        return ["told:", spoken(card.intent.turning.value), card.intent.rising.value, *discs]
    return []


# ---- Aircraft


def state_words(one: Aircraft) -> str:
    """Altitude and speed, short."""
    return f"alt {one.position.altitude} sp {one.speed}"


def facts_of(one: Craft, view: View, book: RedstarsBook) -> Iterator[str]:
    """Where and how it flies, its pilot, its guns."""
    aircraft, position = one.aircraft, one.aircraft.position
    yield f"altitude {position.altitude}"
    yield f"speed {aircraft.speed}"
    yield f"heading {position.heading_degrees:03d}°"
    rating = current_rating(aircraft, book)
    traits = [trait.value.replace("_", " ") for trait in aircraft.pilot.traits]
    yield f"pilot {rating:+d}" + (f" ({', '.join(traits)})" if traits else "")
    data_book = book_in(view, aircraft, book)
    if data_book is not None:
        yield from _guns(aircraft, data_book)
        yield _engines(condition_of(aircraft), data_book)
    if one.tailed:
        yield f"tails {', '.join(one.tailed)}"
    if one.kills:
        yield f"{one.kills} {'kill' if one.kills == 1 else 'kills'}"


def _guns(aircraft: Aircraft, data_book: DataBook) -> Iterator[str]:
    boxes, condition = boxes_of(aircraft, data_book), condition_of(aircraft)
    for at, weapon in enumerate(data_book.weapons):
        rear = " rear" if weapon.mounting == Mounting.FLEXIBLE_REAR else ""
        guns = guns_left(at, data_book, condition)
        left = boxes[at] if at < len(boxes) else 0
        yield f"{guns}{rear} {_KINDS[weapon.kind.value]}, {left} of {weapon.boxes} boxes"


def _engines(condition: Condition, data_book: DataBook) -> str:
    marks = marks_of(condition, data_book)
    left = [f"{boxes - m} of {boxes}" for boxes, m in zip(data_book.engines, marks)]
    return f"engine {' and '.join(left)}"


_FLAGS = {
    "accelerate_barred": "cannot accelerate",
    "oil_leak": "oil leak",
    "extreme_barred": "no extreme maneuvers",
    "camera_wrecked": "camera wrecked",
    "gear_wrecked": "gear wrecked",
    "top_speed_barred": "top speed -1",
    "pilot_killed": "pilot killed",
    "observer_killed": "observer killed",
    "observer_flies": "observer flies",
    "nobody_flies": "nobody flies",
    "third_man_serves": "third man for the observer",
}
_FURTHER = {"oil_leak": "further_oil_leaks", "top_speed_barred": "further_speeds_lost"}
_FLIGHTS = {
    Flight.NORMAL: "",
    Flight.STALL_RECOVERY: "stalled",
    Flight.SPINNING: "spinning",
    Flight.GLIDING: "gliding",
}


def troubles(one: Craft, view: View, book: RedstarsBook) -> Iterator[str]:
    """Everything that is wrong with an aircraft or its crew."""
    condition, data_book = condition_of(one.aircraft), book_in(view, one.aircraft, book)
    if _FLIGHTS[one.aircraft.flight]:
        yield _FLIGHTS[one.aircraft.flight]
    if data_book is not None and is_damaged(condition, data_book, book):
        yield "damaged"
    if data_book is not None and engines_gone(condition, data_book):
        yield "no engine"
    yield from _fires(condition, book)
    for who in ("pilot", "observer"):
        wounds = getattr(condition, f"{who}_wounds")
        severe = ", severely" if getattr(condition, f"{who}_severe") else ""
        if wounds:
            yield f"{who} wounded{' twice' if wounds > 1 else ''}{severe}"
    for name, words in _FLAGS.items():
        if getattr(condition, name):
            yield words + _more(getattr(condition, _FURTHER.get(name, ""), 0))
    if one.aircraft.ram_missed:
        yield "missed a ram"


def _more(further: int) -> str:
    return f", {further} more" if further else ""


def _fires(condition: Condition, book: RedstarsBook) -> Iterator[str]:
    dice = [
        f"{count}d{sides}"
        for count, sides in ((condition.fires_d6, 6), (condition.fires_d8, 8))
        if count
    ]
    if dice:
        yield f"on fire, {' + '.join(dice)} a turn"
    elif is_smoking(condition, book):
        yield "smoking"


def marks_on(one: Craft, book: RedstarsBook) -> list[str]:
    """The signs that an aircraft bears."""
    condition, found = condition_of(one.aircraft), []
    if is_burning(condition):
        found.append("fire")
    elif is_smoking(condition, book):
        found.append("smoke")
    if one.aircraft.flight == Flight.SPINNING:
        found.append("spin")
    elif one.aircraft.flight == Flight.GLIDING:
        found.append("glide")
    elif one.aircraft.flight == Flight.STALL_RECOVERY:
        found.append("stall")
    return found


MARK_WORDS = {
    "fire": "on fire",
    "smoke": "smoking",
    "spin": "spinning",
    "glide": "gliding",
    "stall": "stalled",
}


def loss(one: Craft, view: View) -> str:
    """How an aircraft left the game."""
    if one.end is None:
        return ""
    ended = one.end.value.replace("_", " ")
    by = next((kill.by for kill in view.kills if kill.aircraft == one.aircraft.id), "")
    return f"{ended}, by {by}" if by else ended


# ---- For a screen reader


def description(view: View, book: RedstarsBook) -> str:
    """The whole board in sentences."""
    parts = [f"{heading(view)}. {now(view)}."]
    for one in view.craft:
        name = f"{one.aircraft.id}, {side_name(one.side)} {title_of(view, one.aircraft, book)}"
        if one.end is not None:
            parts.append(f"{name}: {loss(one, view)}.")
            continue
        told = [*facts_of(one, view, book), damage_words(one, view, book)]
        parts.append(f"{name}: {', '.join([*told, *troubles(one, view, book)])}.")
    parts += (_card_sentence(card) for card in view.cards)
    parts += (shot_sentence(shot) for shot in view.shots)
    return " ".join(parts)


def damage_words(one: Craft, view: View, book: RedstarsBook) -> str:
    """Damage taken, and what it bears."""
    data_book = book_in(view, one.aircraft, book)
    taken = condition_of(one.aircraft).damage
    return f"damage {taken} of {data_book.damage_points}" if data_book else f"damage {taken}"


def _card_sentence(card: Card) -> str:
    lines = card_lines(card)
    if not lines:
        return f"Cards of {card.aircraft}: face down."
    return f"Cards of {card.aircraft}: {', '.join(lines).replace('told:,', 'told')}."


def shot_sentence(shot: Shot) -> str:
    """A shot and what it did."""
    special = ", a special hit" if shot.special_hit else ""
    did = f"{shot.damage} damage{special}" if shot.hit else "missed"
    return f"{shot.shooter} fired at {shot.target}: {did}."
