"""The fields that a refusal names, as paths into the request as the caller wrote it.

The rules name fields of their facts, a survey names those of its order, a book its settings; none
of them knows the request that these came in. So paths are completed here, for all calls alike.

In a session the caller wrote an order, and a survey made the facts from it. A path into such facts
is told only where it leads into the order: through a record that the survey handed on, or by the
name of what a procedure's facts took from the order. A value that lies deeper may be the board's;
it is told only if the refusal mentions what the order gives there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from guncamera.api.copied_fields import copied_fields
from guncamera.rules.refusal import Fact, Malformed, Refusal, Violation

RULESET = "ruleset"
SETTINGS, ORDER = "settings", "Order"
_PART = re.compile(r"([a-z0-9_]+)(?:\[(\d+)\])?")


def as_written(refusal: Refusal, request: Message, before: str = "") -> Refusal:
    """A refusal that names fields of a request.

    Args:
        request: The message that the refusal is about.
        before: The path to that message, where it stands in another: `items[3].fire`.

    Returns:
        The refusal, or one like it whose fields are paths into the request. A field that the
        request does not have is left out.
    """
    asked = _Asked(request, before, refusal.facts, refusal.surveyed)
    made = _like(refusal)
    made.field = asked.path(refusal.field)
    named = refusal.field
    if isinstance(refusal, Malformed) and isinstance(made, Malformed):
        made.violations = tuple(
            Violation(asked.path(one.field), asked.text(one.description, one.field), one.rule_id)
            for one in refusal.violations
        )
        named = named or refusal.violations[0].field
    made.message = asked.text(refusal.message, named)
    made.args = (made.message,)
    return made


def _like(refusal: Refusal) -> Refusal:
    """One with the same attributes; one refusal may be told of several requests."""
    kind = type(refusal)
    made = kind.__new__(kind)
    made.__dict__.update(refusal.__dict__)
    return made.with_traceback(refusal.__traceback__)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that was refused, where it stands, and the values that the refusal mentions."""

    request: Message
    before: str
    mentioned: Mapping[str, Fact]
    surveyed: tuple[Any, Any] | None

    def path(self, field: str) -> str:
        """Where a field stands; empty if the request has none such."""
        found = self._place(field) if field else ""
        return f"{self.before}.{found}" if found and self.before else found

    def text(self, text: str, field: str) -> str:
        """A text about a field, which may begin with it."""
        if not field or not text.startswith(f"{field}: "):
            return text
        path, rest = self.path(field), text.removeprefix(f"{field}: ")
        return f"{path}: {rest}" if path else rest[:1].upper() + rest[1:]

    def _place(self, field: str) -> str:
        if leads(self.request, field):
            return field
        head, _, rest = field.partition(".")
        if head in self.request.DESCRIPTOR.oneofs_by_name:
            # A choice that was not made is told by the choice's own name.
            return "" if rest else self.request.WhichOneof(head) or head
        for root, inner in _of_rulesets(self.request):
            for place in self._places(field, root, inner):
                if leads(self.request, place):
                    return place
        return ""

    def _places(self, field: str, root: str, inner: Any) -> Iterator[str]:
        """Where a field may stand in what was brought for a rule set."""
        wrapper = root.partition(".")[0]
        head, _, rest = field.partition(".")
        if head == wrapper:
            yield f"{root}.{rest}"
        elif wrapper != SETTINGS:
            yield f"{root}.{field}"
            if inner.DESCRIPTOR.name.endswith(ORDER):
                yield from self._in_order(field, root, inner)

    def _in_order(self, field: str, root: str, order: Any) -> Iterator[str]:
        """Where a field of the facts that were made from an order may stand in the order."""
        chosen = [order.WhichOneof(oneof) for oneof in order.DESCRIPTOR.oneofs_by_name]
        starts = [root, *(f"{root}.{member}" for member in chosen if member is not None)]
        parts = field.split(".")
        yield from (f"{start}.{field}" for start in starts)
        if self.surveyed is not None:
            yield from (f"{root}.{place}" for place in copied_fields(field, *self.surveyed))
        yield from (f"{start}.{'.'.join(parts[1:])}" for start in starts)
        for at in range(2, len(parts)):
            for start in starts:
                place = f"{start}.{'.'.join(parts[at:])}"
                if leads(self.request, place) and self._is_mentioned(place):
                    yield place

    def _is_mentioned(self, place: str) -> bool:
        """Whether the refusal mentions the value that stands there, by the field's name."""
        *above, name = place.split(".")
        at: Any = self.request
        for part in above:
            at = getattr(at, part, None)
        return name in self.mentioned and self.mentioned[name] == getattr(at, name, None)


def _of_rulesets(request: Message) -> Iterator[tuple[str, Message]]:
    """What a request brings for a rule set: its path with the rule set's name, and the message."""
    for field, value in request.ListFields():
        kind = None if field.is_repeated else field.message_type
        if kind is not None and RULESET in kind.oneofs_by_name:
            slug = value.WhichOneof(RULESET)
            if slug is not None:
                yield f"{field.name}.{slug}", getattr(value, slug)


def leads(request: Message, path: str) -> bool:
    """Whether a path leads to a field of a message, and past no choice that was not made."""
    at: Any = request
    kind: Any
    kind, parts = request.DESCRIPTOR, path.split(".")
    for number, part in enumerate(parts, 1):
        read = _PART.fullmatch(part)
        field = kind.fields_by_name.get(read[1]) if read and kind else None
        if read is None or field is None or not _may_stand(at, field):
            return False
        one_of_many = read[2] is not None
        if one_of_many != field.is_repeated and (one_of_many or number < len(parts)):
            return False
        at, kind = _inside(at, field, read[2]), field.message_type
    return True


def _may_stand(at: Any, field: Any) -> bool:
    """Whether a field is the one chosen of its oneof; an optional field is no choice."""
    oneof = field.containing_oneof
    if at is None or oneof is None or len(oneof.fields) == 1:
        return True
    return bool(at.WhichOneof(oneof.name) == field.name)


def _inside(at: Any, field: Any, index: str | None) -> Any:
    """The message in a field; None where there is none to look into."""
    if at is None or field.message_type is None:
        return None
    found = getattr(at, field.name)
    if not field.is_repeated:
        return found
    return found[int(index)] if index is not None and int(index) < len(found) else None
