"""Every call of the API on one object, which both transports share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from guncamera.api.batch_calls import BatchCalls
from guncamera.api.page_tokens import PageTokens
from guncamera.api.quota_calls import QuotaCalls
from guncamera.api.receipt_book import ReceiptBook
from guncamera.api.receipt_calls import ReceiptCalls
from guncamera.api.resolution_calls import ResolutionCalls
from guncamera.api.ruleset_calls import RulesetCalls
from guncamera.api.seat_calls import SeatCalls
from guncamera.api.undo_calls import UndoCalls
from guncamera.api.watch_calls import WatchCalls
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.signing import Signer

if TYPE_CHECKING:
    from guncamera.api.rate_limits import RateLimits


class Endpoints(
    RulesetCalls,
    ResolutionCalls,
    BatchCalls,
    SeatCalls,
    UndoCalls,
    WatchCalls,
    ReceiptCalls,
    QuotaCalls,
):
    """One method per RPC, named as in the proto: message and caller in, message out.

    A refusal is raised as a `guncamera.rules.refusal.Refusal`.

    Args:
        clock: Microseconds since 1970 UTC.
        page_key: Secret that signs page tokens; the same in every process of a service.
        draining: Whether the service is about to stop.
        signer: Signs receipts; None for one whose keys are in the store.
        limits: How many calls callers may make; None for as many as they like.
    """

    def __init__(
        self,
        shelf: Shelf,
        *,
        clock: Callable[[], int],
        page_key: bytes,
        draining: Callable[[], bool] = lambda: False,
        signer: Signer | None = None,
        limits: RateLimits | None = None,
    ) -> None:
        self.shelf = shelf
        self.variants = shelf.variants
        self.clock = clock
        self.limits = limits
        self.page_tokens = PageTokens(page_key)
        self.draining = draining
        self.receipts = ReceiptBook(shelf, signer or Signer(shelf.store, clock=clock))
