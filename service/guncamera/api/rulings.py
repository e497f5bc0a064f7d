"""Rulings to and from messages: facts, settings and dice in; outcome, trace and events out."""

from __future__ import annotations

from typing import Any, get_args

from google.protobuf.message import Message

from guncamera.api import wire
from guncamera.api.octets import enum_number, merge
from guncamera.api.written_actions import ruling_octets
from guncamera.rules.book import AnyBook
from guncamera.rules.dice import Ask, Roll
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Begun, Procedure, Ruleset, Verb, ruleset
from guncamera.rules.settings import SettingValue
from guncamera.rules.shape import snake
from guncamera.rules.trace import TraceLine
from guncamera.rules.variant import Variants
from guncamera.sessions.books import book_with
from guncamera.sessions.refusals import RulesVersionChanged
from guncamera.sessions.resolution import check_faces
from guncamera.sessions.session import DiceSource
from guncamera.v1 import actions_pb2, dice_pb2, ruling_pb2, session_service_pb2

_SOURCES = {
    source: enum_number(dice_pb2.DESCRIPTOR.enum_types_by_name["DiceSource"], source.value)
    for source in DiceSource
}
_TRACE_LINES = {snake(line.__name__): line for line in get_args(TraceLine)}


def chosen(message: Message, oneof: str, path: str) -> str:
    """Which field of a oneof is set.

    Raises:
        Malformed: None is.
    """
    name = message.WhichOneof(oneof)
    if name is None:
        names = [field.name for field in message.DESCRIPTOR.oneofs_by_name[oneof].fields]
        wanted = names[0] if len(names) == 1 else f"exactly one of {', '.join(names)}"
        raise Malformed(f"{path}: missing; set {wanted}.", field=path)
    return str(name)


def read_facts(message: Message, verb: Verb, path: str) -> tuple[Ruleset, Procedure, Any]:
    """The rule set, the procedure and the facts of a stateless call."""
    found = ruleset(chosen(message, "ruleset", path))
    procedure = found.procedure(verb)
    facts: Any = wire.read_asked(
        getattr(message, found.slug), procedure.facts, f"{path}.{found.slug}"
    )
    return found, procedure, facts


def read_settings(message: actions_pb2.RulesetSettings, found: Ruleset) -> dict[str, SettingValue]:
    """The settings a call brings, for its rule set; unset ones are absent.

    Raises:
        Malformed: They are another rule set's.
    """
    name = message.WhichOneof("ruleset")
    if name is None:
        return {}
    if name != found.slug:
        raise Malformed(
            f"These settings are for {name}, and the call is about {found.slug}.",
            field=f"settings.{name}",
        )
    return wire.present(getattr(message, name))


def read_book(request: Any, found: Ruleset, variants: Variants) -> AnyBook:
    """The book a stateless call wants: variant, settings, and the rules version it relies on.

    Raises:
        VariantUnknown: It asks for a variant that is not here.
        RulesVersionChanged: It relies on another version.
        Malformed: A setting is wrong.
    """
    book = variants.book_of(found, request.variant)
    book = book_with(book, read_settings(request.settings, found))
    if request.HasField("rules_version") and request.rules_version != book.rules_version:
        raise RulesVersionChanged(
            f"You rely on rules version {request.rules_version}; this service rules by "
            f"{book.rules_version}.",
            field="rules_version",
            asked_version=request.rules_version,
            service_version=book.rules_version,
        )
    return book


def read_dice(policy: dice_pb2.DicePolicy) -> tuple[int, ...] | None:
    """The faces supplied, or None where the service is to draw."""
    if policy.WhichOneof("source") != "supplied":
        return None
    faces = tuple(policy.supplied.faces)
    check_faces(faces)
    return faces


def fill_outcome(message: Message, slug: str, outcome: Any) -> None:
    """Write an outcome into a message that has a oneof of rule sets."""
    inner = getattr(message, slug)
    inner.SetInParent()
    wire.fill(inner, outcome)


def fill_ruling(
    message: Any, slug: str, trace: tuple[TraceLine, ...], events: tuple[Any, ...]
) -> None:
    """Write trace and events into a message that has both."""
    merge(message, ruling_octets(message.DESCRIPTOR, slug, trace, events))


def fill_rolls(message: Any, rolls: tuple[Roll, ...], source: DiceSource | None) -> None:
    """Write the dice that fell, and where they came from."""
    for roll in rolls:
        wire.fill(message.rolls.add(), roll)
    if source is not None:
        message.dice_source = _SOURCES[source]


def fill_ask(message: dice_pb2.RollRequired, ask: Ask[Any]) -> None:
    """Write dice that are wanted."""
    message.purpose = ask.purpose
    message.sides.extend(ask.dice)
    message.reading = ask.read.describe()
    message.rule_id = ask.rule_id


def fill_begun(message: session_service_pb2.BegunOrder, begun: Begun) -> None:
    """Write what may follow an order that is begun."""
    message.so_far, message.points_left = begun.so_far, begun.points_left
    message.whole = begun.order is not None
    for code in begun.next:
        message.next_codes.add(
            code=code.code,
            summary=code.summary,
            points=code.points,
            points_left=code.points_left,
            may_end=code.may_end,
        )


def read_line(message: ruling_pb2.TraceLine, path: str) -> TraceLine:
    """A trace line from its message."""
    name = chosen(message, "line", path)
    line: TraceLine = wire.read(getattr(message, name), _TRACE_LINES[name], f"{path}.{name}")
    return line


def read_event(message: actions_pb2.Event, found: Ruleset, path: str) -> Any:
    """An event from its message."""
    inner = getattr(message, found.slug)
    ((oneof, _),) = inner.DESCRIPTOR.oneofs_by_name.items()
    name = chosen(inner, oneof, f"{path}.{found.slug}")
    members = {snake(member.__name__): member for member in get_args(found.event)}
    return wire.read(getattr(inner, name), members[name], f"{path}.{found.slug}.{name}")
