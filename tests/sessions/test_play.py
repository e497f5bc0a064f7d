"""Playing a session: the order of checks, safe retries, seats, previews, and no lost action."""

import json
import threading
import uuid
from importlib import resources

import pytest
from guncamera.api.films import read_film
from guncamera.api.json_codec import from_json
from guncamera.rules.refusal import Malformed, PhaseClosed, Refusal, RollInvalid, RollRequired
from guncamera.sessions import film as films
from guncamera.sessions import refusals
from guncamera.v1 import dice_pb2
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, INSPECT, LAUNCH, SETUP, move, supplied, who


@pytest.fixture
def session(endpoints):
    return endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())


def current(endpoints, session, **fields):
    return endpoints.GetSession(pb.GetSessionRequest(name=session.name, **fields), who())


def test_a_new_session_is_pinned_and_committed(session):
    assert session.revision == 0
    assert session.etag == '"0"'
    assert session.ruleset == "rulesets/kettering"
    assert len(session.rules_hash) == 64
    (dice,) = session.dice_commitments
    assert len(dice.commitment) == 64
    assert dice.seed == ""
    assert list(session.active_seats) == ["pilot"]
    assert session.settings.kettering.wind_faces != ""


def test_actions_are_appended_and_read_back_as_they_were_answered(endpoints, session):
    first = move(endpoints, session, DEPLOY)
    second = move(endpoints, session, LAUNCH)
    assert (first.revision, second.revision) == (1, 2)
    assert second.name == f"{session.name}/actions/00000002"
    assert second.etag == '"2"'
    assert second.dice_source == dice_pb2.DICE_SOURCE_SEEDED
    listed = endpoints.ListActions(pb.ListActionsRequest(parent=session.name), who())
    assert list(listed.actions) == [first, second]
    assert endpoints.GetAction(pb.GetActionRequest(name=second.name), who()) == second


def test_a_retry_with_the_same_request_id_returns_the_same_action_and_rolls_nothing(
    endpoints, session
):
    move(endpoints, session, DEPLOY)
    request_id = str(uuid.uuid4())
    first = move(endpoints, session, LAUNCH, request_id=request_id, etag='"1"')
    # Its etag is stale by now, and the phase is over: the retry of a success must not be told so.
    again = move(endpoints, session, LAUNCH, request_id=request_id, etag='"1"')
    assert again == first
    assert current(endpoints, session).revision == 2


def test_a_request_id_with_another_body_is_refused(endpoints, session):
    request_id = str(uuid.uuid4())
    move(endpoints, session, DEPLOY, request_id=request_id)
    with pytest.raises(refusals.RequestIdReused):
        move(endpoints, session, LAUNCH, request_id=request_id)
    with pytest.raises(refusals.RequestIdReused):
        move(endpoints, session, DEPLOY, request_id=request_id, seat="pilot")


def test_a_repeated_create_returns_the_session_as_it_was_created(endpoints):
    request = pb.CreateSessionRequest(setup=SETUP, request_id=str(uuid.uuid4()))
    first = endpoints.CreateSession(request, who())
    move(endpoints, first, DEPLOY)
    again = endpoints.CreateSession(request, who())
    assert again == first
    request.dice_seed = "other"
    with pytest.raises(refusals.RequestIdReused):
        endpoints.CreateSession(request, who())


def test_a_taken_session_id_is_refused(endpoints):
    name = f"duel-{uuid.uuid4().hex[:8]}"
    request = pb.CreateSessionRequest(setup=SETUP, session_id=name)
    endpoints.CreateSession(request, who())
    with pytest.raises(refusals.SessionExists):
        endpoints.CreateSession(request, who())


@pytest.mark.parametrize("bad", ["Upper", "-edge", "edge-", "a b", "a" * 64, "ä", "a/b", "{x}"])
def test_a_session_id_that_is_none_is_refused_with_its_field(endpoints, bad):
    with pytest.raises(Malformed) as refused:
        endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP, session_id=bad), who())
    assert refused.value.field == "session_id"


def refusal_of(endpoints, session, order=LAUNCH, **fields):
    before = current(endpoints, session)
    with pytest.raises(Refusal) as refused:
        move(endpoints, session, order, **fields)
    assert current(endpoints, session) == before, "a refusal writes nothing"
    return refused.value


def test_the_checks_come_in_the_documented_order(endpoints, session):
    """Each call is wrong in every later way too; the first fault answers."""
    claimed = endpoints.ClaimSeat(pb.ClaimSeatRequest(name=session.name, seat="pilot"), who())
    token = claimed.token
    everything = {"etag": '"9"', "dice": supplied(7)}
    with pytest.raises(refusals.SessionNotFound):
        endpoints.Move(
            pb.MoveRequest(name="sessions/no-such", order=LAUNCH, **everything), who("gcs_x")
        )
    found = refusal_of(endpoints, session, token="gcs_wrong", **everything)
    assert isinstance(found, refusals.SeatUnknown)
    assert isinstance(refusal_of(endpoints, session, **everything), refusals.SeatForbidden)
    found = refusal_of(endpoints, session, token=token, **everything)
    assert isinstance(found, refusals.EtagMismatch)
    assert found.facts["etag"] == '"0"'
    found = refusal_of(endpoints, session, token=token, dice=supplied(7))
    assert isinstance(found, PhaseClosed)
    move(endpoints, session, DEPLOY, token=token)
    found = refusal_of(endpoints, session, token=token, dice=supplied(7))
    assert isinstance(found, RollInvalid)


def test_supplied_dice_are_asked_for_one_after_the_other(endpoints, session):
    move(endpoints, session, DEPLOY)
    faces, asked = [], []
    while True:
        try:
            action = move(endpoints, session, LAUNCH, dice=supplied(*faces))
            break
        except RollRequired as needed:
            asked.append(needed.ask.purpose)
            faces += [2] * len(needed.ask.dice)
    assert asked == ["start-hex", "start-altitude", "speed"]
    assert action.dice_source == dice_pb2.DICE_SOURCE_SUPPLIED
    assert [roll.purpose for roll in action.rolls] == asked
    assert current(endpoints, session).revision == 2


def test_a_preview_draws_nothing_and_writes_nothing(endpoints, session):
    preview = move(endpoints, session, DEPLOY, validate_only=True)
    assert preview.name == ""
    assert preview.move_outcome.kettering.HasField("deployed")
    assert current(endpoints, session).revision == 0
    move(endpoints, session, DEPLOY)
    preview = move(endpoints, session, LAUNCH, validate_only=True)
    assert preview.would_ask.purpose == "start-hex"
    assert not preview.rolls
    assert preview.WhichOneof("outcome") is None
    assert current(endpoints, session).revision == 1
    with pytest.raises(PhaseClosed):
        move(endpoints, session, DEPLOY, validate_only=True)


def test_no_preview_or_refusal_moves_the_coming_draw(endpoints):
    def launched(meddle):
        request = pb.CreateSessionRequest(setup=SETUP, dice_seed="the same")
        one = endpoints.CreateSession(request, who())
        move(endpoints, one, DEPLOY)
        if meddle:
            for _ in range(5):
                move(endpoints, one, LAUNCH, validate_only=True)
                refusal_of(endpoints, one, DEPLOY)
                refusal_of(endpoints, one, LAUNCH, dice=supplied(1))
        return list(move(endpoints, one, LAUNCH).rolls)

    assert launched(True) == launched(False)


def test_two_sessions_never_share_a_draw_unless_they_share_a_seed(endpoints):
    def rolls(**fields):
        one = endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP, **fields), who())
        move(endpoints, one, DEPLOY)
        action = move(endpoints, one, LAUNCH)
        return one.dice_commitments[0], tuple(str(roll) for roll in action.rolls)

    secret = {rolls()[0].commitment for _ in range(20)}
    assert len(secret) == 20
    (first, one), (second, two) = rolls(dice_seed="s"), rolls(dice_seed="s")
    assert one == two
    assert first.commitment == second.commitment
    assert first.seed_supplied
    assert not rolls()[0].seed_supplied


def test_where_several_seats_may_act_the_refusal_says_which_there_are(endpoints):
    shown = resources.files("guncamera.rulesets.circus") / "examples.json"
    setup = json.loads(shown.read_text())["CreateSession"]["setup"]
    made = from_json(json.dumps({"setup": setup}).encode(), pb.CreateSessionRequest)
    session = endpoints.CreateSession(made, who())
    with pytest.raises(Malformed) as refused:
        endpoints.ListLegalOrders(pb.ListLegalOrdersRequest(name=session.name), who())
    assert refused.value.message == "Several seats may act; say which of first, second."
    assert refused.value.field == "seat"


def test_a_claimed_seat_acts_by_its_token_alone(endpoints, session):
    claimed = endpoints.ClaimSeat(pb.ClaimSeatRequest(name=session.name, seat="pilot"), who())
    assert claimed.seat.claimed
    with pytest.raises(refusals.SeatTaken):
        endpoints.ClaimSeat(pb.ClaimSeatRequest(name=session.name, seat="pilot"), who())
    with pytest.raises(Malformed) as refused:
        endpoints.ClaimSeat(pb.ClaimSeatRequest(name=session.name, seat="tail"), who())
    assert refused.value.field == "seat"
    assert move(endpoints, session, DEPLOY, token=claimed.token).revision == 1
    with pytest.raises(refusals.SeatForbidden):
        current(endpoints, session, seat="pilot")
    assert current(endpoints, session).revision == 1, "a spectator may look"
    with pytest.raises(refusals.SeatForbidden):
        endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who())
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who(claimed.token))
    with pytest.raises(refusals.SessionNotFound):
        current(endpoints, session)


def test_a_token_is_good_for_its_own_session_only(endpoints, session):
    other = endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())
    token = endpoints.ClaimSeat(pb.ClaimSeatRequest(name=other.name, seat="pilot"), who()).token
    assert isinstance(refusal_of(endpoints, session, token=token), refusals.SeatUnknown)


def test_threads_on_one_session_lose_and_double_nothing(endpoints, session):
    move(endpoints, session, DEPLOY)
    answered, stale = [], []

    def play():
        for _ in range(10):
            try:
                request = pb.DamageRequest(name=session.name, order=INSPECT)
                answered.append(endpoints.Damage(request, who()).revision)
            except refusals.EtagMismatch:
                stale.append(1)

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answered) + len(stale) == 80
    assert sorted(answered) == list(range(2, len(answered) + 2)), "each once, without a gap"
    listed = endpoints.ListActions(pb.ListActionsRequest(parent=session.name, page_size=500), who())
    assert [action.revision for action in listed.actions] == list(range(1, len(answered) + 2))


def test_an_unfinished_film_is_imported_under_new_dice(endpoints, session):
    move(endpoints, session, DEPLOY)
    move(endpoints, session, LAUNCH)
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    imported = endpoints.ImportSession(pb.ImportSessionRequest(film=film), who())
    assert imported.name != session.name
    assert imported.board == current(endpoints, session).board
    old, new = imported.dice_commitments
    assert old.commitment == session.dice_commitments[0].commitment
    assert new.from_revision == 3
    assert new.commitment != old.commitment
    again = endpoints.ExportSession(pb.ExportSessionRequest(name=imported.name), who())
    assert [a.trace for a in again.actions] == [a.trace for a in film.actions]


def _spoil_face(film):
    faces = film.actions[1].rolls[0].faces
    faces[0] = faces[0] % 6 + 1


def _roll(film):
    return film.actions[1].rolls[0]


SPOILS = {
    "many sides": lambda film: _roll(film).sides.__setitem__(0, 100_000),
    "no sides": lambda film: _roll(film).sides.__setitem__(0, 0),
    "no dice": lambda film: (_roll(film).ClearField("sides"), _roll(film).ClearField("faces")),
    "many dice": lambda film: (
        _roll(film).sides.extend([6] * 50),
        _roll(film).faces.extend([1] * 50),
    ),
    "a face too few": lambda film: _roll(film).faces.pop(),
    "face": _spoil_face,
    "summary": lambda film: setattr(film.actions[1], "summary", "It never took off."),
    "hash": lambda film: setattr(film.session, "rules_hash", "0" * 64),
    "trace": lambda film: film.actions[1].trace.pop(),
    "missing": lambda film: film.actions.pop(0),
    "result": lambda film: setattr(film.session, "result", "We won."),
    "format": lambda film: setattr(film, "format", 2),
    "no time": lambda film: film.session.ClearField("create_time"),
    "no time of an action": lambda film: film.actions[1].ClearField("create_time"),
    "a time before 1970": lambda film: setattr(film.session.create_time, "seconds", -1),
    "a time that never comes": lambda film: setattr(film.session.create_time, "seconds", 10**15),
    "a second of many parts": lambda film: setattr(film.actions[0].create_time, "nanos", 10**9),
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_a_film_that_does_not_come_out_is_refused(endpoints, session, spoil):
    move(endpoints, session, DEPLOY)
    move(endpoints, session, LAUNCH)
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    assert films.replay(read_film(film)).differences == ()
    spoil(film)
    with pytest.raises(Malformed):
        endpoints.ImportSession(pb.ImportSessionRequest(film=film), who())


def test_pages_of_the_ledger_meet_without_gap_or_double(endpoints, session):
    for order in (DEPLOY, LAUNCH):
        move(endpoints, session, order)
    for _ in range(5):
        endpoints.Damage(pb.DamageRequest(name=session.name, order=INSPECT), who())
    seen, token, first_token = [], "", ""
    while True:
        page = endpoints.ListActions(
            pb.ListActionsRequest(parent=session.name, page_size=3, page_token=token), who()
        )
        seen += [action.revision for action in page.actions]
        token = page.next_page_token
        first_token = first_token or token
        if not token:
            break
    assert seen == [1, 2, 3, 4, 5, 6, 7]
    foreign = pb.ListActionsRequest(parent=session.name, page_size=4, page_token=first_token)
    with pytest.raises(Malformed) as refused:
        endpoints.ListActions(foreign, who())
    assert refused.value.field == "page_token"


def test_a_rule_set_that_another_version_pinned_is_read_but_not_played(
    endpoints, session, monkeypatch
):
    from guncamera.sessions import play

    def changed(record):
        object.__setattr__(record, "rules_hash", "0" * 64)
        return original(record)

    original = play.check_pinned
    monkeypatch.setattr(play, "check_pinned", changed)
    found = refusal_of_any(endpoints, session)
    assert isinstance(found, refusals.RulesVersionChanged)


def refusal_of_any(endpoints, session):
    with pytest.raises(Refusal) as refused:
        move(endpoints, session, DEPLOY)
    return refused.value
