"""The architecture holds, and each contract is seen to fail on a planted import."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLANTS = {
    "pure": ("service/guncamera/rules/trace.py", "import random"),
    "inward": ("service/guncamera/sessions/views.py", "import guncamera.api.wire"),
    "islands": (
        "service/guncamera/rulesets/planted/__init__.py",
        "import guncamera.rulesets.kettering.facts",
    ),
    "wire": ("service/guncamera/sessions/film.py", "import guncamera.v1.ruling_pb2"),
    "thin": ("clients/guncamera_client/errors.py", "import guncamera.rules.refusal"),
    "doorless": ("clients/guncamera_tournament/record.py", "import guncamera.rules.refusal"),
    "athand": (
        "clients/guncamera_tournament/formats/fixed.py",
        "import guncamera_tournament.rules_at_hand",
    ),
    "chance": ("service/guncamera/sessions/seating.py", "import secrets"),
}


def lint(root: Path) -> dict[str, str]:
    """Each contract's short name and verdict."""
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": "service:clients"},
    )
    found = dict(re.findall(r"^(\w+): .* (KEPT|BROKEN)", done.stdout, re.MULTILINE))
    assert found, done.stdout + done.stderr
    return found


def test_every_contract_is_kept():
    assert lint(ROOT) == dict.fromkeys(PLANTS, "KEPT")


def test_every_contract_fails_on_a_planted_import(tmp_path):
    for name in ("service", "clients"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for path, line in PLANTS.values():
        planted = tmp_path / path
        planted.parent.mkdir(exist_ok=True)
        before = planted.read_text() if planted.exists() else ""
        # After the docstring and the future import, where an import is legal.
        head, future, rest = before.partition("from __future__ import annotations\n")
        planted.write_text(f"{head}{future}{line}\n{rest}" if future else f"{before}\n{line}\n")
    assert lint(tmp_path) == dict.fromkeys(PLANTS, "BROKEN")
