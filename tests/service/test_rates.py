"""A whole service with limits: its processes share them, and games go on."""

from __future__ import annotations

from collections.abc import Iterator

import asking
import pytest
from conftest import Service, start_service, stop_service
from guncamera.host.rate_settings import AUTOMATIC, policies_of
from guncamera.host.settings import ServiceSettings, SettingsError, settings_from
from guncamera_client import Client, RateLimited, RestClient, RetryPolicy
from orders import DEPLOY, SETUP
from servers import wait_until

ONCE = RetryPolicy(max_attempts=1)
PER_SESSION = 30


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    flags = ("--rate-per-session", f"{PER_SESSION} per 10 minutes", "--creates-per-key", "0")
    running = start_service(tmp_path_factory.mktemp("limited"), *flags)
    yield running
    stop_service(running)


def test_what_is_used_over_rest_is_gone_for_grpc_and_a_turn_is_played_all_the_same(
    limited: Service,
) -> None:
    with Client(limited.grpc, retry=ONCE) as grpc, RestClient(limited.url, retry=ONCE) as rest:
        session = grpc.create_session(SETUP)
        token = grpc.claim_seat(session, "pilot").token
        for _ in range(PER_SESSION - 3):
            rest.get_session(session)
        rest.draw_board(session)

        refusals = []

        def is_known_to_grpc() -> bool:
            try:
                grpc.draw_board(session)
            except RateLimited as refused:
                refusals.append(refused)
            return bool(refusals)

        wait_until(is_known_to_grpc, "gRPC knows what was used over REST")
        (refused,) = refusals
        assert (refused.policy, refused.limit) == ("session", PER_SESSION)
        assert 500 < (refused.retry_after_seconds or 0) <= 600
        for client in (grpc, rest):
            wait_until(
                lambda asked=client: [x.remaining for x in asked.get_quota(session).limits] == [0],
                "a second later everyone knows",
            )
        with Client(limited.grpc, token=token, retry=ONCE) as player:
            assert player.move(session, DEPLOY).revision == 1
            with pytest.raises(RateLimited):
                player.draw_board(session)
        with RestClient(limited.url, token=token, retry=ONCE) as player:
            assert player.get_session(session, seat="pilot").revision == 1


def test_who_has_the_machine_to_himself_is_not_limited(service: Service) -> None:
    with Client(service.grpc) as client:
        quota = client.get_quota()
        assert (quota.caller, list(quota.limits)) == ("open", [])
    assert "RateLimit" not in asking.get(f"{service.url}/v1/rulesets").headers


def test_auto_limits_keys_everywhere_and_others_only_where_they_come_from_elsewhere() -> None:
    for address, counts_open in (("127.0.0.1:1", False), ("0.0.0.0:1", True)):
        policies = policies_of(ServiceSettings(rest_address=address))
        assert [policy.name for policy in policies.values()] == ["key", "session", "creates"]
        assert {policy.counts_open for policy in policies.values()} == {counts_open}
    given = settings_from({"GUNCAMERA_RATE_PER_KEY": "5 per 10 seconds"}, {})
    policy = policies_of(given)["key"]
    assert (policy.item.amount, policy.item.get_expiry(), policy.counts_open) == (5, 10, True)


def test_a_limit_can_be_turned_off() -> None:
    for off in ("0", ""):
        assert policies_of(settings_from({}, dict.fromkeys(AUTOMATIC, off))) == {}


@pytest.mark.parametrize("setting", AUTOMATIC)
@pytest.mark.parametrize("wrong", ["many", "5", "0/minute", "1/second; 5/minute", "5/fortnight"])
def test_what_is_no_limit_stops_the_start_with_one_line(setting: str, wrong: str) -> None:
    variable = f"GUNCAMERA_{setting.upper()}"
    with pytest.raises(SettingsError, match=f"{variable} is .*; give a number and a time"):
        settings_from({variable: wrong}, {})
