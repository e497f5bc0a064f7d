"""The tutorial, as it stands: each command is run, and prints what the page says it prints."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/tutorial-tournament.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(?:Write it into|In) `(\w+\.py)`", re.MULTILINE)
SECONDS = re.compile(r"slowest [\d.]+ s")
ELSEWHERE = ("make setup", ". .venv/bin/activate", "guncamera serve")
"""What the checks have done already."""


def run(lines: str, folder: Path, target: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GUNCAMERA_")}
    path = f"{Path(sys.executable).parent}:{kept['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", lines], cwd=folder, capture_output=True, text=True, check=False,
        timeout=100, env={**kept, "PATH": path, "GUNCAMERA_GRPC_ADDRESS": target},
    )  # fmt: skip
    assert done.returncode == 0, f"{lines}\n{done.stdout}\n{done.stderr}"
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines()) + "\n"


@pytest.mark.timeout(240)
def test_the_tutorial_does_what_it_says(service, tmp_path):
    page = PAGE.read_text()
    printed, compared = "", 0
    for block in BLOCK.finditer(page):
        language, text = block.groups()
        if language == "python":
            (name,) = FILE.findall(page[: block.start()].rpartition("```")[2])
            (tmp_path / name).write_text(text)
        elif language == "text":
            assert SECONDS.sub("slowest", printed) == SECONDS.sub("slowest", text)
            compared += 1
        elif not text.startswith(ELSEWHERE):
            printed = run(text, tmp_path, service.grpc)
    assert compared == 4
    assert (tmp_path / "cup.html").read_text().startswith("<!")
    assert len((tmp_path / "cup.csv").read_text().splitlines()) == 4
    results = json.loads((tmp_path / "again/results.json").read_text())
    assert [game["bout"] for game in results["games"]] == sorted(
        path.stem for path in (tmp_path / "again/films").iterdir()
    )


def test_what_was_done_before_is_what_the_readme_says():
    readme = (ROOT / "README.md").read_text()
    assert ". .venv/bin/activate" in readme
    assert re.search(r"^setup:", (ROOT / "Makefile").read_text(), re.MULTILINE)
