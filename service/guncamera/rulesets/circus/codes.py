"""Plot codes: from a text to tokens. Rules CIR-2.1 to CIR-2.3; the README has the whole notation.

Tokens stand apart by spaces and in capitals or small letters. Whether they can be flown is for
`fly`; here they are only read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from guncamera.rules.refusal import Malformed

MAX_CODES = 160
MAX_TOKENS = 60
MAX_HEXES = 40
MAX_DIGITS = 5
_SHOWN = 12

ASTERN = 3
EXITS: Mapping[str, int] = {"F": 0, "FL": 1, "BL": 2, "B": ASTERN, "BR": 4, "FR": 5}
"""Sixths of a circle to the left, from the facing, by the name of a neighbouring hex."""


class Code(StrEnum):
    """What a token stands for."""

    HEXES = "hexes"
    LEFT = "left"
    RIGHT = "right"
    LEVEL = "level"
    CLIMB = "climb"
    SHALLOW_DIVE = "shallow_dive"
    STEEP_DIVE = "steep_dive"
    ZOOM = "zoom"
    SLIP_LEFT = "slip_left"
    SLIP_RIGHT = "slip_right"
    HIGH_YO_YO = "high_yo_yo"
    LOW_YO_YO = "low_yo_yo"
    HAMMERHEAD = "hammerhead"
    ROLLING_REVERSAL = "rolling_reversal"
    LOOP = "loop"
    DISPLACEMENT_ROLL = "displacement_roll"
    PROPELLER_HANG = "propeller_hang"
    POWER_DIVE = "power_dive"


ARROWS = frozenset((Code.LEVEL, Code.CLIMB, Code.SHALLOW_DIVE, Code.STEEP_DIVE))
FLIGHT = frozenset((Code.HEXES, Code.LEFT, Code.RIGHT, Code.ZOOM))
"""Tokens of a leg: all others but the arrows are special manoeuvres."""


@dataclass(frozen=True, slots=True)
class Token:
    """One code, and where it stands.

    Attributes:
        number: Hexes, feet, points or, of a hammerhead, sixths to the exit; 0 where none is given.
        inner: The hexes and hexsides of a yo-yo.
        place: 1 for the first token of the plot.
        character: 1 for the first character of the plot.
    """

    code: Code
    number: int
    inner: tuple[Token, ...]
    place: int
    character: int
    text: str

    def __str__(self) -> str:
        return f"Token {self.place}, {self.text}, at character {self.character}"


@dataclass(frozen=True, slots=True)
class _Fault:
    """A text that is no plot: which piece of it, and why."""

    piece: _Piece | None
    rule_id: str
    why: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text between spaces."""

    text: str
    place: int
    character: int

    def shown(self) -> str:
        return self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}..."


def parse(text: str, field: str = "plot.codes") -> tuple[Token, ...]:
    """The tokens of a plot.

    Raises:
        Malformed: CIR-2.1 to CIR-2.3, with the first token that is none, its place, and the way
            to write it.
    """
    read = _read(text) if len(text) <= MAX_CODES else _too_long(len(text))
    if isinstance(read, tuple):
        return read
    piece = read.piece
    if piece is None:
        raise Malformed(read.why, rule_id=read.rule_id, field=field)
    raise Malformed(
        f"Token {piece.place}, {piece.shown()!r}, at character {piece.character}: {read.why}",
        rule_id=read.rule_id,
        field=field,
        token=piece.shown(),
        place=piece.place,
        character=piece.character,
    )


def _too_long(characters: int) -> _Fault:
    return _Fault(
        None, "CIR-2.1", f"The plot has {characters} characters; at most {MAX_CODES} are read."
    )


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Token, ...] | _Fault:
    """The tokens, or the first fault; both are kept, for plots are tried again and again."""
    pieces = _pieces(text)
    if not 1 <= len(pieces) <= MAX_TOKENS:
        return _Fault(
            None,
            "CIR-2.1",
            f"The plot has {len(pieces)} tokens; write 1 to {MAX_TOKENS}, such as 3 R 4.",
        )
    tokens = []
    for piece in pieces:
        token = _token(piece)
        if isinstance(token, _Fault):
            return token
        tokens.append(token)
    return tuple(tokens)


_PIECE = re.compile(r"[^ \t\r\n()]*\([^()]*\)|[^ \t\r\n]+")
_IN_BRACKETS = re.compile(r"[^() \t\r\n]+")
_YO_YO = re.compile(r"[HL]YY", re.IGNORECASE)


def _pieces(text: str) -> list[_Piece]:
    """The text between spaces; brackets hold theirs, and a yo-yo may stand off from its number."""
    pieces: list[_Piece] = []
    for found in _PIECE.finditer(text):
        part = found.group()
        if pieces and part.isascii() and part.isdigit() and _YO_YO.fullmatch(pieces[-1].text):
            before = pieces.pop()
            pieces.append(_Piece(before.text + part, before.place, before.character))
        else:
            pieces.append(_Piece(part, len(pieces) + 1, found.start() + 1))
    return pieces


# ---- One token

_SIGNS = re.compile(r"[0-9A-Za-z^=↑↓()\- \t\r\n]+")
_SHAPES: Sequence[tuple[re.Pattern[str], Code]] = tuple(
    (re.compile(pattern), code)
    for pattern, code in (
        (r"([0-9]+)", Code.HEXES),
        (r"L()", Code.LEFT),
        (r"R()", Code.RIGHT),
        (r"=()", Code.LEVEL),
        (r"[\^↑]([0-9]+)", Code.CLIMB),
        (r"(?:VV|↓↓)([0-9]*)", Code.STEEP_DIVE),
        (r"[V↓]([0-9]*)", Code.SHALLOW_DIVE),
        (r"Z([0-9]+)", Code.ZOOM),
        (r"SSL()", Code.SLIP_LEFT),
        (r"SSR()", Code.SLIP_RIGHT),
        (r"HYY([0-9]+|\(.*\))", Code.HIGH_YO_YO),
        (r"LYY([0-9]+|\(.*\))", Code.LOW_YO_YO),
        (r"HT(|-F|-FL|-BL|-B|-BR|-FR)", Code.HAMMERHEAD),
        (r"RR()", Code.ROLLING_REVERSAL),
        (r"O([0-9]*)", Code.LOOP),
        (r"DR()", Code.DISPLACEMENT_ROLL),
        (r"PH()", Code.PROPELLER_HANG),
        (r"PD()", Code.POWER_DIVE),
    )
)
_ALL = "n, L, R, =, ^n, v, vv, Zn, SSL, SSR, HYYn, LYYn, HT, RR, O, DR, PH or PD"


def _token(piece: _Piece) -> Token | _Fault:
    if not _SIGNS.fullmatch(piece.text):
        return _Fault(piece, "CIR-2.1", f"a sign in it is of no code. Write {_ALL}.")
    text = piece.text.upper()
    for shape, code in _SHAPES:
        found = shape.fullmatch(text)
        if found is not None:
            return _of_code(code, found.group(1), piece)
    rule_id, why = _hint(text)
    return _Fault(piece, rule_id, why)


def _of_code(code: Code, detail: str, piece: _Piece) -> Token | _Fault:
    """A token whose letters are right: its number, its exit or what its brackets hold."""
    if code == Code.HAMMERHEAD:
        sixths = EXITS[detail.removeprefix("-")] if detail else ASTERN
        return _made(code, sixths, (), piece)
    if code in (Code.HIGH_YO_YO, Code.LOW_YO_YO):
        return _yo_yo(code, detail, piece)
    if len(detail) > MAX_DIGITS:
        return _Fault(piece, "CIR-2.1", f"no number here has more than {MAX_DIGITS} digits.")
    number = int(detail) if detail else 0
    if code == Code.HEXES and not 1 <= number <= MAX_HEXES:
        return _Fault(piece, "CIR-2.1", f"a number of hexes is 1 to {MAX_HEXES}.")
    if detail and not number:
        return _Fault(piece, "CIR-2.1", "0 is no amount. Give one, or leave the code out.")
    return _made(code, number, (), piece)


def _made(code: Code, number: int, inner: tuple[Token, ...], piece: _Piece) -> Token:
    return Token(code, number, inner, piece.place, piece.character, piece.shown())


def _yo_yo(code: Code, detail: str, piece: _Piece) -> Token | _Fault:
    """A yo-yo: hexes, and hexsides between them, the first step ahead (CIR-5.2)."""
    inner = []
    for found in _IN_BRACKETS.finditer(detail):
        part = found.group()
        character = piece.character + piece.text.find(detail) + found.start()
        token = _token(_Piece(part, piece.place, character))
        if isinstance(token, _Fault):
            return _Fault(piece, token.rule_id, f"of {part[:_SHOWN]!r} in it, {token.why}")
        if token.code not in (Code.HEXES, Code.LEFT, Code.RIGHT):
            why = f"a yo-yo is made of hexes and hexsides, and {part[:_SHOWN]} is neither."
            return _Fault(piece, "CIR-5.2", f"{why} Write such as HYY4 or HYY(1 R 2).")
        inner.append(token)
    if not inner or inner[0].code != Code.HEXES:
        why = "a yo-yo begins with a hex ahead. Write such as HYY4 or HYY(1 R 2)."
        return _Fault(piece, "CIR-5.2", why)
    return _made(code, 0, tuple(inner), piece)


# ---- What was meant

_Hint = Callable[[str], bool]
_HINTS: Sequence[tuple[_Hint, str, str]] = (
    (
        lambda text: set(text) <= {"L", "R"},
        "CIR-2.3",
        "hexsides are written one by one, such as R R; RR alone is the rolling reversal.",
    ),
    (
        lambda text: text == "SS",
        "CIR-2.1",
        "a side slip goes to one side. Write SSL or SSR.",
    ),
    (
        lambda text: text[:3] in ("HYY", "LYY"),
        "CIR-5.2",
        "a yo-yo needs its hexes. Write such as HYY4 or LYY(1 R 2).",
    ),
    (
        lambda text: text[:2] == "HT",
        "CIR-5.3",
        f"a hammerhead leaves into one of six hexes. Write HT-{', HT-'.join(EXITS)}, "
        "or HT to leave astern.",
    ),
    (
        lambda text: text in ("^", "↑"),
        "CIR-2.2",
        "a climb needs its feet. Write such as ^100.",
    ),
    (
        lambda text: text == "Z",
        "CIR-4.5",
        "a zoom needs its points of kinetic energy. Write such as Z2.",
    ),
    (
        lambda text: "(" in text or ")" in text,
        "CIR-2.1",
        "only a yo-yo has brackets, one pair of them, such as HYY(1 R 2).",
    ),
    (
        lambda text: text.lstrip("-").isdigit(),
        "CIR-2.1",
        "hexes are counted ahead only; nothing flies backward.",
    ),
)


def _hint(text: str) -> tuple[str, str]:
    """Which rule a token breaks that is none, and how to write what it may have meant."""
    for applies, rule_id, why in _HINTS:
        if applies(text):
            return rule_id, why
    return "CIR-2.1", f"this is no code. Write {_ALL}, with spaces between them."
