"""The root: help, version, wrong usage, and that nothing ever ends in a traceback."""

import os
import pty
import subprocess
import sys
from importlib.metadata import version

import pytest
from guncamera.cli import rule

COMMANDS = (
    "serve", "rule", "odds", "play", "replay", "verify", "reproduce", "rules", "conform", "keys",
    "sessions", "signing", "tournament", "version",
)  # fmt: skip


def test_help_names_every_command_in_a_whole_line(run):
    ran = run("--help")
    assert ran.code == 0
    lines = ran.out[ran.out.index("Commands:") :].splitlines()[1:]
    assert {line.split()[0] for line in lines} == set(COMMANDS)
    assert not any(line.endswith("...") for line in lines)


def test_without_arguments_it_helps(run):
    for arguments in ((), ("rule",), ("rules",)):
        ran = run(*arguments)
        assert ran.code == 2
        assert "Usage:" in ran.out + ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    ran = run(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: guncamera {command}")
    assert max(map(len, ran.out.splitlines())) <= 80


def test_defaults_in_help_are_not_swallowed(run):
    assert "[default: 127.0.0.1:8080]" in " ".join(run("serve", "--help").out.split())


def test_version_names_the_rule_sets(run):
    ran = run("version")
    assert ran.out.startswith(f"guncamera {version('guncamera')}\n")
    assert "kettering" in ran.out
    told = run("version", "--json").json
    assert told["guncamera"] == version("guncamera")
    assert len(told["rulesets"][0]["rules_hash"]) == 64


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("zap",), "zap"),
        (("version", "--zap"), "--zap"),
        (("rule", "fire"), "RULESET"),
        (("replay",), "FILM"),
        (("rule", "fire", "kettering", "--roll", "often"), "--roll"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_two(run, arguments, word):
    run(*arguments).refused(2, word, "--help")


def test_a_fault_of_ours_is_one_line_too(run, shot, monkeypatch):
    def broken(*_args, **_more):
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr(rule, "throw", broken)
    ran = run("rule", "fire", "kettering", *shot, "--json")
    ran.refused(1, "INTERNAL: ZeroDivisionError: division by zero")
    assert ran.json["refused"]["reason"] == "INTERNAL"


def command(*arguments):
    return [sys.executable, "-m", "guncamera", *arguments]


def test_the_exit_code_reaches_the_shell(shot):
    ruled = subprocess.run(
        command("rule", "fire", "kettering", *shot, "--dice", "6"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ruled.returncode == 1
    assert ruled.stdout == ""
    assert ruled.stderr.startswith("ROLL_REQUIRED (KET-7.7)")


def test_a_pipe_that_closes_is_no_traceback(shot):
    piped = subprocess.run(
        f"{sys.executable} -m guncamera conform | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert piped.stdout.count("\n") == 1
    assert piped.stderr == ""


def on_a_terminal(arguments, keys, **environment):
    """Run a command on a pseudo-terminal, type the keys, and return what the screen got."""
    master, slave = pty.openpty()
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        command(*arguments),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**plain, "TERM": "xterm", "COLUMNS": "80", **environment},
    )
    os.close(slave)
    os.write(master, keys.encode())
    screen = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # Linux says so at the end
            break
        if not part:
            break
        screen += part
    os.close(master)
    assert process.wait(30) == 0
    return screen.decode()


def test_a_terminal_is_asked_for_dice_and_gets_colour(shot):
    screen = on_a_terminal(("rule", "fire", "kettering", *shot), "1\n2\n")
    assert "Roll 2d6 for to-hit" in screen
    assert "\x1b[1mThe shot misses." in screen
    assert "Dice supplied: to-hit 1 2." in screen
