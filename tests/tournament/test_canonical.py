"""What is written fast is written as the libraries write it, to the byte."""

import random

import pytest
import rfc8785
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp
from guncamera.v1.session_service_pb2 import Film
from guncamera_tournament import film_json as film_json_module
from guncamera_tournament.canonical import canonical
from guncamera_tournament.film_json import film_json
from hypothesis import example, given
from hypothesis import strategies as st

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(-4, 4).map(lambda value: round(value * 2) / 2)
    | st.text()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
@example({"points": {"b": 1.0, "a": 0.0, "c": 0.5}, "minus": -0.0})
@example([1e-5, 0.1])
@example([1e-6, 0.1])
@example([1e-7, 0.1])
@example([1e16, 0.1])
@example([1e21, 0.1])
@example([123456789.125, 0.001, 0.0015, 1e9])
@example({"\ue000": 1, "\U00010000": 2, "a": 3})
@example('\x00\x1f\x7f\u2028"\\/é\U0001f600')
def test_plain_values_are_written_as_rfc8785_has_them(value):
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "value", [2**53, float("nan"), float("inf"), "\ud800", {1: 2}, {"a": object()}, {"\ud800": 1}]
)
def test_what_cannot_be_written_is_refused_as_before(value):
    with pytest.raises(Exception) as theirs:  # whatever it is
        rfc8785.dumps(value)
    with pytest.raises(type(theirs.value)):
        canonical(value)


def filled(message, chance, depth=0):
    """A message with anything in it."""
    if isinstance(message, Timestamp):
        message.seconds, message.nanos = chance.randrange(2**31), chance.randrange(3) * 10**8
        return message
    fields = list(message.DESCRIPTOR.fields)
    for one in chance.sample(fields, len(fields)):  # of a oneof the last stays
        if chance.random() < depth / 10:
            continue
        if one.message_type is not None:
            places = [
                getattr(message, one.name).add() if one.is_repeated else getattr(message, one.name)
                for _ in range(chance.randint(1, 3) if one.is_repeated else 1)
            ]
            for place in places:
                place.SetInParent()
                filled(place, chance, depth + 1)
        elif one.is_repeated:
            getattr(message, one.name).extend(
                leaf(one, chance) for _ in range(chance.randint(1, 3))
            )
        else:
            setattr(message, one.name, leaf(one, chance))
    return message


def leaf(one, chance):
    """A value of a field that is no message; few of them, so that messages come again."""
    if one.enum_type is not None:
        return chance.choice([value.number for value in one.enum_type.values])
    if one.type == FieldDescriptor.TYPE_STRING:
        return chance.choice(["", "a", "é\n\x7f", '\U0001f600"\\'])
    if one.type == FieldDescriptor.TYPE_BYTES:
        return chance.choice([b"", b"\x00\xff\xfe"])
    if one.type == FieldDescriptor.TYPE_BOOL:
        return chance.random() < 0.5
    return chance.choice([0, 1, 2**31 - 1])


@pytest.mark.parametrize("room", [film_json_module.MOST_KNOWN_BYTES, 2_000, 0])
def test_films_are_written_as_the_libraries_write_them(monkeypatch, room):
    monkeypatch.setattr(film_json_module, "MOST_KNOWN_BYTES", room)
    monkeypatch.setattr(film_json_module, "_WRITERS", film_json_module._Writers())
    films = [filled(Film(), random.Random(seed)) for seed in range(30)]
    assert len({name for film in films for name in names_in(film)}) > 200
    for film in [*films, *films]:
        plain = json_format.MessageToDict(film, preserving_proto_field_name=True)
        assert film_json(film) == rfc8785.dumps(plain)


def names_in(message) -> set[str]:
    """The kinds of messages in one."""
    found = {message.DESCRIPTOR.full_name}
    for one, value in message.ListFields():
        if one.message_type is not None:
            for inner in value if one.is_repeated else [value]:
                found |= names_in(inner)
    return found


def test_what_is_known_of_a_field_stays_within_its_room(monkeypatch):
    monkeypatch.setattr(film_json_module, "MOST_KNOWN_BYTES", 500)
    writers = film_json_module._Writers()
    monkeypatch.setattr(film_json_module, "_WRITERS", writers)
    for seed in range(30):
        film_json(filled(Film(), random.Random(seed)))
    owners = [getattr(write, "__self__", None) for _, write in writers.values()]
    kept = [one._known for one in owners if isinstance(one, film_json_module._Known)]
    assert len(kept) > 10
    assert any(kept)
    for known in kept:
        held = sum(len(octets) for octets in known)
        # The last one may be larger than the room by itself.
        assert held <= 500 or len(known) == 1
