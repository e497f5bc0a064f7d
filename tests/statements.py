"""What a rule set says of itself to the conformance tests: `conformance.toml` beside its cases.

A rule set of which the tests see everything for themselves has no such file.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from guncamera.conformance.cases import cases_dir

FILE = "conformance.toml"


@dataclass(frozen=True)
class Statement:
    """What one rule set says.

    Attributes:
        shown_by_sessions: Settings that change the board and no single ruling.
        units: Words for units, in names of measures.
        without_unit: Names of measures in a unit that has no name.
        collections: Words for many things, or for one thing made of many.
        hidden_orders: Orders, by dataclass, that others do not see, and that are not sealed.
        touched_orders: Orders that rest on what is hidden, and show nothing of it.
        rows_no_ruling_reads: Rows of tables, each `table row`, or `table *` for a whole one.
    """

    shown_by_sessions: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    without_unit: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    hidden_orders: tuple[str, ...] = ()
    touched_orders: tuple[str, ...] = ()
    rows_no_ruling_reads: tuple[str, ...] = ()


@cache
def statement_of(slug: str) -> Statement:
    """What a rule set says; nothing, for one without a file."""
    path = cases_dir() / slug / FILE
    said = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return Statement(**{name: tuple(words) for name, words in said.items()})


def statement_on(message: str) -> Statement:
    """What the rule set says to which a message belongs, by its name: `KetteringMoveFacts`."""
    for path in cases_dir().iterdir():
        if message.startswith(path.name.capitalize()):
            return statement_of(path.name)
    return Statement()
