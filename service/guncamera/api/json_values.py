"""One plain JSON value to the value of a field, or a fault that says what it must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from guncamera.rules.ruleset import Verb
from guncamera.rules.unseen import control, unseen

Convert = Callable[[Any], Any]

MAX_NAME_SHOWN = 60
_ORDERS = frozenset(f"guncamera.v1.{verb.value.title()}Order" for verb in Verb)
_BEGUN = "guncamera.v1.ListLegalOrdersRequest.so_far"
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_INT32 = {
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_SINT32,
    FieldDescriptor.TYPE_SFIXED32,
}


class Fault(Exception):
    """One value is wrong; says how, as the rest of a sentence that starts with its path."""


def names_what_is_there(field: FieldDescriptor) -> bool:
    """Whether a field names what a session has, perhaps since names could have other characters.

    Such names are only told from each other; a name that is made is held to more (`as_text`).
    """
    nested = field.message_type
    return field.full_name == _BEGUN or (nested is not None and nested.full_name in _ORDERS)


def converter(field: FieldDescriptor, *, is_there: bool = False) -> Convert:
    """What turns a plain value into that of a field, or raises `Fault`.

    Args:
        is_there: Its texts name what is there.
    """
    if field.enum_type is not None:
        return _enum_converter(field.enum_type)
    if field.type in _INT32:
        return _as_int32
    if is_there and field.type == FieldDescriptor.TYPE_STRING:
        return _as_known_text
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
    """A string in which every character is seen, or makes others look otherwise."""
    if type(value) is not str:
        raise Fault("must be a string")
    if not (value.isascii() and value.isprintable()):
        _check_whole(value)
        if found := unseen(value):
            raise Fault(not_seen(found))
    return value


def _as_known_text(value: Any) -> str:
    if type(value) is not str:
        raise Fault("must be a string")
    _check_whole(value)
    if found := control(value):
        raise Fault(not_seen(found))
    return value


def _check_whole(value: str) -> None:
    if not value.isprintable() and _SURROGATE.search(value):
        raise Fault("holds half a surrogate pair, which is no character")


def not_seen(code_point: str) -> str:
    """How a fault tells of a character that a text must not have."""
    return f"holds a control character or one that is not seen, {code_point}; leave it out"


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
