"""Receipts: signed, chained, the same for everyone, and telling nothing that is hidden."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator
from typing import Any

import duel
import pytest
import rfc8785
from conftest import Clock
from games import example_setup
from google.protobuf.json_format import MessageToDict
from guncamera.api import receipt_book
from guncamera.api.access import Access
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.film_check import ReceiptCheck, check_receipts, check_writing
from guncamera.api.films import action_message, read_film
from guncamera.api.receipts import canonical, plain_of
from guncamera.api.rest import create_app
from guncamera.api.rulings import fill_outcome
from guncamera.rules.refusal import Malformed, RollRequired
from guncamera.rules.ruleset import ruleset, rulesets
from guncamera.sessions.film import check_dice, replay
from guncamera.sessions.key_ring import KeyRing
from guncamera.sessions.keys import Scope, create_key
from guncamera.sessions.refusals import ActionNotFound, Unavailable
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.signing import Signer, decode_ring, is_signed, rotate
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, LAUNCH, SETUP, move, supplied, who
from veiled import VEILED
from wire_play import order_of_pilot, play_step, request_for, seat_to_act

NAMES = itertools.count(1)
NONCE = "0f8fad5b-d9cb-469f-a165-70867728950e"


def begin(endpoints: Endpoints, slug: str = "kettering", **fields: Any) -> pb.Session:
    request = pb.CreateSessionRequest(session_id=f"receipts-{next(NAMES)}", **fields)
    fill_outcome(request.setup, slug, example_setup(ruleset(slug)))
    return endpoints.CreateSession(request, who())


def play(
    endpoints: Endpoints, session: pb.Session, *, most: int, nonces: bool = True
) -> pb.Session:
    """Stock orders, every second one with a nonce."""
    found = ruleset(session.ruleset.removeprefix("rulesets/"))
    for number in range(most):
        if session.state == pb.SESSION_STATE_FINISHED:
            break
        seat = seat_to_act(session)
        order = order_of_pilot(endpoints, session, found, "stock", number, seat)
        call, request = request_for(session, found.slug, order, seat)
        if nonces and number % 2 and call != "SealOrder":
            request.client_nonce = hashlib.sha256(str(number).encode()).hexdigest()
        getattr(endpoints, call)(request, who())
        session = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    return session


def throw(endpoints: Endpoints, session: pb.Session, order: Any) -> pb.Action:
    """An order with the dice thrown at the table, all of them twos."""
    for count in range(1, 20):
        try:
            return move(endpoints, session, order, dice=supplied(*[2] * count))
        except RollRequired:
            continue
    raise AssertionError("it wants more and more dice")


def film_of(endpoints: Endpoints, session: pb.Session, **fields: Any) -> pb.Film:
    request = pb.ExportSessionRequest(name=session.name, with_receipts=True, **fields)
    return endpoints.ExportSession(request, who())


def receipt_of(endpoints: Endpoints, session: pb.Session, revision: int, seat: str = "") -> Any:
    name = f"{session.name}/actions/{revision}"
    return endpoints.GetReceipt(pb.GetReceiptRequest(name=name, seat=seat), who())


def keys_of(endpoints: Endpoints) -> list[pb.SigningKey]:
    answer = endpoints.ListSigningKeys(pb.ListSigningKeysRequest(), who())
    return list(answer.signing_keys)


def is_found(check: ReceiptCheck, *what: str) -> bool:
    return [one.what for one in check.differences] == list(what)


# What they say.


def test_a_receipt_says_what_the_page_on_dice_says_it_does(endpoints: Endpoints) -> None:
    """Written out by hand, as a stranger with the docs alone would, for two actions."""
    session = begin(endpoints)
    play(endpoints, session, most=2)
    film = film_of(endpoints, session)
    opening = MessageToDict(film.session, preserving_proto_field_name=True)
    for name in (
        "state", "active_seats", "revision", "etag", "board", "result", "expire_time",
    ):  # fmt: skip
        opening.pop(name, None)
    salt = bytes.fromhex(film.opening_salt)
    previous = hashlib.sha256(b"guncamera/opening/v1\0" + salt + rfc8785.dumps(opening)).hexdigest()
    for action, receipt in zip(film.actions, film.receipts, strict=True):
        plain = MessageToDict(action, preserving_proto_field_name=True)
        salt = bytes.fromhex(receipt.salt)
        digest = hashlib.sha256(b"guncamera/action/v1\0" + salt + rfc8785.dumps(plain)).hexdigest()
        assert json.loads(receipt.statement) == {
            "format": "guncamera/receipt/v1",
            "session": session.name,
            "revision": action.revision,
            "seat": action.seat,
            "time": action.create_time.ToJsonString(),
            "commitment": session.dice_commitments[0].commitment,
            "action_digest": digest,
            "previous": previous,
        }
        assert rfc8785.dumps(json.loads(receipt.statement)) == receipt.statement.encode()
        (key,) = [key for key in keys_of(endpoints) if key.id == receipt.key_id]
        signature = bytes.fromhex(receipt.signature)
        assert is_signed(bytes.fromhex(key.public_key), receipt.statement.encode(), signature)
        assert receipt.name == action.name
        previous = hashlib.sha256(receipt.statement.encode()).hexdigest()


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_action_has_the_canonical_form_of_the_libraries(
    endpoints: Endpoints, slug: str
) -> None:
    session = begin(endpoints, slug, dice_seed="canonical")
    for number in range(12):
        session = play_step(endpoints, session, ruleset(slug), "stock", number)
    request = pb.ListActionsRequest(parent=session.name)
    actions = endpoints.ListActions(request, who()).actions
    assert actions
    for action in actions:
        plain = MessageToDict(action, preserving_proto_field_name=True)
        assert plain_of(action) == plain
        assert canonical(plain) == rfc8785.dumps(plain)


def test_the_same_receipt_comes_from_every_worker_at_every_time(
    endpoints: Endpoints, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipt_book, "MARK_EVERY", 3)
    monkeypatch.setattr(receipt_book, "PAGE", 4)
    session = begin(endpoints)
    fresh = []
    for revision in range(1, 11):
        play(endpoints, session, most=1)
        session = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
        fresh.append(receipt_of(endpoints, session, revision))
    other = Endpoints(shelf, clock=Clock(), page_key=b"another")
    for revision in (10, 4, 7, 1, 10):
        assert receipt_of(other, session, revision) == fresh[revision - 1]
    assert list(film_of(endpoints, session).receipts) == fresh
    assert list(film_of(other, session).receipts) == fresh


def test_an_absent_action_has_no_receipt(endpoints: Endpoints) -> None:
    session = begin(endpoints)
    play(endpoints, session, most=1)
    for revision in (0, 2, 99):
        with pytest.raises(ActionNotFound):
            receipt_of(endpoints, session, revision)


def test_marks_of_another_history_are_not_gone_on_from(
    endpoints: Endpoints, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that is put back to an earlier state, and played on from there."""
    session = begin(endpoints)
    play(endpoints, session, most=4, nonces=False)
    before = [receipt_of(endpoints, session, revision) for revision in range(1, 5)]
    session_id = session.name.removeprefix("sessions/")
    entries = shelf.store.entries(session_id, after_revision=0, limit=10)
    said_otherwise = (one.replace(b'"summary":"', b'"summary":"Not: ') for one in entries[1:])
    changed = [entries[0], *said_otherwise]

    def put_back(_session_id: str, *, after_revision: int, limit: int) -> Any:
        return changed[after_revision : after_revision + limit]

    monkeypatch.setattr(shelf.store, "entries", put_back)
    monkeypatch.setattr(shelf.store, "entry", lambda _id, revision: changed[revision - 1])
    after = receipt_of(endpoints, session, 4)
    other = receipt_of(Endpoints(shelf, clock=Clock(), page_key=b"another"), session, 4)
    assert after == other
    assert json.loads(after.statement)["previous"] != json.loads(before[3].statement)["previous"]
    assert receipt_of(endpoints, session, 1) == before[0]


# Keys.


def test_after_a_rotation_old_receipts_hold_and_new_ones_say_the_same(
    endpoints: Endpoints, shelf: Shelf
) -> None:
    session = begin(endpoints)
    play(endpoints, session, most=3)
    old = receipt_of(endpoints, session, 3)
    new_key = rotate(shelf.store, 1_800_000_000_000_000)
    new = receipt_of(endpoints, session, 3)
    assert new.key_id == new_key.id != old.key_id
    assert (new.statement, new.salt) == (old.statement, old.salt)
    film = film_of(endpoints, session)
    check = check_receipts(film, keys=keys_of(endpoints), kept=[old, new])
    assert check.differences == ()
    assert set(check.key_ids) == {old.key_id, new.key_id}
    retired = {key.id: key.HasField("retire_time") for key in keys_of(endpoints)}
    assert (retired[old.key_id], retired[new.key_id]) == (True, False)


def test_the_keys_are_published_to_everyone_and_receipts_to_who_may_look() -> None:
    with duel.own_store() as (_, shelf):
        endpoints = Endpoints(shelf, clock=Clock(), page_key=b"a key for tests")
        session = begin(endpoints)
        play(endpoints, session, most=1)
        _, text = create_key(shelf.store, 1, scope=Scope.READ, label="receipts", days=0)
        ring = KeyRing(shelf.store, clock=Clock())
        ring.refresh()
        access = Access(ring, shelf.store, may_be_open=False)
        rest = create_app(endpoints, config=Config(access=access)).test_client()
        published = rest.get("/.well-known/guncamera-signing-keys")
        assert published.status_code == 200
        assert published.json["signing_keys"][-1]["id"] == keys_of(endpoints)[-1].id
        private = shelf.store.signing()
        assert private is not None
        for key in decode_ring(private).keys:
            assert key.private.hex() not in published.text
        address = f"/v1/{session.name}/actions/1:receipt"
        assert rest.get(address).status_code == rest.get("/v1/signingKeys").status_code == 401
        headers = {"Authorization": f"Bearer {text}"}
        assert rest.get("/v1/signingKeys", headers=headers).json == published.json
        receipt = rest.get(address, headers=headers).json
        assert receipt["statement"] == receipt_of(endpoints, session, 1).statement


def test_a_retired_key_of_the_operators_signs_no_more(
    endpoints: Endpoints, shelf: Shelf, clock: Clock
) -> None:
    session = begin(endpoints)
    play(endpoints, session, most=1)
    signers = (Signer(shelf.store, clock=clock, private=one * 32) for one in (b"1", b"2"))
    first, second = (
        Endpoints(shelf, clock=clock, page_key=b"k", signer=signer) for signer in signers
    )
    receipt_of(first, session, 1)
    receipt_of(second, session, 1)
    with pytest.raises(Unavailable):
        receipt_of(first, session, 1)
    receipt_of(endpoints, session, 1)  # and one of the store's own takes over


# What is hidden.


@pytest.fixture(params=["a stand-in", "carriers"])
def veiled(request: pytest.FixtureRequest, shelf: Shelf) -> Iterator[Endpoints]:
    """Endpoints of a service in whose only game something is hidden."""
    found = VEILED if request.param == "a stand-in" else ruleset(request.param)
    with duel.registered(found), duel.own_store() as (_, own):
        endpoints = Endpoints(own, clock=Clock(), page_key=b"a key for tests")
        session = begin(endpoints, found.slug, dice_seed="hidden")
        for number in range(4):
            session = play_step(endpoints, session, found, "stock", number)
        yield endpoints


def test_while_something_is_hidden_no_receipt_can_be_opened_by_guessing(veiled: Endpoints) -> None:
    """Whoever guesses the very action, and knows the seed, finds it in no statement."""
    (session,) = veiled.ListSessions(pb.ListSessionsRequest(), who()).sessions
    known = veiled.shelf.load(session.name.removeprefix("sessions/"))
    assert session.revision > 2
    receipts = [
        receipt_of(veiled, session, revision, seat)
        for revision in range(1, session.revision + 1)
        for seat in ("", *(seat.id for seat in session.seats if seat.id != "referee"))
    ]
    assert {receipt.salt for receipt in receipts} == {""}
    texts = "".join(receipt.statement for receipt in receipts)
    for action in veiled.shelf.actions(known, after_revision=0, limit=500):
        octets = canonical(plain_of(action_message(known.record, action)))
        for salt in (b"", known.record.seeds[0].seed, known.record.seeds[0].commitment.encode()):
            guess = hashlib.sha256(b"guncamera/action/v1\0" + salt + octets).hexdigest()
            assert guess not in texts
    for receipt in receipts:
        assert set(json.loads(receipt.statement)) == {
            "format", "session", "revision", "seat", "time", "commitment", "action_digest",
            "previous",
        }  # fmt: skip


def test_when_the_game_is_over_the_same_statements_are_opened(shelf: Shelf) -> None:
    with duel.registered(VEILED), duel.own_store() as (_, own):
        endpoints = Endpoints(own, clock=Clock(), page_key=b"a key for tests")
        request = pb.CreateSessionRequest(session_id="veiled", setup=SETUP)
        request.setup.kettering.torpedoes = 1
        session = endpoints.CreateSession(request, who())
        kept = []
        for number in range(200):
            if session.state == pb.SESSION_STATE_FINISHED:
                break
            session = play_step(endpoints, session, VEILED, "stock", number)
            kept.append(receipt_of(endpoints, session, session.revision))
        film = film_of(endpoints, session)
        keys = keys_of(endpoints)
        assert [one.statement for one in film.receipts] == [one.statement for one in kept]
        assert {bool(one.salt) for one in kept[:-1]} == {False}
        assert all(one.salt for one in film.receipts)
        assert differences_of(film, keys, kept) == []


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_seat_is_signed_the_same_statement(endpoints: Endpoints, slug: str) -> None:
    session = begin(endpoints, slug, dice_seed="alike")
    for number in range(10):
        session = play_step(endpoints, session, ruleset(slug), "stock", number)
    assert session.revision
    for revision in range(1, session.revision + 1):
        told = {
            receipt_of(endpoints, session, revision, seat).statement
            for seat in ("", *(seat.id for seat in session.seats))
        }
        assert len(told) == 1


# Checking.


@pytest.fixture(scope="module")
def bundle(shelf: Shelf) -> tuple[pb.Film, list[pb.SigningKey], pb.Receipt]:
    """A whole short game with nonces and supplied dice, the keys, and a receipt kept from it."""
    endpoints = Endpoints(shelf, clock=Clock(), page_key=b"a key for tests")
    request = pb.CreateSessionRequest(session_id=f"bundle-{next(NAMES)}", setup=SETUP)
    request.setup.kettering.torpedoes = 1
    session = endpoints.CreateSession(request, who())
    move(endpoints, session, DEPLOY)
    throw(endpoints, session, LAUNCH)
    kept = receipt_of(endpoints, session, 2)
    session = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    session = play(endpoints, session, most=200)
    assert session.state == pb.SESSION_STATE_FINISHED
    return film_of(endpoints, session), keys_of(endpoints), kept


def differences_of(film: pb.Film, keys: Any = (), kept: Any = ()) -> list[Any]:
    """As `guncamera verify` finds them; a film that cannot be read differs."""
    try:
        values = read_film(film)
        again = replay(values)
    except (Malformed, LookupError, TypeError, ValueError, AttributeError, AssertionError) as fault:
        return [fault]
    found = [*again.differences, *check_dice(values).differences]
    found += check_receipts(film, keys=keys, kept=kept).differences
    return found or list(check_writing(film, values, again.state))


def test_an_honest_bundle_holds(bundle: Any) -> None:
    film, keys, kept = bundle
    assert differences_of(film, keys, [kept]) == []
    check = check_receipts(film, keys=keys, kept=[kept])
    assert check.checked == len(film.actions) + 1
    sources = {action.dice_source for action in film.actions}
    assert len(sources) == 3, "seeded, supplied and none"
    assert any(action.client_nonce for action in film.actions if action.rolls)


def test_a_kept_receipt_is_checked_against_a_film_without_any(bundle: Any) -> None:
    film, keys, kept = bundle
    bare = pb.Film()
    bare.CopyFrom(film)
    for name in ("receipts", "signing_keys", "opening_salt"):
        bare.ClearField(name)
    assert differences_of(bare, keys, [kept]) == []
    bare.actions[1].summary += "!"
    assert not is_found(check_receipts(bare, keys=keys, kept=[kept]))


def test_a_game_played_anew_under_the_same_name_is_found_by_a_receipt_of_the_old_one(
    endpoints: Endpoints,
) -> None:
    """The host deletes a session and plays it better; all of the new film is rightly signed."""
    session = begin(endpoints, dice_seed="again")
    play(endpoints, session, most=3)
    kept = receipt_of(endpoints, session, 2)
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who())
    request = pb.CreateSessionRequest(
        session_id=session.name.removeprefix("sessions/"), dice_seed="again", setup=session.setup
    )
    play(endpoints, endpoints.CreateSession(request, who()), most=3)
    film = film_of(endpoints, session)
    assert check_receipts(film, keys=keys_of(endpoints)).differences == ()
    check = check_receipts(film, keys=keys_of(endpoints), kept=[kept])
    assert is_found(check, "receipt's action_digest")


def test_a_film_that_was_cut_is_found_by_a_later_receipt(endpoints: Endpoints) -> None:
    session = begin(endpoints)
    play(endpoints, session, most=3)
    early = film_of(endpoints, session)
    session = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    play(endpoints, session, most=3)
    later = receipt_of(endpoints, session, 5)
    keys = keys_of(endpoints)
    assert differences_of(early, keys) == [], "it is what was played so far"
    assert is_found(check_receipts(early, keys=keys, kept=[later]), "receipt")


def test_keys_of_ones_own_are_no_keys_of_the_services(bundle: Any) -> None:
    """A film wholly made up, and signed: it holds by its own keys, and not by the published."""
    film, keys, _ = bundle
    forged = pb.Film()
    forged.CopyFrom(film)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from guncamera.sessions.signing import key_id_of, public_of

    private = b"f" * 32
    public = public_of(private)
    del forged.signing_keys[:]
    forged.signing_keys.add(id=key_id_of(public), public_key=public.hex())
    for receipt in forged.receipts:
        signed = Ed25519PrivateKey.from_private_bytes(private).sign(receipt.statement.encode())
        receipt.key_id, receipt.signature = key_id_of(public), signed.hex()
    assert differences_of(forged) == []
    assert len(check_receipts(forged, keys=keys).differences) == len(film.receipts)


# Tampering: one of each kind of field, and whole parts.

UNTOLD = {
    "session.expire_time",  # when it would have been deleted
    "session.seats[].claimed",  # who sat there is between the service and its callers
    "signing_keys[].retire_time",  # may be later than the film
    "signing_keys[] cut",  # the published keys are at hand
}


def fields_of(message: Any, path: str = "", kind: str = "") -> Iterator[tuple[str, Any]]:
    """Every field that is set, one of each kind: where it stands, and what changes it."""
    for field, value in message.ListFields():
        here, of = f"{path}.{field.name}".lstrip("."), f"{kind}.{field.name}".lstrip(".")
        is_message = field.message_type is not None
        if field.is_repeated:
            of += "[]"
            for index, item in enumerate(value):
                if is_message:
                    yield from fields_of(item, f"{here}[{index}]", of)
                else:
                    yield of, (message, field, index)
            if len(value):
                yield f"{of} cut", (message, field, -1)
        elif is_message and field.message_type.full_name != "google.protobuf.Timestamp":
            yield from fields_of(value, here, of)
            yield f"{of} left out", (message, field, None)
        else:
            yield of, (message, field, None)


def tamper(message: Any, field: Any, index: int | None) -> None:
    name = field.name
    if index == -1:
        del getattr(message, name)[-1]
    elif index is not None:
        getattr(message, name)[index] = changed(field, getattr(message, name)[index])
    elif field.message_type is None:
        setattr(message, name, changed(field, getattr(message, name)))
    elif field.message_type.full_name == "google.protobuf.Timestamp":
        getattr(message, name).seconds += 1
    else:
        message.ClearField(name)


def changed(field: Any, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value[:-1] + ("2" if value.endswith("1") else "1")
    if field.enum_type is not None:
        numbers = [one.number for one in field.enum_type.values]
        return numbers[(numbers.index(value) + 1) % len(numbers)]
    return value + 1


def kinds(film: pb.Film) -> dict[str, int]:
    """The place, among all that is set, of the last field of each kind."""
    return {kind: place for place, (kind, _) in enumerate(fields_of(film))}


def test_every_kind_of_tampering_is_found(bundle: Any) -> None:
    film, keys, _ = bundle
    missed = []
    found = kinds(film)
    assert len(found) > 120, len(found)
    for kind, place in found.items():
        spoilt = pb.Film()
        spoilt.CopyFrom(film)
        _, where = next(itertools.islice(fields_of(spoilt), place, None))
        tamper(*where)
        assert spoilt != film, kind
        if not differences_of(spoilt, keys):
            missed.append(kind)
    assert set(missed) <= UNTOLD, missed


@pytest.mark.parametrize("part", ["actions", "receipts"])
def test_what_is_left_out_doubled_or_swapped_is_found(bundle: Any, part: str) -> None:
    film, keys, _ = bundle
    for change in (
        lambda items: items.pop(2),
        lambda items: items.insert(2, items[2]),
        lambda items: items.reverse(),
        lambda items: items.append(items[-1]),
        lambda items: items.pop(),
        lambda items: items.__setitem__(3, items[2]),
    ):
        spoilt = pb.Film()
        spoilt.CopyFrom(film)
        items = list(getattr(spoilt, part))
        change(items)
        del getattr(spoilt, part)[:]
        getattr(spoilt, part).extend(items)
        assert differences_of(spoilt, keys)


# Nonces.


def test_a_nonce_enters_the_draw_and_the_ledger(endpoints: Endpoints) -> None:
    faces = set()
    for number in range(12):
        session = begin(endpoints, dice_seed="one")
        move(endpoints, session, DEPLOY)
        nonce = f"nonce-{number:08d}" if number else ""
        action = move(endpoints, session, LAUNCH, client_nonce=nonce)
        assert action.HasField("client_nonce") is bool(nonce)
        assert action.client_nonce == nonce
        faces.add(action.rolls[0].faces[0])
        film = film_of(endpoints, session)
        assert film.actions[1].client_nonce == nonce
        if number:
            assert differences_of(film) == []
    assert len(faces) > 2


def test_without_a_nonce_the_draw_is_as_it_always_was(endpoints: Endpoints) -> None:
    session = begin(endpoints, dice_seed="one")
    move(endpoints, session, DEPLOY)
    assert move(endpoints, session, LAUNCH).rolls[0].faces == [2], "as docs/dice.md has it"


@pytest.mark.parametrize(
    "nonce", ["short", "x" * 65, "with space", "zero\0byte", "ümlaute-ü", "a\nb-cdefgh"]
)
def test_a_nonce_that_could_be_read_in_two_ways_is_refused(
    endpoints: Endpoints, nonce: str
) -> None:
    session = begin(endpoints)
    with pytest.raises(Malformed) as refused:
        move(endpoints, session, DEPLOY, client_nonce=nonce)
    assert refused.value.violations[0].field == "client_nonce"


def test_a_nonce_does_not_go_with_dice_that_were_thrown(endpoints: Endpoints) -> None:
    session = begin(endpoints)
    with pytest.raises(Malformed, match="thrown by the players"):
        move(endpoints, session, DEPLOY, client_nonce=NONCE, dice=supplied(1))


def test_a_preview_with_a_nonce_draws_nothing(endpoints: Endpoints) -> None:
    session = begin(endpoints)
    move(endpoints, session, DEPLOY)
    seen = move(endpoints, session, LAUNCH, client_nonce=NONCE, validate_only=True)
    assert not seen.rolls
    assert seen.would_ask.purpose == "start-hex"


def test_a_call_repeated_with_another_nonce_is_another_call(endpoints: Endpoints) -> None:
    """Else a player could look at one throw after the other under one request id."""
    from guncamera.sessions.refusals import RequestIdReused

    session = begin(endpoints)
    move(endpoints, session, DEPLOY)
    first = move(endpoints, session, LAUNCH, client_nonce=NONCE, request_id="once-0001")
    assert move(endpoints, session, LAUNCH, client_nonce=NONCE, request_id="once-0001") == first
    with pytest.raises(RequestIdReused):
        move(endpoints, session, LAUNCH, client_nonce=f"{NONCE}x", request_id="once-0001")
