"""What the service says about an event before it begins: seats, rules, setups that hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format
from guncamera.v1.actions_pb2 import RulesetSettings, SessionSetup
from guncamera.v1.session_service_pb2 import Session
from guncamera_client import InputInvalid, VariantUnknown

from guncamera_tournament.event import Event, Rules, Setup
from guncamera_tournament.faults import TournamentError

REFEREE = "referee"
"""Where secrets last as long as the game, a setup offers a seat that sees everything."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every game of an event.

    Attributes:
        rules: The rules in force.
        sides: By side, the ids of its seats; one side, or two.
        setups: Each `SessionSetup` as bytes, by name; a type of aircraft that must be named and is
            not is the rule set's first.
        settings: A `RulesetSettings` as bytes.
        variant: The text of the variant's file; empty for the rules as printed.
    """

    rules: Rules
    sides: Mapping[str, tuple[str, ...]]
    setups: Mapping[str, bytes]
    settings: bytes
    variant: str = ""

    @property
    def is_solo(self) -> bool:
        """Whether one pilot plays alone."""
        return len(self.sides) == 1


def terms_of(client: Any, event: Event) -> Terms:
    """Ask a service, by setting up a game of each setup and deleting it again.

    Raises:
        TournamentError: The rule set, a setup or a setting is none, or the event is pinned to
            other rules than the service has.
    """
    settings = settings_message(event)
    sides, rules, setups = None, Rules(), {}
    for at, setup in enumerate(event.setups):
        message = setup_message(event.ruleset, setup, f"setups[{at}]")
        session = _tried(client, event, message, settings, f"setups[{at}]")
        _check_variant(session, event)
        here = sides_of(session)
        if sides is not None and here != sides:
            raise TournamentError("it has other seats than setups[0].", field=f"setups[{at}]")
        sides, rules = here, Rules(session.rules_version, session.rules_hash)
        setups[setup.name] = message.SerializeToString(deterministic=True)
    if event.rules.rules_hash and event.rules != rules:
        raise TournamentError(
            f"the event was begun under version {event.rules.rules_version}, "
            f"{event.rules.rules_hash[:12]}; the service has version {rules.rules_version}, "
            f"{rules.rules_hash[:12]}. Finish it with a service of the same version, or begin "
            "another in a new folder.",
            field="rules",
        )
    octets = settings.SerializeToString(deterministic=True)
    return Terms(rules, sides or {}, setups, octets)


def setup_message(ruleset: str, setup: Setup, path: str) -> SessionSetup:
    """A setup as a session takes it.

    Raises:
        TournamentError: It is none of this rule set.
    """
    message = SessionSetup()
    if ruleset not in message.DESCRIPTOR.fields_by_name:
        known = ", ".join(field.name for field in message.DESCRIPTOR.fields)
        raise TournamentError(f"{ruleset!r} is none; there are {known}.", field="ruleset")
    inner = getattr(message, ruleset)
    inner.SetInParent()
    try:
        json_format.Parse(setup.json, inner)
    except json_format.ParseError as fault:
        # A file may hold the whole `SessionSetup`, as a session shows it.
        try:
            json_format.Parse(setup.json, message)
        except json_format.ParseError:
            raise TournamentError(f"no setup of {ruleset}: {fault}.", field=path) from None
        if message.WhichOneof("ruleset") != ruleset:
            raise TournamentError(f"it is no setup of {ruleset}.", field=path) from None
    if REFEREE in inner.DESCRIPTOR.fields_by_name:
        inner.referee = True
    return message


def settings_message(event: Event) -> RulesetSettings:
    """The settings of an event.

    Raises:
        TournamentError: There are no such settings.
    """
    message = RulesetSettings()
    if not event.settings or event.ruleset not in message.DESCRIPTOR.fields_by_name:
        return message
    try:
        json_format.ParseDict({event.ruleset: dict(event.settings)}, message)
    except json_format.ParseError as fault:
        raise TournamentError(f"{fault}.", field="settings") from None
    return message


def sides_of(session: Session) -> dict[str, tuple[str, ...]]:
    """The seats that play, by side; a seat without a side looks on.

    Raises:
        TournamentError: There are more than two sides.
    """
    sides: dict[str, tuple[str, ...]] = {}
    for seat in session.seats:
        if seat.side:
            sides[seat.side] = (*sides.get(seat.side, ()), seat.id)
    if not 1 <= len(sides) <= 2:
        raise TournamentError(f"{len(sides)} sides play; a bout has one or two.", field="setups")
    return sides


def _check_variant(session: Session, event: Event) -> None:
    if session.variant_hash != event.variant.hash:
        raise TournamentError(
            f"the service has {event.variant.name} as {session.variant_hash[:12]}, and the event's "
            f"is {event.variant.hash[:12]}; give both the same file.",
            field="variant",
        )


def _tried(
    client: Any, event: Event, message: SessionSetup, settings: RulesetSettings, path: str
) -> Session:
    """A session of a setup, deleted again; what it lacks of a type is named in the message."""
    asked = {"settings": settings, "ttl_seconds": 60, "variant": event.variant.name}
    try:
        try:
            session: Session = client.create_session(message, **asked)
        except InputInvalid as refused:
            if not _name_aircraft(client, event, message, refused):
                raise
            session = client.create_session(message, **asked)
    except VariantUnknown as refused:
        raise TournamentError(
            f"{refused.message} It is offered by guncamera serve --variants FOLDER.",
            field="variant",
        ) from None
    except InputInvalid as refused:
        named = refused.violations[0].field if refused.violations else ""
        where = "settings" if named.startswith("settings") else path
        raise TournamentError(f"{refused.message}", field=where) from None
    client.delete_session(session)
    return session


def _name_aircraft(client: Any, event: Event, message: SessionSetup, refused: InputInvalid) -> bool:
    """Name the rule set's first type where the service says that one is missing."""
    inner = getattr(message, event.ruleset)
    named = False
    for violation in refused.violations:
        name = violation.field.rpartition(".")[2]
        field = inner.DESCRIPTOR.fields_by_name.get(name)
        is_text = field is not None and field.type == field.TYPE_STRING
        if is_text and not field.is_repeated and not getattr(inner, name):
            first = next(iter(client.list_aircraft(event.ruleset, variant=event.variant.name)))
            setattr(inner, name, first.name.rpartition("/")[2])
            named = True
    return named
