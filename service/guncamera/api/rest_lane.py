"""The short cut of REST: a WSGI application before Flask's, which answers the short calls itself.

Flask's way through routing, hooks and responses costs more than a ruling. Here a call whose
address, body and caller are as they should be is answered straight away, with the same status,
headers and octets. Whatever is wrong with one, and whatever else is asked, goes on to Flask, with
what was found out: so every fault is told in one place, and nothing is counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from google.protobuf.message import Message

from guncamera.api.caller import Caller
from guncamera.api.config import Config
from guncamera.api.rest_answers import (
    EXPOSED_HEADERS,
    JSON_TYPE,
    Headers,
    Written,
    common_headers,
    written,
)
from guncamera.api.rest_arrival import Arrival, EnvironHeaders, begun
from guncamera.api.rest_request import check_form, read_posted
from guncamera.api.routes import SHORT, Route, Rpc, rpcs

Environ: TypeAlias = dict[str, Any]
Wsgi: TypeAlias = Callable[[Environ, Any], Iterable[bytes]]

MOST_BYTES_AT_ONCE = 64 * 1024
_IN_SESSION = "/v1/sessions/"
_CORS: Headers = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", ", ".join(sorted(EXPOSED_HEADERS))),
]


@dataclass(frozen=True, slots=True)
class ShortCall:
    """One call that may be answered here."""

    rpc: Rpc
    route: Route
    method: Callable[[Message, Caller], Any]
    limit: int


class RestLane:
    """Answers the short calls of REST; see the module.

    Args:
        flask: Answers everything else.
        methods: What answers each call, by its name.
    """

    def __init__(
        self, flask: Wsgi, methods: Mapping[str, Callable[..., Any]], config: Config
    ) -> None:
        self._flask = flask
        self._config = config
        # By the whole path, or by what follows the name of a session.
        self._calls = {
            route.path.replace(f"{_IN_SESSION}{{session}}", ""): ShortCall(
                rpc, route, methods[rpc.name], config.body_limit(rpc.name)
            )
            for rpc in rpcs()
            for route in rpc.routes
            if rpc.name in SHORT
        }

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answer a request."""
        answer = self._answer(environ, at_once=False)
        if answer is None:
            return self._flask(environ, start_response)
        start_response(answer.status_line, answer.headers)
        return [answer.body]

    def at_once(self, environ: Environ) -> Written | None:
        """The answer to a request, if it is there without waiting for the store, and is short."""
        return self._answer(environ, at_once=True)

    def find(self, method: str, path: str) -> tuple[ShortCall, dict[str, str]] | None:
        """The call that an address stands for, if it is one of those, and its segments."""
        if method != "POST":
            return None
        if not path.startswith(_IN_SESSION):
            call = self._calls.get(path)
            return None if call is None else (call, {})
        session, colon, verb = path[len(_IN_SESSION) :].partition(":")
        call = self._calls.get(colon + verb)
        if call is None or not session or "/" in session:
            return None
        return call, {"session": session}

    def _answer(self, environ: Environ, *, at_once: bool) -> Written | None:
        found = self.find(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if found is None or environ.get("QUERY_STRING"):
            return None
        call, segments = found
        length = _length_of(environ)
        if length is None or length > call.limit:
            return None
        if at_once and (call.rpc.in_session or length > MOST_BYTES_AT_ONCE):
            return None
        if not environ["PATH_INFO"].isascii():
            return None  # Flask knows which characters it stands for
        arrival = begun(environ, call.rpc.name, self._config)
        if arrival.fault is not None:
            return None
        try:
            return self._ruled(call, segments, environ, length, arrival)
        except Exception as fault:
            arrival.fault = fault
            return None

    def _ruled(
        self,
        call: ShortCall,
        segments: dict[str, str],
        environ: Environ,
        length: int,
        arrival: Arrival,
    ) -> Written | None:
        config, name = self._config, call.rpc.name
        caller = config.access.judge(name, arrival.caller)
        if caller.is_unseen:
            return None  # to be looked up in the store
        if config.limits is not None:
            look = config.limits.judge(name, caller, segments.get("session", ""))
            if look is not None:
                return None  # likewise; nothing has been counted
        arrival.caller = caller
        body = environ["wsgi.input"].read(length) if length else b""
        headers = EnvironHeaders(environ)
        if body:
            check_form(_mimetype(environ), headers)
        message = read_posted(body, headers, call.rpc, call.route, segments)
        answer = call.method(message, caller)
        arrival.record.answered(answer)
        said = written(call.rpc, call.route, answer, caller, config)
        said.headers.extend(_CORS)
        said.headers.extend(common_headers(config, caller))
        arrival.record.end()
        return said


def _length_of(environ: Environ) -> int | None:
    """The length of the body; None where it is not declared."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    declared = environ.get("CONTENT_LENGTH") or "0"
    return int(declared) if declared.isascii() and declared.isdigit() else None


def _mimetype(environ: Environ) -> str:
    kind: str = environ.get("CONTENT_TYPE", "")
    return kind if kind == JSON_TYPE else kind.partition(";")[0].strip().lower()
