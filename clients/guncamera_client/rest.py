"""The blocking client over HTTP and JSON: the same calls and messages as over gRPC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import httpx
from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import Heartbeat, WatchSessionResponse

from guncamera_client._blocking.access import AccessCalls
from guncamera_client._blocking.batches import BatchCalls
from guncamera_client._blocking.calls import Stream
from guncamera_client._blocking.resolution import ResolutionCalls
from guncamera_client._blocking.rulesets import RulesetCalls
from guncamera_client._blocking.undos import UndoCalls
from guncamera_client._grpc import is_loopback, package_version
from guncamera_client._http import (
    check_base_url,
    error_of,
    error_of_transport,
    read_answer,
    read_json,
)
from guncamera_client._methods import Method
from guncamera_client.errors import Unavailable
from guncamera_client.retry import DEFAULT_RETRY, RetryPolicy

R = TypeVar("R", bound=Message)

DEFAULT_BASE_URL = "http://127.0.0.1:8080"


class RestClient(RulesetCalls, ResolutionCalls, BatchCalls, AccessCalls, UndoCalls):
    """Asks a service, over HTTP, and waits for the answer. Threads may share one.

    Every method is that of `Client`, and takes and returns the same messages. A watch that another
    thread closes ends at its next sign of life.

    Args:
        base_url: Where the service listens, without `/v1`.
        token: A key, or a seat's token from `claim_seat`. None, where the service asks for no key,
            looks on and plays unclaimed seats. Keep keys out of source files and browsers.
        timeout_seconds: How long an attempt at a call may wait for the network each time it must,
            above 0. Watches have no such limit.
        heartbeat_seconds: A watch that is silent for longer is taken for broken, above 0. The
            service sends a heartbeat every 7 seconds.
        retry: When a call is repeated.
        transport: Another way to reach the service, such as `httpx.MockTransport` in tests.

    Example:
        ```python
        with RestClient("https://guns.example") as client:
            ruling = client.resolve_fire(KetteringFireFacts(…), dice=[4, 6])
            print(ruling.summary)
        ```
    """

    def __init__(
        self,
        base_url: str = DEFAULT_BASE_URL,
        *,
        token: str | None = None,
        timeout_seconds: float = 5.0,
        heartbeat_seconds: float = 20.0,
        retry: RetryPolicy = DEFAULT_RETRY,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(
            token=token,
            timeout_seconds=timeout_seconds,
            heartbeat_seconds=heartbeat_seconds,
            retry=retry,
        )
        check_base_url(base_url)
        self.base_url = base_url
        url = httpx.URL(base_url)
        is_here = is_loopback(url.netloc.decode("ascii"))
        self._http = httpx.Client(
            base_url=base_url,
            transport=transport,
            trust_env=not is_here,
            # Without TLS, nor a proxy that may speak it, certificates are not worth reading.
            verify=not (is_here and url.scheme == "http"),
            headers={
                "Accept": "application/json",
                "User-Agent": f"guncamera-client/{package_version()}",
            },
        )

    def _send(
        self, method: Method, request: Message, response: type[R], timeout_seconds: float
    ) -> R:
        try:
            answer = self._http.send(self._request(method, request, httpx.Timeout(timeout_seconds)))
        except httpx.TransportError as error:
            raise error_of_transport(error, self.base_url) from error
        return read_answer(answer, response)

    def _open(self, method: Method, request: Message, silence_seconds: float) -> Stream:
        timeout = httpx.Timeout(self._timeout_seconds, read=silence_seconds)
        try:
            answer = self._http.send(self._request(method, request, timeout), stream=True)
            if not answer.is_success:
                answer.read()
                raise error_of(answer)
        except httpx.TransportError as error:
            raise error_of_transport(error, self.base_url) from error
        return _HttpStream(answer, self.base_url)

    def _request(self, method: Method, request: Message, timeout: httpx.Timeout) -> httpx.Request:
        call = method.as_http(request)
        return self._http.build_request(
            call.verb,
            call.path,
            params=call.query or None,
            json=call.body,
            headers={"Authorization": f"Bearer {self._token}"} if self._token else None,
            timeout=timeout,
        )

    def _close_transport(self) -> None:
        self._http.close()


class _HttpStream:
    """A watch over HTTP: a message on each line, an empty line as a sign of life."""

    def __init__(self, answer: httpx.Response, address: str) -> None:
        self._answer = answer
        self._address = address
        self._lines = _lines(answer)
        self._cursor = ""

    def __next__(self) -> WatchSessionResponse:
        try:
            line = next(self._lines)
        except httpx.ReadTimeout as error:
            raise Unavailable(f"Heard nothing from {self._address} for too long.") from error
        except (httpx.TransportError, httpx.StreamError) as error:
            raise error_of_transport(error, self._address) from error
        if not line.strip():
            return WatchSessionResponse(heartbeat=Heartbeat(), cursor=self._cursor)
        message = read_json(line, WatchSessionResponse)
        self._cursor = message.cursor
        return message

    def close(self) -> None:
        self._answer.close()


def _lines(answer: httpx.Response) -> Iterator[bytes]:
    """Whole lines only: what follows the last line feed is the stump of a cut stream.

    httpx's own `iter_lines` also breaks lines at characters that JSON may hold as they are.
    """
    rest = b""
    for chunk in answer.iter_bytes():
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
