"""`guncamera verify` of several films: which differ, and what was gone through in all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def folder(tmp_path: Path, film: dict[str, Any]) -> Path:
    """One film as it was, one with a face flipped, one that is none; and what is no film at all."""
    (tmp_path / "a-honest.json").write_text(json.dumps(film))
    action = next(one for one in film["actions"] if "wind_outcome" in one)
    action["rolls"][0]["faces"][0] = 7 - action["rolls"][0]["faces"][0]
    (tmp_path / "b-tampered.json").write_text(json.dumps(film))
    (tmp_path / "c-broken.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


def test_a_folder_names_what_differs_and_what_cannot_be_read(
    run: Any, folder: Path, film: dict[str, Any]
) -> None:
    ran = run("verify", folder)
    assert ran.code == 1
    tampered, broken, counts, sums, *_ = ran.out.splitlines()
    assert tampered.startswith(f"{folder / 'b-tampered.json'}: DIFFERENT: action ")
    assert broken.startswith(f"{folder / 'c-broken.json'}: not checked: not a film: ")
    assert counts == "3 films: 1 all right, 1 different, 1 not checked."
    rulings = 2 * len(film["actions"])
    rolls = 2 * sum(len(action["rolls"]) for action in film["actions"])
    assert sums == f"{rulings} rulings recomputed, {rolls} rolls drawn again, 0 receipts checked."
    assert "a-honest" not in ran.out
    assert ran.err == ""


def test_films_that_all_hold_are_counted(run: Any, folder: Path) -> None:
    honest = folder / "a-honest.json"
    ran = run("verify", honest, honest)
    assert ran.code == 0
    assert ran.out.startswith("1 film: 1 all right.\n"), "a film that is named twice is one"


def test_each_film_is_told_to_machines(run: Any, folder: Path, film: dict[str, Any]) -> None:
    ran = run("verify", folder, "--json")
    assert ran.code == 1
    assert ran.json["agrees"] is False
    honest, tampered, broken = ran.json["films"]
    alone = run("verify", folder / "a-honest.json", "--json").json
    assert honest == {"file": str(folder / "a-honest.json"), "fault": None, **alone}
    assert tampered["agrees"] is False
    assert tampered["differences"]
    assert set(broken) == {"file", "fault"}
    assert broken["fault"].startswith("not a film: ")


def test_a_folder_of_one_film_is_still_a_folder(run: Any, folder: Path) -> None:
    for name in ("b-tampered.json", "c-broken.json"):
        (folder / name).unlink()
    ran = run("verify", folder)
    assert ran.code == 0
    assert ran.out.startswith("1 film: 1 all right.\n")
    assert run("verify", folder, "--json").json["films"]


def test_what_belongs_to_one_game_and_empty_folders_are_refused(
    run: Any, folder: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    run("verify", empty).refused(2, f"{empty}: holds no films")
    receipt = tmp_path / "receipt.txt"
    receipt.write_text("{}")
    run("verify", folder, "--receipt", receipt).refused(2, "--receipt", "name its film alone")
    run("verify", folder / "c-broken.json").refused(2, "not a film")
