"""Messages to plain values for JSON, by converters built from the descriptors once.

The form is proto3 JSON with the names of the proto: zeros, false and empty lists are written,
unset messages and unset `optional` and `oneof` fields are left out, enums are names.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import orjson
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

Write = Callable[[Any], Any]

_INT64 = {
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT64,
    FieldDescriptor.TYPE_SINT64,
    FieldDescriptor.TYPE_FIXED64,
    FieldDescriptor.TYPE_SFIXED64,
}
_REALS = {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT}


def to_json(message: Message) -> bytes:
    """Write a message as JSON."""
    return orjson.dumps(to_plain(message))


def to_plain(message: Message) -> Any:
    """Turn a message into dicts, lists, strings and numbers."""
    return message_writer(message.DESCRIPTOR)(message)


@cache
def message_writer(descriptor: Descriptor) -> Write:
    """The converter of one message type. Built on first use, for messages may nest."""
    if descriptor.full_name == "google.protobuf.Timestamp":
        return lambda message: message.ToJsonString()
    if descriptor.full_name.startswith("google.protobuf.") and descriptor.fields:
        raise AssertionError(f"no JSON form is written for {descriptor.full_name}")
    return _MessageWriter(descriptor)


class _MessageWriter:
    """Writes one message type.

    A step is `(name, write, has_presence)`, where `write` is None for values that are already
    plain. A oneof is a single step, so that six unset alternatives cost nothing.
    """

    __slots__ = ("_steps",)

    def __init__(self, descriptor: Descriptor) -> None:
        self._steps: list[tuple[str, Write | None, bool, dict[str, Write | None] | None]] = []
        seen: set[str] = set()
        for field in descriptor.fields:
            oneof = field.containing_oneof
            if oneof is None or len(oneof.fields) == 1:
                self._steps.append((field.name, _field_writer(field), field.has_presence, None))
            elif oneof.name not in seen:
                seen.add(oneof.name)
                choices = {member.name: _field_writer(member) for member in oneof.fields}
                self._steps.append((oneof.name, None, False, choices))

    def __call__(self, message: Any) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for step in self._steps:
            name, write, has_presence, choices = step
            if choices is not None:
                name = message.WhichOneof(name)
                if name is None:
                    continue
                write = choices[name]
            elif has_presence and not message.HasField(name):
                continue
            value = getattr(message, name)
            out[name] = value if write is None else write(value)
        return out


def _field_writer(field: FieldDescriptor) -> Write | None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return _map_writer(field.message_type)
    one = _value_writer(field)
    if not field.is_repeated:
        return one
    if one is None:
        return list
    write = one
    return lambda values: [write(value) for value in values]


def _map_writer(entry: Descriptor) -> Write:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    write = _value_writer(value)
    is_bool = key.type == FieldDescriptor.TYPE_BOOL

    def write_map(pairs: Any) -> dict[str, Any]:
        # Sorted, for the order in which a map keeps its entries is nobody's promise.
        return {
            (str(name).lower() if is_bool else str(name)): (item if write is None else write(item))
            for name, item in sorted(pairs.items())
        }

    return write_map


def _value_writer(field: FieldDescriptor) -> Write | None:
    if field.message_type is not None:
        nested = field.message_type
        return lambda message: message_writer(nested)(message)
    if field.enum_type is not None:
        return _enum_writer(field.enum_type)
    if field.type in _INT64:
        return str
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda value: base64.b64encode(value).decode()
    if field.type in _REALS:
        return _write_real
    return None


def _enum_writer(enum: EnumDescriptor) -> Write:
    names: dict[int, str] = {value.number: value.name for value in enum.values}
    # A number without a name can only come from a later version of the proto.
    return lambda number: names.get(cast(int, number), number)


def _write_real(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
