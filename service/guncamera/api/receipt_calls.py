"""The calls of SessionService about receipts: translate, sign, translate back."""

from __future__ import annotations

from typing import Protocol

from guncamera.api.caller import Caller
from guncamera.api.names import action_of
from guncamera.api.page_tokens import PageTokens, page_size
from guncamera.api.receipt_book import ReceiptBook
from guncamera.sessions.delay import View
from guncamera.v1 import session_service_pb2 as pb


class _Viewer(Protocol):
    def view(self, session_id: str, seat: str, caller: Caller) -> View:
        """A session as the caller may see it."""
        ...


class ReceiptCalls:
    """One method for each of these calls."""

    page_tokens: PageTokens
    receipts: ReceiptBook

    def GetReceipt(  # noqa: N802  # named as in the proto
        self: _Receipts, request: pb.GetReceiptRequest, caller: Caller
    ) -> pb.Receipt:
        """Sign one action, and with it all before."""
        session_id, revision = action_of(request.name)
        view = self.view(session_id, request.seat, caller)
        return self.receipts.receipt(view.session, revision, view.seat)

    def ListSigningKeys(  # noqa: N802
        self, request: pb.ListSigningKeysRequest, _caller: Caller
    ) -> pb.ListSigningKeysResponse:
        """Publish the keys."""
        size = page_size(request.page_size, default=1000, most=1000)
        start = int(self.page_tokens.read(request.page_token, "signing-keys", size) or 0)
        keys = self.receipts.keys()
        more = str(start + size) if len(keys) > start + size else None
        return pb.ListSigningKeysResponse(
            signing_keys=keys[start : start + size],
            next_page_token=self.page_tokens.make(more, "signing-keys", size),
        )


class _Receipts(_Viewer, Protocol):
    receipts: ReceiptBook
