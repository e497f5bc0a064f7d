"""The way home of a pilot who has had enough, and the plots an aircraft may be given. CIR-12.8."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus.aircraft import Aircraft
from guncamera.rulesets.circus.board import Board
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import FlownPath, flight_of
from guncamera.rulesets.circus.fly import flown_path
from guncamera.rulesets.circus.map import column_and_row, hex_at
from guncamera.rulesets.circus.orders import Craft, Edge
from guncamera.rulesets.circus.plots import flown_plots
from guncamera.rulesets.circus.volley import figures_of

_DEGREES: Mapping[Edge, int] = {Edge.EAST: 0, Edge.NORTH: 90, Edge.WEST: 180, Edge.SOUTH: 270}


def plots_of(craft: Craft, board: Board, book: CircusBook) -> Iterator[Plot]:
    """The plots that an aircraft may be given, a selection in a fixed order; at least one.

    The first is the nearest there is to straight and level at the speed of the last turn.
    """
    aeroplane = figures_of(craft.aircraft, board, book)
    every = flown_plots(craft.aircraft, aeroplane, board.own_aeroplanes, book)
    if not _flies_home(craft, book):
        yield from (plot for plot, _ in every)
        return
    astray: list[Plot] = []
    found = False
    for plot, flown in every:
        if _is_homeward(craft, flown, board, book):
            found = True
            yield plot
        else:
            astray.append(plot)
    if not found:
        yield from astray


def default_plot(craft: Craft, board: Board, book: CircusBook) -> Plot:
    """The nearest there is to straight and level at the speed of the last turn (CIR-12.5)."""
    plot = next(plots_of(craft, board, book), None)
    if plot is None:
        raise AssertionError(f"no plot can be flown by {craft.aircraft}")
    return plot


def check_homeward(craft: Craft, plot: Plot, board: Board, book: CircusBook) -> None:
    """Hold a broken pilot to the way home, if there is one.

    Raises:
        Illegal: CIR-12.8, the plot leads away from it, or it breaks a rule of flight.
    """
    if not _flies_home(craft, book):
        return
    aeroplane = figures_of(craft.aircraft, board, book)
    flown = flown_path(craft.aircraft, aeroplane, plot, book)
    if _is_homeward(craft, flown, board, book) or not is_held_home(craft, board, book):
        return
    better = default_plot(craft, board, book)
    id_, edge = craft.aircraft.id, board.edge_of(craft.side)
    raise Illegal(
        "CIR-12.8",
        f"The pilot of {id_} has had enough, and this plot ends no nearer to his {edge} edge and "
        f"faces no more nearly to it. Fly him home, such as by {better.codes!r} at speed "
        f"{better.speed_mp}.",
        field="plots.plots",
        aircraft=id_,
        edge=edge.value,
        codes=better.codes,
        speed_mp=better.speed_mp,
    )


def is_held_home(craft: Craft, board: Board, book: CircusBook) -> bool:
    """Whether an aircraft may not be plotted away from its friendly edge (CIR-12.8).

    It may if no plot of the selection leads there.
    """
    if not _flies_home(craft, book):
        return False
    aeroplane = figures_of(craft.aircraft, board, book)
    led = flight_of(craft.aircraft, aeroplane, default_plot(craft, board, book), book)
    return _is_homeward(craft, led, board, book)


def _flies_home(craft: Craft, book: CircusBook) -> bool:
    return craft.broken and book.settings.broken_pilot == "flies-home"


def _is_homeward(craft: Craft, flown: FlownPath, board: Board, book: CircusBook) -> bool:
    """Whether a move ends nearer to the friendly edge, or facing more nearly to it."""
    edge, start, last = board.edge_of(craft.side), craft.aircraft, flown.last
    there = hex_at(last.hex, book, "hex", anywhere=True)
    nearer = hexes_to(edge, there, book) < hexes_to(edge, _hex_of(start, book), book)
    return nearer or degrees_from(edge, last.facing) < degrees_from(edge, start.facing)


def _hex_of(aircraft: Aircraft, book: CircusBook) -> Hex:
    return hex_at(aircraft.hex, book, "hex")


def hexes_to(edge: Edge, hex_: Hex, book: CircusBook) -> int:
    """Columns or rows to an edge of the map; 1 on its last one, 0 or less beyond."""
    column, row = column_and_row(hex_)
    match edge:
        case Edge.NORTH:
            return row
        case Edge.SOUTH:
            return book.settings.map_rows + 1 - row
        case Edge.WEST:
            return column
        case Edge.EAST:
            return book.settings.map_columns + 1 - column


def degrees_from(edge: Edge, facing: HexDirection) -> int:
    """The angle between a facing and the way to an edge: 0 to 180."""
    apart = abs(_DEGREES[edge] - 60 * facing.facing)
    return min(apart, 360 - apart)
