"""Granian's own interface (RSGI) in front of a WSGI application.

Under WSGI a body is read by the thread of its call, which cannot give up on it. Here it is taken in
first, in the event loop, with a deadline; then a thread answers the call. A call that needs none is
answered in the loop.
"""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Flask
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]
from werkzeug.exceptions import HTTPException

from guncamera.api.config import Config
from guncamera.api.rest_arrival import begun, environ_key
from guncamera.api.rest_lane import RestLane
from guncamera.host.rest_bodies import Bodies, GoneAwayError
from guncamera.host.rest_threads import Threads

LOG = logging.getLogger(__name__)

PLAIN_THREADS = 64
"""Threads beside those of streams: so many calls may wait for a slow store at once."""
WITHOUT_BODY = (204, 304)

_SAME_FOR_ALL = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}


class Bridge:
    """What granian serves: a WSGI application, its bodies read beforehand.

    Args:
        app: With the short cut before it, or without.
    """

    def __init__(self, app: Flask, config: Config) -> None:
        self._config = config
        self._wsgi: Any = app.wsgi_app
        self._lane = self._wsgi if isinstance(self._wsgi, RestLane) else None
        self._addresses = app.url_map.bind("")
        self._bodies = Bodies(seconds=config.body_seconds, most_bytes=config.max_large_bytes)
        self._loop: asyncio.AbstractEventLoop
        self._threads: Threads

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take the event loop that is about to run."""
        self._loop = loop
        self._threads = Threads(loop, most=PLAIN_THREADS + self._config.max_streams)

    async def __rsgi__(self, scope: Scope, proto: HTTPProtocol) -> None:
        """Answer one request."""
        environ = environ_of(scope)
        size = await self._read(environ, proto) if may_have_body(environ) else 0
        if size is None:
            return
        try:
            answer = None if self._lane is None else self._lane.at_once(environ)
            if answer is not None:
                proto.response_bytes(answer.status, answer.headers, answer.body)
                return
            done = self._loop.create_future()
            self._threads.do(partial(self._answer, environ, proto, done))
            await done
        finally:
            self._bodies.forget(size)

    async def _read(self, environ: dict[str, Any], proto: HTTPProtocol) -> int | None:
        """Read the body where a call may take it, and note what is wrong with it.

        Returns:
            Bytes read; None when the caller has gone away.
        """
        name = self._name_of(environ)
        if name is None:  # whatever is answered, the body plays no part in it
            return 0
        arrival = begun(environ, name, self._config)
        try:
            self._config.access.judge(name, arrival.caller)  # who is not let in is not read
            declared = environ.get("CONTENT_LENGTH")
            body = await self._bodies.read(
                proto,
                self._config.body_limit(name),
                int(declared) if declared else None,
            )
        except (GoneAwayError, ProtocolClosed):
            arrival.record.end("CANCELLED")
            return None
        except Exception as fault:
            arrival.fault = fault
            # The fault remembers this frame: with these in it, all would wait for a collector.
            del arrival, proto, environ
            return 0
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return len(body)

    def _name_of(self, environ: dict[str, Any]) -> str | None:
        """The name of the call that is asked for; None for pages, and where there is nothing."""
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if self._lane is not None:
            found = self._lane.find(method, path)
            if found is not None:
                return found[0].rpc.name
        if method == "OPTIONS":
            return None
        try:
            endpoint, _ = self._addresses.match(_as_text(path), method)
        except (HTTPException, UnicodeDecodeError):
            return None
        name, slash, _ = str(endpoint).partition("/")
        return name if slash else None

    def _answer(
        self, environ: dict[str, Any], proto: HTTPProtocol, done: asyncio.Future[None]
    ) -> None:
        """Answer in a thread."""
        try:
            self._respond(environ, proto)
        except ProtocolClosed:
            pass  # there is nobody to answer
        except Exception:
            LOG.exception("an answer could not be sent")
            with suppress(Exception):
                proto.response_empty(500, [])
        finally:
            with suppress(RuntimeError):  # the loop has ended, and the process will
                self._loop.call_soon_threadsafe(_finish, done)

    def _respond(self, environ: dict[str, Any], proto: HTTPProtocol) -> None:
        said: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], _fault: Any = None) -> None:
            said[:] = int(status[:3]), headers

        chunks = self._wsgi(environ, start_response)
        try:
            status, headers = said
            if status in WITHOUT_BODY:
                proto.response_empty(status, headers)
            elif any(name.lower() == "content-length" for name, _ in headers):
                proto.response_bytes(status, headers, b"".join(chunks))
            else:
                self._stream(chunks, proto, status, headers)
        finally:
            close = getattr(chunks, "close", None)
            if close is not None:
                close()

    def _stream(
        self,
        chunks: Iterable[bytes],
        proto: HTTPProtocol,
        status: int,
        headers: list[tuple[str, str]],
    ) -> None:
        transport = proto.response_stream(status, headers)

        async def send(chunk: bytes) -> None:
            await transport.send_bytes(chunk)

        for chunk in chunks:
            asyncio.run_coroutine_threadsafe(send(chunk), self._loop).result()


def _finish(done: asyncio.Future[None]) -> None:
    if not done.done():  # who waited may have been told to stop
        done.set_result(None)


def environ_of(scope: Scope) -> dict[str, Any]:
    """A request as WSGI has it, its body left out."""
    host, _, port = scope.server.rpartition(":")
    environ = {
        **_SAME_FOR_ALL,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": _as_wsgi(scope.path),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(),
    }
    for name, value in scope.headers.items():
        if "_" in name:  # it would pass for the one with a hyphen
            continue
        key = environ_key(name)
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    if scope.authority:
        environ.setdefault("HTTP_HOST", scope.authority)
    return environ


def may_have_body(environ: dict[str, Any]) -> bool:
    """Whether there may be something to wait for; only HTTP/1 says so by its headers."""
    declared = environ.get("CONTENT_LENGTH")
    if declared is not None:
        return bool(declared != "0")
    is_http1 = environ["SERVER_PROTOCOL"].startswith("HTTP/1")
    return not is_http1 or "HTTP_TRANSFER_ENCODING" in environ


def _as_wsgi(text: str) -> str:
    return text if text.isascii() else text.encode().decode("latin-1")


def _as_text(path: str) -> str:
    return path if path.isascii() else path.encode("latin-1").decode()
