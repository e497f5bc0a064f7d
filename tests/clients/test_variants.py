"""Every call of the clients that takes a variant sends its name, over both transports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from guncamera.api.openapi_examples import examples
from guncamera.v1.actions_pb2 import DamageFacts, FireFacts, MoveFacts, SpotFacts, WindFacts
from guncamera.v1.resolution_service_pb2 import ComputeOddsRequest
from guncamera_client import Client, RestClient, errors
from orders import SETUP

FACTS = {"move": MoveFacts, "wind": WindFacts, "spot": SpotFacts, "fire": FireFacts,
         "damage": DamageFacts}  # fmt: skip
NAME = "lighter"


def facts_of(verb: str) -> Any:
    """Those of the first example, of whatever rule set."""
    asked = next(iter(examples()[f"Resolve{verb.title()}"].values()))
    return ParseDict(asked["facts"], FACTS[verb]())


def ruled_on(verb: str) -> Callable[[Any], object]:
    return lambda client: getattr(client, f"resolve_{verb}")(facts_of(verb), variant=NAME)


CALLS: dict[str, Callable[[Any], object]] = {
    "create_session": lambda client: client.create_session(SETUP, variant=NAME),
    **{f"resolve_{verb}": ruled_on(verb) for verb in FACTS},
    "compute_odds": lambda client: client.compute_odds(
        ComputeOddsRequest(fire=facts_of("fire")), variant=NAME
    ),
    "get_ruleset": lambda client: client.get_ruleset("kettering", variant=NAME),
    "list_tables": lambda client: list(client.list_tables("kettering", variant=NAME)),
    "get_table": lambda client: client.get_table("kettering", "penalties", variant=NAME),
    "list_aircraft": lambda client: list(client.list_aircraft("kettering", variant=NAME)),
}


@pytest.mark.parametrize("over", [Client, RestClient])
@pytest.mark.parametrize("call", CALLS)
def test_a_variant_that_is_not_there_is_asked_for_by_its_name(
    service: Any, over: type[Any], call: str
) -> None:
    with (
        over(service.grpc if over is Client else service.url) as client,
        pytest.raises(errors.VariantUnknown) as raised,
    ):
        CALLS[call](client)
    assert raised.value.facts["variant"] == NAME
    assert [one.field for one in raised.value.violations] == ["variant"]
