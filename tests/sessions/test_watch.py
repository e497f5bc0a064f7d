"""Watching: from a revision on without gap or double, heartbeats, and an explicit end."""

import threading

import pytest
import redis
import servers
from guncamera.sessions import watch
from guncamera.sessions.refusals import SeatForbidden, SessionNotFound
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, LAUNCH, SETUP, move, who
from watching import said, watched


@pytest.fixture
def session(endpoints):
    return endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())


def watching(endpoints, session, start=1, seconds=0.05, **looking):
    what = watched(endpoints.shelf, session.name.removeprefix("sessions/"), **looking)
    return said(what, start, heartbeat_seconds=seconds)


def test_actions_before_and_after_the_watch_begins_come_once_each(endpoints, session):
    move(endpoints, session, DEPLOY)
    stream = watching(endpoints, session, seconds=10)
    assert next(stream).action.revision == 1
    later = threading.Thread(target=move, args=(endpoints, session, LAUNCH))
    later.start()
    assert next(stream).action.revision == 2
    later.join()
    stream.close()


def test_a_watch_resumes_at_a_revision(endpoints, session):
    for order in (DEPLOY, LAUNCH):
        move(endpoints, session, order)
    stream = watching(endpoints, session, start=2)
    assert next(stream).action.revision == 2
    assert next(stream) == watch.Heartbeat(2)
    stream.close()


def test_an_idle_session_says_something_at_once(endpoints, session):
    stream = watching(endpoints, session, seconds=3600)
    assert next(stream) == watch.Heartbeat(0)
    stream.close()


def test_without_a_start_only_what_comes_next_is_shown(endpoints, session):
    move(endpoints, session, DEPLOY)
    stream = watching(endpoints, session, start=None)
    assert next(stream) == watch.Heartbeat(1)
    move(endpoints, session, LAUNCH)
    assert next(stream).action.revision == 2
    stream.close()


def test_a_deleted_session_and_a_service_that_drains_end_the_watch(endpoints, session):
    stream = watching(endpoints, session)
    assert next(stream) == watch.Heartbeat(0)
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who())
    assert list(stream) == [watch.End(0, "deleted")]
    other = endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())
    assert list(watching(endpoints, other, draining=lambda: True)) == [watch.End(0, "draining")]


def test_a_session_that_is_not_there_is_refused_at_once(endpoints, session):
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who())
    with pytest.raises(SessionNotFound):
        next(watching(endpoints, session))


def test_who_may_watch_is_asked_again_at_every_look(endpoints, session):
    looks = []

    def admit(_session):
        looks.append(1)
        if len(looks) > 2:
            raise SeatForbidden("no longer")

    stream = watching(endpoints, session, admit=admit)
    assert next(stream) == watch.Heartbeat(0)
    move(endpoints, session, DEPLOY)
    with pytest.raises(SeatForbidden):
        next(stream)


def test_a_closed_watch_gives_its_connection_up(endpoints, session, store_url):
    def connections():
        with redis.Redis.from_url(store_url) as client:
            return len(client.client_list())

    before = connections()
    for _ in range(20):
        stream = watching(endpoints, session)
        next(stream)
        assert connections() > before
        stream.close()
    servers.wait_until(lambda: connections() <= before, "watches give their connections up")


def test_a_poll_waits_for_the_next_action(endpoints, session):
    later = threading.Timer(0.2, move, args=(endpoints, session, DEPLOY))
    later.start()
    page = endpoints.ListActions(pb.ListActionsRequest(parent=session.name, wait_seconds=20), who())
    later.join()
    assert [action.revision for action in page.actions] == [1]


def test_a_poll_that_is_up_answers_empty_and_a_stopping_service_does_not_hold_it(
    endpoints, session
):
    request = pb.ListActionsRequest(parent=session.name, wait_seconds=1)
    page = endpoints.ListActions(request, who())
    assert not page.actions
    assert page.revision == 0
    endpoints.draining = lambda: True
    request.wait_seconds = 25
    assert not endpoints.ListActions(request, who()).actions
