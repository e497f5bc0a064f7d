"""AccessService: how the limits stand that hold for a caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from guncamera.api.caller import Caller
from guncamera.api.names import quota_of
from guncamera.sessions import entropy
from guncamera.sessions.refusals import SeatUnknown
from guncamera.v1 import access_service_pb2 as pb

if TYPE_CHECKING:
    from guncamera.api.rate_limits import RateLimits


class QuotaCalls:
    """The call of AccessService.

    Attributes:
        clock: Microseconds since 1970 UTC.
        limits: What there is to read; None for nothing.
    """

    clock: Callable[[], int]
    limits: RateLimits | None

    def GetQuota(  # noqa: N802  # named as in the proto
        self, request: pb.GetQuotaRequest, caller: Caller
    ) -> pb.Quota:
        """Read the caller's limits."""
        session_id = quota_of(request.name)
        is_seat = caller.standing is not None and caller.standing.scope is None
        if is_seat and session_id and entropy.session_of_token(caller.token or "") != session_id:
            raise SeatUnknown("This token holds no seat in this session; leave `name` out.")
        quota = pb.Quota(
            name=request.name or "quota",
            caller="seat" if is_seat else "key" if caller.standing else "open",
        )
        if self.limits is not None:
            now = self.clock()
            for use, usage in self.limits.quota(caller, session_id):
                limit = quota.limits.add(
                    policy=use.policy,
                    subject=use.who,
                    limit=use.item.amount,
                    window_seconds=use.item.get_expiry(),
                    used=usage.used,
                    remaining=usage.remaining,
                )
                limit.reset_time.FromMicroseconds(now + round(usage.reset_seconds * 1_000_000))
        return quota
