"""What is unsafe about a service as it is set up, each with the way out; told before it serves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from guncamera.api import tracing
from guncamera.host.entrance import ServiceError, who_may_call
from guncamera.host.rate_settings import AUTOMATIC, OFF
from guncamera.host.settings import ServiceSettings, SettingsError, env_name, is_loopback
from guncamera.host.signing_file import check_signing
from guncamera.host.variant_files import variants_in
from guncamera.rules.variant import Variant
from guncamera.sessions.embedded import store_in
from guncamera.sessions.redis_lines import split_hosts
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.store import StoreReport

_LOST_WITH_POWER = {"everysec": "the last second of play", "no": "the last half minute of play"}


@dataclass(frozen=True, slots=True)
class Report:
    """Who may call a service, in a sentence, and what is unsafe about it, a point each.

    Attributes:
        variants: What it offers beside the rules as printed.
    """

    who: str
    unsafe: tuple[str, ...]
    variants: tuple[Variant, ...] = ()

    def lines(self) -> Iterator[str]:
        """The report as a block of lines, for whoever starts the service."""
        for one in self.variants:
            said = one.imprint
            yield (
                f"variant {said.name} of {one.ruleset.slug}, {said.version}, by {said.author}: "
                f"{one.pin.hash}"
            )
        if not self.unsafe:
            yield "nothing unsafe was found"
            return
        count = len(self.unsafe)
        yield f"NOT SAFE in {count} {'point' if count == 1 else 'points'}:"
        for number, point in enumerate(self.unsafe, start=1):
            yield f"  {number}. {point}"


def look_over(settings: ServiceSettings, store_url: str) -> Report:
    """Look at settings, store, keys and files.

    Args:
        settings: As they were given.
        store_url: The store's address, also when it is the embedded one.

    Raises:
        ServiceError: The service must not start like this.
        SettingsError: A setting is wrong.
    """
    variants = tuple(variants_in(settings.variants))
    try:
        store = RedisStore(store_url, replicas=settings.replicas)
    except ValueError as wrong:
        raise SettingsError(f"GUNCAMERA_STORE_URL: {wrong}") from None
    try:
        found = store.check()
        if found.refusal:
            raise ServiceError(found.refusal)
        now_micros = time.time_ns() // 1000
        check_signing(settings, store, now_micros)
        entrance = who_may_call(settings, store, now_micros)
    finally:
        store.close()
    points = (
        *entrance.unsafe,
        *settings.warnings(),
        *found.warnings,
        *_of_shared_store(settings, found),
        *_of_limits(settings),
        *_of_files(settings),
        *_of_tracing(),
    )
    return Report(entrance.sentence, points, variants)


def is_safe(settings: ServiceSettings, say: Callable[[str], None]) -> bool:
    """Look a service over without starting it; the embedded store is started for a moment.

    Raises:
        ServiceError: It would not start like this.
        SettingsError: A setting is wrong.
        EmbeddedStoreError: The embedded store does not start.
    """
    place = nullcontext(settings.store_url) if settings.store_url else store_in(settings.data_path)
    with place as store_url:
        report = look_over(settings, store_url)
    for line in (*report.lines(), report.who):
        say(line)
    return not report.unsafe


def _of_shared_store(settings: ServiceSettings, found: StoreReport) -> Iterator[str]:
    """What is unsafe about a store of one's own; the embedded one is set up by us."""
    url = settings.store_url
    if not url:
        return
    yield from _of_way_to_store(url)
    lost = _LOST_WITH_POWER.get(found.appendfsync)
    if lost and "aof" in found.persistence:
        yield (
            f"The store's appendfsync is {found.appendfsync}: a loss of power may cost {lost}. "
            "Set it to always if that must not be."
        )
    if not settings.signing_key:
        yield (
            "The key that signs receipts is kept in the store, so whoever can read the store can "
            "sign. Give it in a file: GUNCAMERA_SIGNING_KEY."
        )
    if not settings.page_key:
        yield (
            "The key of page tokens is made at each start: other services on this store refuse "
            "the tokens of this one, as it does after its next start. Set GUNCAMERA_PAGE_KEY."
        )


def _of_way_to_store(url: str) -> Iterator[str]:
    scheme = urlsplit(url).scheme
    if scheme == "unix":
        return
    single, hosts, _ = split_hosts(url)
    elsewhere = [f"{host}:{port}" for host, port in hosts if not is_loopback(f"{host}:{port}")]
    if not elsewhere:
        return
    named = ", ".join(elsewhere)
    if not urlsplit(single).password:
        yield (
            f"The store at {named} asks for no password: whoever reaches it can read and change "
            "every session and make keys. Set one, and give it in GUNCAMERA_STORE_URL."
        )
    if not scheme.startswith("rediss"):
        yield (
            f"The store at {named} is spoken to in the clear: sessions and its password can be "
            "read on the way. Use rediss://, or a network of their own."
        )


def _of_limits(settings: ServiceSettings) -> Iterator[str]:
    off = [env_name(name) for name in AUTOMATIC if getattr(settings, name) in OFF]
    if off:
        yield (
            f"Nothing limits callers where {', '.join(off)} would: one of them can keep all others "
            "waiting, or fill the store. Set it to auto."
        )


def _of_files(settings: ServiceSettings) -> Iterator[str]:
    if not settings.store_url and _is_open_to_others(settings.data_path):
        yield (
            f"Others on this machine can read {settings.data_path}, and with it every session: "
            "chmod 700 it."
        )
    if settings.signing_key and _is_open_to_others(Path(settings.signing_key).expanduser()):
        yield (
            f"Others on this machine can read the signing key in {settings.signing_key}: "
            "chmod 600 it."
        )


def _is_open_to_others(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & 0o077)
    except FileNotFoundError:
        return False


def _of_tracing() -> Iterator[str]:
    if tracing.is_wanted() and not tracing.is_installed():
        yield (
            "A collector of traces is named, and no trace is sent, for the extra is not installed: "
            "pip install 'guncamera[otel]'."
        )
