"""The shape of the core's dataclasses, read off their annotations once.

Facts, orders, outcomes, events, boards and settings are frozen dataclasses whose fields are
whole numbers, truths, texts, `StrEnum`s, tuples of one kind, other such dataclasses, or a union
of dataclasses (a choice of one). The ledger, the wire and the case files all follow this shape,
by field name; a member of a union goes by its class name in snake case.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.straight_line import function

Kind = Literal["int", "bool", "str", "enum", "record", "union"]


@dataclass(frozen=True, slots=True)
class Between:
    """Limits of a whole number, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """The largest length of a text or a tuple."""

    length: int


TEXT = AtMost(200)
ITEMS = AtMost(100)
INT32 = Between(-(2**31), 2**31 - 1)


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One field.

    Attributes:
        kind: What one value is.
        type: The class of an enum or record; None for a union or a plain value.
        members: A union's classes by their snake-case name.
        optional: None is allowed, and means not given.
        repeated: The field is a tuple of such values.
        default: Whether the dataclass has a default.
    """

    name: str
    kind: Kind
    type: Any
    members: dict[str, type]
    optional: bool
    repeated: bool
    default: bool
    limit: Between
    length: AtMost


def snake(name: str) -> str:
    """`TorpedoEntry` as `torpedo_entry`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


_SHAPES: dict[Any, tuple[FieldShape, ...]] = {}


def shape_of(cls: Any) -> tuple[FieldShape, ...]:
    """The fields of a dataclass, in order.

    Raises:
        TypeError: An annotation is none of the kinds above.
    """
    found = _SHAPES.get(cls)
    if found is None:
        hints = get_type_hints(cls, include_extras=True)
        found = _SHAPES[cls] = tuple(
            _field(
                f.name,
                hints[f.name],
                default=f.default is not MISSING or f.default_factory is not MISSING,
            )
            for f in fields(cls)
        )
    return found


def _field(name: str, hint: Any, *, default: bool) -> FieldShape:
    limit, length, repeated = INT32, None, False
    hint, notes = _unannotated(hint)
    optional = False
    if get_origin(hint) in (Union, types.UnionType):
        arms = [arm for arm in get_args(hint) if arm is not type(None)]
        optional = len(arms) < len(get_args(hint))
        hint = arms[0] if len(arms) == 1 else Union[tuple(arms)]  # noqa: UP007  # made at run time
        hint, more = _unannotated(hint)
        notes += more
    if get_origin(hint) is tuple:
        repeated = True
        hint, more = _unannotated(get_args(hint)[0])
        notes += more
    for note in notes:
        if isinstance(note, Between):
            limit = note
        elif isinstance(note, AtMost):
            length = note
    kind, cls, members = _kind(name, hint)
    return FieldShape(
        name,
        kind,
        cls,
        members,
        optional,
        repeated,
        default,
        limit,
        length or (ITEMS if repeated else TEXT),
    )


def _unannotated(hint: Any) -> tuple[Any, list[Any]]:
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return inner, notes
    return hint, []


def _kind(name: str, hint: Any) -> tuple[Kind, type | None, dict[str, type]]:
    if hint is bool:
        return "bool", None, {}
    if hint is int:
        return "int", None, {}
    if hint is str:
        return "str", None, {}
    if get_origin(hint) in (Union, types.UnionType):
        return "union", None, {snake(member.__name__): member for member in get_args(hint)}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "enum", hint, {}
    if isinstance(hint, type) and is_dataclass(hint):
        return "record", hint, {}
    raise TypeError(f"field {name}: {hint!r} has no shape")


def missing(shape: FieldShape) -> str:
    """What to say of a plain field that has no default and is left out."""
    if shape.kind == "int" and shape.limit == INT32:
        return "missing; give a whole number"
    if shape.kind == "int":
        return f"missing; give {shape.limit.low} to {shape.limit.high}"
    if shape.kind == "enum":
        return f"missing; give one of {', '.join(member.value for member in shape.type)}"
    if shape.kind == "record":
        return f"missing; give {_least(shape.type)}"
    return {"bool": "missing; give true or false", "str": "missing; give a text"}.get(
        shape.kind, "missing"
    )


def _least(cls: type) -> str:
    """What a record holds at least; a union goes by its members, as on the wire."""
    needed = [
        f"one of {', '.join(field.members)}" if field.kind == "union" else field.name
        for field in shape_of(cls)
        if not (field.default or field.optional or field.repeated)
    ]
    return f"an object with {', '.join(needed)}" if needed else "an object, if only {}"


def check(value: Any, path: str = "", *, unions_named: bool = True) -> None:
    """Hold a dataclass to the limits its annotations state.

    Args:
        path: Where it stands; put before the paths of its fields.
        unions_named: Whether a member of a union is reached through the union's field, as in
            plain data; on the wire a oneof has no name, and its members stand in its place.

    Raises:
        Malformed: Every field outside its limits, by path.
    """
    if is_within(value):
        return
    faults: list[Violation] = []
    _check(value, path, faults, unions_named)
    raise Malformed(f"{faults[0].field}: {faults[0].description}.", violations=faults)


_tests: dict[type, Callable[[Any], bool]] = {}


def is_within(value: Any) -> bool:
    """Whether every field of a dataclass is within its limits."""
    cls = type(value)
    test = _tests.get(cls)
    if test is None:
        test = _tests[cls] = _make_test(cls)
    return test(value)


def _make_test(cls: type) -> Callable[[Any], bool]:
    names: dict[str, Any] = {"is_within": is_within}
    parts = [part for shape in shape_of(cls) for part in _limits(shape)]
    return function(
        f"is_{cls.__name__}_within", "value", [f"return {' and '.join(parts) or 'True'}"], names
    )


def _limits(shape: FieldShape) -> list[str]:
    """What has to hold of one field, as expressions; see `_check_one`."""
    field = f"value.{shape.name}"
    low, high, length = shape.limit.low, shape.limit.high, shape.length.length
    form = {
        "int": f"{low} <= {{}} <= {high}",
        "str": "" if shape.repeated else f"len({{}}) <= {length}",
        "record": "is_within({})",
        "union": "is_within({})",
    }.get(shape.kind, "")
    if shape.repeated:
        parts = [f"len({field}) <= {length}"]
        if form:
            parts.append(f"all([{form.format('item')} for item in {field}])")
    else:
        parts = [form.format(field)] if form else []
    return [f"({field} is None or {part})" for part in parts] if shape.optional else parts


def _check(value: Any, path: str, faults: list[Violation], unions_named: bool) -> None:
    for shape in shape_of(type(value)):
        here = f"{path}.{shape.name}" if path else shape.name
        found = getattr(value, shape.name)
        if found is None:
            continue
        if shape.repeated and len(found) > shape.length.length:
            text = f"{len(found)} items; at most {shape.length.length} are taken"
            faults.append(Violation(here, text))
            continue
        if shape.kind == "union" and not unions_named:
            here = path
        for at, item in enumerate(found if shape.repeated else (found,)):
            place = f"{here}[{at}]" if shape.repeated else here
            _check_one(shape, item, place, faults, unions_named)


def _check_one(
    shape: FieldShape,
    item: Any,
    path: str,
    faults: list[Violation],
    unions_named: bool,
) -> None:
    if shape.kind == "int" and not shape.limit.low <= item <= shape.limit.high:
        text = f"{item} is out of range; give {shape.limit.low} to {shape.limit.high}"
        faults.append(Violation(path, text))
    elif shape.kind == "str" and not shape.repeated and len(item) > shape.length.length:
        text = f"{len(item)} characters; at most {shape.length.length} are taken"
        faults.append(Violation(path, text))
    elif shape.kind == "record":
        _check(item, path, faults, unions_named)
    elif shape.kind == "union":
        name = snake(type(item).__name__)
        _check(item, f"{path}.{name}" if path else name, faults, unions_named)
