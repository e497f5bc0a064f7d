"""How a Redis or Valkey is set up: what about that would lose sessions, or keeps them from play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from redis.exceptions import RedisError

from guncamera.sessions.redis_errors import store_error
from guncamera.sessions.redis_lines import Command, Reply, Transport, error_text, raise_first
from guncamera.sessions.redis_replicas import NONE, Replicas
from guncamera.sessions.store import StoreError, StoreReport

OLDEST_REDIS = (6, 2)
MOST_LAG_SECONDS = 3
"""Replicas tell every second how far they are; one that has said nothing for longer hangs."""
_REPLICA = re.compile(r"slave\d+")

# A write that changes nothing: to a key that is not there it adds no bytes, and makes none. A
# server that would refuse an action (full, a replica, unable to save) refuses this as well.
TRIAL_WRITE: Command = ("SETRANGE", "guncamera:trial", 0, "")
QUESTIONS: tuple[Command, ...] = (
    ("INFO",),
    ("CONFIG", "GET", "save"),
    ("CONFIG", "GET", "appendfsync"),
    TRIAL_WRITE,
)
REFUSALS = {
    "OOM": "The store is full: give it more memory or delete sessions.",
    "READONLY": "The store is a replica and takes no writes; name its primary.",
    "MISCONF": "The store takes no writes, for its last save to disk failed: look at its log and "
    "its disk.",
    "NOREPLICAS": "The store takes no writes, for too few replicas follow it: look after them.",
    "CLUSTERDOWN": "The store's cluster is down: look after its servers.",
}
"""How a server begins to say that it takes no writes now, and what that means.

Whatever else it says of the trial (that another server of the cluster has the key, that this user
may not do it) tells nothing of actions.
"""


def report_on(transport: Transport, replicas: Replicas = NONE) -> StoreReport:
    """Ask every server how it is set up, and report on the worst of them.

    Args:
        replicas: That each of them is to have.
    """
    try:
        answers = transport.ask_each_server(*QUESTIONS)
        reports = [
            _report(_info(raise_first(reply[:1])[0]), *reply[1:], wanted=replicas.count)
            for reply in answers
        ]
    except RedisError as error:
        return _unreachable(store_error(error))
    except StoreError as error:
        return _unreachable(error)
    return max(reports, key=lambda report: (len(report.hindrances), len(report.warnings)))


def _unreachable(error: StoreError) -> StoreReport:
    hindrances = (f"The store cannot be used now: {error}.",)
    return StoreReport(
        is_reachable=False,
        server="",
        version="",
        persistence="unknown",
        appendfsync="unknown",
        eviction_policy="unknown",
        is_read_only=False,
        is_full=False,
        refusal="",
        hindrances=hindrances,
        warnings=hindrances,
    )


def _info(reply: bytes) -> Mapping[str, str]:
    """Turn the reply to INFO into its fields."""
    lines = reply.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line and not line.startswith("#"))


def _report(
    info: Mapping[str, str], save: Reply, fsync: Reply, trial: Reply, *, wanted: int
) -> StoreReport:
    server = "valkey" if "valkey_version" in info else "redis"
    version = info.get("valkey_version") or info.get("redis_version", "")
    policy = info.get("maxmemory_policy", "unknown")
    is_too_old = server == "redis" and _number(version) < OLDEST_REDIS
    refusal = f"Redis {version} is too old; use 6.2 or later, or Valkey." if is_too_old else ""
    code = _refusal_code(info, trial)
    persistence = _persistence(info, save)
    hindrances = (
        *([refusal] if refusal else []),
        *_eviction_hindrances(policy),
        *([REFUSALS[code]] if code else []),
        *_replica_hindrances(info, wanted),
    )
    return StoreReport(
        is_reachable=True,
        server=server,
        version=version,
        persistence=persistence,
        appendfsync=_configured(fsync),
        eviction_policy=policy,
        is_read_only=code not in ("", "OOM"),
        is_full=code == "OOM",
        refusal=refusal,
        hindrances=hindrances,
        warnings=(*hindrances, *_persistence_warnings(persistence, info)),
    )


def _number(version: str) -> tuple[int, ...]:
    """Return "6.2.14" as (6, 2): what decides is major and minor."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split(".")[:2])


def _configured(answer: Reply) -> str:
    """The value in a reply to CONFIG GET. Some hosts forbid CONFIG; then it is unknown."""
    is_told = isinstance(answer, list) and len(answer) > 1
    return answer[1].decode(errors="replace") if is_told else "unknown"


def _persistence(info: Mapping[str, str], save: Reply) -> str:
    is_aof = info.get("aof_enabled") == "1"
    if isinstance(save, Exception):
        return "aof" if is_aof else "unknown"
    is_rdb = bool(save and save[1])
    return {(True, True): "aof+rdb", (True, False): "aof", (False, True): "rdb"}.get(
        (is_aof, is_rdb), "none"
    )


def _refusal_code(info: Mapping[str, str], trial: Reply) -> str:
    """Which of `REFUSALS` the server gives to every write now; empty if it takes them."""
    if info.get("role") == "slave":
        return "READONLY"
    if not isinstance(trial, Exception):
        return ""
    said = error_text(trial)
    told = next((code for code in REFUSALS if said.startswith(code)), "")
    return told or ("OOM" if _is_over(info) else "")


def _is_over(info: Mapping[str, str]) -> bool:
    limit = int(info.get("maxmemory", 0))
    is_kept = info.get("maxmemory_policy") == "noeviction"
    return 0 < limit <= int(info.get("used_memory", 0)) and is_kept


def _eviction_hindrances(policy: str) -> Iterator[str]:
    # Every session has an expiry, so the volatile policies are no safer than the others.
    if policy not in ("noeviction", "unknown"):
        yield (
            f"The eviction policy is {policy}: when memory runs out, sessions that are being "
            "played disappear. Set maxmemory-policy to noeviction."
        )


def _replica_hindrances(info: Mapping[str, str], wanted: int) -> Iterator[str]:
    found = sum(_is_in_step(value) for name, value in info.items() if _REPLICA.fullmatch(name))
    if info.get("role") != "slave" and found < wanted:
        yield (
            f"The store has {found} replicas in step, and {wanted} must have every write, or it is "
            "not acknowledged: look after the replicas, or lower GUNCAMERA_STORE_REPLICAS."
        )


def _is_in_step(replica: str) -> bool:
    """Whether a replica follows: "ip=10.0.0.2,port=6379,state=online,offset=42,lag=0" does."""
    told = dict(part.split("=", 1) for part in replica.split(",") if "=" in part)
    lag = told.get("lag", "0")
    return told.get("state") == "online" and lag.isdigit() and int(lag) <= MOST_LAG_SECONDS


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
