"""A plot that is begun: whether it can be flown to its end, and which codes may follow.

A code may follow if, and only if, at least one whole legal plot begins so. Codes are offered in the
spelling of `plot_space`; one that is not offered is either another spelling of one that is, or no
legal plot goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from guncamera.rules.refusal import Illegal, Malformed, Refusal
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.codes import Code, Token, parse
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import flight_of
from guncamera.rulesets.circus.performance import assess, largest_loop
from guncamera.rulesets.circus.plot_notation import IN_BRACKETS, OPEN, codes_of, symbols_of
from guncamera.rulesets.circus.plot_space import Counter, PlotSpace
from guncamera.rulesets.circus.plot_steps import (
    AFTER_YO_YO,
    ANYTHING,
    BETWEEN,
    LEG_NEXT,
    SLOPE_NEXT,
    YO_YO,
    At,
    Leg,
    Steps,
)
from guncamera.rulesets.circus.specials import YO_YOS

FIELD = "so_far"


@dataclass(frozen=True, slots=True)
class Offer:
    """A code that may follow.

    Attributes:
        mp: Movement points that it spends.
        mp_left: And that are to be spent after it.
        may_end: The plot may end with it.
    """

    code: str
    mp: int
    mp_left: int
    may_end: bool


@dataclass(frozen=True, slots=True)
class BegunPlot:
    """A plot as far as it was written.

    Attributes:
        codes: In our spelling; open at its end where a yo-yo's brackets are.
        states: Every way in which it may be meant: which arrow will close its last leg.
        opened: The yo-yo whose brackets are open: `HYY`, `LYY` or nothing.
        fresh: And nothing stands in them.
    """

    codes: str
    states: tuple[At, ...]
    opened: str
    fresh: bool
    counter: Counter

    @property
    def mp_left(self) -> int:
        """Movement points to be spent yet."""
        return self.states[0].mp

    @property
    def may_end(self) -> bool:
        """Whether it is a whole legal plot."""
        return not self.opened and _may_end(self.states, self.counter.steps)

    def offers(self) -> tuple[Offer, ...]:
        """The codes that may follow, in a fixed order."""
        found = _in_brackets(self) if self.opened else _codes(self.states, self.counter)
        return tuple(self._offer(code, led) for code, led in found if _alive(led, self.counter))

    def _offer(self, code: str, led: tuple[At, ...]) -> Offer:
        left = led[0].mp
        within = code.endswith("(") or (self.opened and code != ")")
        may_end = not within and _may_end(led, self.counter.steps)
        return Offer(code, 0 if code.endswith("(") else self.mp_left - left, left, may_end)


# ---- Reading


def read_begun(
    space: PlotSpace, aeroplane: Aeroplane, speed: int, text: str, book: CircusBook
) -> BegunPlot:
    """A plot as far as it was written.

    Args:
        text: Its codes; a yo-yo's brackets may be open at its end.

    Raises:
        Malformed: CIR-2.1 to CIR-2.3, codes that are none.
        Illegal: No whole legal plot begins so; the message names the first code at fault.
    """
    reader = _Reader(space, aeroplane, speed, text, book)
    tokens, opened, fresh = reader.tokens()
    states = space.starts(speed)
    if not _alive(states, space.counter):
        raise reader.wrong_speed()
    for at, token in enumerate(tokens):
        is_open = bool(opened) and not fresh and at == len(tokens) - 1
        led = reader.after(states, token, is_open=is_open)
        if not _alive(led, space.counter):
            raise reader.fault(tokens, at, states)
        states = led
    codes = codes_of(reader.symbols)
    if fresh:
        codes = f"{codes} {opened}(".lstrip()
    elif opened:
        codes = codes.removesuffix(")") if codes.endswith(")") else _with_bracket(codes, opened)
    return BegunPlot(codes, states, opened, fresh, space.counter)


def _with_bracket(codes: str, opened: str) -> str:
    """`3 HYY2` with its brackets open: `3 HYY(2`."""
    head, _, number = codes.rpartition(opened)
    return f"{head}{opened}({number}"


class _Reader:
    """Reads the codes of one plot, token by token."""

    def __init__(
        self, space: PlotSpace, aeroplane: Aeroplane, speed: int, text: str, book: CircusBook
    ) -> None:
        self.space, self.aeroplane, self.book = space, aeroplane, book
        self.plot = Plot(space.aircraft.id, speed, text)
        self.symbols: list[str] = []
        able = assess(aeroplane, space.aircraft.condition or UNHURT, book)
        self._loop = largest_loop(able, book)

    def tokens(self) -> tuple[Sequence[Token], str, bool]:
        """The tokens; the yo-yo whose brackets are open, and whether nothing stands in them."""
        text = self.plot.codes
        if text.count("(") != text.count(")") + 1:
            return (parse(text, FIELD) if text.strip() else ()), "", False
        head, _, inside = text.rpartition("(")
        which = (head.split() or [""])[-1]
        before = head.removesuffix(which)
        if which.upper() not in OPEN:
            return parse(text, FIELD), "", False
        if inside.strip():
            return parse(f"{text})", FIELD), which.upper(), False
        return (parse(before, FIELD) if before.strip() else ()), which.upper(), True

    def after(self, states: Sequence[At], token: Token, *, is_open: bool) -> tuple[At, ...]:
        """Where a token leads; nowhere if it cannot be flown."""
        dives = token.code in (Code.SHALLOW_DIVE, Code.STEEP_DIVE)
        if dives and token.number not in (0, self._lost(token)):
            return ()
        steps, led = self.space.counter.steps, tuple(states)
        for symbol in symbols_of(token, self._loop):
            led = _go_on(led, symbol, steps)
            self.symbols.append(symbol)
        return _closed(led) if token.code in YO_YOS and not is_open else led

    def _lost(self, token: Token) -> int:
        """The feet that the dive closed by an arrow loses."""
        means, mp, hexes = self.space.counter.steps.means, 0, 0
        for symbol in reversed(self.symbols):
            if symbol not in ("H", "L", "R"):
                break
            hexes += symbol == "H"
            mp += 1 if symbol == "H" else means.side_mp
        if token.code == Code.STEEP_DIVE:
            return hexes * means.steep_feet
        return mp // means.dive_mp * means.dive_feet

    # ---- What is wrong

    def wrong_speed(self) -> Refusal:
        """Why no plot at all has this speed."""
        known = self._by_the_rules(replace(self.plot, codes="1"))
        if known is not None and known.facts.get("speed_mp") == self.plot.speed_mp:
            return known
        return Illegal(
            "CIR-3.4",
            f"{self.plot.aircraft} has no legal plot at speed {self.plot.speed_mp}. Choose "
            "another one.",
            field=FIELD,
            speed_mp=self.plot.speed_mp,
        )

    def fault(self, tokens: Sequence[Token], at: int, states: tuple[At, ...]) -> Refusal:
        """Why a token cannot stand where it is, and what can."""
        token = tokens[at]
        end = tokens[at + 1].character - 1 if at + 1 < len(tokens) else len(self.plot.codes)
        known = self._by_the_rules(replace(self.plot, codes=self.plot.codes[:end]))
        if known is not None and known.facts.get("place") == token.place:
            return known
        counter = self.space.counter
        offers = [code for code, led in _codes(states, counter) if _alive(led, counter)]
        may = f"Here may stand {', '.join(offers)}." if offers else "The plot is whole before it."
        plot, whole = self.plot, self.space.is_whole
        which = "legal plot" if whole else "plot of those that can be counted here"
        return Illegal(
            "CIR-3.1",
            f"{token}: no {which} of {plot.aircraft} at speed {plot.speed_mp} goes on so. {may}",
            field=FIELD,
            token=token.text,
            place=token.place,
            character=token.character,
        )

    def _by_the_rules(self, plot: Plot) -> Refusal | None:
        """What the rules of flight have against a plot, if they have something."""
        try:
            flight_of(self.space.aircraft, self.aeroplane, plot, self.book)
        except Illegal as refusal:
            return Illegal(refusal.rule_id, refusal.message, field=FIELD, **refusal.facts)
        except Malformed:
            return None
        return None


# ---- Going on


def _go_on(states: Iterable[At], symbol: str, steps: Steps) -> tuple[At, ...]:
    """Where a symbol leads, for somebody who need not spell as we do."""
    led = (at for state in states for found, at in steps.after(state) if found == symbol)
    return tuple(dict.fromkeys(_freely(at) for at in led))


def _freely(at: At) -> At:
    """Without what is only there for each plot to have one spelling."""
    before = ANYTHING if at.leg.before in (LEG_NEXT, SLOPE_NEXT) else at.leg.before
    return at._replace(leg=at.leg._replace(before=before, zoom=min(at.leg.zoom, 1)))


def _closed(states: Iterable[At]) -> tuple[At, ...]:
    """After the number or the brackets of a yo-yo."""
    after_one = Leg(BETWEEN, before=AFTER_YO_YO)
    return tuple(at._replace(leg=after_one) if at.leg.kind == YO_YO else at for at in states)


def _alive(states: Iterable[At], counter: Counter) -> bool:
    """Whether a whole plot begins so."""
    return any(counter.count(at) for at in states)


def _may_end(states: Iterable[At], steps: Steps) -> bool:
    return any(steps.may_end(at) for at in states)


Led = tuple[str, tuple[At, ...]]


def _codes(states: tuple[At, ...], counter: Counter) -> Iterator[Led]:
    """Codes that could follow, outside brackets."""
    steps = counter.steps
    for hexes, led in _numbers(_go_on(states, "H", steps), "H", steps):
        yield str(hexes), led
    symbols = (symbol for state in states for symbol, _ in steps.after(state))
    for symbol in dict.fromkeys(symbols):
        first = _go_on(states, symbol, steps)
        if symbol in OPEN:
            for hexes, led in _numbers(first, "h", steps):
                yield f"{symbol}{hexes}", _closed(led)
            yield f"{symbol}(", states if _alive(first, counter) else ()
        elif symbol != "H":
            yield symbol, first


def _in_brackets(begun: BegunPlot) -> Iterator[Led]:
    """Codes that could follow in the brackets of a yo-yo."""
    states, steps = begun.states, begun.counter.steps
    first = _go_on(states, begun.opened if begun.fresh else "h", steps)
    for hexes, led in _numbers(first, "h", steps):
        yield str(hexes), led
    if begun.fresh:
        return
    for symbol, code in IN_BRACKETS.items():
        yield code, _go_on(states, symbol, steps)
    yield ")", _closed(states)


def _numbers(
    first: tuple[At, ...], more: str, steps: Steps
) -> Iterator[tuple[int, tuple[At, ...]]]:
    """One hex, and one more and more as far as can be."""
    hexes, led = 1, first
    while led:
        yield hexes, led
        hexes, led = hexes + 1, _go_on(led, more, steps)
