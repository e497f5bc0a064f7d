"""The part of a session store by which calls are safe to repeat, and offers of an undo are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from guncamera.sessions.store import Conflict, Missing, Repeated, RequestKey, Sealed

DELETIONS_KEPT_SECONDS = 24 * 3600
"""How long the request id of a deletion is known after the session is gone."""

CREATIONS_KEPT_SECONDS = 24 * 3600
"""How long the request id of a creation is known, if the session does not live longer by itself."""

KEEP_EVERY = 100
"""How many actions there are from one state that is kept for good to the next."""


def is_kept(before: int, revision: int) -> bool:
    """Whether the state at a revision is kept for good.

    It is where a multiple of `KEEP_EVERY` is gone past. So going back along what is in force one
    comes to a kept state before so many actions, whatever has been taken back.

    Args:
        before: The revision whose state the one at `revision` was made from; for an undo it is the
            one gone back to.
    """
    return revision // KEEP_EVERY > before // KEEP_EVERY


def creation_kept_seconds(ttl_seconds: int) -> int:
    """How long the request id is known that creates a session of such a life, from then on."""
    return max(ttl_seconds, CREATIONS_KEPT_SECONDS)


class RequestStore(Protocol):
    """Knows request ids again, also those that are about no session yet, or none any more."""

    def begin_request(self, request: RequestKey, *, ttl_seconds: int) -> str:
        """Keep what a request id of the whole service is for, unless it is kept already.

        Returns:
            The fingerprint that is kept: its own, unless the id was used for something else.
        """
        ...

    def deletion(self, session_id: str, request_id: str) -> str | None:
        """The fingerprint of the request that deleted a session of this name, within a day."""
        ...

    def claim(
        self, session_id: str, seat: str, token_hash: str, *, request: RequestKey | None = None
    ) -> bool | Repeated | None:
        """Give a free seat to a token. True if it holds the seat now, also when it did before.

        Returns:
            False when another token holds it; None when there is no such session.
        """
        ...

    def release(
        self, session_id: str, seat: str, token_hash: str, *, request: RequestKey | None = None
    ) -> bool | Repeated | None:
        """Take a seat back from the token that holds it, and drop what the seat has sealed.

        Args:
            token_hash: empty where nobody holds it; the request is then kept all the same.

        Returns:
            False when that token does not hold it; None when there is no such session.
        """
        ...

    def delete(self, session_id: str, *, request: RequestKey | None = None) -> bool | Repeated:
        """Remove a session and its ledger; False if there was none."""
        ...

    def offer(
        self,
        session_id: str,
        *,
        expected_revision: int,
        expected_serial: int,
        seat: str,
        to_revision: int,
        request: RequestKey | None,
        answer: bytes,
    ) -> Sealed | Conflict | Repeated | Missing:
        """Keep a seat's offer of an undo, in place of one that it made before; checked like a seal.

        Args:
            answer: what a repeated request is answered with; not empty.
        """
        ...
