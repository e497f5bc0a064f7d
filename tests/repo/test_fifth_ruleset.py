"""A fifth rule set costs a folder of code, a proto file, a line in each oneof, and its cases.

`tests/fifth` holds such files and no others. Here they are put into a copy of the tree, what is
generated is generated as `make` does it, and everything is seen to pick the rule set up.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIFTH = ROOT / "tests/fifth"
SLUG, PREFIX = "peregrine", "PER"
ACTIONS = "proto/guncamera/v1/actions.proto"
LINES = (FIFTH / f"{ACTIONS}.lines").read_text().splitlines()
TREE = (
    "Makefile", "pyproject.toml", "constraints.txt", "README.md", "CONTRIBUTING.md", "CHANGELOG.md",
    "Dockerfile", ".dockerignore", ".ci", "clients", "docs", "loadtests", "proto", "service",
    "tests",
)  # fmt: skip
GENERATED = ("service/guncamera/v1/", "docs/openapi.json", f"tests/playthroughs/{SLUG}-")
HELD_TO = (
    "tests/rules/test_aid.py", "tests/cli/test_rules_aid.py",
    "tests/rules/test_cases.py", "tests/rules/test_conformance.py", "tests/rules/test_index.py",
    "tests/rules/test_sealing.py", "tests/sessions/test_fuzz.py", "tests/sessions/test_replay.py",
    "tests/sessions/test_remembered.py", "tests/api/test_octets.py", "tests/api/test_parity.py",
    "tests/api/test_proto_style.py", "tests/api/test_required.py", "tests/api/test_secrecy.py",
    "tests/repo/test_docs.py", "tests/repo/test_shared.py", "tests/repo/test_size.py",
)  # fmt: skip
PATIENCE_SECONDS = 200.0

pytestmark = pytest.mark.timeout(3 * PATIENCE_SECONDS)


@dataclass(frozen=True)
class Grown:
    """The copy with the fifth rule set in it.

    Attributes:
        before: Each of its files, as it was without the rule set.
        run: Runs a command in it; returns what it printed.
    """

    root: Path
    before: dict[str, bytes]
    run: Callable[..., str]

    def changed(self) -> set[str]:
        """Files that are new or different, but for what is generated."""
        now = contents(self.root)
        assert set(self.before) <= set(now), "nothing is gone"
        found = {name for name, data in now.items() if self.before.get(name) != data}
        return {name for name in found if not name.startswith(GENERATED)}


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for name in TREE
        for path in ([root / name] if (root / name).is_file() else (root / name).rglob("*"))
        if path.is_file() and not re.search(r"__pycache__|\.hypothesis", str(path))
    }


def files_of(folder: str) -> set[str]:
    found = (path for path in (FIFTH / folder).rglob("*") if path.is_file())
    return {str(path.relative_to(FIFTH)) for path in found if "__pycache__" not in path.parts}


def with_lines(text: str) -> str:
    """`actions.proto` with an import, and with a field at the end of some oneofs."""
    first, *fields = LINES
    imports = re.findall(r"^import .*\n", text, re.MULTILINE)
    text = text.replace("".join(imports), "".join(sorted([*imports, f"{first}\n"])))
    for line in fields:
        message, field = line.split(": ")
        added = rf"\1    // {SLUG.capitalize()}.\n    {field}\n\2"
        oneof = rf"(^message {message} {{\n(?:.*\n)*?  oneof ruleset {{\n(?:    .*\n)*)(  }}\n)"
        text, count = re.subn(oneof, added, text, count=1, flags=re.MULTILINE)
        assert count == 1, f"no oneof in {message}"
    return text


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Grown:
    """A copy of the tree, the rule set put into it step by step, and what `make` generates."""
    root = tmp_path_factory.mktemp("grown")
    # With its bytecode, so that no command has to compile everything anew.
    ignored = shutil.ignore_patterns(".hypothesis")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        elif (ROOT / name).exists():
            shutil.copy2(ROOT / name, root / name)
    (root / ".venv").symlink_to(sys.prefix)
    before = contents(root)
    for folder in ("service", "tests"):
        shutil.copytree(FIFTH / folder, root / folder, dirs_exist_ok=True, ignore=ignored)
    proto = f"proto/guncamera/v1/ruleset_{SLUG}.proto"
    shutil.copy(FIFTH / proto, root / proto)
    (root / ACTIONS).write_text(with_lines((root / ACTIONS).read_text()))
    run = runner(root)
    # `-o setup`: the environment is there, and not this copy's.
    run("make", "-s", "-o", "setup", "proto", "openapi")
    run("python", "tests/playthroughs/record.py", SLUG)
    return Grown(root, before, run)


def runner(root: Path) -> Callable[..., str]:
    unwanted = ("GUNCAMERA_", "PYTEST_", "COV_", "PYTHONDONTWRITEBYTECODE")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": f"{root / 'service'}:{root / 'clients'}:{root / 'tests'}",
        "FUZZ_GAMES": "1",
    }

    def run(*command: str, within: str = ".") -> str:
        done = subprocess.run(
            command, cwd=root / within, env=environment, capture_output=True, text=True,
            check=False, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_it_is_a_folder_a_proto_file_a_line_in_each_oneof_and_its_cases(grown: Grown) -> None:
    folder, cases = f"service/guncamera/rulesets/{SLUG}", f"tests/cases/{SLUG}"
    proto = f"proto/guncamera/v1/ruleset_{SLUG}.proto"
    assert grown.changed() == {*files_of(folder), *files_of(cases), proto, ACTIONS}
    everything = files_of(folder) | files_of(cases) | {proto, f"{ACTIONS}.lines"}
    assert files_of(".") == everything | {"README.md", "race.py"}, "and nothing else is kept"
    old, new = (text.splitlines() for text in (
        grown.before[ACTIONS].decode(), (grown.root / ACTIONS).read_text()
    ))  # fmt: skip
    of_others = [line for line in new if SLUG not in line.lower()]
    assert of_others == old
    assert len(new) - len(old) == 2 * len(LINES) - 1, "a line each, and a comment but to the import"


def test_it_is_held_to_what_every_rule_set_is(grown: Grown) -> None:
    told = grown.run(
        "python", "-m", "pytest", "-vv", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist",
        "-k", f"{SLUG} or {PREFIX}- or test_shared", *HELD_TO,
    )  # fmt: skip
    passed = set(re.findall(r"^(tests/\S+\.py)::.* PASSED", told, re.MULTILINE))
    assert passed == set(HELD_TO), "each of them has something to say of it"
    assert "SKIPPED" not in told


def test_its_code_and_messages_are_as_clean_as_the_others(grown: Grown) -> None:
    folder = f"service/guncamera/rulesets/{SLUG}"
    grown.run("ruff", "format", "--check", folder)
    grown.run("ruff", "check", folder)
    grown.run("mypy", "--cache-dir", os.devnull, "-p", f"guncamera.rulesets.{SLUG}")
    grown.run("buf", "lint", within="proto")
    grown.run("buf", "format", "--diff", "--exit-code", within="proto")
    grown.run("buf", "breaking", "--against", "released.binpb", within="proto")


def test_the_openapi_document_has_its_messages_and_its_example(grown: Grown) -> None:
    document = json.loads((grown.root / "docs/openapi.json").read_text())
    schema = document["components"]["schemas"]["PeregrineFireFacts"]
    assert set(schema["properties"]) == {"falcon", "pigeon", "feathers", "breath", "stoops"}
    call = document["paths"]["/v1:resolveFire"]["post"]["requestBody"]["content"]
    assert SLUG in call["application/json"]["examples"]


def test_the_command_line_shows_it_and_rules_by_it(grown: Grown) -> None:
    shown = json.loads(grown.run("python", "-m", "guncamera", "rules", "show", SLUG, "--json"))
    assert [rule["id"] for rule in shown["rules"]][:2] == ["PER-1.1", "PER-2.1"]
    grown.run("python", "-m", "guncamera", "rules", "check", SLUG)
    told = grown.run("python", "-m", "guncamera", "conform", "--ruleset", SLUG)
    assert "0 failed" in told
    facts = ("falcon=high", "pigeon=middle", "feathers=0", "breath=3", "stoops=true")
    odds = grown.run("python", "-m", "guncamera", "odds", "fire", SLUG, *facts)
    assert "1/3" in odds


def test_a_race_is_run_through_a_service_by_the_client(grown: Grown) -> None:
    summaries = grown.run("python", "tests/fifth/race.py").splitlines()
    assert summaries[0] == "The pigeon flies low and has 6 leagues to go."
    assert "The pigeon flies low and is home." in summaries
