"""Waiting for news of one session: a subscription on a connection of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from guncamera.sessions.redis_errors import store_error
from guncamera.sessions.redis_lines import Wire

# How long a ping may stay unanswered before the connection counts as dead.
PATIENCE_SECONDS = 5.0


class RedisWatch:
    """A `Watch` by publish and subscribe."""

    def __init__(self, open_wire: Callable[[], Wire], channel: str) -> None:
        self._open_wire = open_wire
        self._channel = channel
        self._wire: Wire | None = None
        self._pinged_at: float | None = None

    def __enter__(self) -> RedisWatch:
        try:
            self._subscribe()
        except RedisError as error:
            raise store_error(error) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._hang_up()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait for news; True also when the connection was lost and news may have been missed."""
        try:
            if self._wire is None:
                self._subscribe()
                return True
            return self._listen(self._wire, timeout_seconds)
        except RedisConnectionError:
            self._hang_up()
        except RedisError as error:
            self._hang_up()
            raise store_error(error) from error
        # Somebody may have been heard by nobody: say so, but only once we listen again.
        try:
            self._subscribe()
        except RedisError as error:
            raise store_error(error) from error
        return True

    def _subscribe(self) -> None:
        wire = self._open_wire()
        try:
            wire.connect()
            wire.send_packed_command(wire.pack_commands([("SUBSCRIBE", self._channel)]))
            wire.read_response()  # the confirmation: what is published from here on is heard
        except BaseException:
            wire.disconnect()
            raise
        self._wire = wire
        self._pinged_at = None

    def _listen(self, wire: Wire, timeout_seconds: float) -> bool:
        deadline = time.monotonic() + max(0.0, timeout_seconds)
        while wire.can_read(max(0.0, deadline - time.monotonic())):
            if self._is_news(wire):
                while wire.can_read(0):  # several appends are one piece of news
                    self._is_news(wire)
                return True
        self._ping(wire)
        return False

    def _is_news(self, wire: Wire) -> bool:
        message = wire.read_response()
        self._pinged_at = None
        return bool(message[0] == b"message")

    def _ping(self, wire: Wire) -> None:
        """Prove that silence is silence, and not a connection that died without a word."""
        if self._pinged_at is None:
            wire.send_packed_command(wire.pack_commands([("PING",)]))
            self._pinged_at = time.monotonic()
        elif time.monotonic() - self._pinged_at > PATIENCE_SECONDS:
            raise RedisConnectionError("the subscription went silent")

    def _hang_up(self) -> None:
        if self._wire is not None:
            self._wire.disconnect()
            self._wire = None
