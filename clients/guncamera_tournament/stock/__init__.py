"""Stock pilots, one a file: `stock:random` is the function `pilot` of `stock/random.py`.

What a pilot does in one rule set stands in the folder of that name: `stock/circus/greedy.py`.
Beside it stand what luck is counted in there (`figure.py`) and the games of league and bench
(`league.toml`).
"""

from __future__ import annotations

import importlib
import pkgutil
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from guncamera_tournament.figure import Figure
from guncamera_tournament.pilot import Pilot


@cache
def stock_names() -> tuple[str, ...]:
    """Every stock pilot's name, in alphabetical order."""
    found = pkgutil.iter_modules(__path__)
    return tuple(sorted(one.name.replace("_", "-") for one in found if not one.ispkg))


def stock_pilot(name: str) -> Pilot:
    """The stock pilot of a name.

    Raises:
        LookupError: There is none.
    """
    if name not in stock_names():
        raise LookupError(f"There is no stock pilot {name!r}; there are {', '.join(stock_names())}")
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    pilot: Pilot = module.pilot
    return pilot


def leagues() -> dict[str, dict[str, Any]]:
    """By rule set, what its `whole` and `quick` league and its bench play: its `league.toml`."""
    folders = sorted(one.name for one in pkgutil.iter_modules(__path__) if one.ispkg)
    texts = {name: resources.files(f"{__name__}.{name}") / "league.toml" for name in folders}
    return {name: tomllib.loads(text.read_text("utf-8")) for name, text in texts.items()}


def figure_of(ruleset: str) -> Figure | None:
    """What luck is counted in; None for a rule set without stock pilots of its own."""
    try:
        module = importlib.import_module(f"{__name__}.{ruleset}.figure")
    except ModuleNotFoundError:
        return None
    figure: Figure = module.FIGURE
    return figure


def imprint_of(variant: str) -> tuple[str, str, str]:
    """Rule set, name and hash of a variant's file, as stock pilots read it.

    Raises:
        LookupError: It is no variant of the rules at hand.
    """
    from guncamera_tournament.rules_at_hand import variant_of  # late: it brings all rules along

    found = variant_of(variant)
    return found.ruleset.slug, found.pin.name, found.pin.hash


@cache
def lists_a_selection(ruleset: str) -> bool:
    """Whether a rule set lists a selection of its orders, and draws from all in little time."""
    try:
        module = importlib.import_module(f"{__name__}.{ruleset}")
    except ModuleNotFoundError:
        return False
    return bool(getattr(module, "LISTS_A_SELECTION", False))


def chooser(ruleset: str, name: str) -> Any:
    """What a pilot does in one rule set: `(view, seat, book, nth)` to the core's order.

    Raises:
        LookupError: There is no such pilot for this rule set.
    """
    try:
        module = importlib.import_module(f"{__name__}.{ruleset}.{name}")
    except ModuleNotFoundError:
        raise LookupError(f"there is no {name} pilot for {ruleset}; take stock:random") from None
    return module.choose
