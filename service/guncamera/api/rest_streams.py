"""A watch over HTTP: lines of JSON, or server-sent events for who asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Request, Response
from google.protobuf.message import Message

from guncamera.api.json_codec import to_json
from guncamera.api.streams import OpenStream
from guncamera.api.telemetry import RequestRecord

LINES_TYPE = "application/x-ndjson"
EVENTS_TYPE = "text/event-stream"
RECONNECT_SECONDS = 2
"""How long a browser waits before it opens an event stream again."""


def stream_response(
    request: Request, stream: OpenStream[Message], record: RequestRecord
) -> Response:
    """The answer to a watch that has been let in, in the form the caller accepts."""
    accepted = request.accept_mimetypes.best_match((LINES_TYPE, EVENTS_TYPE), LINES_TYPE)
    is_events = accepted == EVENTS_TYPE
    if is_events and "Last-Event-ID" in request.headers and _is_over(stream.first):
        # A browser opens again whatever ends. This tells it that there is nothing more to come.
        stream.close()
        record.end()
        return Response(status=204, headers={"Vary": "Accept"})
    chunks = Chunks(stream, _event if is_events else _line, _opening() if is_events else b"")
    record.is_stream = True
    if request.method == "HEAD":
        chunks.close()
    response = Response(chunks, content_type=accepted)
    # On their way, events must neither be gathered up nor compressed, nor kept for others.
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.headers["Vary"] = "Accept"
    return response


MOST_OCTETS = 4 * 1024 * 1024
"""What one stream may send. Granian keeps in memory what a reader does not take, however much:
without an end, who reads nothing would fill it with a ledger, or with days of play."""


class Chunks:
    """A stream as octets, freed when the server closes it.

    After `MOST_OCTETS`, or a fault when there can be no status any more, the stream just ends,
    without the message that says so, and is to be resumed from its last cursor.
    """

    def __init__(
        self, stream: OpenStream[Message], write: Callable[[Message], bytes], opening: bytes
    ) -> None:
        self._stream = stream
        self._write = write
        self._opening = opening
        self._left = MOST_OCTETS

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._left <= 0:
            raise StopIteration
        try:
            message = next(self._stream)
        except StopIteration:
            raise
        except Exception:
            raise StopIteration from None
        opening, self._opening = self._opening, b""
        chunk = opening + self._write(message)
        self._left -= len(chunk)
        return chunk

    def close(self) -> None:
        """Free what the stream holds."""
        self._stream.close()


def _line(message: Message) -> bytes:
    """A line; after a heartbeat an empty one, for readers that only look for signs of life."""
    line = to_json(message) + b"\n"
    return line + b"\n" if _kind(message) == "heartbeat" else line


def _opening() -> bytes:
    return b"retry: %d\n\n" % (RECONNECT_SECONDS * 1000)


def _event(message: Message) -> bytes:
    """An event: its type is what the message says, its id the cursor, its data the same line."""
    cursor: str = getattr(message, "cursor", "")
    return b"event: %b\nid: %b\ndata: %b\n\n" % (
        _kind(message).encode(),
        cursor.encode(),
        to_json(message),
    )


def _kind(message: Message) -> str:
    """What a message says: `action`, `heartbeat`."""
    return message.WhichOneof("message") or "message"


def _is_over(message: Message | None) -> bool:
    return message is not None and _kind(message) == "end" and message.end.cause == "finished"  # type: ignore[attr-defined]  # then it has one
