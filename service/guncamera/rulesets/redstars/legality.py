"""Which cards may be chosen for an aircraft. Chapters 3, 4 and 9.

A fault is handed back, not raised, so that whoever looks for legal choices can ask cheaply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from guncamera.rules.refusal import Illegal
from guncamera.rules.straight_line import quick
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    DataBook,
    Flight,
    Maneuver,
    SpeedCard,
)
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.cards import (
    OFFERING,
    UNNAMED,
    Played,
    accelerates_too_much,
    agility_limit,
    extreme_level,
    is_capped,
    is_two,
    level_of,
    play,
)
from guncamera.rulesets.redstars.condition import condition_of, is_gliding
from guncamera.rulesets.redstars.discs import AFTER_MISSED_RAM, EXTREME, fewest_discs
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.flown import speed_after

ACCELERATING = (SpeedCard.ACCELERATE_1, SpeedCard.ACCELERATE_2)
_SOFTENABLE = (AltitudeCard.CLIMB_2, AltitudeCard.CLIMB_3)
_LATE = (Maneuver.LATE_LEFT, Maneuver.LATE_RIGHT)


@quick
@dataclass(frozen=True, slots=True)
class _Hand:
    """An aircraft, the cards for it, and what they come to."""

    aircraft: Aircraft
    choice: Choice
    data_book: DataBook
    book: RedstarsBook
    played: Played
    field: str

    def illegal(self, rule_id: str, message: str, name: str, **facts: str | int | bool) -> Illegal:
        """A refusal about one card."""
        return Illegal(rule_id, message, field=f"{self.field}.{name}", **facts)


def choice_fault(
    aircraft: Aircraft,
    choice: Choice,
    data_book: DataBook,
    book: RedstarsBook,
    field: str = "choice",
) -> Illegal | None:
    """Why a choice is not legal; None if it is."""
    played = play(aircraft, choice, data_book, book)
    hand = _Hand(aircraft, choice, data_book, book, played, field)
    checks: tuple[Callable[[_Hand], Illegal | None], ...] = _CHECKS
    if aircraft.flight == Flight.SPINNING:
        checks = (_spinning,)
    elif played.stalls:
        checks = ()  # whatever was chosen, it stalls first
    elif played.recovering:
        checks = (_recovering, _gliding) if is_gliding(aircraft, data_book) else (_recovering,)
    for check in checks:
        fault = check(hand)
        if fault is not None:
            return fault
    return None


# ---- Forced choices


def _spinning(hand: _Hand) -> Illegal | None:
    return hand.illegal(
        "RED-4.9",
        f"{hand.aircraft.id} spins; no cards are chosen for it. Move it without a choice.",
        "maneuver",
        flight=hand.aircraft.flight.value,
    )


def _recovering(hand: _Hand) -> Illegal | None:
    """Straight, and no cards but a glider's."""
    choice, glides = hand.choice, is_gliding(hand.aircraft, hand.data_book)
    if choice.maneuver != Maneuver.STRAIGHT:
        return hand.illegal(
            "RED-4.8",
            f"{hand.aircraft.id} comes out of a stall and dives straight ahead; choose straight.",
            "maneuver",
            maneuver=choice.maneuver.value,
        )
    if choice.speed_card is not None or (choice.altitude_card is not None and not glides):
        return hand.illegal(
            "RED-4.8",
            f"{hand.aircraft.id} comes out of a stall; no cards are played with that. Choose "
            "straight alone.",
            "speed_card" if choice.speed_card is not None else "altitude_card",
        )
    return None if glides else _offer(hand)


def _gliding(hand: _Hand) -> Illegal | None:
    """DIVE -2 with its speed, which is not gained; no other card."""
    choice = hand.choice
    if not is_gliding(hand.aircraft, hand.data_book):
        return None
    if choice.maneuver in EXTREME:
        return hand.illegal(
            "RED-4.11",
            f"{hand.aircraft.id} glides, and a glider flies no extreme maneuver; choose another.",
            "maneuver",
            maneuver=choice.maneuver.value,
        )
    if choice.maneuver != Maneuver.STRAIGHT and hand.book.settings.glide_actions == "straight":
        return hand.illegal(
            "RED-4.11",
            f"{hand.aircraft.id} glides, and in this game glides go straight; choose straight.",
            "maneuver",
            maneuver=choice.maneuver.value,
        )
    if choice.altitude_card != AltitudeCard.DIVE_2 or not choice.take_speed:
        return hand.illegal(
            "RED-4.11",
            f"{hand.aircraft.id} glides; it must play DIVE -2 and take the speed, which it does "
            "not gain. Choose dive_2 with take_speed.",
            "take_speed" if choice.altitude_card == AltitudeCard.DIVE_2 else "altitude_card",
        )
    if choice.speed_card is not None:
        return hand.illegal(
            "RED-4.11",
            f"{hand.aircraft.id} glides and has no card for its speed; leave it out.",
            "speed_card",
            speed_card=choice.speed_card.value,
        )
    return None


def _missed_ram(hand: _Hand) -> Illegal | None:
    """After a missed ram it goes forward (RED-9.6)."""
    maneuver = hand.choice.maneuver
    if not hand.aircraft.ram_missed or hand.book.settings.missed_ram == "free":
        return None
    late = maneuver in _LATE and hand.played.speed < 2
    if maneuver in AFTER_MISSED_RAM and not late:
        return None
    return hand.illegal(
        "RED-9.6",
        f"{hand.aircraft.id} missed with a ram and must go forward; choose straight, a shift, or "
        "a late turn of two discs or more.",
        "maneuver",
        maneuver=maneuver.value,
        discs=hand.played.speed,
    )


# ---- Extreme maneuvers


def _extreme(hand: _Hand) -> Illegal | None:
    """What bars an extreme maneuver (RED-3.10, RED-3.11)."""
    if hand.choice.maneuver not in EXTREME:
        return None
    return _extreme_alone(hand) or _extreme_able(hand) or _extreme_again(hand)


def _extreme_alone(hand: _Hand) -> Illegal | None:
    choice = hand.choice
    if choice.altitude_card is None and choice.speed_card is None and not choice.take_speed:
        return None
    return hand.illegal(
        "RED-3.10",
        "No other card is played with an extreme maneuver; leave the status cards out.",
        _first_card(choice),
        maneuver=choice.maneuver.value,
    )


def _first_card(choice: Choice) -> str:
    """The first field of a choice that plays a status card."""
    if choice.altitude_card is not None:
        return "altitude_card"
    return "speed_card" if choice.speed_card is not None else "take_speed"


def _extreme_able(hand: _Hand) -> Illegal | None:
    aircraft, maneuver = hand.aircraft, hand.choice.maneuver
    if not hand.data_book.extreme:
        return hand.illegal(
            "RED-3.10",
            f"The {hand.data_book.title} has no extreme maneuvers in its data book; choose "
            "another.",
            "maneuver",
            type=hand.data_book.type,
        )
    if condition_of(aircraft).extreme_barred:
        return hand.illegal(
            "RED-7.1",
            f"The control surfaces of {aircraft.id} are damaged; it flies no extreme maneuver. "
            "Choose another.",
            "maneuver",
            extreme_barred=True,
        )
    after = speed_after(
        aircraft, hand.choice, hand.played, extreme_level(maneuver, hand.book), hand.data_book,
        hand.book,
    )  # fmt: skip
    if after >= hand.data_book.min_speed:
        return None
    return hand.illegal(
        "RED-3.10",
        f"{aircraft.id} would be left with speed {after}, below its minimum of "
        f"{hand.data_book.min_speed}; no extreme maneuver may do that. Choose another.",
        "maneuver",
        speed_after=after,
        min_speed=hand.data_book.min_speed,
    )


def _extreme_again(hand: _Hand) -> Illegal | None:
    last, now = hand.aircraft.last_maneuver, hand.choice.maneuver
    if last not in EXTREME or (last == Maneuver.IMMELMANN and now == Maneuver.SPLIT_S):
        return None
    return hand.illegal(
        "RED-3.11",
        f"{hand.aircraft.id} flew {last} last turn; no extreme maneuver follows another, but "
        "split_s after immelmann. Choose another.",
        "maneuver",
        last_maneuver=last.value,
        maneuver=now.value,
    )


# ---- Cards


def _in_hand(hand: _Hand) -> Illegal | None:
    """By setting, cards that the text does not name are in no hand (RED-4.2)."""
    if hand.book.settings.unnamed_cards == "played":
        return None
    choice = hand.choice
    for name, card in (("altitude_card", choice.altitude_card), ("speed_card", choice.speed_card)):
        if card is not None and card in UNNAMED:
            return hand.illegal(
                "RED-4.2",
                "This game plays only the status cards that the text names: climb_2, climb_3, "
                "dive_2 to dive_4 and accelerate_2. Choose one of them, or none.",
                name,
                **{name: card.value},
            )
    return None


def _one_card(hand: _Hand) -> Illegal | None:
    """By setting one status card is played a turn (RED-4.2)."""
    if hand.book.settings.status_cards == "two" or not is_two(hand.choice, hand.book):
        return None
    return hand.illegal(
        "RED-4.2",
        "In this game one status card is played a turn, but for an ACCELERATE +2 with CLIMB +2 or "
        "+3; leave one out.",
        "speed_card",
    )


def _action(hand: _Hand) -> Illegal | None:
    """By setting a climb or dive is the ACTION, and flown straight ahead (RED-4.3)."""
    choice = hand.choice
    if choice.altitude_card is None or choice.maneuver == Maneuver.STRAIGHT:
        return None
    if hand.book.settings.altitude_cards == "status":
        return None
    return hand.illegal(
        "RED-4.3",
        "In this game a climb or dive is the ACTION of a turn and is flown straight ahead; choose "
        "straight, or leave the card out.",
        "maneuver",
        maneuver=choice.maneuver.value,
        altitude_card=choice.altitude_card.value,
    )


def _offer(hand: _Hand) -> Illegal | None:
    """The speed that only a gentle dive offers (RED-4.3)."""
    if not hand.choice.take_speed or hand.choice.altitude_card in OFFERING:
        return None
    return hand.illegal(
        "RED-4.3",
        "Only DIVE -1 and DIVE -2 offer a speed; play one of them, or do not take it.",
        "take_speed",
    )


def _climb(hand: _Hand) -> Illegal | None:
    """What the data book and the ceiling bar (RED-4.3, RED-4.1)."""
    level = level_of(hand.choice.altitude_card)
    if level > hand.data_book.climb:
        return hand.illegal(
            "RED-4.3",
            f"The {hand.data_book.title} climbs {hand.data_book.climb} at most; choose a lower "
            "card.",
            "altitude_card",
            climb=level,
            climb_limit=hand.data_book.climb,
        )
    level = level or extreme_level(hand.choice.maneuver, hand.book)
    name = "altitude_card" if hand.choice.altitude_card is not None else "maneuver"
    return ceiling_fault(hand.aircraft, level, hand.book, f"{hand.field}.{name}")


def ceiling_fault(aircraft: Aircraft, level: int, book: RedstarsBook, field: str) -> Illegal | None:
    """Why an aircraft cannot climb so many bands here (RED-4.1); None if it can."""
    after, ceiling = aircraft.position.altitude + level, book.settings.altitude_ceiling
    if level <= 0 or after <= ceiling or book.settings.above_ceiling == "held":
        return None
    return Illegal(
        "RED-4.1",
        f"{aircraft.id} would climb to {after}; no aircraft flies above {ceiling}. Climb less.",
        field=field,
        altitude=after,
        ceiling=ceiling,
    )


def _accelerate(hand: _Hand) -> Illegal | None:
    """What bars an ACCELERATE card (RED-4.2, RED-4.4)."""
    card = hand.choice.speed_card
    if card not in ACCELERATING:
        return None
    if condition_of(hand.aircraft).accelerate_barred:
        return hand.illegal(
            "RED-7.1",
            f"The engine of {hand.aircraft.id} is damaged; it plays no ACCELERATE. Leave it out.",
            "speed_card",
            accelerate_barred=True,
        )
    limited = hand.book.settings.agility_limits == "by-type"
    if limited and accelerates_too_much(hand.choice, hand.data_book, hand.book):
        most = hand.book.tables["agility"].number(hand.data_book.agility.value, "accelerate")
        return hand.illegal(
            "RED-4.2",
            f"The {hand.data_book.title} accelerates {most} at most; choose a lower card.",
            "speed_card",
            speed_card=card.value,
            accelerate_limit=most,
        )
    return _capped(hand, card) or _softening(hand, card)


def _capped(hand: _Hand, card: SpeedCard) -> Illegal | None:
    """By setting no ACCELERATE gains less than it says (RED-4.5)."""
    if hand.book.settings.accelerate_cap == "refused" and is_capped(hand.aircraft, hand.played):
        return hand.illegal(
            "RED-4.5",
            f"{hand.aircraft.id} would fly with speed {hand.played.wanted + hand.played.late}, and "
            "reaches "
            f"{hand.played.highest} so; in this game no ACCELERATE gains less than it says. "
            "Choose a lower card, or none.",
            "speed_card",
            speed_card=card.value,
            speed=hand.played.wanted + hand.played.late,
            highest=hand.played.highest,
        )
    return None


def _softening(hand: _Hand, card: SpeedCard) -> Illegal | None:
    """With a steep climb an ACCELERATE does nothing but soften it (RED-4.4)."""
    if hand.choice.altitude_card in _SOFTENABLE and not hand.played.softened:
        return hand.illegal(
            "RED-4.4",
            "With CLIMB +2 or +3 the only ACCELERATE is +2, and it softens the climb; play that, "
            "or none.",
            "speed_card",
            speed_card=card.value,
        )
    return None


# ---- Discs


def _discs(hand: _Hand) -> Illegal | None:
    """Enough discs for the maneuver, and not too many for the type (RED-3.3, RED-3.4)."""
    speed, maneuver = hand.played.speed, hand.choice.maneuver
    if speed < 1:
        return hand.illegal(
            "RED-4.2",
            f"{hand.aircraft.id} would lay no disc at speed {speed}; a move has one at least. "
            "Decelerate less.",
            "speed_card",
            speed=speed,
        )
    fewest = fewest_discs(maneuver, hand.book)
    if speed < fewest:
        return hand.illegal(
            "RED-3.3",
            f"The maneuver {maneuver} needs {fewest} discs, and {hand.aircraft.id} lays {speed}; "
            "choose another, or be faster.",
            "maneuver",
            discs=speed,
            fewest=fewest,
        )
    limit = agility_limit(maneuver, hand.data_book, hand.book)
    if limit is None or speed <= limit or hand.book.settings.agility_limits == "none":
        return None
    allowed = f"with {limit} discs at most" if limit else "never"
    advice = "choose another, or be slower" if limit else "choose another"
    return hand.illegal(
        "RED-3.4",
        f"The {hand.data_book.title} flies {maneuver} {allowed}, and lays {speed} now; {advice}.",
        "maneuver",
        discs=speed,
        limit=limit,
    )


_CHECKS: tuple[Callable[[_Hand], Illegal | None], ...] = (
    _gliding,
    _missed_ram,
    _extreme,
    _in_hand,
    _one_card,
    _action,
    _offer,
    _climb,
    _accelerate,
    _discs,
)
