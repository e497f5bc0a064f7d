"""A variant's file: packed, read, held to its rules, and refused wherever it is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from guncamera.rules.packing import _written, pack
from guncamera.rules.plain import to_plain
from guncamera.rules.refusal import Malformed, VariantUnknown
from guncamera.rules.ruleset import rulesets
from guncamera.rules.table import Table
from guncamera.rules.variant import (
    Imprint,
    Variants,
    content_hash,
    read_variant,
)
from kettering_variants import (
    SAID,
    faster_by_two,
    files_of,
    heavier_with_a_kite,
    kite,
    only,
    renamed,
    text_of,
    variant_of,
)

KETTERING = rulesets()["kettering"]
DEEP, LONG = "a = " + "[" * 9999, "a = " + "9" * 9999


def cells(tables: dict[str, Table]) -> dict[str, Any]:
    return {name: (table.columns, table.rows) for name, table in tables.items()}


@pytest.mark.parametrize("slug", rulesets())
def test_whatever_stands_in_a_rule_sets_files_is_written_as_it_was(slug: str) -> None:
    document = files_of(rulesets()[slug])
    assert tomllib.loads("\n".join(_written(document))) == document


@pytest.mark.parametrize("slug", rulesets())
def test_only_what_differs_is_packed(slug: str) -> None:
    found = rulesets()[slug]
    kind = found.book.aircraft_kind
    document = files_of(found)
    first, *others = document[kind]
    title = "Another \u201ctitle\u201d\\ of \N{MAN}\u200d\N{AIRPLANE}\ufe0f"
    changed = {**document, kind: [{**first, "title": title}, *others]}
    packed = tomllib.loads(text_of(changed, slug))
    assert set(packed) == {"variant", kind}
    assert packed[kind] == changed[kind][:1]
    variant = variant_of(changed, slug)
    assert variant.ruleset is found
    assert cells(variant.book.tables) == cells(found.book.tables)
    assert variant.book.aircraft[first["type"]].title == title
    assert set(variant.book.aircraft) == set(found.book.aircraft)
    assert variant.book.digest != found.book.digest


@pytest.mark.parametrize("slug", rulesets())
def test_what_cannot_be_seen_is_packed_as_it_is_and_refused_when_it_is_read(slug: str) -> None:
    kind = rulesets()[slug].book.aircraft_kind
    first = {**files_of(rulesets()[slug])[kind][0], "title": "Another \u201ctitle\u201d\x7f"}
    text = text_of({kind: [first]}, slug)
    assert tomllib.loads(text)[kind] == [first]
    variant, faults = read_variant(text)
    assert variant is None
    assert [one.place for one in faults] == [f"{kind} {first['type']} title"]
    assert "U+007F" in faults[0].text


def test_a_table_an_aircraft_and_a_default_are_in_force() -> None:
    document = {**heavier_with_a_kite(), "settings": {"two_faster": "more-than-two"}}
    variant = variant_of(document)
    book = variant.book
    assert book.tables["penalties"].cell("faster by two", "modifier") == -2
    assert set(book.aircraft) - set(KETTERING.book.aircraft) == {"kite"}
    assert book.settings.two_faster == book.setting_specs["two_faster"].default == "more-than-two"
    assert KETTERING.book.settings.two_faster == "two-or-more"
    assert book.with_settings({"two_faster": "two-or-more"}).settings.two_faster == "two-or-more"
    assert (variant.imprint.author, variant.pin.name) == ("A. Designer", "heavier")
    assert book.with_settings({"map_width_hexes": 33}).variant == variant.pin, "it stays known"


def test_the_hash_is_over_what_is_said_and_not_over_how_it_is_laid_out() -> None:
    text = text_of(faster_by_two(-2))
    known = tomllib.loads(text)["variant"]["hash"]
    spaced = text.replace(" = ", "  =   ").replace("\n\n", "\n# a remark\n\n")
    variant, faults = read_variant(spaced)
    assert variant is not None, faults
    assert variant.pin.hash == known == content_hash(tomllib.loads(text))
    others = {
        variant_of(faster_by_two(-3)).pin.hash,
        variant_of(faster_by_two(-2), name="other").pin.hash,
        tomllib.loads(pack(KETTERING, Imprint("heavier", **{**SAID, "author": "B"}),
                           faster_by_two(-2)))["variant"]["hash"],
    }  # fmt: skip
    assert len(others | {known}) == 4


Changed = Callable[[dict[str, Any]], Any]


def repacked(change: Changed) -> str:
    """A variant with a change, under the hash that it has then."""
    document = tomllib.loads(text_of({**faster_by_two(-2), "settings": {"map_width_hexes": 33}}))
    change(document)
    head = document.get("variant")
    if isinstance(head, dict) and "hash" in head:
        head["hash"] = content_hash(document)
    return "\n".join(_written(document))


def head(**values: Any) -> Changed:
    return lambda document: document["variant"].update(values)


def table(**values: Any) -> Changed:
    return lambda document: document["table"][0].update(values)


def without(key: str) -> Changed:
    return lambda document: document["variant"].pop(key)


WRONG: dict[str, tuple[Changed, str, str]] = {
    "no head": (lambda document: document.pop("variant"), "[variant]", "rules pack"),
    "no author": (without("author"), "[variant] author", "missing"),
    "a key too many": (head(licence="x"), "[variant] licence", "did you mean license?"),
    "another format": (head(format=2), "[variant] format", "reads 1"),
    "a name with blanks": (head(name="my rules"), "[variant] name", "40 lower-case letters"),
    "a long name": (head(name="x" * 41), "[variant] name", "40 lower-case letters"),
    "a name that is none": (head(name=7), "[variant] name", "40 lower-case letters"),
    "an author of two lines": (head(author="a\nb"), "[variant] author", "a line of 1 to 200"),
    "a long version": (head(version="1" * 201), "[variant] version", "a line of 1 to 200"),
    "no rule set": (head(ruleset="chess"), "[variant] ruleset", "there is no rule set 'chess'"),
    "other rules": (head(base_hash="0" * 64), "[variant] base_hash", "made for other rules"),
    "a hash that is none": (head(base_hash="abc"), "[variant] base_hash", "SHA-256"),
    "an unknown part": (
        lambda document: document.update(tabel={"a": 1}), "[tabel]", "did you mean table?"
    ),
    "a table of no rule": (table(id="penaltys"), "table penaltys id", "did you mean penalties?"),
    "a rule that is none": (table(rule="KET-9.99"), "table penalties rule", "no rule KET-9.99"),
    "a setting that is none": (table(setting="x"), "table penalties setting", "no setting x"),
    "a title that is none": (table(title=7), "table penalties title", "a text"),
    "a row too short": (
        table(rows=[["tail at two hexes"]]), "table penalties rows[0]", "0 cells"
    ),
    "a row of another name": (
        table(rows=[["nose", -1]]), "table penalties rows[0]", "no rule reads a row 'nose'"
    ),
    "a cell of another form": (
        table(rows=[["tail at two hexes", "x"], ["faster by two", -1], ["twice as fast", -2],
                    ["three times as fast", -3]]), "table penalties rows[0]", "no such cell"
    ),
    "a cell beyond all bounds": (
        table(rows=[["tail at two hexes", 1_000_001]]), "table penalties rows[0]", "1000000"
    ),
    "a text full of digits": (
        table(rows=[["tail at two hexes", "99999999d6"]]), "table penalties rows[0]", "1000000"
    ),
    "a title with a control character": (
        table(title="Penal\x1bties"), "table penalties title", "U+001B"
    ),
    "a table whose name is not all seen": (
        table(id="penalties\u3164"), "table penalties\\u3164 id", "U+3164"
    ),
    "a row whose name is not all seen": (
        table(rows=[["nose", 1], ["tail\u200b", -1]]), "table penalties rows[1]", "U+200B"
    ),
    "a column whose name is not all seen": (
        table(columns=["modifier\ufe0f"]), "table penalties columns", "U+FE0F"
    ),
    "a key that is not all seen": (
        table(**{"title\u2800": "x"}), "table penalties", "a key, title\\u2800, holds U+2800"
    ),
    "an aircraft whose name is not all seen": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "type": "kite\u115f"}]
        ),
        "aircraft kite\\u115f type", "U+115F",
    ),
    "an author with a control character": (
        head(author="A\u202eB"), "[variant] author", "a line of 1 to 200"
    ),
    "a reading with a control character": (
        lambda document: document["settings"].update(two_faster="more\x00"),
        "[settings] two_faster", "U+0000",
    ),
    "no rows": (table(rows=[]), "table penalties rows", "a list is wanted"),
    "rows that are none": (table(rows="x"), "table penalties rows", "a list is wanted"),
    "columns that are none": (table(columns="x"), "table penalties columns", "a list is wanted"),
    "an unknown setting": (
        lambda document: document["settings"].update(map_with=3), "[settings] map_with", "no such"
    ),
    "a setting of no such value": (
        lambda document: document["settings"].update(map_width_hexes=99),
        "[settings] map_width_hexes", "32 to 35",
    ),
    "a table twice": (
        lambda document: document["table"].append(document["table"][0]),
        "table penalties id", "used twice",
    ),
    "a type that a table has no row for": (
        lambda document: document.update(aircraft=kite()["aircraft"]),
        "aircraft kite type", "the table expectations has a row for each type",
    ),
    "a table without a row for a type": (
        lambda document: document.update(
            aircraft=kite()["aircraft"],
            table=[{**kite()["table"][0], "rows": kite()["table"][0]["rows"][:-1]}],
        ),
        "table expectations rows", "kite",
    ),
    "a row for no type": (
        lambda document: document.update(table=kite()["table"]),
        "table expectations rows[13]", "no rule reads a row 'kite'",
    ),
    "a schedule that is none": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "schedule": "Z"}]
        ),
        "aircraft fokker-d7 schedule", "'Z' is no schedule; give one of A, B",
    ),
    "a gun that is none": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "gun": "Z"}]
        ),
        "aircraft fokker-d7 gun", "'Z' is no gun; give one of A, B",
    ),
    "a speed that no rule knows": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "max_speed_mp": 31}]
        ),
        "aircraft fokker-d7 max_speed_mp", "31; give 1 to 30",
    ),
    "a slowest speed above the highest": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "min_speed_mp": 11}]
        ),
        "aircraft fokker-d7 min_speed_mp", "above the highest speed of 10",
    ),
    "an aircraft twice": (
        lambda document: document.update(aircraft=files_of(KETTERING)["aircraft"][:1] * 2),
        "aircraft fokker-d7 type", "there twice",
    ),
    "an aircraft of no name": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "type": "a/b"}]
        ),
        "aircraft a/b type", "lower-case letters",
    ),
    "an aircraft beyond its bounds": (
        lambda document: document.update(
            aircraft=[{**files_of(KETTERING)["aircraft"][0], "max_speed_mp": 10**6 + 1}]
        ),
        "aircraft fokker-d7 max_speed_mp", "up to 1000000",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_by_its_place(name: str) -> None:
    change, place, says = WRONG[name]
    text = repacked(change)
    variant, faults = read_variant(text)
    assert variant is None
    found = [one for one in faults if place in one.place and says in one.text]
    assert found, faults
    if name not in ("no head", "no author", "a key that is not all seen"):
        line, word = text.splitlines()[found[0].line - 1], place.rpartition(" ")[2]
        assert line.startswith("  [") if word.startswith("rows[") else word in line, found


def test_what_was_edited_since_it_was_packed_is_refused() -> None:
    text = text_of(faster_by_two(-2))
    _, faults = read_variant(text.replace('["faster by two", -2]', '["faster by two", -3]'))
    assert [one.place for one in faults] == ["[variant] hash"]
    assert "it was changed since it was packed" in faults[0].text
    assert text.splitlines()[faults[0].line - 1].startswith("hash = ")


@pytest.mark.parametrize("text", ["[variant", "variant = 3", "[[variant]]\na = 1", DEEP, LONG])
def test_what_is_no_variant_is_said_to_be_none(text: str) -> None:
    variant, faults = read_variant(text)
    assert variant is None
    assert faults


@pytest.mark.parametrize("said", [{"name": "A b"}, {"author": ""}, {"version": "1\n"}])
def test_nothing_is_packed_under_a_name_that_would_be_refused(said: dict[str, str]) -> None:
    with pytest.raises(Malformed) as raised:
        pack(KETTERING, Imprint(**{"name": "heavier", **SAID, **said}), faster_by_two(-2))
    assert [one.field for one in raised.value.violations] == list(said)


def test_variants_are_found_by_name_among_those_of_their_rule_set() -> None:
    variants = Variants([*only(faster_by_two(-2)), *only(renamed(rulesets()["circus"]), "circus",
                         "second")])  # fmt: skip
    assert variants.book_of(KETTERING, "") is KETTERING.book
    assert variants.book_of(KETTERING, "heavier").variant == next(iter(variants)).pin
    for name in ("second", "x" * 5000):
        with pytest.raises(VariantUnknown) as raised:
            variants.book_of(KETTERING, name)
        assert raised.value.field == "variant"
        assert "heavier" in raised.value.message
        assert len(raised.value.message) < 300


@pytest.mark.parametrize("slug", rulesets())
def test_every_rule_set_holds_the_types_of_a_variant_together(slug: str) -> None:
    found = rulesets()[slug]
    for profile in found.book.aircraft.values():
        assert list(found.type_faults(profile, found.book, "type")) == []
    entry = files_of(found)[found.book.aircraft_kind][0]
    change = {
        "kettering": {"gun": "Z"},
        "circus": {"safe_dive_mp": entry.get("top_mp", 1) - 1},
        "redstars": {"dive_speed": 1},
        "carriers": {"combat": 0, "bomb": 0, "torpedo": 0, "recon": 0},
    }
    text = text_of({found.book.aircraft_kind: [{**entry, **change[slug]}]}, slug)
    variant, faults = read_variant(text)
    assert variant is None
    place = f"{found.book.aircraft_kind} {entry['type']}"
    assert all(one.place.startswith(place) for one in faults), faults


@pytest.mark.parametrize("slug", rulesets())
def test_readings_of_every_kind_can_be_defaults_of_a_variant(slug: str) -> None:
    found = rulesets()[slug]
    others = {}
    for name, spec in found.book.setting_specs.items():
        values = [one.value for one in spec.choices] or [spec.low, spec.high]
        others[name] = next(value for value in values if value != spec.default)
    book = variant_of({"settings": others}, slug).book
    assert to_plain(book.settings) == others
