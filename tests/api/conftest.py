"""Every rule set that seals orders, and a stand-in that is there even when none is registered."""

from __future__ import annotations

from collections.abc import Iterator

import duel
import pytest
from guncamera.rules.ruleset import Ruleset, rulesets
from paired import PAIRED
from secrecy import sealing_start

STAND_IN = "a stand-in"
SEALING = [STAND_IN, *(slug for slug, found in rulesets().items() if sealing_start(found))]


@pytest.fixture(params=SEALING)
def sealing_ruleset(request: pytest.FixtureRequest) -> Iterator[Ruleset]:
    if request.param != STAND_IN:
        yield rulesets()[request.param]
        return
    with duel.registered(PAIRED):
        yield PAIRED
