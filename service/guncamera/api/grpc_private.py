"""The parts of grpcio that the fast lane needs and that grpcio does not call its own API.

They have stood for years, and any release may change them. So they are looked at before they are
used, and a release that nobody has tried them with gets the standard lane.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import grpc

TRIED = ("1.85.",)
_CORE = (
    "CompletionType",
    "StatusCode",
    "ReceiveCloseOnServerOperation",
    "ReceiveMessageOperation",
    "SendInitialMetadataOperation",
    "SendMessageOperation",
    "SendStatusFromServerOperation",
)
_PYTHON_SIDE = (
    "_REQUEST_CALL_TAG",
    "_ServerStage",
    "_begin_shutdown_once",
    "_process_event_and_continue",
    "_request_call",
    "_request_registered_call",
)
_STATE = (
    "completion_queue",
    "due",
    "lock",
    "registered_method_handlers",
    "rpc_states",
    "server",
    "server_deallocated",
    "stage",
)


def _private(name: str) -> Any:
    """A module of grpcio's, or None; its stubs do not know of these."""
    try:
        return import_module(f"grpc.{name}")
    except ImportError:
        return None


core = _private("_cython.cygrpc")
python_side = _private("_server")
common = _private("_common")


def what_is_missing(server: grpc.Server) -> str:
    """Why the fast lane cannot be taken with this grpcio; empty if it can."""
    if not grpc.__version__.startswith(TRIED):
        return f"grpcio {grpc.__version__} has not been tried with it"
    looked_at = (
        ("_cython.cygrpc", core, _CORE),
        ("_server", python_side, _PYTHON_SIDE),
        ("_common", common, ("STATUS_CODE_TO_CYGRPC_STATUS_CODE",)),
        ("_server._ServerState", getattr(server, "_state", None), _STATE),
    )
    for name, found, wanted in looked_at:
        for one in wanted:
            if not hasattr(found, one):
                return f"grpcio {grpc.__version__} has no {name}.{one}"
    return ""


def state_of(server: grpc.Server) -> Any:
    """What grpcio knows of a server."""
    return server._state  # type: ignore[attr-defined]


def code_number(code: grpc.StatusCode) -> Any:
    """A status code as the core spells it."""
    return common.STATUS_CODE_TO_CYGRPC_STATUS_CODE[code]
