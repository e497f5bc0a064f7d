"""Programs that hang, flood, die or talk nonsense: each is found out, and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from guncamera_tournament.event import ClockRules, Entry, Limits
from guncamera_tournament.pipes import LineProcess
from guncamera_tournament.program import Program
from guncamera_tournament.sitting import Misconduct, OutOfTime
from living import is_gone
from servers import wait_until

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
PATIENCE = 60.0


def process(code: str, **limits) -> LineProcess:
    return LineProcess([sys.executable, "-c", code], Limits(**limits))


def cause(code: str, line: bytes = b"hello", seconds: float = PATIENCE, times=1, **limits) -> str:
    running = process(code, **limits)
    try:
        for _ in range(times - 1):
            running.converse(line, seconds)
        with pytest.raises(Misconduct) as fault:
            running.converse(line, seconds)
    finally:
        running.kill()
    return str(fault.value)


def test_a_line_is_answered_by_a_line_however_long():
    running = process(ECHO)
    try:
        for line in (b"abc", b"x" * 300_000, b"last"):
            assert running.converse(line, PATIENCE) == line[::-1]
    finally:
        running.kill()


def test_whoever_does_not_read_does_not_hang_the_runner():
    running = process("import time; time.sleep(600)")
    with pytest.raises(OutOfTime):
        running.converse(b"x" * 1_000_000, 0.2)
    running.kill()


def test_a_line_without_end_is_a_flood():
    code = "import sys\nwhile True: sys.stdout.write('x' * 10000)"
    assert cause(code, line_bytes=50_000) == "flood: it said more than 50000 bytes at once"


def test_speaking_unasked_is_a_flood():
    code = f"print('one\\ntwo', flush=True)\n{ECHO}"
    assert cause(code, times=2) == "flood: it said more than it was asked for"


def test_any_amount_of_error_output_is_harmless_and_its_end_is_told():
    code = (
        "import sys\nfor line in sys.stdin:\n"
        "  for n in range(20000): print('noise', n, file=sys.stderr)\n"
        "  print('done', flush=True)\n"
        "print('the last word', file=sys.stderr)"
    )
    running = process(code)
    try:
        for _ in range(3):
            assert running.converse(b"go", PATIENCE) == b"done"
        assert running.last_words.startswith("noise")
        assert len(running._err) <= 4096
    finally:
        running.kill()


def test_an_end_is_told_with_its_status_and_last_words():
    assert cause("import sys; sys.exit('I give up')") == "crash: it ended with status 1: I give up"
    code = "import os, sys; sys.stdin.readline(); os.kill(os.getpid(), 9)"
    assert cause(code) == "crash: it was killed by signal 9"
    closes = "import os, time; os.close(1); time.sleep(600)"
    assert cause(closes) == "crash: it closed its output"


def test_a_program_that_is_not_there_is_told():
    running = LineProcess(["no-such-program-here"], Limits())
    with pytest.raises(Misconduct, match="status 127: no-such-program-here: No such file"):
        running.converse(b"hello", PATIENCE)
    running.kill()


def test_memory_and_files_and_processor_are_bounded(tmp_path):
    memory = "import sys; sys.stdin.readline(); x = bytearray(200_000_000); print('had it')"
    assert "MemoryError" in cause(memory, memory_mb=150)
    big = tmp_path / "big"
    file = f"import sys; sys.stdin.readline(); open({str(big)!r}, 'wb').write(bytes(3_000_000))"
    assert "crash" in cause(file, file_mb=1)
    assert big.stat().st_size <= 1_000_000
    files = "import sys; sys.stdin.readline(); x = [open('/dev/null') for _ in range(64)]"
    assert "Too many open files" in cause(files, open_files=32)
    busy = "import sys; sys.stdin.readline()\nwhile True: pass"
    assert "killed by signal" in cause(busy, cpu_seconds=1)


def test_what_a_program_has_started_goes_with_it():
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "for line in sys.stdin: print(child.pid, flush=True)"
    )
    running = process(code)
    child = int(running.converse(b"who", PATIENCE))
    assert not is_gone(child)
    running.kill()
    wait_until(lambda: is_gone(child), "the child is gone", PATIENCE)


def test_a_program_that_heeds_nothing_goes_with_a_runner_that_is_killed():
    code = (
        "from guncamera_tournament.event import Limits\n"
        "from guncamera_tournament.pipes import LineProcess\n"
        "program = LineProcess(['sleep', '600'], Limits())\n"
        "print(program._process.pid, flush=True)\n"
        "input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as runner:
        program = int(runner.stdout.readline())
        wait_until(lambda: b"sleep" in command_of(program), "the program runs", PATIENCE)
        runner.kill()
    wait_until(lambda: is_gone(program), "the program is gone", PATIENCE)


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]


def test_keys_of_the_organizer_are_not_handed_on(monkeypatch):
    monkeypatch.setenv("GUNCAMERA_KEY", "gck_secret")
    running = process("import os\nfor _ in iter(input, ''): print('GUNCAMERA_KEY' in os.environ)")
    try:
        assert running.converse(b"hello", PATIENCE) == b"False"
    finally:
        running.kill()
    assert "GUNCAMERA_KEY" in os.environ


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("nonsense", "malformed: no JSON: nonsense"),
        ("[1]", 'malformed: no object with a "type"'),
        ('{"type": "order"}', 'malformed: it was to say "ready"'),
        ('{"type": "ready", "legal_orders": -1}', 'malformed: "legal_orders" was -1'),
        ('{"type": "ready", "legal_orders": true}', 'malformed: "legal_orders" was True'),
        ('{"type": "fault", "message": "no such file"}', "crash: no such file"),
        ("[" * 100_000, "malformed: no JSON"),
    ],
)
def test_a_program_that_is_not_ready_says_why(tmp_path, answer, said):
    (tmp_path / "bad.py").write_text(f"import sys\nsys.stdin.readline()\nprint({answer!r})\n")
    entry = Entry("bad", f"program:{sys.executable} {tmp_path}/bad.py")
    pilot = Program(entry, ClockRules(), Limits(), {})
    with pytest.raises(Misconduct) as fault:
        pilot.begin("first")
    assert str(fault.value).startswith(said)
    pilot.end()


def test_a_program_that_is_never_ready_is_out_of_time(tmp_path):
    entry = Entry("bad", f"program:{sys.executable} -c 'import time; time.sleep(600)'")
    with pytest.raises(Misconduct, match="timeout: it was not ready"):
        Program(entry, ClockRules(start_seconds=0.2), Limits(), {}).begin("first")
