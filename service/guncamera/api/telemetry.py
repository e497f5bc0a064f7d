"""What is told of each request: it is counted, logged in a line, and traced where that is wanted.

No token and no order stands in a log line or a span.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, BinaryIO, cast

import orjson
import structlog

from guncamera.api.caller import AnswerNotes, Caller
from guncamera.api.metrics import NONE, Metrics
from guncamera.api.redaction import REDACTED, without_credentials
from guncamera.api.tracing import Headers, Tracing, parent_in

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
    """The metrics and spans of one process, and its request log.

    Args:
        tracing: Makes spans; None for none.
    """

    def __init__(self, tracing: Tracing | None = None) -> None:
        self.metrics = Metrics()
        self._tracing = tracing
        self._log = structlog.get_logger("guncamera.request")

    def begin(self, method: str, transport: str, caller: Caller, headers: Headers) -> RequestRecord:
        """Start the record of one request.

        Args:
            headers: Its own, in which a trace may be named that it is part of.
        """
        record = RequestRecord(self, method, transport, caller.request_id, caller.notes)
        if self._tracing is not None:
            record.parent = parent_in(headers)
        return record

    def stream_opened(self, transport: str) -> None:
        """Count a stream or a waiting poll that was let in."""
        self.metrics.stream_opened(transport)

    def stream_closed(self, transport: str) -> None:
        """Count one that has ended."""
        self.metrics.stream_closed(transport)

    def render(self) -> tuple[bytes, str]:
        """The metrics of every process, and their content type."""
        return self.metrics.render()

    def observe(self, record: RequestRecord, reason: str, seconds: float) -> None:
        """Count, trace and log a finished request."""
        self.metrics.answered(
            record.method,
            record.transport,
            record.ruleset,
            reason,
            None if record.is_stream else seconds,
        )
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
        if record.notes.key_id:
            event["key_id"] = record.notes.key_id
        if self._tracing is not None:
            event["trace_id"] = self._tracing.span(record, reason, seconds)
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

    def flush(self) -> None:
        """Send the spans that wait, when the process is about to end."""
        if self._tracing is not None:
            self._tracing.flush()


@dataclass(slots=True)
class RequestRecord:
    """One request, from its arrival to its one line in the log."""

    telemetry: Telemetry
    method: str
    transport: str
    request_id: str
    notes: AnswerNotes
    is_stream: bool = False
    rule_id: str = ""
    revision: int | None = None
    parent: Mapping[str, str] | None = None
    _started: float = field(default_factory=time.perf_counter)
    _ended: bool = False

    def answered(self, response: object) -> None:
        """Note the revision that an answer speaks of."""
        revision = getattr(response, "revision", None)
        if isinstance(revision, int):
            self.revision = revision

    @property
    def ruleset(self) -> str:
        """The rule set that the call was about, as far as that was found out."""
        return self.notes.ruleset or NONE

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


class _Unread:
    """A stream that may lose its reader, or its disk: that costs lines of the log, and no call."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        with suppress(OSError):
            self._stream.write(data)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


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
    unread = cast("BinaryIO", _Unread(stream or sys.stderr.buffer))
    make_logger = structlog.BytesLoggerFactory(unread)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=make_logger,
        cache_logger_on_first_use=True,
    )
    _straight = _Straight(processors, make_logger()) if level <= logging.INFO else None


def _dumps(event: Any, **_: Any) -> bytes:
    return orjson.dumps(event, default=str)
