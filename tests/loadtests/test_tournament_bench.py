"""What the bench of tournaments is made of: shots of every rule set, and a judgement on memory."""

import pytest
import tournament
from guncamera.rules.ruleset import rulesets
from tournament_memory import is_flat


@pytest.mark.parametrize("slug", list(rulesets()))
def test_every_rule_set_has_shots_to_be_ruled_on_without_a_session(slug):
    shots = tournament.shots_of(slug)
    assert len(shots) >= 20
    assert {shot.facts.WhichOneof("ruleset") for shot in shots} == {slug}


@pytest.mark.parametrize(
    ("thirds", "flat"),
    [
        ((100, 103, 104), True),
        ((80, 100, 106), True),
        ((100, 110, 120), False),
        ((367, 373, 375), True),
        ((367, 373, 390), False),
    ],
)
def test_memory_that_goes_on_growing_is_not_flat(thirds, flat):
    assert is_flat(thirds) is flat
