"""How a game ended, read off the last board by the names of its fields, for any rule set.

A board with a `winner` names a side; one with a `score` belongs to one seat. Points of a side
stand in `points` beside its `side`, or are the `kills` of its aircraft.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from guncamera.v1.session_service_pb2 import SESSION_STATE_FINISHED, Session

_COUNTED = ("points", "kills")


@dataclass(frozen=True, slots=True)
class Ending:
    """What a board tells at the end.

    Attributes:
        side: Who has won; empty in a draw, before the end, and with one seat.
        scores: By side, or of the one seat under the empty name; empty where nothing is counted.
    """

    is_over: bool
    side: str
    scores: dict[str, int]
    turns: int
    result: str


def ending_of(session: Session) -> Ending:
    """How a session stands, as whoever sees everything sees it."""
    view = _view(session)
    is_over = session.state == SESSION_STATE_FINISHED
    side = _enum_word(view, "winner") if is_over else ""
    return Ending(is_over, side, _scores(view), _turns(view), session.result)


def _view(session: Session) -> Any:
    name = session.board.WhichOneof("ruleset")
    if name is None:
        raise AssertionError(f"{session.name} has no board that this client knows")
    return getattr(session.board, name)


def _scores(view: Any) -> dict[str, int]:
    own = view.DESCRIPTOR.fields_by_name.get("score")
    if own is not None and own.message_type and "score" in own.message_type.fields_by_name:
        return {"": view.score.score} if view.HasField("score") else {}
    found: dict[str, int] = defaultdict(int)
    for field in view.DESCRIPTOR.fields:
        counted = _counted(field)
        for row in getattr(view, field.name) if counted else ():
            found[_enum_word(row, "side")] += getattr(row, counted)
    return dict(found)


def _counted(field: FieldDescriptor) -> str:
    """What rows of a field state that a whole side, or an aircraft of it, has scored."""
    row = field.message_type
    if row is None or not field.is_repeated or "side" not in row.fields_by_name:
        return ""
    named = (row.fields_by_name.get(name) for name in _COUNTED)
    return next((one.name for one in named if one is not None and one.type == one.TYPE_INT32), "")


def _turns(view: Any) -> int:
    """The turn it ended in; where a game is a row of encounters, the turns of all of them."""
    if _has(view, "encounters"):
        return sum(one.turns for one in view.encounters)
    return int(getattr(view, "turn", 0))


def _enum_word(message: Any, name: str) -> str:
    """A value of an enum as seats spell it: `CIRCUS_SIDE_FIRST` is `first`. Empty: not set."""
    field = message.DESCRIPTOR.fields_by_name.get(name)
    number = getattr(message, name) if field is not None else 0
    if not number:
        return ""
    values = field.enum_type.values_by_number
    prefix = values[0].name.removesuffix("UNSPECIFIED")
    return str(values[number].name).removeprefix(prefix).lower()


def _has(message: Any, name: str) -> bool:
    return name in message.DESCRIPTOR.fields_by_name
