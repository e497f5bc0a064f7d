"""Messages of any type for property tests, made from their descriptors."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from guncamera.rules.unseen import unseen
from hypothesis import strategies as st

_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]).filter(lambda one: not unseen(one)),
    max_size=8,
)
_INT32 = st.integers(-(2**31), 2**31 - 1)
_MOMENTS = st.builds(
    Timestamp,
    seconds=st.integers(0, 4_000_000_000),
    nanos=st.sampled_from([0, 5, 120_000_000, 123_456_789]),
)


@st.composite
def messages(draw: st.DrawFn, message: type[Message]) -> Message:
    """Any message of a type: each field set, set to its zero, or left out."""
    made = message()
    _fill(draw, made)
    return made


def _fill(draw: st.DrawFn, message: Any) -> None:
    descriptor: Descriptor = message.DESCRIPTOR
    for field in descriptor.fields:
        oneof = field.containing_oneof
        if oneof is not None and message.WhichOneof(oneof.name):
            continue
        if draw(st.booleans()):
            _set(draw, message, field)


def _set(draw: st.DrawFn, message: Any, field: FieldDescriptor) -> None:
    here = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        value = _value(field.message_type.fields_by_name["value"])
        here.update(draw(st.dictionaries(_TEXT, value, max_size=3)))
    elif field.is_repeated and field.message_type is not None:
        for _ in range(draw(st.integers(0, 2))):
            _fill(draw, here.add())
    elif field.is_repeated:
        here.extend(draw(st.lists(_value(field), max_size=3)))
    elif field.message_type is None:
        setattr(message, field.name, draw(_value(field)))
    elif field.message_type.full_name == "google.protobuf.Timestamp":
        here.CopyFrom(draw(_MOMENTS))
    else:
        here.SetInParent()
        _fill(draw, here)


def _value(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    return {
        FieldDescriptor.CPPTYPE_INT32: _INT32,
        FieldDescriptor.CPPTYPE_STRING: _TEXT,
        FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
        FieldDescriptor.CPPTYPE_DOUBLE: st.floats(),
    }[field.cpp_type]
