"""The samples of docs/vtt.md, as they stand on the page, against a live service."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Service
from lupa.lua52 import LuaRuntime
from node import ROOT, node

PAGE = (ROOT / "docs/vtt.md").read_text()
HOSTS = Path(__file__).parent / "vtt"
CIRCUS = json.loads((ROOT / "service/guncamera/rulesets/circus/examples.json").read_text())
DOGFIGHT = {"setup": CIRCUS["CreateSession"]["setup"], "dice_seed": "1918"}
CAMPAIGN = {"setup": {"kettering": {"aircraft_type": "fokker-d7"}}, "dice_seed": "1917"}


def files() -> dict[str, str]:
    """Every file that the page shows, in parts where it says so."""
    found: dict[str, str] = {}
    blocks = re.findall(r"^```\w+ (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for name, text in blocks:
        found[name] = f"{found[name]}\n{text}" if name in found else text
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("vtt")
    for name, text in files().items():
        (made / name).write_text(text)
    for host in HOSTS.glob("*.js"):
        (made / host.name).write_text(host.read_text())
    (made / "package.json").write_text('{"type": "module"}')
    sdk = made / "node_modules/@owlbear-rodeo/sdk"
    sdk.mkdir(parents=True)
    (sdk / "package.json").write_text('{"type": "module", "main": "index.js"}')
    (sdk / "index.js").write_text("export default globalThis.OBR;\n")
    return made


def opened(service: Service, game: dict[str, Any]) -> tuple[str, str]:
    """A session and the token of its first seat."""
    with httpx.Client(base_url=f"{service.url}/v1/") as http:
        session = http.post("sessions", json=game).json()
        seat = {"seat": session["seats"][0]["id"]}
        token = http.post(f"{session['name']}:claim", json=seat).json()["token"]
    return session["name"], token


def test_every_block_is_a_file_that_is_run_here_or_a_command() -> None:
    assert set(files()) == {
        "guncamera.js", "table.js", "spectate.js", "module.json", "foundry.js", "owlbear.js",
        "table.lua", "bot.py",
    }  # fmt: skip
    unnamed = re.findall(r"^```(\w+)\n", PAGE, re.MULTILINE)
    assert unnamed == ["sh"]
    (commands,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    scripts = json.loads((ROOT / "docs/examples/typescript/package.json").read_text())["scripts"]
    assert set(re.findall(r"npm (?:run )?(types|check|start)", commands)) == set(scripts)


def test_browsers_play_and_watch(folder: Path, service: Service) -> None:
    arguments = ("play.js", service.url, json.dumps(DOGFIGHT))
    found = json.loads(node("--experimental-eventsource", "--no-warnings", *arguments, cwd=folder))
    assert "<li>target below -1 (CIR-7.1)</li>" in found["card"]
    assert "<li>long burst +1 (CIR-9.14)</li>" in found["more"]
    assert found["seen"] == [2, 3]
    assert found["failures"] >= 2, "the first connection failed, and was made again"
    assert found["refused"]["reason"] == "PHASE_CLOSED"
    assert found["revealed"] == [False, True], "the last seal reveals all"
    assert len(found["spectated"]) == 3
    assert re.fullmatch("[0-9a-f]{32}", found["id"])
    assert found["escaped"] == "<p>&#60;b&#62;&#38;</p><ul></ul>"


def test_the_foundry_module_gives_orders_and_writes_the_chat(
    folder: Path, service: Service
) -> None:
    session, token = opened(service, CAMPAIGN)
    found = json.loads(node("foundry_host.js", service.url, session, token, cwd=folder))
    assert found["scopes"]["token"] == found["scopes"]["key"] == "client", "players read the world"
    assert found["chat"][0].startswith("<p>")
    assert list(found["seen"]) == [session]
    manifest = json.loads(files()["module.json"])
    assert manifest["esmodules"] == ["foundry.js"]


def test_the_owlbear_extension_shows_what_happens(folder: Path, service: Service) -> None:
    session, token = opened(service, CAMPAIGN)
    found = json.loads(node("owlbear_host.js", service.url, session, token, cwd=folder))
    message, variant = found["notified"][0]
    assert message.endswith(".")
    assert variant == "INFO"


class TabletopSimulator:
    """Its Lua, as far as the sample touches it."""

    def __init__(self) -> None:
        self.lua = LuaRuntime(unpack_returned_tuples=True)
        self.printed: list[str] = []
        self.told: list[str] = []
        self.later: list[Callable[[], None]] = []
        names = self.lua.globals()
        names.print = self.printed.append
        names.broadcastToAll = self.told.append
        names.Wait = self.lua.table_from({"time": lambda does, seconds: self.later.append(does)})
        names.WebRequest = self.lua.table_from({"custom": self._custom})
        names.JSON = self.lua.table_from({"decode": self._decode})

    def _decode(self, text: str) -> Any:
        return self.lua.table_from(json.loads(text), recursive=True)

    def _custom(
        self, url: str, method: str, download: bool, data: str, headers: Any, done: Any
    ) -> None:
        try:
            answer = httpx.request(method, url, content=data, headers=dict(headers), timeout=30)
        except httpx.TransportError as broken:
            done(self.lua.table_from({"is_error": True, "error": str(broken)}))
        else:
            code, text = answer.status_code, answer.text
            done(self.lua.table_from({"is_error": False, "response_code": code, "text": text}))


def test_tabletop_simulator_plays_without_a_stream(service: Service) -> None:
    session, token = opened(service, CAMPAIGN)
    table = TabletopSimulator()
    table.lua.execute(files()["table.lua"])
    names = table.lua.globals()
    names.BASE, names.SESSION, names.TOKEN = service.url, session, token
    listed: list[Any] = []
    names.orders(listed.append)
    first = listed[0][1]
    assert (first.verb, first.summary[:6]) == ("move", "Set up")
    names.give(first)
    names.follow(None)
    assert len(table.told) == 1
    names.orders(listed.append)
    assert json.loads(listed[1][1].order) == {"kettering": {"launch": {}}}, "an object, not a list"
    names.give(listed[1][1])
    table.later.pop()()
    assert len(table.told) == 2, "what came after the cursor, once"
    assert table.printed == []
    names.give(first)
    assert table.printed[0].startswith("PHASE_CLOSED: ")
    names.BASE = "http://127.0.0.1:9"
    names.give(first)
    assert table.printed[1].startswith("No answer: ")


class Interaction:
    """One use of a command; keeps what was done with it, in order."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.response = self.followup = self

    async def defer(self) -> None:
        self.said.append("deferred")

    async def send(self, text: str) -> None:
        self.said.append(text)


def test_the_discord_bot_defers_and_then_answers(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_it_is(function: Any) -> Any:
        return function

    tree = types.SimpleNamespace(command=lambda description: as_it_is)
    discord: Any = types.ModuleType("discord")
    discord.Intents = types.SimpleNamespace(default=lambda: None)
    discord.Client = lambda intents: types.SimpleNamespace(event=as_it_is)
    discord.app_commands = types.SimpleNamespace(CommandTree=lambda bot: tree)
    discord.Interaction = Interaction
    monkeypatch.setitem(sys.modules, "discord", discord)
    monkeypatch.setenv("GUNCAMERA", service.grpc)
    monkeypatch.delenv("GUNCAMERA_KEY", raising=False)

    # As its reader runs it: imported before there is a loop.
    bot: dict[str, Any] = {"__name__": "bot"}
    exec(compile(files()["bot.py"], "bot.py", "exec"), bot)

    async def use(*aircraft: str) -> list[list[str]]:
        async with bot["guns"]:
            shots = [Interaction() for _ in aircraft]
            for shot, name in zip(shots, aircraft):
                await bot["shot"](shot, name, 2)
        return [shot.said for shot in shots]

    (first, text), (_, refusal) = asyncio.run(use("fokker-d7", "spitfire"))
    assert first == "deferred"
    assert re.search(r"^range -3 \(KET-", text, re.MULTILINE), text
    assert "spitfire" in refusal
