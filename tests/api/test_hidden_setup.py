"""The ships and cards that a side brings are hidden from the other from the first answer on."""

from dataclasses import replace

import pytest
import servers
from carriers_table import FREE, SMALL, US_SHIPS
from conftest import Clock
from guncamera.api.endpoints import Endpoints
from guncamera.api.rulings import fill_outcome
from guncamera.rulesets.carriers.book import load_book
from guncamera.rulesets.carriers.orders import Force
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import session_service_pb2 as pb
from orders import who

NAME = "sessions/hidden"
OTHER = Force(
    tuple(replace(ship, name=f"other-{at}") for at, ship in enumerate(SMALL.japan.ships)),
    ("zeke", "val", "val", "kate", "betty"),
)


def answers(japan, seat):
    """What a seat is told of a game that begins, in an empty store by a clock that starts anew."""
    with servers.Server(servers.valkey_program()) as server:
        store = RedisStore(server.url)
        told = asked(Endpoints(Shelf(store), clock=Clock(), page_key=b"one"), japan, seat)
        store.close()
    return told


def asked(endpoints, japan, seat):
    setup = replace(SMALL, us=Force(US_SHIPS, SMALL.us.cards), japan=japan, referee=True)
    request = pb.CreateSessionRequest(session_id="hidden", dice_seed="hidden")
    fill_outcome(request.setup, "carriers", setup)
    fill_outcome(request.settings, "carriers", load_book().with_settings(FREE).settings)
    created = endpoints.CreateSession(request, who())
    read = endpoints.GetSession(pb.GetSessionRequest(name=NAME, seat=seat), who())
    listed = endpoints.ListSessions(pb.ListSessionsRequest(), who())
    return [one.SerializeToString(deterministic=True) for one in (created, read, listed)], read


@pytest.mark.parametrize("seat", ["us", ""])
def test_what_the_enemy_brings_is_in_no_answer(seat):
    told, read = answers(SMALL.japan, seat)
    assert told == answers(OTHER, seat)[0]
    assert not read.setup.carriers.HasField("japan")
    assert read.setup.carriers.HasField("us") == (seat == "us")


@pytest.mark.parametrize("seat", ["japan", "referee"])
def test_its_owner_and_the_referee_see_it(seat):
    read = answers(OTHER, seat)[1]
    assert [ship.name for ship in read.setup.carriers.japan.ships] == [
        ship.name for ship in OTHER.ships
    ]
