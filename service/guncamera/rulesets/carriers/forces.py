"""The forces as shipped: ships from the tables, aircraft cards as the settings count them.

Rule CAR-1.6. Source: seed 003, preparation; register section 1.
"""

from __future__ import annotations

from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Line, ShipClass, Side
from guncamera.rulesets.carriers.orders import Entrant, Force


def default_force(side: Side, book: CarriersBook) -> Force:
    """The force of a side that brings none: the fleet as shipped, and cards for its carriers."""
    table = book.tables[f"{side.value}-fleet"]
    ships = tuple(
        Entrant(
            row.label,
            ShipClass(str(table.cell(row.label, "class"))),
            Line(str(table.cell(row.label, "line"))),
        )
        for row in table.rows
    )
    carriers = sum(ship.ship_class == ShipClass.CARRIER for ship in ships)
    return Force(ships, _cards(side, carriers, book))


def _cards(side: Side, carriers: int, book: CarriersBook) -> tuple[str, ...]:
    """Types of card, fighters first."""
    settings, table = book.settings, book.tables["default-cards"]
    counts = {
        "fighter": carriers * settings.fighters_per_carrier,
        "dive_bomber": carriers * settings.dive_bombers_per_carrier,
        "torpedo_plane": carriers * settings.torpedo_planes_per_carrier,
        "patrol": settings.patrol_cards,
    }
    return tuple(
        str(table.cell(kind, side.value)) for kind, count in counts.items() for _ in range(count)
    )
