"""Bytes to messages for gRPC, held to what the JSON reader holds REST to.

Protobuf itself keeps unknown fields and enum numbers without a word. Here they are refused: a
fact that is not understood must not be left out of a ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from guncamera.api.json_reader import Faults
from guncamera.api.json_values import enum_names, names_what_is_there, not_seen
from guncamera.rules.refusal import Malformed
from guncamera.rules.straight_line import function
from guncamera.rules.unseen import control, unseen

M = TypeVar("M", bound=Message)


def from_wire(data: bytes, message: type[M]) -> M:
    """Read a message from its bytes.

    Raises:
        Malformed: it is not this message, or holds what this version does not know.
    """
    try:
        out = message.FromString(data)
    except DecodeError:
        raise Malformed(
            f"The request is not a {message.DESCRIPTOR.name}. "
            "Make sure that both ends use the same proto, and that strings are UTF-8."
        ) from None
    size = out.ByteSize()
    out.DiscardUnknownFields()
    # Two sizes and a test cost a microsecond or two; the walks that name the fields are for the
    # guilty.
    knows_all = out.ByteSize() == size
    if knows_all and _is_sound(out):
        return out
    faults = Faults()
    if not knows_all:
        _note_unknown(message.FromString(data), "", faults)
    _check_message(out, "", faults, is_there=False)
    faults.raise_any()
    return out


def _is_sound(message: Any) -> bool:
    """Whether `_check_message` would find nothing: most messages are, and most are small."""
    return _tests[message.DESCRIPTOR](message)


def _is_known_sound(message: Any) -> bool:
    """The same of a message that names what is there."""
    return _known_tests[message.DESCRIPTOR](message)


class _Tests(dict[Descriptor, Callable[[Any], bool]]):
    """What tests a message, by its descriptor; made as it is needed.

    Args:
        is_there: They name what is there.
    """

    def __init__(self, *, is_there: bool) -> None:
        super().__init__()
        self._is_there = is_there

    def __missing__(self, descriptor: Descriptor) -> Callable[[Any], bool]:
        test = self[descriptor] = _make_test(descriptor, is_there=self._is_there)
        return test


_tests, _known_tests = _Tests(is_there=False), _Tests(is_there=True)
_SEEN = "({0}.isascii() and {0}.isprintable() or not unseen({0}))"
_KNOWN = "({0}.isprintable() or not control({0}))"


def _make_test(descriptor: Descriptor, *, is_there: bool) -> Callable[[Any], bool]:
    names: dict[str, Any] = {
        "is_sound": _is_known_sound if is_there else _is_sound,
        "is_known_sound": _is_known_sound,
        "unseen": unseen,
        "control": control,
    }
    strings, enums, messages = _plan(descriptor)
    known = {field.name for field in descriptor.fields if names_what_is_there(field)}
    parts = [
        _each(name, is_repeated, _KNOWN if is_there or name in known else _SEEN)
        for name, is_repeated in strings
    ]
    for name, is_repeated, numbers, _ in enums:
        names[f"numbers_{name}"] = numbers
        parts.append(_each(name, is_repeated, f"{{}} in numbers_{name}"))
    for name, is_repeated in messages:
        test = _each(name, is_repeated, "is_known_sound({})" if name in known else "is_sound({})")
        parts.append(test if is_repeated else f"(not message.HasField({name!r}) or {test})")
    lines = [f"return {' and '.join(parts) or 'True'}"]
    return function(f"is_{descriptor.name}_sound", "message", lines, names)


def _each(name: str, is_repeated: bool, test: str) -> str:
    if not is_repeated:
        return test.format(f"message.{name}")
    return f"all([{test.format('item')} for item in message.{name}])"


def _note_unknown(message: Message, prefix: str, faults: Faults) -> None:
    unknown: Any = UnknownFieldSet(message)  # the stubs do not know that it is a sequence
    for field in unknown:
        faults.add(
            prefix + str(field.field_number),
            f"is no field number of {message.DESCRIPTOR.name} in this version",
        )
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
            continue
        path = prefix + descriptor.name
        if descriptor.is_repeated:
            for place, item in enumerate(value):
                _note_unknown(item, f"{path}[{place}].", faults)
        else:
            _note_unknown(value, path + ".", faults)


def _check_message(message: Any, prefix: str, faults: Faults, *, is_there: bool) -> None:
    strings, enums, messages = _plan(message.DESCRIPTOR)
    fields = message.DESCRIPTOR.fields_by_name
    for name, is_repeated in strings:
        wrong = control if is_there or names_what_is_there(fields[name]) else unseen
        for place, text in _items(getattr(message, name), is_repeated):
            if found := wrong(text):
                faults.add(prefix + name + place, not_seen(found))
    for name, is_repeated, numbers, legal in enums:
        for place, number in _items(getattr(message, name), is_repeated):
            if number not in numbers:
                faults.add(prefix + name + place, f"must be one of {legal}")
    for name, is_repeated in messages:
        if not is_repeated and not message.HasField(name):
            continue
        inner = is_there or names_what_is_there(fields[name])
        for place, item in _items(getattr(message, name), is_repeated):
            _check_message(item, f"{prefix}{name}{place}.", faults, is_there=inner)


def _items(value: Any, is_repeated: bool) -> Iterator[tuple[str, Any]] | tuple[tuple[str, Any]]:
    if is_repeated:
        return ((f"[{place}]", item) for place, item in enumerate(value))
    return (("", value),)


Strings = tuple[tuple[str, bool], ...]
Enums = tuple[tuple[str, bool, frozenset[int], str], ...]


@cache
def _plan(descriptor: Descriptor) -> tuple[Strings, Enums, Strings]:
    """The fields of a message that need a look: strings, enums, and messages with such fields."""
    strings, enums, messages = [], [], []
    for field in descriptor.fields:
        if field.message_type is not None:
            if not field.message_type.GetOptions().map_entry and _needs_look(field.message_type):
                messages.append((field.name, field.is_repeated))
        elif field.enum_type is not None:
            numbers = frozenset(field.enum_type.values_by_number)
            enums.append((field.name, field.is_repeated, numbers, enum_names(field.enum_type)))
        elif field.type == FieldDescriptor.TYPE_STRING:
            strings.append((field.name, field.is_repeated))
    return tuple(strings), tuple(enums), tuple(messages)


def _needs_look(descriptor: Descriptor) -> bool:
    if descriptor.full_name.startswith("google.protobuf."):
        return False
    return any(_plan(descriptor))
