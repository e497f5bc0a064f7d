"""Running the command line in this process, with its output caught."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from guncamera.cli.main import main

SHOT = (
    "aircraft_type=fokker-d7",
    "aspect=tail",
    "range_hexes=1",
    "speed_mp=4",
    "torpedo_speed_mp=4",
)


@dataclass(frozen=True)
class Ran:
    """A command that has run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def refused(self, code: int, *words: str) -> None:
        """It failed as it should: the code, and one line on standard error that has the words."""
        assert self.code == code, (self.out, self.err)
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        for word in words:
            assert word in self.err


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("rule", "fire", …, stdin="…")`; never a terminal, 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    def ran(*arguments: str | Path, stdin: str = "") -> Ran:
        out, err = io.StringIO(), io.StringIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main([str(argument) for argument in arguments])
        return Ran(code, out.getvalue(), err.getvalue())

    return ran


@pytest.fixture
def shot() -> tuple[str, ...]:
    """A shot from one hex behind, at the torpedo's own speed: nothing is subtracted."""
    return SHOT


@pytest.fixture(scope="session")
def film_file(tmp_path_factory: pytest.TempPathFactory, service: Any) -> Path:
    """The film of a short game, as `play` writes it."""
    file = tmp_path_factory.mktemp("films") / "film.json"
    arguments = ["play", "kettering", "--seed", "7", "--torpedoes", "2", "--quiet"]
    assert main([*arguments, "--target", service.grpc, "--film", str(file)]) == 0
    return file


@pytest.fixture
def film(film_file: Path) -> dict[str, Any]:
    """The same as plain data, to be tampered with."""
    plain: dict[str, Any] = json.loads(film_file.read_text())
    return plain
