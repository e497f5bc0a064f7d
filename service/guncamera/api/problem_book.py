"""`docs/problems.md`: the pages at `/problems` as one, for those who have no service at hand.

`python -m guncamera.api.problem_book > docs/problems.md` writes it.
"""

from __future__ import annotations

import sys

from guncamera.api.problem_examples import ProblemExample, problem_examples
from guncamera.api.problems import TABLE, Row

_HEAD = (
    "# Problems\n\n"
    "Why a call may be refused, reason by reason: what happened, the way out, and an example.\n"
    "The `type` of a problem document is the address of the same text on the service: "
    "`/problems/phase-closed` for `PHASE_CLOSED`, and `/problems` for all.\n"
    "How refusals are built stands in [api.md](api.md#refusals).\n"
    "The checks send every request below and compare what it is told.\n"
)


def problem_book() -> str:
    """The page, in Markdown."""
    sections = (_section(row, problem_examples()[row.reason]) for row in TABLE.values())
    return "\n".join([_HEAD, *sections])


def _section(row: Row, example: ProblemExample) -> str:
    http = f"{row.http}, or 412 by `If-Match`" if row.reason == "ETAG_MISMATCH" else str(row.http)
    told = example.when
    if example.request:
        told = f"```http\n{example.asked()}\n```\n\nis told:"
    return (
        f"## {row.reason}\n\n{row.title}. HTTP {http}, gRPC {row.code.name}.\n\n{row.meaning}\n\n"
        f"**Do:** {row.advice}\n\n{told}\n\n> {example.detail}\n"
    )


if __name__ == "__main__":
    sys.stdout.write(problem_book())
