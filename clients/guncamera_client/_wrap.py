"""A rule set's own message put into the one that the call takes, found by its type.

`FireFacts(kettering=KetteringFireFacts(…))` is what goes over the wire; `KetteringFireFacts(…)`
is what people write. The way from one to the other is read off the descriptors, so no rule set is
named here, and a new one needs no change.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
Path: TypeAlias = tuple[str, ...]

# A question of a batch holds its facts in this field rather than in a oneof.
FACTS_FIELD = "facts"


def wrap(value: Message, into: type[M]) -> M:
    """Put a message into one that can hold it, by the only way there is.

    Args:
        value: A message of type `into`, which is returned as it is, or one that it can hold.
        into: What the call takes.

    Raises:
        TypeError: `into` cannot hold it, or in more than one place.
    """
    if isinstance(value, into):
        return value
    if not isinstance(value, Message):
        raise TypeError(f"{value!r} is no message; {_takes(into)}.")
    wanted = value.DESCRIPTOR
    ways = _ways(into.DESCRIPTOR).get(wanted.full_name, ())
    if not ways:
        raise TypeError(f"{wanted.name} has no place here; {_takes(into)}.")
    if len(ways) > 1:
        choices = " or ".join(".".join(way) for way in ways)
        raise TypeError(
            f"{wanted.name} could be {choices} of {into.DESCRIPTOR.name}; say which by "
            f"giving a {into.DESCRIPTOR.name}."
        )
    whole = into()
    place: Message = whole
    for field in ways[0]:
        place = getattr(place, field)
    place.CopyFrom(value)  # which sets it even where there is nothing in it to copy
    return whole


def wrap_given(value: Message | None, into: type[M]) -> M | None:
    """As `wrap`; None stays None."""
    return None if value is None else wrap(value, into)


def empty_of_ruleset(into: type[M], ruleset: str) -> M:
    """The message of a rule set with nothing in it: `FireOrder(kettering=KetteringFireOrder())`.

    Args:
        into: A message that holds one field for each rule set.
        ruleset: `rulesets/{slug}`; the slug is the field's name.

    Raises:
        ValueError: this version of the client does not know the rule set.
    """
    slug = ruleset.removeprefix("rulesets/")
    if slug not in into.DESCRIPTOR.fields_by_name:
        raise ValueError(
            f"This client knows no {into.DESCRIPTOR.name} of {ruleset!r}; "
            "install a newer one, or give the order."
        )
    whole = into()
    place: Message = getattr(whole, slug)
    place.SetInParent()
    return whole


@cache
def _ways(whole: Descriptor) -> dict[str, tuple[Path, ...]]:
    """Every message that `whole` can hold, and the fields that lead to it."""
    found: dict[str, list[Path]] = {}
    _search(whole, (), found, ())
    return {name: tuple(ways) for name, ways in found.items()}


def _search(
    within: Descriptor, way: Path, found: dict[str, list[Path]], above: tuple[Descriptor, ...]
) -> None:
    if within in above:
        return
    for field in within.fields:
        inner = field.message_type
        if inner is not None and _is_choice(field):
            here = (*way, field.name)
            found.setdefault(inner.full_name, []).append(here)
            _search(inner, here, found, (*above, within))


def _is_choice(field: FieldDescriptor) -> bool:
    choice = field.containing_oneof
    # protoc puts every `optional` field into a choice of its own, whose name starts like this.
    is_real = choice is not None and not choice.name.startswith("_")
    return is_real or field.name == FACTS_FIELD


def _takes(kind: type[Message]) -> str:
    names = dict.fromkeys(name.rpartition(".")[2] for name in _ways(kind.DESCRIPTOR))
    return f"give a {kind.DESCRIPTOR.name}, or one of {', '.join(names)}"
