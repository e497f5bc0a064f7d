"""The report in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from guncamera_tournament.paired import Estimate
from guncamera_tournament.report import Meeting, Report, Row


def print_report(report: Report, out: Console) -> None:
    """Print it: the table, who beat whom, luck, pace, forfeits."""
    event = report.event
    variant = f" by {event.variant.name}" if event.variant.file else ""
    out.print(
        f"{event.ruleset}{variant}, {event.format}, {len(report.records)} bouts, "
        f"{event.dice} dice, rules {event.rules.rules_version} ({event.rules.rules_hash[:12]})\n",
        style="bold",
    )
    show(_standings(report), out)
    out.print("\nHead to head: won-drawn-lost, points a bout\n", style="bold")
    show(_crosstable(report), out)
    for pair in report.paired:
        out.print(f"\n{pair.pilot} less {pair.other}, points a bout:")
        out.print(f"  same dice, both sides  {estimate(pair.paired)}")
        out.print(f"  bouts by themselves    {estimate(pair.unpaired)}")
    _print_luck(report, out)
    _print_pace(report, out)
    for one in report.records:
        if one.is_forfeit:
            out.print(f"\n{one.bout}: {one.reason}: {one.detail}")


def estimate(value: Estimate) -> str:
    """A mean and how sure it is."""
    if value.standard_error is None:
        return f"{value.mean:+.3f} of {value.count}"
    return (
        f"{value.mean:+.3f} ± {value.standard_error:.3f} of {value.count}, "
        f"95 % from {value.low:+.3f} to {value.high:+.3f}"
    )


def _standings(report: Report) -> Table:
    heads = ("", "pilot", "w-d-l", "points", "win rate, 95 %", "Elo, 95 %", "skill", "luck z")
    return grid(heads, [_cells(row) for row in report.rows], left=2)


def _cells(row: Row) -> tuple[str, ...]:
    return (
        str(row.rank),
        row.pilot,
        f"{row.won}-{row.drawn}-{row.lost}",
        f"{row.points:g}",
        f"{row.rate:.0%} {row.rate_low:.0%}-{row.rate_high:.0%}",
        f"{row.elo} {row.elo_low}-{row.elo_high}",
        f"{row.mu:.1f}±{row.sigma:.1f}",
        "" if row.luck_z is None else f"{row.luck_z:+.1f}",
    )


def _crosstable(report: Report) -> Table:
    names = [row.pilot for row in report.rows]
    met = {(one.pilot, one.other): one for one in report.meetings}
    rows = [[name, *(_meeting(met.get((name, other))) for other in names)] for name in names]
    return grid(("", *names), rows, left=1)


def _meeting(one: Meeting | None) -> str:
    return "" if one is None else f"{one.won}-{one.drawn}-{one.lost}  {one.rate:.2f}"


def _print_luck(report: Report, out: Console) -> None:
    luck = report.luck
    if luck is None:
        return
    looked = "all films" if luck.films == luck.of else f"{luck.films} of {luck.of} films"
    out.print(f"\nLuck: {luck.unit}, by {looked}", style="bold")
    if luck.too_long:
        out.print(f"{luck.too_long} rulings are left out: their exact odds take too long.")
    rows = [
        (one.pilot, str(one.rulings), f"{one.expected:.1f}", str(one.rolled),
         f"{one.difference:+.1f}", f"{one.deviation:.1f}", f"{one.z:+.2f}")
        for one in luck.pilots
    ]  # fmt: skip
    heads = ("pilot", "rulings", "expected", "rolled", "difference", "deviation", "z")
    show(grid(heads, rows, left=1), out)


def _print_pace(report: Report, out: Console) -> None:
    pace = report.pace
    if pace is None:
        return
    out.print(
        f"\nPace: {pace.games_a_second:g} games a second by one who plays, {pace.seconds_a_game:g} "
        f"s a game, {pace.calls_a_game:g} calls, {pace.service_share:.0%} of it in the service",
        style="bold",
    )
    rows = [
        (one.pilot, str(one.orders), f"{one.mean_ms:.2f}", f"{one.slowest_ms:.1f}",
         str(one.strikes))
        for one in pace.pilots
    ]  # fmt: skip
    heads = ("pilot", "orders", "mean ms", "slowest ms", "strikes")
    show(grid(heads, rows, left=1), out)


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> Table:
    """A table without lines, the first columns to the left and all others to the right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, head in enumerate(heads):
        table.add_column(head, justify="left" if at < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def show(table: Table, out: Console) -> None:
    """Print a table as wide as it is: what is piped is not cut off."""
    before = out.width
    out.width = max(before, table.__rich_measure__(out, out.options.update(max_width=9999)).maximum)
    out.print(table, crop=False)
    out.width = before
