"""How a Redis or Valkey is set up, and what about that would lose sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from redis.exceptions import RedisError

from guncamera.sessions.redis_errors import store_error
from guncamera.sessions.redis_lines import Reply, Transport, raise_first
from guncamera.sessions.store import StoreError, StoreReport

OLDEST_REDIS = (6, 2)


def report_on(transport: Transport) -> StoreReport:
    """Ask every server how it is set up, and report on the worst of them."""
    try:
        answers = transport.ask_each_server(("INFO",), ("CONFIG", "GET", "save"))
        reports = [_report(_info(raise_first([info])[0]), save) for info, save in answers]
    except RedisError as error:
        return _unreachable(store_error(error))
    except StoreError as error:
        return _unreachable(error)
    return max(reports, key=lambda report: (not report.is_ready, len(report.warnings)))


def _unreachable(error: StoreError) -> StoreReport:
    return StoreReport(
        is_reachable=False,
        server="",
        version="",
        persistence="unknown",
        eviction_policy="unknown",
        is_read_only=False,
        is_full=False,
        refusal="",
        warnings=(f"The store cannot be used now: {error}.",),
    )


def _info(reply: bytes) -> Mapping[str, str]:
    """Turn the reply to INFO into its fields."""
    lines = reply.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line and not line.startswith("#"))


def _report(info: Mapping[str, str], save: Reply) -> StoreReport:
    server = "valkey" if "valkey_version" in info else "redis"
    version = info.get("valkey_version") or info.get("redis_version", "")
    policy = info.get("maxmemory_policy", "unknown")
    memory_limit = int(info.get("maxmemory", 0))
    persistence = _persistence(info, save)
    is_read_only = info.get("role") == "slave"
    is_full = 0 < memory_limit <= int(info.get("used_memory", 0)) and policy == "noeviction"
    is_too_old = server == "redis" and _number(version) < OLDEST_REDIS
    return StoreReport(
        is_reachable=True,
        server=server,
        version=version,
        persistence=persistence,
        eviction_policy=policy,
        is_read_only=is_read_only,
        is_full=is_full,
        refusal=f"Redis {version} is too old; use 6.2 or later, or Valkey." if is_too_old else "",
        warnings=(
            *_eviction_warnings(policy),
            *_persistence_warnings(persistence, info),
            *(["The store is a replica and takes no writes; name its primary."] * is_read_only),
            *(["The store is full: give it more memory or delete sessions."] * is_full),
        ),
    )


def _number(version: str) -> tuple[int, ...]:
    """Return "6.2.14" as (6, 2): what decides is major and minor."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split(".")[:2])


def _persistence(info: Mapping[str, str], save: Reply) -> str:
    is_aof = info.get("aof_enabled") == "1"
    # Some hosts forbid CONFIG; then whether snapshots are on cannot be known.
    if isinstance(save, Exception):
        return "aof" if is_aof else "unknown"
    is_rdb = bool(save and save[1])
    return {(True, True): "aof+rdb", (True, False): "aof", (False, True): "rdb"}.get(
        (is_aof, is_rdb), "none"
    )


def _eviction_warnings(policy: str) -> Iterator[str]:
    # Every session has an expiry, so the volatile policies are no safer than the others.
    if policy not in ("noeviction", "unknown"):
        yield (
            f"The eviction policy is {policy}: when memory runs out, sessions that are being "
            "played disappear. Set maxmemory-policy to noeviction."
        )


def _persistence_warnings(persistence: str, info: Mapping[str, str]) -> Iterator[str]:
    if persistence == "none":
        yield "Nothing is saved to disk: a restart loses every session. Set appendonly to yes."
    if persistence == "rdb":
        yield (
            "Only snapshots are saved: a crash loses the actions since the last one. "
            "Set appendonly to yes."
        )
    if persistence == "unknown":
        yield "The store does not tell whether it saves to disk; make sure that it does."
    if "err" in (info.get("rdb_last_bgsave_status"), info.get("aof_last_write_status")):
        yield "The last save to disk failed: look at the store's log and its disk."
