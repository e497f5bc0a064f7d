"""One plain JSON value to the value of a field, or a fault that says what it must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

Convert = Callable[[Any], Any]

MAX_NAME_SHOWN = 60
CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb]"
)
"""Characters that do something and show nothing: two names that differ in one look alike, and one
that turns the line around makes a name read as another."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_INT32 = {
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_SINT32,
    FieldDescriptor.TYPE_SFIXED32,
}


class Fault(Exception):
    """One value is wrong; says how, as the rest of a sentence that starts with its path."""


def converter(field: FieldDescriptor) -> Convert:
    """What turns a plain value into that of a field, or raises `Fault`."""
    if field.enum_type is not None:
        return _enum_converter(field.enum_type)
    if field.type in _INT32:
        return _as_int32
    try:
        return _CONVERTERS[field.type]
    except KeyError:
        raise AssertionError(f"{field.full_name}: its type is not read from JSON") from None


def _as_int32(value: Any) -> int:
    if type(value) is not int:
        raise Fault("must be a whole number")
    if not -(2**31) <= value < 2**31:
        raise Fault("must be a whole number from -2147483648 to 2147483647")
    return value


def as_text(value: Any) -> str:
    """A string without control characters and half characters."""
    if type(value) is not str:
        raise Fault("must be a string")
    if not value.isprintable():  # cheap, and false for some harmless signs too
        if CONTROL.search(value):
            raise Fault(f"holds a control character, {unseen(value)}")
        if _SURROGATE.search(value):
            raise Fault("holds half a surrogate pair, which is no character")
    return value


def unseen(text: str) -> str:
    """The code point of the first character that is not to be in a text, as `U+202E`."""
    found = CONTROL.search(text)
    assert found is not None, "it holds none"
    return f"U+{ord(found[0]):04X}"


def _as_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise Fault("must be true or false")
    return value


def _as_real(value: Any) -> float:
    if type(value) not in (int, float):
        raise Fault("must be a number")
    try:
        return float(value)
    except OverflowError:
        raise Fault("is too large a number") from None


def as_timestamp(value: Any) -> Message:
    """A moment in RFC 3339."""
    stamp = Timestamp()
    try:
        stamp.FromJsonString(as_text(value))
    except ValueError:
        raise Fault("must be a time such as 1917-04-06T12:00:00Z") from None
    return stamp


_CONVERTERS: dict[int, Convert] = {
    FieldDescriptor.TYPE_STRING: as_text,
    FieldDescriptor.TYPE_BOOL: _as_bool,
    FieldDescriptor.TYPE_DOUBLE: _as_real,
}


def _enum_converter(enum: EnumDescriptor) -> Convert:
    numbers = {value.name: value.number for value in enum.values}
    legal = enum_names(enum)

    def as_enum(value: Any) -> int:
        try:
            return numbers[value]
        except (KeyError, TypeError):
            raise Fault(f"must be one of {legal}") from None

    return as_enum


def enum_names(enum: EnumDescriptor) -> str:
    """The names a caller may send, for a message."""
    return listed([value.name for value in enum.values if value.number])


def listed(names: Sequence[str]) -> str:
    """Names in a row."""
    return ", ".join(names)


def shown(name: str) -> str:
    """A name of the caller's making, fit to be shown: short and without strange signs."""
    safe = name if name.isprintable() else ascii(name)[1:-1]
    return safe if len(safe) <= MAX_NAME_SHOWN else safe[: MAX_NAME_SHOWN - 1] + "…"
