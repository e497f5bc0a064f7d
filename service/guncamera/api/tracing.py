"""Spans of calls by OpenTelemetry: the extra `otel`, and off unless an endpoint is given.

A span is made when its call has ended, from what the request log says of it; so nothing is done
during a call, and a call that is not traced pays for one comparison.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

from guncamera.api.problems import TABLE

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

    from guncamera.api.telemetry import RequestRecord

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PARENT_HEADERS = ("traceparent", "tracestate")
SERVICE_NAME = "guncamera"
FLUSH_MILLIS = 2000


class Headers(Protocol):
    """HTTP headers or gRPC metadata, by lower-case names."""

    def get(self, key: str, default: str, /) -> str:
        """The value of a header."""
        ...


def is_wanted() -> bool:
    """Whether the environment names a collector to send spans to, and does not forbid it."""
    is_off = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    return not is_off and any(os.environ.get(name) for name in ENDPOINTS)


def is_installed() -> bool:
    """Whether the extra is there."""
    try:
        import opentelemetry.exporter.otlp.proto.http
        import opentelemetry.sdk.trace  # noqa: F401
    except ImportError:
        return False
    return True


def tracing_from_environment() -> Tracing | None:
    """Tracing to the collector that the environment names, in batches, on a thread of its own."""
    if not (is_wanted() and is_installed()):
        return None
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME", SERVICE_NAME)
    # The processes' own ends tell when to flush, so the exit need not wait for the collector.
    provider = TracerProvider(
        resource=Resource.create({"service.name": name}), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Tracing(provider)


class Tracing:
    """Makes a span of each call that has ended."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
        from opentelemetry.trace.status import Status, StatusCode

        self._provider = provider
        self._tracer = provider.get_tracer("guncamera", version("guncamera"))
        self._kind = SpanKind.SERVER
        self._extract = TraceContextTextMapPropagator().extract
        self._failed = Status(StatusCode.ERROR)

    def span(self, call: RequestRecord, reason: str, seconds: float) -> str:
        """Make the span of a call that has just ended.

        Returns:
            The id of its trace, in hexadecimal.
        """
        ended = time.time_ns()
        span = self._tracer.start_span(
            call.method,
            context=self._extract(call.parent or {}),
            kind=self._kind,
            attributes=_attributes(call, reason),
            start_time=ended - round(seconds * 1e9),
        )
        if is_fault(reason):
            span.set_status(self._failed)
        span.end(ended)
        return f"{span.get_span_context().trace_id:032x}"

    def flush(self) -> None:
        """Send what waits to be sent, or give up after two seconds."""
        self._provider.force_flush(FLUSH_MILLIS)


def parent_in(headers: Headers) -> Mapping[str, str]:
    """What of a call's headers says which span it is part of."""
    return {name: headers.get(name, "") for name in PARENT_HEADERS}


def is_fault(reason: str) -> bool:
    """Whether a call that ended so failed by us, and was not refused for what it asked."""
    problem = TABLE.get(reason)
    return problem is not None and problem.http >= 500


def _attributes(call: RequestRecord, reason: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "rpc.system": call.transport,
        "rpc.method": call.method,
        "guncamera.reason": reason,
        "guncamera.request_id": call.request_id,
        "guncamera.ruleset": call.ruleset,
    }
    if call.rule_id:
        found["guncamera.rule_id"] = call.rule_id
    if call.revision is not None:
        found["guncamera.revision"] = call.revision
    if call.notes.key_id:
        found["guncamera.key_id"] = call.notes.key_id
    return found
