"""JSON in is read strictly, JSON out is complete: held against protobuf's own json_format."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from chance import examples
from google.protobuf import json_format
from google.protobuf.message import Message
from guncamera.api.json_codec import from_json, to_json, to_plain
from guncamera.api.routes import rpcs
from guncamera.api.wire_reader import from_wire
from guncamera.rules.refusal import Malformed
from guncamera.v1 import (
    dice_pb2,
    problem_pb2,
    resolution_service_pb2,
    ruling_pb2,
    session_service_pb2,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wire_messages import messages

REQUESTS = [rpc.request for rpc in rpcs()]
ANSWERS = [
    *dict.fromkeys(
        rpc.response
        for rpc in rpcs()
        if rpc.response_type.full_name not in ("google.api.HttpBody", "google.protobuf.Empty")
    ),
    problem_pb2.Problem,
]
MANY = settings(
    examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
FIRE = resolution_service_pb2.ResolveFireRequest
MOVE = session_service_pb2.MoveRequest


def violations(body: bytes | str, message: type[Message]) -> dict[str, str]:
    """What is wrong with a body, by field."""
    with pytest.raises(Malformed) as caught:
        from_json(body.encode() if isinstance(body, str) else body, message)
    return {item.field: item.description for item in caught.value.violations}


def reason_why(body: bytes) -> str:
    """Why a body is no JSON at all."""
    with pytest.raises(Malformed) as caught:
        from_json(body, FIRE)
    return caught.value.message


@given(st.data())
@MANY
def test_answers_are_written_as_json_format_writes_them(data: st.DataObject) -> None:
    message = data.draw(st.sampled_from(ANSWERS).flatmap(messages))
    expected = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    assert expected == to_plain(message)


@given(st.data())
@MANY
def test_requests_survive_json_in_either_spelling(data: st.DataObject) -> None:
    message = data.draw(st.sampled_from(REQUESTS).flatmap(messages))
    assert message == from_json(to_json(message), type(message))
    camel = json_format.MessageToJson(message, preserving_proto_field_name=False)
    assert message == from_json(camel.encode(), type(message))


@given(st.data())
@MANY
def test_requests_survive_the_wire_reader(data: st.DataObject) -> None:
    message = data.draw(st.sampled_from(REQUESTS).flatmap(messages))
    assert message == from_wire(message.SerializeToString(), type(message))


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
@MANY
def test_any_bytes_are_a_message_or_malformed(body: bytes) -> None:
    try:
        from_json(body, FIRE)
    except Malformed as refusal:
        refusal.message.encode()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["facts", "dice", "kettering", "supplied", "faces", "rules_version", "x"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
@MANY
def test_what_is_accepted_json_format_accepts_too(plain: Any) -> None:
    body = json.dumps(plain)
    try:
        message = from_json(body.encode(), FIRE)
    except Malformed:
        return
    assert message == json_format.Parse(body, FIRE())


def test_zeros_and_first_names_are_written() -> None:
    plain = to_plain(session_service_pb2.Session(seats=[session_service_pb2.Seat(id="pilot")]))
    assert plain["revision"] == 0
    assert plain["active_seats"] == []
    assert plain["state"] == "SESSION_STATE_UNSPECIFIED"
    assert plain["seats"] == [{"id": "pilot", "side": "", "title": "", "claimed": False}]
    assert "board" not in plain
    assert "create_time" not in plain


def test_what_has_presence_is_written_only_when_set() -> None:
    assert "start_revision" not in to_plain(session_service_pb2.WatchSessionRequest())
    assert (
        to_plain(session_service_pb2.WatchSessionRequest(start_revision=0))["start_revision"] == 0
    )
    assert "kettering" not in to_plain(session_service_pb2.Session().board)


def test_members_stand_in_the_order_of_the_proto() -> None:
    action = session_service_pb2.Action(name="n", summary="s")
    action.wind.SetInParent()
    names = list(to_plain(action))
    assert names[:4] == ["name", "revision", "seat", "wind"]
    assert names.index("wind") < names.index("trace") < names.index("etag")


def test_times_are_utc_and_numbers_are_numbers() -> None:
    session = session_service_pb2.Session(revision=17)
    session.create_time.FromJsonString("1918-10-02T12:30:00+02:00")
    assert b'"revision":17' in to_json(session)
    assert to_plain(session)["create_time"] == "1918-10-02T10:30:00Z"


def test_a_real_that_is_no_number_is_written_as_its_name() -> None:
    assert to_json(ruling_pb2.Likelihood(probability=float("nan"))) == (
        b'{"fraction":"","probability":"NaN"}'
    )


def test_maps_are_written_in_the_order_of_their_keys() -> None:
    problem = problem_pb2.Problem(metadata={"b": "2", "a": "1", "c": ""})
    assert list(to_plain(problem)["metadata"].items()) == [("a", "1"), ("b", "2"), ("c", "")]


@pytest.mark.parametrize("body", [b"", b"[]", b"3", b'"x"', b"null"])
def test_a_body_must_be_an_object(body: bytes) -> None:
    assert reason_why(body)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b'{"rules_version": NaN}', "NaN"),
        (b'{"rules_version": -Infinity}', "Infinity"),
        (b'{"rules_version": 1e999}', "too large"),
        (b'{"rules_version": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"a": "\x01"}', "control character"),
        (b'{"rules_version": 1,}', "not JSON"),
        (b'{"rules_version": 01}', "not JSON"),
        (b"{} {}", "Extra data"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b'{"a": "\xff"}', "utf-8"),
        (b"[" * 100_000, "nested"),
        (b'{"a":' * 100_000, "nested"),
    ],
)
def test_what_is_not_json_is_refused(body: bytes, part: str) -> None:
    assert part in reason_why(body)


def test_nothing_nested_more_than_32_deep_is_accepted() -> None:
    # The proto itself is far flatter, so no limit beside it is needed.
    def depth(descriptor: Any) -> int:
        nested = [field.message_type for field in descriptor.fields if field.message_type]
        return 1 + max((depth(message) for message in nested), default=0)

    assert max(depth(request.DESCRIPTOR) for request in REQUESTS) < 32
    body = '{"facts":' * 33 + "{}" + "}" * 33
    assert "facts.facts" in violations(body, FIRE)


def test_a_member_given_twice_is_refused_with_its_path() -> None:
    found = violations('{"dice": {"supplied": {"faces": [1], "faces": [6]}}}', FIRE)
    assert found == {"dice.supplied.faces": "is given twice"}
    assert violations('{"rules_version": 1, "rulesVersion": 1}', FIRE) == {
        "rulesVersion": "excludes rules_version; send only one of them"
    }


def test_ten_thousand_members_given_twice_are_found_quickly() -> None:
    body = "{" + ",".join(f'"m{n}":1,"m{n}":2' for n in range(50_000)) + "}"
    assert len(violations(body, FIRE)) == 20


def test_two_of_one_oneof_are_refused() -> None:
    found = violations('{"dice": {"server": {}, "supplied": {"faces": []}}}', FIRE)
    assert found == {"dice.supplied": "excludes server; send only one of them"}


def test_an_unknown_member_is_told_what_there_is() -> None:
    found = violations('{"dice": {"supplied": {"face": [1]}}}', FIRE)
    assert found == {"dice.supplied.face": "is no field of SuppliedDice; it has faces"}


@pytest.mark.parametrize("value", ["3", 1.0, 1.5, True, [], {}, 2**31, -(2**31) - 1, 10**30, 1e300])
def test_only_whole_json_numbers_are_whole_numbers(value: Any) -> None:
    assert "whole number" in violations(json.dumps({"rules_version": value}), FIRE)["rules_version"]


@pytest.mark.parametrize("value", [-(2**31), -1, 0, 2**31 - 1])
def test_the_ends_of_int32_are_accepted(value: int) -> None:
    body = json.dumps({"rules_version": value}).encode()
    assert from_json(body, FIRE).rules_version == value


@pytest.mark.parametrize("value", [1, 0, "true", [], {}])
def test_only_true_and_false_are_booleans(value: Any) -> None:
    found = violations(json.dumps({"validate_only": value}), MOVE)
    assert found == {"validate_only": "must be true or false"}


@pytest.mark.parametrize("value", [1, True, [], {}])
def test_only_strings_are_strings(value: Any) -> None:
    assert violations(json.dumps({"seat": value}), MOVE) == {"seat": "must be a string"}


@pytest.mark.parametrize(
    "value", [1, 0, 999, "TAIL", "kettering_aspect_tail", "", None, True, ["x"]]
)
def test_an_enum_is_one_of_its_names(value: Any) -> None:
    body = json.dumps({"facts": {"kettering": {"aspect": value}}})
    text = violations(body, FIRE)["facts.kettering.aspect"]
    assert "KETTERING_ASPECT_TAIL" in text or value is None
    assert "UNSPECIFIED" not in text


def test_null_is_refused() -> None:
    assert violations('{"facts": null}', FIRE) == {"facts": "is null; leave it out instead"}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a\\u0000b", "control"),
        ("a\\u001b[31m", "control"),
        ("\\u0085", "control"),
        ("\\u2028", "control"),
        ("a\\u202eb", "U+202E"),
        ("a\\u200b", "U+200B"),
        ("a\\u00ad", "U+00AD"),
        ("\\ufeffa", "U+FEFF"),
        ("\\ud800", "surrogate"),
        ("\\udc00x", "surrogate"),
    ],
)
def test_strings_hold_no_control_characters_and_no_half_characters(text: str, part: str) -> None:
    assert part in violations(f'{{"seat": "{text}"}}', MOVE)["seat"]


def test_other_scripts_and_signs_are_strings_like_any() -> None:
    for text in ("Σοφία", "李", "🛩️", "é", "a b", "\\ud83d\\udee9"):
        assert from_json(b'{"seat": "%s"}' % text.encode(), MOVE).seat == json.loads(f'"{text}"')


def test_every_fault_is_told_at_once() -> None:
    body = json.dumps(
        {
            "rules_version": "1",
            "facts": {"kettering": {"range_hexes": 1.5, "aspect": "SW", "x": 1}},
            "dice": {"supplied": {"faces": [1, "2", None]}},
        }
    )
    assert set(violations(body, FIRE)) == {
        "rules_version",
        "facts.kettering.range_hexes",
        "facts.kettering.aspect",
        "facts.kettering.x",
        "dice.supplied.faces[1]",
        "dice.supplied.faces[2]",
    }


def test_ten_thousand_faults_are_counted_and_twenty_told() -> None:
    body = json.dumps({"dice": {"supplied": {"faces": ["x"] * 10_000}}}).encode()
    with pytest.raises(Malformed) as caught:
        from_json(body, FIRE)
    assert caught.value.violation_count == 10_000
    assert len(caught.value.violations) == 20
    assert "10000 places" in caught.value.message


def test_names_of_the_callers_making_are_shown_short_and_safe() -> None:
    name, text = next(iter(violations(json.dumps({"\x1b[31m" + "x" * 100_000: 1}), FIRE).items()))
    assert len(name) <= 60
    assert re.fullmatch(r"[ -~…]+", name)
    assert "facts" in text
    lone = next(iter(violations('{"\\ud800": 1}', FIRE)))
    assert lone == "\\ud800"


def test_lists_of_faces_are_read() -> None:
    supplied = dice_pb2.SuppliedDice(faces=[1, 2, 3])
    assert from_json(b'{"faces":[1,2,3]}', dice_pb2.SuppliedDice) == supplied


def test_films_with_times_are_read() -> None:
    body = b'{"film": {"session": {"create_time": "2026-01-02T03:04:05.5Z"}}}'
    film = from_json(body, session_service_pb2.ImportSessionRequest).film
    assert film.session.create_time.ToJsonString() == "2026-01-02T03:04:05.500Z"
    found = violations(body.replace(b"2026-", b"x"), session_service_pb2.ImportSessionRequest)
    assert "must be a time" in found["film.session.create_time"]
