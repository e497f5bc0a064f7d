"""A service that does as it is told, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clients.fake_service import FakeService
from clients.scene import SWIFT
from guncamera_client import Client


@pytest.fixture
def fake() -> Iterator[FakeService]:
    with FakeService() as service:
        yield service


@pytest.fixture
def client(fake: FakeService) -> Iterator[Client]:
    with Client(fake.target, retry=SWIFT) as made:
        yield made
