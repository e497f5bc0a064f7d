"""Nothing that rule sets share knows one of them by name."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest
from guncamera.rules.ruleset import rulesets

ROOT = Path(__file__).parents[2]
SLUGS = re.compile("|".join(rulesets()), re.IGNORECASE)
# They need some game to play, and play one rule set's; nothing has to be added to them.
PLAY_ONE = {
    "loadtests/bench.py",
    "loadtests/exact_collision.py",
    "loadtests/exact_odds.py",
    "loadtests/stage.py",
    "loadtests/tournament_memory.py",
    "tests/cli/conftest.py",
    "tests/clients/scene.py",
    "tests/duel.py",
    "tests/guarded.py",
    "tests/orders.py",
    "tests/paired.py",
    "tests/veiled.py",
}


def shared() -> list[Path]:
    """Modules of the service, clients and load, and those that tests import."""
    service = ROOT / "service/guncamera"
    found = [
        path
        for path in service.rglob("*.py")
        if not {"rulesets", "v1"} & set(path.relative_to(service).parts)
    ]
    found += [*(ROOT / "clients").rglob("*.py"), *(ROOT / "loadtests").rglob("*.py")]
    found += [*(ROOT / "tests/playthroughs").glob("*.py"), *(ROOT / "tests").rglob("conftest.py")]
    found += (ROOT / "tests").glob("*.py")
    # A module that is called after a rule set, or whose folder is, is about that one alone.
    return [
        path
        for path in found
        if not path.name.startswith(tuple(rulesets())) and path.parent.name not in rulesets()
    ]


def named_in(path: Path) -> list[str]:
    """Where a module's code has the name of a rule set."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for number, text in _code_of(path.read_text(encoding="utf-8"))
        if SLUGS.search(text)
    ]


def _code_of(text: str) -> list[tuple[int, str]]:
    """A module's tokens, but for comments and docstrings, where examples may stand."""
    docstrings = {
        node.body[0].value.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    }
    return [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type != tokenize.COMMENT
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
    ]


def test_no_shared_module_names_a_rule_set() -> None:
    others = [path for path in shared() if str(path.relative_to(ROOT)) not in PLAY_ONE]
    assert [place for path in others for place in named_in(path)] == []


def test_stock_pilots_of_a_rule_set_know_no_other() -> None:
    folders = [f for f in (ROOT / "clients/guncamera_tournament/stock").iterdir() if f.is_dir()]
    named = {folder.name: folder for folder in folders if folder.name in rulesets()}
    assert len(named) >= 4
    for slug, folder in named.items():
        for path in folder.glob("*.py"):
            code = " ".join(text for _, text in _code_of(path.read_text(encoding="utf-8")))
            assert {found.lower() for found in SLUGS.findall(code)} <= {slug}, path


@pytest.mark.parametrize("name", sorted(PLAY_ONE))
def test_what_plays_one_rule_set_knows_no_second(name: str) -> None:
    code = " ".join(text for _, text in _code_of((ROOT / name).read_text(encoding="utf-8")))
    assert len({found.lower() for found in SLUGS.findall(code)}) == 1


def test_neither_do_the_commands_and_the_packaging() -> None:
    for name in ("Makefile", "pyproject.toml", "Dockerfile", ".ci/run", ".dockerignore"):
        assert SLUGS.findall((ROOT / name).read_text(encoding="utf-8")) == [], name
