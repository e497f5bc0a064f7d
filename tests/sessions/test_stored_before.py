"""Games as an earlier build left them in a store, byte for byte: today's service still reads them.

`tests/stored` holds a game of each rule set: its record, its state, then the entries of its ledger.
They are never written anew. When what is stored changes its form, `FORMAT` goes up, the codec reads
both, and a folder of the new form comes beside this one.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Clock
from games import seat_that_sees_all
from guncamera.api.endpoints import Endpoints
from guncamera.api.films import action_message, read_film, session_message
from guncamera.rules.ruleset import rulesets
from guncamera.rules.variant import NO_VARIANTS
from guncamera.sessions import film as films
from guncamera.sessions.books import pinned_book
from guncamera.sessions.codec import decode_entry, decode_record, decode_state, encode_record
from guncamera.sessions.history import is_pinned
from guncamera.sessions.play import check_pinned
from guncamera.sessions.refusals import RulesVersionChanged
from guncamera.sessions.session import Entry, Session
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.store import Created
from guncamera.sessions.views import board_for
from guncamera.v1 import session_service_pb2 as pb
from orders import who
from wire_play import play_step

FOLDER = Path(__file__).parents[1] / "stored"
SLUGS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
CHANGED = [
    (slug, spec.name)
    for slug, found in rulesets().items()
    for spec in found.book.setting_specs.values()
    if spec.was is not None
]
"""The settings whose default has changed since they came."""


def stored(slug: str) -> tuple[Session, tuple[Entry, ...]]:
    """A game as it lies there."""
    record, state, *entries = (FOLDER / f"{slug}.jsonl").read_bytes().splitlines()
    read = decode_record(record)
    ledger = tuple(decode_entry(entry, read.ruleset) for entry in entries)
    return Session(read, decode_state(state, read.ruleset), len(ledger), {}, {}, 0), ledger


def test_every_rule_set_has_a_game_of_before() -> None:
    assert set(rulesets()) == set(SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_of_before_is_read_and_shown_to_every_seat(slug: str) -> None:
    session, ledger = stored(slug)
    record = session.record
    assert len(ledger) == session.revision > 5
    for seat in (None, *(one.id for one in record.seats)):
        message = session_message(session, seat)
        assert message.board.WhichOneof("ruleset") == slug
        assert message.rules_hash == record.rules_hash
        view = board_for(session, seat)
        assert record.ruleset.picture(view, record.book).startswith("<svg")
    for revision, entry in enumerate(ledger, start=1):
        message = action_message(record, entry)
        assert message.revision == revision
        assert message.summary


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_of_before_is_ruled_on_again_alike_or_says_why_not(slug: str) -> None:
    """Also where settings came since: each rules by default as was ruled before it was there."""
    session, ledger = stored(slug)
    record = session.record
    if is_pinned(record):
        again = films.replay(films.Film(record, ledger, session.state.result))
        assert again.differences == ()
        assert again.state.board == session.state.board
    else:
        with pytest.raises(RulesVersionChanged):
            check_pinned(record)


def test_some_games_began_before_settings_that_there_are_today() -> None:
    assert any(stored(slug)[0].record.book.later for slug in SLUGS)


def test_a_default_that_changed_goes_for_new_games_alone() -> None:
    """Of a game that began before there was `glider_abandoned`, as of any that holds it."""
    book = rulesets()["redstars"].book
    held = dict(book.known_settings)
    assert (held["glider_abandoned"], book.setting_specs["glider_abandoned"].was) == (
        "lost",
        "landed",
    )
    before = stored("redstars")[0].record.book
    assert "glider_abandoned" in before.later
    assert before.settings.glider_abandoned == "landed"
    assert before.settings.flammable_damage == "shots", "what its record says"
    chosen = {**held, "glider_abandoned": "landed", "flammable_damage": "shots"}
    digest = book.with_settings(chosen).digest
    pinned = pinned_book(rulesets()["redstars"], digest, chosen, None, NO_VARIANTS)
    assert pinned.settings.glider_abandoned == "landed"
    assert pinned.later == frozenset()


@pytest.mark.parametrize(("slug", "name"), CHANGED)
def test_a_game_from_before_a_setting_rules_as_was_ruled_then(slug: str, name: str) -> None:
    found = rulesets()[slug]
    spec = found.book.setting_specs[name]
    assert spec.was is not None
    assert spec.was != spec.default
    held = {key: value for key, value in found.book.known_settings.items() if key != name}
    digest = replace(found.book, later=frozenset({name})).digest
    pinned = pinned_book(found, digest, held, None, NO_VARIANTS)
    assert pinned.digest == digest
    assert getattr(pinned.settings, name) == spec.was
    assert getattr(found.book.settings, name) == spec.default


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if is_pinned(stored(slug)[0].record)])
def test_a_game_of_before_goes_on_and_is_written_as_it_always_was(shelf: Shelf, slug: str) -> None:
    record, state, *entries = (FOLDER / f"{slug}.jsonl").read_bytes().splitlines()
    name = decode_record(record).id
    shelf.store.delete(name)
    created = shelf.store.import_session(
        name, record=record, state=state, entries=entries, ttl_seconds=600, request=None
    )
    assert isinstance(created, Created)
    endpoints = Endpoints(shelf, clock=Clock(), page_key=b"stored")
    session = endpoints.GetSession(pb.GetSessionRequest(name=f"sessions/{name}"), who())
    for number in range(10):
        if session.state == pb.SESSION_STATE_FINISHED:
            break
        session = play_step(endpoints, session, rulesets()[slug], "random", number)
    seat = seat_that_sees_all(session)
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name, seat=seat), who())
    assert len(film.actions) > len(entries)
    said = getattr(film.session.settings, slug)
    then = json.loads(record)["settings"]
    assert {field.name for field, _ in said.ListFields()} == set(then)
    assert films.replay(read_film(film)).differences == ()
    assert decode_record(encode_record(decode_record(record))) == decode_record(record)
    assert json.loads(encode_record(decode_record(record)))["settings"] == then
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who())
