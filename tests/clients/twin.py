"""Derives the blocking calls from the asyncio ones, so that they cannot differ.

Edit `clients/guncamera_client/_aio`, then run `.venv/bin/python tests/clients/twin.py`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parents[2] / "clients" / "guncamera_client"
NOTE = "# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.\n"
CHANGES = [
    (r"(?<![\w\]])\(await ([\w.]+\([^()]*\))\)", r"\1"),
    (r"\bawait ", ""),
    (r"\basync ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAwaitable, ", ""),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsync(\w+)", r"\1"),
    (r"\b__a(next|iter|enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"\b_aio\b", "_blocking"),
]


def sources() -> list[Path]:
    """The files that have a twin."""
    return sorted(path for path in (CLIENT / "_aio").glob("*.py") if path.name != "__init__.py")


def twin_of(source: Path) -> Path:
    return CLIENT / "_blocking" / source.name


def derived(source: Path) -> str:
    """What the twin has to say, formatted like everything else."""
    text = source.read_text("utf-8")
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text)
    fix = ["check", "--fix", "--unsafe-fixes", "--select", "I,UP028", "--quiet"]
    for step in (fix, ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *step, "--stdin-filename", twin_of(source), "-"]
        text = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True, encoding="utf-8"
        ).stdout
    return NOTE + text


if __name__ == "__main__":
    for path in sources():
        twin_of(path).write_text(derived(path), "utf-8")
