"""`guncamera play`: a whole game through a running service, and the same one again."""

import json
import re
import subprocess
import sys

import pytest

SHORT = ("play", "kettering", "--torpedoes", "1")


def without_names_and_times(file):
    """A film's text but for what must differ: the session's name, and when it was played."""
    film = json.loads(file.read_text())
    for message in (film["session"], *film["actions"]):
        for field in ("name", "create_time", "expire_time"):
            message.pop(field, None)
    return json.dumps(film)


def test_a_report_tells_how_the_game_went(run, service):
    ran = run(*SHORT, "--seed", "1", "--target", service.grpc)
    assert ran.code == 0, ran.err
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert "stopped, score" in lines[0]
    assert "the commander expected" in lines[0]
    assert (
        lines[3].split()[:5] == ["#", "turns", "shots", "end", "territory"] or "turns" in lines[3]
    )
    assert any(line.startswith("Score") for line in lines)
    assert "damage points" in ran.out
    commitment = next(line for line in lines if line.startswith("Dice commitment: "))
    assert len(commitment.removeprefix("Dice commitment: ")) == 64
    seed = next(line for line in lines if line.startswith("Seed, revealed: "))
    assert len(seed.removeprefix("Seed, revealed: ")) == 64
    assert "\x1b" not in ran.out


def test_the_same_seed_gives_the_same_film_to_the_byte(run, service, tmp_path):
    first, again, other = (tmp_path / name for name in ("1.json", "2.json", "3.json"))
    for file, seed in ((first, "5"), (again, "5"), (other, "6")):
        ran = run(*SHORT, "--seed", seed, "--target", service.grpc, "--film", file)
        assert ran.code == 0, ran.err
    assert first.read_bytes() != again.read_bytes(), "the sessions have names of their own"
    assert without_names_and_times(first) == without_names_and_times(again)
    assert without_names_and_times(first) != without_names_and_times(other)


def test_both_transports_play_the_same_game(run, service, tmp_path):
    files = []
    for target in (service.grpc, service.url):
        files.append(tmp_path / f"{len(files)}.json")
        ran = run(*SHORT, "--seed", "5", "--target", target, "--film", files[-1])
        assert ran.code == 0, ran.err
    assert without_names_and_times(files[0]) == without_names_and_times(files[1])


def test_json_is_the_same_report(run, service):
    played = run(
        *SHORT, "--seed", "2", "--pilot", "random", "--target", service.grpc, "--json"
    ).json
    assert played["board"]["phase"] == "finished"
    assert played["pilot"] == "random"
    assert played["dice_seed"] == "seed 2"
    assert played["dice_commitments"][0]["seed_supplied"] is True
    assert played["actions"] > 5


def test_without_a_seed_the_dice_are_secret_until_the_end(run, service):
    played = [run(*SHORT, "--target", service.grpc, "--json").json for _ in range(2)]
    seeds = [one["dice_commitments"][0]["seed"] for one in played]
    assert all(len(seed) == 64 for seed in seeds)
    assert seeds[0] != seeds[1]
    assert played[0]["dice_commitments"][0]["seed_supplied"] is False


def test_a_film_of_a_played_game_verifies(run, service, tmp_path):
    film = tmp_path / "film.json"
    run(*SHORT, "--target", service.grpc, "--pilot", "random", "--film", film)
    assert run("verify", film).code == 0


def test_the_last_board_is_drawn(run, service, tmp_path):
    picture = tmp_path / "board.svg"
    assert run(*SHORT, "--target", service.grpc, "--picture", picture).code == 0
    assert picture.read_text().startswith("<svg")


def test_setup_and_settings_reach_the_session(run, service):
    chosen = ("--aircraft", "albatros-d3", "--setting", "gun_jams=on-two", "--set", "torpedoes=2")
    played = run("play", "kettering", *chosen, "--target", service.grpc, "--json").json
    assert played["setup"] == {"aircraft_type": "albatros-d3", "torpedoes": 2}
    assert played["settings"] == {"gun_jams": "on-two"}
    plain = run(*SHORT, "--target", service.grpc, "--json").json
    assert played["rules_hash"] != plain["rules_hash"]


def test_quiet_is_one_sentence(run, service):
    ran = run(*SHORT, "--quiet", "--target", service.grpc)
    assert ran.out.count("\n") == 1
    assert "score" in ran.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--pilot", "red-baron"), "random"),
        (("--against", "red-baron"), "random"),
        (("--torpedoes", "99"), "1 to 12"),
        (("--set", "wings=2"), "wings: unknown field"),
        (("--set", "torpedoes"), "a choice of the setup"),
        (("--setting", "gun_jams=often"), "none, on-two"),
        (("--film", "/no/such/folder/film.json"), "no folder"),
        (("--seed", "x"), "--seed"),
        (("--wings",), "--wings"),
    ],
)
def test_wrong_usage_is_one_line(run, service, arguments, word):
    run("play", "kettering", "--target", service.grpc, *arguments).refused(2, word)


def test_what_the_service_refuses_is_one_line(run, service):
    ran = run("play", "kettering", "--aircraft", "zeppelin", "--target", service.grpc)
    ran.refused(2, "INPUT_INVALID", "KET-1.1", "zeppelin")


def test_a_service_that_is_not_there_is_one_line(run):
    run("play", "kettering", "--target", "127.0.0.1:1").refused(1, "UNAVAILABLE", "127.0.0.1:1")


def test_a_service_with_other_rules_is_refused(run, service, monkeypatch):
    from dataclasses import replace

    from guncamera.cli import play
    from guncamera.rules.ruleset import ruleset

    found = ruleset("kettering")
    other = replace(found, book=replace(found.book, rules_version=99))
    monkeypatch.setattr(play, "ruleset", lambda _slug: other)
    run(*SHORT, "--target", service.grpc).refused(1, "other rules for kettering")


def test_without_a_target_a_service_is_started_and_stopped(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNCAMERA_GRPC_ADDRESS", "127.0.0.1:1")
    played = subprocess.run(
        [sys.executable, "-m", "guncamera", *SHORT, "--data-dir", str(tmp_path / "d"), "--json"],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert json.loads(played.stdout)["board"]["phase"] == "finished"
    assert (tmp_path / "d").is_dir()
    assert played.stderr == ""


def test_a_log_tells_every_ruling_in_a_line(run, service, tmp_path):
    file = tmp_path / "film.json"
    ran = run(*SHORT, "--seed", "1", "--log", "--film", str(file), "--target", service.grpc)
    assert ran.code == 0, ran.err
    actions = json.loads(file.read_text())["actions"]
    told = [f"{action['revision']:>4}  {action['summary']}" for action in actions]
    assert ran.out.splitlines()[: len(told)] == told


FIGHT = ("play", "circus", "--seed", "2", "--set", "turns=4")


def test_a_fight_is_told_turn_by_turn_before_the_report(run, service):
    ran = run(*FIGHT, "--target", service.grpc)
    assert ran.code == 0, ran.err
    tale, _, report = re.split(r"\n(A draw|The \w+ side wins): ", ran.out, maxsplit=1)
    turns = [line for line in tale.splitlines() if line.startswith("Turn ")]
    assert turns == [f"Turn {turn} of 4, simultaneous turns" for turn in range(1, 5)]
    assert max(map(len, tale.splitlines())) <= 80
    for word in ("  Look   ", "  Move   ", " flies from 1313 to "):
        assert word in tale
    assert "flown by pilot stock: " in report


@pytest.mark.parametrize("turn_order", ["simultaneous", "alternate"])
def test_a_fight_is_told_alike_over_both_transports(run, service, turn_order):
    chosen = (*FIGHT, "--set", f"turn_order={turn_order}", "--against", "random")
    grpc, rest = (run(*chosen, "--target", target).out for target in (service.grpc, service.url))
    assert grpc == rest
    assert "flown by pilot stock against random" in grpc


def test_a_rival_flies_the_other_seats(run, service, tmp_path):
    files = {}
    for name, pilots in {
        "stock": (),
        "rival": ("--against", "random"),
        "random": ("--pilot", "random"),
    }.items():
        files[name] = tmp_path / f"{name}.json"
        arguments = (*pilots, "--quiet", "--film", files[name], "--target", service.grpc)
        assert run(*FIGHT, *arguments).code == 0
    plots = {
        name: {
            action["seat"]: action["move"]["circus"]["plots"]
            for action in reversed(json.loads(file.read_text())["actions"])
            if "plots" in action.get("move", {}).get("circus", {})
        }
        for name, file in files.items()
    }
    assert plots["rival"]["first"] == plots["stock"]["first"] != plots["random"]["first"]
    assert plots["rival"]["second"] == plots["random"]["second"] != plots["stock"]["second"]


def test_quiet_and_log_tell_no_tale(run, service):
    assert run(*FIGHT, "--quiet", "--target", service.grpc).out.count("\n") == 1
    told = run(*FIGHT, "--log", "--target", service.grpc).out
    assert "Turn 1 of 4" not in told
    assert json.loads(run(*FIGHT, "--json", "--target", service.grpc).out)["ruleset"] == "circus"
