"""Which shots of a fire phase the picture measures, and how each target lay.

A shot that was fired is measured again on the paths that were flown, as long as nobody has moved
since. The view has all that the firing clock needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import other
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.clock import opportunities
from guncamera.rulesets.circus.orders import Opportunity, Phase, Shot, TurnOrder, View


@dataclass(frozen=True, slots=True)
class Measured:
    """A shot, and how its target lay.

    Attributes:
        fired: What came of it; None where it may still be fired.
    """

    lay: Opportunity
    fired: Shot | None

    def half_by_own(self, book: CircusBook) -> tuple[int, bool]:
        """The shooter's points that count, of those in the arc, and whether they are half."""
        one = self.lay
        idle = max(0, one.own_hang_mp_in_arc - figure(book, "hang_own_mp"))
        counted = one.own_mp_in_arc - idle
        return counted, 2 * counted >= one.own_mp > 0

    @property
    def half_by_target(self) -> bool:
        """Whether half of the target's points were in the arc."""
        return 2 * self.lay.target_mp_in_arc >= self.lay.target_mp > 0


def measured(view: View, book: CircusBook) -> tuple[Measured, ...]:
    """The last shot that was fired, and the nearest that may still be."""
    found = []
    if view.shots:
        lay = _lay(view.shots[-1], view, book)
        if lay is not None:
            found.append(Measured(lay, view.shots[-1]))
    if view.phase == Phase.FIRE and view.opportunities:
        nearest = min(view.opportunities, key=lambda one: one.range_hexes)
        found.append(Measured(nearest, None))
    return tuple(found)


def _lay(shot: Shot, view: View, book: CircusBook) -> Opportunity | None:
    """How the target of a shot lay; None where somebody has moved since.

    What the shot did to either aircraft does not count: they are taken as they were.
    """
    crafts = tuple(
        replace(craft, end=None, aircraft=replace(craft.aircraft, condition=None))
        for craft in view.craft
        if craft.aircraft.id in (shot.shooter, shot.target)
    )
    wanted = (shot.shooter, shot.target, shot.mount)
    for acting in _sides_that_moved(view):
        for one in opportunities(
            crafts, view.clouds, book, own=view.own_aeroplanes, acting_side=acting
        ):
            if (one.shooter, one.target, one.mount) == wanted:
                return one
    return None


def _sides_that_moved(view: View) -> tuple[Side | None, ...]:
    """Whose move came before the last fire phase; None is both at once."""
    if view.turn_order == TurnOrder.SIMULTANEOUS:
        return (None,)
    acting = view.acting_side
    if acting is None:  # the turn is over, or the game
        return (Side.SECOND, Side.FIRST) if view.phase == Phase.FINISHED else (Side.SECOND,)
    if view.phase == Phase.FIRE:
        return (acting,)
    if view.phase == Phase.SPOT and view.looking_side != acting:
        return ()  # it has moved since
    return (other(acting),)
