"""An address that no call has names the one that is probably meant."""

from __future__ import annotations

import pytest
from fakes import FakeEndpoints
from guncamera.api.config import Config
from guncamera.api.near_address import nearest_address
from guncamera.api.rest import create_app
from guncamera.api.routes import rpcs


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("/v1/sessions/x:reveal", "/v1/sessions/{session}:revealOrders"),
        ("/v1/sessions/x:seal", "/v1/sessions/{session}:sealOrder"),
        ("/v1/sessions/x:claimSeat", "/v1/sessions/{session}:claim"),
        ("/v1/sessions/night-over-the-front-of-1918:Move", "/v1/sessions/{session}:move"),
        ("/v1/sessions/x/move", "/v1/sessions/{session}:move"),
        ("/v1/session/x", "/v1/sessions/{session}"),
        ("/v1/sessions/x/", "/v1/sessions/{session}"),
        ("/v1/sessions/x/actions/3/receipt", "/v1/sessions/{session}/actions/{action}:receipt"),
        ("/v1/resolveFire", "/v1:resolveFire"),
        ("/v1/v1/sessions", "/v1/sessions"),
        ("/nope", ""),
        ("/v1", ""),
        ("/v1/sessions/x:" + "move" * 30, ""),
    ],
)
def test_the_nearest_address_is_told_where_one_is_near(asked: str, meant: str) -> None:
    assert nearest_address(asked) == meant


def test_every_address_is_the_nearest_to_itself_without_its_last_letter() -> None:
    for path in {route.path for rpc in rpcs() for route in rpc.routes}:
        if not path.endswith("}"):
            assert nearest_address(path[:-1]) == path


def test_the_refusal_names_it() -> None:
    client = create_app(FakeEndpoints(), config=Config()).test_client()
    meant = client.post("/v1/sessions/x:seal", json={}).json["detail"]
    assert "Perhaps /v1/sessions/{session}:sealOrder is meant" in meant
    assert client.get("/nope").json["detail"].endswith("Compare it with /openapi.json.")
