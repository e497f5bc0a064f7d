"""`guncamera serve`: starts the store and the workers, keeps them alive, and drains them."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from guncamera.api.metrics_folder import VARIABLE as METRICS_DIR
from guncamera.api.metrics_folder import forget_gauges_of
from guncamera.host.entrance import ServiceError
from guncamera.host.own_folder import own_folder
from guncamera.host.setting_sources import ENV_PREFIX
from guncamera.host.settings import ServiceSettings, SettingsError
from guncamera.host.signalled import Signalled
from guncamera.host.startup_report import look_over
from guncamera.host.variant_files import kept
from guncamera.sessions.embedded import EmbeddedStore, bound_to_this_thread

START_SECONDS = 30.0
SHORTEST_LIFE_SECONDS = 5.0
LOOK_SECONDS = 0.2
BREATH_SECONDS = 1.0
"""How long the machine has to recover when it cannot start a process."""
MAX_QUICK_DEATHS = 5
LAST_SECONDS = 2.0
"""What workers have, beyond the time of their calls, to end."""


@dataclass(slots=True)
class Worker:
    """A worker process and how it is started."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    quick_deaths: int = 0

    def start(self, environment: dict[str, str]) -> None:
        """Start it, bound to the life of this thread."""
        self.process = subprocess.Popen(  # noqa: S603  # our own module
            bound_to_this_thread([sys.executable, *self.command]), env=environment
        )
        self.started = time.monotonic()


def serve(
    settings: ServiceSettings,
    *,
    say: Callable[[str], None],
    exit_with_parent: bool = False,
) -> None:
    """Run the service until SIGTERM or SIGINT.

    Args:
        say: Prints a line for whoever started the service.
        exit_with_parent: Stop when the process that started this one is gone.

    Raises:
        ServiceError: An address is taken, or the store is not fit, or a worker keeps dying.
        SettingsError: A setting is wrong.
    """
    parent = os.getppid()  # before anything else, for it may be gone before we are up
    stop = Signalled()
    with (
        _signals(stop),
        kept(settings.variants) as variants,
        _store(settings, say) as url,
        own_folder("metrics") as metrics_dir,
        contextlib.ExitStack() as addresses,
    ):
        page_key = settings.page_key or secrets.token_hex(16)
        running = replace(settings, store_url=url, page_key=page_key, variants=variants)
        report = look_over(settings, url)
        for line in report.lines():
            say(line)
        for address in _served(running):
            addresses.enter_context(held(address))
        environment = _of_workers(running, metrics_dir)
        workers = _workers(running)
        try:
            for worker in workers:
                worker.start(environment)
            wait_until_up(running, workers, stop)
            if not stop.is_set():
                _announce(running, report.who, say)
            while not stop.wait(LOOK_SECONDS):
                if exit_with_parent and os.getppid() != parent:
                    break
                restart_dead(workers, environment, say, stop)
        finally:
            say("stopping")
            _drain(workers, running.unready_seconds + running.drain_seconds)


@contextlib.contextmanager
def _signals(stop: Signalled) -> Iterator[None]:
    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {s: signal.signal(s, on_signal) for s in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _store(settings: ServiceSettings, say: Callable[[str], None]) -> Iterator[str]:
    if settings.store_url:
        yield settings.store_url
        return
    embedded = EmbeddedStore(settings.data_path)
    embedded.start()
    say(f"sessions are kept in {settings.data_path}")
    try:
        yield embedded.url
    finally:
        embedded.stop()


def _of_workers(settings: ServiceSettings, metrics_dir: str) -> dict[str, str]:
    """A worker's environment: all settings, whatever becomes of the files they are from."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(ENV_PREFIX)}
    return {**others, **settings.environment(), METRICS_DIR: metrics_dir}


@contextlib.contextmanager
def held(address: str) -> Iterator[None]:
    """Keep an address for the workers, who share it, also while none of them listens.

    Raises:
        ServiceError: Somebody else has it.
    """
    try:
        with _bound(address, socket.SO_REUSEADDR):
            pass
    except socket.gaierror as unknown:
        raise ServiceError(
            f"Cannot listen on {address}: {unknown.strerror}. Give an IP address of this machine."
        ) from None
    except OSError as taken:
        raise ServiceError(
            f"Cannot listen on {address}: {taken.strerror}. Stop what listens there, or "
            "choose another address."
        ) from None
    with contextlib.ExitStack() as stack:
        # What is left of the connections of one who did not share it may still be in the way.
        with contextlib.suppress(OSError):
            stack.enter_context(_bound(address, socket.SO_REUSEPORT))
        yield


@contextlib.contextmanager
def _bound(address: str, option: int) -> Iterator[None]:
    host, _, port = address.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    with socket.socket(family) as bound:
        bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind((host.strip("[]"), int(port)))
        yield


def _workers(settings: ServiceSettings) -> list[Worker]:
    found = [
        Worker(f"gRPC worker {n}", ["-m", "guncamera.host.grpc_worker", str(n)])
        for n in range(settings.grpc_workers)
    ]
    if settings.rest_workers:
        found.append(Worker("REST server", ["-m", "guncamera.host.rest_worker"]))
    if not found:
        raise SettingsError("With no gRPC and no REST workers there is nothing to serve.")
    return found


def _served(settings: ServiceSettings) -> list[str]:
    """The addresses that some worker listens on."""
    kinds = (
        (settings.grpc_address, settings.grpc_workers),
        (settings.rest_address, settings.rest_workers),
    )
    return [address for address, count in kinds if count]


def wait_until_up(settings: ServiceSettings, workers: list[Worker], stop: Signalled) -> None:
    """Wait until every address is listened on, or the service is told to stop.

    Raises:
        ServiceError: A worker has died, or does not come.
    """
    wanted = _served(settings)
    until = time.monotonic() + START_SECONDS
    while wanted and not stop.is_set():
        for worker in workers:
            if worker.process is not None and worker.process.poll() is not None:
                if stop.wait(LOOK_SECONDS):  # what told it to stop tells us as well
                    return
                raise ServiceError(f"The {worker.name} did not start; see the lines above.")
        if _listens(wanted[0]):
            wanted.pop(0)
            continue
        if time.monotonic() > until:
            raise ServiceError(f"Nothing listens on {wanted[0]} after {START_SECONDS:.0f} s.")
        stop.wait(0.05)


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=0.5):
            return True
    except OSError:
        return False


def _announce(settings: ServiceSettings, who: str, say: Callable[[str], None]) -> None:
    if settings.rest_workers:
        say(f"REST on http://{settings.rest_address}  (try /, /docs, /readyz, /metrics)")
    if settings.grpc_workers:
        say(f"gRPC on {settings.grpc_address}")
    say(who)
    say("ready; press Ctrl-C to stop")


def restart_dead(
    workers: list[Worker],
    environment: dict[str, str],
    say: Callable[[str], None],
    stop: Signalled,
) -> None:
    """Start the workers again that have died.

    Raises:
        ServiceError: One keeps dying at its start.
    """
    for worker in workers:
        if worker.process is None or worker.process.poll() is None:
            continue
        lived = time.monotonic() - worker.started
        worker.quick_deaths = worker.quick_deaths + 1 if lived < SHORTEST_LIFE_SECONDS else 0
        if worker.quick_deaths >= MAX_QUICK_DEATHS:
            raise ServiceError(f"The {worker.name} keeps dying at its start; giving up.")
        # Its gauges would count on for ever.
        forget_gauges_of(worker.process.pid, Path(environment[METRICS_DIR]))
        say(f"the {worker.name} died (exit {worker.process.returncode}); starting it again")
        try:
            worker.start(environment)
        except OSError as short:  # of memory, mostly, as when the kernel has just killed one
            worker.quick_deaths = 0
            say(f"the {worker.name} cannot be started now: {short.strerror}; trying again")
            stop.wait(BREATH_SECONDS)


def _drain(workers: list[Worker], seconds: float) -> None:
    running = [w.process for w in workers if w.process is not None and w.process.poll() is None]
    for process in running:
        process.terminate()
    until = time.monotonic() + seconds + LAST_SECONDS
    for process in running:
        try:
            process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
