"""The fast lane: one thread that polls grpcio's queue and answers the short calls itself.

On the standard lane every call changes threads several times, and the threads wait for each
other at the GIL: that costs more than a ruling. Here the thread that hears of a call also rules
on it, and takes the steps of all calls that wait with the store in one exchange. Everything else
(streams, polls, odds, films, health, reflection) goes on to grpcio's own code and its pools, and
so do short calls that may turn out to be long: a large request, one that asks for legal orders in
place of its own, or any while the store is slow.

Calls about one session are taken in the order of their arrival, one after another, so that they
do not make each other's revisions stale.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from guncamera.api.grpc_calls import GrpcCall, Trailers
from guncamera.api.grpc_private import code_number, core, python_side, state_of
from guncamera.api.in_steps import Answer, InSteps, Starter, after, without_steps
from guncamera.api.routes import SHORT
from guncamera.sessions.steps import advance, attempt
from guncamera.sessions.store import Results, Step, StepResult

LOG = logging.getLogger(__name__)

MOST_TOGETHER = 32
MOST_BYTES = 64 * 1024
SLOW_SECONDS = 0.25
SLOW_FOR_SECONDS = 5.0
POLL_SECONDS = 1.0  # as grpcio, which looks this often whether its server is still wanted

_NO_FLAGS = 0
_NOTHING_ENDED: tuple[None, tuple[()]] = (None, ())


class Lane:
    """Answers the short calls of a server, in place of the thread that grpcio would start.

    Args:
        server: With every handler and port added, not yet started.
        calls: The calls of the API; only the short ones are taken.
        in_steps: Calls that can be taken step by step; None if there are none.
        pool: Where calls go that turn out to be long.
    """

    def __init__(
        self,
        server: grpc.Server,
        calls: Sequence[GrpcCall],
        in_steps: InSteps | None,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._state = state_of(server)
        self._pool = pool
        self._in_steps = in_steps
        starters: Mapping[str, Starter] = in_steps.calls if in_steps else {}
        self._short = {
            f"/{call.rpc.service}/{call.rpc.name}".encode(): (
                call,
                starters.get(call.rpc.name) or without_steps(call.method),
            )
            for call in calls
            if call.rpc.name in SHORT
        }
        self._arrived: deque[LaneCall] = deque()
        # By session, the calls that are under way or wait for their turn; the first is at it.
        self._turns: dict[str, deque[LaneCall]] = {}
        self._ready: list[LaneCall] = []  # to be sent to the store
        self._flights: deque[tuple[Results, list[LaneCall]]] = deque()
        self._answered: list[LaneCall] = []
        self._slow_until = 0.0

    def start(self) -> None:
        """Begin to answer."""
        state = self._state
        with state.lock:
            state.server.start()
            state.stage = python_side._ServerStage.STARTED
            for method in state.registered_method_handlers:  # health and reflection
                python_side._request_registered_call(state, method)
            python_side._request_call(state)
        threading.Thread(target=self._serve, name="grpc-lane", daemon=True).start()

    def arrived(self, call: LaneCall) -> None:
        """Take in a call whose request is there."""
        if len(call.data) > MOST_BYTES or time.monotonic() < self._slow_until:
            self._pool.submit(call.answer_alone, self._in_steps)
        else:
            self._arrived.append(call)

    def _serve(self) -> None:
        while self._listen():
            while self._arrived:
                self._begin(self._arrived.popleft())
            self._send_steps()
            if self._flights:
                self._receive()
            # Sending wakes others up, who want the core: so all answers at once, at the end.
            for call in self._answered:
                call.send_answer()
            self._answered.clear()

    def _begin(self, call: LaneCall) -> None:
        call.begin()
        if call.is_long:
            self._pool.submit(call.finish_alone, self._in_steps)
            return
        if call.step is None:
            self._answered.append(call)
            return
        call.session_id = call.step.session_id
        turn = self._turns.setdefault(call.session_id, deque())
        turn.append(call)
        if turn[0] is call:
            self._ready.append(call)

    def _send_steps(self) -> None:
        """Send what waits for the store, so that there is something to do until it answers."""
        ready = self._ready
        if not ready:
            return
        # Two parts to begin with: while one is with the store, the other is ruled on.
        half = len(ready) if self._flights else (len(ready) + 1) // 2
        for part in (ready[:half], ready[half:]):
            if part:
                self._flights.append((sent(self._in_steps, part), part))
        self._ready = []

    def _receive(self) -> None:
        """Hear what came of the oldest sending, and go on with its calls."""
        receive, calls = self._flights.popleft()
        started = time.monotonic()
        results = received(receive, len(calls))
        ended = time.monotonic()
        if ended - started > SLOW_SECONDS:
            self._slow_until = ended + SLOW_FOR_SECONDS
        for call, result in zip(calls, results):
            call.go_on(result)
            if call.step is not None:
                self._ready.append(call)
                continue
            self._answered.append(call)
            turn = self._turns[call.session_id]
            turn.popleft()
            if turn:
                self._ready.append(turn[0])
            else:
                del self._turns[call.session_id]

    def _listen(self) -> bool:
        """Hear what has happened; wait for something if there is nothing else to do."""
        state = self._state
        poll, nothing = state.completion_queue.poll, core.CompletionType.queue_timeout
        event = poll(0 if self._ready or self._flights else time.time() + POLL_SECONDS)
        if state.server_deallocated:
            python_side._begin_shutdown_once(state)
        while event.completion_type != nothing:
            if not self._heed(event):
                return False
            if len(self._arrived) >= MOST_TOGETHER:
                break
            event = None  # an event keeps its call alive, and so does this name
            event = poll(0)
        return True

    def _heed(self, event: Any) -> bool:
        """Deal with one event; False when the server has stopped."""
        state = self._state
        if event.tag is python_side._REQUEST_CALL_TAG and event.success:
            short = self._short.get(event.call_details.method)
            if short is not None:
                with state.lock:
                    state.due.remove(event.tag)
                    state.rpc_states.add(LaneCall(self, event, *short))
                    if state.stage is python_side._ServerStage.STARTED:
                        python_side._request_call(state)
                return True
        return bool(python_side._process_event_and_continue(state, event))


def sent(in_steps: InSteps | None, calls: Sequence[LaneCall]) -> Results:
    """Send the next steps of calls. A fault of ours becomes every one's result."""
    assert in_steps is not None, "no call has steps"
    try:
        return in_steps.send([call.step for call in calls if call.step is not None])
    except Exception as fault:
        results: list[Any] = [fault] * len(calls)
        return lambda: results


def received(receive: Results, count: int) -> Sequence[Any]:
    """Wait for results. The thread has to go on, whatever happens."""
    try:
        return receive()
    except Exception as fault:
        return [fault] * count


_Answer = tuple[Any, str, Trailers | None, bytes | None]  # code, details, trailers, message


class LaneCall:
    """One call on the lane. grpcio knows it by the two things that have yet to happen to it.

    Attributes:
        data: The request.
        step: What it needs of the store next; None before its beginning and after its end.
        session_id: Which session its steps are about; empty until it has one.
        is_long: Its steps may take long, and none has been begun.
    """

    __slots__ = (
        "_answer", "_call", "_caller", "_event", "_lane", "_record", "_start", "_steps", "data",
        "is_long", "session_id", "step",
    )  # fmt: skip

    def __init__(self, lane: Lane, event: Any, call: GrpcCall, start: Starter) -> None:
        self.data, self.session_id = b"", ""
        self._answer: _Answer
        self.step: Step | None = None
        self.is_long = False
        self._lane, self._event, self._call, self._start = lane, event, call, start
        event.call.start_server_batch((core.ReceiveMessageOperation(_NO_FLAGS),), self._on_message)

    def begin(self) -> None:
        """Read the request and go on to the first step, or to the answer, unless it is long."""
        self._caller, self._record = self._call.begin(self._event.invocation_metadata)
        try:
            self._caller = self._call.config.access.judge(self._call.rpc.name, self._caller)
            request, look = self._call.read(self.data, self._caller)
            self._steps = self._start(request, self._caller)
            if look is not None:
                self._steps = after(look, self._steps)
            if self._caller.is_unseen:
                self._steps = after(self._call.config.access.see(self._caller), self._steps)
        except Exception as fault:
            self._refuse(fault)
        else:
            self.is_long = self._call.rpc.may_take_long(request)
            if not self.is_long:
                self.go_on(None)

    def go_on(self, result: StepResult | Exception) -> None:
        """Go on to the next step, or to the answer."""
        self.step = None
        try:
            try:
                self.step = advance(self._steps, result)
            except StopIteration as done:
                answer: Answer = done.value
                data = answer.SerializeToString()
                trailers = self._call.answered(answer, self._caller, self._record)
                self._answer = (core.StatusCode.ok, "", trailers, data)
        except Exception as fault:
            self._refuse(fault)

    def _refuse(self, fault: Exception) -> None:
        try:
            status = self._call.refused(fault, self._caller, self._record)
            code = code_number(status.code)
            self._answer = (code, status.details, status.trailing_metadata, None)
        except Exception:  # the thread has to go on, and the call to end
            LOG.exception("a refusal could not be told")
            self._answer = (core.StatusCode.internal, "", None, None)

    def answer_alone(self, in_steps: InSteps | None) -> None:
        """Begin, go on to the answer and send it; for other threads than the lane's."""
        self.begin()
        self.finish_alone(in_steps)

    def finish_alone(self, in_steps: InSteps | None) -> None:
        """Go on from the beginning to the answer and send it; likewise."""
        if self.is_long:
            self.go_on(None)
        while self.step is not None:
            assert in_steps is not None, "no call has steps"
            self.go_on(attempt(in_steps.exchange, self.step))
        self.send_answer()

    def send_answer(self) -> None:
        """Send the answer, or the status of a refusal."""
        code, details, trailers, data = self._answer
        operations = [
            core.SendInitialMetadataOperation(None, _NO_FLAGS),
            core.SendStatusFromServerOperation(trailers, code, details.encode(), _NO_FLAGS),
            # That a caller has gone away is only learnt at the end: nothing here takes so long
            # that it would have to be broken off.
            core.ReceiveCloseOnServerOperation(_NO_FLAGS),
        ]
        if data is not None:
            operations.append(core.SendMessageOperation(data, _NO_FLAGS))
        self._event.call.start_server_batch(operations, self._on_sent)

    # What grpcio calls when something has happened. It returns the call when nothing is left.

    def _on_message(self, event: Any) -> tuple[None, tuple[()]]:
        data = event.batch_operations[0].message()
        if data is None:  # the caller has gone away, or has closed without a request
            method = self._event.call_details.method.decode()
            text = f'"{method}" requires exactly one request message.'
            self._call.unread(self._event.invocation_metadata, "CANCELLED")
            self._answer = (core.StatusCode.unimplemented, text, None, None)
            self.send_answer()
        elif time.time() > self._event.call_details.deadline:
            text = "The deadline had passed before the request was looked at."
            self._call.unread(self._event.invocation_metadata, "DEADLINE_EXCEEDED")
            self._answer = (core.StatusCode.deadline_exceeded, text, None, None)
            self.send_answer()
        else:
            self.data = data
            self._lane.arrived(self)
        return _NOTHING_ENDED

    def _on_sent(self, _event: Any) -> tuple[LaneCall, tuple[()]]:
        return self, ()
