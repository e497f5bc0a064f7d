"""An HTTP request to a message: the path, the query, the body, and two headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Request
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from werkzeug.exceptions import RequestEntityTooLarge

from guncamera.api.json_reader import Faults, MessageReader, message_reader, parse
from guncamera.api.json_values import shown
from guncamera.api.refusals import BodyTooLarge, MediaTypeUnsupported
from guncamera.api.rest_answers import JSON_TYPE
from guncamera.api.routes import Route, Rpc
from guncamera.api.tracing import Headers

_ETAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e]*?)(?:\.[0-9a-f]{40})?"')
"""An etag, and after a point the hash of an answer that it came with."""
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,10}")
_UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def read_message(
    request: Request, rpc: Rpc, route: Route, segments: Mapping[str, str], *, limit: int
) -> Message:
    """Read the request of a call.

    Args:
        limit: Bytes that its body may have.

    Raises:
        Malformed: it is not that request.
        BodyTooLarge, MediaTypeUnsupported: its body is not looked at.
    """
    message, faults = rpc.request(), Faults()
    reader = message_reader(rpc.request_type)
    body = _read_body(request, limit)
    if body:
        check_form(request.mimetype, request.headers)
    if route.has_body:
        _fill_from_body(message, reader, body, faults)
        for name in request.args:
            faults.add(shown(name), "stands in the query string; this call takes a body only")
    else:
        if body:
            faults.add("", "this call takes no body")
        _fill_from_query(message, reader, request, faults)
    _fill_from_path(message, reader, route, segments, faults)
    _fill_from_headers(rpc, message, reader, request.method, request.headers, faults)
    if rpc.streams:
        _resume(message, reader, request, faults)
    faults.raise_any()
    return message


def read_posted(
    body: bytes, headers: Headers, rpc: Rpc, route: Route, segments: Mapping[str, str]
) -> Message:
    """Read the request of a call that is its body and nothing else, as `read_message` does.

    Args:
        body: JSON by its headers, if there is any.
        headers: By lower-case names.
    """
    message, faults = rpc.request(), Faults()
    reader = message_reader(rpc.request_type)
    _fill_from_body(message, reader, body, faults)
    _fill_from_path(message, reader, route, segments, faults)
    _fill_from_headers(rpc, message, reader, "POST", headers, faults)
    faults.raise_any()
    return message


def too_large(limit: int) -> BodyTooLarge:
    """The refusal of a body of more bytes than a call takes."""
    return BodyTooLarge(
        f"The body is larger than {limit} bytes. Send less at once.", limit_bytes=limit
    )


def check_form(mimetype: str, headers: Headers) -> None:
    """Refuse a body that is not declared as plain JSON."""
    if mimetype != JSON_TYPE:
        given = shown(mimetype) or "nothing"
        raise MediaTypeUnsupported(
            f"The body is declared as {given}. Send it as {JSON_TYPE}.", content_type=given
        )
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise MediaTypeUnsupported(
            f"The body is compressed ({shown(encoding)}). Send it as it is.",
            content_encoding=shown(encoding),
        )


def _read_body(request: Request, limit: int) -> bytes:
    # A body that comes in chunks is cut at the limit without a word, so one byte more is let in.
    request.max_content_length = limit + 1
    try:
        body = request.get_data(cache=False)
    except RequestEntityTooLarge:
        body = None
    if body is None or len(body) > limit:
        raise too_large(limit)
    return body


def _fill_from_body(message: Message, reader: MessageReader, body: bytes, faults: Faults) -> None:
    plain = parse(body) if body else {}
    if isinstance(plain, dict):
        reader.fill(message, plain, "", faults)
    else:
        faults.add("", "the body must be a JSON object")


def _fill_from_path(
    message: Message,
    reader: MessageReader,
    route: Route,
    segments: Mapping[str, str],
    faults: Faults,
) -> None:
    for field, pattern in route.fields:
        _fill_from(message, reader, field, pattern.format(**segments), "the path", faults)


def _fill_from_query(
    message: Message, reader: MessageReader, request: Request, faults: Faults
) -> None:
    taken: dict[str, str] = {}
    for name, values in request.args.lists():
        field = reader.field(name)
        if field is None or field.convert is None:
            faults.add(shown(name), "is no query parameter of this call")
        elif taken.setdefault(field.slot, name) != name:
            faults.add(name, f"excludes {taken[field.slot]}; send only one of them")
        elif field.is_repeated:
            plain = [_plain_of(field.descriptor, text) for text in values]
            field.read(message, plain, "", faults)
        elif len(values) > 1:
            faults.add(name, "is given more than once")
        else:
            field.read(message, _plain_of(field.descriptor, values[0]), "", faults)


def _plain_of(field: FieldDescriptor, text: str) -> Any:
    """The JSON value that a text of a query string stands for; the text itself if for none."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return {"true": True, "false": False}.get(text, text)
    if field.cpp_type == FieldDescriptor.CPPTYPE_INT32 and _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return text


def _fill_from_headers(
    rpc: Rpc,
    message: Message,
    reader: MessageReader,
    method: str,
    headers: Headers,
    faults: Faults,
) -> None:
    if_match = headers.get("if-match", "*").strip()
    if if_match != "*":
        etag = _ETAG.fullmatch(if_match)
        if reader.field("etag") is None:
            # A condition that is not looked at must not seem to have held.
            if method in _UNSAFE:
                faults.add("If-Match", "is no condition of this call; leave it out")
        elif etag is None:
            faults.add("If-Match", 'must be one etag in quotes, such as "17"')
        else:
            # A proxy that compresses marks our etag as weak, and one that came with a reading has
            # its hash; the revision it names is the same.
            _fill_from(message, reader, "etag", f'{etag[1]}"', "If-Match", faults)
    if method in _UNSAFE and headers.get("if-none-match", ""):
        faults.add("If-None-Match", "is a condition of reading; leave it out")
    key = headers.get("idempotency-key", "").strip().strip('"')
    if key and reader.field("request_id") is not None:
        _fill_from(message, reader, "request_id", key, "Idempotency-Key", faults)
    elif key and rpc.writes:
        # A key that is not kept must not seem to make a call safe to repeat.
        faults.add("Idempotency-Key", "is for calls with a request_id; give one to each item")


def _resume(message: Message, reader: MessageReader, request: Request, faults: Faults) -> None:
    """Go on where a browser was, whatever stood in the address it opened at first."""
    last = request.headers.get("Last-Event-ID", "")
    if last:
        for name in ("start_revision", "cursor"):
            message.ClearField(name)
        _fill_from(message, reader, "cursor", last, "Last-Event-ID", faults)


def _fill_from(
    message: Any, reader: MessageReader, name: str, text: str, source: str, faults: Faults
) -> None:
    """Set a field from somewhere else than the body, which may hold it too if it agrees."""
    given = getattr(message, name)
    if given and given != text:
        faults.add(name, f"differs from {source}")
        return
    field = reader.field(name)
    assert field is not None
    field.read(message, text, "", faults)
