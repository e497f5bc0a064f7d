"""Sessions, actions and films to and from messages."""

from __future__ import annotations

from typing import Any

from guncamera.api import wire
from guncamera.api.names import action_name
from guncamera.api.rulings import (
    chosen,
    fill_outcome,
    read_event,
    read_line,
    read_settings,
)
from guncamera.api.written_actions import write_action
from guncamera.rules.book import VariantPin
from guncamera.rules.dice import MAX_DICE_PER_ASK, MAX_SIDES, Roll
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Ruleset, Verb, ruleset
from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions.books import pinned_book
from guncamera.sessions.film import Film
from guncamera.sessions.refusals import FilmInvalid
from guncamera.sessions.seals import reveal_micros, sealed_order, sealed_seats, sealed_verb
from guncamera.sessions.session import (
    DEFAULT_TTL_SECONDS,
    MAX_ACTIONS,
    Action,
    DiceSource,
    Entry,
    Record,
    Seed,
    Session,
    Undone,
    checked_delay_seconds,
    checked_nonce,
    checked_seal_seconds,
    etag_of,
)
from guncamera.sessions.views import board_for, revealed_seed, setup_for
from guncamera.v1 import dice_pb2
from guncamera.v1 import session_service_pb2 as pb

FILM_FORMAT = 1
_YEAR_9999 = 253_370_764_800  # in seconds; a session's end, a year later, is still a time
_SOURCES = {
    dice_pb2.DICE_SOURCE_SEEDED: DiceSource.SEEDED,
    dice_pb2.DICE_SOURCE_DRAWN: DiceSource.DRAWN,
    dice_pb2.DICE_SOURCE_SUPPLIED: DiceSource.SUPPLIED,
}


def session_message(
    session: Session, seat: str | None, *, with_board: bool = True, with_seals: bool = True
) -> pb.Session:
    """A session as a seat sees it; None is a spectator."""
    record, state = session.record, session.state
    message = pb.Session(
        name=f"sessions/{record.id}",
        ruleset=f"rulesets/{record.ruleset.slug}",
        rules_version=record.rules_version,
        rules_hash=record.rules_hash,
        state=pb.SESSION_STATE_FINISHED if session.finished else pb.SESSION_STATE_ACTIVE,
        active_seats=state.active_seats,
        revision=session.revision,
        etag=session.etag,
        result=state.result or "",
        seal_seconds=record.seal_seconds,
        spectator_delay_seconds=record.spectator_delay_seconds,
    )
    if record.variant is not None:
        message.variant, message.variant_hash = record.variant.name, record.variant.hash
    slug = record.ruleset.slug
    fill_outcome(message.settings, slug, record.book.settings)
    for name in record.book.later:  # the session says what it has always said, as do its receipts
        getattr(message.settings, slug).ClearField(name)
    fill_outcome(message.setup, slug, setup_for(session, seat))
    for one in record.seats:
        message.seats.add(
            id=one.id, side=one.side, title=one.title, claimed=one.id in session.claims
        )
    message.create_time.FromMicroseconds(record.create_micros)
    message.expire_time.FromMicroseconds(state.changed_micros + record.ttl_seconds * 1_000_000)
    for seed in record.seeds:
        message.dice_commitments.add(
            from_revision=seed.from_revision,
            commitment=seed.commitment,
            seed=revealed_seed(session, seed.seed),
            seed_supplied=seed.supplied,
        )
    if with_board:
        fill_outcome(message.board, slug, board_for(session, seat))
    if with_seals:
        _fill_seals(message, session, seat)
    return message


def _fill_seals(message: pb.Session, session: Session, seat: str | None) -> None:
    message.sealed_verb = sealed_verb(session) or ""
    message.sealed_seats.extend(sealed_seats(session))
    for one, back in session.offers:
        message.undo_offers.offers.add(seat=one, to_revision=back)
    own = sealed_order(session, seat)
    if own is not None:
        verb, order = own
        fill_outcome(getattr(message.sealed_order, verb), session.record.ruleset.slug, order)
    micros = reveal_micros(session)
    if micros is not None:
        message.reveal_time.FromMicroseconds(micros)


def action_message(record: Record, action: Entry) -> pb.Action:
    """An action, already filtered for the seat that asks; a preview has no name."""
    if isinstance(action, Undone):
        return _undone_message(record, action)
    return pb.Action.FromString(write_action(record, action).octets)


def _undone_message(record: Record, undone: Undone) -> pb.Action:
    """An undo, of which everyone sees all."""
    message = pb.Action(
        name=action_name(record.id, undone.revision),
        revision=undone.revision,
        seat=undone.seat,
        undo=pb.UndoOrder(to_revision=undone.to_revision),
        undo_outcome=pb.UndoOutcome(agreed_seats=undone.agreed_seats),
        summary=undone.summary,
        rules_version=undone.rules_version,
        etag=etag_of(undone.revision),
    )
    message.create_time.FromMicroseconds(undone.create_micros)
    return message


def read_film(message: pb.Film, variants: Variants = NO_VARIANTS) -> Film:
    """A film as values; its rulings are as yet unchecked.

    Args:
        variants: Those at hand. A film of another one is read, and refused when it is ruled on.

    Raises:
        FilmInvalid, Malformed: It is no film that this service can read.
    """
    if message.format != FILM_FORMAT:
        raise FilmInvalid(
            f"Film format {message.format}; this service reads {FILM_FORMAT}.",
            field="film.format",
        )
    if len(message.actions) > MAX_ACTIONS:
        raise FilmInvalid(
            f"{len(message.actions)} actions; a session holds at most {MAX_ACTIONS}.",
            field="film.actions",
        )
    record = _read_record(message.session, variants)
    actions = tuple(
        _read_action(action, record, f"film.actions[{at}]")
        for at, action in enumerate(message.actions)
    )
    return Film(record, actions, message.session.result or None)


def _read_record(session: pb.Session, variants: Variants) -> Record:
    slug = session.ruleset.removeprefix("rulesets/")
    found = ruleset(slug)
    chosen(session.setup, "ruleset", "film.session.setup")
    setup: Any = wire.read(getattr(session.setup, slug), found.setup, f"film.session.setup.{slug}")
    pin = _read_pin(session)
    settings = read_settings(session.settings, found)
    book = pinned_book(found, session.rules_hash, settings, pin, variants)
    seeds = tuple(
        Seed(one.from_revision, _seed_bytes(one), one.commitment, one.seed_supplied)
        for one in session.dice_commitments
    )
    if not seeds or seeds[0].from_revision > 1:
        raise FilmInvalid(
            "The film names no commitment for its first dice.",
            field="film.session.dice_commitments",
        )
    return Record(
        id=session.name.removeprefix("sessions/"),
        ruleset=found,
        book=book,
        rules_version=session.rules_version,
        rules_hash=session.rules_hash,
        setup=setup,
        seats=found.seats(setup, book),
        create_micros=_micros_of(session, "film.session"),
        ttl_seconds=DEFAULT_TTL_SECONDS,
        seeds=seeds,
        seal_seconds=checked_seal_seconds(
            found, session.seal_seconds, DEFAULT_TTL_SECONDS, "film.session.seal_seconds"
        ),
        spectator_delay_seconds=checked_delay_seconds(
            session.spectator_delay_seconds,
            DEFAULT_TTL_SECONDS,
            "film.session.spectator_delay_seconds",
        ),
        variant=pin,
    )


def _read_pin(session: pb.Session) -> VariantPin | None:
    """The variant that a film says it was played by.

    Raises:
        FilmInvalid: It names no hash, or a hash and no variant.
    """
    if bool(session.variant) != bool(session.variant_hash):
        absent = "variant_hash" if session.variant else "variant"
        raise FilmInvalid(
            "A film names the variant that it was played by, and its hash, or neither.",
            field=f"film.session.{absent}",
        )
    return VariantPin(session.variant, session.variant_hash) if session.variant else None


def _micros_of(message: pb.Session | pb.Action, path: str) -> int:
    """When something was done. Left out it would be 1970, and nobody would notice.

    The films of a tournament do say 1970, so that they come out alike when it is played again.
    """
    seconds, nanos = message.create_time.seconds, message.create_time.nanos
    is_a_time = 0 <= seconds < _YEAR_9999 and 0 <= nanos < 1_000_000_000
    if not is_a_time or not message.HasField("create_time"):
        raise FilmInvalid(
            f"{path}: a film says when it was made, by a time from 1970 to 9998, and this one does "
            "not. Export it anew.",
            field=f"{path}.create_time",
        )
    return seconds * 1_000_000 + nanos // 1000


def _seed_bytes(commitment: pb.DiceCommitment) -> bytes:
    try:
        return bytes.fromhex(commitment.seed)
    except ValueError:
        raise FilmInvalid(
            "A revealed seed is hexadecimal.", field="film.session.dice_commitments"
        ) from None


def _read_undone(message: pb.Action, path: str) -> Undone:
    if message.WhichOneof("outcome") != "undo_outcome":
        raise Malformed(f"{path}: its outcome is not one of undo.", field=f"{path}.outcome")
    return Undone(
        revision=message.revision,
        seat=message.seat,
        to_revision=message.undo.to_revision,
        agreed_seats=tuple(message.undo_outcome.agreed_seats),
        summary=message.summary,
        rules_version=message.rules_version,
        create_micros=_micros_of(message, path),
    )


def _read_action(message: pb.Action, record: Record, path: str) -> Entry:
    found = record.ruleset
    name = chosen(message, "order", path)
    if name == "undo":
        return _read_undone(message, path)
    verb = Verb(name)
    if message.WhichOneof("outcome") != f"{verb}_outcome":
        raise Malformed(f"{path}: its outcome is not one of {verb}.", field=f"{path}.outcome")
    procedure = found.procedure(verb)
    source = _SOURCES.get(message.dice_source)
    return Action(
        revision=message.revision,
        seat=message.seat,
        verb=verb,
        order=_inner(getattr(message, verb), procedure.order, found, f"{path}.{verb}"),
        outcome=_inner(
            getattr(message, f"{verb}_outcome"),
            procedure.outcome,
            found,
            f"{path}.{verb}_outcome",
        ),
        trace=tuple(read_line(line, f"{path}.trace[{i}]") for i, line in enumerate(message.trace)),
        events=tuple(
            read_event(event, found, f"{path}.events[{i}]")
            for i, event in enumerate(message.events)
        ),
        summary=message.summary,
        rolls=tuple(_read_roll(roll, f"{path}.rolls[{i}]") for i, roll in enumerate(message.rolls)),
        dice_source=source,
        rules_version=message.rules_version,
        create_micros=_micros_of(message, path),
        client_nonce=checked_nonce(
            message.client_nonce,
            supplied=source is DiceSource.SUPPLIED,
            path=f"{path}.client_nonce",
        ),
        by_default=_by_default(message, record, path),
    )


def _by_default(message: pb.Action, record: Record, path: str) -> bool:
    if message.by_default and not record.seal_seconds:
        raise FilmInvalid(
            f"{path}: its seat is said to have been late, and this session had no deadline to seal "
            "by. Export it anew.",
            field=f"{path}.by_default",
        )
    return message.by_default


def _inner(message: Any, cls: type, found: Ruleset, path: str) -> Any:
    if message.WhichOneof("ruleset") != found.slug:
        raise Malformed(f"{path}: set {found.slug}.", field=path)
    return wire.read(getattr(message, found.slug), cls, f"{path}.{found.slug}")


def _read_roll(message: dice_pb2.Roll, path: str) -> Roll:
    """Dice of a film, held to what any rule may ask for: they are drawn again to be checked."""
    sides, faces = tuple(message.sides), tuple(message.faces)
    if not 1 <= len(sides) == len(faces) <= MAX_DICE_PER_ASK:
        raise FilmInvalid(
            f"{path}: {len(sides)} dice with {len(faces)} faces; a roll has 1 to "
            f"{MAX_DICE_PER_ASK} dice, and a face for each.",
            field=path,
        )
    if not all(2 <= n <= MAX_SIDES for n in sides):
        raise FilmInvalid(f"{path}: a die has 2 to {MAX_SIDES} sides.", field=f"{path}.sides")
    return Roll(message.purpose, sides, faces)
