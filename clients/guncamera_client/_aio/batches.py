"""Many calls about sessions made in one."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import BatchPlayItem, BatchPlayRequest, BatchPlayResponse

from guncamera_client._aio.calls import new_request_id
from guncamera_client._aio.seals import AsyncSealCalls
from guncamera_client._wrap import wrap


class AsyncBatchCalls(AsyncSealCalls):
    """The call of `SessionService` that makes many."""

    async def batch_play(self, items: Iterable[BatchPlayItem | Message]) -> BatchPlayResponse:
        """Plays many sessions at once. Each call is answered or refused on its own.

        What is about one session happens in the order given; sessions do not wait for each other.

        Args:
            items: 1 to 256 calls: a `BatchPlayItem`, or the request alone: a `MoveRequest` or that
                of another verb, a `SealOrderRequest`, a `GetSessionRequest` or a
                `ListLegalOrdersRequest`. An order without a request id is given one, so that this
                call repeats itself safely.

        Returns:
            One result for each call, in their order. A refused one holds a `problem`, which
            `guncamera_client.error_from` turns into an exception.

        Raises:
            InputInvalid: there are none, or too many.
            Unavailable: given up; some orders may have been appended. Give the orders request ids
                of your own to find out by the same call.

        Example:
            ```python
            played = await client.batch_play(
                [
                    FireRequest(name=game.name, order=order),
                    GetSessionRequest(name=game.name, seat="pilot"),
                ]
            )
            print(played.results[0].action.summary, played.results[1].session.board)
            ```
        """
        request = BatchPlayRequest(items=[wrap(item, BatchPlayItem) for item in items])
        for item in request.items:
            call = getattr(item, item.WhichOneof("call") or "get_session")
            if "request_id" in call.DESCRIPTOR.fields_by_name and not call.request_id:
                call.request_id = new_request_id()
        return await self._call("BatchPlay", request, BatchPlayResponse)
