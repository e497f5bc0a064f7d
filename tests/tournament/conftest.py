"""Events on the service that all tests share."""

import dataclasses
from pathlib import Path

import pytest
from guncamera_client import Client
from guncamera_tournament.event import Entry, Event
from guncamera_tournament.runner import run_event

PILOTS = Path(__file__).with_name("tournament_pilots.py")


@pytest.fixture
def client(service):
    with Client(service.grpc, timeout_seconds=60) as made:
        yield made


@pytest.fixture
def play(service, tmp_path):
    """Play an event; its records, and the folder as `play.folder`."""

    def play(event: Event, folder: str = "event", **more):
        play.folder = tmp_path / folder
        return run_event(play.folder, event, [service.grpc], **more)

    return play


@pytest.fixture
def event_of():
    """An event of pilots by their specs: `stock:…`, or a function of the tests' pilots."""

    def event_of(ruleset: str, *specs: str, **more) -> Event:
        entries = tuple(
            Entry(f"{at}-{spec.rpartition(':')[2].rpartition('/')[2]}".replace(".py", ""),
                  spec if ":" in spec else f"{PILOTS}:{spec}")
            for at, spec in enumerate(specs)
        )  # fmt: skip
        return Event(ruleset, entries, **{"seed": "a seed", "format": "single", **more})

    return event_of


@pytest.fixture
def with_clock():
    """An event with other clocks."""

    def with_clock(event: Event, **clock) -> Event:
        return dataclasses.replace(event, clock=dataclasses.replace(event.clock, **clock))

    return with_clock
