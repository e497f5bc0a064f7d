"""Plots in symbols, as they are counted, and in codes, as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from guncamera.rulesets.circus.codes import EXITS, Code, Token

OPEN = ("HYY", "LYY")
IN_BRACKETS: Mapping[str, str] = {"l": "L", "r": "R"}
_EXIT_NAMES = {sixths: name for name, sixths in EXITS.items()}
_PLAIN: Mapping[Code, str] = {
    Code.LEFT: "L",
    Code.RIGHT: "R",
    Code.LEVEL: "=",
    Code.SHALLOW_DIVE: "v",
    Code.STEEP_DIVE: "vv",
    Code.SLIP_LEFT: "SSL",
    Code.SLIP_RIGHT: "SSR",
    Code.ROLLING_REVERSAL: "RR",
    Code.DISPLACEMENT_ROLL: "DR",
    Code.PROPELLER_HANG: "PH",
    Code.POWER_DIVE: "PD",
}


def codes_of(symbols: Sequence[str]) -> str:
    """The codes that symbols stand for: `H H R` is `2 R`."""
    codes: list[str] = []
    at = 0
    while at < len(symbols):
        symbol = symbols[at]
        end = at + 1
        if symbol == "H":
            end = _end_of(symbols, at, ("H",))
            codes.append(str(end - at))
        elif symbol in OPEN:
            end = _end_of(symbols, at + 1, ("h", "l", "r"))
            codes.append(_yo_yo(symbol, symbols[at + 1 : end]))
        else:
            codes.append(symbol)
        at = end
    return " ".join(codes)


def _end_of(symbols: Sequence[str], at: int, run: tuple[str, ...]) -> int:
    while at < len(symbols) and symbols[at] in run:
        at += 1
    return at


def _yo_yo(which: str, inner: Sequence[str]) -> str:
    """A yo-yo, of which the symbols after the first hex are given."""
    if all(symbol == "h" for symbol in inner):
        return f"{which}{len(inner) + 1}"
    spelled = ["H", *("H" if symbol == "h" else IN_BRACKETS[symbol] for symbol in inner)]
    return f"{which}({codes_of(spelled)})"


def symbols_of(token: Token, loop: int) -> Iterator[str]:
    """The symbols that a token stands for.

    Args:
        loop: The rate of climb whose loop `O` is.
    """
    match token.code:
        case Code.HEXES:
            yield from ["H"] * token.number
        case Code.CLIMB:
            yield f"^{token.number}"
        case Code.ZOOM:
            yield f"Z{token.number}"
        case Code.HAMMERHEAD:
            yield f"HT-{_EXIT_NAMES[token.number]}"
        case Code.LOOP:
            yield f"O{token.number or loop}"
        case Code.HIGH_YO_YO:
            yield from _inside("HYY", token.inner)
        case Code.LOW_YO_YO:
            yield from _inside("LYY", token.inner)
        case _:
            yield _PLAIN[token.code]


def _inside(which: str, inner: Iterable[Token]) -> Iterator[str]:
    hexes = [which]
    for token in inner:
        if token.code == Code.HEXES:
            yield from (hexes + ["h"] * token.number)[: token.number]
            hexes = []
        else:
            yield "l" if token.code == Code.LEFT else "r"


def in_words(code: str) -> str:
    """What a code does, in one line."""
    words = _WORDS.get(code) or _with_a_number(code)
    return f"{words[0].upper()}{words[1:]}."


def _with_a_number(code: str) -> str:
    for start, words in _STARTS:
        if code.startswith(start):
            return words.format(code.removeprefix(start))
    return f"{code} {'hex' if code == '1' else 'hexes'} straight ahead"


_WORDS: Mapping[str, str] = {
    "L": "a hexside to the left",
    "R": "a hexside to the right",
    "=": "closes the leg, which is level",
    "v": "closes the leg, which is a shallow dive",
    "vv": "closes the leg, which is a steep dive",
    "SSL": "side slip to the left",
    "SSR": "side slip to the right",
    "RR": "rolling reversal",
    "DR": "displacement roll",
    "PH": "propeller hang",
    "PD": "power dive, the whole move",
    "HYY(": "high yo-yo with turns; go on in the brackets",
    "LYY(": "low yo-yo with turns; go on in the brackets",
    ")": "closes the yo-yo",
}
_STARTS: Sequence[tuple[str, str]] = (
    ("^", "closes the leg, which climbs {} feet"),
    ("Z", "zoom: {} of kinetic energy for height"),
    ("HT-", "hammerhead, out to {}"),
    ("HYY", "high yo-yo, hexes: {}"),
    ("LYY", "low yo-yo, hexes: {}"),
    ("O", "full loop by a climb of {} feet"),
)
CODES: Mapping[str, str] = {
    code: in_words(code)
    for code in (
        *("4", "L", "R", "=", "^100", "v", "vv", "Z2", "SSL", "SSR"),
        *("HYY3", "LYY3", *(f"{yo_yo}(" for yo_yo in OPEN), ")"),
        *(f"HT-{way}" for way in EXITS),
        *("RR", "O200", "DR", "PH", "PD"),
    )
}
"""Every code, those that take a number with one of them."""
