"""A move without dice, legal in every respect: what a plot leads to if nothing breaks.

`flight` follows it; here is the edge of the map, which by setting may not be crossed (CIR-3.10).
"""

from __future__ import annotations

from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus.aircraft import Aeroplane, Aircraft
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import FlownPath, flight_of
from guncamera.rulesets.circus.map import is_edge_barred
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.plots import stays_possible

__all__ = ["FlownPath", "flown_path"]


def flown_path(
    aircraft: Aircraft,
    aeroplane: Aeroplane,
    plot: Plot | None,
    book: CircusBook,
    field: str = "flight",
) -> FlownPath:
    """A move without dice.

    Args:
        plot: None for an aircraft whose pilot is dead.
        field: Where aircraft and plot stand among the facts.

    Raises:
        Malformed: CIR-1.3, CIR-2.1 to CIR-2.3, CIR-4.6: facts or codes that are none.
        Illegal: The plot breaks a rule of chapters 2 to 6; the message names the code.

    Source: seed 002; register sections 1, 3, 5 and 9.
    """
    flown = flight_of(aircraft, aeroplane, plot, book, field)
    if flown.end == End.LEFT_MAP and not flown.forced and is_edge_barred(aircraft, book):
        _check_edge(aircraft, aeroplane, book, field)
    return flown


def _check_edge(aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook, field: str) -> None:
    """Refuse to leave the map, unless there is no other way."""
    if stays_possible(aircraft, aeroplane, book):
        raise Illegal(
            "CIR-3.10",
            f"The plot of {aircraft.id} leads over the edge of the map, which is barred. Turn "
            "away from it.",
            field=f"{field}.plot.codes",
            aircraft=aircraft.id,
            hex=aircraft.hex,
        )
