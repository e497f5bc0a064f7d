"""`guncamera rules diff`: which games that were played would be ruled otherwise, and where."""

import json

import httpx
import pytest
from guncamera.cli.main import main


@pytest.fixture
def mine(run, tmp_path):
    """A designer's folder, as exported."""
    folder = tmp_path / "mine"
    assert run("rules", "export", "kettering", folder).code == 0
    return folder


@pytest.fixture
def saved(tmp_path):
    """Writes plain data as a film file."""

    def write(plain, name="film.json"):
        file = tmp_path / name
        file.write_text(json.dumps(plain))
        return file

    return write


@pytest.fixture(scope="session")
def circus_file(tmp_path_factory, service):
    file = tmp_path_factory.mktemp("films") / "circus.json"
    short = ["play", "circus", "--seed", "2", "--set", "turns=2", "--quiet"]
    assert main([*short, "--target", service.grpc, "--film", str(file)]) == 0
    return file


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def looked_up(film, table):
    """The first action that looks something up in a table, and that line."""
    return next(
        (action, line["look_up_line"])
        for action in film["actions"]
        for line in action["trace"]
        if line.get("look_up_line", {}).get("table") == table
    )


def kill_of(film):
    return next(
        action
        for action in film["actions"]
        if "fire_outcome" in action and action["fire_outcome"]["kettering"]["torpedo_destroyed"]
    )


def only(told):
    (game,) = told["games"]
    return game


def test_under_the_same_rules_all_is_alike(run, film_file, mine):
    for more in ((), ("--tables", mine), ("--tables", mine / "aircraft.toml")):
        ran = run("rules", "diff", film_file, *more)
        assert (ran.code, ran.out) == (0, "1 game: 1 ruled alike.\n")


def test_the_first_step_that_reads_a_changed_cell_is_named(run, film_file, film, mine):
    action, line = looked_up(film, "start-altitudes")
    row, cell = line["row"], int(line["cell"])
    change(mine / "tables.toml", f"[{row}, {cell}]", f"[{row}, {cell + 50}]")
    ran = run("rules", "diff", film_file, "--tables", mine)
    assert ran.code == 1
    head, was, now, was_line, now_line, total = ran.out.splitlines()
    revision, actions = action["revision"], len(film["actions"])
    assert head == f"{film_file}: ruled otherwise at action {revision} of {actions}"
    assert was == f"    was  {action['summary']}"
    assert f" {cell + 50} metres" in now
    assert was_line == (
        f"    was  KET-1.4  table start-altitudes, row {row}, column altitude  {cell}"
    )
    assert now_line.endswith(f"column altitude  {cell + 50}")
    assert total == "1 game: 1 ruled otherwise."
    game = only(run("rules", "diff", film_file, "--tables", mine, "--json").json)
    assert game["verdict"] == "ruled"
    assert (game["ruled"]["revision"], game["ruled"]["what"]) == (revision, "outcome")
    assert game["told"] is None


def test_a_table_that_the_game_never_read_changes_nothing(run, film_file, film, mine):
    with pytest.raises(StopIteration):
        looked_up(film, "repairs")
    change(mine / "tables.toml", 'id = "repairs"', 'id = "repairs" # mine')
    assert run("rules", "diff", film_file, "--tables", mine).code == 0


def test_a_reason_that_changes_nothing_that_happened_is_told_apart(run, film, saved):
    action = film["actions"][2]
    action["summary"] = "Something was said."
    ran = run("rules", "diff", saved(film))
    assert ran.code == 1
    assert f"only told otherwise at action {action['revision']} of" in ran.out
    assert "was  Something was said." in ran.out
    assert ran.out.endswith("1 game: 1 only told otherwise.\n")


def test_what_is_told_otherwise_before_is_kept_beside_what_is_ruled_otherwise(run, film, saved):
    film["actions"][0]["summary"] = "Something was said."
    kill = kill_of(film)
    kill["fire_outcome"]["kettering"]["torpedo_destroyed"] = False
    game = only(run("rules", "diff", saved(film), "--json").json)
    assert game["verdict"] == "ruled"
    assert (game["told"]["revision"], game["told"]["what"]) == (1, "summary")
    assert (game["ruled"]["revision"], game["ruled"]["what"]) == (kill["revision"], "outcome")


def test_a_hit_that_becomes_a_miss_needs_fewer_dice_and_is_told_with_its_reason(
    run, film_file, film, mine
):
    kill = kill_of(film)
    assert len(kill["rolls"]) > 1, "the explosion has dice of its own"
    line = next(
        line["look_up_line"]
        for line in kill["trace"]
        if line.get("look_up_line", {}).get("table") == "target-damage"
    )
    cell = line["cell"]
    assert cell.endswith("*")
    text = (mine / "tables.toml").read_text()
    row = next(one for one in text.splitlines() if one.startswith(f"  [{line['row']}, "))
    change(mine / "tables.toml", row, row.replace(f'"{cell}"', cell[:-1]))
    game = only(run("rules", "diff", film_file, "--tables", mine, "--json").json)
    told = game["ruled"]
    assert (told["revision"], told["what"]) == (kill["revision"], "dice")
    assert (told["now"], told["refused"]) == ("The shot misses.", None)
    place = f"KET-7.7  table target-damage, row {line['row']}, column {line['column']}"
    assert (told["trace_filmed"], told["trace_now"]) == (
        f"{place}  {cell}",
        f"{place}  {cell[:-1]}",
    )


def test_a_miss_that_becomes_a_hit_says_which_dice_it_wants(run, film, saved):
    kill = kill_of(film)
    del kill["rolls"][1:]
    ran = run("rules", "diff", saved(film))
    assert "more dice are wanted: 2d6 for blast (KET-8.1)" in ran.out


def test_an_order_that_is_no_longer_legal_is_told_with_its_rule(run, film, saved):
    deployed = film["actions"][0]
    deployed["move"]["kettering"]["deploy"]["speed_mp"] = 25
    ran = run("rules", "diff", saved(film))
    assert "ruled otherwise at action 1 of" in ran.out
    assert "now  refused: ACTION_ILLEGAL (KET-1.2): Speed 25" in ran.out
    game = only(run("rules", "diff", saved(film), "--json").json)
    assert game["ruled"]["what"] == "ruling"
    assert game["ruled"]["now"] is None
    assert game["ruled"]["refused"]["rule_id"] == "KET-1.2"


def test_another_end_of_the_same_game_is_a_difference(run, film, saved):
    film["session"]["result"] = "A great victory."
    game = only(run("rules", "diff", saved(film), "--json").json)
    assert (game["ruled"]["revision"], game["ruled"]["what"]) == (len(film["actions"]), "result")


def test_a_film_of_an_earlier_version_is_held_to_the_rules_that_are_installed(run, film, saved):
    film["session"]["rules_version"] = 0
    film["session"]["rules_hash"] = "0" * 64
    for action in film["actions"]:
        action["rules_version"] = 0
    file = saved(film)
    assert run("replay", file).code == 1
    assert run("rules", "diff", file).code == 0


def test_a_reading_is_chosen_by_its_option(run, film_file, film):
    entered = next(one for one in film["actions"] if "launch" in one["move"]["kettering"])
    ran = run("rules", "diff", film_file, "--setting", "map_width_hexes=32")
    assert ran.code == 1
    assert "KET-2.1  setting: map_width_hexes  34" in ran.out
    assert "KET-2.1  setting: map_width_hexes  32" in ran.out
    assert f"ruled otherwise at action {entered['revision']} of" in ran.out
    run("rules", "diff", film_file, "--setting", "map_width_hexes=99").refused(2, "32 to 35")


def test_a_game_keeps_the_readings_it_was_played_under(run, service, tmp_path):
    file = tmp_path / "narrow.json"
    short = ("play", "kettering", "--seed", "7", "--torpedoes", "1", "--quiet")
    narrow = ("--setting", "map_width_hexes=32")
    assert run(*short, *narrow, "--target", service.grpc, "--film", file).code == 0
    assert run("rules", "diff", file).code == 0
    assert run("rules", "diff", file, "--setting", "map_width_hexes=34").code == 1


def test_a_changed_default_in_the_folder_is_not_passed_over(run, film_file, shot, mine):
    change(mine / "settings.toml", "default = 34", "default = 33")
    ran = run("rules", "diff", film_file, "--tables", mine)
    ran.refused(2, "map_width_hexes", "--setting map_width_hexes=33")
    run("odds", "fire", "kettering", *shot, "--tables", mine).refused(2, "map_width_hexes")
    change(mine / "settings.toml", 'name = "map_width_hexes"', 'name = "map_widht_hexes"')
    ran = run("rules", "diff", film_file, "--tables", mine)
    ran.refused(2, "map_widht_hexes", "did you mean map_width_hexes?")
    for entry, said in (("3", "entries are wanted, not 3"), ("{name = [1]}", "no rule reads")):
        (mine / "settings.toml").write_text(f"setting = [{entry}]")
        ran = run("odds", "fire", "kettering", *shot, "--tables", mine)
        ran.refused(2, "settings.toml", said)


def test_a_film_that_cannot_be_read_hides_no_other(run, film_file, saved, tmp_path):
    saved({"format": 7}, "broken.json")
    (tmp_path / "good.json").write_bytes(film_file.read_bytes())
    ran = run("rules", "diff", tmp_path)
    assert ran.code == 1
    assert f"{tmp_path / 'broken.json'}: not compared: not a film: film.format" in ran.out
    assert ran.out.endswith("2 games: 1 ruled alike, 1 not compared.\n")


def test_a_film_that_the_rules_cannot_even_set_up_is_told(run, film, saved):
    film["session"]["setup"]["kettering"]["aircraft_type"] = "zeppelin"
    ran = run("rules", "diff", saved(film))
    assert ran.code == 1
    assert "not compared: it cannot be set up: " in ran.out
    assert "zeppelin" in ran.out


def test_films_of_two_rule_sets_are_compared_but_not_by_the_tables_of_one(
    run, film_file, circus_file, mine
):
    ran = run("rules", "diff", film_file, circus_file)
    assert (ran.code, ran.out) == (0, "2 games: 2 ruled alike.\n")
    ran = run("rules", "diff", film_file, circus_file, "--tables", mine)
    ran.refused(2, "kettering and of circus", "one rule set", "--ruleset")
    both = (film_file, circus_file, "--tables", mine, "--ruleset")
    assert run("rules", "diff", *both, "kettering").out == "1 game: 1 ruled alike.\n"
    run("rules", "diff", *both, "ketering").refused(2, "RULESET_UNKNOWN", "kettering")


def test_games_come_from_a_service_as_well(run, service):
    made = {"setup": {"kettering": {"aircraft_type": "fokker-d7"}}}
    name = httpx.post(f"{service.url}/v1/sessions", json=made).raise_for_status().json()["name"]
    games = run("rules", "diff", "--target", service.url, "--json").json["games"]
    (game,) = [one for one in games if one["name"] == name]
    assert (game["verdict"], game["actions"]) == ("alike", 0)


@pytest.mark.parametrize("more", [(), ("film.json", "--target", "127.0.0.1:1")])
def test_films_or_a_service_one_of_the_two(run, more):
    run("rules", "diff", *more).refused(2, "--target", "one of the two")


def test_what_is_no_folder_of_films_is_told(run, tmp_path):
    run("rules", "diff", tmp_path).refused(2, "holds no films")
    ran = run("rules", "diff", tmp_path / "none.json")
    assert ran.code == 1
    assert "not compared: cannot be read" in ran.out


def test_a_folder_without_tables_is_told(run, film_file, tmp_path):
    run("rules", "diff", film_file, "--tables", tmp_path).refused(2, "tables.toml")
