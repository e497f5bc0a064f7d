"""Whole events on a real service: every rule set in every format, and equal to the byte."""

import json
import os
import signal
import subprocess
import sys

import pytest
from guncamera.api.film_check import check_writing
from guncamera.cli.film_files import load_bundle
from guncamera.rules.ruleset import rulesets
from guncamera.sessions.film import check_dice, replay
from guncamera_tournament.crew import Crew
from guncamera_tournament.event import Setup
from guncamera_tournament.event_file import written
from guncamera_tournament.executor import Here
from guncamera_tournament.faces import faces_for
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.formats import FORMATS
from guncamera_tournament.journal import Journal
from guncamera_tournament.record import digest_of
from guncamera_tournament.runner import run_event
from living import is_gone
from servers import descendants, wait_until

PATIENCE = 90.0
SETTINGS = {"carriers": {"max_turns": 1}}
SETUPS = {"kettering": (Setup("one", '{"torpedoes": 1}'),)}
RANDOM = "stock:random"


def short(slug: str) -> dict:
    """What makes a game of a rule set quick."""
    return {"settings": SETTINGS.get(slug, {}), "setups": SETUPS.get(slug, (Setup(),))}


def contents(folder) -> dict[str, bytes]:
    """Everything of an event that has to be equal when it is played again."""
    kept = [folder / "event.toml", folder / "results.json", *sorted((folder / "films").iterdir())]
    return {file.name: file.read_bytes() for file in kept}


def assert_verified(folder) -> int:
    """Rule on every film again, as `guncamera verify` does; how many rolls were drawn."""
    drawn = 0
    for file in (folder / "films").iterdir():
        message, film = load_bundle(file)
        again, dice = replay(film), check_dice(film)
        assert not again.differences
        assert not dice.differences
        assert not check_writing(message, film, again.state)
        drawn += dice.checked + dice.supplied
    return drawn


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_rule_set_is_played_to_its_end_and_filmed(play, event_of, slug):
    records = play(event_of(slug, RANDOM, RANDOM, **short(slug)), in_flight=2)
    assert {record.reason for record in records} == {"finished"}
    for record in records:
        assert sum(record.points.values()) == 1.0
        assert record.winner == next((n for n, p in record.points.items() if p == 1.0), "")
        assert set(record.scores) == set(record.pilots)
        assert all(board.result for board in record.boards)
        assert record.turns > 0
        assert record.rules_version == rulesets()[slug].book.rules_version
    assert assert_verified(play.folder) == sum(record.rolls for record in records) > 0
    films = {board.film for record in records for board in record.boards}
    assert {f"films/{file.name}" for file in (play.folder / "films").iterdir()} == films


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_rule_set_is_played_in_every_format(play, event_of, slug):
    for name in FORMATS:
        pilots = [RANDOM] * (2 if name == "single" else 3)
        event = event_of(slug, *pilots, format=name, most_actions=12, **short(slug))
        records = play(event, name, in_flight=3)
        sides = 1 if slug == "kettering" else 2
        assert len(records) == FORMATS[name].pairings(event) * sides
        assert {record.reason for record in records} <= {"finished", "length"}


def test_an_event_is_equal_to_the_byte_however_it_is_played(play, event_of):
    event = event_of("redstars", RANDOM, "chancy", RANDOM, "stock:house", format="swiss")
    play(event, "one", in_flight=1)
    one = contents(play.folder)
    play(event, "many", in_flight=4)
    assert contents(play.folder) == one
    play(event, "crew", workers=2, in_flight=2)
    assert contents(play.folder) == one
    assert len(one) == 2 + 8
    assert json.loads((play.folder / "timings.json").read_text())["games"].keys() == {
        game["bout"] for game in json.loads(one["results.json"])["games"]
    }


def test_another_seed_is_another_event(play, event_of):
    records = [
        play(event_of("redstars", RANDOM, RANDOM, seed=seed), seed) for seed in ("one", "other")
    ]
    digests = [{b.film_sha256 for one in some for b in one.boards} for some in records]
    assert not digests[0] & digests[1]


def test_an_event_goes_on_where_it_was_broken_off(play, event_of, service):
    event = event_of("redstars", RANDOM, RANDOM, RANDOM, format="round-robin")
    play(event, "whole")
    whole = contents(play.folder)
    (play.folder / "results.json").unlink()
    journal = play.folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2]) + lines[2][: len(lines[2]) // 2])
    for name in list(whole)[-3:]:
        (play.folder / "films" / name).unlink()
    played = []
    watcher = type("W", (), {"begins": lambda *_: None, "played": lambda _, r: played.append(r)})()
    run_event(play.folder, None, [service.grpc], watcher=watcher)
    again = journal.read_bytes().splitlines(keepends=True)
    assert again[:2] == lines[:2], "what was there is kept, and not played again"
    assert len(again) == len(played) == 6
    assert len({json.loads(line)["record"]["bout"] for line in again}) == 6
    assert contents(play.folder) == whole


def test_a_runner_that_is_killed_goes_on_and_nothing_is_lost_or_doubled(
    play, event_of, service, tmp_path
):
    event = event_of("redstars", "first", RANDOM, format="single", games=4)
    play(event, "whole")
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "event.toml").write_text(written(event))
    journal = folder / "journal.jsonl"
    command = [
        sys.executable, "-m", "guncamera_tournament", "run", str(folder),
        "--target", service.grpc, "--workers", "2",
    ]  # fmt: skip
    runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def has_played(count: int) -> bool:
        return journal.exists() and journal.read_bytes().count(b"\n") >= count

    wait_until(lambda: runner.poll() is not None or has_played(2), "two are played", PATIENCE)
    assert runner.poll() is None, runner.stderr.read()
    below = descendants(runner.pid)
    assert len(below) >= 2
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    runner.stderr.close()
    wait_until(lambda: all(map(is_gone, below)), "workers and pilots are gone", PATIENCE)
    before = journal.read_bytes().count(b"\n")
    assert 2 <= before < 8
    run_event(folder, None, [service.grpc])
    bouts = [json.loads(line)["record"]["bout"] for line in journal.read_bytes().splitlines()]
    assert len(bouts) == len(set(bouts)) == 8
    assert contents(folder) == contents(play.folder)


def test_a_worker_that_dies_is_replaced_and_its_bouts_begin_anew(play, event_of, service):
    event = event_of("redstars", RANDOM, RANDOM, games=4)
    play(event, "calm")
    crews = []

    def crew():
        crews.append(Crew([service.grpc], 2, 2))
        return crews[0]

    class Killer:
        def begins(self, event, bouts):
            pass

        def played(self, record):
            if len(killed) < 2:
                killed.append(crews[0].pids[len(killed)])
                os.kill(killed[-1], signal.SIGKILL)

    killed = []
    calm = contents(play.folder)
    play(event, "stormy", make_executor=crew, watcher=Killer())
    assert len(killed) == 2
    assert not set(killed) & set(crews[0].pids)
    assert contents(play.folder) == calm


def test_many_services_share_the_bouts(event_of, service, tmp_path):
    event = event_of("redstars", RANDOM, RANDOM, games=2)
    one = Here([service.grpc], 1)
    two = Here([service.grpc, service.grpc.replace("127.0.0.1", "localhost")], 2)
    for folder, executor in (("one", one), ("two", two)):
        run_event(tmp_path / folder, event, [service.grpc], make_executor=lambda: executor)  # noqa: B023
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert {pool.target for pool in two._pools} != {service.grpc}


def test_duplicate_dice_are_the_same_from_both_sides(play, event_of):
    event = event_of("circus", RANDOM, "stock:house", games=2, dice="duplicate")
    records = play(event)
    thrown = {}
    for record in records:
        group = digest_of(event.seed, record.dice_group, "dice")
        (board,) = record.boards
        _, film = load_bundle(play.folder / board.film)
        counts = {}
        for action in film.actions:
            for roll in action.rolls:
                nth = counts.get((action.seat, roll.purpose), 0)
                counts[action.seat, roll.purpose] = nth + 1
                expected = faces_for(group, action.seat, roll.purpose, nth, roll.sides)
                assert roll.faces == expected
                label = record.dice_group, action.seat, roll.purpose, nth, roll.sides
                thrown.setdefault(label, []).append((record.bout, roll.faces))
    both = [rolls for rolls in thrown.values() if len(rolls) == 2]
    assert both, "no purpose came up on both sides: the test shows nothing"
    assert all(one[1] == other[1] for one, other in both)
    assert_verified(play.folder)


def test_with_one_seat_both_play_with_the_same_dice_and_the_higher_score_wins(play, event_of):
    setup = Setup("two", '{"torpedoes": 2}')
    event = event_of("kettering", "stock:house", RANDOM, games=2, setups=(setup,))
    records = play(event, in_flight=2)
    assert len(records) == 2
    for record in records:
        assert [list(board.seats.values()) for board in record.boards] == [
            [name] for name in record.pilots
        ]
        seeds = {
            load_bundle(play.folder / board.film)[0].session.dice_commitments[0].commitment
            for board in record.boards
        }
        assert len(seeds) == 1
        best = max(record.scores.values())
        winners = [name for name, score in record.scores.items() if score == best]
        assert record.winner == (winners[0] if len(winners) == 1 else "")
    assert any(record.winner == "0-house" for record in records)


def test_a_bout_that_is_too_long_is_a_draw(play, event_of):
    (record, _) = play(event_of("circus", RANDOM, RANDOM, most_actions=3))
    assert (record.reason, record.winner) == ("length", "")
    assert set(record.points.values()) == {0.5}
    assert record.actions >= 3
    assert_verified(play.folder)


def test_no_sessions_are_left_behind(play, event_of, client):
    before = {session.name for session in client.list_sessions()}
    play(event_of("redstars", RANDOM, "crash"))
    assert {session.name for session in client.list_sessions()} <= before


def test_films_need_not_be_kept(play, event_of):
    with_films = play(event_of("redstars", RANDOM, RANDOM), "with")
    without = play(event_of("redstars", RANDOM, RANDOM, keep_films=False), "without")
    assert list((play.folder / "films").iterdir()) == []
    assert [b.film_sha256 for r in with_films for b in r.boards] == [
        b.film_sha256 for r in without for b in r.boards
    ]
    assert {b.film for r in without for b in r.boards} == {""}


def test_an_event_that_is_there_is_not_played_as_another(play, event_of):
    play(event_of("redstars", RANDOM, RANDOM))
    with pytest.raises(TournamentError) as refused:
        play(event_of("redstars", RANDOM, RANDOM, games=2))
    assert refused.value.field == "games"


def test_one_runner_at_a_time(play, event_of, tmp_path):
    journal = Journal(tmp_path / "event")
    with pytest.raises(TournamentError, match="another runner"):
        play(event_of("redstars", RANDOM, RANDOM))
    journal.close()
    play(event_of("redstars", RANDOM, RANDOM))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"ruleset": "chess"}, "ruleset"),
        ({"setups": (Setup("x", '{"wings": 3}'),)}, "setups[0]"),
        ({"setups": (Setup("x", '{"kettering": {}}'),)}, "setups[0]"),
        ({"setups": (Setup(), Setup("x", '{"turns": 1000}'))}, "setups[1]"),
        ({"settings": {"wings": 3}}, "settings"),
        ({"settings": {"victory": "wings"}}, "settings"),
    ],
)
def test_what_the_service_does_not_know_is_refused_by_name(play, event_of, change, field):
    with pytest.raises(TournamentError) as refused:
        play(event_of(change.pop("ruleset", "circus"), RANDOM, RANDOM, **change))
    assert refused.value.field == field
    assert not play.folder.exists()


def test_rules_that_have_changed_do_not_finish_an_event(play, event_of):
    play(event_of("redstars", RANDOM, RANDOM))
    file = play.folder / "event.toml"
    text = file.read_text()
    (line,) = [x for x in text.splitlines() if x.startswith("rules_hash")]
    file.write_text(text.replace(line, 'rules_hash = "0123456789abcdef"'))
    with pytest.raises(TournamentError, match="begun under version 1, 0123456789ab") as refused:
        play(event_of("redstars", RANDOM, RANDOM))
    assert refused.value.field == "rules"


def test_a_target_that_is_none_is_refused(event_of, tmp_path):
    event = event_of("redstars", RANDOM, RANDOM)
    for targets in ([], ["http://127.0.0.1:1"], ["nowhere"]):
        with pytest.raises(TournamentError) as refused:
            run_event(tmp_path, event, targets)
        assert refused.value.field == "targets"
