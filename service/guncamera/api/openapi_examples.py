"""Examples of the calls, which each rule set brings along: `examples.json` in its folder.

The file holds, by the name of the call, a request or a list of them, without what the path says;
under `queries`, what calls without a body ask. A rule set's examples are one game: each follows
from those above it, in the order in which the OpenAPI document has the calls. A test plays them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from guncamera import rulesets
from guncamera.api.routes import Route, Rpc
from guncamera.rules.ruleset import Verb, ruleset

FILE = "examples.json"
_QUERIES = "queries"
_AS_PLAYED = (
    *("BatchPlay", "SealOrder", "RevealOrders"),
    *("Move", "Spot", "Wind", "Fire", "Damage", "Undo"),
)
"""Calls in the order of a turn, after `GetSession`."""
_AT_THE_END = ("ClaimSeat", "ReleaseSeat", "DeleteSession")
"""Calls after which others need a token, or have nothing left to be about."""


def in_order_of_play(calls: Sequence[Rpc]) -> list[Rpc]:
    """The calls in the order in which their examples follow from each other."""
    names = [rpc.name for rpc in calls]

    def place(rpc: Rpc) -> tuple[int, int]:
        for after, moved in (("GetSession", _AS_PLAYED), ("BatchPlay", _AT_THE_END)):
            if rpc.name in moved:
                return names.index(after), 1 + moved.index(rpc.name)
        return names.index(rpc.name), 0

    return sorted(calls, key=place)


@cache
def examples() -> dict[str, dict[str, Any]]:
    """The bodies by the name of the call, then by the slug of the rule set.

    Of several of one rule set the later ones are numbered: `circus`, `circus-2`.
    """
    found: dict[str, dict[str, Any]] = {}
    for slug, brought in _files().items():
        for call, requests in brought.items():
            if call == _QUERIES:
                continue
            several = requests if isinstance(requests, list) else [requests]
            for number, request in enumerate(several, start=1):
                key = slug if number == 1 else f"{slug}-{number}"
                found.setdefault(call, {})[key] = request
    return found


def shown_bodies(rpc: Rpc) -> dict[str, Any]:
    """The examples of a call's body, as OpenAPI has them."""
    bodies = examples().get(rpc.name, {})
    return {
        key: {"summary": _summary(key, body, bodies), "value": body} for key, body in bodies.items()
    }


def variables(route: Route) -> dict[str, dict[str, str]]:
    """What the variables of a path are in the examples, by the slug of the rule set."""
    if not route.variables:
        return {}
    return {
        slug: {name: known[name] for name in route.variables}
        for slug, known in _names().items()
        if all(name in known for name in route.variables)
    }


def queries(rpc: Rpc) -> dict[str, dict[str, Any]]:
    """What the examples of a call without a body ask, by the slug of the rule set."""
    asked = {slug: brought.get(_QUERIES, {}).get(rpc.name) for slug, brought in _files().items()}
    return {slug: query for slug, query in asked.items() if query}


@cache
def _names() -> dict[str, dict[str, str]]:
    """What a rule set's game has names for: itself, a table, its session, the first action."""
    found = {}
    for slug, brought in _files().items():
        named = {"ruleset": slug, "table": next(iter(ruleset(slug).book.tables))}
        if "CreateSession" in brought:
            named["session"] = brought["CreateSession"]["session_id"]
        if "Move" in brought:
            named["action"] = "1"
        found[slug] = named
    return found


@cache
def _files() -> dict[str, dict[str, Any]]:
    found = {}
    for module in sorted(pkgutil.iter_modules(rulesets.__path__), key=lambda each: each.name):
        source = files(rulesets.__name__).joinpath(module.name, FILE)
        if module.ispkg and source.is_file():
            found[module.name] = _pinned(module.name, orjson.loads(source.read_bytes()))
    return found


def _pinned(slug: str, brought: dict[str, Any]) -> dict[str, Any]:
    """A film in it is of the rules in force, which change more often than the film."""
    if "ImportSession" in brought:
        book = ruleset(slug).book
        pinned = {"rules_version": book.rules_version, "rules_hash": book.digest}
        brought["ImportSession"]["film"]["session"] |= pinned
    return brought


def _summary(key: str, body: dict[str, Any], bodies: dict[str, Any]) -> str:
    """The example's name; where a rule set has several, with what is ordered."""
    slug = key.partition("-")[0]
    if f"{slug}-2" not in bodies:
        return key
    return ": ".join([key, *_ordered(slug, body)])


def _ordered(slug: str, body: dict[str, Any]) -> Iterator[str]:
    for name in ("order", *Verb):
        yield from list(body.get(name, {}).get(slug, {}))[:1]
    if "by_agreement" in body:
        yield body["seat"]
