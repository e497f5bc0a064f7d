"""Random games through the API: no fault, no dead end, and at any point a film that holds."""

import contextlib
import random

import pytest
from chance import games
from games import refereed_setup, seat_that_sees_all
from guncamera.api.film_check import check_writing
from guncamera.api.films import read_film
from guncamera.api.rulings import fill_outcome
from guncamera.rules.ruleset import rulesets
from guncamera.sessions import film as films
from guncamera.sessions.refusals import SecretsKept, UndoImpossible
from guncamera.v1 import session_service_pb2 as pb
from orders import who
from wire_play import play_step

MOST_ACTIONS = 5000
MOST_UNDOS = 12


@pytest.mark.parametrize("slug", list(rulesets()))
@pytest.mark.parametrize("number", games(1))
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


@pytest.mark.parametrize("slug", list(rulesets()))
@pytest.mark.parametrize("number", games(1))
def test_a_random_game_that_is_taken_back_at_random_ends_and_its_film_holds(
    endpoints, slug, number
):
    found = rulesets()[slug]
    chance = random.Random(f"undo {slug} {number}")
    request = pb.CreateSessionRequest(dice_seed=f"undo {number}")
    fill_outcome(request.setup, slug, refereed_setup(found))
    session = endpoints.CreateSession(request, who())
    boards, undone, played = {0: session.board}, 0, 0
    while session.state != pb.SESSION_STATE_FINISHED and played < MOST_ACTIONS:
        before = session.revision
        session = play_step(endpoints, session, found, "random", played)
        played += 1
        if session.revision - before > 1:  # amid a reveal nobody goes back
            boards.update(dict.fromkeys(range(before + 1, session.revision)))
        boards[session.revision] = session.board
        is_due = chance.random() < 0.1 or (undone == 0 and len(session.seats) > 1)
        is_open = session.revision and session.state != pb.SESSION_STATE_FINISHED
        if is_open and undone < MOST_UNDOS and is_due:
            before = session.revision
            session = _taken_back(endpoints, session, boards, chance)
            undone += session.revision > before
        if chance.random() < 0.03:
            with contextlib.suppress(SecretsKept):
                session = _through_a_film(endpoints, session)
    assert session.state == pb.SESSION_STATE_FINISHED, f"no end after {played} actions"
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    values = read_film(film)
    replayed = films.replay(values)
    assert replayed.differences == ()
    assert films.check_dice(values).differences == ()
    assert check_writing(film, values, replayed.state) == ()
    assert len(replayed.state.undos) == sum(one.HasField("undo") for one in film.actions)
    assert undone > 0 or len(session.seats) == 1
    assert len(replayed.state.undos) == undone


def _taken_back(endpoints, session, boards, chance):
    """Every seat wants to go back to the same place; where that cannot be, nothing happens."""
    back = chance.choice(range(max(0, session.revision - 12), session.revision))
    seats = [seat.id for seat in session.seats]
    chance.shuffle(seats)
    undo = pb.UndoRequest(name=session.name, to_revision=back, by_agreement=True)
    for seat in seats:
        undo.seat = seat
        try:
            answer = endpoints.Undo(undo, who())
        except UndoImpossible as refusal:
            amid_reveal = boards[back] is None
            check_impossible(refusal, alone=len(seats) == 1, amid_reveal=amid_reveal)
            return session
        if not answer.waiting_seats:
            break
    again = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    assert again.revision == session.revision + 1 == answer.action.revision
    assert again.board == boards[back]
    boards[again.revision] = again.board
    return again


def check_impossible(refusal, *, alone, amid_reveal):
    causes = {"taken-back", "nothing"}
    causes |= {"dice", "reveal", "secrets"} if alone else set()
    causes |= {"amid-reveal"} if amid_reveal else set()
    assert refusal.facts["cause"] in causes, refusal


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
