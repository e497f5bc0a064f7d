"""Where everything on the table goes: sides, lines, slots, and the open sea between them.

The side that sees all of its own, else the US side, has the lower edge of the table. Slots count
from their owner's left, so those of the upper side begin on the right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from guncamera.rules.svg import Point
from guncamera.rulesets.carriers.cards import Line, Side
from guncamera.rulesets.carriers.orders import CardSeen, FleetSeen, LineSeen, SlotSeen, View
from guncamera.rulesets.carriers.picture_measure import INNER_WIDTH, MARGIN

FEWEST_COLUMNS, MOST_COLUMNS = 5, 6
LABEL, SHIP, NAME, HARM = 14.0, 25.0, 13.0, 15.0
CHIP, BACK, NOTE = 17.0, 19.0, 13.0
BAND, EMPTY, EDGE = 42.0, 16.0, 16.0
LETTERS_IN_A_ROW = 4


@dataclass(frozen=True, slots=True)
class Stack:
    """Cards that lie alike at a ship: of one type, or backs."""

    type: str
    face_up: bool
    spent: bool
    count: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A slot as it is drawn.

    Attributes:
        left: Of the cell; `keel`, `front`, `adjacent`: tops of ship and cards, downward.
    """

    at: int
    slot: SlotSeen
    left: float
    keel: float
    front: float
    adjacent: float


@dataclass(frozen=True, slots=True)
class Row:
    """A line, or as much of it as fits beside each other."""

    side: Side
    line: Line
    label: float
    keel: float
    cells: tuple[Cell, ...]


@dataclass(slots=True)
class Layout:
    """The table.

    Attributes:
        top, bottom: Its edges.
        band: The top of the open sea.
        columns: Slots beside each other.
    """

    top: float
    columns: int
    lower: Side
    bottom: float = 0.0
    band: float = 0.0
    rows: list[Row] = field(default_factory=list)

    @property
    def cell_width(self) -> float:
        """The width of a slot."""
        return INNER_WIDTH / self.columns

    def cell(self, side: Side, line: Line, slot: int) -> Cell | None:
        """Where a slot is drawn; None: there is none."""
        cells = (cell for row in self.rows_of(side, line) for cell in row.cells)
        return next((cell for cell in cells if cell.at == slot), None)

    def rows_of(self, side: Side, line: Line) -> Iterator[Row]:
        """The rows of a line."""
        return (row for row in self.rows if (row.side, row.line) == (side, line))


def laid_out(view: View, top: float) -> Layout:
    """The table of a view, from a height on."""
    fleets = {fleet.side: fleet for fleet in view.fleets}
    whole = [fleet.side for fleet in view.fleets if fleet.whole]
    lower = whole[0] if len(whole) == 1 else Side.US
    longest = max((len(line.slots) for fleet in view.fleets for line in fleet.lines), default=0)
    layout = Layout(top, min(max(longest, FEWEST_COLUMNS), MOST_COLUMNS), lower)
    y = _side(layout, fleets[lower.other], top + EDGE)
    layout.band = y
    layout.bottom = _side(layout, fleets[lower], y + BAND) + EDGE
    return layout


def _side(layout: Layout, fleet: FleetSeen, y: float) -> float:
    """The lines of a side, the long one nearest to its edge; where they end."""
    by_line = {one.line: one for one in fleet.lines}
    order = list(Line) if fleet.side == layout.lower else list(reversed(Line))
    for line in order:
        y = _line(layout, fleet, by_line.get(line, LineSeen(line, ())), y)
    return y


def _line(layout: Layout, fleet: FleetSeen, line: LineSeen, y: float) -> float:
    if not line.slots:
        layout.rows.append(Row(fleet.side, line.line, y, y + LABEL / 2, ()))
        return y + LABEL + EMPTY
    numbered = list(enumerate(line.slots))
    for first in range(0, len(numbered), layout.columns):
        chunk = numbered[first : first + layout.columns]
        y = _row(layout, fleet, line.line, chunk, y)
    return y


def _row(
    layout: Layout, fleet: FleetSeen, line: Line, slots: list[tuple[int, SlotSeen]], y: float
) -> float:
    """One row; where it ends."""
    front = max(height_of(slot.front) + _note(fleet, slot) for _, slot in slots)
    adjacent = max(height_of(slot.adjacent) for _, slot in slots)
    harm = max(_harm(slot) for _, slot in slots)
    label, y = y, y + LABEL
    upward = fleet.side == layout.lower
    front_top = y if upward else y + adjacent + SHIP + NAME + harm
    keel = y + (front if upward else adjacent) + SHIP
    adjacent_top = keel + NAME + harm if upward else y
    cells = []
    for column, (at, slot) in enumerate(slots):
        place = column if upward else layout.columns - 1 - column
        left = MARGIN + place * layout.cell_width
        cells.append(Cell(at, slot, left, keel, front_top, adjacent_top))
    layout.rows.append(Row(fleet.side, line, label, keel, tuple(cells)))
    return y + front + adjacent + SHIP + NAME + harm + 4


def _note(fleet: FleetSeen, slot: SlotSeen) -> float:
    return NOTE if used_told(fleet, slot) else 0.0


def used_told(fleet: FleetSeen, slot: SlotSeen) -> str:
    """How many cards have intercepted, where the cards themselves do not show it."""
    return "" if fleet.whole or not slot.intercepted else f"{slot.intercepted} used"


def _harm(slot: SlotSeen) -> float:
    if slot.ship is None:
        return 0.0
    signs = len(slot.ship.keys) + bool(slot.ship.belts)
    return HARM * ((signs + LETTERS_IN_A_ROW - 1) // LETTERS_IN_A_ROW)


def stacks_of(cards: Iterable[CardSeen]) -> list[Stack]:
    """Cards at a ship, by what can be told apart; backs last."""
    counts = Counter((card.type, card.face_up, card.spent) for card in cards)
    found = [Stack(*key, count) for key, count in counts.items()]
    return sorted(found, key=lambda stack: not stack.type)


def height_of(cards: Iterable[CardSeen]) -> float:
    """The height of some cards at a ship."""
    return sum(CHIP if stack.type else BACK for stack in stacks_of(cards))


def middle(cell: Cell, layout: Layout) -> Point:
    """The middle of a ship."""
    return Point(cell.left + layout.cell_width / 2, cell.keel - SHIP / 2 + 4)
