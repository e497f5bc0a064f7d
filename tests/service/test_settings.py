"""Settings: wrong ones stop the start with one line that says what to give."""

import subprocess
import sys

import httpx
import pytest
import servers
from conftest import start_service, stop_service
from guncamera.host.settings import ServiceSettings, SettingsError, settings_from


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
        ({"GUNCAMERA_GRPC_LANE": "slow"}, "give fast or standard"),
        ({"GUNCAMERA_STORE_URL": "localhost"}, "give redis://"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_takes(environment, says):
    with pytest.raises(SettingsError, match=says):
        settings_from(environment, {})


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
        assert httpx.get(f"{running.url}/readyz").status_code == 503
        shot = {"aircraft_type": "fokker-d7", "aspect": "KETTERING_ASPECT_TAIL", "range_hexes": 1,
                "speed_mp": 5, "torpedo_speed_mp": 4}  # fmt: skip
        answer = httpx.post(
            f"{running.url}/v1:resolveFire", json={"facts": {"kettering": shot}}, timeout=5
        )
        assert answer.status_code == 200, "rulings without a session need no store"
        with servers.Server(servers.redis_program(), port=store_port):
            servers.wait_until(
                lambda: httpx.get(f"{running.url}/readyz").status_code == 200, "it is ready"
            )
    finally:
        stop_service(running)
