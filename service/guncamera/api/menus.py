"""The names that orders, set-ups and facts are written with, read off the descriptors.

A client fills its menus with them: enums with their comments, and codes as a rule set explains
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from guncamera.api.openapi_schemas import comments
from guncamera.rules.ruleset import Ruleset, ruleset
from guncamera.v1 import actions_pb2
from guncamera.v1 import ruleset_service_pb2 as pb


@cache
def menus(slug: str) -> tuple[pb.Menu, ...]:
    """The menus of a rule set, those of orders first, then of set-ups, then of facts."""
    found = ruleset(slug)
    made: dict[str, pb.Menu] = {}
    for field in _fields(found):
        enum = field.enum_type
        if enum is not None:
            name, about = enum.name, comments()[enum.full_name]
            stated = enum.values[1:]
            items = {one.name: comments()[f"{enum.full_name}.{one.name}"] for one in stated}
        elif codes := found.codes.get(_named(field).removeprefix(slug.title())):
            name, about, items = _named(field), comments()[field.full_name], dict(codes)
        else:
            continue
        if name not in made:
            made[name] = pb.Menu(name=name, description=about)
            for one, means in items.items():
                made[name].items.add(name=one, description=means)
        made[name].fields.append(_named(field))
    return tuple(made.values())


def _fields(found: Ruleset) -> Iterator[FieldDescriptor]:
    """Every field of what a caller writes, once."""
    wanted = [f"{verb.value.title()}Order" for verb in found.procedures]
    wanted += ["SessionSetup"]
    wanted += [f"{verb.value.title()}Facts" for verb in found.procedures]
    seen: set[str] = set()
    for name in wanted:
        line = actions_pb2.DESCRIPTOR.message_types_by_name[name].fields_by_name[found.slug]
        yield from _within(line.message_type, seen)


def _within(message: Descriptor | None, seen: set[str]) -> Iterator[FieldDescriptor]:
    if message is None or message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        yield field
        yield from _within(field.message_type, seen)


def _named(field: FieldDescriptor) -> str:
    assert field.containing_type is not None, f"{field.full_name} is of no message"
    return f"{field.containing_type.name}.{field.name}"
