"""What is known of an HTTP request before Flask hears of it, handed on in its environ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from guncamera.api.caller import Caller, caller_from
from guncamera.api.config import Config
from guncamera.api.telemetry import RequestRecord

TRANSPORT = "rest"
_KEY = "guncamera.arrival"
_BARE = ("CONTENT_TYPE", "CONTENT_LENGTH")


@dataclass(slots=True)
class Arrival:
    """A request that somebody has begun to look at.

    Attributes:
        caller: Who calls; let in already where a call has counted it.
        record: Its line in the log, which has been opened.
        fault: What is wrong with it, for Flask to tell; None for nothing so far.
    """

    caller: Caller
    record: RequestRecord
    fault: Exception | None = None


def begun(environ: dict[str, Any], method: str, config: Config) -> Arrival:
    """The arrival of a request, which begins with the first who asks.

    Args:
        method: The name of the call, if this is the first.
    """
    found: Arrival | None = environ.get(_KEY)
    if found is None:
        headers = EnvironHeaders(environ)
        caller = caller_of(headers)
        record = config.telemetry.begin(method, TRANSPORT, caller, headers)
        found = environ[_KEY] = Arrival(caller, record)
    return found


def caller_of(headers: Mapping[str, str]) -> Caller:
    """Who calls."""
    return caller_from(headers, etag_is_header=headers.get("if-match", "*").strip() != "*")


def environ_key(name: str) -> str:
    """The name of a header as an environ has it."""
    key = name.upper().replace("-", "_")
    return key if key in _BARE else f"HTTP_{key}"


_known_key = cache(environ_key)  # for names of ours: callers may send any


class EnvironHeaders(Mapping[str, str]):
    """The headers of an environ by lower-case names. Flask's own are slower to make."""

    __slots__ = ("_environ",)

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        found: str = self._environ[environ_key(name)]
        return found

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a header; `Mapping` would raise and catch for each that is not there."""
        return self._environ.get(_known_key(name), default)

    def __iter__(self) -> Iterator[str]:
        for key in self._environ:
            if key.startswith("HTTP_") or key in _BARE:
                yield key.removeprefix("HTTP_").replace("_", "-").lower()

    def __len__(self) -> int:
        return sum(1 for _ in self)
