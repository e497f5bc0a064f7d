"""JSON with only one way to be written (RFC 8785).

`orjson` writes the same bytes as `rfc8785` in a twentieth of the time, as long as a value holds
nothing on which the two part: numbers that are very large or small, whole ones written as
fractions, and names beyond ASCII, which are sorted in another way.
"""

from __future__ import annotations

from typing import Any

import orjson
import rfc8785

_WHOLE = 2**53
_SMALL, _LARGE = 1e-3, 1e9
"""Fractions between them are written without an exponent by everyone."""


def canonical(plain: Any) -> bytes:
    """A plain value as canonical JSON.

    Raises:
        rfc8785.CanonicalizationError: It cannot be written so.
    """
    try:
        return _written(_agreed(plain))
    except (_PartedError, TypeError):
        return rfc8785.dumps(plain)


class _PartedError(Exception):
    """The two may write it in different ways."""


def _agreed(value: Any) -> Any:
    """A value equal to this one that both write alike.

    Raises:
        _PartedError: There may be none.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is dict:
        if not all(type(name) is str and name.isascii() for name in value):
            raise _PartedError
        return {name: _agreed(one) for name, one in value.items()}
    if kind is list or kind is tuple:
        return [_agreed(one) for one in value]
    if kind is int and abs(value) < _WHOLE:
        return value
    if kind is float and value.is_integer() and abs(value) < _WHOLE:
        return int(value)
    if kind is float and _SMALL < abs(value) < _LARGE:
        return value
    raise _PartedError


def _written(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
