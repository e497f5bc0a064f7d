"""Random games through the API: no fault, no dead end, and at any point a film that holds."""

import os
import random

import pytest
from games import refereed_setup, seat_that_sees_all
from guncamera.api.films import read_film
from guncamera.api.rulings import fill_outcome
from guncamera.rules.ruleset import rulesets
from guncamera.sessions import film as films
from guncamera.v1 import session_service_pb2 as pb
from orders import who
from wire_play import play_step

GAMES = int(os.environ.get("FUZZ_GAMES", "4"))
MOST_ACTIONS = 5000


@pytest.mark.parametrize("slug", list(rulesets()))
@pytest.mark.parametrize("number", range(GAMES))
def test_a_random_game_ends_and_its_film_holds(endpoints, slug, number):
    found = rulesets()[slug]
    chance = random.Random(f"{slug} {number}")
    request = pb.CreateSessionRequest(dice_seed=f"fuzz {number}")
    fill_outcome(request.setup, slug, refereed_setup(found))
    session = endpoints.CreateSession(request, who())
    played = began = 0
    while session.state != pb.SESSION_STATE_FINISHED and played < MOST_ACTIONS:
        session = play_step(endpoints, session, found, "random", played)
        played += 1
        if chance.random() < 0.02:
            session = _through_a_film(endpoints, session)
            if session.state != pb.SESSION_STATE_FINISHED:  # else no seed is committed anew
                began = session.revision
    assert session.state == pb.SESSION_STATE_FINISHED, f"no end after {played} actions"
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    replayed = films.replay(read_film(film))
    assert replayed.differences == ()
    checked = films.check_dice(read_film(film))
    assert checked.differences == ()
    # The seeds of before an import stay with who drew; every roll since the last one is checked.
    before, since = (rolls_of(part) for part in (film.actions[:began], film.actions[began:]))
    assert (checked.checked, checked.unrevealed) == (since, before)
    assert before + since > 0


def rolls_of(actions):
    return sum(len(action.rolls) for action in actions)


def _through_a_film(endpoints, session):
    """Go on with the session's exported film in its stead."""
    film = endpoints.ExportSession(
        pb.ExportSessionRequest(name=session.name, seat=seat_that_sees_all(session)), who()
    )
    again = endpoints.ImportSession(
        pb.ImportSessionRequest(film=pb.Film.FromString(film.SerializeToString())), who()
    )
    assert again.board == session.board
    return again
