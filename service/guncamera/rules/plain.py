"""The core's dataclasses as plain data (dicts, lists, texts, numbers) and back.

The one spelling of facts, outcomes and boards in ledgers, exports and case files. A union is
spelt as its member's name: `{"torpedo_entry": {…}}`. Reading is strict: an unknown key, a
missing field or a wrong type is refused, with its path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache, partial
from typing import Any, TypeVar, get_args

from guncamera.rules.apart import Apart
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.shape import FieldShape, check, missing, shape_of, snake
from guncamera.rules.straight_line import function, maker

T = TypeVar("T")

_SCALARS: dict[str, type] = {"int": int, "bool": bool, "str": str}
_WANTED = {"int": "a whole number", "bool": "true or false", "str": "a text"}


Encode = Callable[[Any], dict[str, Any]]
_names: dict[type, str] = {}


class Encoders(dict[type, Encode]):
    """What writes a dataclass as plain data, by its class; made as it is needed."""

    def __missing__(self, cls: type) -> Encode:
        encoder = self[cls] = _make_encoder(cls)
        return encoder


class MemberEncoders(dict[type, Encode]):
    """What writes a member of a union under its name, by its class; made as it is needed."""

    def __missing__(self, cls: type) -> Encode:
        encoder = self[cls] = _make_encoder(cls, within=member_name(cls))
        return encoder


ENCODERS, MEMBER_ENCODERS = Encoders(), MemberEncoders()


def _as_it_is(place: Any) -> Any:
    return place


ENCODERS[Apart] = MEMBER_ENCODERS[Apart] = _as_it_is


def to_plain(value: Any) -> dict[str, Any]:
    """A dataclass as plain data. Fields that are None are left out; zeros are not."""
    return ENCODERS[type(value)](value)


def _make_encoder(cls: type, within: str = "") -> Encode:
    """Fields that are always there go into one display, up to the first that may be absent.

    Args:
        within: The name to put the whole under; empty for none.
    """
    names: dict[str, Any] = {"encode": ENCODERS, "encode_member": MEMBER_ENCODERS}
    always: list[str] = []
    lines: list[str] = []
    for shape in shape_of(cls):
        name = shape.name
        if not shape.optional and not lines:
            always.append(f"{name!r}: {_encoded(shape, f'value.{name}')}")
        elif not shape.optional:
            lines.append(f"plain[{name!r}] = {_encoded(shape, f'value.{name}')}")
        else:
            lines.append(f"if (found := value.{name}) is not None:")
            lines.append(f"    plain[{name!r}] = {_encoded(shape, 'found')}")
    plain = "{" + ", ".join(always) + "}"
    if lines:
        lines.insert(0, f"plain = {plain}")
        plain = "plain"
    lines.append(f"return {{{within!r}: {plain}}}" if within else f"return {plain}")
    return function(f"plain_{member_name(cls)}", "value", lines, names)


def _encoded(shape: FieldShape, value: str) -> str:
    """How one field is written."""
    one = {
        "record": "encode[type({0})]({0})",
        "union": "encode_member[type({0})]({0})",
        "enum": "{}._value_",
    }
    form = one.get(shape.kind, "{}")
    if not shape.repeated:
        return form.format(value)
    return f"[{form.format('item')} for item in {value}]" if form != "{}" else f"list({value})"


def union_to_plain(item: Any) -> dict[str, Any]:
    """A member of a union under its name."""
    return MEMBER_ENCODERS[type(item)](item)


def member_name(cls: type) -> str:
    """What a class is called as a member of a union: `torpedo_entry`."""
    name = _names.get(cls)
    if name is None:
        name = _names[cls] = snake(cls.__name__)
    return name


Decode = Callable[[Any], Any]
_decoders: dict[type, Decode] = {}


def restore(cls: type[T], data: Mapping[str, Any]) -> T:
    """As `from_plain`, but for data that this program wrote itself, and unchecked: it is fast.

    Raises:
        KeyError: The data are not those of `cls`.
    """
    decoder = _decoders.get(cls)
    if decoder is None:
        decoder = _decoders[cls] = _make_decoder(cls)
    return decoder(data)  # type: ignore[no-any-return]


def _make_decoder(cls: type) -> Decode:
    names: dict[str, Any] = {"make": maker(cls)}
    given: list[str] = []
    for shape, field in zip(shape_of(cls), fields(cls)):
        name = shape.name
        decode = names[f"decode_{name}"] = _decoder(shape)
        form = "{}" if decode is None else f"decode_{name}({{}})"
        place = f"{name}=" if field.kw_only else ""
        if not (shape.optional or shape.default):
            given.append(f"{place}{form.format(f'data[{name!r}]')},")
            continue
        absent = f"absent_{name}"
        names[absent] = None if field.default is MISSING else field.default
        if field.default_factory is not MISSING:
            names[absent], absent = field.default_factory, f"{absent}()"
        found = form.format("found")
        given.append(f"{place}{absent} if (found := get({name!r})) is None else {found},")
    body = ["get = data.get", "return make(", *(f"    {one}" for one in given), ")"]
    return function(f"restore_{member_name(cls)}", "data", body, names)


def restore_member(union: Any, data: Mapping[str, Any]) -> Any:
    """The inverse of `union_to_plain`, for data that this program wrote itself, and unchecked."""
    return _member_restorer(members_of(union))(data)


@cache
def members_of(union: Any) -> Mapping[str, type]:
    """The classes of a union by their names in plain data."""
    return {member_name(member): member for member in get_args(union) or (union,)}


def _decoder(shape: FieldShape) -> Decode | None:
    """How one field is read; None where the value is as it was written."""
    one: Decode | None = None
    if shape.kind == "record":
        one = partial(restore, shape.type)
    elif shape.kind == "union":
        one = _member_restorer(shape.members)
    elif shape.kind == "enum":
        one = {member.value: member for member in shape.type}.__getitem__
    if not shape.repeated:
        return one
    return tuple if one is None else partial(_all, one)


def _all(decode: Decode, items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(map(decode, items))


def _member_restorer(members: Mapping[str, type]) -> Decode:
    def restored(data: Mapping[str, Any]) -> Any:
        ((name, inner),) = data.items()
        return restore(members[name], inner)

    return restored


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
                    faults.append(Violation(here, missing(shape)))
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
        faults.append(Violation(path, f"{_WANTED[shape.kind]} is wanted, not {_type(found)}"))
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
    return {
        "NoneType": "nothing",
        "dict": "an object",
        "list": "a list",
        "int": "a whole number",
        "float": "a fraction",
        "bool": "true or false",
        "str": "a text",
    }.get(type(value).__name__, type(value).__name__)


def flat(value: Any) -> dict[str, Any]:
    """A dataclass by dotted field, each value as traces spell it: `{"fate.end": "crashed"}`.

    Of a list the items stand in a row, records among them as JSON.

    A place of the odds' that is kept apart stays as it is, one of several under its number.
    """
    found: dict[str, Any] = {}
    _flatten(to_plain(value), "", found)
    return found


def _flatten(plain: Mapping[str, Any], prefix: str, found: dict[str, Any]) -> None:
    for name, value in plain.items():
        if isinstance(value, Mapping):
            _flatten(value, f"{prefix}{name}.", found)
        elif isinstance(value, Apart):
            found[prefix + name] = value
        elif isinstance(value, list) and any(isinstance(item, Apart) for item in value):
            _flatten({f"{name}[{at}]": item for at, item in enumerate(value)}, prefix, found)
        elif isinstance(value, list):
            found[prefix + name] = ", ".join(_spelt(item) for item in value)
        else:
            found[prefix + name] = _spelt(value)


def _spelt(value: Any) -> str:
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
