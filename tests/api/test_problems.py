"""One table from refusals to statuses and problems: whole, small enough to arrive, and served."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import grpc
import guncamera
import pytest
from fakes import FakeEndpoints
from google.rpc import error_details_pb2
from guncamera.api import problem_texts
from guncamera.api.config import Config
from guncamera.api.problems import (
    BY_SLUG,
    MAX_DETAIL_BYTES,
    TABLE,
    http_status,
    problem_message,
    problem_of,
    row_of,
    status_of,
)
from guncamera.api.rest import create_app
from guncamera.rules.dice import Ask, AtLeast
from guncamera.rules.refusal import (
    Illegal,
    Malformed,
    PhaseClosed,
    Refusal,
    RollRequired,
    Violation,
)
from guncamera.sessions.refusals import (
    EtagMismatch,
    RevealNotDue,
    SeatForbidden,
    StreamsFull,
    Unavailable,
)
from guncamera.v1 import dice_pb2
from guncamera_client._grpc import error_from_rpc

ROLL = RollRequired(Ask((6, 6), AtLeast(8), purpose="to-hit", rule_id="KET-7.1"))


def every_refusal() -> list[type[Refusal]]:
    """Every class of refusal in the package."""
    for module in pkgutil.walk_packages(guncamera.__path__, "guncamera."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

    def below(kind: type[Refusal]) -> list[type[Refusal]]:
        return [each for direct in kind.__subclasses__() for each in (direct, *below(direct))]

    return [kind for kind in below(Refusal) if kind.__module__.startswith("guncamera.")]


def details(refusal: Refusal, kind: Any) -> list[Any]:
    """The details of one type in a refusal's gRPC status."""
    found = []
    for packed in status_of(refusal).details:
        if packed.Is(kind.DESCRIPTOR):
            detail = kind()
            packed.Unpack(detail)
            found.append(detail)
    return found


def test_every_refusal_has_a_row() -> None:
    kinds = every_refusal()
    assert len(kinds) > 20
    assert {kind.reason for kind in kinds} <= set(TABLE), "give each reason a row and a text"


class AsSent(grpc.RpcError):
    """A refusal as a gRPC client gets it."""

    def __init__(self, refusal: Refusal) -> None:
        self.status = status_of(refusal)

    def code(self) -> grpc.StatusCode:
        return next(code for code in grpc.StatusCode if code.value[0] == self.status.code)

    def details(self) -> str:
        return self.status.message

    def trailing_metadata(self) -> list[tuple[str, bytes]]:
        return [("grpc-status-details-bin", self.status.SerializeToString())]


def one_of(kind: type[Refusal], **named: str) -> Refusal:
    """A refusal of a kind, however its own constructor would make it."""
    made = kind.__new__(kind)
    made.__dict__.update(ask=ROLL.ask, subject="key/a", policy="key", limit=3)
    plain = Malformed if isinstance(made, Malformed) else Refusal
    plain.__init__(made, "No. Do this.", **named)
    return made


@pytest.mark.parametrize("kind", every_refusal(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("field", ["order.kettering.deploy.hex", ""])
@pytest.mark.parametrize("rule_id", ["KET-7.1", ""])
def test_both_transports_and_a_batch_name_the_same_fields(
    kind: type[Refusal], field: str, rule_id: str
) -> None:
    refusal = one_of(kind, field=field, rule_id=rule_id)
    told = [
        (one["field"], one["description"], one["rule_id"])
        for one in problem_of(refusal, instance="/").get("violations", ())
    ]
    over_grpc = error_from_rpc(AsSent(refusal), "here").violations
    assert told == [(one.field, one.description, one.rule_id) for one in over_grpc]
    in_batch = problem_message(refusal).violations
    assert told == [(one.field, one.description, one.rule_id) for one in in_batch]
    if field:
        assert told == [(field, "No. Do this.", rule_id)]


def test_every_row_is_the_reason_of_a_refusal() -> None:
    assert set(TABLE) <= {kind.reason for kind in every_refusal()}
    assert set(problem_texts.TEXTS) == set(TABLE)


def test_a_reason_without_a_row_is_a_fault_of_ours() -> None:
    with pytest.raises(AssertionError, match="REFUSED"):
        row_of(Refusal("no"))


def test_every_reason_has_a_page() -> None:
    client = create_app(FakeEndpoints(), config=Config()).test_client()
    listed = client.get("/problems").text
    for slug, row in BY_SLUG.items():
        page = client.get(f"/problems/{slug}")
        assert page.status_code == 200
        assert page.mimetype == "text/html"
        assert row.reason in page.text
        assert str(row.http) in page.text
        assert f'href="problems/{slug}"' in listed


@pytest.mark.parametrize(
    ("reason", "code", "http"),
    [
        ("INPUT_INVALID", "INVALID_ARGUMENT", 400),
        ("ROLL_INVALID", "INVALID_ARGUMENT", 400),
        ("ODDS_TOO_LARGE", "INVALID_ARGUMENT", 400),
        ("FILM_INVALID", "INVALID_ARGUMENT", 400),
        ("SEAT_UNKNOWN", "UNAUTHENTICATED", 401),
        ("SEAT_FORBIDDEN", "PERMISSION_DENIED", 403),
        ("RULESET_UNKNOWN", "NOT_FOUND", 404),
        ("TABLE_NOT_FOUND", "NOT_FOUND", 404),
        ("SESSION_NOT_FOUND", "NOT_FOUND", 404),
        ("ACTION_NOT_FOUND", "NOT_FOUND", 404),
        ("PHASE_CLOSED", "FAILED_PRECONDITION", 409),
        ("SEAT_NOT_ACTIVE", "FAILED_PRECONDITION", 409),
        ("SEAL_REQUIRED", "FAILED_PRECONDITION", 409),
        ("NOTHING_TO_SEAL", "FAILED_PRECONDITION", 409),
        ("SECRETS_KEPT", "FAILED_PRECONDITION", 409),
        ("REVEAL_NOT_DUE", "FAILED_PRECONDITION", 409),
        ("NO_SEAL_DEADLINE", "FAILED_PRECONDITION", 409),
        ("SESSION_FINISHED", "FAILED_PRECONDITION", 409),
        ("RULES_VERSION_CHANGED", "FAILED_PRECONDITION", 409),
        ("VARIANT_CHANGED", "FAILED_PRECONDITION", 409),
        ("VARIANT_UNKNOWN", "NOT_FOUND", 404),
        ("LEDGER_FULL", "FAILED_PRECONDITION", 409),
        ("SEAT_TAKEN", "ALREADY_EXISTS", 409),
        ("SESSION_EXISTS", "ALREADY_EXISTS", 409),
        ("ETAG_MISMATCH", "ABORTED", 409),
        ("ACTION_ILLEGAL", "FAILED_PRECONDITION", 422),
        ("ROLL_REQUIRED", "FAILED_PRECONDITION", 422),
        ("REQUEST_ID_REUSED", "INVALID_ARGUMENT", 422),
        ("STREAMS_FULL", "RESOURCE_EXHAUSTED", 429),
        ("VERB_NOT_IN_RULESET", "UNIMPLEMENTED", 501),
        ("STORE_UNAVAILABLE", "UNAVAILABLE", 503),
        ("INTERNAL", "INTERNAL", 500),
    ],
)
def test_the_statuses_are_those_of_the_design(reason: str, code: str, http: int) -> None:
    # Twice on purpose: a client relies on these numbers, so a slip in the table must not pass.
    assert (code, http) == (TABLE[reason].code.name, TABLE[reason].http)
    assert isinstance(TABLE[reason].code, grpc.StatusCode)


def test_a_stale_etag_is_412_by_header_and_409_by_field() -> None:
    stale = EtagMismatch("Stale.", etag='"17"')
    assert http_status(stale, etag_is_header=True) == 412
    assert http_status(stale) == 409
    problem = problem_of(stale, instance="/v1/x", etag_is_header=True)
    assert problem["status"] == 412
    assert problem["metadata"] == {"etag": '"17"'}


def test_a_problem_document_has_every_member() -> None:
    refusal = Illegal("KET-7.1", "Too far. Close in.", field="order", range_hexes=3, sighted=True)
    problem = problem_of(
        refusal, instance="/v1:resolveFire", base_url="https://guns.example", request_id="r1"
    )
    assert problem == {
        "type": "https://guns.example/problems/action-illegal",
        "title": "Against the rules",
        "status": 422,
        "detail": "Too far. Close in.",
        "instance": "/v1:resolveFire",
        "reason": "ACTION_ILLEGAL",
        "domain": "guncamera",
        "code": "FAILED_PRECONDITION",
        "metadata": {"range_hexes": "3", "sighted": "true"},
        "request_id": "r1",
        "rule_id": "KET-7.1",
        "violations": [
            {"field": "order", "description": "Too far. Close in.", "rule_id": "KET-7.1"}
        ],
        "violation_count": 1,
    }


def test_a_roll_required_tells_the_dice_everywhere() -> None:
    asked = {"purpose": "to-hit", "sides": [6, 6], "reading": "8 or more", "rule_id": "KET-7.1"}
    assert problem_of(ROLL, instance="/")["roll_required"] == asked
    assert details(ROLL, dice_pb2.RollRequired) == [dice_pb2.RollRequired(**asked)]
    assert problem_message(ROLL).roll_required == dice_pb2.RollRequired(**asked)


@pytest.mark.parametrize("kind", [Illegal, PhaseClosed])
def test_a_broken_rule_is_a_precondition_failure_with_its_id(kind: type[Illegal]) -> None:
    [failure] = details(kind("KET-7.1", "No."), error_details_pb2.PreconditionFailure)
    assert [item.type for item in failure.violations] == ["KET-7.1"]


@pytest.mark.parametrize(
    ("kind", "seconds"), [(Unavailable, 1), (StreamsFull, 5), (RevealNotDue, 1)]
)
def test_what_passes_by_waiting_says_how_long(kind: type[Refusal], seconds: int) -> None:
    [retry] = details(kind("Later."), error_details_pb2.RetryInfo)
    assert retry.retry_delay.seconds == seconds
    assert not details(SeatForbidden("No."), error_details_pb2.RetryInfo)


def test_every_status_carries_its_reason() -> None:
    [info] = details(EtagMismatch("Stale.", etag='"17"'), error_details_pb2.ErrorInfo)
    assert (info.reason, info.domain) == ("ETAG_MISMATCH", "guncamera")
    assert dict(info.metadata) == {"etag": '"17"'}


def test_ten_thousand_violations_shrink_to_what_arrives() -> None:
    many = [Violation(f"items[{n}].{'é' * 90}", "ü" * 5000) for n in range(10_000)]
    refusal = Malformed("☃" * 50_000, violations=many, **{f"f{n}": "x" * 999 for n in range(99)})
    status = status_of(refusal)
    assert status.ByteSize() < 2 * MAX_DETAIL_BYTES
    problem = problem_of(refusal, instance="/" + "x" * 100_000)
    assert len(problem["violations"]) == 20
    assert problem["violation_count"] == 10_000
    assert len(str(problem)) < 20_000


def test_twenty_short_violations_all_arrive() -> None:
    refusal = Malformed(
        "Twenty.",
        violations=[Violation(f"facts.kettering.f{n}", "must be a string") for n in range(25)],
    )
    [bad] = details(refusal, error_details_pb2.BadRequest)
    [info] = details(refusal, error_details_pb2.ErrorInfo)
    assert len(bad.field_violations) == 20
    assert bad.field_violations[0].field == "facts.kettering.f0"
    assert info.metadata["violation_count"] == "25"


def test_half_characters_in_a_message_do_not_break_its_encoding() -> None:
    refusal = Malformed("It says \ud800.", field="\udfff", value="\ud800")
    status_of(refusal).SerializeToString()
    problem_message(refusal).SerializeToString()
    str(problem_of(refusal, instance="/\ud800")).encode()


def test_a_batch_item_tells_what_a_status_would() -> None:
    message = problem_message(Illegal("KET-7.1", "Too far.", range_hexes=3))
    assert (message.reason, message.detail, message.rule_id) == (
        "ACTION_ILLEGAL",
        "Too far.",
        "KET-7.1",
    )
    assert dict(message.metadata) == {"range_hexes": "3"}
