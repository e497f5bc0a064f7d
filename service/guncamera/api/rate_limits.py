"""How much a caller may ask: the limits, what each call uses of them, and what is never refused.

A call is counted in memory before it is made (`guncamera.sessions.tallies`). Only when a limit is
used up, and the caller shows a seat's token, the session is looked at: a seat whose turn it is goes
on with its game, and a token that holds no seat is left to the call's own check, so that nobody
learns of a session by its limit.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from limits import RateLimitItem, RateLimitItemPerSecond, parse_many

from guncamera.api.caller import Caller, Standing
from guncamera.api.refusals import CallerUnknown, RateLimited
from guncamera.rules.ruleset import Verb
from guncamera.rules.variant import NO_VARIANTS
from guncamera.sessions import entropy
from guncamera.sessions.rate_windows import NAMESPACE
from guncamera.sessions.refusals import SeatUnknown, SessionNotFound
from guncamera.sessions.session import SESSION_ID
from guncamera.sessions.shelf import session_of, unavailable
from guncamera.sessions.steps import Steps, run
from guncamera.sessions.store import Load, SessionStore
from guncamera.sessions.tallies import Tallies, Usage, Use

KEY, SESSION, CREATES, FLOOD = "key", "session", "creates", "flood"
OPEN = "open"
"""Who everyone is that a service lets in without asking."""

GAME = frozenset(
    {verb.value.title() for verb in Verb}
    | {"SealOrder", "RevealOrders", "Undo", "ListLegalOrders", "GetSession"}
)
"""The calls that a seat needs to play on when it is its turn."""

CREATING = frozenset({"CreateSession", "ImportSession"})
HEAVY = frozenset({"ComputeOdds", "BatchResolve", "BatchPlay", "ExportSession", "ImportSession"})
HEAVY_COST = 20
UNCOUNTED = frozenset({"GetQuota"})
MOST_WHOSE_TURN_IT_IS = 1000
"""Calls a second about one session that seats make beyond its limit, because it is their turn."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One limit.

    Attributes:
        name: `key`, `session` or `creates`.
        item: So many in such a window.
        counts_open: Callers of a service that asks nobody are counted as well.
    """

    name: str
    item: RateLimitItem
    counts_open: bool


def policy_from(name: str, notation: str, *, counts_open: bool) -> Policy:
    """A limit from the library's notation: `600/minute`, `5 per 10 seconds`.

    Raises:
        ValueError: It is no single limit of at least one.
    """
    items = parse_many(notation)
    if len(items) != 1 or items[0].amount < 1:
        raise ValueError(f"{notation!r} is not one limit of at least one")
    (item,) = items
    named = type(item)(item.amount, item.multiples, f"{NAMESPACE}/{name}")
    return Policy(name, named, counts_open)


class RateLimits:
    """Counts calls against the limits there are.

    Args:
        policies: The limits by their names; what is not here is not limited.
        store: Where sessions are looked at.
    """

    def __init__(
        self, policies: Mapping[str, Policy], tallies: Tallies, store: SessionStore
    ) -> None:
        self._policies = policies
        self._tallies = tallies
        self._store = store
        self._counts_open = any(policy.counts_open for policy in policies.values())
        self._flood = RateLimitItemPerSecond(MOST_WHOSE_TURN_IT_IS, 1, f"{NAMESPACE}/{FLOOD}")

    def admit(self, name: str, caller: Caller, session_id: str) -> None:
        """Count a call, and look at its session if that is needed; see `judge`."""
        look = self.judge(name, caller, session_id)
        if look is not None:
            self.look(look)

    def look(self, look: Steps[None]) -> None:
        """Take the look that `judge` returned, one step at a time."""
        run(self._store, look)

    def judge(self, name: str, caller: Caller, session_id: str) -> Steps[None] | None:
        """Count a call, from memory alone.

        Args:
            name: The call's.
            session_id: Of the session that it is about; empty for none.

        Returns:
            None if it may be made; else a look at the session, which says so or refuses.

        Raises:
            RateLimited: It may not.
        """
        uses = self.uses(name, caller, session_id)
        spent = self._tallies.take(uses) if uses else None
        if spent is None:
            caller.notes.uses = uses
            return None
        if entropy.is_seat_token(caller.token):
            return self._look(name, caller.token or "", session_id, spent)
        raise self._refusal(spent)

    def uses(self, name: str, caller: Caller, session_id: str) -> tuple[Use, ...]:
        """What a call uses of which limits."""
        standing = caller.standing
        if (standing is None and not self._counts_open) or name in UNCOUNTED:
            return ()
        cost = HEAVY_COST if name in HEAVY else 1
        session_id = session_id or _session_of_token(caller.token)
        found = []
        if SESSION_ID.fullmatch(session_id):
            found.append(self._use(SESSION, f"sessions/{session_id}", cost, standing))
        if standing is None or standing.scope is not None:
            whose = OPEN if standing is None else f"key/{standing.key_id}"
            found.append(self._use(KEY, whose, cost, standing))
            if name in CREATING:
                found.append(self._use(CREATES, whose, 1, standing))
        return tuple([use for use in found if use is not None])

    def quota(self, caller: Caller, session_id: str) -> list[tuple[Use, Usage]]:
        """Every limit that holds for a caller, and how it stands."""
        uses = self.uses("CreateSession", caller, session_id)
        return [(use, self._tallies.fresh_usage(use)) for use in uses]

    def standing(self, uses: Sequence[Use]) -> list[tuple[Use, Usage]]:
        """The same of the limits that a call was counted against, from memory."""
        return [(use, self._tallies.usage(use)) for use in uses]

    def give_back(self, caller: Caller, fault: Exception) -> None:
        """Take back what a call used of a session's limit that turned out not to be its own."""
        if isinstance(fault, CallerUnknown | SeatUnknown | SessionNotFound):
            for use in caller.notes.uses:
                if use.policy == SESSION:
                    self._tallies.give_back(use)

    def _use(self, name: str, whose: str, cost: int, standing: Standing | None) -> Use | None:
        policy = self._policies.get(name)
        if policy is None or (standing is None and not policy.counts_open):
            return None
        return Use(name, policy.item, whose, cost)

    def _look(self, name: str, token: str, session_id: str, spent: Use) -> Steps[None]:
        """Let a seat's token through where the seat may act now, or holds no seat at all."""
        looked_at = session_id or _session_of_token(token)
        with unavailable():
            loaded = yield Load(looked_at, None)
        hashed = entropy.token_hash(token)
        claims = {} if loaded is None else loaded.claims
        seats = [seat for seat, claim in claims.items() if hmac.compare_digest(claim, hashed)]
        if loaded is None or not seats:
            return  # the call's own check refuses it
        if session_id and name in GAME:
            # Whose turn it is, the state tells without any table.
            active = session_of(loaded, NO_VARIANTS).state.active_seats
            if seats[0] in active:
                spent_too = self._tallies.take([self._use_of_flood(session_id)])
                if spent_too is None:
                    return
                spent = spent_too
        raise self._refusal(spent)

    def _use_of_flood(self, session_id: str) -> Use:
        return Use(FLOOD, self._flood, f"sessions/{session_id}")

    def _refusal(self, spent: Use) -> RateLimited:
        usage = self._tallies.usage(spent)
        return RateLimited(
            policy=spent.policy,
            subject=spent.who,
            limit=spent.item.amount,
            window_seconds=spent.item.get_expiry(),
            remaining=usage.remaining,
            reset_seconds=max(1, ceil(usage.reset_seconds)),
        )


def _session_of_token(token: str | None) -> str:
    """The session that a seat's token says it is of; empty for others."""
    return entropy.session_of_token(token) if token and entropy.is_seat_token(token) else ""
