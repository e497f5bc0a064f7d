"""`guncamera sessions`: the way out of a game whose tokens are lost, also on an open service."""

import pytest
from guncamera_client import Client, SeatForbidden, SessionNotFound
from orders import DEPLOY, SETUP


@pytest.fixture
def client(service):
    with Client(service.grpc) as made:
        yield made


@pytest.fixture
def sessions(run, service):
    def sessions(*words):
        return run("sessions", *words, "--data-dir", service.data_dir)

    return sessions


def test_a_seat_whose_token_is_lost_is_freed_and_the_game_goes_on(client, sessions):
    session = client.create_session(SETUP)
    lost = client.claim_seat(session, "pilot").token
    with pytest.raises(SeatForbidden, match="can free the seat"):
        client.move(session, DEPLOY)
    with pytest.raises(SeatForbidden):
        client.release_seat(session, "pilot")
    done = sessions("release", session.name, "pilot")
    name = session.name.removeprefix("sessions/")
    assert (done.code, done.out, done.err) == (0, f"seat pilot of session {name} is free\n", "")
    token = client.claim_seat(session, "pilot").token
    assert token != lost
    assert client.with_token(token).move(session, DEPLOY).revision == 1


def test_a_game_that_is_given_up_is_deleted(client, sessions):
    session = client.create_session(SETUP)
    client.claim_seat(session, "pilot")
    with pytest.raises(SeatForbidden):
        client.delete_session(session)
    name = session.name.removeprefix("sessions/")
    assert sessions("delete", name).out == f"session {name} is deleted\n"
    with pytest.raises(SessionNotFound):
        client.get_session(session)


def test_what_is_not_there_is_one_line(client, sessions):
    session = client.create_session(SETUP)
    sessions("release", session.name, "gunner").refused(2, "seat", "gunner")
    sessions("release", "nobody-knows-it", "pilot").refused(1, "SESSION_NOT_FOUND")
    sessions("delete", "nobody-knows-it").refused(1, "SESSION_NOT_FOUND")
    sessions("delete", "no/session").refused(2, "INPUT_INVALID")
