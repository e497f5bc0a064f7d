"""Resource names from whatever the caller has at hand: the resource, its name, or its id."""

from __future__ import annotations

from guncamera.v1.ruleset_service_pb2 import Ruleset
from guncamera.v1.session_service_pb2 import Session


def session_name(session: str | Session) -> str:
    """`sessions/{session}`."""
    return _name("sessions", session if isinstance(session, str) else session.name)


def ruleset_name(ruleset: str | Ruleset) -> str:
    """`rulesets/{slug}`."""
    return _name("rulesets", ruleset if isinstance(ruleset, str) else ruleset.name)


def action_name(session: str | Session, revision: int) -> str:
    """`sessions/{session}/actions/{revision}`, eight digits."""
    return f"{session_name(session)}/actions/{revision:08d}"


def table_name(ruleset: str | Ruleset, table: str) -> str:
    """`rulesets/{slug}/tables/{table}`; a full name given as the table is left as it is."""
    return table if "/" in table else f"{ruleset_name(ruleset)}/tables/{table}"


def _name(collection: str, given: str) -> str:
    identifier = given.removeprefix(f"{collection}/")
    if not identifier or "/" in identifier:
        raise ValueError(f"{given!r} is no name; say {collection}/x, or only x.")
    return f"{collection}/{identifier}"


def rule_id_of(reason: str) -> str:
    """The rule id that a field violation of gRPC spells `KET_7_1`; empty where there is none."""
    book, _, number = reason.partition("_")
    if len(book) != 3 or not number[:1].isdigit():
        return ""
    return f"{book}-{number.replace('_', '.')}"
