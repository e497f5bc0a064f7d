"""Refusals as exceptions: every reason a class, every detail a field."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import grpc
import guncamera_client
import pytest
from clients.fake_service import (
    FakeService,
    Refuse,
)
from clients.scene import KETTERING, NAME
from conftest import Service
from google.rpc import code_pb2, error_details_pb2
from guncamera.api import refusals as api_refusals
from guncamera.rules.refusal import Refusal
from guncamera.sessions import refusals as shell_refusals
from guncamera.v1.actions_pb2 import FireOrder, MoveOrder
from guncamera.v1.dice_pb2 import RollRequired
from guncamera.v1.problem_pb2 import NearestOrder, NearestOrders, Problem
from guncamera.v1.ruleset_kettering_pb2 import (
    KetteringFireFacts,
    KetteringFireOrder,
)
from guncamera.v1.session_service_pb2 import LegalOrder
from guncamera_client import AsyncClient, Client, GuncameraError, RestClient, errors
from guncamera_client._names import rule_id_of


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("ACTION_ILLEGAL", errors.IllegalOrder),
        ("PHASE_CLOSED", errors.PhaseClosed),
        ("ROLL_REQUIRED", errors.RollRequired),
        ("ROLL_INVALID", errors.RollInvalid),
        ("INPUT_INVALID", errors.InputInvalid),
        ("ETAG_MISMATCH", errors.StaleState),
        ("SESSION_NOT_FOUND", errors.SessionNotFound),
        ("ACTION_NOT_FOUND", errors.ActionNotFound),
        ("RULESET_UNKNOWN", errors.RulesetUnknown),
        ("TABLE_NOT_FOUND", errors.TableNotFound),
        ("SESSION_EXISTS", errors.SessionExists),
        ("SEAT_TAKEN", errors.SeatTaken),
        ("SEAT_UNKNOWN", errors.SeatUnknown),
        ("SEAT_FORBIDDEN", errors.SeatForbidden),
        ("SEAT_NOT_ACTIVE", errors.SeatNotActive),
        ("SEAL_REQUIRED", errors.SealRequired),
        ("NOTHING_TO_SEAL", errors.NothingToSeal),
        ("SECRETS_KEPT", errors.SecretsKept),
        ("REVEAL_NOT_DUE", errors.RevealNotDue),
        ("NO_SEAL_DEADLINE", errors.NoSealDeadline),
        ("SESSION_FINISHED", errors.SessionFinished),
        ("RULES_VERSION_CHANGED", errors.RulesVersionChanged),
        ("VARIANT_CHANGED", errors.VariantChanged),
        ("VARIANT_UNKNOWN", errors.VariantUnknown),
        ("REQUEST_ID_REUSED", errors.RequestIdReused),
        ("ODDS_TOO_LARGE", errors.OddsTooLarge),
        ("VERB_NOT_IN_RULESET", errors.VerbNotInRuleset),
        ("LEDGER_FULL", errors.LedgerFull),
        ("FILM_INVALID", errors.FilmInvalid),
        ("STREAMS_FULL", errors.StreamsFull),
        ("RATE_LIMITED", errors.RateLimited),
        ("INTERNAL", errors.ServiceFault),
        ("SOMETHING_NEW", GuncameraError),
    ],
)
def test_each_reason_is_an_exception_of_its_own(
    fake: FakeService, client: Client, reason: str, kind: type[GuncameraError]
) -> None:
    fake.answers("Fire", Refuse(code_pb2.FAILED_PRECONDITION, reason, "Why.", {"range": "3"}))
    with pytest.raises(GuncameraError) as caught:
        client.fire(KETTERING)
    assert type(caught.value) is kind
    assert (caught.value.reason, caught.value.message) == (reason, "Why.")
    assert str(caught.value) == "Why."
    assert caught.value.facts == {"range": "3"}
    assert len(fake.calls) == 1


def test_no_reason_of_the_service_is_unknown_to_the_client() -> None:
    def all_of(root: type[Refusal]) -> Iterator[type[Refusal]]:
        for child in root.__subclasses__():
            yield child
            yield from all_of(child)

    assert {shell_refusals.SessionNotFound, api_refusals.NotReady} <= set(all_of(Refusal))
    # These come from REST before a call is known, so no call of this client meets them.
    apart = {"ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "BODY_TOO_LARGE", "MEDIA_TYPE_UNSUPPORTED"}
    apart.add("BODY_SLOW")
    reasons = {found.reason for found in all_of(Refusal)} - apart
    unknown = {name for name in reasons if errors.class_of_reason(name) is GuncameraError}
    assert unknown == set()


def test_an_illegal_order_names_the_rule(fake: FakeService, client: Client) -> None:
    failure = error_details_pb2.PreconditionFailure()
    failure.violations.add(type="KET-7.1", subject="order", description="Too far.")
    about = error_details_pb2.RequestInfo(request_id="q-1")
    fake.answers(
        "Fire",
        Refuse(code_pb2.FAILED_PRECONDITION, "ACTION_ILLEGAL", details=[failure, about]),
    )
    with pytest.raises(errors.IllegalOrder) as caught:
        client.fire(KETTERING)
    assert (caught.value.rule_id, caught.value.request_id) == ("KET-7.1", "q-1")


def test_a_refused_order_brings_the_nearest_legal_ones(fake: FakeService, client: Client) -> None:
    fire = FireOrder(kettering=KetteringFireOrder())
    offered = NearestOrders(compared=7, orders=[NearestOrder(fire=fire, summary="Fire.")])
    fake.answers("Move", Refuse(code_pb2.FAILED_PRECONDITION, "PHASE_CLOSED", details=[offered]))
    with pytest.raises(errors.PhaseClosed) as caught:
        client.move(NAME, MoveOrder(), nearest_count=2)
    assert fake.calls_of("Move")[-1].request.nearest_count == 2
    (order,) = caught.value.nearest
    assert order == LegalOrder(fire=fire, summary="Fire.")
    in_batch = guncamera_client.error_from(Problem(reason="PHASE_CLOSED", nearest=offered))
    assert in_batch.nearest == caught.value.nearest
    # Not the one that was raised: where dask is loaded, its cause is pickled too, and is gRPC's.
    copy = pickle.loads(pickle.dumps(in_batch))
    assert copy.nearest == in_batch.nearest
    assert guncamera_client.error_from(Problem(reason="ACTION_ILLEGAL")).nearest == ()


def test_missing_dice_say_what_to_throw(fake: FakeService, client: Client) -> None:
    wanted = RollRequired(purpose="to-hit", sides=[6, 6], reading="total", rule_id="KET-7.2")
    fake.answers("Fire", Refuse(code_pb2.FAILED_PRECONDITION, "ROLL_REQUIRED", details=[wanted]))
    with pytest.raises(errors.RollRequired) as caught:
        client.fire(KETTERING, dice=[])
    assert (caught.value.dice, caught.value.purpose) == ((6, 6), "to-hit")
    assert (caught.value.reading, caught.value.rule_id) == ("total", "KET-7.2")


def test_malformed_input_lists_every_field(fake: FakeService, client: Client) -> None:
    bad = error_details_pb2.BadRequest()
    bad.field_violations.add(field="facts.a", description="too big", reason="KET_7_1")
    bad.field_violations.add(field="facts.b", description="missing")
    fake.answers("ResolveFire", Refuse(code_pb2.INVALID_ARGUMENT, "INPUT_INVALID", details=[bad]))
    with pytest.raises(errors.InputInvalid) as caught:
        client.resolve_fire(KetteringFireFacts())
    assert caught.value.violations == (
        errors.Violation("facts.a", "too big", "KET-7.1"),
        errors.Violation("facts.b", "missing", ""),
    )


def test_a_stale_state_holds_the_etag_of_now(fake: FakeService, client: Client) -> None:
    fake.answers("Fire", Refuse(code_pb2.ABORTED, "ETAG_MISMATCH", metadata={"etag": '"5"'}))
    with pytest.raises(errors.StaleState) as caught:
        client.fire(KETTERING, etag='"4"')
    assert caught.value.etag == '"5"'
    assert len(fake.calls) == 1


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (code_pb2.INTERNAL, errors.ServiceFault),
        (code_pb2.UNKNOWN, errors.ServiceFault),
        (code_pb2.DEADLINE_EXCEEDED, errors.DeadlineExceeded),
        (code_pb2.ABORTED, GuncameraError),
        (code_pb2.UNIMPLEMENTED, GuncameraError),
    ],
)
def test_a_status_without_a_reason_is_still_ours(
    fake: FakeService, client: Client, code: int, kind: type[GuncameraError]
) -> None:
    fake.answers("GetSession", Refuse(code))
    with pytest.raises(GuncameraError) as caught:
        client.get_session(NAME)
    assert type(caught.value) is kind
    assert caught.value.reason
    assert isinstance(caught.value.__cause__, grpc.RpcError)


def test_a_problem_of_a_batch_becomes_the_same_exception() -> None:
    problem = Problem(reason="ACTION_ILLEGAL", detail="Too far.", rule_id="KET-7.1")
    error = guncamera_client.error_from(problem)
    assert type(error) is errors.IllegalOrder
    assert (error.rule_id, error.message) == ("KET-7.1", "Too far.")


def test_an_error_survives_the_way_to_another_process() -> None:
    error = guncamera_client.error_from(
        Problem(reason="ETAG_MISMATCH", detail="Moved on.", metadata={"etag": '"5"'})
    )
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.StaleState
    assert (copy.etag, copy.message, copy.reason) == ('"5"', "Moved on.", "ETAG_MISMATCH")


@pytest.mark.parametrize(
    ("reason", "rule_id"),
    [("KET_7_1", "KET-7.1"), ("KET_12", "KET-12"), ("REQUIRED", ""), ("", ""), ("TOO_BIG", "")],
)
def test_rule_ids_are_read_back_from_reasons(reason: str, rule_id: str) -> None:
    assert rule_id_of(reason) == rule_id


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("target", ["http://127.0.0.1:8080", "https://guns.example"])
def test_an_address_of_rest_is_refused_before_a_machine_of_that_name_is_looked_for(
    kind: type[Client | AsyncClient], target: str
) -> None:
    with pytest.raises(ValueError, match="RestClient") as refused:
        kind(target)
    assert target in str(refused.value)


def test_an_address_without_its_scheme_is_refused_with_the_whole_one() -> None:
    with pytest.raises(ValueError, match=r"http://127\.0\.0\.1:8080, or https") as refused:
        RestClient("127.0.0.1:8080")
    assert "for Client" in str(refused.value)


def test_the_port_of_rest_is_told_from_that_of_grpc(service: Service) -> None:
    with Client(service.rest) as client, pytest.raises(GuncameraError) as refused:
        client.get_quota()
    assert "speaks no gRPC" in str(refused.value)
    assert service.rest in str(refused.value)
