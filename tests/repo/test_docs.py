"""What the pages say is so: snippets run, settings, reasons and rule sets are documented."""

import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
import typer
from guncamera.api.needs import NEEDS
from guncamera.api.problems import TABLE
from guncamera.api.routes import rpcs
from guncamera.cli.main import app
from guncamera.host.settings import ServiceSettings, env_name, settings_from
from guncamera.rules.ruleset import rulesets

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def snippets(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def here(text: str, service) -> str:
    """A snippet with the addresses of the service under test."""
    text = text.replace("localhost:8080", service.rest).replace("127.0.0.1:8080", service.rest)
    return text.replace("127.0.0.1:50051", service.grpc)


def run(line: str, folder: Path) -> str:
    binaries = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-euc", line],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env={"PATH": f"{binaries}:/usr/bin:/bin", "HOME": str(folder)},
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_every_line_of_the_readme_does_what_it_says(service, tmp_path):
    lines = [line for block in snippets(README, "sh") for line in block.strip().splitlines()]
    (tmp_path / "pilot.py").write_text(snippets(README, "python")[1])
    assert "make serve" in lines  # the service under test is started by the same command
    ran = [here(x, service) for x in lines if not x.startswith(("make", "guncamera serve"))]
    answers = [run(line, tmp_path) for line in ran]
    shot = json.loads(answers[0])
    modifiers = {
        line["modifier_line"]["name"]: line["modifier_line"]["amount"]
        for line in shot["trace"]
        if "modifier_line" in line
    }
    assert sorted(modifiers.values()) == [-3, -2]
    (shown,) = snippets(README, "json")
    assert all(json.loads(line) in shot["trace"] for line in shown.splitlines())
    assert json.loads(answers[1])["revision"] == 0
    assert json.loads(answers[2])["revision"] == 1
    assert json.loads(run(ran[2], tmp_path)) == json.loads(answers[2]), "twice is once"
    assert json.loads(answers[3])["rolls"]
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert (tmp_path / "film.json").exists()


def test_the_python_of_the_readme_runs(service):
    code, pilot = snippets(README, "python")
    assert len(code.strip().splitlines()) <= 12
    assert len(pilot.strip().splitlines()) <= 10
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(here(code, service), "README.md", "exec"), {})
    assert "[" in out.getvalue()


def test_the_worked_example_of_the_dice_page_is_what_the_service_draws(service, tmp_path):
    page = (ROOT / "docs/dice.md").read_text()
    plain, with_nonce, _ = snippets(page, "python")
    out, names = io.StringIO(), {}
    with contextlib.redirect_stdout(out):
        exec(compile(plain, "dice.md", "exec"), names)
        exec(compile(with_nonce, "dice.md", "exec"), names)
    commitment, face, other_face = out.getvalue().split()
    assert f"`{commitment} {face}`" in page
    assert f"It prints `{other_face}`." in page
    from guncamera_client import Client
    from orders import DEPLOY, LAUNCH, SETUP

    with Client(service.grpc) as client:
        session = client.create_session(SETUP, dice_seed="one")
        client.move(session, DEPLOY)
        action = client.move(session, LAUNCH)
        again = client.create_session(SETUP, dice_seed="one")
        client.move(again, DEPLOY)
        other = client.move(again, LAUNCH, client_nonce=names["nonce"])
    assert session.dice_commitments[0].commitment.startswith(commitment)
    assert action.rolls[0].purpose == "start-hex"
    assert action.rolls[0].faces[0] == int(face)
    assert other.rolls[0].faces[0] == int(other_face)


def test_the_receipts_of_the_dice_page_hold_as_it_checks_them(service, tmp_path, monkeypatch):
    page = (ROOT / "docs/dice.md").read_text()
    (lines,) = snippets(page, "sh")
    from guncamera.v1.ruleset_kettering_pb2 import KetteringMoveOrder, KetteringProceed
    from guncamera_client import Client
    from orders import DEPLOY, LAUNCH, SETUP

    with Client(service.grpc) as client:
        session = client.create_session(SETUP, session_id="night")
        client.move(session, DEPLOY)
        client.move(session, LAUNCH)
        client.move(session, KetteringMoveOrder(proceed=KetteringProceed()))
        for line in lines.strip().splitlines():
            said = run(here(line, service), tmp_path)
        assert "4 receipts signed by" in " ".join(said.split())
        code = snippets(page, "python")[2]
        out = io.StringIO()
        monkeypatch.chdir(tmp_path)
        with contextlib.redirect_stdout(out):
            exec(compile(code, "dice.md", "exec"), {})
        assert out.getvalue() == "3 receipts hold\n"
        client.delete_session("night")


DEFAULTS_IN_WORDS = {
    "store_url": "the embedded store",
    "grpc_workers": "one for each core",
    "rest_workers": "one for two cores",
    "page_key": "made at each start",
}


def test_every_setting_of_the_service_is_documented_as_it_is():
    page = (ROOT / "docs/settings.md").read_text()
    table = [line.strip("| ").split(" | ") for line in page.splitlines() if line[:3] == "| `"]
    rows = {variable: rest for variable, *rest in table}
    command = typer.main.get_command(app).commands["serve"]
    flags = {option.name: [*option.opts, *option.secondary_opts] for option in command.params}
    flags["open"] = flags.pop("let_in")
    assert list(rows) == [f"`{env_name(field.name)}`" for field in fields(ServiceSettings)]
    for field, (flag, default, effect) in zip(fields(ServiceSettings), rows.values(), strict=True):
        said = ", ".join(f"`{one}`" for one in flags.get(field.name, []))
        assert flag == (said or "none"), field.name
        in_words = DEFAULTS_IN_WORDS.get(field.name, "empty")
        has_words = field.default in ("", MISSING)
        assert default == (in_words if has_words else f"`{field.default}`"), field.name
        assert len(effect.split()) > 2, field.name


def test_the_file_of_settings_that_is_shown_is_one(tmp_path):
    (text,) = snippets((ROOT / "docs/settings.md").read_text(), "toml")
    (tmp_path / "service.toml").write_text(text)
    shown = settings_from({}, {"config": str(tmp_path / "service.toml")})
    assert (shown.max_streams, shown.open) == (256, "no")


def test_every_reason_is_documented_with_its_statuses():
    page = (ROOT / "docs/api.md").read_text()
    for reason, problem in TABLE.items():
        row = next((x for x in page.splitlines() if x.startswith(f"| `{reason}` |")), "")
        assert problem.code.name in row, f"{reason} in docs/api.md"
        assert str(problem.http) in row, f"{reason} in docs/api.md"


def test_the_page_on_security_states_what_each_call_needs():
    page = (ROOT / "docs/security.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+) \|$", page, re.MULTILINE)
    by_seat = {(False, True): "no", (True, True): "in its session", (True, False): "yes"}
    assert rows == [
        (name, need.scope.name.lower(), by_seat[need.by_seat, need.in_session])
        for name, need in NEEDS.items()
    ]


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_rule_set_has_a_page_that_names_its_edition(slug):
    page = (ROOT / "service/guncamera/rulesets" / slug / "README.md").read_text()
    assert "edition" in page.lower()


def test_the_readme_names_every_rule_set():
    for slug in rulesets():
        assert slug in README


def test_the_walk_through_of_a_rule_set_shows_its_files():
    page = (ROOT / "docs/adding-a-ruleset.md").read_text()
    blocks = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    shown = [(name, text) for language, name, text in blocks if language != "sh"]
    assert len(shown) > 10
    files = {path: path.read_text() for path in (ROOT / "tests/fifth").rglob("*.*")
             if path.suffix in {".toml", ".py", ".proto", ".lines"}}  # fmt: skip
    for name, text in shown:
        (source,) = (said for path, said in files.items() if f"{path}".endswith(f"/{name}"))
        assert text in source, f"{name} has no such lines:\n{text}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page):
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", prose):
        assert (page.parent / target).exists(), target


def test_nothing_names_a_machine_or_a_registry():
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    files = subprocess.run(
        [git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    for name in files:
        path = ROOT / name
        if path.suffix in {
            ".py", ".toml", ".md", ".txt", ".yaml", ".lua", ".json", ".js", ".ts",
        } or path.name in ("Makefile", "Dockerfile"):  # fmt: skip
            text = path.read_text(encoding="utf-8")
            for mark in (
                "/" + "root/",
                "/" + "work/",
                "files.python" + "hosted",
                "registry.npm" + "js",
                "--index" + "-url",
            ):
                assert mark not in text, f"{mark} in {name}"


def test_every_call_stands_with_its_address() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    addresses = page.partition("## Addresses")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| `(\w+) (\S+)` \|$", addresses, re.MULTILINE)
    called = [(rpc.name, route.method, route.path) for rpc in rpcs() for route in rpc.routes]
    assert sorted(listed) == sorted(called)
    assert len(listed) > 30
