"""What the caller may ask of the service."""

from __future__ import annotations

from guncamera.v1.access_service_pb2 import GetQuotaRequest, Quota
from guncamera.v1.session_service_pb2 import Session

from guncamera_client._aio.calls import AsyncCalls
from guncamera_client._names import session_name


class AsyncAccessCalls(AsyncCalls):
    """The call of `AccessService`."""

    async def get_quota(self, session: str | Session | None = None) -> Quota:
        """The limits that hold for this client, and how much of them is used. It counts nowhere.

        Args:
            session: `sessions/{session}`, its id, or a session, to read its limit as well. A seat's
                token needs none: it reads that of its own.

        Returns:
            Each limit; none where the service sets none.

        Raises:
            SeatUnknown: this client's token is of another session.

        Example:
            ```python
            for limit in (await client.get_quota()).limits:
                print(limit.policy, limit.remaining, limit.reset_time.ToDatetime())
            ```
        """
        request = GetQuotaRequest(name=f"{session_name(session)}/quota" if session else "quota")
        return await self._call("GetQuota", request, Quota)
