"""Every number of a register that a rule set goes by is explained, as the rule set has it now."""

import re

import pytest
from reading_pages import (
    PAGES,
    RULESETS,
    SLUGS,
    by_hand,
    citations,
    cited_by_cases,
    drawn,
    keys_of,
    numbers_in,
    page,
    rules_named,
    settings_named,
)


def test_each_rule_set_that_cites_a_register_has_its_page():
    citing = {
        path.parent.name
        for path in RULESETS.glob("*/rules.toml")
        if "register" in path.read_text(encoding="utf-8")
    }
    assert citing == set(SLUGS)
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\((\w+)\.md\)", index)) == citing


@pytest.mark.parametrize("slug", SLUGS)
def test_every_number_cited_has_one_entry_and_every_entry_is_cited(slug):
    keys = keys_of(page(slug))
    assert len(set(keys)) == len(keys) > 25
    cited = set(citations(slug)) | cited_by_cases(slug)
    assert cited - set(keys) == set(), "cited, and without an entry"
    assert set(keys) - cited == set(), "an entry that nothing cites"


@pytest.mark.parametrize("slug", SLUGS)
def test_the_lists_are_those_the_rule_set_gives(slug):
    assert drawn(slug) == page(slug), "make readings draws them anew"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_setting_and_every_rule_that_cites_is_listed(slug):
    """The drawing is compared with itself above; here with the rule set."""
    text = page(slug)
    assert set(re.findall(r"^- Setting `(\w+)`", text, re.MULTILINE)) == settings_named(slug)
    cited = {rule for entry in citations(slug).values() for rule in entry.rules}
    listed = re.findall(r"^- Rules: (.+)\.$", text, re.MULTILINE)
    assert {rule for line in listed for rule in line.split(", ")} == cited


@pytest.mark.parametrize("slug", SLUGS)
def test_the_paragraphs_say_something_and_name_what_exists(slug):
    text = by_hand(page(slug))
    for entry in re.split(r"(?m)^### ", text)[1:]:
        heading, _, words = entry.partition("\n")
        assert words.partition("\n## ")[0].strip(), heading
    names = set(re.findall(r"`([a-z0-9]+(?:_[a-z0-9]+)+)`", text))
    assert names <= settings_named(slug)
    assert set(re.findall(r"\b[A-Z]{3}-\d+\.\d+", text)) <= rules_named(slug)


@pytest.mark.parametrize(
    ("slug", "source", "numbers"),
    [
        ("carriers", "seed 003, sequence; register section 7 and 12.8", ["7", "12.8"]),
        ("carriers", "seed 003, 4 rows; register 4.6 to 4.8", ["4.6", "4.7", "4.8"]),
        (
            "carriers",
            "register sections 5 and 12.11, C5, C7 and C23",
            ["C5", "C7", "C23", "5", "12.11"],
        ),
        (
            "circus",
            "seed 002, special manoeuvre 8; register HR-7 and section 9, PD and PH",
            ["HR-7", "9 PD and PH"],
        ),
        ("circus", "register 5.9, A-2", ["A-2", "5.9"]),
        ("kettering", "HR-12; register 12.5c", ["HR-12", "12.5"]),
        ("redstars", "special hit 10 is what it comes to: register 4.7", ["4.7"]),
        ("redstars", "house", ["house"]),
    ],
)
def test_what_a_source_cites(slug, source, numbers):
    assert numbers_in(slug, source) == numbers
