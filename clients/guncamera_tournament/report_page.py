"""The report as one HTML page that needs nothing else: no script, no font, no other file.

Only films are linked, where they lie beside it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from guncamera_tournament.record import GameRecord
from guncamera_tournament.report import Meeting, Report, Row
from guncamera_tournament.report_plots import LUCK, SERIES, plots
from guncamera_tournament.report_table import estimate

MOST_GAMES = 2_000
"""So many games are listed; the CSV of games has all."""
_LIGHT = ("#3465c0", "#c8571b", "#1c8a66", "#9c4a9e", "#a8780a", "#1687a7", "#c0395b", "#5f6b2d")
_DARK = ("#7ea6f5", "#f0955f", "#57c9a0", "#d493d8", "#e0b648", "#62c4df", "#f2839c", "#b4c274")


def to_html(report: Report, folder: Path, page: Path) -> str:
    """The page.

    Args:
        folder: The event's.
        page: Where the page will stand; films are linked from there.

    Raises:
        TournamentError: The package `matplotlib` is not installed.
    """
    event = report.event
    variant = f" by {event.variant.name}" if event.variant.file else ""
    title = f"{event.ruleset}{variant}: {event.format}"
    drawn = plots(report)
    luck = drawn.pop(LUCK, "")
    films = os.path.relpath(folder.resolve(), page.resolve().parent)
    parts = [
        f"<h1>{escape(title)}</h1>",
        _lead(report),
        '<section><h2>Standings</h2><div class="scroll">' + _standings(report) + "</div>",
        "<p class=note>Points a bout with Wilson's interval; Elo by maximum likelihood over all "
        "games at once, 1500 in the middle; skill by the model of Plackett and Luce, game by "
        "game. All intervals are 95 per cent.</p></section>",
        '<div class="plots">' + "".join(_figure(*one) for one in drawn.items()) + "</div>",
        '<section><h2>Head to head</h2><div class="scroll">' + _crosstable(report) + "</div>",
        *_paired(report),
        "</section>",
        *_luck(report, luck),
        *_pace(report),
        "<section><h2>Games</h2>",
        *_games(report, "" if films == "." else f"{films}/"),
        "</section>",
        _foot(report),
    ]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_style()}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _lead(report: Report) -> str:
    best, count = report.rows[0], len(report.records)
    dice = "the same dice from both sides" if report.event.dice == "duplicate" else "seeded dice"
    level = sum((row.points, row.bouts) == (best.points, best.bouts) for row in report.rows)
    who = f"<b>{escape(best.pilot)}</b> leads" if level == 1 else f"{level} pilots lead"
    return (
        f"<p class=lead>{count} bouts of {len(report.rows)} pilots, {dice}. "
        f"{who} with {best.points:g} points of {best.bouts} bouts.</p>"
    )


def _dot(rank: int) -> str:
    color = f"--pilot-{rank - 1}" if rank <= len(SERIES) else "--faint"
    return f'<i class="dot" style="background:var({color})"></i>'


def _standings(report: Report) -> str:
    heads = ("", "pilot", "points", "win rate", "Elo", "skill", "luck", "bouts", "won", "drawn",
             "lost")  # fmt: skip
    head = "".join(f"<th>{name}</th>" for name in heads)
    return (
        f'<table class="standings"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(_row(row) for row in report.rows)}</tbody></table>"
    )


def _row(row: Row) -> str:
    forfeits = f" <small>{row.forfeits} forfeited</small>" if row.forfeits else ""
    luck = "" if row.luck is None else f"{row.luck:+.1f} <small>z {row.luck_z:+.1f}</small>"
    cells = (
        str(row.rank),
        f"{_dot(row.rank)}{escape(row.pilot)}",
        f"<b>{row.points:g}</b>",
        f"{row.rate:.0%} <small>{row.rate_low:.0%}–{row.rate_high:.0%}</small>",
        f"{row.elo} <small>{row.elo_low}–{row.elo_high}</small>",
        f"{row.mu:.1f} <small>± {row.sigma:.1f}</small>",
        luck,
        str(row.bouts),
        str(row.won),
        str(row.drawn),
        f"{row.lost}{forfeits}",
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _figure(title: str, svg: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>"


def _crosstable(report: Report) -> str:
    met = {(one.pilot, one.other): one for one in report.meetings}
    names = [row.pilot for row in report.rows]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = [
        f"<tr><th>{_dot(row.rank)}{escape(row.pilot)}</th>"
        + "".join(_meeting(met.get((row.pilot, other)), row.pilot == other) for other in names)
        + "</tr>"
        for row in report.rows
    ]
    return (
        f'<table class="cross"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _meeting(one: Meeting | None, itself: bool) -> str:  # of one table
    if one is None:
        return f"<td class={'self' if itself else 'none'}></td>"
    share = round(100 * one.rate)
    told = f"{one.bouts} bouts, 95 % from {one.rate_low:.0%} to {one.rate_high:.0%}"
    return (
        f'<td style="--share:{share}%" title="{told}"><b>{one.rate:.2f}</b>'
        f"<small>{one.won}-{one.drawn}-{one.lost}</small></td>"
    )


def _paired(report: Report) -> Iterator[str]:
    for pair in report.paired:
        yield (
            f"<p class=note><b>{escape(pair.pilot)} less {escape(pair.other)}</b>, points a bout: "
            f"{estimate(pair.paired)} by pairs with the same dice; {estimate(pair.unpaired)} by "
            "bouts.</p>"
        )


def _luck(report: Report, svg: str) -> Iterator[str]:
    luck = report.luck
    if luck is None:
        return
    by_name = {one.pilot: one for one in luck.pilots}
    rows = "".join(
        f"<tr><td>{_dot(row.rank)}{escape(row.pilot)}</td><td>{one.rulings}</td><td>{one.expected:.1f}</td>"
        f"<td>{one.rolled}</td><td>{one.difference:+.1f}</td><td>{one.deviation:.1f}</td>"
        f"<td>{one.z:+.2f}</td></tr>"
        for row in report.rows
        for one in (by_name[row.pilot],)
    )
    looked = "every film" if luck.films == luck.of else f"{luck.films} of {luck.of} films"
    left = f" {luck.too_long} rulings are left out, whose odds take too long." * bool(luck.too_long)
    yield (
        f'<section><h2>Luck</h2><div class="plots one">{_figure(LUCK, svg)}</div>'
        '<div class="scroll"><table><thead><tr><th>pilot</th><th>rulings</th>'
        "<th>expected</th><th>rolled</th><th>difference</th><th>deviation</th><th>z</th></tr>"
        f"</thead><tbody>{rows}</tbody></table></div><p class=note>{escape(luck.unit.capitalize())}"
        f", by the exact odds of each ruling against what was rolled, from {looked}.{left} The bar "
        "holds 95 of 100 cases; a z beyond 2 either way is rare.</p></section>"
    )


def _pace(report: Report) -> Iterator[str]:
    pace = report.pace
    if pace is None:
        return
    rows = "".join(
        f"<tr><td>{escape(one.pilot)}</td><td>{one.orders}</td><td>{one.mean_ms:.2f} ms</td>"
        f"<td>{one.slowest_ms:.1f} ms</td><td>{one.strikes}</td></tr>"
        for one in pace.pilots
    )
    yield (
        '<section><h2>Pace</h2><div class="scroll"><table><thead><tr><th>pilot</th><th>orders</th>'
        f"<th>mean</th><th>slowest</th><th>strikes</th></tr></thead><tbody>{rows}</tbody></table>"
        f"</div><p class=note>{pace.games_a_second:g} games a second by one who plays; a game "
        f"takes {pace.seconds_a_game:g} s and {pace.calls_a_game:g} calls, "
        f"{pace.service_share:.0%} of it in the service. Clocks never run the same "
        "twice.</p></section>"
    )


def _games(report: Report, before: str) -> Iterator[str]:
    listed = report.records[:MOST_GAMES]
    if len(listed) < len(report.records):
        yield f"<p class=note>The first {len(listed)} of {len(report.records)}.</p>"
    pairings = groupby(listed, key=lambda one: (one.round, one.pairing, *sorted(one.pilots)))
    for (round_, _, one, other), games in pairings:
        played = list(games)
        points = {name: sum(game.points[name] for game in played) for name in (one, other)}
        lines = "".join(_game(game, before) for game in played)
        yield (
            f"<details><summary>Round {round_}: {escape(one)} {points[one]:g} : "
            f"{points[other]:g} {escape(other)}</summary><div class=scroll><table><thead><tr>"
            "<th>bout</th><th>first side</th><th>second side</th><th>winner</th><th>ended</th>"
            f"<th>turns</th><th>film</th></tr></thead><tbody>{lines}</tbody></table></div></details>"
        )


def _game(game: GameRecord, before: str) -> str:
    films = " ".join(
        f'<a href="{escape(quote(before + board.film))}" title="SHA-256 {board.film_sha256}">'
        f"film{'' if len(game.boards) == 1 else f' {nth}'}</a>"
        for nth, board in enumerate(game.boards, start=1)
        if board.film
    )
    told = escape(f"{game.reason}: {game.detail}" if game.detail else game.reason)
    first, second = (_side(game, name) for name in game.pilots)
    return (
        f"<tr><td><code>{game.bout}</code></td><td>{first}</td><td>{second}</td>"
        f"<td>{escape(game.winner) or 'drawn'}</td><td>{told}</td><td>{game.turns}</td>"
        f"<td>{films}</td></tr>"
    )


def _side(game: GameRecord, name: str) -> str:
    score = game.scores.get(name)
    return escape(name) if score is None else f"{escape(name)} <small>{score}</small>"


def _foot(report: Report) -> str:
    event, rules = report.event, report.event.rules
    variant, with_file = "", ""
    if event.variant.file:
        variant = (
            f", by the variant {escape(event.variant.name)}, <code>{event.variant.hash}</code>"
        )
        with_file = f" --variant {escape(event.variant.file)}"
    return (
        f"<footer>Rules of {escape(event.ruleset)}, version {rules.rules_version}, "
        f"<code>{rules.rules_hash[:16]}</code>{variant}; seed <code>{escape(event.seed)}</code>. "
        f"Check a film: <code>guncamera verify FILM{with_file}</code>.</footer>"
    )


def _style() -> str:
    def colors(values: tuple[str, ...]) -> str:
        return "".join(f"--pilot-{at}:{value};" for at, value in enumerate(values))

    light, dark = _LIGHT_GROUND + colors(_LIGHT), _DARK_GROUND + colors(_DARK)
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{_SHEET}"
    )


_LIGHT_GROUND = "--ground:#fbfaf7;--card:#fff;--ink:#22252b;--faint:#6b7078;--line:#dcdad3;"
_DARK_GROUND = "--ground:#14161a;--card:#1d2025;--ink:#e8e6e1;--faint:#9aa0a8;--line:#363a41;"
_SHEET = """
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1060px;margin:0 auto;padding:24px 16px 48px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:1.05rem;margin:36px 0 10px}
.lead{margin:0;color:var(--faint)}.lead b{color:var(--ink)}
.note,footer{color:var(--faint);font-size:.84rem}
footer{margin-top:40px;border-top:1px solid var(--line);padding-top:12px;overflow-wrap:anywhere}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:6px 12px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--faint);font-size:.8rem}
td:first-child,th:first-child,.standings td:nth-child(2),.standings th:nth-child(2){text-align:left}
table:not(.cross){width:100%}
small{color:var(--faint);font-size:.8em}
.dot{display:inline-block;width:.62em;height:.62em;border-radius:50%;margin-right:.5em}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:16px;
margin:28px 0 12px}
.plots.one{max-width:522px;margin-top:0}
figure{margin:0;padding:14px 14px 8px;background:var(--card);border:1px solid var(--line);
border-radius:10px;min-width:0}
figcaption{font-weight:600;font-size:.9rem;margin-bottom:6px}
figure svg{display:block;width:100%;height:auto}
.cross td,.cross th{padding:6px 9px}
.cross td{text-align:center;border:2px solid var(--ground);border-radius:8px;
background:color-mix(in srgb,var(--pilot-0) calc(var(--share,0%)*.45),var(--card))}
.cross td b,.cross td small{display:block;line-height:1.25}
.cross td.self,.cross td.none,.cross thead td{background:none}
.cross tbody th{text-align:left;color:var(--ink);font-size:.92rem}
.cross th{border:0}
details{border:1px solid var(--line);border-radius:8px;background:var(--card);margin:8px 0}
summary{padding:9px 14px;cursor:pointer}
details table td,details table th{text-align:left}
a{color:var(--pilot-0)}
"""
