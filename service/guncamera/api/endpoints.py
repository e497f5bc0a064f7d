"""Every call of the API on one object, which both transports share."""

from __future__ import annotations

from collections.abc import Callable

from guncamera.api.page_tokens import PageTokens
from guncamera.api.receipt_book import ReceiptBook
from guncamera.api.receipt_calls import ReceiptCalls
from guncamera.api.resolution_calls import ResolutionCalls
from guncamera.api.ruleset_calls import RulesetCalls
from guncamera.api.seal_calls import SealCalls
from guncamera.api.session_calls import SessionCalls
from guncamera.api.watch_calls import WatchCalls
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.signing import Signer


class Endpoints(RulesetCalls, ResolutionCalls, SessionCalls, WatchCalls, SealCalls, ReceiptCalls):
    """One method per RPC, named as in the proto: message and caller in, message out.

    A refusal is raised as a `guncamera.rules.refusal.Refusal`.

    Args:
        clock: Microseconds since 1970 UTC.
        page_key: Secret that signs page tokens; the same in every process of a service.
        draining: Whether the service is about to stop.
        signer: Signs receipts; None for one whose keys are in the store.
    """

    def __init__(
        self,
        shelf: Shelf,
        *,
        clock: Callable[[], int],
        page_key: bytes,
        draining: Callable[[], bool] = lambda: False,
        signer: Signer | None = None,
    ) -> None:
        self.shelf = shelf
        self.clock = clock
        self.page_tokens = PageTokens(page_key)
        self.draining = draining
        self.receipts = ReceiptBook(shelf, signer or Signer(shelf.store, clock=clock))
