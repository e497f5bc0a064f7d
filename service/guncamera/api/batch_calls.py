"""BatchPlay: calls about many sessions in one, sharing their exchanges with the store.

The calls about one session are taken in their order. Orders in a row are ruled on and written
together (`guncamera.sessions.chain`), and looks after them need not read the session again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from guncamera.api.access import told
from guncamera.api.as_written import as_written
from guncamera.api.caller import AnswerNotes, Caller
from guncamera.api.names import session_id_of
from guncamera.api.problems import problem_message
from guncamera.api.refusals import Internal
from guncamera.api.rulings import chosen
from guncamera.api.seal_calls import SealCalls
from guncamera.api.session_calls import SessionCalls, check_question, submission_of
from guncamera.api.written_actions import write_action
from guncamera.rules.refusal import Malformed, Refusal
from guncamera.rules.ruleset import Verb
from guncamera.sessions.chain import Chained, chained
from guncamera.sessions.play import Submission, tell_nearest
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf, no_session, unavailable
from guncamera.sessions.steps import Steps, run_together
from guncamera.sessions.store import Load
from guncamera.sessions.views import action_for
from guncamera.v1 import session_service_pb2 as pb

LOG = logging.getLogger(__name__)
MAX_ITEMS = 256
MAX_NEAREST_ITEMS = 16
"""So many orders of a batch may ask for legal ones instead: each may cost more than 100 rulings."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A call that is well formed, and where its result goes.

    Attributes:
        path: Where the call stands in the batch: `items[3].fire`.
        submission: Of an order; None for other calls.
        result: To be filled.
    """

    session_id: str
    path: str
    name: str
    request: Any
    submission: Submission | None
    result: pb.BatchPlayResult


class BatchCalls(SessionCalls, SealCalls):
    """The call that makes many."""

    def BatchPlay(  # noqa: N802  # named as in the proto
        self, request: pb.BatchPlayRequest, caller: Caller
    ) -> pb.BatchPlayResponse:
        """Play many sessions."""
        if not 1 <= len(request.items) <= MAX_ITEMS:
            raise Malformed(
                f"{len(request.items)} calls; give 1 to {MAX_ITEMS}.",
                field="items",
                items=len(request.items),
            )
        _check_nearest(request)
        response = pb.BatchPlayResponse()
        by_session: dict[str, list[_Item]] = {}
        for at, asked in enumerate(request.items):
            result = response.results.add()
            try:
                item = _item(asked, f"items[{at}]", caller, result)
            except Refusal as refusal:
                _tell(result, refusal, caller)
            else:
                by_session.setdefault(item.session_id, []).append(item)
        run_together(self.shelf.store, [self._tried(each, caller) for each in by_session.values()])
        return response

    def _tried(self, items: list[_Item], caller: Caller) -> Steps[None]:
        """Make the calls about one session; a fault of ours must not cost others their answers."""
        try:
            yield from self._played(items, caller)
        except Exception:
            LOG.exception("a batch failed in a session", extra={"request_id": caller.request_id})
            left = (item for item in items if item.result.WhichOneof("answer") is None)
            _refuse(left, Internal(caller.request_id), caller)

    def _played(self, items: list[_Item], caller: Caller) -> Steps[None]:
        """Make the calls about one session."""
        session: Session | None = None
        for are_orders, group in groupby(items, key=lambda item: item.submission is not None):
            together = list(group)
            if are_orders:
                session = yield from self._ordered(together, caller)
                continue
            for item in together:
                try:
                    if item.name == "seal_order":
                        session = None  # it is another one then
                        self._sealed(item, caller)
                        continue
                    if session is None:
                        session = yield from _loaded(self.shelf, item.session_id)
                    self._looked(item, session, caller)
                except Refusal as refusal:
                    _refuse((item,), refusal, caller)

    def _ordered(self, items: list[_Item], caller: Caller) -> Steps[Session | None]:
        """Rule on orders in a row; returns the session after them, if it could be had."""
        submissions = [item.submission for item in items if item.submission is not None]
        try:
            done: Chained = yield from chained(self.shelf, self.clock, submissions)
        except Refusal as refusal:
            _refuse(items, refusal, caller)
            return None
        for item, came, stood in zip(items, done.results, done.stood):
            if isinstance(came, Refusal):
                _refuse((item,), _with_nearest(came, stood, item, caller), caller)
                continue
            seen = action_for(came.session, came.action, came.action.seat)
            written = write_action(came.session.record, seen)
            item.result.action.ParseFromString(written.SerializeToString())
            item.result.replayed = came.replayed
        return done.session

    def _sealed(self, item: _Item, caller: Caller) -> None:
        alone = replace(caller, notes=AnswerNotes())
        item.result.seal_order.CopyFrom(self.SealOrder(item.request, alone))
        item.result.replayed = alone.notes.replayed

    def _looked(self, item: _Item, session: Session, caller: Caller) -> None:
        if item.name == "get_session":
            item.result.session.CopyFrom(self.seen(session, item.request, caller))
        else:
            item.result.legal_orders.CopyFrom(self.legal_in(session, item.request, caller))


def _check_nearest(request: pb.BatchPlayRequest) -> None:
    """Refuse a batch with more searches in it than one call may cost; nothing is done then."""
    asking = []
    for at, asked in enumerate(request.items):
        name = asked.WhichOneof("call")
        call: Any = getattr(asked, name) if name else None
        if getattr(call, "nearest_count", 0):
            asking.append(f"items[{at}].{name}.nearest_count")
    if len(asking) > MAX_NEAREST_ITEMS:
        raise Malformed(
            f"{len(asking)} orders ask for legal ones instead, by nearest_count; "
            f"{MAX_NEAREST_ITEMS} of a batch may. Leave it out of the others.",
            field=asking[MAX_NEAREST_ITEMS],
            items=len(asking),
        )


def _item(asked: pb.BatchPlayItem, path: str, caller: Caller, result: pb.BatchPlayResult) -> _Item:
    """Read one call.

    Raises:
        Malformed: It is not well formed.
    """
    name = chosen(asked, "call", path)
    request: Any = getattr(asked, name)
    path = f"{path}.{name}"
    try:
        session_id = session_id_of(request.name)
        if getattr(request, "validate_only", False):
            raise Malformed(
                "A batch acts. Preview an order by its own call.", field="validate_only"
            )
        submission = None
        if name in tuple(Verb):
            submission = submission_of(Verb(name), request, caller)
        elif name == "list_legal_orders":
            check_question(request)
    except Refusal as refusal:
        raise as_written(refusal, request, path) from None
    return _Item(session_id, path, name, request, submission, result)


def _loaded(shelf: Shelf, session_id: str) -> Steps[Session]:
    with unavailable():
        loaded = yield Load(session_id, None)
    if loaded is None:
        raise no_session(session_id)
    return shelf.session_of(loaded)


def _with_nearest(came: Refusal, stood: Session, item: _Item, caller: Caller) -> Refusal:
    """A refusal with the orders that were asked for; others are written, and a fault is no news."""
    assert item.submission is not None, "only orders are told others"
    try:
        tell_nearest(came, stood, item.submission)
    except Exception:
        LOG.exception("legal orders cannot be listed", extra={"request_id": caller.request_id})
        return Internal(caller.request_id)
    return came


def _refuse(items: Iterable[_Item], refusal: Refusal, caller: Caller) -> None:
    """Write a refusal to each call that it is about, with the fields as they stand there."""
    for item in items:
        _tell(item.result, as_written(refusal, item.request, item.path), caller)


def _tell(result: pb.BatchPlayResult, refusal: Refusal, caller: Caller) -> None:
    """Write a refusal, as the caller may be told of it."""
    fault = told(refusal, caller)
    assert isinstance(fault, Refusal), "a refusal is told as one"
    result.problem.CopyFrom(problem_message(fault))
