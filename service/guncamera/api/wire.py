"""The core's dataclasses to protobuf messages and back, by field name, for all rule sets.

A converter is made once for each pair of dataclass and message. The rules of correspondence are
those of `guncamera.rules.shape`: a union is the oneof whose fields are named like its members,
an enum is spelt `MESSAGE_ENUM_NAME`, and a field that is None is not set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from google.protobuf.message import Message

from guncamera.rules.plain import member_name
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.shape import FieldShape, check, shape_of, snake
from guncamera.rules.straight_line import function

T = TypeVar("T")
Writer = Callable[[Message, Any], None]
Reader = Callable[[Message, str, list[Violation]], Any]

_writers: dict[tuple[type, type], Writer] = {}
_member_writers: dict[type, MemberWriters] = {}
_readers: dict[tuple[type, type], Reader] = {}


class WireMismatch(AssertionError):
    """A dataclass and its message do not correspond: a fault of ours."""


def fill(message: Message, value: Any) -> None:
    """Write a dataclass into an empty message of its kind."""
    _writer(type(value), type(message), message.DESCRIPTOR)(message, value)


def fill_member(message: Message, item: Any) -> None:
    """Write a member of a union into the field of a message that is named after its class."""
    member_writers(type(message))[type(item)](message, item)


def member_writers(kind: type[Message]) -> MemberWriters:
    """For each class of a union, what writes one into a message of a kind."""
    found = _member_writers.get(kind)
    if found is None:
        found = _member_writers[kind] = MemberWriters(kind.DESCRIPTOR)
    return found


class MemberWriters(dict[type, Writer]):
    """Writers by the class of what they write, made as they are needed."""

    def __init__(self, descriptor: Any) -> None:
        super().__init__()
        self._descriptor = descriptor

    def __missing__(self, cls: type) -> Writer:
        writer = self[cls] = _make_member_writer(cls, self._descriptor)
        return writer


def _writer(cls: type, message: type, descriptor: Any) -> Writer:
    key = (cls, message)
    writer = _writers.get(key)
    if writer is None:
        writer = _writers[key] = _make_writer(cls, descriptor)
    return writer


def read(message: Message, cls: type[T], path: str) -> T:
    """Read a message as a dataclass, held to its limits.

    Raises:
        Malformed: Every fault found, by path.
    """
    faults: list[Violation] = []
    value: T = _read(message, cls, path, faults)
    if faults:
        raise Malformed(f"{faults[0].field}: {faults[0].description}.", violations=faults)
    check(value, path)
    return value


def present(message: Message) -> dict[str, Any]:
    """The fields of a flat message that are set, by name."""
    return {field.name: value for field, value in message.ListFields()}


def enum_number(enum: Any, value: str) -> int:
    """The number of a core enum's value: `tail` in KetteringAspect."""
    name = f"{snake(enum.name).upper()}_{value.upper()}"
    try:
        return enum.values_by_name[name].number  # type: ignore[no-any-return]
    except KeyError:
        raise WireMismatch(f"{enum.name} has no {name}") from None


# ---- writing


def _make_writer(cls: type, descriptor: Any) -> Writer:
    names: dict[str, Any] = {"fill": fill, "fill_member": fill_member}
    lines = _write_lines(shape_of(cls), descriptor, names)
    return function(f"fill_{member_name(cls)}", "message, value", lines, names)


def _make_member_writer(cls: type, descriptor: Any) -> Writer:
    name = member_name(cls)
    field = descriptor.fields_by_name.get(name)
    if field is None:
        raise WireMismatch(f"{descriptor.full_name} has no field {name}")
    names: dict[str, Any] = {"fill": fill, "fill_member": fill_member}
    shapes = shape_of(cls)
    # A message in which nothing is set would not be there. To set a zero is enough, and is less
    # than to say so.
    sure = next((shape.name for shape in shapes if _is_scalar(shape) and not shape.optional), None)
    lines = [
        f"message = message.{name}",
        f"message.{sure} = value.{sure}" if sure else "message.SetInParent()",
        *_write_lines([s for s in shapes if s.name != sure], field.message_type, names),
    ]
    if sure:
        _field(field.message_type, next(shape for shape in shapes if shape.name == sure))
    return function(f"fill_{name}", "message, value", lines, names)


def _is_scalar(shape: FieldShape) -> bool:
    return shape.kind in ("int", "bool", "str") and not shape.repeated


def _write_lines(shapes: Iterable[FieldShape], descriptor: Any, names: dict[str, Any]) -> list[str]:
    return [line for shape in shapes for line in _write_field(shape, descriptor, names)]


def _write_field(shape: FieldShape, descriptor: Any, names: dict[str, Any]) -> list[str]:
    """The lines that write one field."""
    name = shape.name
    if shape.kind == "union":
        _check_union(shape, descriptor)
        return _if_there(shape, ["fill_member(message, found)"])
    field = _field(descriptor, shape)
    if shape.kind == "enum":
        names[f"numbers_{name}"] = _numbers(field.enum_type)
    if shape.repeated:
        return {
            "record": [
                f"add = message.{name}.add",
                f"for item in value.{name}:",
                "    fill(add(), item)",
            ],
            "enum": [f"message.{name}.extend([numbers_{name}[item] for item in value.{name}])"],
        }.get(shape.kind, [f"message.{name}.extend(value.{name})"])
    if shape.kind == "record":
        inner = f"inner = message.{name}"
        return _if_there(shape, [inner, "inner.SetInParent()", "fill(inner, found)"])
    if shape.kind == "enum":
        return _if_there(shape, [f"message.{name} = numbers_{name}[found]"])
    if field.has_presence:
        return _if_there(shape, [f"message.{name} = found"])
    # A zero is not written where the message could not tell it from nothing anyway.
    return [f"if found := value.{name}:", f"    message.{name} = found"]


def _if_there(shape: FieldShape, lines: list[str]) -> list[str]:
    if not shape.optional:
        return [f"found = value.{shape.name}", *lines]
    return [
        f"if (found := value.{shape.name}) is not None:",
        *(f"    {line}" for line in lines),
    ]


def _numbers(enum: Any) -> dict[str, int]:
    """The numbers of an enum by the core's values: `tail` is that of KETTERING_ASPECT_TAIL."""
    prefix = f"{snake(enum.name).upper()}_"
    return {v.name.removeprefix(prefix).lower(): v.number for v in enum.values}


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
        return _read_union(shape, _check_union(shape, descriptor))
    field = _field(descriptor, shape)
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


def _field(descriptor: Any, shape: FieldShape) -> Any:
    field = descriptor.fields_by_name.get(shape.name)
    if field is None:
        raise WireMismatch(f"{descriptor.full_name} has no field {shape.name}")
    return field


def _check_union(shape: FieldShape, descriptor: Any) -> str:
    oneof = descriptor.oneofs_by_name.get(shape.name)
    if oneof is None or {f.name for f in oneof.fields} != set(shape.members):
        raise WireMismatch(
            f"{descriptor.full_name} has no oneof {shape.name} of {sorted(shape.members)}"
        )
    return str(oneof.name)
