"""`guncamera rules`: show, check and export, as a designer of a variant uses them."""

from importlib import resources
from pathlib import Path

import pytest
from guncamera.rules.plain import to_plain
from guncamera.rules.ruleset import ruleset, rulesets
from guncamera.rules.toml_places import line_of

ROOT = Path(__file__).parents[2]
SHIPPED = resources.files("guncamera.rulesets.kettering")


@pytest.fixture
def mine(run, tmp_path):
    """A designer's folder, as exported."""
    folder = tmp_path / "mine"
    assert run("rules", "export", "kettering", folder).code == 0
    return folder


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return text[: text.index(old)].count("\n") + 1


# ---- show


def test_the_overview_says_what_there_is(run):
    out = run("rules", "show", "kettering").out
    for word in ("The General", "target-damage", "fokker-d7", "move, wind, spot, fire, damage"):
        assert word in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("slug", rulesets())
@pytest.mark.parametrize("topic", ["tables", "settings", "rules", "aircraft"])
def test_each_list_names_everything(run, topic, slug):
    book = ruleset(slug).book
    names = {
        "tables": book.tables,
        "settings": book.setting_specs,
        "rules": book.index.rules,
        "aircraft": book.aircraft,
    }[topic]
    out = run("rules", "show", slug, topic).out
    first_words = {line.split()[0] for line in out.splitlines() if line.strip()}
    assert set(names) <= first_words
    assert max(map(len, out.splitlines())) <= 80
    listed = run("rules", "show", slug, topic, "--json").json[topic]
    assert len(listed) == len(names)


@pytest.mark.parametrize("what", ["rules", "settings", "KET-7.4", "speed_multiples"])
def test_what_cites_the_register_says_where_it_is(run, what):
    page = run("rules", "show", "kettering", what).out.splitlines()[-1].removeprefix("Register: ")
    assert "### HR-9. " in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", rulesets())
def test_a_list_of_aircraft_cuts_no_figure_short(run, slug):
    lines = run("rules", "show", slug, "aircraft").out.splitlines()
    for kind, profile in ruleset(slug).book.aircraft.items():
        shown = {word for line in lines if line.split()[:1] == [kind] for word in line.split()}
        figures = {str(figure) for figure in to_plain(profile).values() if type(figure) is int}
        assert figures <= shown, kind


def test_a_table_is_printed_as_on_the_page(run):
    out = run("rules", "show", "kettering", "penalties").out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "tail at two hexes -3" in lines
    assert "Basis stated" in lines
    assert "Rule KET-7.3" in lines
    shown = run("rules", "show", "kettering", "penalties", "--json").json
    assert shown["kind"] == "table"
    assert shown["rows"][0] == ["tail at two hexes", -3]


def test_a_rule_names_its_tables_and_settings(run):
    for name in ("KET-7.7", "ket-7.7"):
        out = run("rules", "show", "kettering", name).out
        assert "Tables: target-damage, target-damage-plain" in out
        assert "Settings: target_damage" in out
    assert run("rules", "show", "kettering", "KET-7.7", "--json").json["basis"] == "house"


def test_a_setting_says_what_each_choice_means_and_why(run):
    out = run("rules", "show", "kettering", "wind_faces").out
    assert "southwest-first (default)" in out
    assert "No order changes the odds" in out
    assert "32 to 35" in run("rules", "show", "kettering", "map_width_hexes").out


def test_an_aircraft_has_its_figures(run):
    shown = run("rules", "show", "kettering", "fokker-d7", "--json").json
    assert (shown["kind"], shown["max_speed_mp"]) == ("aircraft", 10)
    assert "Fokker D.VII" in run("rules", "show", "kettering", "fokker-d7").out


def test_what_is_not_there_is_one_line_with_what_was_meant(run):
    run("rules", "show", "kettering", "penaltys").refused(2, "did you mean penalties?")
    run("rules", "show", "chess").refused(2, "RULESET_UNKNOWN")


# ---- export


def test_export_copies_the_files_as_they_are(mine):
    names = {path.name for path in mine.iterdir()}
    assert names == {"tables.toml", "settings.toml", "rules.toml", "aircraft.toml"}
    for name in names:
        assert (mine / name).read_bytes() == SHIPPED.joinpath(name).read_bytes()


def test_export_writes_over_nothing_unless_told(run, mine):
    (mine / "rules.toml").write_text("mine")
    run("rules", "export", "kettering", mine).refused(2, "rules.toml", "--force")
    assert (mine / "rules.toml").read_text() == "mine"
    told = run("rules", "export", "kettering", mine, "--force", "--json").json
    assert "rules.toml" in told["files"]
    assert (mine / "rules.toml").read_text() != "mine"


def test_export_into_a_file_is_one_line(run, tmp_path):
    (tmp_path / "file").write_text("")
    run("rules", "export", "kettering", tmp_path / "file").refused(2, "file")


# ---- check


def test_the_shipped_files_have_no_problems(run):
    for arguments in ((), ("kettering",)):
        ran = run("rules", "check", *arguments)
        assert ran.code == 0, ran.out
        assert ran.out.endswith("no problems.\n")


def test_an_exported_folder_has_no_problems_and_no_changes(run, mine):
    told = run("rules", "check", mine, "--json").json[str(mine)]
    assert told["problems"] == []
    assert told["changes"] == []
    assert told["ruleset"] == "kettering", "found by its rule ids"
    assert told["counts"]["table"] == len(ruleset("kettering").book.tables)


def test_a_changed_number_is_a_change_and_no_problem(run, mine):
    change(mine / "tables.toml", '["tail at two hexes", -3]', '["tail at two hexes", -4]')
    change(mine / "settings.toml", "default = 34", "default = 33")
    ran = run("rules", "check", mine, "--json")
    assert ran.code == 0
    assert ran.json[str(mine)]["changes"] == [
        {"where": "setting map_width_hexes, default", "shipped": "34", "changed": "33"},
        {
            "where": "penalties, row tail at two hexes, column modifier",
            "shipped": "-3",
            "changed": "-4",
        },
    ]


def test_a_type_that_is_added_needs_a_row_wherever_each_has_one(run, mine):
    file = mine / "aircraft.toml"
    entry = file.read_text().split("[[aircraft]]")[1].replace("fokker-d7", "kite", 1)
    file.write_text(f"{file.read_text()}\n[[aircraft]]{entry}")
    (problem,) = run("rules", "check", mine, "--json").json[str(mine)]["problems"]
    assert (problem["file"], problem["place"]) == ("tables.toml", "table expectations rows")
    assert "kite" in problem["problem"]
    row = '["fokker-d7", 67, 61, 125],'
    change(mine / "tables.toml", row, f"{row}\n  {row.replace('fokker-d7', 'kite')}")
    assert run("rules", "check", mine).code == 0


def test_a_type_that_could_not_be_flown_is_a_problem(run, mine):
    line = change(mine / "aircraft.toml", 'schedule = "', 'schedule = "Z')
    (problem,) = run("rules", "check", mine, "--json").json[str(mine)]["problems"]
    assert (problem["file"], problem["line"]) == ("aircraft.toml", line)
    assert "no schedule" in problem["problem"]


def test_a_figure_that_is_missing_is_a_problem_with_a_line_to_add(run, mine):
    change(mine / "aircraft.toml", "max_speed_mp = 10\n", "")
    (problem,) = run("rules", "check", mine, "--json").json[str(mine)]["problems"]
    assert problem["problem"] == "missing; give a whole number"
    assert problem["hint"] == "add a line max_speed_mp = …"


def test_all_problems_are_listed_at_once_with_file_line_and_hint(run, mine):
    lines = {
        ("tables.toml", "do not meet"): change(mine / "tables.toml", "  [7, 2, 1", "  [8, 2, 1"),
        ("tables.toml", "'certain'"): change(
            mine / "tables.toml", 'basis = "derived"', 'basis = "certain"'
        ),
        ("tables.toml", "there is no rule KET-9.99"): change(
            mine / "tables.toml", 'rule = "KET-9.1"', 'rule = "KET-9.99"'
        ),
        ("tables.toml", "unknown: this file holds [[table]]"): change(
            mine / "tables.toml", '[[table]]\nid = "deductions"', '[[tabel]]\nid = "deductions"'
        ),
        ("settings.toml", "not one of 32 to 35"): change(
            mine / "settings.toml", "default = 34", "default = 99"
        ),
        ("settings.toml", "did you mean partial_shift"): change(
            mine / "settings.toml", 'name = "partial_shift"', 'name = "partial_shfit"'
        ),
        ("rules.toml", "used twice"): change(
            mine / "rules.toml", 'id = "KET-1.4"', 'id = "KET-1.3"'
        ),
        ("rules.toml", "did you mean summary?"): change(mine / "rules.toml", "summary", "sumary"),
        ("aircraft.toml", "unknown field"): change(
            mine / "aircraft.toml", "schedule =", "shedule ="
        ),
    }
    ran = run("rules", "check", mine, "--json")
    assert ran.code == 1
    assert ran.err == ""
    problems = ran.json[str(mine)]["problems"]
    for (file, words), line in lines.items():
        found = [one for one in problems if one["file"] == file and words in one["problem"]]
        assert [line] == [one["line"] for one in found][:1], (file, words, problems)
    assert all("place" in one for one in problems)
    assert any(one["hint"] for one in problems)
    text = run("rules", "check", mine).out
    assert text.count(".toml:") >= len(lines)
    assert text.splitlines()[-1].endswith(f"{len(problems)} problems.")


def test_more_problems_than_a_refusal_may_carry_are_all_listed(run, mine):
    text = (mine / "tables.toml").read_text()
    (mine / "tables.toml").write_text(text.replace("unit =", "units ="))
    problems = run("rules", "check", mine, "--json").json[str(mine)]["problems"]
    assert len(problems) == 2 * text.count("unit =") > 20


def test_a_file_that_nothing_reads_is_a_problem(run, mine):
    (mine / "tabels.toml").write_text("")
    assert "did you mean tables.toml?" in run("rules", "check", mine).out


def test_broken_toml_is_a_problem_with_its_line(run, mine):
    (mine / "rules.toml").write_text("# one\nx = [\n\n= 3")
    ran = run("rules", "check", mine)
    assert ran.code == 1
    assert "rules.toml:4: file: not TOML" in ran.out


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_toml_that_its_reader_gives_up_on_is_a_problem_too(run, mine, value):
    (mine / "rules.toml").write_text(f"x = {value}")
    ran = run("rules", "check", mine)
    assert (ran.code, ran.err) == (1, "")
    assert "rules.toml: file: not TOML" in ran.out


@pytest.mark.parametrize(
    "text",
    [
        "table = 3",
        '[table]\nid = "x"',
        "table = [1, 2]",
        "[[table]]\nid = 3",
        '[[table]]\nid="x"\ntitle="x"\nrule="KET-1.1"\nsource="x"\nbasis="house"\nunit="x"\n'
        'row_axis="x"\ncolumns=3\nrows=4',
        '[[table]]\nid="penalties"\ntitle="x"\nrule="KET-7.3"\nsource="x"\nbasis="house"\n'
        'unit="x"\nrow_axis="x"\ncolumns=["a"]\nrows=[]',
    ],
)
def test_nonsense_of_the_right_syntax_is_a_problem_and_no_traceback(run, tmp_path, text):
    (tmp_path / "tables.toml").write_text(text)
    ran = run("rules", "check", tmp_path, "--ruleset", "kettering")
    assert ran.code == 1
    assert ran.err == ""
    assert "tables.toml" in ran.out


def test_a_folder_without_files_is_one_line(run, tmp_path):
    run("rules", "check", tmp_path).refused(2, "no TOML files", "rules export")
    run("rules", "check", tmp_path / "none").refused(2, "none", "No such file")


def test_places_in_files_are_lines():
    text = "# head\n[[row]]\nid = 1\nrows = [\n  [1],\n  [2],\n]\n\n[[row]]\nid = 2\n"
    assert line_of(text, "row", 0) == 2
    assert line_of(text, "row", 0, "rows[1]") == 6
    assert line_of(text, "row", 1, "id") == 10
    assert line_of(text, "row", 1, "nothing") == 9


# ---- every rule set


@pytest.mark.parametrize("slug", rulesets())
def test_the_aircraft_of_every_rule_set_are_exported_checked_and_compared(run, tmp_path, slug):
    book = ruleset(slug).book
    folder = tmp_path / "mine"
    assert book.aircraft_file in run("rules", "export", slug, folder).out
    told = run("rules", "check", folder, "--json").json[str(folder)]
    assert told["counts"][book.aircraft_kind] == len(book.aircraft)
    assert told["changes"] == told["problems"] == []
    kind, profile = next(iter(book.aircraft.items()))
    name, figure = next(
        (name, figure) for name, figure in to_plain(profile).items() if type(figure) is int
    )
    line = change(
        folder / book.aircraft_file, f"\n{name} = {figure}\n", f"\n{name} = {figure + 1}\n"
    )
    told = run("rules", "check", folder, "--json").json[str(folder)]
    changed = {"where": f"{kind}, {name}", "shipped": str(figure), "changed": str(figure + 1)}
    assert (told["changes"], told["problems"]) == ([changed], [])
    change(folder / book.aircraft_file, f"\n{name} = {figure + 1}\n", f'\n{name} = "x"\n')
    ran = run("rules", "check", folder)
    assert f"{book.aircraft_file}:{line + 1}: {book.aircraft_kind} {kind} {name}: " in ran.out
    assert ran.code == 1
