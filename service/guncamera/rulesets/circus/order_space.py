"""Plots that are too many to list: drawn by number, or written code by code. Rule CIR-2.1.

Everything here is exact: a plot is among those drawn, and a code among those offered, if and only
if the rules of flight, of the map and of broken pilots let the plot pass; `plot_space` says in
which spelling, and what is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from guncamera.rules.hexes import DIRECTIONS
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Begun, LegalOrder, NextCode
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft, Side
from guncamera.rulesets.circus.board import Board, unplotted
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.homeward import default_plot, degrees_from, is_held_home
from guncamera.rulesets.circus.legal import plotted
from guncamera.rulesets.circus.map import column_and_row, hex_at, is_edge_barred
from guncamera.rulesets.circus.orders import Craft, Edge, Phase
from guncamera.rulesets.circus.performance import Able, assess, is_stalled, speeds
from guncamera.rulesets.circus.plot_begun import FIELD, read_begun
from guncamera.rulesets.circus.plot_frame import NOWHERE, Frame, Home, Place
from guncamera.rulesets.circus.plot_means import means_of
from guncamera.rulesets.circus.plot_notation import in_words
from guncamera.rulesets.circus.plot_space import PlotSpace
from guncamera.rulesets.circus.plot_steps import SLACK_FEET, STEEPEST_FEET
from guncamera.rulesets.circus.plots import stays_possible
from guncamera.rulesets.circus.volley import figures_of as aeroplane_of_board


class PlotOrders:
    """All orders of one side's phase of plots: a plot for each of its aircraft."""

    def __init__(self, board: Board, crafts: Sequence[Craft], book: CircusBook) -> None:
        self._board, self._crafts, self._book = board, crafts, book
        self._aeroplanes = [aeroplane_of_board(one.aircraft, board, book) for one in crafts]

    @cached_property
    def _spaces(self) -> list[PlotSpace]:
        return [self._space(at) for at in range(len(self._crafts))]

    def _space(self, at: int) -> PlotSpace:
        return space_of(self._crafts[at], self._aeroplanes[at], self._board, self._book)

    # ---- By number

    @property
    def size(self) -> int:
        """How many orders there are."""
        size = 1
        for space in self._spaces:
            size *= space.size
        return size

    def nth(self, number: int) -> LegalOrder:
        """One of the orders, each number from 0 to the size less one another one."""
        plots: list[Plot] = []
        for space in self._spaces:
            number, at = divmod(number, space.size)
            plots.append(space.nth(at))
        return plotted(plots)

    # ---- Code by code

    def begun(self, text: str) -> Begun:
        """What may follow an aircraft's id, its speed, and codes of its plot.

        Raises:
            Malformed: The id, the speed or a code is none.
            Illegal: No legal plot begins so; the message names the first code at fault.
        """
        ids = [craft.aircraft.id for craft in self._crafts]
        if not text.strip():
            return _of_ids(ids)
        at, rest = self._craft_of(text.lstrip(), ids)
        space, id_ = self._space(at), ids[at]
        words = rest.split(maxsplit=1)
        if not words:
            return _of_speeds(space, id_)
        speed = _speed_of(words[0])
        codes = words[1] if len(words) > 1 else ""
        found = read_begun(space, self._aeroplanes[at], speed, codes, self._book)
        whole = Plot(id_, speed, found.codes)
        return Begun(
            so_far=f"{id_} {speed} {found.codes}".rstrip(),
            points_left=found.mp_left,
            next=tuple(
                NextCode(one.code, in_words(one.code), one.mp, one.mp_left, one.may_end)
                for one in found.offers()
            ),
            order=self._order(at, whole) if found.may_end else None,
        )

    def _craft_of(self, text: str, ids: Sequence[str]) -> tuple[int, str]:
        """Whose plot is written, and what stands after the id."""
        named = [id_ for id_ in ids if text == id_ or text.startswith(f"{id_} ")]
        if not named:
            raise Malformed(
                f"{text[:24]!r} does not begin with an aircraft that is to be plotted. Begin with "
                f"one of {', '.join(ids)}, then its speed and its codes.",
                rule_id="CIR-2.1",
                field=FIELD,
            )
        id_ = max(named, key=len)
        return ids.index(id_), text.removeprefix(id_)

    def _order(self, at: int, plot: Plot) -> LegalOrder:
        """The order with this plot, and the other aircraft as in the first of the list."""
        others = (default_plot(craft, self._board, self._book) for craft in self._crafts)
        return plotted([plot if nth == at else other for nth, other in enumerate(others)])


def order_space(board: Board, seat: str, book: CircusBook) -> PlotOrders | None:
    """The orders of a phase of plots; None where the list of legal orders is whole."""
    side = Side(seat)
    if side not in board.active or board.phase not in (Phase.PLOT, Phase.MOVE):
        return None
    crafts = unplotted(board, side)
    return PlotOrders(board, crafts, book) if crafts else None


def _of_ids(ids: Sequence[str]) -> Begun:
    return Begun("", 0, tuple(NextCode(id_, f"Plot {id_}.", 0, 0, may_end=False) for id_ in ids))


def _of_speeds(space: PlotSpace, id_: str) -> Begun:
    offers = []
    for speed in space.speeds:
        starts = space.starts(speed)
        if any(space.counter.count(at) for at in starts):
            points = speed + space.aircraft.ke
            words = f"Fly at {speed} MP, {points} in all."
            offers.append(NextCode(str(speed), words, 0, points, may_end=False))
    return Begun(id_, 0, tuple(offers))


def _speed_of(text: str) -> int:
    if len(text) <= 2 and text.isascii() and text.isdigit():
        return int(text)
    raise Malformed(
        f"{text[:12]!r} stands where the speed belongs. Write it after the aircraft, in movement "
        "points without kinetic energy.",
        rule_id="CIR-3.4",
        field=FIELD,
    )


# ---- Where an aircraft is


def space_of(craft: Craft, aeroplane: Aeroplane, board: Board, book: CircusBook) -> PlotSpace:
    """Every plot that an aircraft may fly where it is."""
    aircraft = craft.aircraft
    able = assess(aeroplane, aircraft.condition or UNHURT, book)
    frame, place = _framed(craft, able, board, book)
    return PlotSpace(aircraft, able, frame, place, book)


def _framed(craft: Craft, able: Able, board: Board, book: CircusBook) -> tuple[Frame, Place]:
    """What limits its plots, and where it is as far as that matters."""
    aircraft, settings = craft.aircraft, book.settings
    points = max(speeds(aircraft, able, book)[-1] + aircraft.ke, 1)
    column, row = column_and_row(hex_at(aircraft.hex, book, "hex"))
    feet, ceiling = aircraft.altitude_feet, able.aeroplane.ceiling_feet
    means, bounds = means_of(able, book), settings.ceiling == "all"
    rise = able.climb_feet + means.zoom_feet * aircraft.ke + means.rise_feet * points
    frame = Frame(
        settings.map_columns,
        settings.map_rows,
        barred=_is_barred(aircraft, able, book),
        home=_home(craft, board, book) if is_held_home(craft, board, book) else None,
        ceiling_feet=ceiling if bounds and feet + rise > ceiling else None,
    )
    bound = frame.is_bound
    start = Place(
        half=2 * (column - 1) + (row - 1) % 2,
        row=row - 1,
        facing=aircraft.facing.facing if bound else None,
        feet=feet,
        settled=not bound,
    )
    place = frame.reduced(start, points, rise, STEEPEST_FEET * points + SLACK_FEET)
    if place.settled:
        frame = Frame(settings.map_columns, settings.map_rows, ceiling_feet=frame.ceiling_feet)
        return frame, NOWHERE if place == NOWHERE else place
    return frame, start if place.feet is not None else start._replace(feet=None)


def _is_barred(aircraft: Aircraft, able: Able, book: CircusBook) -> bool:
    """Whether a plot over the edge of the map is refused (CIR-3.10)."""
    if not is_edge_barred(aircraft, book) or is_stalled(aircraft, able):
        return False
    return stays_possible(aircraft, able.aeroplane, book)


def _home(craft: Craft, board: Board, book: CircusBook) -> Home:
    edge, aircraft = board.edge_of(craft.side), craft.aircraft
    column, row = column_and_row(hex_at(aircraft.hex, book, "hex"))
    most = degrees_from(edge, aircraft.facing)
    nearer = [one.facing for one in DIRECTIONS if degrees_from(edge, one) < most]
    by_row = edge in (Edge.NORTH, Edge.SOUTH)
    return Home(edge, (row if by_row else column) - 1, tuple(nearer))
