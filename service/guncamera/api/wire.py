"""The core's dataclasses to protobuf messages and back, by field name, for all rule sets.

What converts is made once for each pair of dataclass and message, of straight-line code. The
rules of correspondence are those of `guncamera.rules.shape`: a union is the oneof whose fields
are named like its members, an enum is spelt `MESSAGE_ENUM_NAME`, and a field that is None is not
set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import partial
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from guncamera.api.octets import (
    WireMismatch,
    check_union,
    enum_number,
    field_of,
    merge,
    message_of,
    writers,
)
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.shape import FieldShape, check, missing, shape_of
from guncamera.rules.straight_line import function, maker

T = TypeVar("T")
Reader = Callable[[Message, str, list[Violation]], Any]

_ZEROS: dict[str, Any] = {"int": 0, "bool": False, "str": ""}


def fill(message: Message, value: Any) -> None:
    """Write a dataclass into an empty message of its kind."""
    merge(message, writers(message.DESCRIPTOR)[type(value)](value))


def read(message: Message, cls: type[T], path: str) -> T:
    """Read a message that a service wrote as a dataclass, held to its limits.

    A number that is not set is zero: films from before numbers could be left out say it so.

    Raises:
        Malformed: Every fault found, by path.
    """
    return _read(message, cls, path, _of_ours)


def read_asked(message: Message, cls: type[T], path: str) -> T:
    """As `read`, but of what a caller asks: what has no default must not be left out.

    Raises:
        Malformed: Every fault found, by path.
    """
    return _read(message, cls, path, _of_callers)


def present(message: Message) -> dict[str, Any]:
    """The fields of a flat message that are set, by name."""
    return {field.name: value for field, value in message.ListFields()}


# ---- reading


class _Readers(dict[tuple[type, Descriptor], Reader]):
    """What reads a message as a dataclass, by both; made as it is needed.

    Args:
        asked: A number, truth or text without a default has to be set.
    """

    def __init__(self, *, asked: bool) -> None:
        super().__init__()
        self.asked = asked

    def __missing__(self, key: tuple[type, Descriptor]) -> Reader:
        reader = self[key] = _make_reader(*key, self)
        return reader


_of_ours, _of_callers = _Readers(asked=False), _Readers(asked=True)


def _read(message: Message, cls: type[T], path: str, readers: _Readers) -> T:
    faults: list[Violation] = []
    descriptor: Any = message.DESCRIPTOR  # the stubs know two classes of it
    value: T = readers[cls, descriptor](message, path, faults)
    if faults:
        raise Malformed(f"{faults[0].field}: {faults[0].description}.", violations=faults)
    check(value, path, unions_named=False)
    return value


def _make_reader(cls: Any, descriptor: Descriptor, readers: _Readers = _of_ours) -> Reader:
    known = {name for shape in shape_of(cls) for name in (shape.members or (shape.name,))}
    lacking = set(descriptor.fields_by_name) - known
    if lacking:
        raise WireMismatch(f"{cls.__name__} lacks {sorted(lacking)} of {descriptor.full_name}")
    names: dict[str, Any] = {"make": maker(cls), "readers": readers, "Violation": Violation}
    lines, given = [], []
    for shape, field in zip(shape_of(cls), fields(cls)):
        names[f"absent_{shape.name}"] = _absent(field)
        lines += _step(shape, descriptor, names, asked=readers.asked)
        given.append(f"{f'{shape.name}=' if field.kw_only else ''}found_{shape.name}")
    lines += ["if faults:", "    return None", f"return make({', '.join(given)})"]
    return function(f"read_{cls.__name__}", "message, path, faults", lines, names)


def _absent(field: Field[Any]) -> Any:
    """The value of a field that is left out."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def _step(
    shape: FieldShape, descriptor: Descriptor, names: dict[str, Any], *, asked: bool
) -> list[str]:
    """What sets `found_{name}`, and notes what is wrong with the field at its path."""
    if shape.kind == "union":
        return _union_step(shape, descriptor, names)
    field = field_of(descriptor, shape)
    if shape.kind == "record":
        return (_records_step if shape.repeated else _record_step)(shape, field, names)
    if shape.kind == "enum":
        return _enum_step(shape, field, names)
    return _plain_step(shape, field, names, asked=asked)


def _is_required(shape: FieldShape) -> bool:
    return not (shape.optional or shape.default)


def _plain_step(
    shape: FieldShape, field: FieldDescriptor, names: dict[str, Any], *, asked: bool
) -> list[str]:
    """A whole number, truth or text. Only one that reads as zero may be one that is not set."""
    name, found = shape.name, f"found_{shape.name}"
    if shape.repeated:
        return [f"{found} = tuple(message.{name})"]
    read = f"{found} = message.{name}"
    if not field.has_presence:
        return [f"{read} or None" if shape.kind == "str" and shape.optional else read]
    unset = f"if not {found} and not message.HasField({name!r}):"
    if not _is_required(shape):
        is_zero = names[f"absent_{name}"] == _ZEROS[shape.kind]
        return [read] if is_zero else [read, unset, f"    {found} = absent_{name}"]
    if not asked:
        return [read]
    names[f"missing_{name}"] = missing(shape)
    return [read, unset, f"    faults.append(Violation(f'{{path}}.{name}', missing_{name}))"]


def _record_step(shape: FieldShape, field: FieldDescriptor, names: dict[str, Any]) -> list[str]:
    name = shape.name
    names[f"key_{name}"] = shape.type, message_of(field)
    lines = [
        f"found_{name} = absent_{name}",
        f"if message.HasField({name!r}):",
        f"    found_{name} = readers[key_{name}](message.{name}, f'{{path}}.{name}', faults)",
    ]
    if _is_required(shape):
        names[f"missing_{name}"] = missing(shape)
        lines += ["else:", f"    faults.append(Violation(f'{{path}}.{name}', missing_{name}))"]
    return lines


def _records_step(shape: FieldShape, field: FieldDescriptor, names: dict[str, Any]) -> list[str]:
    name, most = shape.name, shape.length.length
    names[f"key_{name}"] = shape.type, message_of(field)
    too_many = f"f'{{len(items)}} items; at most {most} are taken'"
    return [
        f"found_{name}, items = (), message.{name}",
        f"if len(items) > {most}:",
        f"    faults.append(Violation(f'{{path}}.{name}', {too_many}))",
        "elif items:",
        f"    read = readers[key_{name}]",
        f"    found_{name} = tuple([",
        f"        read(item, f'{{path}}.{name}[{{at}}]', faults) for at, item in enumerate(items)",
        "    ])",
    ]


def _enum_step(shape: FieldShape, field: FieldDescriptor, names: dict[str, Any]) -> list[str]:
    name, found, enum = shape.name, f"found_{shape.name}", field.enum_type
    assert enum is not None, field.full_name
    members = {enum_number(enum, member.value): member for member in shape.type}
    legal = ", ".join(value.name for value in enum.values if value.number in members)
    names[f"note_{name}"] = partial(_note_number, legal)
    names[f"of_{name}"] = members if shape.repeated else {0: names[f"absent_{name}"], **members}
    if shape.repeated:
        return [
            f"{found} = tuple([of_{name}.get(number) for number in message.{name}])",
            f"if None in {found}:",
            f"    for at, number in enumerate(message.{name}):",
            f"        if number not in of_{name}:",
            f"            note_{name}(number, f'{{path}}.{name}[{{at}}]', faults)",
        ]
    wrong = "" if _is_required(shape) else f" and message.{name}"
    return [
        f"{found} = of_{name}.get(message.{name})",
        f"if {found} is None{wrong}:",
        f"    note_{name}(message.{name}, f'{{path}}.{name}', faults)",
    ]


def _note_number(legal: str, number: int, path: str, faults: list[Violation]) -> None:
    what = f"{number} is no value" if number else "missing"
    faults.append(Violation(path, f"{what}; give one of {legal}"))


def _union_step(shape: FieldShape, descriptor: Descriptor, names: dict[str, Any]) -> list[str]:
    name, oneof = shape.name, check_union(shape, descriptor)
    names[f"keys_{name}"] = {
        member: (cls, message_of(descriptor.fields_by_name[member]))
        for member, cls in shape.members.items()
    }
    lines = [
        f"found_{name}, chosen = absent_{name}, message.WhichOneof({oneof!r})",
        "if chosen is not None:",
        f"    read, inner = readers[keys_{name}[chosen]], getattr(message, chosen)",
        f"    found_{name} = read(inner, f'{{path}}.{{chosen}}', faults)",
    ]
    if _is_required(shape):
        names[f"missing_{name}"] = f"missing; set exactly one of {', '.join(shape.members)}"
        lines += ["else:", f"    faults.append(Violation(path, missing_{name}))"]
    return lines
