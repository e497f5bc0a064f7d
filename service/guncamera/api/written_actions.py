"""Actions and rulings in protobuf's wire format, written in one go."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.timestamp_pb2 import Timestamp

from guncamera.api.names import action_name
from guncamera.api.octets import (
    MemberWriters,
    Writer,
    Writers,
    member_writers,
    message_of,
    sized,
    tag_of,
    writers,
)
from guncamera.rules.dice import Roll
from guncamera.rules.ruleset import Verb
from guncamera.rules.straight_line import quick
from guncamera.rules.trace import TraceLine
from guncamera.sessions.session import Action, DiceSource, Record, etag_of
from guncamera.v1 import session_service_pb2 as pb

_ACTION = pb.Action.DESCRIPTOR
_CREATE_TIME = tag_of(_ACTION.fields_by_name["create_time"])


@quick
@dataclass(frozen=True, slots=True)
class WrittenAction:
    """An answer that needs no message any more: an action's octets, and its revision."""

    revision: int
    octets: bytes

    def SerializeToString(self) -> bytes:  # noqa: N802  # as messages have it
        """The octets."""
        return self.octets


@quick
@dataclass(frozen=True, slots=True)
class _Head:
    """The plain fields of an action's message."""

    name: str
    revision: int
    seat: str
    summary: str
    rules_version: int
    etag: str
    rolls: tuple[Roll, ...]
    dice_source: DiceSource | None
    client_nonce: str | None
    by_default: bool | None


def write_action(record: Record, action: Action) -> WrittenAction:
    """Write an action, already filtered for the seat that asks; a preview has no name."""
    revision = action.revision
    name, etag = (action_name(record.id, revision), etag_of(revision)) if revision else ("", "")
    head = _Head(
        name, revision, action.seat, action.summary, action.rules_version, etag, action.rolls,
        action.dice_source, action.client_nonce or None, action.by_default or None,
    )  # fmt: skip
    slug, order, outcome = record.ruleset.slug, action.order, action.outcome
    orders, outcomes = _writers_of(slug, action.verb)
    octets = "".join(
        (
            _write_head(head),
            "" if order is None else orders[type(order)](order),
            "" if outcome is None else outcomes[type(outcome)](outcome),
            ruling_octets(_ACTION, slug, action.trace, action.events),
            _create_time(action.create_micros) if revision else "",
        )
    )
    return WrittenAction(revision, octets.encode("latin-1"))


_write_head: Writer = writers(_ACTION)[_Head]


@cache
def _writers_of(slug: str, verb: Verb) -> tuple[Writers, Writers]:
    """What writes a rule set's orders and outcomes of a verb as fields of an action."""
    return outcome_writers(_ACTION, verb.value, slug), outcome_writers(
        _ACTION, f"{verb.value}_outcome", slug
    )


@cache
def outcome_writers(message: Descriptor, name: str, slug: str) -> Writers:
    """What writes a rule set's dataclasses into a field that has a oneof of rule sets."""
    field = message.fields_by_name[name]
    of_ruleset = message_of(field).fields_by_name[slug]
    return writers(message_of(of_ruleset), tag_of(of_ruleset), tag_of(field))


def ruling_octets(
    message: Descriptor, slug: str, trace: tuple[TraceLine, ...], events: tuple[Any, ...]
) -> str:
    """Trace and events as fields of a message that has both."""
    lines, changes = _ruling_writers(message, slug)
    written = [lines[type(line)](line) for line in trace]
    written += [changes[type(event)](event) for event in events]
    return "".join(written)


@cache
def _ruling_writers(message: Descriptor, slug: str) -> tuple[MemberWriters, MemberWriters]:
    trace, events = message.fields_by_name["trace"], message.fields_by_name["events"]
    of_ruleset = message_of(events).fields_by_name[slug]
    return (
        member_writers(message_of(trace), tag_of(trace)),
        member_writers(message_of(of_ruleset), tag_of(of_ruleset), tag_of(events)),
    )


def _create_time(micros: int) -> str:
    seconds, rest = divmod(micros, 1_000_000)
    time = Timestamp(seconds=seconds, nanos=rest * 1000)
    return sized(_CREATE_TIME, time.SerializeToString().decode("latin-1"))
