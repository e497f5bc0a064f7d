"""`guncamera conform`: the shipped cases put to a service, or to the rules in this process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from guncamera.cli.connecting import TargetOption, client_of
from guncamera.cli.console import REFUSED, Failure, console, print_json
from guncamera.cli.options import JsonOption

if TYPE_CHECKING:
    from guncamera.conformance.cases import Case
    from guncamera.conformance.targets import Target


class Verdict(StrEnum):
    """How a case came out."""

    PASSED = "passed"
    FAILED = "failed"
    CORE_ONLY = "core only"


@dataclass(frozen=True, slots=True)
class Checked:
    """A case with its verdict; `faults` in words."""

    case: Case
    verdict: Verdict
    faults: tuple[str, ...] = ()


def conform_command(
    target: TargetOption = None,
    ruleset: Annotated[
        str | None, typer.Option(metavar="RULESET", help="Only this rule set's cases.")
    ] = None,
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this case, or those of one rule.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run the shipped cases and say, in words, which fail.

    Without --target they are put to the rules in this process.
    """
    from guncamera.conformance.cases import CaseFileError, load_cases

    try:
        cases = load_cases()
    except CaseFileError as fault:
        raise Failure(str(fault), exit_code=REFUSED) from None
    chosen = [
        one
        for one in cases
        if (ruleset is None or one.ruleset == ruleset)
        and (case is None or one.id == case or case in one.rules)
    ]
    if not chosen:
        wanted = f"the id or the rule {case!r}" if case else f"the rule set {ruleset!r}"
        raise Failure(f"No case has {wanted}.")
    with _asked(target) as answers:
        checked = [_check(one, answers, by_client=target is not None) for one in chosen]
    if json:
        print_json(_plain(target, checked))
    else:
        _show(checked)
    if any(one.verdict is Verdict.FAILED for one in checked):
        raise typer.Exit(REFUSED)


@contextlib.contextmanager
def _asked(target: str | None) -> Iterator[Target]:
    """What the cases are put to; a service that cannot be reached is found out at once."""
    from guncamera.conformance.targets import ClientTarget, CoreTarget

    if target is None:
        yield CoreTarget()
        return
    with client_of(target) as client:
        yield ClientTarget(client)


def _check(case: Case, target: Target, *, by_client: bool) -> Checked:
    from guncamera.conformance.checks import faults_of, odds_faults
    from guncamera.conformance.targets import can_be_sent

    if by_client and not can_be_sent(case):
        return Checked(case, Verdict.CORE_ONLY)
    faults: list[str] = []
    try:
        faults += faults_of(case, target.resolve(case))
        if case.odds:
            faults += odds_faults(case, target.odds(case))
    except Exception as fault:
        faults.append(f"{type(fault).__name__}: {fault}")
    return Checked(case, Verdict.FAILED if faults else Verdict.PASSED, tuple(faults))


def _show(checked: Sequence[Checked]) -> None:
    out = console()
    width = len(str(len(checked)))
    for number, one in enumerate(checked, start=1):
        word = {Verdict.PASSED: "ok", Verdict.FAILED: "FAIL", Verdict.CORE_ONLY: "core"}
        style = "red" if one.verdict is Verdict.FAILED else ""
        out.print(
            f"{number:>{width}}  {word[one.verdict]:<4}  {one.case.id:<12}  {one.case.title}",
            soft_wrap=True,
            style=style,
        )
        for fault in one.faults:
            out.print(f"{'':>{width}}        {fault}", soft_wrap=True, style=style)
    out.print(_counted(checked))


def _counted(checked: Sequence[Checked]) -> str:
    counts = {verdict: sum(1 for o in checked if o.verdict is verdict) for verdict in Verdict}
    text = f"{counts[Verdict.PASSED]} passed, {counts[Verdict.FAILED]} failed"
    if counts[Verdict.CORE_ONLY]:
        text += f", {counts[Verdict.CORE_ONLY]} core only"
    return text


def _plain(target: str | None, checked: Sequence[Checked]) -> dict[str, Any]:
    return {
        "target": target or "core",
        **{
            verdict.value.replace(" ", "_"): sum(1 for o in checked if o.verdict is verdict)
            for verdict in Verdict
        },
        "cases": [
            {
                "id": one.case.id,
                "file": one.case.file,
                "title": one.case.title,
                "verdict": one.verdict.value,
                "faults": list(one.faults),
            }
            for one in checked
        ],
    }
