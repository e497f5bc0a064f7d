"""The core's dataclasses in protobuf's wire format, written by straight-line code.

To set a message's fields one by one costs several times what it costs to write their octets and
have protobuf read them. Octets are put together as text, one character from U+0000 to U+00FF for
each, because text is what Python puts together fastest, and most of a message is text.

The correspondence of dataclass and message is that of `guncamera.api.wire`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from guncamera.rules.plain import member_name
from guncamera.rules.shape import FieldShape, shape_of, snake
from guncamera.rules.straight_line import function

Writer = Callable[[Any], str]

MOST_REMEMBERED, LONGEST_REMEMBERED = 512, 64

_VARINT, _SIZED = 0, 2  # protobuf's wire types
_TYPES = {
    "int": FieldDescriptor.TYPE_INT32,
    "bool": FieldDescriptor.TYPE_BOOL,
    "str": FieldDescriptor.TYPE_STRING,
    "enum": FieldDescriptor.TYPE_ENUM,
    "record": FieldDescriptor.TYPE_MESSAGE,
}


class WireMismatch(AssertionError):
    """A dataclass and its message do not correspond: a fault of ours."""


class Writers(dict[type, Writer]):
    """What writes a dataclass as a message of one kind, by its class; made as it is needed.

    Args:
        around: The tags of fields to write the message as, from the inmost out.
    """

    def __init__(self, descriptor: Descriptor, around: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._descriptor, self._around = descriptor, around

    def __missing__(self, cls: type) -> Writer:
        writer = self[cls] = _make_writer(cls, self._descriptor, self._around)
        return writer


class MemberWriters(dict[type, Writer]):
    """What writes a member of a union as the field that is named after its class.

    Args:
        around: The tags of fields to write the union's message as, from the inmost out.
    """

    def __init__(self, descriptor: Descriptor, around: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._descriptor, self._around = descriptor, around

    def __missing__(self, cls: type) -> Writer:
        name = member_name(cls)
        field = self._descriptor.fields_by_name.get(name)
        if field is None:
            raise WireMismatch(f"{self._descriptor.full_name} has no field {name}")
        around = (tag_of(field), *self._around)
        writer = self[cls] = _make_writer(cls, message_of(field), around)
        return writer


@cache
def writers(descriptor: Descriptor, *around: str) -> Writers:
    """The writers of messages of one kind; see `Writers`."""
    return Writers(descriptor, around)


@cache
def member_writers(descriptor: Descriptor, *around: str) -> MemberWriters:
    """The writers of unions' members into messages of one kind; see `MemberWriters`."""
    return MemberWriters(descriptor, around)


def merge(message: Message, octets: str) -> None:
    """Read octets into a message."""
    message.MergeFromString(octets.encode("latin-1"))


# ---- parts of the wire format


def varint(number: int) -> str:
    """A whole number."""
    number &= 2**64 - 1
    octets = ""
    while number > 127:
        octets += chr(number & 127 | 128)
        number >>= 7
    return octets + chr(number)


def tag_of(field: FieldDescriptor) -> str:
    """What stands before a field; before numbers that are repeated it stands once for all."""
    is_size = field.is_repeated or field.type in (
        FieldDescriptor.TYPE_STRING,
        FieldDescriptor.TYPE_MESSAGE,
    )
    return varint(field.number << 3 | (_SIZED if is_size else _VARINT))


def message_of(field: FieldDescriptor) -> Descriptor:
    """The kind of message that a field is."""
    found = field.message_type
    assert found is not None, f"{field.full_name} is no message"
    return found


class _Sizes(dict[int, str]):
    """Sizes as they are written."""

    def __missing__(self, size: int) -> str:
        return varint(size)


SIZES = _Sizes({size: varint(size) for size in range(1024)})


def sized(tag: str, octets: str) -> str:
    """A field of some octets, also of none."""
    return f"{tag}{SIZES[len(octets)]}{octets}"


def text(tag: str, found: str) -> str:
    """A field of text, of any length and in any script."""
    return sized(tag, found if found.isascii() else found.encode().decode("latin-1"))


def int32(found: int) -> str:
    """A whole number that is held to 32 bits, where protobuf would cut the rest off.

    Raises:
        ValueError: It needs more.
    """
    if not -(2**31) <= found < 2**31:
        raise ValueError(f"{found} is no number of 32 bits")
    return varint(found)


class Values(dict[Any, str]):
    """The values of a field as they are written with its tag; those seen first are remembered.

    Rule ids, names and small numbers come again and again: to find one is less than to write it.
    """

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._tag = tag

    def __missing__(self, found: str | int | tuple[int, ...]) -> str:
        if isinstance(found, str):
            written = text(self._tag, found)
        elif isinstance(found, tuple):
            written = sized(self._tag, "".join(map(int32, found)))
        else:
            written = self._tag + int32(found)
        if len(self) < MOST_REMEMBERED and len(written) <= LONGEST_REMEMBERED:
            self[found] = written
        return written


@cache
def values(tag: str, zero: str | int | tuple[()], *, has_presence: bool) -> Values:
    """The values of fields of one tag and kind, which the kind's zero tells."""
    found = Values(tag)
    if not has_presence:
        # A zero is not written where the message could not tell it from nothing anyway.
        found[zero] = ""
    return found


# ---- making writers


def _make_writer(cls: type, descriptor: Descriptor, around: tuple[str, ...]) -> Writer:
    names: dict[str, Any] = {"sized": sized, "sizes": SIZES}
    parts = [f"{{{_part(shape, descriptor, names)}}}" for shape in shape_of(cls)]
    lines = [f'octets = f"{"".join(parts)}"']
    for at, tag in enumerate(around):
        names[f"around_{at}"] = tag
        lines.append(f'octets = f"{{around_{at}}}{{sizes[len(octets)]}}{{octets}}"')
    return function(f"write_{member_name(cls)}", "value", [*lines, "return octets"], names)


def _part(shape: FieldShape, descriptor: Descriptor, names: dict[str, Any]) -> str:
    """One field as it is written: an expression that can stand in an f-string."""
    name, found = shape.name, f"value.{shape.name}"
    if shape.kind == "union":
        check_union(shape, descriptor)
        names[f"of_{name}"] = member_writers(descriptor)
        written = f"of_{name}[type({found})]({found})"
    else:
        written = _written(shape, field_of(descriptor, shape), names)
    return f"'' if {found} is None else {written}" if shape.optional else written


def _written(shape: FieldShape, field: FieldDescriptor, names: dict[str, Any]) -> str:
    if field.type != _TYPES[shape.kind] or field.is_repeated != shape.repeated:
        raise WireMismatch(f"{field.full_name} is no field for {shape}")
    of, found, tag = f"of_{shape.name}", f"value.{shape.name}", tag_of(field)
    if shape.kind == "record":
        names[of] = writers(message_of(field), tag)
        return _each(shape, f"{of}[type({{0}})]({{0}})")
    if shape.kind == "enum":
        names[of] = _numbers(shape.type, field, "" if shape.repeated else tag)
        names[f"tag_{shape.name}"] = tag
        numbers = _each(shape, f"{of}[{{0}}]")
        packed = f"sized(tag_{shape.name}, {numbers}) if {found} else ''"
        return packed if shape.repeated else numbers
    if shape.kind == "str":
        names[of] = values(tag, "", has_presence=field.has_presence or shape.repeated)
        return _each(shape, f"{of}[{{0}}]")
    # Of repeated numbers, all are found together.
    names[of] = values(tag, () if shape.repeated else 0, has_presence=field.has_presence)
    return f"{of}[{found}]"


def _each(shape: FieldShape, one: str) -> str:
    found = f"value.{shape.name}"
    if not shape.repeated:
        return one.format(found)
    return f"''.join([{one.format('item')} for item in {found}])"


def _numbers(cls: Any, field: FieldDescriptor, tag: str) -> dict[Any, str]:
    """An enum's members with a tag: `tail` has the number of KETTERING_ASPECT_TAIL."""
    enum = field.enum_type
    assert enum is not None, field.full_name
    return {member: tag + varint(enum_number(enum, member.value)) for member in cls}


def enum_number(enum: EnumDescriptor, value: str) -> int:
    """The number of a core enum's value.

    Raises:
        WireMismatch: The message's enum does not have it.
    """
    name = f"{snake(enum.name).upper()}_{value.upper()}"
    found = enum.values_by_name.get(name)
    if found is None:
        raise WireMismatch(f"{enum.name} has no {name}")
    return found.number


def field_of(descriptor: Descriptor, shape: FieldShape) -> FieldDescriptor:
    """The message's field for one of a dataclass.

    Raises:
        WireMismatch: There is none.
    """
    field = descriptor.fields_by_name.get(shape.name)
    if field is None:
        raise WireMismatch(f"{descriptor.full_name} has no field {shape.name}")
    return field


def check_union(shape: FieldShape, descriptor: Descriptor) -> str:
    """The name of the oneof for a union.

    Raises:
        WireMismatch: There is none, or it has other members.
    """
    oneof = descriptor.oneofs_by_name.get(shape.name)
    if oneof is None or {f.name for f in oneof.fields} != set(shape.members):
        raise WireMismatch(
            f"{descriptor.full_name} has no oneof {shape.name} of {sorted(shape.members)}"
        )
    return str(oneof.name)
