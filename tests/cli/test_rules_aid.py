"""`guncamera rules aid`: the sheets to print hold what the resolver has, cell by cell."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import guncamera.rulesets
import pytest
from guncamera.rules.index import parse
from guncamera.rules.plain import to_plain
from guncamera.rules.ruleset import rulesets
from guncamera.rules.table import Row
from guncamera.rules.trace import text_of

SLUGS = list(rulesets())
CELL = '["twice as fast", -2]'


class Sheets(HTMLParser):
    """The tables of a page: the text of each cell, row by row, and the page's own text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.captions: dict[str, str] = {}
        self.tags: set[str] = set()
        self.text = ""
        self._rows: list[list[str]] = []
        self._is_cell = self._is_caption = False
        self._at = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not {"src", "href", "onclick"} & dict(attrs).keys()
        if tag == "table":
            self._at = dict(attrs).get("id") or f"-{len(self.tables)}"
            self._rows = self.tables.setdefault(self._at, [])
        elif tag == "tr":
            self._rows.append([])
        elif tag == "caption":
            self.captions[self._at], self._is_caption = "", True
        elif tag in ("td", "th"):
            self._rows[-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag):
        self._is_cell = self._is_cell and tag not in ("td", "th")
        self._is_caption = self._is_caption and tag != "caption"

    def handle_data(self, data):
        self.text += data
        if self._is_caption:
            self.captions[self._at] += f"{data}\n"
        if self._is_cell:
            self._rows[-1][-1] += data


def spaced(text: object) -> str:
    return str(text).replace("_", " ")


def prose(text: str) -> str:
    return text if "`" in text else spaced(text)


def named(slug: str, name: str) -> str:
    """What a figure, row or column is called, by the words of the rule set's own file."""
    folder = Path(guncamera.rulesets.__path__[0]) / slug
    file = folder / "aid.toml"
    said = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return spaced(said.get("words", {}).get(name, name))


def words_of(slug: str, value: object) -> list[str]:
    """Every word of a figure, of a record with its fields' names, in order."""
    if isinstance(value, dict):
        return [
            word
            for name, one in value.items()
            for word in (*named(slug, name).split(), *words_of(slug, one))
        ]
    if isinstance(value, list | tuple):
        return [word for one in value for word in words_of(slug, one)]
    return [] if value is None else spaced(text_of(value)).replace(",", " ").split()


def rows_of(page: Sheets, head: str) -> list[list[str]]:
    """The rows of every table with such a head."""
    tables = [rows for rows in page.tables.values() if head in rows[0]]
    assert tables
    return [row for rows in tables for row in rows[1:]]


def source_of(text: str) -> str:
    """Where a rule is from, without the names that only its writers have for it."""
    return re.sub(
        r"\bregister\b", "our reading", re.sub(r"\bseed \d+", "the published rules", text)
    )


def is_label_of(slug: str, told: str, row: Row) -> bool:
    """Whether a label says the numbers that a row answers for."""
    if row.label == told or row.low is row.high is None:
        return told == named(slug, row.label)
    ends = [
        int(word) for word in told.replace(" or less", "").replace(" or more", "").split(" to ")
    ]
    low = None if told.endswith(" or less") else ends[0]
    high = None if told.endswith(" or more") else ends[-1]
    return (low, high) == (row.low, row.high)


@pytest.fixture
def sheets(run, tmp_path):
    def made(slug: str, *more: str) -> Sheets:
        file = tmp_path / "sheets.html"
        ran = run("rules", "aid", slug, str(file), "--force", *more)
        assert ran.code == 0, ran.out
        return Sheets(file.read_text(encoding="utf-8"))

    return made


@pytest.mark.parametrize("slug", SLUGS)
def test_every_cell_of_every_table_is_the_resolvers(sheets, slug):
    page, tables = sheets(slug), rulesets()[slug].book.tables
    assert tables.keys() == {name for name in page.tables if not name.startswith("-")}
    for table in tables.values():
        head, *rows = page.tables[table.id]
        assert head == [spaced(table.row_axis), *(named(slug, one) for one in table.columns)]
        assert len(rows) == len(table.rows)
        for row, told in zip(table.rows, rows):
            assert is_label_of(slug, told[0], row), (told[0], row)
            assert told[1:] == [spaced(cell) for cell in row.cells]
        title, what = page.captions[table.id].splitlines()
        sure = [] if table.basis == "stated" else [table.basis]
        assert (title, what.split(" · ")) == (table.title, [table.rule_id, table.unit, *sure])
    assert not page.tags & {"script", "link", "img", "iframe"}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_aircraft_rule_and_reading_is_there(sheets, slug):
    page, book = sheets(slug), rulesets()[slug].book
    figures = {}
    for head, *rows in page.tables.values():
        for at, kind in enumerate(head[1:], start=1):
            if head[0] in ("type", "id"):
                figures[kind] = {row[0]: row[at] for row in rows}
    for kind, profile in book.aircraft.items():
        for name, value in to_plain(profile).items():
            if name == "type" or name == "source" or name.endswith("_fields"):
                continue
            told = figures[spaced(kind)].get(named(slug, name), "")
            assert told.replace(",", " ").replace(";", " ").split() == words_of(slug, value), name
    rules = sorted(rows_of(page, "summary"), key=lambda row: parse(row[0]))
    assert rules == [
        [rule.id, *map(prose, (rule.title, rule.summary, source_of(rule.source)))]
        for rule in book.index
    ]
    assert "seed 0" not in page.text
    readings = {(row[0], row[1]): row[2:] for row in rows_of(page, "what is open")}
    assert len(readings) == len(book.setting_specs)
    for setting in book.setting_specs.values():
        means = {one.value: one.means for one in setting.choices}
        meant = means.get(setting.default, f"of {setting.legal_values()}")
        told = readings[setting.rule_id, prose(setting.title)]
        assert told == [spaced(text_of(setting.default)), prose(meant)]


def test_a_number_that_was_changed_and_a_reading_that_was_agreed_show(sheets, run, tmp_path):
    folder = tmp_path / "mine"
    assert run("rules", "export", "kettering", str(folder)).code == 0
    file = folder / "tables.toml"
    text = file.read_text(encoding="utf-8")
    assert CELL in text
    file.write_text(text.replace(CELL, '["twice as fast", -4]'))
    shipped = sheets("kettering")
    mine = sheets("kettering", "--tables", str(folder), "--setting", "repair_price=together")
    differing = {name for name, rows in shipped.tables.items() if mine.tables.get(name) != rows}
    assert ["twice as fast", "-4"] in next(
        iter(mine.tables[name] for name in differing if name[0] != "-")
    )
    assert "changed by mine" in mine.text
    assert any("together (agreed)" in row for rows in mine.tables.values() for row in rows)
    assert len(differing) == 2, "the table and the readings, and nothing else"


def test_the_head_goes_by_what_the_sheets_are_of(sheets, run, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    assert run("rules", "export", "kettering", str(folder)).code == 0
    assert "as shipped" in sheets("kettering").text
    assert "as shipped" in sheets("kettering", "--tables", str(folder)).text
    agreed = sheets("kettering", "--setting", "repair_price=together").text
    assert "with readings that were agreed on" in agreed
    file = folder / "tables.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(CELL, CELL.replace("-2", "-4")))
    monkeypatch.chdir(folder)
    assert "changed by mine," in sheets("kettering", "--tables", ".").text


@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_sheets_are_the_same_bytes_and_nothing_is_written_over(run, tmp_path, slug):
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    for file in (one, two):
        assert run("rules", "aid", slug, str(file)).code == 0
    assert one.read_bytes() == two.read_bytes()
    run("rules", "aid", slug, str(one)).refused(2, "--force")
    run("rules", "aid", slug, str(tmp_path / "none" / "x.html")).refused(2, "cannot be written")
