"""Waiting until replicas have what was written, so that a failover loses nothing acknowledged.

`WAIT` goes right behind a write, over the same connection: the server then counts the replicas that
have all that came over this connection so far. It costs no exchange of its own, and of many writes
that are sent together one `WAIT` behind the last is enough.
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.sessions.redis_lines import REPLY_TIMEOUT_SECONDS, Command, Reply
from guncamera.sessions.store import StoreUnavailable

MOST_MILLIS = 800
"""The longest wait: a server that only waits must not look like one that does not answer."""
assert MOST_MILLIS < REPLY_TIMEOUT_SECONDS * 1000


@dataclass(frozen=True, slots=True)
class Replicas:
    """How many replicas must have a write before it is acknowledged.

    Attributes:
        count: 0 waits for none.
        millis: How long they may take; 1 to `MOST_MILLIS`.
    """

    count: int = 0
    millis: int = 500

    @property
    def behind(self) -> tuple[Command, ...]:
        """What is sent behind a write."""
        return (("WAIT", self.count, self.millis),) if self.count else ()

    def check(self, reply: Reply) -> None:
        """See whether enough replicas had it in time.

        Args:
            reply: To what was sent behind the write.

        Raises:
            StoreUnavailable: They had not; whether the write outlives a failover is not known.
        """
        if reply < self.count:
            raise StoreUnavailable(
                f"{reply} of {self.count} replicas have it so far, and it may be lost with the "
                "primary",
                retry_after_seconds=1,
            )


NONE = Replicas()
"""Nothing is waited for: a write is acknowledged as soon as the primary has it."""
