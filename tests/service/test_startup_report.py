"""What is unsafe about a service is said in one block before it serves, each with the way out."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import servers
from conftest import start_service, stop_service
from guncamera.api import tracing
from guncamera.host import startup_report
from guncamera.host.entrance import ServiceError
from guncamera.host.settings import ServiceSettings
from guncamera.host.startup_report import Report, look_over
from guncamera.sessions.keys import Scope, create_key
from guncamera.sessions.redis_store import RedisStore

SAFE_OPTIONS = {"appendonly": "yes", "appendfsync": "always"}


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GUNCAMERA_")}
    return subprocess.run(
        [sys.executable, "-m", "guncamera", *words],
        env={**clean, **environment}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.fixture
def signing_key(tmp_path: Path) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    path = tmp_path / "signing.pem"
    path.write_bytes(
        Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    path.chmod(0o600)
    return path


def make_key(url: str) -> None:
    store = RedisStore(url)
    create_key(store, time.time_ns() // 1000, scope=Scope.PLAY, label="", days=1)
    store.close()


def safe_settings(url: str, signing_key: Path) -> ServiceSettings:
    return ServiceSettings(store_url=url, page_key="a secret", signing_key=str(signing_key))


def only(report: Report, *words: str) -> str:
    """The one point of a report, which holds these words."""
    (point,) = report.unsafe
    for word in words:
        assert word in point, point
    return point


def test_a_service_that_is_set_up_well_has_nothing_to_say(signing_key: Path) -> None:
    with servers.Server(servers.redis_program(), **SAFE_OPTIONS) as server:
        make_key(server.url)
        report = look_over(safe_settings(server.url, signing_key), server.url)
    assert report == Report("callers need a key (1 alive) or a seat's token", ())
    assert list(report.lines()) == ["nothing unsafe was found"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rest_address": "0.0.0.0:8080"}, ("REST 0.0.0.0:8080", "in the clear", "TLS")),
        ({"page_key": ""}, ("page tokens", "Set GUNCAMERA_PAGE_KEY")),
        ({"signing_key": ""}, ("signs receipts", "in the store", "GUNCAMERA_SIGNING_KEY")),
        ({"rate_per_key": "0"}, ("GUNCAMERA_RATE_PER_KEY", "Set it to auto")),
    ],
)
def test_each_setting_that_is_unsafe_is_a_point_with_its_way_out(
    signing_key: Path, changed: dict[str, str], words: tuple[str, ...]
) -> None:
    with servers.Server(servers.redis_program(), **SAFE_OPTIONS) as server:
        make_key(server.url)
        settings = replace(safe_settings(server.url, signing_key), **changed)  # type: ignore[arg-type]
        only(look_over(settings, server.url), *words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"appendonly": "no"}, ("Nothing is saved to disk", "Set appendonly to yes")),
        ({"appendonly": "no", "save": "3600 1"}, ("Only snapshots", "Set appendonly to yes")),
        ({"appendfsync": "everysec"}, ("everysec", "the last second", "Set it to always")),
        ({"appendfsync": "no"}, ("appendfsync is no", "half minute", "Set it to always")),
        ({"maxmemory_policy": "allkeys-lru"}, ("allkeys-lru", "Set maxmemory-policy")),
        ({"min_replicas_to_write": "1"}, ("too few replicas", "look after them")),
    ],
)
def test_each_fault_of_the_store_is_a_point_with_its_way_out(
    signing_key: Path, options: dict[str, str], words: tuple[str, ...]
) -> None:
    given = {**SAFE_OPTIONS, **options}
    lonely = given.pop("min_replicas_to_write", "0")
    with servers.Server(servers.redis_program(), **given) as server:
        make_key(server.url)
        settings = safe_settings(server.url, signing_key)
        look_over(settings, server.url)  # as in an earlier start, which has kept the key
        with server.client() as client:
            client.config_set("min-replicas-to-write", lonely)
        only(look_over(settings, server.url), *words)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("redis://127.0.0.1:6379/0", []),
        ("unix:///run/redis.sock", []),
        ("rediss://:secret@store.example:6379", []),
        ("redis://:secret@store.example:6379", ["in the clear"]),
        ("rediss://store.example", ["no password"]),
        ("redis+sentinel://a.example:1,127.0.0.1:2/main", ["no password", "in the clear"]),
        ("redis+cluster://:secret@127.0.0.1:1,10.0.0.9:2", ["in the clear"]),
    ],
)
def test_the_way_to_the_store_is_looked_at(url: str, found: list[str]) -> None:
    points = list(startup_report._of_way_to_store(url))
    assert len(points) == len(found)
    for point, word in zip(points, found):
        assert word in point
        assert "secret" not in point
        assert "127.0.0.1" not in point


def test_files_that_others_can_read_are_points(signing_key: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    settings = ServiceSettings(data_dir=str(shared), signing_key=str(signing_key))
    (point,) = startup_report._of_files(settings)
    assert "chmod 700" in point
    shared.chmod(0o700)
    assert list(startup_report._of_files(settings)) == []
    signing_key.chmod(0o640)
    (point,) = startup_report._of_files(settings)
    assert "chmod 600" in point


def test_traces_that_go_nowhere_are_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(startup_report._of_tracing()) == []
    monkeypatch.setenv(tracing.ENDPOINTS[0], "http://127.0.0.1:1")
    assert list(startup_report._of_tracing()) == []
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    (point,) = startup_report._of_tracing()
    assert "guncamera[otel]" in point


def test_a_store_that_is_away_is_a_point_and_no_crash() -> None:
    url = f"redis://127.0.0.1:{servers.free_port()}"
    report = look_over(ServiceSettings(store_url=url, page_key="x", signing_key=""), url)
    assert any("cannot be used now" in point for point in report.unsafe)
    with pytest.raises(ServiceError), servers.Server(servers.redis_program()) as server:
        look_over(ServiceSettings(store_url=server.url, open="no"), server.url)


def test_the_check_says_it_starts_nothing_and_ends_with_what_it_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    rest = f"127.0.0.1:{servers.free_port()}"
    words = ("serve", "--check", "--data-dir", str(tmp_path), "--rest-address", rest)
    unsafe = run(*words)
    assert unsafe.returncode == 1
    lines = unsafe.stderr.splitlines()
    assert lines[0] == "guncamera: NOT SAFE in 1 point:"
    assert lines[1].startswith("guncamera:   1. Open to all: there is no key")
    assert "guncamera keys create" in lines[1]
    assert len(lines) == 3
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(rest.rpartition(":")[2])), timeout=1)
    assert run("keys", "create", "--scope", "play", "--data-dir", str(tmp_path)).returncode == 0
    safe = run(*words)
    assert (safe.returncode, safe.stderr.splitlines()[0]) == (
        0, "guncamera: nothing unsafe was found",
    ), safe.stderr  # fmt: skip
    closed = run("serve", "--check", "--data-dir", str(tmp_path / "other"), "--no-open")
    assert (closed.returncode, "nobody could call" in closed.stderr) == (2, True)


def test_a_service_prints_the_block_before_it_is_ready_and_the_check_finds_it_running(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)
    service = start_service(tmp_path, "--grpc-workers", "1", "--rest-workers", "1")
    try:
        log = (tmp_path / "service.log").read_text()
        block, _, rest = log.partition("guncamera: REST on")
        assert "NOT SAFE in 2 points:" in block
        assert "chmod 700 it" in block
        assert "NOT SAFE" not in rest
        again = run("serve", "--check", "--data-dir", str(tmp_path))
        assert again.returncode == 1
        assert "NOT SAFE in 2 points:" in again.stderr
    finally:
        stop_service(service)
