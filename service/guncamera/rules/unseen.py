"""Characters that show nothing where they stand, which names must not be made with.

Two names that differ in one look alike, one that turns the line around reads as another, and a name
of nothing else is none. Some are there for a purpose: they join letters of some scripts, pick the
form of a sign, or spell a flag. There they may stand, and nowhere else.

The kinds are Unicode's: controls, separators of lines, what is Default_Ignorable_Code_Point
(DerivedCoreProperties, version 17), marks of annotations, and signs that are drawn blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from unicodedata import category

_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029"
_NEVER = (
    f"{_CONTROLS}\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb"
)
_NEVER_BEYOND = (
    "\U00013441\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINERS = "\u200c\u200d"
_FORMS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"

BARRED = _NEVER
"""The inside of a class of a pattern: what stands nowhere, as far as four digits name it."""
_CONTROL = re.compile(f"[{_CONTROLS}]")
_FORM = re.compile(f"[{_FORMS}]")
_UNSEEN = re.compile(f"[{_NEVER}{_NEVER_BEYOND}{_JOINERS}{_FORMS}]")
_FLAG = re.compile(
    "\N{WAVING BLACK FLAG}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,}\U000e007f"
)
_KEYCAP = "\N{COMBINING ENCLOSING KEYCAP}"
_JOINED = frozenset(("Lo", "Mn", "Mc", "So", "Sk", "Sm"))
_CASED = frozenset(("Lu", "Ll", "Lt", "Lm"))


def unseen(text: str) -> str:
    """The first character that shows nothing where it stands, as `U+202E`; empty for none."""
    if text.isascii() and text.isprintable():
        return ""
    spelled = _FLAG.sub("\N{WAVING BLACK FLAG}", text)
    found = (one for one in _UNSEEN.finditer(spelled) if not _is_of_use(spelled, one.start()))
    return _named(next(found, None))


def unseen_in(plain: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The texts of plain data that hold such a character: the path of each, and the first one.

    A key that holds one is told by the path of what it stands in.
    """
    if isinstance(plain, str):
        if found := unseen(plain):
            yield path, found
    elif isinstance(plain, Mapping):
        for name, one in plain.items():
            if found := unseen(name):
                yield path, found
            else:
                yield from unseen_in(one, f"{path}.{name}" if path else name)
    elif isinstance(plain, list):
        for at, one in enumerate(plain):
            yield from unseen_in(one, f"{path}[{at}]")


def control(text: str) -> str:
    """The first control character, as `U+0007`; empty for none.

    For what names something that is there: it may be of a time when other characters could be.
    """
    return "" if text.isprintable() else _named(_CONTROL.search(text))


def _named(found: re.Match[str] | None) -> str:
    return "" if found is None else f"U+{ord(found[0]):04X}"


def _is_of_use(text: str, at: int) -> bool:
    """Whether a sign that is not seen itself makes others look otherwise."""
    before, after = text[:at], text[at + 1 : at + 2]
    if _FORM.match(text, at):
        return _has_forms(before[-1:], after)
    if text[at] not in _JOINERS:
        return False
    if _FORM.match(before[-1:]):
        before = before[:-1]
    return _is_joined(before[-1:]) and _is_joined(after)


def _has_forms(sign: str, after: str) -> bool:
    """Whether a form may be picked for a sign; of letters with a case there is one."""
    if sign.isascii():
        return bool(sign) and sign in "0123456789#*" and after == _KEYCAP
    kind = category(sign)
    return kind[0] not in "ZC" and kind not in _CASED and not _UNSEEN.match(sign)


def _is_joined(sign: str) -> bool:
    return bool(sign) and not sign.isascii() and category(sign) in _JOINED
