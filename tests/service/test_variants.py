"""The folder of variants that a service is started with: read once, and wrong ones stop it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from guncamera.host.settings import SettingsError
from guncamera.host.variant_files import MOST_VARIANTS, kept, variants_in
from guncamera.rules.variant import MOST_BYTES, NO_VARIANTS
from kettering_variants import faster_by_two, text_of


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return folder


def test_no_folder_is_no_variants() -> None:
    assert variants_in("") is NO_VARIANTS
    with kept("") as copy:
        assert copy == ""


def test_each_file_of_a_folder_is_a_variant(tmp_path: Path) -> None:
    texts = {name: text_of(faster_by_two(-2), name=name) for name in ("one", "two")}
    write(tmp_path, **texts)
    (tmp_path / "README.md").write_text("Ask before you add one.")
    assert [one.imprint.name for one in variants_in(str(tmp_path))] == ["one", "two"]


def test_what_is_read_later_is_what_was_there_at_the_start(tmp_path: Path) -> None:
    write(tmp_path, one=text_of(faster_by_two(-2)))
    (before,) = variants_in(str(tmp_path))
    with kept(str(tmp_path)) as copy:
        write(tmp_path, one=text_of(faster_by_two(-3)), two="nonsense")
        (after,) = variants_in(copy)
    assert after.pin == before.pin
    assert not Path(copy).exists()


def test_a_wrong_folder_is_named_with_the_file_and_its_place(tmp_path: Path) -> None:
    good = text_of(faster_by_two(-2))
    place = good.splitlines().index('name = "heavier"') + 1
    wrong = {
        "no TOML": ("a = 1\na = 2\n", "one.toml:2: file: not TOML"),
        "a name": (good.replace("heavier", "Heavier"), f"one.toml:{place}: [variant] name"),
        "too much": ("#" * (MOST_BYTES + 1), f"more than {MOST_BYTES} bytes"),
    }
    for text, says in wrong.values():
        write(tmp_path, one=text)
        with pytest.raises(SettingsError) as raised:
            variants_in(str(tmp_path))
        assert says in str(raised.value)
        assert str(raised.value).startswith(f"GUNCAMERA_VARIANTS: {tmp_path / 'one.toml'}")
    (tmp_path / "one.toml").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="not UTF-8"):
        variants_in(str(tmp_path))
    write(tmp_path, one=good, two=good)
    with pytest.raises(SettingsError, match="is the name of the variant in one"):
        variants_in(str(tmp_path))
    with pytest.raises(SettingsError, match="cannot be read"):
        variants_in(str(tmp_path / "none"))


def test_a_folder_holds_so_many(tmp_path: Path) -> None:
    for number in range(MOST_VARIANTS):
        write(tmp_path, **{f"v{number}": text_of(faster_by_two(-2), name=f"v{number}")})
    assert len(list(variants_in(str(tmp_path)))) == MOST_VARIANTS
    write(tmp_path, more=text_of(faster_by_two(-2), name="more"))
    with pytest.raises(SettingsError, match=f"{MOST_VARIANTS} at most"):
        variants_in(str(tmp_path))


@pytest.mark.parametrize("check", [[], ["--check"]])
def test_a_bad_file_stops_the_start_with_one_line(tmp_path: Path, check: list[str]) -> None:
    folder = tmp_path / "variants"
    folder.mkdir()
    write(folder, bad=text_of(faster_by_two(-2)).replace("-2]", "-3]"))
    done = subprocess.run(
        [sys.executable, "-m", "guncamera", "serve", "--variants", str(folder),
         "--data-dir", str(tmp_path / "data"), *check],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert "bad.toml:" in last
    assert "[variant] hash" in last
    assert "Traceback" not in done.stderr
