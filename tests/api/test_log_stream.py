"""A log that cannot be written, for its reader has gone or its disk is full."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import structlog
from fakes import FakeEndpoints
from guncamera.api.config import Config
from guncamera.api.rest import create_app
from guncamera.api.telemetry import Telemetry, configure_log


@pytest.fixture
def unread() -> Iterator[None]:
    """The log goes into a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "wb")
    configure_log(stream=stream)
    yield
    structlog.reset_defaults()
    with pytest.raises(BrokenPipeError):  # it was written to, and had no reader
        stream.close()


@pytest.mark.usefixtures("unread")
def test_calls_are_answered_though_nobody_reads_the_log() -> None:
    telemetry = Telemetry()
    app = create_app(FakeEndpoints(), config=Config(telemetry=telemetry))
    for _ in range(2):
        assert app.test_client().get("/v1/rulesets").status_code == 200
    telemetry.warn("not ready", why="the disk is full")
