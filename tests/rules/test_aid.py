"""The sheets in the order of play: sections name rules, tables stand with them, names are words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from guncamera.rules import aid as aids
from guncamera.rules import player_aid as sheets
from guncamera.rules.aid import Aid, Section, aid_of
from guncamera.rules.plain import to_plain
from guncamera.rules.ruleset import Ruleset, rulesets

SLUGS = [slug for slug in rulesets() if aid_of(slug).sections]
PART = re.compile(r"<h2>(?P<head>[^<]+)</h2>(?P<inner>.*?)</section>")


def names_in(found: Ruleset) -> set[str]:
    """Every name that heads a row or a column: of tables, of types and of what they carry."""

    def of(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for name, one in value.items():
                yield name
                yield from of(one)
        elif isinstance(value, list):
            for one in value:
                yield from of(one)

    tables = found.book.tables.values()
    heads = {name for one in tables for name in (*one.columns, *(row.label for row in one.rows))}
    return heads.union(*(of(to_plain(one)) for one in found.book.aircraft.values()))


def parts_of(found: Ruleset) -> dict[str, str]:
    page = sheets.player_aid(found.title, found.book, "as shipped")
    return {part["head"]: part["inner"] for part in PART.finditer(page)}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_section_begins_with_a_turn_and_names_rules_that_none_before_it_has(
    slug: str,
) -> None:
    found = rulesets()[slug]
    sections = aid_of(slug).sections
    assert sections[0].title == "A turn"
    left = [rule.id for rule in found.book.index]
    for section in sections:
        for rule in section.rules:
            here = list(Section("", (rule,)).picked(left))
            assert here, f"{section.title}: {rule} names no rule, or one that stands above"
            left = [one for one in left if one not in here]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_word_is_that_of_a_name_on_the_sheets(slug: str) -> None:
    names, aid = names_in(rulesets()[slug]), aid_of(slug)
    assert set(aid.words) <= names
    heads = {aid.called(name).replace("_", " ") for name in names}
    assert not {head for head in heads if re.search(r"\b(mp|ke)\b", head)}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_section_has_its_rules_in_its_order_and_the_tables_that_they_read(slug: str) -> None:
    found = rulesets()[slug]
    parts, left = parts_of(found), [rule.id for rule in found.book.index]
    sections = aid_of(slug).sections
    assert list(parts)[: len(sections)] == [section.title for section in sections]
    for section in sections:
        ids = list(section.picked(left))
        left = [one for one in left if one not in ids]
        assert re.findall(r'<th class="id">([^<]+)', parts[section.title]) == ids
        tables = {one.id for one in found.book.tables.values() if one.rule_id in ids}
        shown = set(re.findall(r'<table id="([^"]+)"', parts[section.title]))
        assert shown == tables - {"figures"}
    assert left == re.findall(r'<th class="id">([^<]+)', parts.get("More rules", ""))
    assert '<table id="figures"' in parts["More tables"]


def test_the_shipped_rule_sets_are_in_the_order_of_play_with_the_modifiers_of_a_shot() -> None:
    table = {"kettering": "penalties", "circus": "die-modifiers", "redstars": "shooting"}
    assert {*table, "carriers"} <= set(SLUGS)
    for slug, name in table.items():
        assert f'<table id="{name}"' in parts_of(rulesets()[slug])["A shot"]


def test_a_rule_set_that_says_nothing_is_laid_out_by_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sheets, "aid_of", lambda _slug: Aid())
    found = rulesets()["kettering"]
    parts = parts_of(found)
    assert list(parts) == ["Tables", "Rules", "Aircraft", "Readings"]
    assert len(re.findall("<table id=", parts["Tables"])) == len(found.book.tables)
    assert parts["Rules"].count('<th class="id">') == len(list(found.book.index))


def test_a_folder_without_the_file_has_an_empty_aid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aids, "_FILE", "none.toml")
    assert aids.aid_of.__wrapped__("kettering") == Aid()
