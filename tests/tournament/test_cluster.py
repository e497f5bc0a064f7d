"""Events on a real Dask cluster of this machine: workers that are killed, and a runner that is."""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from guncamera.cli.main import main
from guncamera.sessions.embedded import bound_to_this_thread
from guncamera_client.local import SERVE_COMMAND, LocalService
from guncamera_tournament import cluster
from guncamera_tournament.bouts import Bout
from guncamera_tournament.cluster import Cluster
from guncamera_tournament.event import Entry, Event, PlayedVariant, Setup
from guncamera_tournament.event_file import written
from guncamera_tournament.faults import EventBroken, TournamentError
from guncamera_tournament.playing import Job
from guncamera_tournament.runner import run_event
from guncamera_tournament.terms import Terms, terms_of
from kettering_variants import faster_by_two, text_of
from living import is_gone
from servers import wait_until

PAGE = (Path(__file__).parents[2] / "docs/tournaments.md").read_text()
LINES = re.search(r"^```bash\n(.*?)^```", PAGE, re.M | re.S)[1].splitlines()
SCHEDULER, WORKER, RUN, COMPARE = LINES
PORT = "tcp://127.0.0.1:8786"
PATIENCE = 100.0
RANDOM = "stock:random"
LISTENING = "0A"


@dataclass
class Dask:
    """A scheduler with two workers, each a process of two threads; no nanny raises the dead."""

    folder: Path
    processes: list[subprocess.Popen] = field(default_factory=list)

    @property
    def address(self) -> str:
        return json.loads((self.folder / "scheduler.json").read_text())["address"]

    @property
    def workers(self) -> list[subprocess.Popen]:
        return [one for one in self.processes[1:] if one.poll() is None]

    def start(self, line: str, *more: str) -> subprocess.Popen:
        """Run a line of the page."""
        command = [sys.executable, "-m", *shlex.split(line), *more]
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                bound_to_this_thread(command), stdout=log, stderr=log, cwd=self.folder
            )
        self.processes.append(process)
        return process

    def start_scheduler(self) -> None:
        self.start(SCHEDULER, "--port", "0", "--scheduler-file", "scheduler.json")
        wait_until((self.folder / "scheduler.json").exists, "the scheduler listens", PATIENCE)

    def start_worker(self) -> None:
        self.start(
            WORKER.replace(PORT, self.address), "--no-nanny", "--memory-limit", "0",
            "--death-timeout", "60", "--local-directory", f"worker-{len(self.processes)}",
        )  # fmt: skip


@contextlib.contextmanager
def dask_cluster(folder):
    made = Dask(folder)
    try:
        made.start_scheduler()
        for _ in range(2):
            made.start_worker()
        yield made
    finally:
        for process in reversed(made.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask")) as made:
        yield made


def contents(folder) -> dict[str, bytes]:
    kept = [folder / "event.toml", folder / "results.json", *sorted((folder / "films").iterdir())]
    return {file.name: file.read_bytes() for file in kept}


def bouts_in(journal) -> list[str]:
    return [json.loads(line)["record"]["bout"] for line in journal.read_bytes().splitlines()]


def listening(pid) -> set[str]:
    """The addresses, in hexadecimal, on which a process listens."""
    sockets = set()
    for number in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            sockets.add(os.readlink(f"/proc/{pid}/fd/{number}"))
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]
    ]
    return {
        row[1].partition(":")[0]
        for row in rows
        if row[3] == LISTENING and f"socket:[{row[9]}]" in sockets
    }


def test_a_cluster_that_loses_a_worker_plays_to_the_same_bytes(dask, play, event_of, service):
    event = event_of("redstars", RANDOM, "chancy", "stock:house", format="round-robin")
    play(event, "calm", in_flight=2)
    calm = contents(play.folder)
    killed, seen = [], []

    class Killer:
        def begins(self, event, bouts):
            wait_until(lambda: len(dask.workers) == 2, "two workers", PATIENCE)

        def played(self, record):
            seen.append(record.bout)
            if len(seen) == 2:
                killed.append(dask.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

    made = []

    def executor():
        other = service.grpc.replace("127.0.0.1", "localhost")
        made.append(Cluster(dask.address, [service.grpc, other]))
        made[0]._client.wait_for_workers(2, timeout=PATIENCE)
        return made[0]

    play(event, "stormy", make_executor=executor, watcher=Killer())
    assert len(seen) == len(set(seen)) == 6
    assert sorted(bouts_in(play.folder / "journal.jsonl")) == sorted(seen)
    assert is_gone(killed[0])
    assert contents(play.folder) == calm
    for process in (dask.processes[0], *dask.workers):
        assert listening(process.pid) == {"0100007F"}
    assert listening(os.getpid()) == set()
    dask.start_worker()


def test_a_runner_that_is_killed_goes_on_upon_the_cluster(dask, play, event_of, service, tmp_path):
    event = event_of("redstars", "first", RANDOM, format="single", games=6)
    play(event, "whole", in_flight=2)
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "event.toml").write_text(written(event))
    journal = folder / "journal.jsonl"
    command = [
        sys.executable, "-m", "guncamera_tournament", "run", str(folder),
        "--target", service.grpc, "--scheduler", dask.address,
    ]  # fmt: skip
    with (tmp_path / "said").open("wb") as said:
        runner = subprocess.Popen(command, stdout=said, stderr=said)

    def has_played(count: int) -> bool:
        return journal.exists() and journal.read_bytes().count(b"\n") >= count

    wait_until(lambda: runner.poll() is not None or has_played(2), "two are played", PATIENCE)
    assert runner.poll() is None, (tmp_path / "said").read_text()
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    before = journal.read_bytes().count(b"\n")
    assert 2 <= before < 12
    line = RUN.replace(" cup ", f" {folder} ").replace(PORT, dask.address)
    assert main(shlex.split(line.replace("127.0.0.1:50051", service.grpc))[1:]) == 0
    bouts = bouts_in(journal)
    assert len(bouts) == len(set(bouts)) == 12
    assert contents(folder) == contents(play.folder)


def test_an_event_and_its_twin_by_a_variant_are_played_on_the_cluster(
    dask, event_of, tmp_path, monkeypatch, capsys
):
    submitted, submit = [], Cluster._submitted

    def seen(made, job):
        submitted.append(job.event.variant.name)
        return submit(made, job)

    monkeypatch.setattr(Cluster, "_submitted", seen)
    offered = tmp_path / "offered"
    offered.mkdir()
    file = offered / "heavier.toml"
    file.write_text(text_of(faster_by_two(-2)))
    one = (Setup("one", '{"torpedoes": 1}'),)
    event = event_of("kettering", RANDOM, RANDOM, games=2, setups=one)
    with LocalService.start(command=(*SERVE_COMMAND, "--variants", str(offered))) as offering:
        target = [offering.target]
        calm, by_it = tmp_path / "calm", tmp_path / "calm-by-it"
        run_event(calm, event, target)
        run_event(by_it, replace(event, variant=PlayedVariant(str(file))), target)
        cup = tmp_path / "cup"
        cup.mkdir()
        (cup / "event.toml").write_text(written(event))
        line = COMPARE.replace(" cup ", f" {cup} ").replace("heavier.toml", str(file))
        line = line.replace(PORT, dask.address).replace("127.0.0.1:50051", offering.target)
        assert main([*shlex.split(line)[1:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["variant"], told["bouts"], told["left_out"]) == ("heavier", 2, 0)
    assert submitted == ["", "", "heavier", "heavier"]
    assert contents(cup) == contents(calm)
    assert contents(cup / "variants/heavier") == contents(by_it)


def test_a_pilot_that_workers_lack_breaks_the_event_and_loses_no_bout(
    dask, service, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def pilot(situation):\n    return situation.legal_orders(1)[0]\n")
    pilots = (Entry("mine", "mine.py:pilot"), Entry("random", RANDOM))
    event = Event("redstars", pilots, "a seed", "single")
    with pytest.raises(TournamentError, match=r"there is no file mine\.py") as refused:
        run_event(
            tmp_path / "event", event, [service.grpc],
            make_executor=lambda: Cluster(dask.address, [service.grpc]),
        )  # fmt: skip
    assert refused.value.field.startswith("mine, on the worker tcp://127.0.0.1:")
    assert bouts_in(tmp_path / "event/journal.jsonl") == []


def test_a_bout_that_cannot_be_played_breaks_the_event(dask, service, client, event_of):
    event = event_of("redstars", RANDOM, RANDOM)
    terms = replace(terms_of(client, event), setups={"default": b""})
    bout = Bout("b", 1, 1, 1, event.names, "default", "g")
    made = Cluster(dask.address, [service.grpc])
    with contextlib.closing(made), pytest.raises(EventBroken) as broken:
        list(made.play([Job(event, terms, bout)]))
    assert "b cannot be played: INPUT_INVALID: " in str(broken.value)


def test_a_scheduler_that_goes_breaks_the_event_which_goes_on_without_it(
    play, event_of, service, tmp_path
):
    event = event_of("redstars", RANDOM, RANDOM, games=4)
    play(event, "calm")
    (tmp_path / "dask").mkdir()
    with dask_cluster(tmp_path / "dask") as brief:

        class Killer:
            def begins(self, event, bouts):
                pass

            def played(self, record):
                brief.processes[0].kill()

        with pytest.raises(EventBroken, match=r"the scheduler at tcp://.* is gone"):
            run_event(
                tmp_path / "event", event, [service.grpc], watcher=Killer(),
                make_executor=lambda: Cluster(brief.address, [service.grpc]),
            )  # fmt: skip
    played = len(bouts_in(tmp_path / "event/journal.jsonl"))
    assert 1 <= played < 8
    run_event(tmp_path / "event", None, [service.grpc])
    assert contents(tmp_path / "event") == contents(play.folder)


def said_by(capsys, *words) -> tuple[int, str]:
    code = main(["tournament", "run", *map(str, words)])
    return code, capsys.readouterr().err


ASKED = ("--ruleset", "redstars", "--pilot", "a=stock:random", "--pilot", "b=stock:random")


def test_without_dask_it_is_said_what_to_install(service, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, said = said_by(
        capsys, tmp_path / "cup", *ASKED, "--target", service.grpc, "--scheduler", "tcp://x:1"
    )
    assert code == 2
    assert "pip install 'guncamera[dask]'" in said


def test_a_scheduler_that_is_not_there_is_said_in_one_line(service, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 2.0)
    code, said = said_by(
        capsys, tmp_path / "cup", *ASKED, "--target", service.grpc, "--scheduler",
        "tcp://127.0.0.1:1",
    )  # fmt: skip
    assert code == 2
    assert "scheduler: no Dask scheduler answers at tcp://127.0.0.1:1" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("run", "cup", *ASKED), ("compare", "cup", "--variant", "heavier.toml")]
)
def test_the_cluster_says_how_many_play(words, capsys):
    asked = (*words, "--scheduler", "tcp://127.0.0.1:1", "--workers", "2")
    assert main(["tournament", *asked]) == 2
    assert "leave out --workers and --in-flight" in capsys.readouterr().err


def test_remote_pilots_are_not_for_a_cluster():
    pilots = (Entry("ann", "remote:ann"), Entry("random", RANDOM))
    event = Event("redstars", pilots, "a seed", "single")
    job = Job(event, Terms(event.rules, {}, {}, b""), Bout("b", 1, 1, 1, event.names, "x", "g"))
    with pytest.raises(TournamentError, match="ann is a remote pilot"):
        cluster._refuse_remote(job)
