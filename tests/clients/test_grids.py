"""docs/grids.md: its code and points against the rules' own geometry, every hex of both maps."""

from __future__ import annotations

import json
import re
from math import cos, isclose, radians, sin
from pathlib import Path
from typing import Any

import pytest
from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.ruleset import rulesets
from guncamera.rulesets.circus import map as circus
from guncamera.rulesets.kettering import map as kettering
from node import ROOT, node

PAGE = (ROOT / "docs/grids.md").read_text()
CIRCUS, KETTERING = (rulesets()[slug].book for slug in ("circus", "kettering"))
HEXES = {
    "circus": [circus.hex_in(column, row) for row in range(1, 26) for column in range(1, 46)],
    "kettering": list(kettering.all_hexes(KETTERING)),
}
LABEL = {"circus": circus.label, "kettering": kettering.label}
ASKED = """
import { DEGREES, circus, kettering, middle } from "./grid.js";
const told = (game, hexes) => hexes.map((hex) => {
  const cell = game.cell(hex);
  return { ...cell, ...middle(cell), hex: game.hex(cell) };
});
const asked = JSON.parse(process.argv[2]);
const cells = { circus: told(circus, asked.circus), kettering: told(kettering, asked.kettering) };
console.log(JSON.stringify({ DEGREES, cells, off: circus.cell("-1,14") }));
"""


def rows_of(*cells: str) -> list[tuple[str, ...]]:
    """The rows of the page whose cells are like these."""
    return re.findall("^" + r"\|".join(["", *(f" {cell} " for cell in cells), ""]), PAGE, re.M)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the page's code says of every hex, by its label."""
    folder = tmp_path_factory.mktemp("grids")
    (code,) = re.findall(r"^```js grid\.js\n(.*?)^```", PAGE, re.M | re.S)
    (folder / "grid.js").write_text(code)
    (folder / "ask.js").write_text(ASKED)
    Path(folder / "package.json").write_text('{"type": "module"}')
    asked = {slug: [LABEL[slug](hex_) for hex_ in hexes] for slug, hexes in HEXES.items()}
    found = json.loads(node("ask.js", json.dumps(asked), cwd=folder))
    found["by_label"] = {
        slug: dict(zip(asked[slug], found["cells"][slug], strict=True)) for slug in asked
    }
    return found


@pytest.mark.parametrize("slug", HEXES)
def test_every_hex_has_a_cell_of_its_own_that_leads_back(told: Any, slug: str) -> None:
    cells = told["by_label"][slug]
    assert {label: cell["hex"] for label, cell in cells.items()} == {one: one for one in cells}
    rows, columns = {"circus": (25, 45), "kettering": (42, 34)}[slug]
    places = {(cell["i"], cell["j"]) for cell in cells.values()}
    assert places == {(i, j) for i in range(rows) for j in range(columns)}


@pytest.mark.parametrize("slug", HEXES)
def test_a_step_is_one_hex_in_the_direction_of_the_page(told: Any, slug: str) -> None:
    """On a screen, where y grows downwards, over every border between two hexes."""
    cells, steps = dict(zip(HEXES[slug], told["cells"][slug], strict=True)), 0
    for hex_, here in cells.items():
        for direction in DIRECTIONS:
            there = cells.get(hex_.step(direction))
            if there is not None:
                degrees = radians(told["DEGREES"][f"HEX_DIRECTION_{direction.name}"])
                assert isclose(there["x"] - here["x"], sin(degrees), abs_tol=1e-9)
                assert isclose(here["y"] - there["y"], cos(degrees), abs_tol=1e-9)
                steps += 1
    assert steps > 5 * len(cells)


def test_the_points_of_the_page_are_right(told: Any) -> None:
    points = rows_of(r"`(circus|kettering)`", r"`([^`]+)`", r"(\d+)", r"(\d+)")
    assert len(points) == 8
    for slug, hex_, i, j in points:
        cell = told["by_label"][slug][hex_]
        assert (cell["i"], cell["j"]) == (int(i), int(j))
    assert told["off"] == {"i": 13, "j": -2}


def test_the_directions_of_the_page_are_right(told: Any) -> None:
    lines = rows_of(r"`([A-Z]+)`", r"(\d+)", "`([0-9]+)`", r"`?([A-Z]-\d+|off the board)`?")
    assert len(lines) == len(DIRECTIONS)
    middle, corner = circus.hex_in(20, 14), Hex(-35, -1)
    for name, degrees, in_circus, in_kettering in lines:
        direction = HexDirection[name]
        assert told["DEGREES"][f"HEX_DIRECTION_{name}"] == int(degrees)
        assert circus.label(middle.step(direction)) == in_circus
        there = corner.step(direction)
        is_on = kettering.on_board(there, KETTERING)
        assert (kettering.label(there) if is_on else "off the board") == in_kettering
