"""A client generated from the OpenAPI document: TypeScript that compiles strictly, and plays."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from node import EXAMPLE, LOCK, ROOT, npm, packages

TIGHT = Path(__file__).parent / "typescript" / "tight.ts"
# The first run on a machine installs the packages.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as its reader has it after `npm ci` and `npm run types`."""
    docs = tmp_path_factory.mktemp("docs")
    shutil.copy(ROOT / "docs/openapi.json", docs)
    folder = docs / "examples/typescript"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules", "schema.ts"))
    os.symlink(packages(), folder / "node_modules", target_is_directory=True)
    npm("run", "types", cwd=folder)
    return folder


def test_the_types_are_whole(workshop: Path) -> None:
    code = re.sub(
        r"/\*.*?\*/|\"[^\"]*\"", "", (workshop / "schema.ts").read_text(), flags=re.DOTALL
    )
    # Headers are open by nature; nothing else is.
    assert not re.search(r"\b(any|unknown)\b", code.replace("[name: string]: unknown", ""))
    schemas = json.loads((ROOT / "docs/openapi.json").read_text())["components"]["schemas"]
    for name in schemas:
        assert re.search(rf"^        {name}: ", code, re.MULTILINE), name


def test_the_sample_compiles_and_the_types_refuse_what_is_wrong(workshop: Path) -> None:
    shutil.copy(TIGHT, workshop)
    npm("run", "check", cwd=workshop)
    assert "any" not in re.findall(r"\w+", re.sub(r"//.*", "", (workshop / "play.ts").read_text()))


def test_the_sample_plays_against_the_service(workshop: Path, service) -> None:
    said = npm("start", "--silent", service.url, cwd=workshop).splitlines()
    assert said[:4] == [
        "brown spots richthofen; richthofen spots brown.",
        "  target_below -1 (CIR-7.1)",
        '412 ETAG_MISMATCH: it is "1" now',
        "1 first: brown spots richthofen; richthofen spots brown.",
    ]
    moves = [re.match(r"(\d \w+: \w+ would fly) to \d{4} ", line) for line in said[4:]]
    assert [move and move[1] for move in moves] == [
        "2 first: richthofen would fly",
        "3 second: brown would fly",
    ]


def test_what_is_installed_is_pinned_and_comes_from_nowhere_in_particular() -> None:
    wanted = json.loads((EXAMPLE / "package.json").read_text())["devDependencies"]
    locked = json.loads(LOCK.read_text())["packages"]
    assert wanted == locked[""]["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    for name, package in locked.items():
        assert "resolved" not in package, name
        assert not name or package["integrity"].startswith("sha512-"), name
