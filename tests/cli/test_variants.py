"""`guncamera rules pack`, and what takes a packed variant: check, odds, diff, verify, play."""

from __future__ import annotations

import json
import tomllib

import pytest
from conftest import start_service, stop_service
from guncamera.cli.main import main
from guncamera.rules.ruleset import ruleset
from guncamera.rules.variant import MOST_BYTES
from kettering_variants import faster_by_two, renamed, text_of

SAID = ("--name", "heavier", "--author", "A. Designer", "--version", "1.0", "--license", "CC0-1.0")
FASTER = (
    "aircraft_type=fokker-d7", "aspect=tail", "range_hexes=1", "speed_mp=6", "torpedo_speed_mp=4",
)  # fmt: skip


@pytest.fixture
def mine(run, tmp_path):
    """A designer's folder with a changed number and a changed default."""
    folder = tmp_path / "mine"
    assert run("rules", "export", "kettering", folder).code == 0
    change(folder / "tables.toml", '["faster by two", -1]', '["faster by two", -2]')
    change(folder / "settings.toml", "default = 34", "default = 33")
    return folder


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.fixture
def packed(run, mine, tmp_path):
    file = tmp_path / "heavier.toml"
    ran = run("rules", "pack", mine, "-o", file, *SAID)
    assert ran.code == 0, ran.err
    assert "1 setting, 1 table other than in kettering." in ran.out.replace("\n", " ")
    return file


# ---- pack


def test_one_file_has_all_that_differs_and_says_whose_it_is(run, packed):
    document = tomllib.loads(packed.read_text())
    assert document["settings"] == {"map_width_hexes": 33}
    assert [one["id"] for one in document["table"]] == ["penalties"]
    head = document["variant"]
    assert (head["name"], head["author"], head["version"], head["license"]) == SAID[1::2]
    told = run("rules", "check", packed, "--json").json[str(packed)]
    assert told["problems"] == []
    assert told["variant"]["hash"] == head["hash"]
    assert told["ruleset"] == "kettering"
    assert told["changes"] == [
        {"where": "setting map_width_hexes, default", "shipped": "34", "changed": "33"},
        {
            "where": "penalties, row faster by two, column modifier",
            "shipped": "-1",
            "changed": "-2",
        },
    ]
    out = run("rules", "check", packed).out
    assert "heavier 1.0, a variant of Kettering Aerial Torpedo by A. Designer; CC0-1.0." in out
    assert out.endswith("1 setting: no problems.\n")


def test_a_variant_is_packed_anew_from_its_file(run, packed, tmp_path):
    change(packed, '["faster by two", -2]', '["faster by two", -3]')
    old = tomllib.loads(packed.read_text())["variant"]["base_hash"]
    change(packed, old, "0" * 64)
    assert run("rules", "check", packed).code == 1
    second = tmp_path / "second.toml"
    assert run("rules", "pack", packed, "-o", second, "--name", "second").code == 0
    document = tomllib.loads(second.read_text())
    assert document["variant"]["name"] == "second"
    assert document["variant"]["author"] == "A. Designer"
    assert document["variant"]["base_hash"] == old
    assert ["faster by two", -3] in document["table"][0]["rows"]
    assert run("rules", "check", second).code == 0


def test_what_cannot_be_packed_is_one_line(run, mine, packed, tmp_path):
    new = tmp_path / "new.toml"
    run("rules", "pack", mine, "-o", packed, *SAID).refused(2, "exists", "--force")
    assert run("rules", "pack", mine, "-o", packed, *SAID, "--force").code == 0
    run("rules", "pack", mine, "-o", tmp_path / "a.json", *SAID).refused(2, "ends in .toml")
    run("rules", "pack", mine, "-o", new, *SAID[:4]).refused(2, "--version, --license")
    run("rules", "pack", mine, "-o", new, *SAID[2:], "--name", "My rules").refused(2, "--name")
    run("rules", "pack", tmp_path / "none", "-o", new, *SAID).refused(2, "cannot be read")
    run("rules", "pack", mine / "tables.toml", "-o", new, *SAID).refused(2, "[variant]")
    shipped = tmp_path / "shipped"
    assert run("rules", "export", "kettering", shipped).code == 0
    run("rules", "pack", shipped, "-o", new, *SAID).refused(2, "nothing differs from kettering")
    change(mine / "tables.toml", '["faster by two", -2]', '["faster by twos", -2]')
    run("rules", "pack", mine, "-o", new, *SAID).refused(2, "rules check")
    assert not new.exists()


def test_check_lists_all_that_is_wrong_with_line_and_place(run, packed):
    change(packed, "map_width_hexes = 33", "map_width_hexes = 99")
    change(packed, '["faster by two", -2]', '["faster by twos", -2]')
    change(packed, 'license = "CC0-1.0"\n', "")
    ran = run("rules", "check", packed, "--json")
    assert ran.code == 1
    problems = {one["place"]: one for one in ran.json[str(packed)]["problems"]}
    lines = packed.read_text().splitlines()
    for place, word in (("[settings] map_width_hexes", "map_width_hexes"),
                        ("table penalties rows[1]", "faster by twos")):  # fmt: skip
        assert word in lines[problems[place]["line"] - 1]
    assert "[variant] license" in problems
    packed.write_bytes(b"#" * (MOST_BYTES + 1))
    run("rules", "check", packed).refused(2, str(MOST_BYTES))


# ---- what it does


def test_odds_and_diff_take_a_variant_as_tables(run, packed, film_file):
    out = run("odds", "fire", "kettering", *FASTER, "--tables", packed).out
    assert "Your variant is" in out
    told = run("rules", "diff", film_file, "--tables", packed, "--json")
    assert told.code in (0, 1)
    assert told.json["games"][0]["verdict"] in ("alike", "ruled", "told")
    other = packed.with_name("second.toml")
    other.write_text(text_of(renamed(ruleset("circus")), "circus", "second"))
    run("rules", "diff", film_file, "--tables", other).refused(2, "of circus", "kettering")


def test_a_folder_with_another_default_is_told_of_packing(run, mine):
    run("odds", "fire", "kettering", *FASTER, "--tables", mine).refused(2, "rules pack")


# ---- a game of it


@pytest.fixture(scope="module")
def variant_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("variants") / "heavier.toml"
    file.write_text(text_of(faster_by_two(-2)))
    return file


@pytest.fixture(scope="module")
def variant_film(variant_file, tmp_path_factory):
    """The film of a game that was played by a variant, on a service of two workers each."""
    folder = tmp_path_factory.mktemp("service")
    film = folder / "film.json"
    service = start_service(
        folder, "--variants", str(variant_file.parent), "--grpc-workers", "2", "--rest-workers", "2"
    )
    try:
        for target in (service.url, service.grpc):
            code = main(["play", "kettering", "--seed", "2", "--torpedoes", "2", "--quiet",
                         "--variant", str(variant_file), "--target", target,
                         "--film", str(film)])  # fmt: skip
            assert code == 0
    finally:
        stop_service(service)
    assert (
        f"variant heavier of kettering, 1.0, by A. Designer: {hash_of(variant_file)}"
        in (folder / "service.log").read_text()
    )
    return film


def hash_of(file):
    return tomllib.loads(file.read_text())["variant"]["hash"]


def test_its_film_is_verified_by_its_file(run, variant_film, variant_file):
    for command in ("replay", "verify"):
        ran = run(command, variant_film, "--variant", variant_file)
        assert ran.code == 0, ran.err
        assert f"Variant heavier, {hash_of(variant_file)[:12]}." in ran.out
        assert "all agree" in ran.out
    told = run("verify", variant_film, "--variant", variant_file, "--json").json
    assert (told["agrees"], told["variant"]) == (True, "heavier")
    assert told["variant_hash"] == hash_of(variant_file)


def test_without_its_file_or_with_another_nothing_is_ruled_on(
    run, variant_film, variant_file, film_file, tmp_path
):
    known = hash_of(variant_file)
    others = {
        "another version": text_of(faster_by_two(-3)),
        "another name": text_of(faster_by_two(-2), name="lighter"),
        "other rules": text_of(renamed(ruleset("circus")), "circus"),
    }
    for command in ("replay", "verify"):
        run(command, variant_film).refused(2, "'heavier'", known, "--variant FILE")
        for text in others.values():
            other = tmp_path / "other.toml"
            other.write_text(text)
            run(command, variant_film, "--variant", other).refused(
                2, known, hash_of(other), "--variant FILE"
            )
        run(command, film_file, "--variant", variant_file).refused(2, "as printed")


def test_a_film_that_says_another_hash_is_refused(run, variant_film, variant_file, tmp_path):
    plain = json.loads(variant_film.read_text())
    plain["session"]["variant_hash"] = "0" * 64
    file = tmp_path / "film.json"
    file.write_text(json.dumps(plain))
    run("verify", file, "--variant", variant_file).refused(2, "0" * 64)


def test_diff_rules_on_a_game_of_a_variant_by_its_next_version(run, variant_film, variant_file,
                                                               tmp_path):  # fmt: skip
    ran = run("rules", "diff", variant_film, "--json")
    assert ran.json["games"][0]["verdict"] == "unread", "its own tables are not here"
    assert "heavier" in ran.json["games"][0]["fault"]
    assert run("rules", "diff", variant_film, "--tables", variant_file).code == 0
    second = tmp_path / "second.toml"
    second.write_text(text_of(faster_by_two(-6)))
    told = run("rules", "diff", variant_film, "--tables", second, "--json")
    assert told.json["games"][0]["verdict"] == "ruled"


def test_a_game_is_refused_where_the_variant_is_not(run, service, variant_file):
    run(
        "play", "kettering", "--variant", variant_file, "--target", service.grpc, "--quiet"
    ).refused(1, "VARIANT_UNKNOWN", "heavier")
    run("play", "circus", "--variant", variant_file, "--target", service.grpc).refused(
        2, "VARIANT_UNKNOWN"
    )
