"""What the blocking and the asyncio gRPC clients share: options, metadata, errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias, TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2
from guncamera.v1 import dice_pb2
from guncamera.v1.problem_pb2 import FieldViolation, NearestOrders, Problem

from guncamera_client._names import rule_id_of
from guncamera_client.errors import GuncameraError, error_from

Metadata: TypeAlias = tuple[tuple[str, str], ...]
M = TypeVar("M", bound=Message)

DEFAULT_TARGET = "127.0.0.1:50051"
DETAILS_KEY = "grpc-status-details-bin"
MAX_ANSWER_BYTES = 64 * 1024 * 1024  # a film holds a whole ledger
_LOOPBACK = ("127.", "localhost", "[::1]", "unix:")

# The statuses that have an exception of ours though no service of ours gave a reason: the
# connection failed, the deadline passed, something else answered.
_REASONS = {
    grpc.StatusCode.UNAVAILABLE: "UNAVAILABLE",
    grpc.StatusCode.CANCELLED: "UNAVAILABLE",  # not by us: something between cut the call off
    grpc.StatusCode.DEADLINE_EXCEEDED: "DEADLINE_EXCEEDED",
    grpc.StatusCode.INTERNAL: "INTERNAL",
    grpc.StatusCode.UNKNOWN: "INTERNAL",
}
# What grpcio says, as UNKNOWN, of an answer without a status: a proxy lost the service in the
# middle of it, and ended it as if it were whole.
_CUT_OFF = "Stream removed"

# How it begins to speak of an HTTP server that is no gRPC server, such as our own REST.
_NO_GRPC = "Received http2 header with status"


def package_version() -> str:
    """The version of the distribution that this client came with."""
    try:
        return version("guncamera")
    except PackageNotFoundError:  # run from a bare checkout
        return "0"


def is_loopback(address: str) -> bool:
    """Whether an address is on this machine, where no proxy is to be asked."""
    return address.startswith(_LOOPBACK)


def check_channels(count: int) -> None:
    """Refuse a client that could never connect."""
    if count < 1:
        raise ValueError(f"channels is {count}; a client needs at least 1.")


def check_target(target: str) -> None:
    """Refuse what is an address of REST: gRPC would look for a machine of that name."""
    if target.startswith(("http://", "https://")):
        raise ValueError(
            f"{target!r} is an address of REST, for RestClient. Over gRPC say host:port, such as "
            f"{DEFAULT_TARGET}."
        )


def channel_options(target: str, *, own_connection: bool) -> list[tuple[str, str | int]]:
    """Settings of a channel.

    Args:
        target: What it connects to.
        own_connection: It shares no connection with other channels to the same target.
    """
    options: list[tuple[str, str | int]] = [
        ("grpc.primary_user_agent", f"guncamera-client/{package_version()}"),
        ("grpc.max_receive_message_length", MAX_ANSWER_BYTES),
        # A service that restarts is found again soon; the default waits a second or more.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2000),
        # A connection on which nothing comes any more is noticed and replaced: within 10 s where
        # there are calls, for gRPC pings along with data, and within 30 s even by a call that
        # waits. Without a limit of its own a ping is waited for a minute, and until then every
        # call runs into its deadline. Servers cut off a client that pings more often than this
        # while nothing is said; a watch's heartbeats come sooner.
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.ping_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 0),
    ]
    if is_loopback(target):
        options.append(("grpc.enable_http_proxy", 0))
    if own_connection:
        options.append(("grpc.use_local_subchannel_pool", 1))
    return options


def metadata_for(token: str | None) -> Metadata:
    """What goes with every call."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def error_from_rpc(error: grpc.RpcError, target: str) -> GuncameraError:
    """What gRPC raised, as one of ours."""
    code: grpc.StatusCode = error.code()
    message: str = error.details() or ""
    problem = Problem(reason=_REASONS.get(code, code.name), detail=message)
    request_id, retry_after_seconds = "", None
    details = _details(error.trailing_metadata() or ())
    if code is grpc.StatusCode.UNKNOWN and message.startswith(_CUT_OFF):
        problem.reason = "UNAVAILABLE"
    if not details and problem.reason == "UNAVAILABLE":
        problem.detail = f"The service at {target} cannot be reached: {message}"
    if not details and code is grpc.StatusCode.UNIMPLEMENTED and message.startswith(_NO_GRPC):
        problem.detail = (
            f"What answers at {target} speaks no gRPC. Give the port of gRPC, as in "
            f"{DEFAULT_TARGET}, or use RestClient."
        )
    if not details and code is grpc.StatusCode.DEADLINE_EXCEEDED:
        problem.detail = f"The service at {target} did not answer in time."
    for detail in details:
        if info := _unpacked(detail, error_details_pb2.ErrorInfo):
            problem.reason = info.reason
            problem.metadata.update(info.metadata)
        elif failure := _unpacked(detail, error_details_pb2.PreconditionFailure):
            problem.rule_id = next((item.type for item in failure.violations), "")
            problem.violations.extend(
                FieldViolation(field=item.subject, description=item.description, rule_id=item.type)
                for item in failure.violations
                if item.subject
            )
        elif bad := _unpacked(detail, error_details_pb2.BadRequest):
            problem.violations.extend(_violations(bad.field_violations))
        elif wanted := _unpacked(detail, dice_pb2.RollRequired):
            problem.roll_required.CopyFrom(wanted)
        elif nearest := _unpacked(detail, NearestOrders):
            problem.nearest.CopyFrom(nearest)
        elif retry := _unpacked(detail, error_details_pb2.RetryInfo):
            retry_after_seconds = retry.retry_delay.ToMicroseconds() / 1_000_000
        elif about := _unpacked(detail, error_details_pb2.RequestInfo):
            request_id = about.request_id
    return error_from(problem, request_id=request_id, retry_after_seconds=retry_after_seconds)


def _details(trailing: Iterable[Any]) -> Sequence[AnyMessage]:
    # grpc_status.from_call would do, but raises where a proxy touched code or message.
    for key, value in trailing:
        if key == DETAILS_KEY and isinstance(value, bytes):
            try:
                details: Sequence[AnyMessage] = status_pb2.Status.FromString(value).details
            except DecodeError:
                return ()
            return details
    return ()


def _unpacked(detail: AnyMessage, kind: type[M]) -> M | None:
    message = kind()
    try:
        return message if detail.Unpack(message) else None
    except DecodeError:
        return None


def _violations(
    found: Iterable[error_details_pb2.BadRequest.FieldViolation],
) -> Iterable[FieldViolation]:
    for item in found:
        yield FieldViolation(
            field=item.field, description=item.description, rule_id=rule_id_of(item.reason)
        )
