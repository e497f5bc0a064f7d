"""`guncamera play --as SEAT`: what is told and drawn is what that seat sees, while it sees it."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import duel
import pytest
from games import example_setup
from guncamera.api.config import Config
from guncamera.api.grpc_server import build_server
from guncamera.cli.playing import Game, play_out
from guncamera.rules.ruleset import rulesets
from guncamera_client import Client
from veiled import BLUE, RED, VEILED

SHORT = ("--torpedoes", "1", "--seed", "1")
REFEREED = sorted(
    slug
    for slug, found in rulesets().items()
    if "referee" in {field.name for field in fields(found.setup)}
)
HEADING = re.compile(r"Turn \d+, [\w ]+")
ACTION = re.compile(r" *\d+  (\w+) +(\S.*[.)])")


@pytest.fixture
def shelf():
    with duel.own_store() as (_, shelf):
        yield shelf


@pytest.fixture
def target(endpoints):
    server = build_server(endpoints, address="127.0.0.1:0", config=Config())
    server.start()
    yield f"127.0.0.1:{server.port}"
    server.stop(0).wait(10)


@pytest.fixture
def veiled(target):
    with duel.registered(VEILED):
        yield target


def logged(out):
    """The actions of a log, the report left out: who acted, and what is told of it."""
    found = map(ACTION.fullmatch, out.splitlines())
    return [one.groups() for one in found if one]


def told_to(target, viewer):
    """The actions told, each with what the service shows that seat at the same moment."""
    setup = replace(example_setup(VEILED), torpedoes=1)
    game = Game(VEILED, VEILED.book, setup, {}, VEILED.pilots["stock"], "veiled", viewer)
    told, boards = [], []
    with Client(target) as client:

        def look(session):
            boards.append(session)
            assert session.board == client.get_session(session, seat=viewer or "").board

        def tell(action):
            shown = client.get_action(boards[-1], action.revision, seat=viewer or "")
            told.append((action, shown))

        played = play_out(client, game, tell, look)
    assert [action.revision for action, _ in told] == list(range(1, played.actions + 1))
    return told


@pytest.mark.parametrize("viewer", [RED, BLUE, ""])
def test_a_viewer_is_told_what_its_seat_may_see(veiled, viewer):
    told = told_to(veiled, viewer)
    assert all(action == shown for action, shown in told)
    before_the_end = [action for action, _ in told[:-1]]
    hidden = {action.seat for action in before_the_end if action.WhichOneof("order") is None}
    assert hidden == {RED, BLUE} - {viewer}


def test_without_a_viewer_each_action_is_told_as_its_seat_sees_it(veiled):
    told = told_to(veiled, None)
    assert all(action.WhichOneof("order") for action, _ in told)


def test_a_log_is_headed_by_turns_and_says_who_acts(run, veiled):
    played = ("play", "kettering", *SHORT, "--log", "--target", veiled)
    ran = run(*played, "--as", RED)
    assert ran.code == 0, ran.err
    headings = [line for line in ran.out.splitlines() if line.startswith("Turn ")]
    assert len(headings) > 2
    assert all(map(HEADING.fullmatch, headings))
    of_red = [told for seat, told in logged(ran.out) if seat == RED]
    of_blue = [told for seat, told in logged(ran.out) if seat == BLUE]
    assert of_red
    assert "Something is done." not in of_red
    assert set(of_blue[:-1]) == {"Something is done."}
    assert any(told.endswith(")") for told in of_red), "what was ordered"


def test_pictures_are_drawn_of_each_phase_as_the_seat_sees_it(run, veiled, tmp_path):
    names = {}
    for viewer in (RED, BLUE):
        folder = tmp_path / viewer
        folder.mkdir()
        played = ("play", "kettering", *SHORT, "--pictures", folder, "--target", veiled)
        assert run(*played, "--as", viewer, "--quiet").code == 0
        names[viewer] = {file.name: file.read_text() for file in folder.iterdir()}
    assert all(svg.startswith("<svg") for svg in names[RED].values())
    assert len(names[RED]) > 4
    assert all(re.fullmatch(r"\d{4}-turn-\d+-[\w-]+\.svg", name) for name in names[RED])
    assert set(names[RED].values()) - set(names[BLUE].values())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--as", "gunner"), ("gunner", "red, blue, spectator")),
        (("--as", "rad"), ("did you mean red?",)),
        (("--as", "referee"), ("referee", "take red, blue, spectator")),
        (("--pictures", "/no/such/folder"), ("/no/such/folder", "no such folder")),
    ],
)
def test_a_seat_that_is_not_there_is_refused_in_one_line(run, veiled, arguments, words):
    run("play", "kettering", *SHORT, "--target", veiled, *arguments).refused(2, *words)


def test_a_spectator_reads_no_secret(run, veiled):
    played = ("play", "kettering", *SHORT, "--log", "--target", veiled)
    acted = logged(run(*played, "--as", "spectator").out)
    assert {told for _, told in acted[:-1]} == {"Something is done."}


@pytest.mark.parametrize("slug", REFEREED)
def test_a_battle_is_told_as_either_side_and_as_the_referee(run, target, slug):
    found = rulesets()[slug]
    sides = [seat.id for seat in found.seats(found.setup(), found.book)]
    logs = {}
    for viewer in (*sides, "referee", "spectator"):
        played = ("play", slug, "--seed", "1", "--as", viewer, "--setting", "max_turns=1")
        ran = run(*played, "--log", "--target", target)
        assert ran.code == 0, ran.err
        logs[viewer] = logged(ran.out)[:-1]
        named = {side for side in sides for _, told in logs[viewer] if f"{side}-card-" in told}
        assert named == (set(sides) if viewer == "referee" else {viewer} & set(sides))
    assert len({len(actions) for actions in logs.values()}) == 1
    assert len({tuple(actions) for actions in logs.values()}) == len(logs)
    for side, title in zip(sides, ("US", "Japanese")):
        unseen = f"The {title} side has moved."
        told_by = {
            viewer for viewer, lines in logs.items() if any(told == unseen for _, told in lines)
        }
        assert told_by == set(logs) - {side, "referee"}
