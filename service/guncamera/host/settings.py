"""The service's settings: by flag, by environment, or their defaults. Wrong ones stop the start."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from ipaddress import ip_address
from pathlib import Path

ENV_PREFIX = "GUNCAMERA_"
# A client's, read by our own commands. A service may find it in its environment, and leaves it.
KEY_VARIABLE = "GUNCAMERA_KEY"


class SettingsError(Exception):
    """A setting is wrong; the message names it and says what it takes."""


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What `guncamera serve` runs with. Each is a flag and an environment variable.

    Attributes:
        rest_address: Where REST listens, `host:port`.
        grpc_address: Where gRPC listens, `host:port`.
        data_dir: Where the embedded store keeps sessions.
        store_url: A Redis or Valkey to use instead; empty for the embedded one.
        grpc_workers: gRPC processes, each pinned to a core.
        rest_workers: REST processes.
        grpc_lane: `fast` or `standard`: how gRPC takes the short calls; see `api.grpc_lane`.
        max_streams: Watches and waiting polls open at once, per process.
        public_base_url: The address callers see, for links in answers; empty if unknown.
        open: Whether everyone is let in while there was never a key: `yes`, `no`, or empty for
            yes where only this machine reaches the addresses. With keys nobody is let in without.
        page_key: Signs page tokens; empty makes one at each start.
        signing_key: A file with the key that signs receipts; empty for one in the store.
        drain_seconds: How long calls may take to finish when the service stops.
    """

    rest_address: str = "127.0.0.1:8080"
    grpc_address: str = "127.0.0.1:50051"
    data_dir: str = "guncamera-data"
    store_url: str = ""
    grpc_workers: int = 1
    rest_workers: int = 1
    grpc_lane: str = "fast"
    max_streams: int = 64
    public_base_url: str = ""
    open: str = ""
    page_key: str = ""
    signing_key: str = ""
    drain_seconds: int = 10

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


def env_name(field: str) -> str:
    """The environment variable of a setting."""
    return ENV_PREFIX + field.upper()


def settings_from(
    environment: Mapping[str, str], flags: Mapping[str, str | int | None]
) -> ServiceSettings:
    """Settings from flags, else the environment, else the defaults; checked.

    Raises:
        SettingsError: One is wrong, or an environment variable of ours is unknown.
    """
    known = {f.name for f in fields(ServiceSettings)}
    allowed = {env_name(name) for name in known}
    ours = sorted(name for name in environment if name.startswith(ENV_PREFIX))
    unknown = [name for name in ours if name not in allowed and name != KEY_VARIABLE]
    if unknown:
        raise SettingsError(
            f"{unknown[0]} is no setting. The settings are {', '.join(sorted(allowed))}."
        )
    chosen: dict[str, str | int] = {}
    for field in fields(ServiceSettings):
        flag = flags.get(field.name)
        given = flag if flag is not None else environment.get(env_name(field.name))
        if given is not None:
            chosen[field.name] = _typed(field.name, given)
    return _checked(replace(ServiceSettings(), **chosen))  # type: ignore[arg-type]  # by _typed


def _typed(name: str, given: str | int) -> str | int:
    if not isinstance(getattr(ServiceSettings(), name), int):
        return str(given)
    try:
        return int(given)
    except ValueError:
        raise SettingsError(f"{env_name(name)} is {given!r}; give a whole number.") from None


_ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:]+\]|[^\[\]:\s]+):(\d{1,5})")
_LIMITS = {
    "grpc_workers": (0, 64),
    "rest_workers": (0, 64),
    "max_streams": (1, 10_000),
    "drain_seconds": (0, 600),
}


def _checked(settings: ServiceSettings) -> ServiceSettings:
    for name in ("rest_address", "grpc_address"):
        value = getattr(settings, name)
        found = _ADDRESS.fullmatch(value)
        if found is None or not 0 < int(found[1]) <= 65535:
            raise SettingsError(
                f"{env_name(name)} is {value!r}; give host:port, as 127.0.0.1:8080."
            )
    for name, (low, high) in _LIMITS.items():
        if not low <= getattr(settings, name) <= high:
            raise SettingsError(
                f"{env_name(name)} is {getattr(settings, name)}; give {low} to {high}."
            )
    if settings.open not in ("", "yes", "no"):
        raise SettingsError(
            f"{env_name('open')} is {settings.open!r}; give yes, no, or nothing for yes where only "
            "this machine reaches the addresses."
        )
    if settings.grpc_lane not in ("fast", "standard"):
        raise SettingsError(
            f"{env_name('grpc_lane')} is {settings.grpc_lane!r}; give fast or standard."
        )
    if settings.store_url and "://" not in settings.store_url:
        raise SettingsError(
            f"{env_name('store_url')} is {settings.store_url!r}; give redis://host:6379/0, "
            "rediss://…, unix:///path, redis+cluster://… or redis+sentinel://…/service."
        )
    return settings


def current() -> ServiceSettings:
    """The settings of this process, from its environment alone: what a worker runs with."""
    return settings_from(os.environ, {})
