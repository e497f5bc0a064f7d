"""Many questions to one server at once, and the next ones before the first are answered."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

import hiredis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, RedisError

from guncamera.sessions.redis_lines import (
    RETRY_WINDOW_SECONDS,
    Command,
    Reply,
    SingleTransport,
    Transport,
    is_read_only,
    is_stale,
    leave_waiting_to_the_kernel,
    packed,
)
from guncamera.sessions.redis_replicas import Replicas
from guncamera.sessions.store import StoreError

RECEIVE_BYTES = 64 * 1024


class Question(NamedTuple):
    """Commands about one key, to be sent along with others; see `Transport.ask`."""

    key: str
    commands: Sequence[Command]
    is_repeatable: bool


Answer: TypeAlias = list[Reply] | Exception
Receive: TypeAlias = Callable[[], list[Answer]]


def ask_alone(transport: Transport, question: Question) -> Answer:
    """Ask one question; returns what it raises."""
    key, commands, is_repeatable = question
    try:
        return transport.ask(key, *commands, is_repeatable=is_repeatable)
    except (RedisError, StoreError) as error:
        return error


def confirmed(answer: Answer, replicas: Replicas, reply: Reply) -> Answer:
    """The answer to a write, or why it counts for nothing.

    Args:
        reply: To what was sent behind it.
    """
    if isinstance(answer, Exception):
        return answer
    if isinstance(reply, Exception):
        return reply
    try:
        replicas.check(reply)
    except StoreError as error:
        return error
    return answer


class _Flight:
    """Questions that are under way, and what goes behind them."""

    __slots__ = ("behind", "error", "questions", "sent_at")

    def __init__(self, questions: Sequence[Question], behind: Sequence[Command]) -> None:
        self.questions = questions
        self.behind = behind
        self.sent_at = time.monotonic()
        self.error: Exception | None = None


class Pipeline:
    """A connection of one thread, on which several sendings may be under way.

    When it breaks, what may be repeated is asked again alone. What may not is given up: of many
    commands, some may have been run.
    """

    def __init__(self, transport: SingleTransport, replicas: Replicas) -> None:
        self._transport = transport
        self._replicas = replicas
        self._flights: deque[_Flight] = deque()
        self._wire: Any = None
        self._sock: Any = None
        self._reader: Any = None
        self._buffer = bytearray(RECEIVE_BYTES)
        self._pid = 0
        transport.adopt(self)

    def close(self) -> None:
        """Drop the connection; what is under way fails."""
        self._give_up(RedisConnectionError("the store was closed"))

    def send(self, questions: Sequence[Question]) -> Receive:
        """Send questions; what is returned waits for their answers, in the order of sending."""
        is_written = any(not one.is_repeatable for one in questions)
        flight = _Flight(questions, self._replicas.behind if is_written else ())
        commands = chain.from_iterable(one.commands for one in questions)
        message = packed(chain(commands, flight.behind))
        try:
            if not self._flights:
                self._make_ready()
            self._sock.sendall(message)
        except (OSError, RedisError, StoreError) as error:
            flight.error = error
            self._give_up(error)
        else:
            self._flights.append(flight)
        return lambda: self._receive(flight)

    def _receive(self, flight: _Flight) -> list[Answer]:
        if flight.error is None:
            if self._flights[0] is not flight:
                raise AssertionError("answers are waited for in the order of their questions")
            try:
                return self._read(flight)
            except (OSError, RedisError) as error:
                self._give_up(error)
        broken = flight.error
        if not isinstance(broken, RedisError | StoreError):
            broken = RedisConnectionError(f"the connection broke: {type(broken).__name__}")
        is_late = time.monotonic() - flight.sent_at > RETRY_WINDOW_SECONDS
        return [
            ask_alone(self._transport, one) if one.is_repeatable and not is_late else broken
            for one in flight.questions
        ]

    def _read(self, flight: _Flight) -> list[Answer]:
        wanted = sum(len(question.commands) for question in flight.questions) + len(flight.behind)
        replies: list[Reply] = []
        has_failed = False
        while len(replies) < wanted:
            reply = self._reader.gets()
            if reply is _NOT_YET:
                self._take_in()
                continue
            has_failed = has_failed or isinstance(reply, RedisError)
            replies.append(reply)
        self._flights.popleft()
        if has_failed and any(is_read_only(reply) for reply in replies):
            # A replica that was a primary is left, so that the next call finds the new one.
            self._give_up(RedisConnectionError("the server is no primary any more"))
        found = iter(replies)
        answers: list[Answer] = [list(islice(found, len(one.commands))) for one in flight.questions]
        if has_failed:
            answers = [_answer(answer) for answer in answers]
        return self._confirmed(flight, answers, next(found)) if flight.behind else answers

    def _confirmed(self, flight: _Flight, answers: Sequence[Answer], reply: Reply) -> list[Answer]:
        """The answers, those to writes only if enough replicas have all of this sending."""
        return [
            answer if one.is_repeatable else confirmed(answer, self._replicas, reply)
            for one, answer in zip(flight.questions, answers)
        ]

    def _take_in(self) -> None:
        size = self._sock.recv_into(self._buffer)
        if not size:
            raise RedisConnectionError("the server closed the connection")
        self._reader.feed(self._buffer, 0, size)

    def _make_ready(self) -> None:
        """Connect, unless there is a connection that lives; a dead one is dropped."""
        if self._pid != os.getpid():
            self._wire = None  # the parent still uses it
        if self._wire is not None:
            if not is_stale(self._wire):
                return
            self._wire.disconnect()
        wire: Any = self._transport.open_wire()
        self._wire = wire
        wire.connect()
        leave_waiting_to_the_kernel(wire)
        self._pid = os.getpid()
        # What redis-py does around each reply costs more than the reply.
        self._sock = wire._sock
        self._reader = hiredis.Reader(
            protocolError=InvalidResponse,
            replyError=wire._parser.parse_error,
            notEnoughData=_NOT_YET,
        )

    def _give_up(self, error: Exception) -> None:
        for flight in self._flights:
            flight.error = error
        self._flights.clear()
        if self._wire is not None:
            self._wire.disconnect()
            self._wire = None


_NOT_YET = object()


def _answer(replies: Any) -> Answer:
    """The first error among the replies to a question, or the replies."""
    answer: Answer = next((reply for reply in replies if isinstance(reply, RedisError)), replies)
    return answer
