"""Records, states and actions to bytes and back, with a format number.

JSON, because a ledger outlives the program that wrote it. The inner data are the core's plain
form, spelt as in case files.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson

from guncamera.rules.book import VariantPin
from guncamera.rules.dice import Roll
from guncamera.rules.plain import (
    ENCODERS,
    MEMBER_ENCODERS,
    restore,
    restore_member,
    to_plain,
)
from guncamera.rules.ruleset import Ruleset, Seat, Verb, ruleset
from guncamera.rules.trace import TraceLine
from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions.books import pinned_book
from guncamera.sessions.remembered import Remembered
from guncamera.sessions.session import Action, DiceSource, Entry, Record, Seed, State, Undone

FORMAT = 1
_UNDO = "undo"

# A game that is being played is loaded at every call, by one of few processes.
_states: Remembered[State] = Remembered(2**21)


def encode_record(record: Record) -> bytes:
    """A record as stored. It holds the secret seeds: it never leaves the service."""
    start = {"start": [record.start_revision, record.start_micros]} if record.start_micros else {}
    pin = record.variant
    variant = {"variant": [pin.name, pin.hash]} if pin else {}
    return orjson.dumps(
        {
            "format": FORMAT,
            "id": record.id,
            "ruleset": record.ruleset.slug,
            "rules_version": record.rules_version,
            "rules_hash": record.rules_hash,
            "settings": record.book.known_settings,
            "setup": to_plain(record.setup),
            "seats": [[seat.id, seat.side, seat.title] for seat in record.seats],
            "create_micros": record.create_micros,
            "ttl_seconds": record.ttl_seconds,
            "seal_seconds": record.seal_seconds,
            "spectator_delay_seconds": record.spectator_delay_seconds,
            "seeds": [
                [seed.from_revision, seed.seed.hex(), seed.commitment, seed.supplied]
                for seed in record.seeds
            ],
            **start,
            **variant,
        }
    )


@lru_cache(maxsize=1024)
def decode_record(data: bytes, variants: Variants = NO_VARIANTS) -> Record:
    """The inverse. Records never change, so the last thousand are remembered.

    Args:
        variants: Those at hand; a session of another one is read with no tables.
    """
    plain = _loads(data)
    found = ruleset(plain["ruleset"])
    pin = VariantPin(*plain["variant"]) if "variant" in plain else None
    start_revision, start_micros = plain.get("start", (0, 0))
    return Record(
        id=plain["id"],
        ruleset=found,
        book=pinned_book(found, plain["rules_hash"], plain["settings"], pin, variants),
        rules_version=plain["rules_version"],
        rules_hash=plain["rules_hash"],
        setup=restore(found.setup, plain["setup"]),
        seats=tuple(Seat(*seat) for seat in plain["seats"]),
        create_micros=plain["create_micros"],
        ttl_seconds=plain["ttl_seconds"],
        seeds=tuple(Seed(n, bytes.fromhex(s), c, own) for n, s, c, own in plain["seeds"]),
        # Records of before there were deadlines and delays have none.
        seal_seconds=plain.get("seal_seconds", 0),
        spectator_delay_seconds=plain.get("spectator_delay_seconds", 0),
        start_revision=start_revision,
        start_micros=start_micros,
        variant=pin,
    )


def encode_state(state: State) -> bytes:
    """A state as stored."""
    plain = {
        "format": FORMAT,
        "board": to_plain(state.board),
        "active_seats": state.active_seats,
        "result": state.result,
        "changed_micros": state.changed_micros,
    }
    if state.undos:
        plain |= {"undos": state.undos, "kept_from": state.kept_from}
    data = orjson.dumps(plain)
    _states.put(data, state)  # whoever acts next is likely to load it through this process
    return data


def decode_state(data: bytes, found: Ruleset) -> State:
    """The inverse."""
    state = _states.get(data)
    # Boards of two rule sets may be spelt alike.
    if state is None or type(state.board) is not found.board:
        state = _decode_state(data, found)
        _states.put(data, state)
    return state


def _decode_state(data: bytes, found: Ruleset) -> State:
    plain = _loads(data)
    return State(
        board=restore(found.board, plain["board"]),
        active_seats=tuple(plain["active_seats"]),
        result=plain["result"],
        changed_micros=plain["changed_micros"],
        undos=tuple((undo, back) for undo, back in plain.get("undos", ())),
        kept_from=tuple(plain.get("kept_from", ())),
    )


def encode_action(action: Action) -> bytes:
    """An action as stored in the ledger."""
    return orjson.dumps({"format": FORMAT, **action_to_plain(action)})


def encode_entry(entry: Entry) -> bytes:
    """Whatever a ledger holds, as stored."""
    if isinstance(entry, Action):
        return encode_action(entry)
    return orjson.dumps({"format": FORMAT, "verb": _UNDO, **to_plain(entry)})


def decode_entry(data: bytes, found: Ruleset) -> Entry:
    """The inverse."""
    plain = _loads(data)
    if plain["verb"] != _UNDO:
        return action_from_plain(plain, found)
    del plain["format"], plain["verb"]
    undone: Undone = restore(Undone, plain)
    return undone


def encode_order(verb: Verb, order: Any) -> bytes:
    """A sealed order as stored."""
    return orjson.dumps({"format": FORMAT, "verb": verb.value, "order": to_plain(order)})


def decode_order(data: bytes, found: Ruleset) -> tuple[Verb, Any]:
    """The inverse."""
    plain = _loads(data)
    verb = Verb(plain["verb"])
    return verb, restore(found.procedure(verb).order, plain["order"])


def action_to_plain(action: Action) -> dict[str, Any]:
    """An action as plain data."""
    # Found here and not by `to_plain`, which would be a call more for each line.
    encode, encode_member = ENCODERS, MEMBER_ENCODERS
    order, outcome = action.order, action.outcome
    plain = {
        "revision": action.revision,
        "seat": action.seat,
        "verb": action.verb.value,
        "order": encode[type(order)](order),
        "outcome": encode[type(outcome)](outcome),
        "trace": [encode_member[type(line)](line) for line in action.trace],
        "events": [encode_member[type(event)](event) for event in action.events],
        "summary": action.summary,
        "rolls": [[roll.purpose, roll.sides, roll.faces] for roll in action.rolls],
        "dice_source": action.dice_source,
        "rules_version": action.rules_version,
        "create_micros": action.create_micros,
    }
    if action.client_nonce:
        plain["client_nonce"] = action.client_nonce
    if action.by_default:
        plain["by_default"] = True
    return plain


def action_from_plain(plain: dict[str, Any], found: Ruleset) -> Action:
    """The inverse."""
    verb = Verb(plain["verb"])
    procedure = found.procedure(verb)
    source = plain["dice_source"]
    return Action(
        revision=plain["revision"],
        seat=plain["seat"],
        verb=verb,
        order=restore(procedure.order, plain["order"]),
        outcome=restore(procedure.outcome, plain["outcome"]),
        trace=tuple(restore_member(TraceLine, line) for line in plain["trace"]),
        events=tuple(restore_member(found.event, event) for event in plain["events"]),
        summary=plain["summary"],
        rolls=tuple(Roll(p, tuple(s), tuple(f)) for p, s, f in plain["rolls"]),
        dice_source=DiceSource(source) if source else None,
        rules_version=plain["rules_version"],
        create_micros=plain["create_micros"],
        client_nonce=plain.get("client_nonce", ""),
        by_default=plain.get("by_default", False),
    )


def _loads(data: bytes) -> dict[str, Any]:
    plain: dict[str, Any] = orjson.loads(data)
    if plain.get("format") != FORMAT:
        raise AssertionError(f"stored format {plain.get('format')}; this service reads {FORMAT}")
    return plain
