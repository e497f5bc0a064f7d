"""Who is let in by a whole service, from its first start on, and how keys are made for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import asking
import pytest
import servers
from conftest import Service, start_service, stop_service
from guncamera.host.settings import ServiceSettings, is_loopback, settings_from
from guncamera.sessions.key_ring import REFRESH_SECONDS
from guncamera_client import CallerUnknown, Client, RestClient, ScopeMissing


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line, without settings of the caller's."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GUNCAMERA_")}
    return subprocess.run(
        [sys.executable, "-m", "guncamera", *words],
        env={**clean, **environment}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def keys(folder: Path, *words: str) -> str:
    done = run("keys", *words, "--data-dir", str(folder))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def log_of(service: Service) -> str:
    return (service.data_dir / "service.log").read_text()


def elsewhere(*flags: str) -> list[str]:
    """The words that serve on every address of the machine."""
    return [
        "serve",
        "--rest-address", f"0.0.0.0:{servers.free_port()}",
        "--grpc-address", f"0.0.0.0:{servers.free_port()}",
        *flags,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("flags", "says"),
    [([], "say --open if that is meant"), (["--no-open"], "nobody could call")],
)
def test_a_service_that_others_reach_does_not_start_without_a_key(
    tmp_path: Path, flags: list[str], says: str
) -> None:
    done = run(*elsewhere(*flags), "--data-dir", str(tmp_path))
    assert done.returncode == 2
    assert says in done.stderr
    assert "guncamera keys create" in done.stderr
    assert "Traceback" not in done.stderr


def test_on_this_machine_alone_it_stands_open_and_says_so(tmp_path: Path) -> None:
    service = start_service(tmp_path)
    try:
        assert asking.get(f"{service.url}/v1/sessions").status_code == 200
        assert "there is no key, so the service stands open" in log_of(service)
        key = keys(tmp_path, "create", "--scope", "play", "--label", "the first")
        assert key.startswith("gck_")
        for url in (service.url, service.grpc):
            kind = RestClient if "://" in url else Client
            with kind(url) as nobody, kind(url, token=key) as somebody:

                def is_asked(nobody: RestClient | Client = nobody) -> bool:
                    try:
                        next(nobody.list_sessions(), None)
                    except CallerUnknown:
                        return True
                    return False

                servers.wait_until(is_asked, "every worker knows that there is a key")
                with pytest.raises(CallerUnknown):
                    next(nobody.list_sessions(), None)
                assert list(somebody.list_sessions()) == []
                assert list(somebody.list_rulesets())
    finally:
        stop_service(service)
    assert key not in log_of(service)


def test_with_a_key_it_starts_for_all_and_asks_everyone(tmp_path: Path) -> None:
    play = keys(tmp_path, "create", "--scope", "play")
    referee = keys(tmp_path, "create", "--scope", "referee", "--days", "0")
    rest, grpc = (f"0.0.0.0:{servers.free_port()}" for _ in "ab")
    service = start_service(tmp_path, rest=rest, grpc=grpc)
    try:
        said = log_of(service)
        assert "callers need a key (2 alive) or a seat's token" in said
        assert "in the clear" in said
        with Client(grpc.replace("0.0.0.0", "127.0.0.1"), token=play) as client:
            from orders import DEPLOY, SETUP

            session = client.create_session(SETUP)
            seat = client.with_token(client.claim_seat(session, "pilot").token)
            assert seat.move(session, DEPLOY).revision == 1
            assert next(seat.list_rulesets())
            with pytest.raises(ScopeMissing) as caught:
                client.release_seat(session, "pilot")
            assert caught.value.scope == "referee"
            assert not client.with_token(referee).release_seat(session, "pilot").claimed
            with pytest.raises(CallerUnknown):
                seat.get_session(session)
        _revoked_while_it_runs(tmp_path, service.url.replace("0.0.0.0", "127.0.0.1"), play)
    finally:
        stop_service(service)


def _revoked_while_it_runs(folder: Path, url: str, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    assert asking.get(f"{url}/v1/sessions", headers=headers).status_code == 200
    listed = json.loads(keys(folder, "list", "--json"))
    assert [one["scope"] for one in listed] == ["play", "referee"]
    assert [one["expires"] == "never" for one in listed] == [False, True]
    keys(folder, "revoke", listed[0]["id"])
    assert REFRESH_SECONDS <= 1, "as the page on security says; the rest is the machine's"
    servers.wait_until(
        lambda: asking.get(f"{url}/v1/sessions", headers=headers).status_code == 401,
        "the worker knows that the key is revoked",
    )
    assert [one["state"] for one in json.loads(keys(folder, "list", "--json"))] == [
        "revoked", "alive",
    ]  # fmt: skip


def test_commands_take_their_key_from_the_environment(tmp_path: Path) -> None:
    key = keys(tmp_path, "create", "--scope", "play")
    service = start_service(tmp_path)
    try:
        words = ("conform", "--ruleset", "kettering", "--case", "KET-7.1", "--target", service.url)
        refused = run(*words)
        assert (refused.returncode, "CALLER_UNKNOWN" in refused.stderr) == (1, True)
        done = run(*words, GUNCAMERA_KEY=key)
        assert done.returncode == 0, done.stdout + done.stderr
    finally:
        stop_service(service)


def test_the_store_of_keys_can_be_any_other(tmp_path: Path) -> None:
    with servers.Server(servers.redis_program()) as redis:
        made = run("keys", "create", "--scope", "read", GUNCAMERA_STORE_URL=redis.url)
        assert made.stdout.startswith("gck_")
        listed = run("keys", "list", "--store-url", redis.url)
        assert made.stdout.split("_")[1] in listed.stdout
        assert made.stdout.strip()[-43:] not in listed.stdout + made.stderr
    gone = run("keys", "list", "--store-url", redis.url)
    assert gone.returncode == 1
    assert "The store does not answer" in gone.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["create", "--scope", "god"], "is no scope"),
        (["create", "--scope", "read", "--label", "x" * 64], "--label"),
        (["revoke", "nobody"], "No key has this id"),
    ],
)
def test_a_wrong_word_is_told_in_one_line(tmp_path: Path, words: list[str], says: str) -> None:
    done = run("keys", *words, "--data-dir", str(tmp_path))
    assert done.returncode in (1, 2)
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1:1", True), ("127.9.9.9:1", True), ("localhost:1", True), ("[::1]:1", True),
        ("0.0.0.0:1", False), ("[::]:1", False), ("127.0.0.1.example:1", False),
        ("localhost.example:1", False), ("10.0.0.1:1", False),
    ],
)  # fmt: skip
def test_only_addresses_of_this_machine_count_as_such(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback
    assert ServiceSettings(rest_address=address).may_be_open is loopback
    assert ServiceSettings(rest_address=address, open="yes").may_be_open
    assert not ServiceSettings(rest_address=address, open="no").may_be_open


def test_an_address_that_nothing_is_served_on_opens_nothing() -> None:
    assert ServiceSettings(rest_address="0.0.0.0:1", rest_workers=0).may_be_open


def test_a_key_in_the_environment_is_no_setting_of_the_service() -> None:
    assert settings_from({"GUNCAMERA_KEY": "gck_x_y"}, {}) == ServiceSettings()
