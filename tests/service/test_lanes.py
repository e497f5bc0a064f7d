"""A whole service on either lane: one session, played by many at once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from conftest import Service, start_service, stop_service
from guncamera.v1 import actions_pb2
from guncamera.v1 import ruleset_kettering_pb2 as ket
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.session_service_pb2_grpc import SessionServiceStub
from living import below

CALLERS, EACH = 8, 10
INSPECT = actions_pb2.DamageOrder(
    kettering=ket.KetteringDamageOrder(inspect=ket.KetteringInspect())
)


@pytest.fixture(scope="module", params=["fast", "standard"])
def lane(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Service]]:
    service = start_service(tmp_path_factory.mktemp("lane"), "--grpc-lane", request.param)
    yield request.param, service
    stop_service(service)


def test_every_action_that_was_answered_is_in_the_ledger_once(lane: tuple[str, Service]) -> None:
    which, service = lane
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(service.grpc) as channel:
        sessions = SessionServiceStub(channel)
        setup = actions_pb2.SessionSetup(kettering=ket.KetteringSetup(aircraft_type="fokker-d7"))
        name = sessions.CreateSession(pb.CreateSessionRequest(setup=setup)).name

        def play(caller: int) -> list[int]:
            answered = []
            with grpc.insecure_channel(service.grpc, options) as own:
                stub = SessionServiceStub(own)
                for turn in range(EACH):
                    request = pb.DamageRequest(
                        name=name, order=INSPECT, request_id=f"caller-{caller}-{turn}"
                    )
                    try:
                        first = stub.Damage(request, timeout=10)
                    except grpc.RpcError as error:
                        # Without turns, an order can lose against others too often.
                        if error.code() is not grpc.StatusCode.ABORTED:
                            raise
                        continue
                    assert stub.Damage(request, timeout=10) == first, "a retry finds its action"
                    answered.append(first.revision)
            return answered

        with ThreadPoolExecutor(CALLERS) as pool:
            found = sorted(n for each in pool.map(play, range(CALLERS)) for n in each)
        assert found == list(range(1, len(found) + 1))
        assert sessions.GetSession(pb.GetSessionRequest(name=name)).revision == len(found)
    if which == "fast":
        assert len(found) == CALLERS * EACH, "in turn, no order loses"


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="the system has no such policy")
def test_only_what_reads_sockets_for_the_lane_waits_for_it(lane: tuple[str, Service]) -> None:
    which, service = lane
    policies: dict[str, set[int]] = {}
    for worker in below(service.process.pid, "grpc_worker"):
        for thread in Path(f"/proc/{worker}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                name = (thread / "comm").read_text().strip()
                policies.setdefault(name, set()).add(os.sched_getscheduler(int(thread.name)))
    grpcs_own = policies["event_engine"]
    assert grpcs_own == {os.SCHED_BATCH if which == "fast" else os.SCHED_OTHER}
    ours = next(found for name, found in policies.items() if name.startswith("python"))
    assert ours == {os.SCHED_OTHER}
