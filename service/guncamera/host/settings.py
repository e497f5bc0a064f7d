"""The service's settings, each with its default. Wrong ones stop the start."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import ip_address
from pathlib import Path

from guncamera.host.cores import usable_cores
from guncamera.host.rate_settings import AUTO, check_rates
from guncamera.host.setting_sources import (
    KEY_VARIABLE,
    Given,
    SettingsError,
    Value,
    env_name,
    gather,
)
from guncamera.sessions.redis_replicas import MOST_MILLIS, Replicas

__all__ = ["KEY_VARIABLE", "ServiceSettings", "SettingsError", "current", "env_name"]

MOST_WORKERS = 64


def one_for_each_core() -> int:
    """gRPC workers where nobody says how many: each keeps a core busy."""
    return min(usable_cores(), MOST_WORKERS)


def one_for_two_cores() -> int:
    """REST processes where nobody says how many: half as many, for most calls come by gRPC."""
    return max(1, one_for_each_core() // 2)


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What `guncamera serve` runs with: by flag, environment variable or file; `docs/settings.md`.

    Attributes:
        rest_address: Where REST listens, `host:port`.
        grpc_address: Where gRPC listens, `host:port`.
        data_dir: Where the embedded store keeps sessions.
        store_url: A Redis or Valkey to use instead; empty for the embedded one.
        store_replicas: How many of its replicas must have what was written before it is
            acknowledged; 0 waits for none.
        store_replica_millis: How long they may take, before the caller has to ask again.
        grpc_workers: gRPC processes, each pinned to a core; one for each that may be used.
        rest_workers: REST processes; one for two cores.
        grpc_lane: `fast` or `standard`: how gRPC takes the short calls; see `api.grpc_lane`.
        rest_lane: `fast` or `standard`: how REST takes the short calls; see `api.rest_lane`.
        max_streams: Watches and waiting polls open at once, per process.
        body_seconds: How long each MiB of a REST body may take to come.
        public_base_url: The address callers see, for links in answers; empty if unknown.
        open: Whether everyone is let in while there was never a key: `yes`, `no`, or empty for
            yes where only this machine reaches the addresses. With keys nobody is let in without.
        page_key: Signs page tokens; empty makes one at each start.
        signing_key: A file with the key that signs receipts; empty for one in the store.
        variants: A folder of variants that may be played; empty for none.
        rate_per_key: Calls a key may make, as `600/minute`; `auto`, or 0 for as many as it likes.
        rate_per_session: Calls about one session, likewise.
        creates_per_key: Sessions a key may create, likewise.
        unready_seconds: How long a service that stops still answers, after it has said that it is
            not ready, so that balancers send nobody there any more.
        drain_seconds: How long calls may then take to finish.
    """

    rest_address: str = "127.0.0.1:8080"
    grpc_address: str = "127.0.0.1:50051"
    data_dir: str = "guncamera-data"
    store_url: str = ""
    store_replicas: int = 0
    store_replica_millis: int = 500
    grpc_workers: int = field(default_factory=one_for_each_core)
    rest_workers: int = field(default_factory=one_for_two_cores)
    grpc_lane: str = "fast"
    rest_lane: str = "fast"
    max_streams: int = 64
    body_seconds: int = 10
    public_base_url: str = ""
    open: str = ""
    page_key: str = ""
    signing_key: str = ""
    variants: str = ""
    rate_per_key: str = AUTO
    rate_per_session: str = AUTO
    creates_per_key: str = AUTO
    unready_seconds: int = 0
    drain_seconds: int = 10

    @property
    def replicas(self) -> Replicas:
        """What is waited for before a write is acknowledged."""
        return Replicas(self.store_replicas, self.store_replica_millis)

    @property
    def data_path(self) -> Path:
        """The data directory, absolute."""
        return Path(self.data_dir).expanduser().resolve()

    def environment(self) -> dict[str, str]:
        """The same settings as environment variables, for the workers."""
        return {env_name(f.name): str(getattr(self, f.name)) for f in fields(self)}

    @property
    def reached_from_elsewhere(self) -> list[str]:
        """The addresses that other machines reach: `REST 0.0.0.0:8080`."""
        served = (
            ("REST", self.rest_address, self.rest_workers),
            ("gRPC", self.grpc_address, self.grpc_workers),
        )
        return [
            f"{name} {address}"
            for name, address, workers in served
            if workers and not is_loopback(address)
        ]

    @property
    def may_be_open(self) -> bool:
        """Whether everyone may be let in while there was never a key."""
        return self.open == "yes" or (self.open == "" and not self.reached_from_elsewhere)

    def warnings(self) -> list[str]:
        """What is unsafe about them, a sentence each."""
        return [
            f"{address} is reached by other machines, in the clear: keys and tokens can be read on "
            "the way. Put something that speaks TLS in front of it."
            for address in self.reached_from_elsewhere
        ]


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches `host:port`."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, which may lead anywhere
        return False


def settings_from(
    environment: Mapping[str, str], flags: Mapping[str, str | int | None]
) -> ServiceSettings:
    """Settings from flags, else the environment, else the file that they name, else the defaults.

    Args:
        flags: By setting, and the file under `config`; None where a flag is not given.

    Raises:
        SettingsError: One is wrong, or unknown.
    """
    given = gather([f.name for f in fields(ServiceSettings)], environment, flags)
    chosen = {name: _typed(name, one) for name, one in given.items()}
    settings = replace(ServiceSettings(), **chosen)  # type: ignore[arg-type]  # by _typed
    return _checked(settings, {name: one.name for name, one in given.items()})


def _typed(name: str, given: Given) -> Value:
    value = given.value
    if name == "open" and isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(getattr(ServiceSettings(), name), int):
        if isinstance(value, str):
            return value
        raise SettingsError(f"{given.name} is {value!r}; give text.")
    if given.is_text and isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            pass
    elif type(value) is int:
        return value
    raise SettingsError(f"{given.name} is {value!r}; give a whole number.")


_BASE_URL = re.compile(r"https?://[^\s/?#]+(?:/[^\s?#]*)?")
_ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:]+\]|[^\[\]:\s]+):(\d{1,5})")
_LIMITS = {
    "store_replicas": (0, 16),
    "store_replica_millis": (1, MOST_MILLIS),
    "grpc_workers": (0, MOST_WORKERS),
    "rest_workers": (0, MOST_WORKERS),
    "max_streams": (1, 10_000),
    "body_seconds": (1, 600),
    "unready_seconds": (0, 600),
    "drain_seconds": (0, 600),
}


def _checked(settings: ServiceSettings, called: Mapping[str, str]) -> ServiceSettings:
    """The settings, if each is one that can be served with; `called` says how each was given."""
    for name in ("rest_address", "grpc_address"):
        value = getattr(settings, name)
        found = _ADDRESS.fullmatch(value)
        if found is None or not 0 < int(found[1]) <= 65535:
            raise SettingsError(f"{called[name]} is {value!r}; give host:port, as 127.0.0.1:8080.")
    for name, (low, high) in _LIMITS.items():
        if not low <= getattr(settings, name) <= high:
            raise SettingsError(
                f"{called[name]} is {getattr(settings, name)}; give {low} to {high}."
            )
    base_url = settings.public_base_url
    if base_url and not _BASE_URL.fullmatch(base_url):
        raise SettingsError(
            f"{called['public_base_url']} is {base_url!r}; give https://host, with the path below "
            "which a proxy shows the service, if it has one."
        )
    if settings.open not in ("", "yes", "no"):
        raise SettingsError(
            f"{called['open']} is {settings.open!r}; give yes, no, or nothing for yes where only "
            "this machine reaches the addresses."
        )
    for name in ("grpc_lane", "rest_lane"):
        value = getattr(settings, name)
        if value not in ("fast", "standard"):
            raise SettingsError(f"{called[name]} is {value!r}; give fast or standard.")
    if settings.store_url and "://" not in settings.store_url:
        raise SettingsError(
            f"{called['store_url']} is {settings.store_url!r}; give redis://host:6379/0, "
            "rediss://…, unix:///path, redis+cluster://… or redis+sentinel://…/service."
        )
    if settings.store_replicas and not settings.store_url:
        raise SettingsError(
            f"{called['store_replicas']} is {settings.store_replicas}, and the embedded store has "
            "no replicas; give 0, or a store of your own in GUNCAMERA_STORE_URL."
        )
    check_rates(settings, called)
    return settings


def current() -> ServiceSettings:
    """The settings of this process, from its environment alone: what a worker runs with."""
    return settings_from(os.environ, {})
