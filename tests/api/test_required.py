"""What a request must say: left out it is refused by name, and zero is taken where it is said.

A field of facts, orders and set-ups is required where its dataclass has no default; a list that
is left out is empty. The protos say so of each field, and so does the OpenAPI document.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.protobuf.descriptor import FieldDescriptor
from guncamera.api import wire
from guncamera.api.films import read_film
from guncamera.api.json_codec import from_json, to_plain
from guncamera.api.openapi import document
from guncamera.api.openapi_schemas import comments
from guncamera.api.wire_reader import from_wire
from guncamera.conformance.targets import can_be_sent, read_case
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Ruleset, Verb, rulesets
from guncamera.rules.shape import FieldShape, shape_of
from guncamera.sessions import film as films
from guncamera.v1 import actions_pb2
from guncamera.v1 import session_service_pb2 as pb
from shipped import shipped_cases

SLUGS = list(rulesets())
GOLDEN = Path(__file__).parents[1] / "playthroughs"
MOST_TRIES = 3
"""Of one field in one kind of request."""
ZEROS: dict[str, Any] = {"int": 0, "bool": False, "str": ""}


class Said(NamedTuple):
    """A part of a request: a rule set's facts, order or set-up in its shared message."""

    message: Any
    slug: str
    cls: Any

    def read(self, again: Any) -> Any:
        return wire.read_asked(getattr(again, self.slug), self.cls, "it")


class Place(NamedTuple):
    """Where a required field is said."""

    steps: tuple[str | int, ...]
    shape: FieldShape
    field: FieldDescriptor

    @property
    def path(self) -> str:
        return "it" + "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in self.steps)


def is_required(shape: FieldShape) -> bool:
    return not (shape.optional or shape.default or shape.repeated or shape.kind == "union")


def kinds_of(found: Ruleset) -> Iterator[tuple[str, Any]]:
    """The shared messages of requests, and a rule set's dataclass for each."""
    yield "SessionSetup", found.setup
    for verb, procedure in found.procedures.items():
        yield f"{verb.value.capitalize()}Facts", procedure.facts
        yield f"{verb.value.capitalize()}Order", procedure.order


def inside(shape: FieldShape, descriptor: Any) -> Iterator[tuple[Any, Any]]:
    """The dataclasses that a field may hold, each with its message."""
    for name, member in shape.members.items():
        yield member, descriptor.fields_by_name[name].message_type
    if shape.kind == "record":
        yield shape.type, descriptor.fields_by_name[shape.name].message_type


def fields_in(cls: Any, descriptor: Any) -> Iterator[tuple[FieldShape, FieldDescriptor]]:
    """Every field that is not a union's, at any depth."""
    for shape in shape_of(cls):
        if shape.kind != "union":
            yield shape, descriptor.fields_by_name[shape.name]
        for inner, message in inside(shape, descriptor):
            yield from fields_in(inner, message)


@cache
def fields_of(slug: str) -> dict[str, tuple[FieldShape, FieldDescriptor]]:
    """Every field of a rule set's requests, by full name."""
    messages = actions_pb2.DESCRIPTOR.message_types_by_name
    return {
        field.full_name: (shape, field)
        for name, cls in kinds_of(rulesets()[slug])
        for shape, field in fields_in(cls, messages[name].fields_by_name[slug].message_type)
    }


def places(message: Any, cls: Any, steps: tuple[str | int, ...] = ()) -> Iterator[Place]:
    """Every required field that a message says."""
    for shape in shape_of(cls):
        name = message.WhichOneof(shape.name) if shape.kind == "union" else shape.name
        if name is None:
            continue
        if is_required(shape):
            yield Place((*steps, name), shape, message.DESCRIPTOR.fields_by_name[name])
        if shape.kind not in ("record", "union"):
            continue
        kind = shape.members[name] if shape.kind == "union" else shape.type
        if shape.repeated:
            for at, item in enumerate(getattr(message, name)):
                yield from places(item, kind, (*steps, name, at))
        elif message.HasField(name):
            yield from places(getattr(message, name), kind, (*steps, name))


def owner(root: Any, steps: tuple[str | int, ...]) -> Any:
    """What holds the last of some steps, in a message or in plain data."""
    for step in steps[:-1]:
        in_message = isinstance(step, str) and not isinstance(root, dict)
        root = getattr(root, step) if in_message else root[step]
    return root


def whole(cls: Any) -> Iterator[Any]:
    """Dataclasses in which everything is said: at least one with each member of each union."""
    shapes = shape_of(cls)
    values = {shape.name: list(values_of(shape)) for shape in shapes}
    for nth in range(max((len(found) for found in values.values()), default=1)):
        yield cls(**{name: found[nth % len(found)] for name, found in values.items()})


def values_of(shape: FieldShape) -> Iterator[Any]:
    plain = {"int": max(shape.limit.low, 0), "bool": True, "str": "x"}
    if shape.kind == "union":
        found = [one for member in shape.members.values() for one in whole(member)]
    elif shape.kind == "record":
        found = list(whole(shape.type))
    else:
        found = list(shape.type)[:1] if shape.kind == "enum" else [plain[shape.kind]]
    return ((one,) if shape.repeated else one for one in found)


def said(name: str, slug: str, cls: Any, value: Any) -> Said:
    message = getattr(actions_pb2, name)()
    inner = getattr(message, slug)
    inner.SetInParent()
    wire.fill(inner, value)
    return Said(message, slug, cls)


@cache
def requests(slug: str) -> tuple[Said, ...]:
    """Facts of the case files, orders and set-ups of golden games, and one of each in full."""
    found = rulesets()[slug]
    made = []
    for case in shipped_cases():
        if case.ruleset == slug and can_be_sent(case):
            _, procedure, facts = read_case(case)
            made.append(said(f"{case.verb.capitalize()}Facts", slug, procedure.facts, facts))
    for path in GOLDEN.glob(f"{slug}-*.jsonl"):
        first, *rest = path.read_bytes().splitlines()
        made.append(Said(from_json(first, pb.Session).setup, slug, found.setup))
        for line in rest:
            action = from_json(line, pb.Action)
            verb = action.WhichOneof("order")
            made.append(Said(getattr(action, verb), slug, found.procedure(Verb(verb)).order))
    for name, cls in kinds_of(found):
        made += [said(name, slug, cls, value) for value in whole(cls)]
    return tuple(made)


@cache
def tried(slug: str) -> tuple[tuple[Said, Place], ...]:
    """A few places of each required field in each kind of request."""
    count: Counter[tuple[str, str]] = Counter()
    found = []
    for one in requests(slug):
        for place in places(getattr(one.message, slug), one.cls):
            key = (one.message.DESCRIPTOR.name, place.field.full_name)
            count[key] += 1
            if count[key] <= MOST_TRIES:
                found.append((one, place))
    return tuple(found)


def over_grpc(one: Said, message: Any) -> Any:
    return one.read(from_wire(message.SerializeToString(), type(message)))


def over_rest(one: Said, plain: Any) -> Any:
    return one.read(from_json(json.dumps(plain).encode(), type(one.message)))


def faults(read: Any, one: Said, request: Any) -> list[tuple[str, str]]:
    try:
        read(one, request)
    except Malformed as refusal:
        return [(violation.field, violation.description) for violation in refusal.violations]
    return []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_required_field_that_is_left_out_is_refused_by_its_name(slug: str) -> None:
    for one, place in tried(slug):
        message, plain = type(one.message)(), to_plain(one.message)
        message.CopyFrom(one.message)
        owner(getattr(message, slug), place.steps).ClearField(place.steps[-1])
        del owner(plain[slug], place.steps)[place.steps[-1]]
        found = faults(over_grpc, one, message)
        assert [field for field, _ in found] == [place.path], place
        assert found[0][1].startswith("missing; "), place  # what to give follows
        assert faults(over_rest, one, plain) == found, place


@pytest.mark.parametrize("slug", SLUGS)
def test_every_required_field_was_tried(slug: str) -> None:
    wanted = {name for name, (shape, _) in fields_of(slug).items() if is_required(shape)}
    assert {place.field.full_name for _, place in tried(slug)} == wanted
    assert len(wanted) > 2


@pytest.mark.parametrize("slug", SLUGS)
def test_a_zero_that_is_said_is_taken(slug: str) -> None:
    for one, place in tried(slug):
        zero = ZEROS.get(place.shape.kind)
        if zero is None or not place.shape.limit.low <= 0 <= place.shape.limit.high:
            continue
        message = type(one.message)()
        message.CopyFrom(one.message)
        setattr(owner(getattr(message, slug), place.steps), str(place.steps[-1]), zero)
        plain = to_plain(message)
        assert owner(plain[slug], place.steps)[place.steps[-1]] == zero, place
        assert over_grpc(one, message) == over_rest(one, plain) == one.read(message), place


@pytest.mark.parametrize("slug", SLUGS)
def test_the_protos_say_what_is_required(slug: str) -> None:
    for name, (shape, field) in fields_of(slug).items():
        assert comments()[name].endswith("Required.") == is_required(shape), name
        if shape.kind in ZEROS and is_required(shape):
            assert field.has_presence, f"{name}: without `optional` zero looks like nothing"


@pytest.mark.parametrize("slug", SLUGS)
def test_the_openapi_document_says_what_is_required(slug: str) -> None:
    schemas = document()["components"]["schemas"]
    for shape, field in fields_of(slug).values():
        name = field.containing_type.name
        of_requests = schemas.get(f"{name}Input", schemas[name])
        assert (field.name in of_requests.get("required", ())) == is_required(shape), name
        if is_required(shape):
            assert field.name in schemas[name]["required"], f"{name}: answers hold it too"


def forget_zeros(message: Any, slug: str) -> int:
    """Leave out the zeros that the first films left out; returns how many there were."""
    count = 0
    for field, value in message.ListFields():
        shape, _ = fields_of(slug).get(field.full_name, (None, None))
        if shape is not None and is_required(shape) and value == ZEROS.get(shape.kind):
            message.ClearField(field.name)
            count += 1
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for inner in value if field.is_repeated else (value,):
                count += forget_zeros(inner, slug)
    return count


@pytest.mark.parametrize("slug", SLUGS)
def test_a_film_from_before_zeros_were_said_is_still_read(slug: str) -> None:
    first, *rest = (GOLDEN / f"{slug}-stock.jsonl").read_bytes().splitlines()
    film = pb.Film(
        format=1,
        session=from_json(first, pb.Session),
        actions=[from_json(line, pb.Action) for line in rest],
    )
    wanted = read_film(film)
    forgotten = forget_zeros(film, slug)
    assert forgotten
    found = read_film(pb.Film.FromString(film.SerializeToString()))
    assert (found.record.setup, found.actions) == (wanted.record.setup, wanted.actions)
    assert films.replay(found).differences == films.replay(wanted).differences
