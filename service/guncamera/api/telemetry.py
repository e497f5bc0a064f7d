"""What is measured and logged: counters by method, transport and reason, and a line per request.

No id stands in a label, for each would be a series of its own. No token and no order stands in a
log line.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any, BinaryIO

import orjson
import structlog
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

from guncamera.api.redaction import REDACTED, without_credentials

BUCKETS_SECONDS = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
)  # fmt: skip
OK = "OK"
SECRET_KEYS = frozenset(
    {
        "authorization",
        "token",
        "dice_seed",
        "seed",
        "order",
        "sealed_order",
        "facts",
        "body",
        "faces",
        "request",
    }
)
_BEARER = "bearer "


class Telemetry:
    """The metrics of one process, and its request log.

    With several processes, set `PROMETHEUS_MULTIPROC_DIR` before anything imports
    prometheus_client, and `render` adds them up.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "transport", "reason")
        self._requests = Counter(
            "guncamera_requests", "Calls answered, by outcome.", labels, registry=self.registry
        )
        self._seconds = Histogram(
            "guncamera_request_seconds",
            "Time to answer a call; streams are not in it.",
            ("method", "transport"),
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._streams = Gauge(
            "guncamera_streams_open",
            "Watches and waiting polls open now.",
            ("transport",),
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        # Finding a labelled series costs more than counting on it. Methods and reasons are few.
        self._count = cache(self._requests.labels)
        self._time = cache(self._seconds.labels)
        self._log = structlog.get_logger("guncamera.request")

    def begin(self, method: str, transport: str, request_id: str) -> RequestRecord:
        """Start the record of one request."""
        return RequestRecord(self, method, transport, request_id)

    def stream_opened(self, transport: str) -> None:
        """Count a stream or a waiting poll that was let in."""
        self._streams.labels(transport).inc()

    def stream_closed(self, transport: str) -> None:
        """Count one that has ended."""
        self._streams.labels(transport).dec()

    def render(self) -> tuple[bytes, str]:
        """The metrics of every process, and their content type."""
        registry = self.registry
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST

    def observe(self, record: RequestRecord, reason: str, seconds: float) -> None:
        """Count and log a finished request."""
        self._count(record.method, record.transport, reason).inc()
        if not record.is_stream:
            self._time(record.method, record.transport).observe(seconds)
        event: dict[str, Any] = {
            "method": record.method,
            "transport": record.transport,
            "reason": reason,
            "ms": round(seconds * 1000, 3),
            "request_id": record.request_id,
        }
        if record.rule_id:
            event["rule_id"] = record.rule_id
        if record.revision is not None:
            event["revision"] = record.revision
        _log_request(self._log, event)

    def warn(self, event: str, **details: str) -> None:
        """Log what whoever runs the service should know."""
        self._log.warning(event, **details)

    def fault(self, record: RequestRecord, fault: BaseException) -> None:
        """Log a fault of ours, with its traceback, under the id that the caller may quote."""
        self._log.error(
            "fault",
            method=record.method,
            transport=record.transport,
            request_id=record.request_id,
            exc_info=(type(fault), fault, fault.__traceback__),
        )


@dataclass(slots=True)
class RequestRecord:
    """One request, from its arrival to its one line in the log."""

    telemetry: Telemetry
    method: str
    transport: str
    request_id: str
    is_stream: bool = False
    rule_id: str = ""
    revision: int | None = None
    _started: float = field(default_factory=time.perf_counter)
    _ended: bool = False

    def answered(self, response: object) -> None:
        """Note the revision that an answer speaks of."""
        revision = getattr(response, "revision", None)
        if isinstance(revision, int):
            self.revision = revision

    def end(self, reason: str = OK) -> None:
        """Close the record; only the first end counts."""
        if not self._ended:
            self._ended = True
            self.telemetry.observe(self, reason, time.perf_counter() - self._started)


def redact(
    _logger: object, _name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Blot out tokens, orders and seeds, however deep they stand in a log event."""
    for key in event:
        event[key] = _redacted(key, event[key])
    return event


def _redacted(key: str, value: Any) -> Any:
    if key.lower() in SECRET_KEYS:
        return REDACTED
    if isinstance(value, str):
        return REDACTED if _BEARER in value.lower() else without_credentials(value)
    if isinstance(value, dict):
        return {name: _redacted(str(name), item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(key, item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class _Straight:
    """The way to the log for lines that need none of the steps of other lines."""

    processors: list[Any]
    stream: structlog.BytesLogger


_straight: _Straight | None = None


def _log_request(log: Any, event: dict[str, Any]) -> None:
    """Log the line of a request. There is one for each call, and nothing in it to blot out."""
    way = _straight
    if way is None or structlog.get_config()["processors"] is not way.processors:
        log.info("request", **event)
        return
    event |= {"event": "request", "level": "info", "timestamp": datetime.now(UTC)}
    way.stream.msg(orjson.dumps(event, option=orjson.OPT_UTC_Z))


def configure_log(*, stream: BinaryIO | None = None, level: int = logging.INFO) -> None:
    """Send the log to a stream as JSON lines."""
    global _straight
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
        structlog.processors.JSONRenderer(serializer=_dumps),
    ]
    make_logger = structlog.BytesLoggerFactory(stream or sys.stderr.buffer)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=make_logger,
        cache_logger_on_first_use=True,
    )
    _straight = _Straight(processors, make_logger()) if level <= logging.INFO else None


def _dumps(event: Any, **_: Any) -> bytes:
    return orjson.dumps(event, default=str)
