"""The page on changing tables, as it stands: each command is run, and prints what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/changing-tables.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COUNTS = re.compile(r"\d+ (rules|settings|tables|aircraft)\b")
"""What grows with the rule set, and is not what the page is about."""
HASH = re.compile(r"\b[0-9a-f]{64}\b")
"""Another one whenever a table changes; that it is there is what counts."""


def run(lines: str, folder: Path, target: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GUNCAMERA_")}
    path = f"{Path(sys.executable).parent}:{kept['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", lines], cwd=folder, capture_output=True, text=True, check=False,
        timeout=100,
        env={**kept, "PATH": path, "COLUMNS": "80", "GUNCAMERA_GRPC_ADDRESS": target},
    )  # fmt: skip
    assert done.returncode == 0, f"{lines}\n{done.stdout}\n{done.stderr}"
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines()) + "\n"


def told(text: str) -> str:
    return HASH.sub("a hash", COUNTS.sub(r"\1", text))


def test_the_page_does_what_it_says(service, tmp_path):
    printed, compared = "", 0
    for language, text in BLOCK.findall(PAGE.read_text()):
        if language == "text":
            assert told(printed) == told(text)
            compared += 1
        else:
            printed = run(text, tmp_path, service.grpc)
            if text.startswith("guncamera odds"):
                assert "Shipped" in printed
                assert "Your variant is" in printed
    assert compared == 4
