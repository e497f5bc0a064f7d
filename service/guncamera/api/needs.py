"""THE table: what each call asks of its caller where the service asks for keys.

Both transports, the OpenAPI document, the page on security and the test of every role read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from guncamera.sessions.keys import Scope


@dataclass(frozen=True, slots=True)
class Need:
    """What a call asks of its caller.

    Attributes:
        scope: The least that a key must have.
        by_seat: A seat's token will do; where the call is about a session, in that one.
        in_session: The call is about one session or all, and not about rules alone.
    """

    scope: Scope
    by_seat: bool
    in_session: bool = True

    def __str__(self) -> str:
        key = f"a key with the scope `{self.scope.name.lower()}`"
        return f"{key}, or a seat's token" if self.by_seat else key


_RULES = Need(Scope.READ, by_seat=True, in_session=False)
_RULING = Need(Scope.PLAY, by_seat=True, in_session=False)
_LOOKING = Need(Scope.READ, by_seat=True)
_PLAYING = Need(Scope.PLAY, by_seat=True)

NEEDS: Mapping[str, Need] = MappingProxyType(
    {
        "ListRulesets": _RULES,
        "GetRuleset": _RULES,
        "ListTables": _RULES,
        "GetTable": _RULES,
        "ListAircraft": _RULES,
        "ResolveMove": _RULING,
        "ResolveWind": _RULING,
        "ResolveSpot": _RULING,
        "ResolveFire": _RULING,
        "ResolveDamage": _RULING,
        "ComputeOdds": _RULING,
        "BatchResolve": _RULING,
        "CreateSession": Need(Scope.PLAY, by_seat=False),
        "GetSession": _LOOKING,
        "ListSessions": Need(Scope.READ, by_seat=False),
        # Once a seat is claimed, a key needs more: see `claiming.delete`.
        "DeleteSession": _PLAYING,
        "ClaimSeat": Need(Scope.PLAY, by_seat=False),
        "ReleaseSeat": Need(Scope.REFEREE, by_seat=True),
        "Move": _PLAYING,
        "Wind": _PLAYING,
        "Spot": _PLAYING,
        "Fire": _PLAYING,
        "Damage": _PLAYING,
        "SealOrder": _PLAYING,
        "RevealOrders": _PLAYING,
        "Undo": _PLAYING,
        "ListLegalOrders": _PLAYING,
        "GetAction": _LOOKING,
        "GetReceipt": _LOOKING,
        "ListSigningKeys": _RULES,
        "ListActions": _LOOKING,
        "WatchSession": _LOOKING,
        "ExportSession": _LOOKING,
        "ImportSession": Need(Scope.PLAY, by_seat=False),
        "DrawBoard": _LOOKING,
        # Of many sessions, and a token is one session's.
        "BatchPlay": Need(Scope.PLAY, by_seat=False),
        "GetQuota": _RULES,
    }
)
"""By the name of the call; a test holds that every call is here."""
