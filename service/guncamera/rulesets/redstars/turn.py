"""After a ruling: what changes on the board, and which phase follows. Rules RED-10.4 to RED-10.7.

Bookkeeping only; every decision is in the ruling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from guncamera.rules.ruleset import Applied, Verb
from guncamera.rules.ruling import Ruling
from guncamera.rulesets.redstars.board import Board, fold
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of
from guncamera.rulesets.redstars.encounters import (
    declaring_side,
    left_alone,
    meetings_of,
    next_to_declare,
    rams_of,
    still_meet,
)
from guncamera.rulesets.redstars.events import (
    AircraftLeft,
    CardsChosen,
    CardsRevealed,
    Change,
    GameEnded,
    IntentTold,
    MeetingOver,
    MeetingsFound,
    OrderSet,
    PhaseChanged,
    RamMissed,
    RamsPossible,
    ResultsHeld,
    ShotFired,
    SideReady,
    TailingFound,
    TurnTaken,
)
from guncamera.rulesets.redstars.fire import results_of
from guncamera.rulesets.redstars.geometry import MILS
from guncamera.rulesets.redstars.ordering import by_id, has_ties, placed_in_order
from guncamera.rulesets.redstars.orders import (
    Choose,
    Meeting,
    MoveOrder,
    Phase,
    Setup,
    Side,
)
from guncamera.rulesets.redstars.outcomes import (
    AllChosen,
    Declared,
    End,
    Fired,
    Held,
    Met,
    Moved,
    Ordered,
    TurnEnded,
)
from guncamera.rulesets.redstars.setup import set_up
from guncamera.rulesets.redstars.shots import has_shot
from guncamera.rulesets.redstars.survey import ordering
from guncamera.rulesets.redstars.waves import next_wave, tailers_told, tails_of


def open_board(setup: Setup, book: RedstarsBook) -> Board:
    """The board of the first turn, with those who choose first.

    Raises:
        Malformed: Everything about the set-up that cannot be, by path.
    """
    board = set_up(setup, book)
    events: list[Change] = []
    return _run_on(board, _new_turn(board, book), events, book)


def apply(
    board: Board, _verb: Verb, order: Any, ruling: Ruling[Any], book: RedstarsBook
) -> Applied:
    """The board after a ruling, and everything that changed."""
    events: list[Change] = []
    outcome = ruling.outcome.procedure
    changes = ruling.events
    if isinstance(outcome, Fired) and book.settings.results == "end-of-fire":
        changes = _held(order, outcome, ruling)
    after = _run_on(board, changes, events, book)
    after = _run_on(after, _follows(board, after, order, outcome, book), events, book)
    after = _passed_over(after, events, book)
    return Applied(after, tuple(events))


def _run_on(board: Board, more: Any, events: list[Change], book: RedstarsBook) -> Board:
    """Fold some events as they come, for each may ask about the board after those before it."""
    for event in more:
        board = fold(board, (event,), book)
        events.append(event)
    return board


def _follows(
    before: Board, board: Board, order: Any, outcome: Any, book: RedstarsBook
) -> Iterator[Change]:
    """The events that a ruling brings with it, beside its own.

    Args:
        before, board: Without the ruling's own events, and with them.
    """
    match outcome:
        case AllChosen() if isinstance(order, MoveOrder):
            yield from _chosen(board, order, outcome)
        case Declared() if not outcome.rammer:
            yield SideReady("RED-9.3", declaring_side(board))
        case Ordered():
            yield OrderSet(_order_rule(firing=board.firing), board.phase, outcome.aircraft)
        case Moved():
            yield from _moved(board, outcome, book)
        case Met():
            yield from _met(before, board, outcome, book)
        case Fired():
            if book.settings.takeover_fire == "waits":
                yield from _crew_changed(before, board)
        case Held():
            yield TurnTaken("RED-10.4", outcome.aircraft)
        case TurnEnded():
            yield from _turn_over(board, book)


# ---- Choosing


def _chosen(board: Board, order: MoveOrder, outcome: AllChosen) -> Iterator[Change]:
    if not isinstance(order.procedure, Choose):
        raise AssertionError(f"{order} chose cards")
    choices = {choice.aircraft: choice for choice in order.procedure.choices}
    for hand in outcome.hands:
        name = hand.aircraft
        yield CardsChosen("RED-2.1", board.turn, name, choices[name], hand.intent)
        for tailer in tailers_told(board, name):
            yield IntentTold("RED-2.4", board.turn, name, tailer, hand.intent)


# ---- Moving, meeting, shooting


def _moved(board: Board, moved: Moved, book: RedstarsBook) -> Iterator[Change]:
    if _is_over_the_edge(board, moved.aircraft, book):
        yield AircraftLeft("RED-10.6", moved.aircraft, End.LEFT_TABLE)
    yield TurnTaken("RED-10.4", moved.aircraft)


def _is_over_the_edge(board: Board, aircraft: str, book: RedstarsBook) -> bool:
    """Whether an aircraft flies where no table is, and is out of the game (RED-10.6)."""
    one, edge = board.craft_of(aircraft), board.table_inches * MILS
    position = one.aircraft.position
    inside = 0 <= position.x_mils <= edge and 0 <= position.y_mils <= edge
    return one.end is None and not inside and book.settings.table_edge == "out"


def _met(before: Board, board: Board, outcome: Met, book: RedstarsBook) -> Iterator[Change]:
    """One meeting is over; a ram whose target it took out of the game has missed (RED-9.6).

    A spin may have carried either over the edge of the table, by setting.
    """
    met, *others = before.meetings
    if board.meetings[:1] == (met,):  # it has left the board already where one of the two is lost
        yield MeetingOver("RED-9.2", met.first, met.second)
        if met.ram and not outcome.struck:
            yield from _still_near(met, board, book)
    over = [one.aircraft for one in outcome.fates if _is_over_the_edge(board, one.aircraft, book)]
    yield from (AircraftLeft("RED-10.6", name, End.LEFT_TABLE) for name in over)
    for other in others:
        if not other.ram or other.first in over or board.craft_of(other.first).end is not None:
            continue
        if other not in board.meetings or other.second in over:
            yield RamMissed("RED-9.6", other.first)


def _still_near(met: Meeting, board: Board, book: RedstarsBook) -> Iterator[Change]:
    """By setting a pair that a ram missed is tested like any other, in its place (RED-9.2)."""
    first, second = sorted((met.first, met.second))
    accident = Meeting(first, second, ram=False)
    if book.settings.rammed_pair == "tested" and still_meet(accident, board, book):
        left = (*board.meetings[1:], accident)
        yield MeetingsFound("RED-9.2", tuple(sorted(left, key=lambda one: _place(one, board))))


def _place(meeting: Meeting, board: Board) -> tuple[int, str, str]:
    """Rams first, as they stand, then pairs by their ids."""
    if meeting.ram:
        return board.meetings.index(meeting), "", ""
    return len(board.meetings), meeting.first, meeting.second


def _crew_changed(before: Board, board: Board) -> Iterator[Change]:
    """Where the man at the controls has just died, the other does not fire yet (RED-6.17)."""
    for one in board.flying():
        name = one.aircraft.id
        then = condition_of(before.craft_of(name).aircraft).observer_flies
        if name in board.order and then != condition_of(one.aircraft).observer_flies:
            yield TurnTaken("RED-6.17", name)


# ---- Results that wait


def _held(order: Any, fired: Fired, ruling: Ruling[Any]) -> tuple[Change, ...]:
    """The shot alone; what it did waits until the last has fired (RED-6.18)."""
    shot = tuple(event for event in ruling.events if isinstance(event, ShotFired))
    if not fired.effects:
        return shot
    target, by = order.procedure.target, order.procedure.shooter
    return (*shot, ResultsHeld("RED-6.18", target, fired.effects, fired.end, by))


def _released(board: Board) -> Iterator[Change]:
    """What the shots of the phase did takes effect, in their order (RED-6.18)."""
    for held in board.pending:
        yield from results_of(held.aircraft, held.effects, held.end, held.by)


# ---- Phases


def _passed_over(board: Board, events: list[Change], book: RedstarsBook) -> Board:
    """Go on to the next phase as long as nobody has anything to do in this one."""
    for _ in range(100):
        more = list(_next(board, book))
        if not more:
            return board
        board = _run_on(board, more, events, book)
    raise AssertionError(f"the turn does not stop in phase {board.phase}")


def _next(board: Board, book: RedstarsBook) -> Iterator[Change]:
    """The events that lead out of a phase that is over; none while it goes on."""
    if board.phase != Phase.FINISHED and _is_decided(board):
        yield _ended(board, book)
        return
    match board.phase:
        case Phase.CHOOSE if not board.choosing:
            yield from _after_choosing(board, book)
        case Phase.RAM if next_to_declare(board) is None:
            yield from _into_order(board, book, firing=False)
        case Phase.ORDER if board.order:
            yield _phase(board, Phase.FIRE if board.firing else Phase.MOVE)
        case Phase.MOVE if not board.order:
            yield MeetingsFound("RED-9.1", meetings_of(board, book))
            yield from (RamMissed("RED-9.6", rammer) for rammer in left_alone(board))
            yield _phase(board, Phase.COLLIDE)
        case Phase.COLLIDE if not board.meetings:
            yield from _into_order(board, book, firing=True)
        case Phase.COLLIDE if not still_meet(board.meetings[0], board, book):
            yield MeetingOver("RED-9.1", board.meetings[0].first, board.meetings[0].second)
        case Phase.FIRE if not board.order:
            yield from _released(board)
            yield _phase(board, Phase.END)
        case Phase.FIRE:
            yield from _fires_on(board, book)


def _fires_on(board: Board, book: RedstarsBook) -> Iterator[Change]:
    """By setting the order is taken anew, and who has no shot left is passed over (RED-6.18)."""
    if book.settings.firing_order == "anew":
        facts = ordering(board, book, firing=True, standing=board.order)
        order = placed_in_order(facts, book, by_id)
        if order != board.order:
            yield OrderSet("RED-6.18", board.phase, order)
            return
    if not has_shot(board, board.order[0], book):
        yield TurnTaken("RED-10.4", board.order[0])


def _after_choosing(board: Board, book: RedstarsBook) -> Iterator[Change]:
    made = [card.aircraft for card in board.cards]
    wave = next_wave(board.craft, made, book)
    if wave:
        yield OrderSet("RED-2.2", Phase.CHOOSE, wave)
        return
    choices = tuple(card.choice for card in board.cards if card.choice is not None)
    yield CardsRevealed("RED-2.1", choices)
    yield RamsPossible("RED-9.3", tuple(rams_of(board, book)))
    yield _phase(board, Phase.RAM)


def _into_order(board: Board, book: RedstarsBook, *, firing: bool) -> Iterator[Change]:
    """The order of moving or firing, and a roll-off first where ratings tie."""
    facts = ordering(board, book, firing=firing)
    if has_ties(facts, book):
        yield _phase(board, Phase.ORDER)
        return
    phase = Phase.FIRE if firing else Phase.MOVE
    yield _phase(board, phase)
    yield OrderSet(_order_rule(firing=firing), phase, placed_in_order(facts, book, by_id))


def _order_rule(*, firing: bool) -> str:
    return "RED-6.18" if firing else "RED-3.8"


def _phase(board: Board, phase: Phase) -> PhaseChanged:
    return PhaseChanged("RED-10.4", phase, board.turn)


def _turn_over(board: Board, book: RedstarsBook) -> Iterator[Change]:
    if _is_decided(board) or board.turn >= board.turns:
        yield _ended(board, book)
    else:
        yield from _new_turn(board, book)


def _new_turn(board: Board, book: RedstarsBook) -> Iterator[Change]:
    """A new turn begins: who tails whom is fixed, and the first wave chooses (RED-2.3)."""
    yield PhaseChanged("RED-10.4", Phase.CHOOSE, board.turn + 1)
    tails = [
        TailingFound("RED-2.3", tailer, target)
        for tailer, targets in tails_of(board.craft, book).items()
        for target in targets
    ]
    yield from tails
    tailed = fold(board, tails, book)
    yield OrderSet("RED-2.2", Phase.CHOOSE, next_wave(tailed.craft, (), book))


# ---- The end


def _flying_of(board: Board, side: Side) -> int:
    return sum(one.side == side for one in board.flying())


def _is_decided(board: Board) -> bool:
    return any(_flying_of(board, side) == 0 for side in Side)


_HARMLESS = {
    "downed": (End.LEFT_TABLE, End.LANDED),
    "left-table": (End.LANDED,),
    "all": (),
}


def _downed_by(board: Board, side: Side, counted: str = "downed") -> int:
    """Enemies that left the game otherwise than over the edge of the table or by landing.

    Args:
        counted: The setting `losses_counted`: of those some may count as well.
    """
    harmless = _HARMLESS[counted]
    return sum(
        one.side != side and one.end is not None and one.end not in harmless for one in board.craft
    )


def _ended(board: Board, book: RedstarsBook) -> GameEnded:
    """Who has won (RED-10.7)."""
    if book.settings.victory == "kills":
        counted = book.settings.losses_counted
        first, second = (_downed_by(board, side, counted) for side in Side)
    else:
        first, second = (_flying_of(board, side) for side in Side)
    if first == second:
        return GameEnded("RED-10.7")
    return GameEnded("RED-10.7", Side.SOVIET if first > second else Side.JAPANESE)


def result(board: Board) -> str | None:
    """How the game ended, in one sentence; None while it goes on."""
    if board.phase != Phase.FINISHED:
        return None
    downed = {side: _downed_by(board, side) for side in Side}
    score = f"{downed[Side.SOVIET]} to {downed[Side.JAPANESE]} downed"
    if board.winner is not None and downed[board.winner] < max(*downed.values(), 1):
        # By setting something else has decided.
        score += f", {_flying_of(board, Side.SOVIET)} to {_flying_of(board, Side.JAPANESE)} flying"
    score += ", Soviet side first"
    if board.winner is None:
        return f"A draw after turn {board.turn}: {score}."
    return f"The {board.winner} side wins in turn {board.turn}: {score}."


def active_seats(board: Board) -> tuple[str, ...]:
    """The seats that may act now; empty when it is over."""
    match board.phase:
        case Phase.FINISHED:
            return ()
        case Phase.CHOOSE:
            choosing = {board.craft_of(one).side for one in board.choosing}
            return tuple(side.value for side in Side if side in choosing)
        case Phase.RAM:
            return (declaring_side(board).value,)
        case Phase.MOVE | Phase.FIRE:
            return (board.craft_of(board.order[0]).side.value,)
    return tuple(side.value for side in Side)
