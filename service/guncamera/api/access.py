"""Who may make which call: one check before every call, for REST and both lanes of gRPC.

While no key was ever made, a service that may stand open lets everyone in. Else a caller shows a
key, or the token of a seat. Keys are judged here, from memory. Whether a token is a seat's is found
out where the session is read anyway; only for calls without a session it is looked up here.

Whatever is wrong with what a caller shows (unknown, wrong, revoked, expired, of another session, or
nothing at all) the answer is the same. To a seat's token a session that is not there looks like one
of others.
"""

from __future__ import annotations

import hmac
from dataclasses import replace
from functools import partial

from guncamera.api.caller import Caller, Standing
from guncamera.api.needs import NEEDS, Need
from guncamera.api.refusals import CallerUnknown, ScopeMissing
from guncamera.sessions import entropy
from guncamera.sessions.key_ring import KeyRing
from guncamera.sessions.refusals import SeatUnknown, SessionNotFound, Unavailable
from guncamera.sessions.session import SESSION_ID
from guncamera.sessions.shelf import unavailable
from guncamera.sessions.steps import Steps, run
from guncamera.sessions.store import Load, SessionStore


class Access:
    """The check of a service that has keys, or may have some.

    Args:
        may_be_open: Let everyone in while there was never a key.
    """

    def __init__(self, ring: KeyRing, store: SessionStore, *, may_be_open: bool) -> None:
        self._ring = ring
        self._store = store
        self._may_be_open = may_be_open

    def admit(self, name: str, caller: Caller) -> Caller:
        """Let a caller in, who has been looked at in full; see `judge`."""
        caller = self.judge(name, caller)
        if caller.is_unseen:
            run(self._store, self.see(caller))
        return caller

    def judge(self, name: str, caller: Caller) -> Caller:
        """Let a caller in, from memory alone; who `is_unseen` then has to be looked at by `see`.

        Args:
            name: The call's.

        Returns:
            The caller, with its standing where the service asks for one.

        Raises:
            CallerUnknown: It shows nothing that would do, or nothing that holds.
            ScopeMissing: Its key does not go far enough.
            Unavailable: What keys there are is not known now.
        """
        ring = self._ring
        if self._may_be_open and ring.is_empty:
            return caller
        need = NEEDS[name]
        if self._may_be_open and not need.in_session and not ring.had_keys:
            return caller  # the store does not answer, and this call does not ask it
        key = ring.holder(caller.token or "")  # in any case, so that it always takes as long
        if entropy.is_seat_token(caller.token):
            if not need.by_seat:
                raise caller_unknown(need)
            return replace(caller, standing=Standing(need))
        if not (ring.is_fresh if need.in_session else ring.is_known):
            raise Unavailable("Keys cannot be looked up now, for the store cannot be reached.")
        if key is None:
            raise caller_unknown(need)
        caller.notes.key_id = key.id
        if key.scope < need.scope:
            raise ScopeMissing(
                f"This call needs {need}. The key sent has `{key.scope.name.lower()}`.",
                scope=need.scope.name.lower(),
            )
        check = partial(self._check_alive, key.id, need)
        return replace(caller, token=None, standing=Standing(need, key.scope, key.id, check))

    def see(self, caller: Caller) -> Steps[None]:
        """Look up whether a seat's token, sent to a call without a session, holds its seat.

        Raises:
            CallerUnknown: It does not.
            Unavailable: The store does not answer.
        """
        token, standing = caller.token, caller.standing
        assert token is not None and standing is not None, "who is unseen has both"  # noqa: PT018
        session_id = entropy.session_of_token(token)
        if not SESSION_ID.fullmatch(session_id):
            raise caller_unknown(standing.need)
        with unavailable():
            loaded = yield Load(session_id, None)
        hashed = entropy.token_hash(token)
        claims = () if loaded is None else loaded.claims.values()
        held = [hmac.compare_digest(claim, hashed) for claim in claims]  # each, for even timing
        if not any(held):
            raise caller_unknown(standing.need)

    def _check_alive(self, key_id: str, need: Need) -> None:
        if not self._ring.is_alive(key_id):
            raise caller_unknown(need)


class OpenAccess:
    """The check of a service that never asks."""

    def judge(self, _name: str, caller: Caller) -> Caller:
        """Let a caller in."""
        return caller

    admit = judge

    def see(self, _caller: Caller) -> Steps[None]:
        """Nothing to look at."""
        yield from ()


OPEN = OpenAccess()


def caller_unknown(need: Need) -> CallerUnknown:
    """The refusal for whoever is not known: it says what the call needs, and nothing else."""
    return CallerUnknown(
        f"This call needs {need}, sent as `Authorization: Bearer …`. None was sent, or what was "
        "sent is not known here, or has expired, or was revoked.",
        scope=need.scope.name.lower(),
    )


def told(fault: Exception, caller: Caller) -> Exception:
    """What a caller is told of a fault: who shows only a token learns of no session but its own."""
    standing = caller.standing
    if (
        standing is not None
        and standing.scope is None
        and isinstance(fault, SessionNotFound | SeatUnknown)
    ):
        return caller_unknown(standing.need)
    return fault
