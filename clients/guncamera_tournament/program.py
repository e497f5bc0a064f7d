"""Pilots in processes of their own, that speak JSON lines: programs, and hosted functions.

`docs/tournaments.md` has the lines. Every game has a process of its own, so that no pilot brings
anything from one game to another; one that is cut short begins anew at the next order.
"""

from __future__ import annotations

import json
import shlex
import sys
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import LegalOrder

from guncamera_tournament.event import ClockRules, Entry, Limits
from guncamera_tournament.pilot import MOST_ORDERS, Situation
from guncamera_tournament.pipes import LineProcess
from guncamera_tournament.sitting import Misconduct, OutOfTime
from guncamera_tournament.timing import Stopwatch

PROTOCOL = 1
MOST_QUESTIONS = 100
"""As many questions as a pilot may ask before it gives one order."""


class Program:
    """A pilot that speaks JSON lines.

    Args:
        entry: The pilot.
        clock, limits: Those of the event.
        game: What it is told of the game, beside its seat.
    """

    def __init__(
        self, entry: Entry, clock: ClockRules, limits: Limits, game: dict[str, Any]
    ) -> None:
        self._entry = entry
        self._clock = clock
        self._limits = limits
        self._game = game
        self._process: LineProcess | None = None
        self._wants = 0

    def begin(self, seat: str) -> None:
        """Start it, and wait until it is ready."""
        self._game = {**self._game, "seat": seat}
        self._start()

    def choose(self, situation: Situation, stopwatch: Stopwatch) -> LegalOrder:
        """Ask it; answer what it asks."""
        if self._process is None:
            self._start()
        with stopwatch.held():
            said: dict[str, Any] = _told(situation)
            if self._wants:
                said["legal_orders"] = _plain_orders(situation.legal_orders(self._wants))
        for _ in range(MOST_QUESTIONS):
            answer = self._ask(said, situation.clock.hard_seconds - stopwatch.seconds)
            if answer["type"] == "order":
                return _order_from(answer.get("order"))
            with stopwatch.held():
                said = {"type": "legal_orders", "orders": _plain_orders(_asked(answer, situation))}
        raise Misconduct("flood", f"it asked more than {MOST_QUESTIONS} questions for one order")

    def end(self) -> None:
        """Kill it: it has no say in how long that takes."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _start(self) -> None:
        self._process = LineProcess(_command(self._entry), self._limits)
        seconds = self._clock.start_seconds
        try:
            answer = self._ask({"type": "game", "protocol": PROTOCOL, **self._game}, seconds)
        except OutOfTime:
            raise Misconduct("timeout", "it was not ready for the game in time") from None
        if answer["type"] != "ready":
            raise Misconduct("malformed", f'it was to say "ready", and said "{answer["type"]}"')
        self._wants = _count(answer, "legal_orders", least=0, most=MOST_ORDERS, otherwise=0)

    def _ask(self, said: dict[str, Any], seconds: float) -> dict[str, Any]:
        if self._process is None:
            raise AssertionError("nobody is there to be asked")
        try:
            line = self._process.converse(json.dumps(said).encode(), seconds)
        except (OutOfTime, Misconduct):
            self.end()
            raise
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise Misconduct("malformed", f"no JSON: {_shown(line)}") from None
        if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
            raise Misconduct("malformed", f'no object with a "type": {_shown(line)}')
        if answer["type"] == "fault":
            raise Misconduct("crash", str(answer.get("message", "it said so")))
        return answer


def _command(entry: Entry) -> list[str]:
    if entry.kind == "program":
        return shlex.split(entry.what)
    return [sys.executable, "-m", "guncamera_tournament.host", entry.spec]


def _told(situation: Situation) -> dict[str, Any]:
    return {
        "type": "turn",
        "nth": situation.nth,
        "strikes": situation.clock.strikes,
        "seed": f"{situation.random.getrandbits(128):032x}",
        "session": _plain(situation.session),
    }


def _asked(answer: dict[str, Any], situation: Situation) -> list[LegalOrder]:
    """The legal orders that a pilot asks for."""
    if answer["type"] == "legal_orders":
        count = _count(answer, "count", least=1, most=MOST_ORDERS, otherwise=100)
        return situation.legal_orders(count)
    if answer["type"] == "draw_orders":
        return situation.draw_orders(_count(answer, "count", least=1, most=100, otherwise=1))
    kinds = "order, legal_orders or draw_orders"
    raise Misconduct("malformed", f'"type" was {answer["type"]!r}; it is to be {kinds}')


def _count(answer: dict[str, Any], name: str, *, least: int, most: int, otherwise: int) -> int:
    number = answer.get(name, otherwise)
    if type(number) is not int or not least <= number <= most:
        raise Misconduct("malformed", f'"{name}" was {number!r}; it is to be {least} to {most}')
    return number


def _order_from(plain: Any) -> LegalOrder:
    order = LegalOrder()
    try:
        json_format.ParseDict(plain, order, max_recursion_depth=50)
    except (json_format.ParseError, TypeError, AttributeError, ValueError, RecursionError) as fault:
        raise Misconduct("malformed", f"its order is none: {fault}") from None
    if order.WhichOneof("order") is None:
        raise Misconduct("malformed", "its order names none of move, wind, spot, fire and damage")
    return order


def _plain(message: Message) -> dict[str, Any]:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _plain_orders(orders: list[LegalOrder]) -> list[dict[str, Any]]:
    return [_plain(order) for order in orders]


def _shown(line: bytes) -> str:
    return line[:80].decode("utf-8", "replace")
