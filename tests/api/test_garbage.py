"""What a call makes is freed as it ends: workers hardly ever let the garbage collector look."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from guncamera.rules.refusal import Refusal
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, FIRE, INSPECT, LAUNCH, SETUP, move, who
from watching import said, watched

TIMES = 20


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def refused(endpoints: Any, session: pb.Session) -> None:
    with pytest.raises(Refusal):
        endpoints.Fire(pb.FireRequest(name=session.name, order=FIRE), who())


def watch_a_little(endpoints: Any, session: pb.Session) -> None:
    what = watched(endpoints.shelf, session.name.removeprefix("sessions/"))
    stream = said(what, 1, heartbeat_seconds=5)
    assert next(stream).action.revision == 1
    stream.close()


CALLS: dict[str, Callable[[Any, pb.Session], object]] = {
    "create": lambda e, _: e.CreateSession(pb.CreateSessionRequest(setup=SETUP), who()),
    "look": lambda e, s: e.GetSession(pb.GetSessionRequest(name=s.name), who()),
    "act": lambda e, s: e.Damage(pb.DamageRequest(name=s.name, order=INSPECT), who()),
    "refusal": refused,
    "legal orders": lambda e, s: e.ListLegalOrders(
        pb.ListLegalOrdersRequest(name=s.name, page_size=5), who()
    ),
    "ledger": lambda e, s: e.ListActions(pb.ListActionsRequest(parent=s.name), who()),
    "film": lambda e, s: e.ExportSession(pb.ExportSessionRequest(name=s.name), who()),
    "picture": lambda e, s: e.DrawBoard(pb.DrawBoardRequest(name=s.name), who()),
    "watch": watch_a_little,
}


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("kind", CALLS)
def test_a_call_leaves_nothing_to_the_garbage_collector(endpoints: Any, kind: str) -> None:
    session = endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())
    move(endpoints, session, DEPLOY)
    move(endpoints, session, LAUNCH)
    for _ in range(2):  # what is remembered of the first call is no garbage
        CALLS[kind](endpoints, session)
    gc.collect()
    for _ in range(TIMES):
        CALLS[kind](endpoints, session)
    found = gc.collect()
    assert found < TIMES, f"{found} objects lie about after {TIMES} calls"
