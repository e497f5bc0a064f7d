"""The audit of dependencies fails on a known vulnerability, and says when it could see nothing."""

import os
import subprocess
import sys
from pathlib import Path

import audit
import pytest

SKIPPED = {"name": "flask", "skip_reason": "Dependency not found on PyPI and could not be audited"}
CLEAN = {"name": "redis", "version": "8.1.0", "vulns": []}
WEAK = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [
        {
            "id": "PYSEC-2014-8",
            "fix_versions": ["2.7.2"],
            "aliases": ["CVE-2014-1402"],
            "description": "The default configuration\nmakes temporary files " + "x" * 500,
        }
    ],
}


@pytest.mark.parametrize(
    ("dependencies", "fails", "says"),
    [
        ([CLEAN, WEAK], True, "jinja2 2.4.1: PYSEC-2014-8; mended in 2.7.2."),
        ([SKIPPED, WEAK], True, "NOT AUDITED, for nothing is known of them: flask"),
        ([CLEAN], False, "1 packages audited, 0 known vulnerabilities"),
        ([CLEAN, SKIPPED], False, "NOT AUDITED, for nothing is known of them: flask"),
        ([SKIPPED, SKIPPED], False, "NOTHING COULD BE AUDITED"),
    ],
)
def test_a_finding_fails_and_a_gap_is_told(dependencies, fails, says):
    verdict = audit.judge({"dependencies": dependencies, "fixes": []})
    assert verdict.fails is fails
    assert any(says in line for line in verdict.lines), verdict.lines
    assert all("\n" not in line and len(line) < 300 for line in verdict.lines)


PINS = "a==1 \\\n    --hash=sha256:00\nb==2\nc==3\nd==4\n"
TOLD = """
import json, sys
pins = open(sys.argv[sys.argv.index("--requirement") + 1]).read()
open(__file__ + ".asked", "a").write(pins + "--")
print(json.dumps({"dependencies": [FOUND]}))
"""


@pytest.mark.parametrize(
    ("script", "asked", "fails", "says"),
    [
        ("import sys; sys.stderr.write('no route to host'); sys.exit(1)", [], False, "no route"),
        ("import time; time.sleep(60)", [], False, "no advisories within"),
        (TOLD.replace("FOUND", repr(SKIPPED)), [3], False, "NOTHING COULD BE AUDITED"),
        (TOLD.replace("FOUND", repr(CLEAN)), [3, 4], False, "0 known"),
        (TOLD.replace("FOUND", repr(WEAK)), [3, 4], True, "PYSEC-2014-8"),
    ],
)
def test_a_few_are_tried_before_all_are_waited_for(
    monkeypatch, tmp_path, script, asked, fails, says
):
    program, pins = tmp_path / "pip-audit", tmp_path / "pins.txt"
    program.write_text(f"#!{sys.executable}\n{script}\n")
    program.chmod(0o755)
    pins.write_text(PINS)
    monkeypatch.setattr(audit.sys, "executable", str(tmp_path / "python"))
    if "sleep" in script:
        monkeypatch.setattr(audit, "PROBE_SECONDS", 2)
    verdict = audit.audit(pins)
    assert verdict.fails is fails
    assert says in verdict.lines[0], verdict.lines
    seen = tmp_path / "pip-audit.asked"
    runs = seen.read_text().split("\n--")[:-1] if seen.exists() else []
    assert [run.count("==") for run in runs] == asked


def test_the_checks_include_it():
    said = subprocess.run(
        ["make", "--dry-run", "check"],
        cwd=Path(__file__).parents[2],
        # Not what a make that runs these tests hands on to the makes that it starts.
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "python tests/audit.py" in said
    assert "pytest" in said
