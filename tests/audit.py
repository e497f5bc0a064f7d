"""`make audit`: pip-audit over the pinned dependencies, judged.

A known vulnerability fails. Where the advisories cannot be had (no network, or an index that serves
none), that is said in so many words and is no failure: it is not the code's fault, and everyone
who can reach them runs the same check.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PINNED = Path(__file__).parents[1] / "constraints.txt"
PROBED = 3
PROBE_SECONDS, MOST_SECONDS = 20, 300
ANSWER_SECONDS = 3
LONGEST_DESCRIPTION = 160


@dataclass(frozen=True)
class Verdict:
    """What came of an audit.

    Attributes:
        fails: Whether the check is to fail.
        lines: What to print.
    """

    fails: bool
    lines: list[str]


def judge(report: dict[str, Any]) -> Verdict:
    """Judge what pip-audit wrote as JSON."""
    dependencies = report["dependencies"]
    skipped = [one["name"] for one in dependencies if "skip_reason" in one]
    found = [
        f"{one['name']} {one['version']}: {weakness['id']}; {_way_out(weakness)}. "
        f"{_brief(weakness.get('description', ''))}"
        for one in dependencies
        for weakness in one.get("vulns", ())
    ]
    looked_at = len(dependencies) - len(skipped)
    if not looked_at:
        return _nothing_audited("the package index in use serves no advisories")
    lines = [*found, f"audit: {looked_at} packages audited, {len(found)} known vulnerabilities"]
    if skipped:
        lines.append(f"audit: NOT AUDITED, for nothing is known of them: {', '.join(skipped)}")
    return Verdict(bool(found), lines)


def _nothing_audited(why: str) -> Verdict:
    return Verdict(False, [f"audit: NOTHING COULD BE AUDITED: {why}"])


def _way_out(weakness: dict[str, Any]) -> str:
    fixed = ", ".join(weakness.get("fix_versions", ()))
    return f"mended in {fixed}" if fixed else "not mended in any release yet"


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_DESCRIPTION else f"{line[:LONGEST_DESCRIPTION]}…"


def audit(pinned: Path) -> Verdict:
    """Run pip-audit over a file of pinned requirements.

    Three of them are tried first, so that nothing waits for long where there are no advisories.
    """
    requirements = re.split(r"\n(?=\S)", pinned.read_text().strip())
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as few:
        few.write("\n".join(requirements[:PROBED]) + "\n")
        few.flush()
        report = _asked(Path(few.name), PROBE_SECONDS)
    if isinstance(report, Verdict):
        return report
    if all("skip_reason" in one for one in report["dependencies"]):
        return judge(report)
    report = _asked(pinned, MOST_SECONDS)
    return report if isinstance(report, Verdict) else judge(report)


def _asked(pinned: Path, most_seconds: int) -> dict[str, Any] | Verdict:
    """What pip-audit says of a file, or why it could not."""
    program = Path(sys.executable).with_name("pip-audit")
    command = [
        program, "--requirement", pinned, "--disable-pip", "--format", "json",
        "--progress-spinner", "off", "--timeout", str(ANSWER_SECONDS),
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=most_seconds
        )
    except subprocess.TimeoutExpired:
        return _nothing_audited(f"no advisories within {most_seconds} seconds")
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return _nothing_audited((done.stderr.strip().splitlines() or ["no answer"])[-1])
    return report


if __name__ == "__main__":
    verdict = audit(PINNED)
    print("\n".join(verdict.lines))
    sys.exit(verdict.fails)
