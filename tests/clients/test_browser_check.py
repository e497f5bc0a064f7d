"""The browser's check of docs/dice.md as it stands there: honest films pass, spoilt ones do not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guncamera.api.endpoints import Endpoints
from guncamera.api.json_codec import to_json
from guncamera.sessions.entropy import seed_from
from guncamera.v1 import session_service_pb2 as pb
from node import ROOT, node
from orders import DEPLOY, LAUNCH, SETUP, move, who

PAGE = (ROOT / "docs/dice.md").read_text()
GOLDEN = ROOT / "tests/playthroughs/circus-random.jsonl"
ASKED = """
import { readFileSync } from "node:fs";
import { checkDice, checkReceipts } from "./check.js";
const films = JSON.parse(readFileSync("films.json"));
const told = [];
for (const { film, keys } of films) {
  told.push([await checkDice(film), keys ? await checkReceipts(film, keys) : []]);
}
console.log(JSON.stringify(told));
"""


def golden() -> Any:
    """A finished game, whose seed is revealed."""
    first, *rest = map(json.loads, GOLDEN.read_bytes().splitlines())
    return {"session": first, "actions": rest}


def first_roll(film: Any) -> Any:
    return next(action["rolls"][0] for action in film["actions"] if action["rolls"])


def spoil_face(film: Any) -> None:
    faces, sides = first_roll(film)["faces"], first_roll(film)["sides"]
    faces[0] = faces[0] % sides[0] + 1


def spoil_seed(film: Any) -> None:
    film["session"]["dice_commitments"][0]["seed"] = "00" * 32


def without_nonce(film: Any) -> None:
    next(action for action in film["actions"] if action["rolls"]).pop("client_nonce")


def spoil_signature(film: Any) -> None:
    receipt = film["receipts"][1]
    receipt["signature"] = receipt["signature"][:-1] + (
        "0" if receipt["signature"][-1] != "0" else "1"
    )


def spoil_statement(film: Any) -> None:
    receipt = film["receipts"][1]
    receipt["statement"] = receipt["statement"].replace('"revision":2', '"revision":3')


def drop_receipt(film: Any) -> None:
    film["receipts"].pop(0)


def leave_out_action(film: Any) -> None:
    film["actions"].pop()


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[Any]], Any]:
    folder = tmp_path_factory.mktemp("check")
    (code,) = re.findall(r"^```js check\.js\n(.*?)^```", PAGE, re.M | re.S)
    (folder / "check.js").write_text(code)
    (folder / "ask.js").write_text(ASKED)
    (folder / "package.json").write_text('{"type": "module"}')

    def ask(films: list[Any]) -> Any:
        Path(folder / "films.json").write_text(json.dumps(films))
        return json.loads(node("--no-warnings", "ask.js", cwd=folder))

    return ask


@pytest.fixture
def signed(endpoints: Endpoints) -> Any:
    """A game with a nonce and receipts, its seed as it will be told, and the keys."""
    made = pb.CreateSessionRequest(setup=SETUP, dice_seed="check")
    session = endpoints.CreateSession(made, who())
    move(endpoints, session, DEPLOY)
    move(endpoints, session, LAUNCH, client_nonce="a-nonce-of-the-players")
    asked = pb.ExportSessionRequest(name=session.name, with_receipts=True)
    film = endpoints.ExportSession(asked, who())
    plain = json.loads(to_json(film))
    plain["session"]["dice_commitments"][0]["seed"] = seed_from("check").hex()
    keys = endpoints.ListSigningKeys(pb.ListSigningKeysRequest(), who())
    return {"film": plain, "keys": json.loads(to_json(keys))["signing_keys"]}


def changed(one: Any, spoil: Callable[[Any], None]) -> Any:
    again = json.loads(json.dumps(one))
    spoil(again["film"])
    return again


def test_dice_are_drawn_again_and_what_is_spoilt_is_found(
    check: Callable[[list[Any]], Any], signed: Any
) -> None:
    played = {"film": golden()}
    rolls = sum(len(action["rolls"]) for action in played["film"]["actions"])
    assert rolls > 20
    spoils = [changed(played, spoil) for spoil in (spoil_face, spoil_seed)]
    fine, with_nonce, face, seed, nonce = (
        dice for dice, _ in check([played, signed, *spoils, changed(signed, without_nonce)])
    )
    assert fine == with_nonce == []
    assert len(face) == 1
    assert face[0].startswith("action ")
    assert len(seed) > rolls / 2, "the commitment, and nearly every roll"
    assert {fault.partition(":")[0] for fault in nonce} == {"action 2"}


def test_receipts_hold_and_what_is_spoilt_is_found(
    check: Callable[[list[Any]], Any], signed: Any
) -> None:
    spoils = (spoil_signature, spoil_statement, drop_receipt, leave_out_action)
    fine, *found = (
        receipts for _, receipts in check([signed, *(changed(signed, s) for s in spoils)])
    )
    assert fine == []
    assert found == [
        ["receipt 2 is not signed"],
        ["receipt 2 is not signed"],
        ["1 receipts of 2 actions", "receipt 1 does not follow the one before"],
        ["2 receipts of 1 actions"],
    ]
    stranger = {**signed, "keys": [{**signed["keys"][0], "id": "0" * 32}]}
    ((_, unknown),) = check([stranger])
    assert unknown == ["receipt 1 is not signed", "receipt 2 is not signed"]
