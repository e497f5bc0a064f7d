"""What several commands take: a rule set, settings, JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from guncamera.cli.console import Failure
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.ruleset import Ruleset
from guncamera.rules.settings import Setting, SettingValue
from guncamera.rules.spelling import meant

RulesetArgument = Annotated[
    str, typer.Argument(metavar="RULESET", help="The rule set, such as `guncamera version` lists.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
SettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--setting",
        metavar="NAME=VALUE",
        help="A house reading that differs from the default; may be repeated.",
    ),
]
TRUTHS = {"yes": True, "true": True, "no": False, "false": False}


def pairs_of(words: Iterable[str], what: str) -> list[tuple[str, str]]:
    """Words of the form `name=value`, taken apart.

    Raises:
        Failure: One has no equals sign, or a name comes twice.
    """
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise Failure(f"{word!r} is not {what}; write name=value.")
        if name in pairs:
            raise Failure(f"{name} is given twice; give it once.")
        pairs[name] = value
    return list(pairs.items())


def settings_of(found: Ruleset, words: Sequence[str] | None) -> dict[str, SettingValue]:
    """The settings that `--setting` names.

    Raises:
        Malformed: An unknown name or an illegal value; every one is listed.
    """
    specs = found.book.setting_specs
    chosen: dict[str, SettingValue] = {}
    faults: list[Violation] = []
    for name, text in pairs_of(words or (), "a setting"):
        spec = specs.get(name)
        if spec is None:
            faults.append(
                Violation(
                    name,
                    f"no such setting{meant(name, specs)}; "
                    f"guncamera rules show {found.slug} settings lists them",
                )
            )
            continue
        value = _value(spec, text)
        if value is None:
            text = f"{text!r} is not a choice; take {spec.legal_values()}"
            faults.append(Violation(name, text, spec.rule_id))
        else:
            chosen[name] = value
    if faults:
        first = faults[0]
        raise Malformed(f"Setting {first.field}: {first.description}.", violations=faults)
    return chosen


def _value(spec: Setting, text: str) -> SettingValue | None:
    value: SettingValue = text
    if isinstance(spec.default, bool):
        value = TRUTHS.get(text.lower(), text)
    elif isinstance(spec.default, int):
        value = number(text, default=text)
    return value if spec.accepts(value) else None


def number(text: str, *, default: SettingValue) -> SettingValue:
    """A whole number as people write it, or the default where it is none."""
    digits = text.removeprefix("-").removeprefix("+")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 12 else default
