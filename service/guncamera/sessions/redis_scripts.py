"""Running commands and Lua scripts on a transport, with the store's own errors."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from redis.exceptions import NoScriptError, RedisError

from guncamera.sessions.redis_errors import store_error
from guncamera.sessions.redis_lines import Command, Reply, SingleTransport, Transport
from guncamera.sessions.redis_pipeline import (
    Answer,
    Pipeline,
    Question,
    Receive,
    ask_alone,
    confirmed,
)
from guncamera.sessions.redis_replicas import NONE, Replicas


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script, and the name by which a server that has seen it knows it."""

    source: str
    sha: str

    @staticmethod
    def from_file(name: str) -> Script:
        """Read a script that lies beside this module."""
        source = resources.files("guncamera.sessions").joinpath(name).read_text("utf-8")
        # The server names scripts by SHA-1; nothing secret depends on it.
        return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())

    def call(self, keys: Sequence[str], arguments: Command) -> Command:
        """The command that runs it on a server that has seen it."""
        return ("EVALSHA", self.sha, len(keys), *keys, *arguments)


_CONFIRM = Script.from_file("confirm.lua")


class Redis:
    """A transport whose failures are `StoreUnavailable` and `StoreDamaged`.

    Args:
        replicas: That must have what a script wrote, or it fails.
    """

    def __init__(self, transport: Transport, replicas: Replicas = NONE) -> None:
        self.transport = transport
        self.replicas = replicas
        self._threads = threading.local()

    def read(self, key: str, *commands: Command) -> list[Reply]:
        """Send reading commands about one session, in one round trip."""
        try:
            return self.transport.ask(key, *commands, is_repeatable=True)
        except RedisError as error:
            raise store_error(error) from error

    def send(self, questions: Sequence[Question]) -> Receive:
        """Send many questions, each on its own; what is returned waits for their answers.

        Answers have to be waited for in the order of the sendings, by the thread that sent them.
        In the place of an answer may stand redis-py's error, or ours.
        """
        if isinstance(self.transport, SingleTransport):
            pipeline: Pipeline | None = getattr(self._threads, "pipeline", None)
            if pipeline is None:
                pipeline = self._threads.pipeline = Pipeline(self.transport, self.replicas)
            return pipeline.send(questions)
        # Each may have another server to find.
        answers = [self._ask_alone(question) for question in questions]
        return lambda: answers

    def _ask_alone(self, question: Question) -> Answer:
        if question.is_repeatable or not self.replicas.count:
            return ask_alone(self.transport, question)
        commands = (*question.commands, *self.replicas.behind)
        answer = ask_alone(self.transport, question._replace(commands=commands))
        if isinstance(answer, Exception):
            return answer
        return confirmed(answer[:-1], self.replicas, answer[-1])

    def read_each(self, command: str, keys: Sequence[str]) -> list[Reply]:
        """Send the same reading command about many keys, of any sessions."""
        try:
            return self.transport.ask_about_each(command, keys)
        except RedisError as error:
            raise store_error(error) from error

    def run(self, script: Script, keys: Sequence[str], arguments: Command) -> Reply:
        """Run a script, sending its text only when the server does not know it yet.

        It is sent once: when its answer is lost, whether it ran is not known.
        """
        return self._run(script, keys, arguments, self.replicas)

    def run_unkept(self, script: Script, keys: Sequence[str], arguments: Command) -> Reply:
        """As `run`, without waiting for replicas: for what nobody is told to be kept."""
        return self._run(script, keys, arguments, NONE)

    def _run(
        self, script: Script, keys: Sequence[str], arguments: Command, replicas: Replicas
    ) -> Reply:
        try:
            try:
                return self._write(keys[0], script.call(keys, arguments), replicas)
            except NoScriptError:
                rest = (len(keys), *keys, *arguments)
                return self._write(keys[0], ("EVAL", script.source, *rest), replicas)
        except RedisError as error:
            raise store_error(error) from error

    def _write(self, key: str, command: Command, replicas: Replicas) -> Reply:
        replies = self.transport.ask(key, command, *replicas.behind, is_repeatable=False)
        if replicas.count:
            replicas.check(replies[1])
        return replies[0]

    def confirm(self, key: str) -> None:
        """Wait until the replicas have all there is: what is told again may still be on its way.

        Args:
            key: Of what is told; it expires some day.
        """
        if self.replicas.count:
            self.run(_CONFIRM, (key,), ())
