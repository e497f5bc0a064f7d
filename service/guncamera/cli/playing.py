"""A whole game through a running service: see the board, ask a pilot, give its order, again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from guncamera.api import wire
from guncamera.api.rulings import fill_outcome
from guncamera.cli.console import REFUSED, Failure
from guncamera.rules.book import AnyBook
from guncamera.rules.ruleset import LegalOrder, Pilot, Ruleset, Verb
from guncamera.rules.settings import SettingValue
from guncamera.v1 import actions_pb2, session_service_pb2

ORDERS: Mapping[Verb, type] = {
    Verb.MOVE: actions_pb2.MoveOrder,
    Verb.WIND: actions_pb2.WindOrder,
    Verb.SPOT: actions_pb2.SpotOrder,
    Verb.FIRE: actions_pb2.FireOrder,
    Verb.DAMAGE: actions_pb2.DamageOrder,
}
MOST_ACTIONS = 20_000
"""As many as a session holds."""


@dataclass(frozen=True, slots=True)
class Game:
    """What to play, and who flies.

    Attributes:
        book: The rule set's book under the settings chosen.
        settings: Those that differ from the defaults.
        pilot: Flies the first seat, and the others where there is no rival.
        dice_seed: A seed for a game to be played again alike; empty, a secret one is drawn.
        viewer: The seat as which the game is looked at; empty, a spectator. None: each action as
            whoever gave it sees it.
        rival: Flies every seat but the first.
    """

    ruleset: Ruleset
    book: AnyBook
    setup: Any
    settings: Mapping[str, SettingValue]
    pilot: Pilot
    dice_seed: str = ""
    viewer: str | None = None
    rival: Pilot | None = None

    def pilot_of(self, seat: str) -> Pilot:
        """Who flies a seat."""
        if self.rival is None or seat == self.ruleset.seats(self.setup, self.book)[0].id:
            return self.pilot
        return self.rival


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over.

    Attributes:
        session: As the service shows it at the end.
        view: The last board.
        rolls: How many throws there were.
    """

    session: session_service_pb2.Session
    view: Any
    actions: int
    rolls: int


def play_out(
    client: Any,
    game: Game,
    tell: Callable[[session_service_pb2.Action], None],
    look: Callable[[session_service_pb2.Session], None] | None = None,
) -> Played:
    """Play a game to its end.

    Args:
        client: A client of either transport.
        tell: Is told each action.
        look: Is shown the session as the viewer sees it, before each order and at the end.

    Raises:
        Failure: The service plays by other rules than these, or the game does not end.
        GuncameraError: The service refuses.
    """
    pin = game.book.variant
    session = client.create_session(
        _setup_message(game),
        settings=_settings_message(game),
        variant=pin.name if pin else "",
        dice_seed=game.dice_seed,
    )
    if session.rules_hash != game.book.digest:
        raise Failure(
            f"The service has other rules for {game.ruleset.slug} than this program: "
            f"{session.rules_hash[:12]} against {game.book.digest[:12]}. Use the same version "
            "of both.",
            exit_code=REFUSED,
        )
    rolls = told = 0
    seat = _seat_to_act(session)
    for nth in range(MOST_ACTIONS):
        session = client.get_session(session, seat=seat)
        if look is not None:
            look(client.get_session(session, seat=game.viewer or ""))
        if session.state == session_service_pb2.SESSION_STATE_FINISHED:
            session = client.get_session(session, seat=game.viewer or "")
            return Played(session, view_of(session, game.ruleset), session.revision, rolls)
        if (now := _seat_to_act(session)) != seat:
            seat = now
            session = client.get_session(session, seat=seat)
        order = game.pilot_of(seat)(view_of(session, game.ruleset), seat, game.book, nth)
        given = tuple(_give(client, session, game.ruleset, order, seat))
        rolls += sum(len(action.rolls) for action in given)
        if game.viewer is not None:
            given = tuple(client.list_actions(session, after_revision=told, seat=game.viewer))
        for action in given:
            told = action.revision
            tell(action)
    raise Failure(f"The game is not over after {MOST_ACTIONS} actions.", exit_code=REFUSED)


def _seat_to_act(session: session_service_pb2.Session) -> str:
    """The first seat that has to give an order, and has sealed none."""
    return next((one for one in session.active_seats if one not in session.sealed_seats), "")


def view_of(session: session_service_pb2.Session, found: Ruleset) -> Any:
    """The board of a session, as the core knows it."""
    view: Any = wire.read(getattr(session.board, found.slug), found.view, "board")
    return view


def _give(
    client: Any, session: Any, found: Ruleset, order: LegalOrder, seat: str
) -> Iterable[session_service_pb2.Action]:
    """Give an order, openly or sealed; the actions that came of it."""
    message = ORDERS[order.verb]()
    fill_outcome(message, found.slug, order.order)
    if order.verb != session.sealed_verb:
        verb = getattr(client, order.verb.value)
        return (verb(session, message, seat=seat, etag=session.etag),)
    answer = client.seal_order(session, message, seat=seat, etag=session.etag)
    if not answer.revealed:
        return ()
    revealed: Iterable[session_service_pb2.Action] = client.list_actions(
        session, after_revision=answer.revision, seat=seat
    )
    return revealed


def _setup_message(game: Game) -> actions_pb2.SessionSetup:
    message = actions_pb2.SessionSetup()
    fill_outcome(message, game.ruleset.slug, game.setup)
    return message


def _settings_message(game: Game) -> actions_pb2.RulesetSettings | None:
    if not game.settings:
        return None
    message = actions_pb2.RulesetSettings()
    inner = getattr(message, game.ruleset.slug)
    for name, value in game.settings.items():
        setattr(inner, name, value)
    return message
