"""Runs a Python function as a program that speaks JSON lines: `host.py module:function`.

What the function prints goes to its error output, so that it cannot get between the lines.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any, BinaryIO

from google.protobuf import json_format
from guncamera.v1.session_service_pb2 import LegalOrder, Session

from guncamera_tournament.finding import find_pilot
from guncamera_tournament.pilot import Clock, Pilot, Situation, legal_order_of


class _Lines:
    """The lines to and from the runner, and legal orders through them."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self._reading = reading
        self._writing = writing

    def hear(self) -> dict[str, Any] | None:
        line = self._reading.readline()
        return json.loads(line) if line else None

    def say(self, kind: str, **said: Any) -> None:
        self._writing.write(json.dumps({"type": kind, **said}).encode() + b"\n")
        self._writing.flush()

    def first(self, count: int) -> list[LegalOrder]:
        self.say("legal_orders", count=count)
        return self._orders()

    def drawn(self, count: int, seed: str) -> list[LegalOrder]:
        # The runner draws by a seed that is as good.
        del seed
        self.say("draw_orders", count=count)
        return self._orders()

    def _orders(self) -> list[LegalOrder]:
        heard = self.hear()
        if heard is None:
            sys.exit()
        return [json_format.ParseDict(one, LegalOrder()) for one in heard["orders"]]


def serve(pilot: Pilot, lines: _Lines) -> None:
    """Play one game, until the lines end."""
    game: dict[str, Any] = {}
    while (heard := lines.hear()) is not None:
        if heard["type"] == "game":
            game = heard
            lines.say("ready")
            continue
        try:
            order = legal_order_of(pilot(_situation(game, heard, lines)))
        except Exception as fault:  # whatever a stranger's code raises
            lines.say("fault", message=f"{type(fault).__name__}: {fault}"[:300])
            raise
        lines.say("order", order=_plain(order))


def _situation(game: dict[str, Any], turn: dict[str, Any], lines: _Lines) -> Situation:
    clock = game["clock"]
    random.seed(turn["seed"])  # for those who use the module's own chance
    return Situation(
        ruleset=game["ruleset"],
        seat=game["seat"],
        session=json_format.ParseDict(turn["session"], Session()),
        nth=turn["nth"],
        clock=Clock(
            clock["soft_seconds"], clock["hard_seconds"], turn["strikes"], clock["most_strikes"]
        ),
        random=random.Random(turn["seed"]),  # noqa: S311  # of the pilot, not of the dice
        _source=lines,
        variant=game.get("variant", ""),
    )


def _plain(order: LegalOrder) -> dict[str, Any]:
    return json_format.MessageToDict(order, preserving_proto_field_name=True)


def main(spec: str) -> None:
    """Find a pilot and serve it on standard input and output."""
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lines = _Lines(reading, writing)
    try:
        pilot = find_pilot(spec)
    except Exception as fault:  # whatever a stranger's module raises
        lines.say("fault", message=f"{type(fault).__name__}: {fault}"[:300])
        raise
    serve(pilot, lines)


if __name__ == "__main__":
    main(sys.argv[1])
