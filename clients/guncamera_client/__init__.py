"""Asks Guncamera for rulings and plays sessions: blocking, with asyncio, or over HTTP.

`Client`, `AsyncClient` and `RestClient` have the same methods, which take and return the messages
of `guncamera.v1`. Every refusal is an exception of its own.
"""

from guncamera_client._aio.watch import AsyncWatch
from guncamera_client._blocking.watch import Watch
from guncamera_client.aio import AsyncClient
from guncamera_client.client import Client
from guncamera_client.dice import Dice, server, supplied
from guncamera_client.errors import (
    ActionNotFound,
    DeadlineExceeded,
    FilmInvalid,
    GuncameraError,
    IllegalOrder,
    InputInvalid,
    LedgerFull,
    OddsTooLarge,
    PhaseClosed,
    RateLimited,
    RequestIdReused,
    RollInvalid,
    RollRequired,
    RulesetUnknown,
    RulesVersionChanged,
    SeatForbidden,
    SeatNotActive,
    SeatTaken,
    SeatUnknown,
    ServiceFault,
    SessionExists,
    SessionFinished,
    SessionNotFound,
    StaleState,
    StreamsFull,
    TableNotFound,
    Unavailable,
    VerbNotInRuleset,
    Violation,
    error_from,
)
from guncamera_client.local import LocalService, ServiceNotStarted
from guncamera_client.rest import RestClient
from guncamera_client.retry import RetryPolicy

__all__ = [
    "ActionNotFound",
    "AsyncClient",
    "AsyncWatch",
    "Client",
    "DeadlineExceeded",
    "Dice",
    "FilmInvalid",
    "GuncameraError",
    "IllegalOrder",
    "InputInvalid",
    "LedgerFull",
    "LocalService",
    "OddsTooLarge",
    "PhaseClosed",
    "RateLimited",
    "RequestIdReused",
    "RestClient",
    "RetryPolicy",
    "RollInvalid",
    "RollRequired",
    "RulesVersionChanged",
    "RulesetUnknown",
    "SeatForbidden",
    "SeatNotActive",
    "SeatTaken",
    "SeatUnknown",
    "ServiceFault",
    "ServiceNotStarted",
    "SessionExists",
    "SessionFinished",
    "SessionNotFound",
    "StaleState",
    "StreamsFull",
    "TableNotFound",
    "Unavailable",
    "VerbNotInRuleset",
    "Violation",
    "Watch",
    "error_from",
    "server",
    "supplied",
]
