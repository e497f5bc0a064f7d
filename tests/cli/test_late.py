"""`guncamera verify` of a film with seats that were late: it says what nobody can check."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duel
import pytest
import secrecy
from guncamera.api.endpoints import Endpoints
from guncamera.api.json_codec import to_json
from guncamera.api.rulings import fill_outcome
from guncamera.rules.ruleset import rulesets
from guncamera.v1 import session_service_pb2 as pb
from orders import who
from wire_play import play_step

FOUND = rulesets()["redstars"]
SAID = "1 order said to be for seats that were late"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A film in which one seat was late, with receipts and without, and the keys."""
    folder, now = tmp_path_factory.mktemp("late"), 1_790_000_000_000_000
    with duel.own_store() as (_, shelf):
        endpoints = Endpoints(shelf, clock=lambda: now, page_key=b"a key for tests")
        start = secrecy.sealing_start(FOUND)
        assert start is not None
        create = pb.CreateSessionRequest(dice_seed="late", seal_seconds=60)
        fill_outcome(create.setup, FOUND.slug, start.setup)
        session = endpoints.CreateSession(create, who())
        for number in range(secrecy.MOST_ACTIONS):
            if session.sealed_verb and session.sealed_seats:
                break
            session = play_step(endpoints, session, FOUND, "stock", number)
        now = session.reveal_time.ToMicroseconds()
        endpoints.RevealOrders(pb.RevealOrdersRequest(name=session.name), who())
        made = {
            "plain": endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who()),
            "signed": endpoints.ExportSession(
                pb.ExportSessionRequest(name=session.name, with_receipts=True), who()
            ),
            "keys": endpoints.ListSigningKeys(pb.ListSigningKeysRequest(), who()),
        }
        written = {name: folder / f"{name}.json" for name in made}
        for name, message in made.items():
            written[name].write_bytes(to_json(message))
        yield written


def test_that_a_seat_was_late_is_vouched_for_by_receipts_alone(
    run: Any, files: dict[str, Path]
) -> None:
    keys = ["--keys", files["keys"]]
    for film, others, is_signed in (
        ("plain", [], False), ("plain", keys, False), ("signed", [], False), ("signed", keys, True)
    ):  # fmt: skip
        ran = run("verify", files[film], *others)
        assert ran.code == 0, ran.err
        assert (SAID in " ".join(ran.out.split())) != is_signed
        told = run("verify", files[film], *others, "--json").json
        assert told["late"] == {"said": 1, "signed": is_signed}


def test_a_mark_that_cannot_be_is_a_difference(
    run: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    film = json.loads(files["plain"].read_bytes())
    at = next(at for at, one in enumerate(film["actions"]) if not one.get("by_default"))
    film["actions"][at]["by_default"] = True
    file = tmp_path / "marked.json"
    file.write_text(json.dumps(film))
    ran = run("verify", file)
    assert (ran.code, f"action {at + 1}: by_default is true" in ran.err) == (1, True)
