"""Settings: wrong ones stop the start with one line that says what to give."""

import contextlib
import json
import re
import subprocess
import sys
from dataclasses import asdict, fields
from pathlib import Path

import asking
import httpx
import pytest
import servers
from conftest import start_service, stop_service
from guncamera.host.settings import ServiceSettings, SettingsError, settings_from
from guncamera.host.supervisor import _of_workers
from living import below


def test_a_flag_wins_over_the_environment_and_both_over_the_default():
    found = settings_from(
        {"GUNCAMERA_REST_ADDRESS": "127.0.0.1:1", "GUNCAMERA_MAX_STREAMS": "5", "PATH": "/bin"},
        {"rest_address": "127.0.0.1:2", "data_dir": None},
    )
    assert found.rest_address == "127.0.0.1:2"
    assert found.max_streams == 5
    assert found.data_dir == ServiceSettings().data_dir


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"GUNCAMERA_REST_PORT": "8080"}, "GUNCAMERA_REST_PORT is no setting"),
        ({"GUNCAMERA_REST_ADDRESS": "8080"}, "give host:port"),
        ({"GUNCAMERA_GRPC_ADDRESS": "localhost:99999"}, "give host:port"),
        ({"GUNCAMERA_GRPC_ADDRESS": "localhost:0"}, "give host:port"),
        ({"GUNCAMERA_MAX_STREAMS": "many"}, "give a whole number"),
        ({"GUNCAMERA_MAX_STREAMS": "0"}, "give 1 to"),
        ({"GUNCAMERA_GRPC_WORKERS": "-1"}, "give 0 to"),
        ({"GUNCAMERA_GRPC_LANE": "slow"}, "GRPC_LANE is 'slow'; give fast or standard"),
        ({"GUNCAMERA_REST_LANE": "slow"}, "REST_LANE is 'slow'; give fast or standard"),
        ({"GUNCAMERA_BODY_SECONDS": "0"}, "give 1 to 600"),
        ({"GUNCAMERA_STORE_URL": "localhost"}, "give redis://"),
        ({"GUNCAMERA_PUBLIC_BASE_URL": "guns.example"}, "BASE_URL is 'guns.example'; give https"),
        ({"GUNCAMERA_PUBLIC_BASE_URL": "https://guns.example/?a=b"}, "give https://host"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_takes(environment, says):
    with pytest.raises(SettingsError, match=says):
        settings_from(environment, {})


@pytest.mark.parametrize("url", ["https://guns.example", "http://[::1]:8080/", "https://a.b/air"])
def test_the_address_that_callers_see_may_have_a_port_and_a_path(url):
    assert settings_from({"GUNCAMERA_PUBLIC_BASE_URL": url}, {}).public_base_url == url


def written(tmp_path, text):
    file = tmp_path / "service.toml"
    file.write_text(text)
    return str(file)


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path):
    file = written(tmp_path, 'max_streams = 1\ndrain_seconds = 2\ngrpc_lane = "standard"\n')
    environment = {"GUNCAMERA_MAX_STREAMS": "3", "GUNCAMERA_DRAIN_SECONDS": "4"}
    for found in (
        settings_from({**environment, "GUNCAMERA_CONFIG": file}, {"max_streams": 5}),
        settings_from(environment, {"max_streams": 5, "config": file}),
        settings_from(
            {**environment, "GUNCAMERA_CONFIG": "/none"}, {"max_streams": 5, "config": file}
        ),
    ):
        assert (found.max_streams, found.drain_seconds, found.grpc_lane) == (5, 4, "standard")
        assert found.rest_address == ServiceSettings().rest_address


def test_every_setting_can_be_given_in_a_file(tmp_path):
    plain = ServiceSettings()
    wanted = {
        f.name: value + 1 if isinstance(value := getattr(plain, f.name), int) else value
        for f in fields(ServiceSettings)
    }
    wanted |= {"rest_address": "[::1]:1", "store_url": "unix:///s", "page_key": "p", "open": "no"}
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in wanted.items()]
    found = settings_from({}, {"config": written(tmp_path, "".join(lines))})
    assert asdict(found) == wanted
    for truth, word in (("true", "yes"), ("false", "no")):
        assert settings_from({}, {"config": written(tmp_path, f"open = {truth}")}).open == word


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "max_stream = 4",
            "max_stream is no setting. Did you mean max_streams\\? The settings are ",
        ),
        ("[serve]\nmax_streams = 4", "serve is no setting"),
        ("max_streams = [4]", "max_streams is .4.; give text or a number"),
        ("max_streams = 'many'", "max_streams is 'many'; give a whole number"),
        ("max_streams = '4'", "max_streams is '4'; give a whole number"),
        ("max_streams = 4.0", "max_streams is 4.0; give a whole number"),
        ("max_streams = true", "max_streams is True; give a whole number"),
        ("max_streams = 0", "max_streams is 0; give 1 to"),
        ("page_key = 4", "page_key is 4; give text"),
        ("rest_address = ':1'", "rest_address is ':1'; give host:port"),
        ("open = 'maybe'", "open is 'maybe'; give yes, no"),
        ("max_streams: 4", "is no TOML: .*line 1.*Write one `name = value` a line"),
    ],
)
def test_a_wrong_line_of_the_file_is_named_with_the_file_and_what_it_takes(tmp_path, text, says):
    file = written(tmp_path, text)
    with pytest.raises(SettingsError, match=f"^{re.escape(file)}.*{says}"):
        settings_from({"GUNCAMERA_CONFIG": file}, {})


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(SettingsError, match="/none, the file of settings, cannot be read: No such"):
        settings_from({}, {"config": "/none"})
    (tmp_path / "latin").write_bytes(b"data_dir = '\xe9'")
    with pytest.raises(SettingsError, match="it is not UTF-8"):
        settings_from({}, {"config": str(tmp_path / "latin")})


@pytest.mark.parametrize("name", ["store_url", "page_key"])
def test_a_secret_may_lie_in_a_file_that_the_environment_names(tmp_path, name):
    secret = tmp_path / "secret"
    secret.write_text("redis://:word@host\n")
    variable = f"GUNCAMERA_{name.upper()}"
    found = settings_from({f"{variable}_FILE": str(secret)}, {})
    assert getattr(found, name) == "redis://:word@host"
    with pytest.raises(SettingsError, match=f"{variable} and {variable}_FILE are both given"):
        settings_from({f"{variable}_FILE": str(secret), variable: "redis://host"}, {})
    with pytest.raises(SettingsError, match=f"{variable}_FILE: /none cannot be read: No such file"):
        settings_from({f"{variable}_FILE": "/none"}, {})
    with pytest.raises(SettingsError, match="GUNCAMERA_DATA_DIR_FILE is no setting"):
        settings_from({"GUNCAMERA_DATA_DIR_FILE": str(secret)}, {})


def test_a_service_runs_with_its_file_also_when_that_is_gone(tmp_path):
    import os
    import signal

    file = tmp_path / "service.toml"
    file.write_text('public_base_url = "https://guns.example"\n')
    running = start_service(tmp_path, "--config", str(file))
    try:
        file.unlink()
        killed = below(running.process.pid, "rest_worker")[0]
        os.kill(killed, signal.SIGKILL)
        servers.wait_until(lambda: not Path(f"/proc/{killed}").exists(), "it has died")

        def where() -> str:
            with contextlib.suppress(httpx.TransportError):
                made = asking.post(
                    f"{running.url}/v1/sessions",
                    json={"setup": {"kettering": {"aircraft_type": "fokker-d7"}}},
                )
                return made.headers.get("location", "")
            return ""

        servers.wait_until(lambda: where().startswith("https://guns.example/"), "it has them", 60)
    finally:
        stop_service(running)


def test_workers_are_told_every_setting_and_no_file(monkeypatch):
    for name in ("CONFIG", "STORE_URL_FILE", "KEY", "MAX_STREAMS"):
        monkeypatch.setenv(f"GUNCAMERA_{name}", "/none")
    settings = ServiceSettings(store_url="unix:///s")
    told = _of_workers(settings, "metrics")
    assert settings_from(told, {}) == settings
    assert {k for k in told if k.startswith("GUNCAMERA_")} == set(settings.environment())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--config", "/none"), "guncamera: /none, the file of settings, cannot be read"),
        (("--max-streams", "0"), "guncamera: GUNCAMERA_MAX_STREAMS is 0; give 1 to"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line(tmp_path, words, says):
    done = subprocess.run(
        [sys.executable, "-m", "guncamera", "serve", "--data-dir", str(tmp_path), *words],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_an_open_address_is_warned_about():
    assert not ServiceSettings().warnings()
    assert len(ServiceSettings(rest_address="0.0.0.0:8080").warnings()) == 1


def test_the_workers_get_the_very_settings_of_the_supervisor():
    settings = ServiceSettings(store_url="unix:///s", max_streams=9, page_key="k")
    assert settings_from(settings.environment(), {}) == settings


def test_a_store_url_that_is_none_stops_the_start_with_one_line(tmp_path):
    done = subprocess.run(
        [
            sys.executable, "-m", "guncamera", "serve", "--data-dir", str(tmp_path),
            "--store-url", "gopher://127.0.0.1:1",
        ],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "GUNCAMERA_STORE_URL" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_store_that_is_not_there_yet_leaves_the_service_up_and_not_ready(tmp_path):
    store_port = servers.free_port()
    running = start_service(
        tmp_path, "--store-url", f"redis://127.0.0.1:{store_port}", wants_ready=False
    )
    try:
        assert asking.get(f"{running.url}/readyz").status_code == 503
        shot = {"aircraft_type": "fokker-d7", "aspect": "KETTERING_ASPECT_TAIL", "range_hexes": 1,
                "speed_mp": 5, "torpedo_speed_mp": 4}  # fmt: skip
        answer = asking.post(
            f"{running.url}/v1:resolveFire", json={"facts": {"kettering": shot}}, timeout=5
        )
        assert answer.status_code == 200, "rulings without a session need no store"
        with servers.Server(servers.redis_program(), port=store_port):
            servers.wait_until(
                lambda: asking.get(f"{running.url}/readyz").status_code == 200, "it is ready"
            )
    finally:
        stop_service(running)
