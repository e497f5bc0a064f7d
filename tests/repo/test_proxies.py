"""The proxies shown under docs/deploy pass on what the service takes and says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guncamera.api.config import MIB, Config
from guncamera.api.grpc_server import KEEPALIVE_SECONDS, MAX_RECEIVE_BYTES
from guncamera.api.routes import SERVICES
from guncamera.host.settings import ServiceSettings
from guncamera.sessions.watch import HEARTBEAT_SECONDS

DEPLOY = Path(__file__).parents[2] / "docs/deploy"
NGINX = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
HAPROXY = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
LONGEST_POLL_SECONDS = 25
HEALTH = "/grpc.health.v1.Health/Check"


def given(text: str, pattern: str) -> int:
    """The one number that a file gives where a pattern says."""
    (found,) = set(re.findall(pattern, text))
    return int(found)


@pytest.mark.parametrize("text", [NGINX, HAPROXY], ids=["nginx", "haproxy"])
def test_they_ask_where_the_service_listens(text: str) -> None:
    settings = ServiceSettings()
    backends = re.findall(r"^    server (?:guncamera )?(127\S+?)[; ]", f"{text} ", re.MULTILINE)
    backends = [one.rstrip("\n;") for one in backends]
    assert sorted(backends) == sorted([settings.rest_address, settings.grpc_address])


def test_nginx_lets_the_largest_bodies_through() -> None:
    limit = given(NGINX, r"client_max_body_size (\d+)m;") * MIB
    assert limit >= max(Config().body_limit("ImportSession"), MAX_RECEIVE_BYTES)


def test_nothing_that_waits_is_cut_off() -> None:
    rest, grpc = (
        given(NGINX, r"proxy_read_timeout (\d+)s"),
        given(NGINX, r"grpc_read_timeout (\d+)s"),
    )
    both = min(given(HAPROXY, rf"timeout {side} +(\d+)s") for side in ("client", "server"))
    for seconds in (rest, grpc, both):
        assert seconds > max(HEARTBEAT_SECONDS, LONGEST_POLL_SECONDS)
    assert min(grpc, both) > KEEPALIVE_SECONDS


def test_nginx_gathers_nothing_up() -> None:
    (rest,) = re.findall(r"location / \{(.*?)\}", NGINX, re.DOTALL)
    assert "proxy_buffering off;" in rest
    assert "proxy_http_version 1.1;" in rest


def test_all_of_grpc_and_nothing_else_goes_to_its_port() -> None:
    (pattern,) = re.findall(r"location ~ (\S+) \{\s+grpc_pass", NGINX)
    for path in (*(f"/{service.full_name}/X" for service in SERVICES), HEALTH):
        assert re.search(pattern, path), path
    for path in ("/v1/sessions", "/", "/healthz", "/v1:resolveFire"):
        assert not re.search(pattern, path), path


@pytest.mark.parametrize("text", [NGINX, HAPROXY], ids=["nginx", "haproxy"])
def test_numbers_stay_inside(text: str) -> None:
    assert re.search(
        r"location = /metrics \{\s+return 404|deny_status 404 if \{ path /metrics", text
    )
