"""One aircraft on its way through a move or a collision, and what has come of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from guncamera.rules.dice import Dice
from guncamera.rules.straight_line import changed
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook, Flight, Maneuver, Position
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of, is_shot_down, with_effects
from guncamera.rulesets.redstars.events import AircraftLeft, AircraftMoved, Change, Harmed
from guncamera.rulesets.redstars.facts import Test
from guncamera.rulesets.redstars.harms import HARM_RULES
from guncamera.rulesets.redstars.outcomes import Effect, End, Harm
from guncamera.rulesets.redstars.specials import flames


@dataclass(slots=True)
class Passage:
    """One aircraft as it fares, and the book, trace and dice it fares by.

    Attributes:
        aircraft: With everything that has happened to it so far.
        rule_id: The rule by which it moves, for its event.
        harms: Each with the rule behind it.
        end_rule: The rule by which it left the game.
    """

    aircraft: Aircraft
    data_book: DataBook
    book: RedstarsBook
    trace: Trace
    dice: Dice
    rule_id: str = "RED-3.3"
    discs: tuple[Position, ...] = ()
    maneuver: Maneuver | None = None
    dived: int = 0
    passed: list[Test] = field(default_factory=list)
    failed: list[Test] = field(default_factory=list)
    harms: list[tuple[str, Effect]] = field(default_factory=list)
    end: End | None = None
    end_rule: str = ""

    @property
    def position(self) -> Position:
        """Where it is now."""
        return self.aircraft.position

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What has happened to it, in order."""
        return tuple(effect for _, effect in self.harms)

    def tested(self, test: Test, *, passed: bool) -> bool:
        """Note how a test went; returns whether it was passed."""
        (self.passed if passed else self.failed).append(test)
        return passed

    def flies(self, flight: Flight, speed: int) -> None:
        """It flies so from now on."""
        self.aircraft = changed(self.aircraft, flight=flight, speed=speed)

    def goes_to(self, position: Position) -> None:
        """It is there now; its last disc, if it laid any, is where it is."""
        self.aircraft = changed(self.aircraft, position=position)
        if self.discs:
            self.discs = (*self.discs[:-1], position)

    def drops(self, rule_id: str, name: str, bands: int) -> None:
        """It loses altitude, and perhaps reaches the ground (RED-4.10)."""
        before = self.position.altitude
        self.trace.modifier(rule_id, name, -bands)
        after = self.trace.sum("RED-4.1", "altitude", before, before - bands)
        self.comes_down_to(self.trace.clamp("RED-4.10", "altitude", after, 0, before))

    def comes_down_to(self, altitude: int) -> None:
        """It is at an altitude now, and lost if that is the ground (RED-4.10)."""
        self.goes_to(changed(self.position, altitude=altitude))
        if altitude == 0:
            self.leaves("RED-4.10", End.CRASHED)

    def suffers(self, rule_id: str, effect: Effect, end: End = End.SHOT_DOWN) -> None:
        """Something lasting happens to it; damage may be the end of it (RED-8.1).

        Args:
            end: How it leaves the game if it is.
        """
        self.trace.finding(rule_id, effect.harm.value, effect.amount)
        self._takes(rule_id, effect, end)

    def may_catch_fire(self) -> None:
        """Damage may light a flammable type, by setting, while it still flies (RED-7.3)."""
        if self.end is not None:
            return
        for effect in flames(self.aircraft, self.data_book, self.trace, self.dice, self.book):
            self._takes(HARM_RULES[effect.harm], effect, End.SHOT_DOWN)

    def _takes(self, rule_id: str, effect: Effect, end: End) -> None:
        condition = with_effects(condition_of(self.aircraft), (effect,))
        self.aircraft = changed(self.aircraft, condition=condition)
        self.harms.append((rule_id, effect))
        if effect.harm != Harm.DAMAGE:
            return
        if condition.damage == self.data_book.damage_points:
            self.trace.setting("RED-8.1", "shot_down", self.book.settings.shot_down)
        if is_shot_down(condition, self.data_book, self.book):
            self.leaves("RED-8.1", end)

    def leaves(self, rule_id: str, end: End) -> None:
        """It is out of the game."""
        self.end, self.end_rule = end, rule_id
        self.trace.finding(rule_id, "end", end.value)

    def events(self, *, moved: bool) -> tuple[Change, ...]:
        """What changes on a board.

        Args:
            moved: It lies elsewhere, or flies otherwise.
        """
        aircraft = self.aircraft
        changes: list[Change] = []
        if moved:
            changes.append(
                AircraftMoved(
                    self.rule_id,
                    aircraft.id,
                    aircraft.position,
                    aircraft.speed,
                    aircraft.flight,
                    self.maneuver,
                    self.discs,
                )
            )
        changes += [
            Harmed(rule_id, aircraft.id, effect.harm, effect.amount, effect.which)
            for rule_id, effect in self.harms
        ]
        if self.end is not None:
            changes.append(AircraftLeft(self.end_rule, aircraft.id, self.end))
        return tuple(changes)
