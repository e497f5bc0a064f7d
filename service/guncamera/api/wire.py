"""The core's dataclasses to protobuf messages and back, by field name, for all rule sets.

A converter is made once for each pair of dataclass and message. The rules of correspondence are
those of `guncamera.rules.shape`: a union is the oneof whose fields are named like its members,
an enum is spelt `MESSAGE_ENUM_NAME`, and a field that is None is not set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from google.protobuf.message import Message

from guncamera.api.octets import WireMismatch, check_union, enum_number, field_of, merge, writers
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.shape import FieldShape, check, shape_of

T = TypeVar("T")
Reader = Callable[[Message, str, list[Violation]], Any]

_readers: dict[tuple[type, type], Reader] = {}


def fill(message: Message, value: Any) -> None:
    """Write a dataclass into an empty message of its kind."""
    merge(message, writers(message.DESCRIPTOR)[type(value)](value))


def read(message: Message, cls: type[T], path: str) -> T:
    """Read a message as a dataclass, held to its limits.

    Raises:
        Malformed: Every fault found, by path.
    """
    faults: list[Violation] = []
    value: T = _read(message, cls, path, faults)
    if faults:
        raise Malformed(f"{faults[0].field}: {faults[0].description}.", violations=faults)
    check(value, path, unions_named=False)
    return value


def present(message: Message) -> dict[str, Any]:
    """The fields of a flat message that are set, by name."""
    return {field.name: value for field, value in message.ListFields()}


# ---- reading


def _read(message: Message, cls: type, path: str, faults: list[Violation]) -> Any:
    key = (cls, type(message))
    reader = _readers.get(key)
    if reader is None:
        reader = _readers[key] = _make_reader(cls, message.DESCRIPTOR)
    return reader(message, path, faults)


def _make_reader(cls: type, descriptor: Any) -> Reader:
    steps = [(shape, _read_step(shape, descriptor)) for shape in shape_of(cls)]
    known = {name for shape in shape_of(cls) for name in (shape.members or (shape.name,))}
    missing = set(descriptor.fields_by_name) - known
    if missing:
        raise WireMismatch(f"{cls.__name__} lacks {sorted(missing)} of {descriptor.full_name}")

    def read_record(message: Message, path: str, faults: list[Violation]) -> Any:
        before = len(faults)
        values = {}
        for shape, step in steps:
            found = step(message, f"{path}.{shape.name}", faults)
            if found is not None or not shape.default:
                values[shape.name] = found
        return cls(**values) if len(faults) == before else None

    return read_record


def _read_step(shape: FieldShape, descriptor: Any) -> Reader:
    name = shape.name
    if shape.kind == "union":
        return _read_union(shape, check_union(shape, descriptor))
    field = field_of(descriptor, shape)
    if shape.kind == "record":
        return _read_records(shape) if shape.repeated else _read_record(shape)
    if shape.kind == "enum":
        return _read_enum(shape, field)
    if shape.repeated:
        return lambda message, _path, _faults: tuple(getattr(message, name))
    if field.has_presence:
        return _read_present(shape)
    if shape.kind == "str" and shape.optional:
        return lambda message, _path, _faults: getattr(message, name) or None
    return lambda message, _path, _faults: getattr(message, name)


def _read_present(shape: FieldShape) -> Reader:
    name, required = shape.name, not (shape.optional or shape.default)

    def step(message: Message, path: str, faults: list[Violation]) -> Any:
        if message.HasField(name):
            return getattr(message, name)
        if required:
            faults.append(Violation(path, "missing"))
        return None

    return step


def _read_record(shape: FieldShape) -> Reader:
    name, cls, required = shape.name, shape.type, not (shape.optional or shape.default)

    def step(message: Message, path: str, faults: list[Violation]) -> Any:
        if message.HasField(name):
            return _read(getattr(message, name), cls, path, faults)
        if required:
            faults.append(Violation(path, "missing"))
        return None

    return step


def _read_records(shape: FieldShape) -> Reader:
    name, cls, most = shape.name, shape.type, shape.length.length

    def step(message: Message, path: str, faults: list[Violation]) -> Any:
        found = getattr(message, name)
        if len(found) > most:
            faults.append(Violation(path, f"{len(found)} items; at most {most} are taken"))
            return ()
        return tuple(_read(item, cls, f"{path}[{i}]", faults) for i, item in enumerate(found))

    return step


def _read_enum(shape: FieldShape, field: Any) -> Reader:
    name, enum, cls = shape.name, field.enum_type, shape.type
    by_number = {enum_number(enum, member.value): member for member in cls}
    legal = ", ".join(value.name for value in enum.values if value.number in by_number)
    required = not (shape.optional or shape.default)

    def one(number: int, path: str, faults: list[Violation], *, needed: bool) -> Any:
        if number in by_number:
            return by_number[number]
        if number:
            faults.append(Violation(path, f"{number} is no value; give one of {legal}"))
        elif needed:
            faults.append(Violation(path, f"missing; give one of {legal}"))
        return None

    if shape.repeated:
        return lambda message, path, faults: tuple(
            one(number, f"{path}[{i}]", faults, needed=True)
            for i, number in enumerate(getattr(message, name))
        )
    return lambda message, path, faults: one(getattr(message, name), path, faults, needed=required)


def _read_union(shape: FieldShape, oneof: str) -> Reader:
    names = ", ".join(shape.members)
    required = not (shape.optional or shape.default)

    def step(message: Message, path: str, faults: list[Violation]) -> Any:
        chosen = message.WhichOneof(oneof)
        parent = path.rpartition(".")[0]
        if chosen is not None:
            inner = getattr(message, chosen)
            return _read(inner, shape.members[chosen], f"{parent}.{chosen}", faults)
        if required:
            faults.append(Violation(parent, f"missing; set exactly one of {names}"))
        return None

    return step
