"""The core's dataclasses as plain data (dicts, lists, texts, numbers) and back.

The one spelling of facts, outcomes and boards in ledgers, exports and case files. A union is
spelt as its member's name: `{"torpedo_entry": {…}}`. Reading is strict: an unknown key, a
missing field or a wrong type is refused, with its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, get_args

from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.shape import FieldShape, check, shape_of, snake

T = TypeVar("T")

_SCALARS: dict[str, type] = {"int": int, "bool": bool, "str": str}


def to_plain(value: Any) -> dict[str, Any]:
    """A dataclass as plain data. Fields that are None are left out; zeros are not."""
    plain: dict[str, Any] = {}
    for shape in shape_of(type(value)):
        found = getattr(value, shape.name)
        if found is None:
            continue
        if shape.repeated:
            plain[shape.name] = [_to_one(shape, item) for item in found]
        else:
            plain[shape.name] = _to_one(shape, found)
    return plain


def _to_one(shape: FieldShape, item: Any) -> Any:
    if shape.kind == "record":
        return to_plain(item)
    if shape.kind == "union":
        return union_to_plain(item)
    return item.value if shape.kind == "enum" else item


def union_to_plain(item: Any) -> dict[str, Any]:
    """A member of a union under its name."""
    return {snake(type(item).__name__): to_plain(item)}


def from_plain(cls: type[T], data: Any, path: str = "") -> T:
    """Plain data as a dataclass, held to its limits.

    Raises:
        Malformed: Every fault found, by path.
    """
    faults: list[Violation] = []
    value = _record(cls, data, path, faults)
    if faults:
        raise Malformed(f"{faults[0].field}: {faults[0].description}.", violations=faults)
    check(value, path)
    return value  # type: ignore[no-any-return]  # a T, unless there were faults


def _record(cls: type, data: Any, path: str, faults: list[Violation]) -> Any:
    if not isinstance(data, Mapping):
        faults.append(Violation(path, f"an object is wanted, not {_type(data)}"))
        return None
    shapes = shape_of(cls)
    known = {shape.name for shape in shapes}
    faults += [Violation(_join(path, k), "unknown field") for k in data if k not in known]
    before = len(faults)
    values: dict[str, Any] = {}
    for shape in shapes:
        here = _join(path, shape.name)
        if shape.name not in data or data[shape.name] is None:
            if not shape.default:
                if shape.optional:
                    values[shape.name] = None
                elif shape.repeated:
                    values[shape.name] = ()
                else:
                    faults.append(Violation(here, "missing"))
            continue
        found = data[shape.name]
        if not shape.repeated:
            values[shape.name] = _one(shape, found, here, faults)
        elif isinstance(found, list | tuple):
            values[shape.name] = tuple(
                _one(shape, item, f"{here}[{i}]", faults) for i, item in enumerate(found)
            )
        else:
            faults.append(Violation(here, f"a list is wanted, not {_type(found)}"))
    return cls(**values) if len(faults) == before else None


def _one(shape: FieldShape, found: Any, path: str, faults: list[Violation]) -> Any:
    if shape.kind == "record":
        return _record(shape.type, found, path, faults)
    if shape.kind == "union":
        return _member(shape, found, path, faults)
    if shape.kind == "enum":
        legal = [member.value for member in shape.type]
        if found not in legal:
            faults.append(Violation(path, f"{found!r} is not one of {', '.join(legal)}"))
            return None
        return shape.type(found)
    if type(found) is not _SCALARS[shape.kind]:
        faults.append(Violation(path, f"{shape.kind} is wanted, not {_type(found)}"))
        return None
    return found


def _member(shape: FieldShape, found: Any, path: str, faults: list[Violation]) -> Any:
    names = ", ".join(shape.members)
    if not isinstance(found, Mapping) or len(found) != 1:
        faults.append(Violation(path, f"an object with exactly one of {names} is wanted"))
        return None
    (name, inner), *_ = found.items()
    if name not in shape.members:
        faults.append(Violation(_join(path, name), f"unknown; give one of {names}"))
        return None
    return _record(shape.members[name], inner, _join(path, name), faults)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _type(value: Any) -> str:
    return {"NoneType": "nothing", "dict": "an object", "list": "a list"}.get(
        type(value).__name__, type(value).__name__
    )


def union_from_plain(union: Any, data: Any, path: str = "") -> Any:
    """The inverse of `union_to_plain`, for a union of dataclasses.

    Raises:
        Malformed: The name is none of the union's, or its content is wrong.
    """
    members = {snake(member.__name__): member for member in get_args(union) or (union,)}
    if not isinstance(data, Mapping) or len(data) != 1 or next(iter(data)) not in members:
        raise Malformed(f"one of {', '.join(members)} is wanted", field=path)
    ((name, inner),) = data.items()
    return from_plain(members[name], inner, _join(path, name))


def flat(value: Any) -> dict[str, str]:
    """A dataclass by dotted field, each value as traces spell it: `{"fate.end": "crashed"}`."""
    found: dict[str, str] = {}
    _flatten(to_plain(value), "", found)
    return found


def _flatten(plain: Mapping[str, Any], prefix: str, found: dict[str, str]) -> None:
    for name, value in plain.items():
        if isinstance(value, Mapping):
            _flatten(value, f"{prefix}{name}.", found)
        elif isinstance(value, list):
            found[prefix + name] = ", ".join(str(item) for item in value)
        elif isinstance(value, bool):
            found[prefix + name] = "yes" if value else "no"
        else:
            found[prefix + name] = str(value)
