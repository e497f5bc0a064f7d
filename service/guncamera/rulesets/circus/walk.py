"""Following a plot: where an aircraft stands after each act, what it spends, what stresses it.

The bookkeeping of chapters 3 and 6: movement points, hexsides, heights, the ceiling, and which acts
are high stress (CIR-2.3, CIR-3.2, CIR-3.3, CIR-3.6, CIR-6.1, CIR-6.6). Without dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.circus.aircraft import Aircraft, Manoeuvre, PathStep, Pose
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.codes import Token
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.map import column_and_row, hex_at, label, middle, on_map
from guncamera.rulesets.circus.performance import Able, Figures, figures_of

MAX_STANDS = 60

Reading = tuple[str, str]
"""A setting that mattered, and the rule it belongs to."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be flown: an aircraft, its plot, and where both stand among the facts."""

    aircraft: Aircraft
    plot: Plot | None
    able: Able
    book: CircusBook
    field: str


@dataclass(frozen=True, slots=True)
class StressAct:
    """One high-stress act of a flight.

    Attributes:
        before: The last stand of the path before the act.
        step: The stand at which it is checked.
        first: It is checked; later acts in the same hex are not, but by setting.
        checked: It has a check of its own, and does not only spend marks.
    """

    what: str
    before: int
    step: int
    first: bool
    checked: bool


def refuse(rule_id: str, token: Token, why: str, field: str, **facts: str | int) -> Illegal:
    """A refusal of one token: which, where, why, and what to do instead."""
    return Illegal(
        rule_id,
        f"{token}: {why}",
        field=f"{field}.codes",
        token=token.text,
        place=token.place,
        character=token.character,
        **facts,
    )


@dataclass(slots=True)
class Walk:
    """An aircraft on its way.

    Attributes:
        where: Where its plot stands among the facts.
        steps: Its path so far; the start is the first.
        heights: Feet by what they were gained or lost for.
        spent: Movement points by what they were spent on.
        readings: Settings that mattered.
        sides: Hexsides turned in the present hex.
        turned_before: There was a turn in the hex before.
        straight: Hexes entered since the last turn; None before the first.
        stressed: The present hex has had its check.
        left_at, ground_at: The first stand off the map, and the first on the ground.
        dive: The steepest dive so far.
        plain: It has flown straight and level so far.
        shallow, steep: It has done nothing but a shallow, or a steep dive so far.
        climbed: Feet climbed by engine.
        zooms: Points of kinetic energy spent, each after the stand before the zoom.
        manoeuvres: Special manoeuvres, each after the stand before it.
    """

    able: Able
    book: CircusBook
    figures: Figures
    where: str
    hex: Hex
    facing: HexDirection
    feet: int
    mapped: bool
    steps: list[PathStep]
    acts: list[StressAct] = field(default_factory=list)
    heights: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    readings: dict[Reading, None] = field(default_factory=dict)
    mp: int = 0
    hang_mp: int = 0
    sides: int = 0
    turned_before: bool = False
    straight: int | None = None
    stressed: bool = False
    left_at: int | None = None
    ground_at: int | None = None
    dive: Pose = Pose.LEVEL
    plain: bool = True
    shallow: bool = True
    steep: bool = True
    hanging: bool = False
    climbed: int = 0
    manoeuvres: list[tuple[int, Manoeuvre]] = field(default_factory=list)
    zooms: list[tuple[int, int]] = field(default_factory=list)

    # ---- Stands

    def stand(self, cost: int, feet: int, pose: Pose, what: str, token: Token | None) -> None:
        """The end of an act: points spent, height gained or lost.

        Args:
            what: What the points and the height are for.
            token: The code of the act; None in a dive that nobody plotted.
        """
        self.mp += cost
        if cost:
            self.spent[what] = self.spent.get(what, 0) + cost
        if feet:
            self.change_height(feet, what, token)
        if len(self.steps) == MAX_STANDS:
            raise self._too_many()
        self.steps.append(PathStep(self.mp, label(self.hex), self.facing, self.feet, pose))
        if self.feet <= 0 and self.ground_at is None:
            self.ground_at = len(self.steps) - 1

    def change_height(self, feet: int, what: str, token: Token | None) -> None:
        """Height gained or lost; nothing climbs above the ceiling, but by setting (CIR-3.6)."""
        self.feet += feet
        self.heights[what] = self.heights.get(what, 0) + feet
        ceiling = self.able.aeroplane.ceiling_feet
        if feet <= 0 or self.feet <= ceiling or token is None:
            return
        self.readings["CIR-3.6", "ceiling"] = None
        if self.book.settings.ceiling == "all":
            raise refuse(
                "CIR-3.6",
                token,
                f"it climbs to {self.feet} feet, and the ceiling is {ceiling}. Stay below it.",
                self.where,
                altitude_feet=self.feet,
                ceiling_feet=ceiling,
            )

    def _too_many(self) -> Malformed:
        return Malformed(
            f"The plot has more than {MAX_STANDS - 1} acts; fly a simpler one.",
            rule_id="CIR-2.1",
            field=f"{self.where}.codes",
            most=MAX_STANDS - 1,
        )

    def enter(self, hex_: Hex) -> None:
        """Into another hex."""
        self.hex = hex_
        self.turned_before = self.sides > 0
        self.sides = 0
        self.stressed = False
        if self.straight is not None:
            self.straight += 1
        if self.mapped and self.left_at is None and not on_map(hex_, self.book):
            self.left_at = len(self.steps)
            self.readings.update(dict.fromkeys(edge_readings(hex_, self.book)))

    def ahead(self, cost: int, feet: int, pose: Pose, what: str, token: Token | None) -> None:
        """One hex straight ahead."""
        self.enter(self.hex.step(self.facing))
        self.stand(cost, feet, pose, what, token)

    # ---- Turns

    def turn(self, token: Token, *, left: bool, feet: int, pose: Pose) -> None:
        """One hexside in the present hex.

        Args:
            feet: What a shallow dive does to the height meanwhile.

        Raises:
            Illegal: CIR-2.3, CIR-3.2, CIR-6.6 or CIR-10.11.
        """
        self._check_side(token, left=left)
        self.plain = False
        self.sides += 1
        self._check_sides(token)
        self.readings["CIR-3.2", "turn_cost"] = None
        before = len(self.steps) - 1
        self.facing = self.facing.turned(1 if left else -1)
        lost = self._hexside_loss()
        if lost:
            self.change_height(-lost, "hexsides", token)
        if feet:
            self.change_height(feet, "shallow_dive", token)
        self.stand(self.able.side_mp, 0, pose, "turns", token)
        self.straight = 0
        if self.sides > 1:
            self.stress(token, "turn of several hexsides", before)
        elif self.turned_before:
            self.stress(token, "turns in two hexes running", before)

    def _hexside_loss(self) -> int:
        """Height lost by the hexside that was just turned (CIR-3.3)."""
        if self.sides < 2:
            return 0
        if self.sides > 2:
            self.readings["CIR-3.3", "turn_loss"] = None
            if self.book.settings.turn_loss == "once-a-hex":
                return 0
        return self.figures.hexside_loss_feet

    def _check_side(self, token: Token, *, left: bool) -> None:
        condition = self.able.condition
        if condition.left_barred if left else condition.right_barred:
            side, other = ("left", "right") if left else ("right", "left")
            raise refuse(
                "CIR-10.11",
                token,
                f"the controls no longer turn it to the {side}. Turn to the {other}, if at all.",
                self.where,
                side=side,
            )

    def _check_sides(self, token: Token) -> None:
        """How many hexsides a hex takes, and how many hexes lie between two turns."""
        most = self.figures.most_hexsides
        if self.sides > most:
            raise refuse(
                "CIR-2.3",
                token,
                f"this is hexside {self.sides} in one hex, and {most} are allowed. Fly on first.",
                self.where,
                hexsides=self.sides,
                most=most,
            )
        able = self.able
        if self.book.settings.turn_cost == "points":
            return
        if self.sides > able.sides_at_once:
            raise refuse(
                "CIR-3.2",
                token,
                f"turn code {able.turn_code.upper()} allows {able.sides_at_once} in a hex, and "
                f"this is hexside {self.sides} there. Fly on first.",
                self.where,
                turn_code=able.turn_code.value,
                hexsides=self.sides,
            )
        if self.sides == 1 and self.straight is not None and self.straight <= able.straight_hexes:
            raise refuse(
                "CIR-3.2",
                token,
                f"turn code {able.turn_code.upper()} needs {in_hexes(able.straight_hexes)} without "
                f"a turn between two turns, and here is {self.straight - 1}. Fly further first.",
                self.where,
                turn_code=able.turn_code.value,
                straight_hexes=self.straight - 1,
            )

    # ---- Stress

    def stress(self, token: Token | None, what: str, before: int, *, special: bool = False) -> None:
        """A high-stress act that ends at the last stand (CIR-6.1).

        Args:
            before: The last stand before it.
            special: It is one of the special manoeuvres, which are checked by any reading.
        """
        if token is not None and self.able.condition.spar_cracked:
            raise refuse(
                "CIR-6.6",
                token,
                f"this is high stress ({what}), which a cracked wing spar bars. Fly it without.",
                self.where,
                act=what,
            )
        reading = self.book.settings.stress_acts
        checked = special or reading != "specials"
        if not special or self.stressed:
            self.readings["CIR-6.1", "stress_acts"] = None
        first = not self.stressed or reading == "each"
        self.stressed = True
        self.acts.append(StressAct(what, before, len(self.steps) - 1, first, checked))


def set_out(
    aircraft: Aircraft, able: Able, book: CircusBook, plot_field: str, aircraft_field: str
) -> Walk:
    """An aircraft before its move.

    Raises:
        Malformed: Its hex is no label.
        Illegal: CIR-1.1, its hex is off the map.
    """
    mapped = bool(aircraft.hex)
    start = hex_at(aircraft.hex, book, f"{aircraft_field}.hex") if mapped else middle(book)
    first = PathStep(0, label(start), aircraft.facing, aircraft.altitude_feet, Pose.LEVEL)
    return Walk(
        able=able,
        book=book,
        figures=figures_of(book),
        where=plot_field,
        hex=start,
        facing=aircraft.facing,
        feet=aircraft.altitude_feet,
        mapped=mapped,
        steps=[first],
    )


def edge_readings(off: Hex, book: CircusBook) -> Iterator[Reading]:
    """The settings that a hex off the map turns on (CIR-3.10)."""
    column, row = column_and_row(off)
    yield "CIR-3.10", "map_edge"
    if column > book.settings.map_columns:
        yield "CIR-1.1", "map_columns"
    if row > book.settings.map_rows:
        yield "CIR-1.1", "map_rows"


def in_hexes(number: int) -> str:
    """So many hexes, in words."""
    return "1 hex" if number == 1 else f"{number} hexes"


def spread(feet: int, hexes: int, step: int) -> Sequence[int]:
    """A climb over some hexes, in steps: what is gained in each, as evenly as it goes."""
    steps = feet // step
    return [step * (steps * (at + 1) // hexes - steps * at // hexes) for at in range(hexes)]


def check_spent(task: Task, plot: Plot, points: int, walk: Walk) -> None:
    """All movement points are spent (CIR-3.1)."""
    if walk.mp == points:
        return
    ke = points - plot.speed_mp
    energy = f" and {ke} of kinetic energy" if ke else ""
    what = f"{'Fly further' if walk.mp < points else 'Fly less'}"
    raise Illegal(
        "CIR-3.1",
        f"The plot of {task.aircraft.id} spends {walk.mp} movement points; {points} are to be "
        f"spent, {plot.speed_mp} of speed{energy}. {what}, by {abs(points - walk.mp)}.",
        field=f"{walk.where}.codes",
        spent_mp=walk.mp,
        points=points,
        speed_mp=plot.speed_mp,
    )
