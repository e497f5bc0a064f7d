"""Case files: facts, faces and the expected ruling, in TOML that a player can read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guncamera.rules.ruleset import Verb

SOURCE_TREE = Path(__file__).parents[3] / "tests" / "cases"
INSTALLED = Path(__file__).parent / "cases"
_KEYS = {
    "id", "title", "rules", "basis", "source", "settings", "faces", "expect", "refused",
    "modifiers", "setting_named", "odds",
} | set(Verb)  # fmt: skip


class CaseFileError(Exception):
    """A case file is not one; the message names file, case and fault."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        facts: In plain form, as the stateless call of `verb` takes them.
        faces: In the order they are asked for.
        expect: A part of the outcome in plain form; None where a refusal is expected.
        refused: `reason`, and perhaps `rule_id` and `field`, of the refusal expected.
        modifiers: Every modifier of the trace by name; None to leave them unchecked.
        odds: Exact probabilities by dotted field, or by `field=value`.
    """

    id: str
    title: str
    ruleset: str
    rules: tuple[str, ...]
    basis: str
    source: str
    verb: Verb
    facts: Mapping[str, Any]
    faces: tuple[int, ...]
    file: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    expect: Mapping[str, Any] | None = None
    refused: Mapping[str, str] | None = None
    modifiers: Mapping[str, int] | None = None
    setting_named: Sequence[str] = ()
    odds: Mapping[str, str] = field(default_factory=dict)


def cases_dir() -> Path:
    """Where the shipped cases are: in the source tree, or inside the installed package."""
    return SOURCE_TREE if SOURCE_TREE.is_dir() else INSTALLED


def load_cases(folder: Path | None = None) -> list[Case]:
    """Every case below a folder, in the order of files and cases.

    Raises:
        CaseFileError: A file is faulty, or an id is used twice.
    """
    cases = [case for path in sorted((folder or cases_dir()).rglob("*.toml")) for case in _of(path)]
    seen: dict[str, str] = {}
    for case in cases:
        if case.id in seen:
            raise CaseFileError(f"{case.file}: case {case.id} stands in {seen[case.id]} as well")
        seen[case.id] = case.file
    return cases


def _of(path: Path) -> Iterator[Case]:
    where = f"{path.parent.name}/{path.name}"
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise CaseFileError(f"{where}: {fault}") from None
    for entry in document.get("case", ()):
        name = entry.get("id", "without an id")
        unknown = set(entry) - _KEYS
        verbs = [verb for verb in Verb if verb in entry]
        missing = {"id", "title", "rules", "basis", "source"} - set(entry)
        if unknown or missing or len(verbs) != 1 or ("expect" in entry) == ("refused" in entry):
            raise CaseFileError(
                f"{where}: case {name}: unknown {sorted(unknown)}, missing {sorted(missing)}, "
                f"verbs {verbs}; a case has one verb, and either expect or refused"
            )
        yield Case(
            id=entry["id"],
            title=entry["title"],
            ruleset=document["ruleset"],
            rules=tuple(entry["rules"]),
            basis=entry["basis"],
            source=entry["source"],
            verb=verbs[0],
            facts=entry[verbs[0]],
            faces=tuple(entry.get("faces", ())),
            file=where,
            settings=entry.get("settings", {}),
            expect=entry.get("expect"),
            refused=entry.get("refused"),
            modifiers=entry.get("modifiers"),
            setting_named=tuple(entry.get("setting_named", ())),
            odds=entry.get("odds", {}),
        )
