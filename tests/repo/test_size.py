"""Modules and functions stay small enough to read, and have names that say something."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 500
MOST_FUNCTION_LINES = 40
EMPTY_NAMES = {"utils", "helpers", "common", "base", "manager", "types", "models"}
MODULES = [
    path
    for folder in ("service", "clients")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "v1" not in path.parts
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_small_and_named(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert path.stem.strip("_") not in EMPTY_NAMES
    long = [
        f"{node.name} has {lines} lines of code"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := _lines_of_code(node)) > MOST_FUNCTION_LINES
    ]
    assert long == []


def _lines_of_code(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body without its docstring."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0
