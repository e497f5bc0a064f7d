"""The tutorials of the rule sets, as they stand: every command runs, and answers what is shown.

What is shown may be less than the answer, never other: members of an object may be left out, and
`"…"` in a list stands for any elements of it, or for a text that is another each time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from guncamera.rules.ruleset import rulesets

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"
RULE_ID = re.compile(r"\b[A-Z]{3}-\d+\.\d+\b")


PAGES = {slug: path for slug in rulesets() if (path := ROOT / f"docs/tutorial-{slug}.md").exists()}


def page_of(slug: str) -> str:
    return PAGES[slug].read_text(encoding="utf-8")


def fits(shown: Any, said: Any) -> bool:
    """Whether an answer is what is shown, but for what is left out."""
    if shown == LEFT_OUT:
        return isinstance(said, str)
    if isinstance(shown, dict) and shown and isinstance(said, dict):
        return all(name in said and fits(one, said[name]) for name, one in shown.items())
    if isinstance(shown, list) and isinstance(said, list):
        return elements_fit(shown, said)
    return type(shown) is type(said) and bool(shown == said)


def elements_fit(shown: list[Any], said: list[Any]) -> bool:
    if not shown:
        return not said
    first, *rest = shown
    if first == LEFT_OUT:
        return any(elements_fit(rest, said[at:]) for at in range(len(said) + 1))
    return bool(said) and fits(first, said[0]) and elements_fit(rest, said[1:])


def line_fits(shown: str, said: str) -> bool:
    """The same of a line of text, in which the sign stands for any letters."""
    return re.fullmatch(".+".join(map(re.escape, shown.split(LEFT_OUT))), said) is not None


def weight(shown: Any) -> int:
    """How many values are shown that something is compared with."""
    if isinstance(shown, dict):
        return sum(map(weight, shown.values()))
    if isinstance(shown, list):
        return sum(map(weight, shown))
    return shown != LEFT_OUT


def run(blocks: list[str], folder: Path, service: Any) -> list[str]:
    """Run commands in one shell, as a reader does; returns what each block printed."""
    script = "".join(f"{block}\nprintf '\\n\\036\\n'\n" for block in blocks)
    script = script.replace("localhost:8080", service.rest)
    other = ("GUNCAMERA_", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(other)}
    path = f"{Path(sys.executable).parent}:{kept['PATH']}"
    done = subprocess.run(
        ["bash", "-eu"], input=script, cwd=folder, capture_output=True, text=True, check=False,
        timeout=200, env={**kept, "PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr}"
    return done.stdout.split("\n\036\n")[:-1]


def compared(language: str, shown: str, said: str) -> None:
    if language == "text":
        lines = [line.rstrip() for line in said.strip().splitlines()]
        wanted_lines = shown.rstrip().splitlines()
        assert len(lines) == len(wanted_lines), said
        assert all(map(line_fits, wanted_lines, lines)), f"{shown}\nis not\n{said}"
        assert sum(LEFT_OUT in line for line in wanted_lines) < len(lines), "nothing is compared"
        return
    assert language == "json"
    wanted, answer = json.loads(shown), json.loads(said)
    assert weight(wanted) > 0, f"nothing is compared:\n{shown}"
    assert fits(wanted, answer), f"{shown}\nis not of\n{said}"


def test_the_shipped_rule_sets_have_one() -> None:
    assert {"kettering", "circus", "redstars", "carriers"} <= set(PAGES)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("slug", PAGES)
def test_the_tutorial_does_what_it_says(slug: str, service: Any, tmp_path: Path) -> None:
    blocks = BLOCK.findall(page_of(slug))
    commands = [text for language, text in blocks if language == "sh"]
    printed = iter(run(commands, tmp_path, service))
    said, shown = "", True
    for language, text in blocks:
        if language == "sh":
            assert shown, f"it prints what is not shown:\n{said}"
            said = next(printed)
            shown = not said.strip()
        else:
            assert said.strip(), f"nothing printed this:\n{text}"
            compared(language, text, said)
            shown = True
    assert shown, f"it prints what is not shown:\n{said}"
    pictures = list(tmp_path.glob("*.svg"))
    assert pictures
    assert all(one.read_text().startswith("<svg") for one in pictures)


@pytest.mark.parametrize("slug", PAGES)
def test_a_tutorial_shows_what_a_first_game_needs(slug: str) -> None:
    page, found = page_of(slug), rulesets()[slug]
    shown = [json.loads(text) for language, text in BLOCK.findall(page) if language == "json"]
    refused = [one for one in shown if isinstance(one, dict) and "reason" in one]
    assert any({"detail", "rule_id"} <= set(one) for one in refused)
    assert '"supplied"' in page
    assert "board.svg" in page
    assert "guncamera verify" in page
    cited = set(RULE_ID.findall(page))
    assert len(cited) >= 5
    assert cited <= {rule.id for rule in found.book.index}


@pytest.mark.parametrize("slug", PAGES)
def test_a_tutorial_explains_every_modifier_that_it_shows(slug: str) -> None:
    blocks = BLOCK.findall(page_of(slug))
    text = BLOCK.sub("", page_of(slug))
    modifiers = [
        line["modifier_line"]
        for language, shown in blocks
        if language == "json"
        for line in traces(json.loads(shown))
        if "modifier_line" in line
    ]
    assert modifiers
    for one in modifiers:
        assert f"`{one['name']}`" in text, f"{one['name']} is shown and not explained"
        assert one["rule_id"] in text


def traces(shown: Any) -> list[dict[str, Any]]:
    """The lines of every trace that is shown."""
    if isinstance(shown, list):
        return [line for one in shown for line in traces(one)]
    if not isinstance(shown, dict):
        return []
    own = [line for line in shown.get("trace", []) if line != LEFT_OUT]
    return own + [line for one in shown.values() for line in traces(one)]


@pytest.mark.parametrize("slug", PAGES)
def test_the_page_of_a_rule_set_leads_to_its_tutorial(slug: str) -> None:
    page = (ROOT / "service/guncamera/rulesets" / slug / "README.md").read_text(encoding="utf-8")
    assert f"(../../../../docs/tutorial-{slug}.md)" in page


SAID = {"a": 1, "b": [{"c": "x"}, {"c": "y"}, {"c": "z"}], "d": {}, "e": [], "f": False}


@pytest.mark.parametrize(
    "shown",
    [
        {"a": 1},
        {"b": ["…", {"c": "y"}, "…"]},
        {"b": [{"c": "x"}, "…", {"c": "z"}]},
        {"b": [{"c": "…"}, {"c": "y"}, {"c": "z"}]},
        {"d": {}, "e": [], "f": False},
    ],
)
def test_what_is_left_out_may_be_anything(shown: Any) -> None:
    assert fits(shown, SAID)


@pytest.mark.parametrize(
    "shown",
    [
        {"a": 2},
        {"a": "1"},
        {"a": True},
        {"a": "…"},
        {"g": 1},
        {"b": [{"c": "x"}]},
        {"b": []},
        {"b": ["…", {"c": "y"}]},
        {"b": [{"c": "x"}, {"c": "z"}]},
        {"b": ["…", {"c": "z"}, "…", {"c": "x"}, "…"]},
        {"b": {}},
        {"d": []},
        {"f": 0},
        [],
    ],
)
def test_what_is_shown_may_not_be_other(shown: Any) -> None:
    assert not fits(shown, SAID)


def test_a_line_may_leave_out_only_what_it_says() -> None:
    assert line_fits("version 1, …; session a.", "version 1, 0f3c; session a.")
    assert not line_fits("version 1, …; session a.", "version 2, 0f3c; session a.")
    assert not line_fits("version 1, …; session a.", "version 1, ; session a.")
    assert not line_fits("ab.", "abc")


def test_nothing_is_compared_with_what_says_nothing() -> None:
    assert [weight(one) for one in ({}, ["…"], {"token": "…"}, {"b": ["…", 0]})] == [0, 0, 0, 1]
