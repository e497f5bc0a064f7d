"""Names of another time: what was made with characters that are no longer let in can be used.

What is made now is held to more. Nothing else is: neither looks at a session nor its orders, nor
its film, nor its end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson, ParseDict
from guarded import TRANSPORTS, Guarded, Heard, guarded
from guncamera.api.json_codec import to_json
from guncamera.api.openapi_examples import examples
from guncamera.cli.console import Failure
from guncamera.cli.film_files import load_bundle
from guncamera.rules.ruleset import rulesets
from guncamera.sessions.film import replay
from guncamera.v1 import session_service_pb2 as pb
from orders import who
from wire_play import order_of_pilot, request_for, seat_to_act

OLD = "Falke\N{HANGUL FILLER}"
CIRCUS = rulesets()["circus"]
STEPS = 6


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with guarded(may_be_open=True) as running:
        yield running


def creation(name: str) -> pb.CreateSessionRequest:
    """A fight in which an aircraft has such a name."""
    request = pb.CreateSessionRequest()
    ParseDict(examples()["CreateSession"]["circus"], request)
    request.session_id = name
    request.setup.circus.aircraft[0].id = OLD
    return request


def made_before(service: Guarded, name: str) -> pb.Session:
    """A session as it was made before: nothing but the transports looks at its names."""
    made: pb.Session = service.endpoints.CreateSession(creation(name), who())
    return made


def play(service: Guarded, over: str, session: pb.Session) -> Iterator[tuple[str, Heard]]:
    """Orders of the stock pilot, as they are sent."""
    for number in range(STEPS):
        seat = seat_to_act(session)
        order = order_of_pilot(service.endpoints, session, CIRCUS, "stock", number, seat)
        call, request = request_for(session, "circus", order, seat)
        yield MessageToJson(request, ensure_ascii=False), service.ask(over, call, request, None)
        read = pb.GetSessionRequest(name=session.name)
        session = service.endpoints.GetSession(read, who())


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_session_with_an_old_name_is_played_read_and_deleted(
    service: Guarded, over: str, tmp_path: Path
) -> None:
    session = made_before(service, f"old-{over.replace(' ', '-')}")
    sent = list(play(service, over, session))
    assert {heard.reason for _, heard in sent} == {"OK"}
    assert any(OLD in text for text, _ in sent), "an order names it"
    name = session.name
    for call, request in (
        ("GetSession", pb.GetSessionRequest(name=name)),
        ("DrawBoard", pb.DrawBoardRequest(name=name)),
        ("ListActions", pb.ListActionsRequest(parent=name)),
        ("ListLegalOrders", pb.ListLegalOrdersRequest(name=name, seat="first", page_size=3)),
        ("ExportSession", pb.ExportSessionRequest(name=name)),
    ):
        assert service.ask(over, call, request, None).reason == "OK", call
    film = service.endpoints.ExportSession(pb.ExportSessionRequest(name=name), who())
    file = tmp_path / "film.json"
    file.write_bytes(to_json(film))
    message, read = load_bundle(file)
    assert (message, replay(read).differences) == (film, ())
    assert (
        service.ask(over, "DeleteSession", pb.DeleteSessionRequest(name=name), None).reason == "OK"
    )


@pytest.mark.parametrize("over", TRANSPORTS)
def test_an_order_with_an_old_name_can_be_begun(service: Guarded, over: str) -> None:
    session = made_before(service, f"begun-{over.replace(' ', '-')}")
    begun = pb.ListLegalOrdersRequest(name=session.name, seat="first", so_far=f"{OLD} ")
    reasons = {
        service.ask(over, "ListLegalOrders", begun, None).reason
        for _ in play(service, over, session)
    }
    assert "OK" in reasons, "where orders are written code by code"


@pytest.mark.parametrize("over", TRANSPORTS)
def test_such_a_name_is_not_made_any_more(service: Guarded, over: str) -> None:
    before = made_before(service, f"from-{over.replace(' ', '-')}")
    film = service.endpoints.ExportSession(pb.ExportSessionRequest(name=before.name), who())
    requests: dict[str, tuple[Any, str]] = {
        "CreateSession": (creation("another"), "setup.circus.aircraft[0].id"),
        "ImportSession": (
            pb.ImportSessionRequest(film=film), "film.session.setup.circus.aircraft[0].id"
        ),
    }  # fmt: skip
    for call, (request, field) in requests.items():
        heard = service.ask(over, call, request, None)
        assert heard.reason == "INPUT_INVALID"
        assert field in heard.text
        assert "U+3164" in heard.text


def test_a_control_character_never_stood_in_a_name(service: Guarded, tmp_path: Path) -> None:
    session = made_before(service, "never")
    film = service.endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    plain = json.loads(to_json(film))
    plain["session"]["setup"]["circus"]["aircraft"][0]["id"] = "Falke\x07"
    file = tmp_path / "film.json"
    file.write_text(json.dumps(plain))
    with pytest.raises(Failure, match=r"U\+0007"):
        load_bundle(file)
    for over in TRANSPORTS:
        begun = pb.ListLegalOrdersRequest(name=session.name, so_far="Falke\x07")
        heard = service.ask(over, "ListLegalOrders", begun, None)
        assert (heard.reason, "U+0007" in heard.text) == ("INPUT_INVALID", True)
