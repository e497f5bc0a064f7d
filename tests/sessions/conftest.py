"""What the store's tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import servers


@pytest.fixture(scope="session")
def cluster_url() -> Iterator[str]:
    with servers.redis_cluster() as cluster:
        yield cluster
