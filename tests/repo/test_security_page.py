"""The review in docs/security.md: every risk is answered, and every test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor
from guncamera.api.routes import rpcs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text()
REVIEW = PAGE.partition("## OWASP API Security Top 10 (2023)\n")[2].partition("\n## ")[0]
RISKS = re.split(r"^### ", REVIEW, flags=re.MULTILINE)[1:]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
FETCHERS = {"httpx", "requests", "urllib", "http", "aiohttp", "ftplib", "smtplib"}
HARMLESS = {"urllib.parse", "http.HTTPStatus"}
ADDRESSES = re.compile(r"(^|_)(url|uri|href|link|callback|webhook|host|address)s?($|_)")


def test_all_ten_risks_are_answered_each_with_a_test() -> None:
    assert [risk.split()[0] for risk in RISKS] == [f"API{n}" for n in range(1, 11)]
    for risk in RISKS:
        assert re.search(r"^- `tests/.+::test_\w+`$", risk, re.MULTILINE), risk.splitlines()[0]


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_each_test_that_is_named_is_there(file: str, name: str) -> None:
    assert name in names_in(file)


def fields_of(message: Descriptor, seen: set[str]) -> set[str]:
    """The names of all fields that a request can hold, however deep."""
    if message.full_name in seen:
        return set()
    seen.add(message.full_name)
    deeper = (fields_of(one.message_type, seen) for one in message.fields if one.message_type)
    return {one.name for one in message.fields}.union(*deeper)


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def fetches(imported: str) -> bool:
    return imported.split(".")[0] in FETCHERS and not any(
        imported == one or imported.startswith(f"{one}.") for one in HARMLESS
    )


def test_no_call_takes_an_address_and_nothing_fetches_one() -> None:
    names = {name for rpc in rpcs() for name in fields_of(rpc.request.DESCRIPTOR, set())}
    assert "session_id" in names
    assert [name for name in names if ADDRESSES.search(name)] == []
    modules = [
        path
        for ring in ("api", "sessions", "rulesets", "rules")
        for path in (ROOT / "service/guncamera" / ring).rglob("*.py")
    ]
    assert len(modules) > 100
    assert [(path.name, one) for path in modules for one in imports_of(path) if fetches(one)] == []
    assert fetches("urllib.request.urlopen")
    assert fetches("httpx")
