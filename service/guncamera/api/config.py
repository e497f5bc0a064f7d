"""What the composition root tells the transports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from guncamera.api.access import OPEN, Access, OpenAccess
from guncamera.api.telemetry import Telemetry

if TYPE_CHECKING:
    from guncamera.api.rate_limits import RateLimits

MIB = 1024 * 1024
MAX_LARGE_BYTES = 256 * MIB


def always_ready() -> Sequence[str]:
    """Say that nothing stands in the way of playing."""
    return ()


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of both transports.

    Attributes:
        telemetry: Metrics and the request log, shared by both transports.
        ready: Names what stands in the way of playing, a sentence each; empty when nothing does.
        public_base_url: `https://guns.example`, without a slash at the end; empty if unknown.
            Makes problem types and `Location` absolute.
        max_streams: Watches and waiting polls that may be open at once, per process and
            transport.
        max_body_bytes: Largest REST body.
        max_large_bytes: Bytes of large REST bodies that may be held at once, per process.
        body_seconds: How long each MiB of a REST body may take to come.
        body_limits: Calls with another limit, by the name of the RPC.
        reflection: Let gRPC tools ask for the proto.
        metrics: Serve `/metrics`.
        access: Who may make which call.
        limits: How many calls they may make; None for as many as they like.
        rest_is_fast: Take the short calls of REST before Flask; see `guncamera.api.rest_lane`.
    """

    telemetry: Telemetry = field(default_factory=Telemetry)
    ready: Callable[[], Sequence[str]] = always_ready
    public_base_url: str = ""
    max_streams: int = 64
    max_body_bytes: int = MIB
    max_large_bytes: int = MAX_LARGE_BYTES
    body_seconds: int = 10
    body_limits: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType({"ImportSession": 32 * MIB})
    )
    reflection: bool = True
    metrics: bool = True
    access: Access | OpenAccess = OPEN
    limits: RateLimits | None = None
    rest_is_fast: bool = True

    def body_limit(self, rpc_name: str) -> int:
        """Bytes a call's body may have."""
        return self.body_limits.get(rpc_name, self.max_body_bytes)
