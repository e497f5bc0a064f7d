"""Resource names: `sessions/red-baron/actions/00000017`, `rulesets/kettering/tables/wind`."""

from __future__ import annotations

import re

from guncamera.rules.refusal import Malformed
from guncamera.sessions.session import checked_session_id

_ACTION = re.compile(r"sessions/([^/]+)/actions/(\d{1,8})", re.ASCII)


def session_id_of(name: str, field: str = "name") -> str:
    """The id in `sessions/{session}`.

    Raises:
        Malformed: It is no such name.
    """
    prefix, _, session_id = name.partition("/")
    if prefix != "sessions":
        raise Malformed("A session's name is `sessions/{session}`.", field=field)
    return checked_session_id(session_id, field)


def action_of(name: str) -> tuple[str, int]:
    """The session id and revision in `sessions/{session}/actions/{revision}`.

    Raises:
        Malformed: It is no such name.
    """
    found = _ACTION.fullmatch(name)
    if found is None:
        raise Malformed("An action's name is `sessions/{session}/actions/17`.", field="name")
    return checked_session_id(found[1], "name"), int(found[2])


def quota_of(name: str) -> str:
    """The session id in `sessions/{session}/quota`; empty for `quota`, which may be left out.

    Raises:
        Malformed: It is neither.
    """
    if name in ("", "quota"):
        return ""
    prefix, _, rest = name.partition("/")
    session_id, _, last = rest.partition("/")
    if prefix != "sessions" or last != "quota":
        raise Malformed("A quota's name is `quota` or `sessions/{session}/quota`.", field="name")
    return checked_session_id(session_id, "name")


def action_name(session_id: str, revision: int) -> str:
    """The name of an action."""
    return f"sessions/{session_id}/actions/{revision:08d}"


def slug_of(name: str, field: str) -> str:
    """The slug in `rulesets/{slug}`.

    Raises:
        Malformed: It is no such name.
    """
    prefix, _, slug = name.partition("/")
    if prefix != "rulesets" or not slug or "/" in slug:
        raise Malformed("A rule set's name is `rulesets/{slug}`.", field=field)
    return slug


def table_of(name: str) -> tuple[str, str]:
    """The slug and table id in `rulesets/{slug}/tables/{table}`.

    Raises:
        Malformed: It is no such name.
    """
    parts = name.split("/")
    if len(parts) != 4 or parts[0] != "rulesets" or parts[2] != "tables":
        raise Malformed("A table's name is `rulesets/{slug}/tables/{table}`.", field="name")
    return parts[1], parts[3]
