"""`guncamera rule`: facts and dice in, a ruling out, and one line where it is not to be had."""

import json

import pytest
from guncamera.rules.ruleset import ruleset


def test_a_ruling_prints_summary_trace_events_and_dice(run, shot):
    ran = run("rule", "fire", "kettering", *shot, "--dice", "6 4 1 2")
    assert ran.code == 0
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0] == "The torpedo is destroyed."
    assert any(
        line.split()[:5] == ["KET-7.7", "table", "target-damage,", "row", "10,"] for line in lines
    )
    assert any(line.startswith("KET-7.7") and line.endswith("gapped") for line in lines)
    assert "Dice supplied: to-hit 6 4, blast 1 2." in lines
    assert "shot fired" in ran.out
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in ran.out


def test_modifiers_stand_in_the_sum_they_make(run):
    facts = ["aircraft_type=fokker-d7", "aspect=tail", "range_hexes=2", "speed_mp=6"]
    ran = run("rule", "fire", "kettering", *facts, "torpedo_speed_mp=3", "--dice", "6,6")
    assert "sum: to-hit, 12 - 3 - 2" in ran.out
    assert "modifier: twice as fast (speed 6 against the torpedo's 3)" in ran.out


def test_json_holds_the_whole_ruling(run, shot):
    ruled = run("rule", "fire", "kettering", *shot, "--dice", "1 1", "--json").json
    assert ruled["outcome"] == {"torpedo_destroyed": False, "guns_jammed": False}
    assert ruled["rolls"] == [{"purpose": "to-hit", "sides": [6, 6], "faces": [1, 1]}]
    assert ruled["dice_source"] == "supplied"
    assert len(ruled["rules_hash"]) == 64
    assert {"roll_line", "look_up_line"} <= {next(iter(line)) for line in ruled["trace"]}


def test_a_setting_decides(run, shot):
    plain = run("rule", "fire", "kettering", *shot, "--dice", "1 1", "--json").json
    setting = ("--setting", "gun_jams=on-two")
    changed = run("rule", "fire", "kettering", *shot, "--dice", "1 1", *setting, "--json").json
    assert plain["outcome"]["guns_jammed"] is False
    assert changed["outcome"]["guns_jammed"] is True
    assert changed["rules_hash"] != plain["rules_hash"]


def test_settings_of_every_type_are_understood(run, shot):
    settings = ("--setting", "ammunition_counted=no", "--setting", "fuel_turns=3")
    ran = run("rule", "fire", "kettering", *shot, "ammunition=0", "--dice", "1 1", *settings)
    assert ran.code == 0, ran.err


def test_every_wrong_setting_is_told(run, shot):
    settings = ("--setting", "gun_jams=often", "--setting", "gun_jam=none")
    ran = run("rule", "fire", "kettering", *shot, *settings)
    ran.refused(2, "gun_jams", "take none, on-two", "gun_jam: no such setting", "gun_jams?")


def test_a_procedure_takes_its_own_fields(run):
    facts = ["torpedo.hex=T-12", "torpedo.heading=southeast", "torpedo.altitude_metres=900"]
    words = [*facts, "torpedo.speed_mp=4", "wind_mp=-1"]
    short = run("rule", "move", "kettering", "advance", *words, "--roll", "draw", "--json").json
    assert "advanced" in short["outcome"]["procedure"]
    full = [f"procedure.advance.{word}" for word in words]
    long = run("rule", "move", "kettering", *full, "--roll", "draw", "--json").json
    assert "advanced" in long["outcome"]["procedure"]


def test_an_unknown_procedure_is_refused(run):
    run("rule", "move", "kettering", "advnce").refused(2, "advance?", "deployment")
    run("rule", "fire", "kettering", "shot").refused(2, "name=value")


def test_a_list_has_commas(run):
    ruled = run(
        "rule", "damage", "kettering", "assessment", "aircraft_type=fokker-d7",
        "condition.criticals=engine_damaged,struts_shattered", "--json",
    ).json  # fmt: skip
    profile = ruled["outcome"]["procedure"]["performance"]["profile"]
    assert profile["max_speed_mp"] == 6, "two for each"


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_facts_come_from_a_file_and_words_come_on_top(run, tmp_path, suffix):
    facts = {"aircraft_type": "fokker-d7", "aspect": "tail", "range_hexes": 3}
    file = tmp_path / f"facts.{suffix}"
    if suffix == "json":
        file.write_text(json.dumps(facts))
    else:
        file.write_text("".join(f"{k} = {json.dumps(v)}\n" for k, v in facts.items()))
    words = ("speed_mp=4", "torpedo_speed_mp=4", "--dice", "1 1", "--facts", file)
    run("rule", "fire", "kettering", *words).refused(1, "KET-6.3")
    assert run("rule", "fire", "kettering", "range_hexes=1", *words).code == 0


def test_facts_come_from_standard_input(run, shot):
    text = json.dumps({"aircraft_type": "fokker-d7", "aspect": "tail", "range_hexes": 1})
    words = ("speed_mp=4", "torpedo_speed_mp=4", "--facts", "-", "--dice", "1 1")
    assert run("rule", "fire", "kettering", *words, stdin=text).code == 0
    run("rule", "fire", "kettering", *words, stdin="a = ]").refused(2, "standard input", "line 1")


def test_a_file_that_cannot_be_read_is_one_line(run, tmp_path):
    file = tmp_path / "none.toml"
    run("rule", "fire", "kettering", "--facts", file).refused(2, str(file), "No such file")
    for value in ("9" * 5000, "[" * 5000):
        file.write_text(f"x = {value}")
        ran = run("rule", "fire", "kettering", "--facts", file)
        ran.refused(2, str(file), "neither JSON nor TOML")


def test_every_wrong_fact_is_told_at_once(run):
    ran = run(
        "rule", "fire", "kettering", "aircraft_typ=x", "aspect=TAIL", "range_hexes=one",
        "speed_mp=4", "sighted=perhaps", "condition=3", "speed_mp.x=1",
    )  # fmt: skip
    ran.refused(
        2,
        "aircraft_typ: unknown field (did you mean aircraft_type?)",
        "aircraft_type: missing",
        "torpedo_speed_mp: missing",
        "aspect: 'TAIL' is not one of tail, head_on, none",
        "range_hexes: 'one' is not a whole number",
        "sighted: 'perhaps' is neither yes nor no",
        "condition.damage_points",
        "speed_mp has no fields of its own",
    )
    assert "range_hexes: missing" not in ran.err


def test_a_number_that_is_missing_is_not_zero(run):
    words = ("aircraft_type=fokker-d7", "aspect=tail", "range_hexes=1", "torpedo_speed_mp=4")
    ran = run("rule", "fire", "kettering", *words, "--dice", "6 5")
    ran.refused(2, "speed_mp: missing; give 0 to 30")
    assert run("rule", "fire", "kettering", *words, "speed_mp=0", "--dice", "6 5").code == 0


def test_limits_are_held(run, shot):
    run("rule", "fire", "kettering", *shot[:-1], "torpedo_speed_mp=9").refused(2, "3 to 5")


def test_a_fact_is_given_once(run, shot):
    run("rule", "fire", "kettering", *shot, "speed_mp=5").refused(2, "speed_mp is given twice")


def test_what_a_rule_forbids_is_refused_with_its_id(run, shot):
    facts = [word.replace("range_hexes=1", "range_hexes=3") for word in shot]
    ran = run("rule", "fire", "kettering", *facts, "--json")
    ran.refused(1, "ACTION_ILLEGAL (KET-6.3)")
    assert ran.json["refused"]["rule_id"] == "KET-6.3"
    assert ran.json["refused"]["reason"] == "ACTION_ILLEGAL"


def test_dice_that_run_out_are_named(run, shot):
    ran = run("rule", "fire", "kettering", *shot, "--dice", "6 6", "--json")
    ran.refused(1, "ROLL_REQUIRED", "Roll 2d6 for blast", "table target-damage, column B-6")
    assert ran.json["refused"]["facts"] == {"purpose": "blast", "dice": "2d6"}


@pytest.mark.parametrize(
    ("dice", "word"),
    [
        ("7 1", "Face 7"),
        ("1 1 1", "1 supplied face was not asked for"),
        ("one", "'one'"),
        ("-1 2", "'-1'"),
    ],
)
def test_impossible_dice_are_wrong_usage(run, shot, dice, word):
    run("rule", "fire", "kettering", *shot, f"--dice={dice}").refused(2, word)


def test_without_a_terminal_the_system_throws(run, shot):
    ruled = run("rule", "fire", "kettering", *shot, "--json").json
    assert ruled["dice_source"] == "drawn"
    assert len(ruled["rolls"][0]["faces"]) == 2


def test_a_person_is_asked_die_by_die(run, shot):
    ran = run("rule", "fire", "kettering", *shot, "--roll", "ask", "--json", stdin="6\n4\n1\n2\n")
    assert ran.code == 0
    assert ran.json["rolls"][1] == {"purpose": "blast", "sides": [6, 6], "faces": [1, 2]}
    assert ran.json["dice_source"] == "supplied"
    assert "Roll 2d6 for to-hit, read as a total on table target-damage, column A-1" in ran.err
    assert ran.err.count("Roll 2d6") == 2
    assert ran.err.count("die 2 of 2, d6: ") == 2


def test_an_impossible_face_is_asked_for_again_at_once(run, shot):
    asked = ("--roll", "ask", "--json")
    ran = run("rule", "fire", "kettering", *shot, *asked, stdin="7\n0\nsix\n1\n2\n")
    assert ran.json["rolls"][0]["faces"] == [1, 2]
    assert ran.err.count("is not on a d6; give 1 to 6") == 3


def test_back_takes_a_die_back_even_into_the_throw_before(run, shot):
    stdin = "6\n6\nback\nback\n1\n2\n"
    ran = run("rule", "fire", "kettering", *shot, "--roll", "ask", "--json", stdin=stdin)
    assert ran.json["rolls"] == [{"purpose": "to-hit", "sides": [6, 6], "faces": [1, 2]}]


def test_dice_on_the_command_line_come_first_and_cannot_be_taken_back(run, shot):
    asked = ("--dice", "1", "--roll", "ask", "--json")
    ran = run("rule", "fire", "kettering", *shot, *asked, stdin="back\n2\n")
    assert ran.json["rolls"][0]["faces"] == [1, 2]
    assert "die 1 of 2" not in ran.err


def test_input_that_ends_too_soon_is_refused(run, shot):
    ran = run("rule", "fire", "kettering", *shot, "--roll", "ask", stdin="6\n")
    assert ran.code == 1
    assert ran.err.splitlines()[-1].startswith("The input ended, and d6 for to-hit")


def test_given_dice_and_drawn_dice_exclude_each_other(run, shot):
    dice = ("--dice", "1", "--roll", "draw")
    run("rule", "fire", "kettering", *shot, *dice).refused(2, "exclude each other")


def test_help_lists_the_fields_with_kind_limits_and_what_may_be_left_out(run):
    ran = run("rule", "fire", "--help")
    assert ran.code == 0
    rows = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "range_hexes whole number, 0 to 100; required" in rows
    assert "aspect tail, head_on, none; required" in rows
    assert "sighted yes or no; yes if left out" in rows
    assert "ammunition whole number, 0 to 100; may be left out" in rows
    assert any(row.startswith("condition.damage_points whole number") for row in rows)
    moves = run("rule", "move", "kettering", "--help").out
    assert "Facts of kettering advance:" in moves


def test_help_beside_a_rule_set_is_about_that_one_and_beside_a_procedure_about_that(run):
    def heads(*words):
        out = run("rule", "fire", *words, "--help").out
        return [line for line in out.splitlines() if line.startswith("Facts of")]

    circus = [f"Facts of circus {name}:" for name in ("firing", "drum_change", "holding")]
    assert heads("circus") == circus
    assert heads("circus", "holding") == circus[2:]
    assert len(heads("circsu")) == len(heads()) > len(circus)


def test_a_procedure_that_is_not_named_is_asked_for_with_all_there_are(run):
    for words in ((), ("side=first",)):
        ran = run("rule", "fire", "circus", *words)
        ran.refused(2, "procedure", "firing, drum_change, holding", "--help")
    assert run("rule", "fire", "circus", "holding", "side=first").code == 0
    assert run("rule", "fire", "circus", "procedure.holding.side=first").code == 0


def test_sources_say_of_each_rule_in_the_trace_where_it_comes_from(run, shot):
    ran = run("rule", "fire", "kettering", *shot, "--dice", "3 4", "--sources")
    assert "Edition: The General, Volume 11, Number 6" in ran.out
    trace, listed = ran.out.split("Edition: ")
    cited = {line.split()[0] for line in trace.splitlines() if line.startswith("KET-")}
    listed = listed.split("Events")[0].splitlines()
    assert [line.split()[0] for line in listed if line.startswith("KET-")] == list(
        dict.fromkeys(line.split()[0] for line in trace.splitlines() if line.startswith("KET-"))
    )
    told = run("rule", "fire", "kettering", *shot, "--dice", "3 4", "--json").json
    assert {rule["id"] for rule in told["rules"]} == cited
    index = ruleset("kettering").book.index.rules
    assert all(rule["source"] == index[rule["id"]].source for rule in told["rules"])
    assert "Edition" not in run("rule", "fire", "kettering", *shot, "--dice", "3 4").out


def test_an_unknown_ruleset_is_wrong_usage(run):
    run("rule", "fire", "ketering").refused(2, "RULESET_UNKNOWN", "kettering")


def test_an_unknown_verb_is_wrong_usage(run):
    run("rule", "ram", "kettering").refused(2, "ram")


def test_a_procedure_may_be_named_where_types_of_ones_own_may_come_along(run):
    strike = ["flyer.type=sbd", "weapon=bomb", "target.nation=japan", "target.ship_class=carrier"]
    ran = run("rule", "fire", "carriers", "strike", *strike, "target.line=medium", "--dice", "5")
    assert (ran.code, ran.err) == (0, "")
    assert "CAR-7.3" in ran.out


def test_a_file_brings_types_of_ones_own_beside_a_procedure(run, tmp_path):
    card = {"type": "helldiver", "title": "SB2C", "nation": "us", "role": "dive_bomber"}
    figures = {"combat": 3, "bomb": 6, "torpedo": 0, "range": "medium", "recon": 2}
    target = {"nation": "japan", "ship_class": "carrier", "line": "medium"}
    facts = tmp_path / "facts.json"
    facts.write_text(json.dumps({"own_cards": [{**card, **figures}], "target": target}))
    words = ["flyer.type=helldiver", "weapon=bomb", "--facts", str(facts), "--dice", "6 1"]
    ran = run("rule", "fire", "carriers", "strike", *words)
    assert (ran.code, ran.err) == (0, "")
    assert "bridge" in ran.out


def test_a_text_with_what_is_not_seen_is_refused_by_its_place(run, shot, tmp_path):
    others = [word for word in shot if not word.startswith("aircraft_type")]
    ran = run("rule", "fire", "kettering", "aircraft_type=fokker-d7\u200b", *others)
    assert (ran.code, "aircraft_type" in ran.err, "U+200B" in ran.err) == (2, True, True)
    file = tmp_path / "facts.json"
    file.write_text(json.dumps({"aircraft_type": "fokker-d7\u3164"}))
    ran = run("rule", "fire", "kettering", *others, "--facts", file)
    assert (ran.code, "aircraft_type" in ran.err, "U+3164" in ran.err) == (2, True, True)
