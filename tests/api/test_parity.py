"""Every case through the core, gRPC and REST, over a real service: they rule alike."""

import pytest
from guncamera.conformance.targets import ClientTarget, CoreTarget, can_be_sent
from guncamera_client import Client, RestClient
from shipped import shipped_cases

CASES = [case for case in shipped_cases() if can_be_sent(case)]
CORE = CoreTarget()


@pytest.fixture(scope="module")
def grpc_target(service):
    with Client(service.grpc) as client:
        yield ClientTarget(client)


@pytest.fixture(scope="module")
def rest_target(service):
    with RestClient(service.url) as client:
        yield ClientTarget(client)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_core_grpc_and_rest_rule_alike(case, grpc_target, rest_target):
    core = CORE.resolve(case)
    for target in (grpc_target, rest_target):
        answer = target.resolve(case)
        assert answer == core if core.refused is None else _alike(answer, core)


def _alike(answer, core):
    """Transports put the request's path before a field the rule names, and change nothing else.

    They do so in the message as well where that begins with the field.
    """
    if answer.refused is None:
        return False
    return (
        answer.refused.reason == core.refused.reason
        and answer.refused.rule_id == core.refused.rule_id
        and answer.refused.message == _placed(core.refused, answer.refused.fields)
        and len(answer.refused.fields) == len(core.refused.fields)
        and all(
            theirs.endswith(ours)
            for theirs, ours in zip(answer.refused.fields, core.refused.fields, strict=True)
        )
    )


def _placed(core, paths):
    for field, path in zip(core.fields, paths, strict=True):
        if field and core.message.startswith(f"{field}:"):
            return path + core.message.removeprefix(field)
    return core.message


@pytest.mark.parametrize("case", [c for c in CASES if c.odds], ids=lambda case: case.id)
def test_odds_are_the_same_fractions(case, grpc_target, rest_target):
    core = CORE.odds(case)
    assert grpc_target.odds(case) == core
    assert rest_target.odds(case) == core
