"""Bad input of every kind against the whole service, on both transports: the reason, no traceback.

Each row says what is wrong and the reason expected. A row with a `message` is sent over gRPC too.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
import structlog
from google.protobuf import json_format
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from guncamera.api.problems import TABLE
from guncamera.api.routes import rpcs
from tables import RealTable, real_table

RPCS = {rpc.name: rpc for rpc in rpcs()}
PLENTY_SECONDS = 2.0


@dataclasses.dataclass(frozen=True)
class Bad:
    """One bad request.

    Attributes:
        call: The name of the call.
        body: The JSON to send, or its bytes.
        reason: The reason expected.
        message: The same for gRPC: True for the same JSON, bytes for a raw message, None for what
            cannot be said in protobuf.
        http: The status, where it is not that of the table.
        field: The field that must be blamed.
    """

    call: str
    body: Any
    reason: str
    message: bytes | bool | None = True
    http: int = 0
    field: str = ""
    session: str = "s1"
    headers: dict[str, str] = dataclasses.field(default_factory=dict)


def shot(**facts: Any) -> dict[str, Any]:
    """A lawful shot, changed."""
    lawful = {
        "aircraft_type": "fokker-d7",
        "aspect": "KETTERING_ASPECT_TAIL",
        "range_hexes": 1,
        "speed_mp": 4,
        "torpedo_speed_mp": 4,
    }
    return {"facts": {"kettering": {**lawful, **facts}}}


def without(name: str) -> dict[str, Any]:
    """A lawful shot but for one fact that is left out."""
    request = shot()
    del request["facts"]["kettering"][name]
    return request


def draw(field: str, **changes: Any) -> Bad:
    """A draw of legal orders, spoilt."""
    lawful = {"sample_count": 3, "sample_seed": "x"}
    return Bad("ListLegalOrders", {**lawful, **changes}, "INPUT_INVALID", field=field)


def fleet_of(name: str) -> Bad:
    """A session that is lawful but for the name of a ship."""
    ship = {"ship_class": "CARRIERS_SHIP_CLASS_CARRIER", "line": "CARRIERS_LINE_SHORT"}
    setup = {"carriers": {"us": {"ships": [{**ship, "name": name}]}}}
    body = {"setup": setup, "settings": {"carriers": {"fleet_rule": "free"}}}
    field = "setup.carriers.us.ships[0].name"
    return Bad("CreateSession", body, "INPUT_INVALID", field=field)


LAUNCH = {"order": {"kettering": {"launch": {}}}}
HIGH_UP = {"kettering": {"deploy": {"hex": "A-35", "facing": "HEX_DIRECTION_NORTHWEST"}}}
DUEL = {"circus": {"aircraft": [{"id": "a", "side": "CIRCUS_SIDE_FIRST", "altitude_feet": 500}]}}
CONTROL = {"facts": {"kettering": {"aircraft_type": "fokker-d7\x00\x1b[31m"}}}

MALFORMED = {
    "an empty request": Bad("ResolveFire", {}, "INPUT_INVALID"),
    "facts of no rule set": Bad("ResolveFire", {"facts": {}}, "INPUT_INVALID"),
    "facts that are missing": Bad("ResolveFire", {"facts": {"kettering": {}}}, "INPUT_INVALID"),
    "a fact that is missing": Bad(
        "ResolveFire", without("speed_mp"), "INPUT_INVALID", field="facts.kettering.speed_mp"
    ),
    "a text that is missing": Bad(
        "ResolveFire",
        without("aircraft_type"),
        "INPUT_INVALID",
        field="facts.kettering.aircraft_type",
    ),
    "a choice that is missing": Bad(
        "ResolveFire", without("aspect"), "INPUT_INVALID", field="facts.kettering.aspect"
    ),
    "an order that is not whole": Bad(
        "Move",
        {"order": HIGH_UP},
        "INPUT_INVALID",
        field="order.kettering.deploy.altitude_metres",
    ),
    "a sealed order that is not whole": Bad(
        "SealOrder",
        {"move": HIGH_UP},
        "INPUT_INVALID",
        field="move.kettering.deploy.altitude_metres",
    ),
    "a set-up that is not whole": Bad(
        "CreateSession", {"setup": DUEL}, "INPUT_INVALID", field="setup.circus.aircraft[0].hex"
    ),
    "an unknown member": Bad(
        "ResolveFire",
        shot(rnage_hexes=1),
        "INPUT_INVALID",
        None,
        field="facts.kettering.rnage_hexes",
    ),
    "an unknown field number": Bad("ResolveFire", b"{", "INPUT_INVALID", b"\x98\x06\x01"),
    "an unknown enum": Bad(
        "ResolveFire",
        shot(aspect="SIDEWAYS"),
        "INPUT_INVALID",
        None,
        field="facts.kettering.aspect",
    ),
    "an enum number": Bad(
        "ResolveFire", shot(aspect=99), "INPUT_INVALID", field="facts.kettering.aspect"
    ),
    "an enum that is not stated": Bad(
        "ResolveFire", shot(aspect="KETTERING_ASPECT_UNSPECIFIED"), "INPUT_INVALID"
    ),
    "an aircraft that never flew": Bad(
        "ResolveFire", shot(aircraft_type="spitfire"), "INPUT_INVALID"
    ),
    "an empty batch": Bad("BatchResolve", {"items": []}, "INPUT_INVALID"),
    "a batch that is too long": Bad(
        "BatchResolve", {"items": [{"fire": shot()}] * 257}, "INPUT_INVALID"
    ),
    "no play": Bad("BatchPlay", {"items": []}, "INPUT_INVALID", field="items"),
    "too much play": Bad(
        "BatchPlay",
        {"items": [{"get_session": {"name": "sessions/s"}}] * 257},
        "INPUT_INVALID",
        field="items",
    ),
    "odds of nothing": Bad("ComputeOdds", {}, "INPUT_INVALID"),
    "a session of no rule set": Bad("CreateSession", {"session_id": "s9"}, "INPUT_INVALID"),
    "a session id with a space": Bad(
        "CreateSession", {"session_id": "a b", "setup": {"kettering": {}}}, "INPUT_INVALID"
    ),
    "an order of no kind": Bad("Move", {}, "INPUT_INVALID"),
    "a request id that is no UUID": Bad("Move", {**LAUNCH, "request_id": "x"}, "INPUT_INVALID"),
    "faces that no die shows": Bad(
        "ResolveFire", {**shot(), "dice": {"supplied": {"faces": [7, 7]}}}, "ROLL_INVALID"
    ),
    "a face that no die shows": Bad(
        "ResolveFire", {**shot(), "dice": {"supplied": {"faces": [0, -(2**31)]}}}, "ROLL_INVALID"
    ),
    "a page token of somebody else": Bad(
        "ListActions", {"page_token": "AAAA"}, "INPUT_INVALID", field="page_token"
    ),
    "a film of nothing": Bad("ImportSession", {}, "FILM_INVALID"),
    "too many orders to draw": draw("sample_count", sample_count=101),
    "fewer orders than none": draw("sample_count", sample_count=-1),
    "a draw from nothing": draw("sample_seed", sample_seed=""),
    "a draw from too much": draw("sample_seed", sample_seed="x" * 65),
    "a seed and no draw": draw("sample_count", sample_count=0),
    "a draw in pages": draw("page_size", page_size=5),
    "a draw from a page on": draw("page_token", page_token="AAAA"),
    "an order that is drawn and begun": draw("so_far", so_far="F"),
    "an order begun in pages": Bad(
        "ListLegalOrders", {"so_far": "F", "page_size": 5}, "INPUT_INVALID", field="page_size"
    ),
    "an order begun where all are listed": Bad(
        "ListLegalOrders", {"so_far": ""}, "INPUT_INVALID", field="so_far"
    ),
    "an order begun that is too long": Bad(
        "ListLegalOrders", {"so_far": "F " * 200}, "INPUT_INVALID", field="so_far"
    ),
}
ILLEGAL = {
    "a shot from too far": Bad("ResolveFire", shot(range_hexes=9), "ACTION_ILLEGAL"),
    "dice that are still to be thrown": Bad(
        "ResolveFire", {**shot(), "dice": {"supplied": {"faces": [1]}}}, "ROLL_REQUIRED"
    ),
    "an order of another phase": Bad("Fire", {"order": {"kettering": {}}}, "PHASE_CLOSED"),
    "a session that is not there": Bad("GetSession", {}, "SESSION_NOT_FOUND", session="nope"),
    "an action that is not there": Bad("GetAction", {}, "ACTION_NOT_FOUND"),
    "a rule set that is not there": Bad("GetRuleset", {}, "RULESET_UNKNOWN", session="nope"),
    "a session id that is taken": Bad(
        "CreateSession",
        {"session_id": "s1", "setup": {"kettering": {"aircraft_type": "fokker-d7"}}},
        "SESSION_EXISTS",
    ),
    "rules of another version": Bad(
        "ResolveFire", {**shot(), "rules_version": 999}, "RULES_VERSION_CHANGED"
    ),
}
STALE = {
    "a stale etag": Bad("Move", {**LAUNCH, "etag": '"99"'}, "ETAG_MISMATCH"),
    "a stale If-Match": Bad(
        "Move", LAUNCH, "ETAG_MISMATCH", None, http=412, headers={"If-Match": '"99"'}
    ),
    "a token of nobody": Bad(
        "Move", LAUNCH, "SEAT_UNKNOWN", headers={"Authorization": "Bearer gcs_nobody"}
    ),
    "a seat of somebody": Bad("Move", LAUNCH, "SEAT_FORBIDDEN", session="s2"),
}
HOSTILE = {
    "no JSON": Bad("ResolveFire", b"{", "INPUT_INVALID", b"\xff\xff\xff"),
    "no UTF-8": Bad("ResolveFire", b'{"a":"\xff"}', "INPUT_INVALID", None),
    "a string that is no UTF-8": Bad("Move", b"{", "INPUT_INVALID", b"\x12\x01\xff"),
    "a list": Bad("ResolveFire", b"[]", "INPUT_INVALID", None),
    "null": Bad("ResolveFire", {"facts": None}, "INPUT_INVALID", None, field="facts"),
    "NaN": Bad("ResolveFire", b'{"rules_version":NaN}', "INPUT_INVALID", None),
    "Infinity": Bad("ResolveFire", b'{"rules_version":1e999}', "INPUT_INVALID", None),
    "a member given twice": Bad(
        "ResolveFire", b'{"facts":{},"facts":{}}', "INPUT_INVALID", None, field="facts"
    ),
    "a number in a string": Bad(
        "ResolveFire",
        shot(range_hexes="1"),
        "INPUT_INVALID",
        None,
        field="facts.kettering.range_hexes",
    ),
    "a whole number with a point": Bad(
        "ResolveFire", b'{"rules_version":1.0}', "INPUT_INVALID", None, field="rules_version"
    ),
    "a number beyond int32": Bad(
        "ResolveFire",
        shot(range_hexes=2**31),
        "INPUT_INVALID",
        None,
        field="facts.kettering.range_hexes",
    ),
    "the largest number": Bad("ResolveFire", shot(range_hexes=2**31 - 1), "INPUT_INVALID"),
    "the smallest number": Bad("ResolveFire", shot(range_hexes=-(2**31)), "INPUT_INVALID"),
    "a number of 5,000 digits": Bad(
        "ResolveFire", b'{"rules_version":' + b"9" * 5000 + b"}", "INPUT_INVALID", None
    ),
    "a bomb of lists": Bad("ResolveFire", b"[" * 500_000, "INPUT_INVALID", None),
    "a bomb of objects": Bad("ResolveFire", b'{"facts":' * 100_000, "INPUT_INVALID", None),
    "a bomb of messages": Bad("ResolveFire", b"{", "INPUT_INVALID", b"\x0a\x80\x80\x40" * 10_000),
    "control characters": Bad(
        "ResolveFire", CONTROL, "INPUT_INVALID", field="facts.kettering.aircraft_type"
    ),
    "a name that turns the line around": fleet_of("Hornet\u202e"),
    "a name with nothing in it to be seen": fleet_of("Hornet\u200b"),
    "a name with a hyphen that is not seen": fleet_of("Hornet\u00ad"),
    "a name with a filler that is a letter": fleet_of("Hornet\u3164"),
    "a name of a braille cell without a dot": fleet_of("\u2800"),
    "a name with a form that its letters have not": fleet_of("Hornet\ufe0f"),
    "a name with a joiner of nothing": fleet_of("Hor\u200dnet"),
    "half a character": Bad(
        "ResolveFire",
        b'{"facts":{"kettering":{"aircraft_type":"\\ud800"}}}',
        "INPUT_INVALID",
        None,
        field="facts.kettering.aircraft_type",
    ),
    "a long string": Bad("ResolveFire", shot(aircraft_type="x" * 500_000), "INPUT_INVALID"),
    "a long path": Bad(
        "ResolveMove",
        {"facts": {"kettering": {"flight": {"plot": {"path": "F " * 200_000}}}}},
        "INPUT_INVALID",
    ),
    "10,000 violations": Bad(
        "ResolveFire",
        {"dice": {"supplied": {"faces": ["x"] * 10_000}}},
        "INPUT_INVALID",
        None,
        field="dice.supplied.faces[0]",
    ),
    "10,000 unknown members": Bad(
        "ResolveFire",
        {f"m{n}": n for n in range(10_000)},
        "INPUT_INVALID",
        b"\x98\x06\x01" * 10_000,
    ),
    "10,000 faces": Bad(
        "ResolveFire", {**shot(), "dice": {"supplied": {"faces": [1] * 10_000}}}, "INPUT_INVALID"
    ),
    "10,000 criticals": Bad(
        "ResolveFire",
        shot(condition={"criticals": ["KETTERING_CRITICAL_CONTROLS_JAMMED"] * 10_000}),
        "INPUT_INVALID",
    ),
    "too much": Bad("ResolveFire", b" " * (1024 * 1024 + 1), "BODY_TOO_LARGE", None),
    "a form": Bad(
        "ResolveFire",
        b"a=b",
        "MEDIA_TYPE_UNSUPPORTED",
        None,
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    ),
    "no content type": Bad(
        "ResolveFire", b"{}", "MEDIA_TYPE_UNSUPPORTED", None, headers={"Content-Type": ""}
    ),
    "a name that climbs": Bad("GetSession", {}, "INPUT_INVALID", session=".."),
    "a name in Lua": Bad("GetSession", {}, "INPUT_INVALID", session="{s1}"),
    "a name with a null": Bad("GetSession", {}, "INPUT_INVALID", session="s1\x00"),
    "a name that is too long": Bad("GetSession", {}, "INPUT_INVALID", session="s" * 5000),
    "a revision that is no number": Bad("WatchSession", {"start_revision": 0}, "INPUT_INVALID"),
}
ROWS = {**MALFORMED, **ILLEGAL, **STALE, **HOSTILE}
NAMES = {"session": "", "ruleset": "", "action": "77", "table": "nope"}


@pytest.fixture(scope="module")
def table() -> Iterator[RealTable]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with real_table() as made:
        for name in ("s1", "s2"):
            setup = {"kettering": {"aircraft_type": "fokker-d7"}}
            body = {"session_id": name, "setup": setup, "dice_seed": "x"}
            assert made.rest.post("/v1/sessions", json=body).status_code == 201
        claimed = made.rest.post("/v1/sessions/s2:claim", json={"seat": "pilot"})
        assert claimed.status_code == 200
        yield made
    structlog.reset_defaults()


def segments(bad: Bad) -> dict[str, str]:
    return {name: value or bad.session for name, value in NAMES.items()}


def sent_over_rest(table: RealTable, bad: Bad) -> Any:
    """Send a row over REST; a call without a body takes its fields as a query string."""
    route = RPCS[bad.call].routes[0]
    path = route.path.format(**segments(bad))
    if not route.has_body:
        return table.rest.open(path, method=route.method, query_string=bad.body)
    body = bad.body if isinstance(bad.body, bytes) else json.dumps(bad.body).encode()
    headers = {"Content-Type": "application/json", **bad.headers}
    return table.rest.open(path, method=route.method, data=body, headers=headers)


@pytest.mark.parametrize("bad", ROWS.values(), ids=ROWS.keys())
def test_bad_input_over_rest(table: RealTable, bad: Bad) -> None:
    started = time.monotonic()
    response = sent_over_rest(table, bad)
    assert time.monotonic() - started < PLENTY_SECONDS
    assert response.mimetype == "application/problem+json", response.text
    problem = json.loads(response.data)
    assert bad.reason == problem["reason"], problem
    assert (bad.http or TABLE[bad.reason].http) == response.status_code
    assert "Traceback" not in response.text
    assert len(response.data) < 20_000
    assert len(problem.get("violations", ())) <= 20
    if bad.field:
        assert bad.field in [item["field"] for item in problem["violations"]]


@pytest.mark.parametrize(
    "bad",
    [bad for bad in ROWS.values() if bad.message is not None],
    ids=[name for name, bad in ROWS.items() if bad.message is not None],
)
def test_bad_input_over_grpc(table: RealTable, bad: Bad) -> None:
    rpc = RPCS[bad.call]
    data = bad.message if isinstance(bad.message, bytes) else message_of(bad)
    call: Any = table.channel.unary_stream if rpc.streams else table.channel.unary_unary
    metadata = [
        ("authorization", value) for name, value in bad.headers.items() if name == "Authorization"
    ]
    started = time.monotonic()
    with pytest.raises(grpc.RpcError) as caught:
        list(call(f"/{rpc.service}/{rpc.name}")(data, metadata=metadata, timeout=10))
    assert time.monotonic() - started < PLENTY_SECONDS
    status = rpc_status.from_call(caught.value)
    assert status is not None, caught.value
    info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    status.details[0].Unpack(info)
    assert bad.reason == info.reason, status
    assert TABLE[bad.reason].code is caught.value.code()
    assert "Traceback" not in str(status)
    if bad.field:
        assert any(detail.Unpack(bad_request) for detail in status.details)
        assert bad.field in [item.field for item in bad_request.field_violations]


def message_of(bad: Bad) -> bytes:
    """The row's JSON as a message, read by protobuf's own reader, with the names of the path."""
    rpc = RPCS[bad.call]
    message: Any = json_format.ParseDict(
        bad.body if isinstance(bad.body, dict) else {}, rpc.request()
    )
    for name, pattern in rpc.routes[0].fields:
        setattr(message, name, pattern.format(**segments(bad)))
    return bytes(message.SerializeToString())


def test_no_bad_input_wrote_anything(table: RealTable) -> None:
    for bad in ROWS.values():
        sent_over_rest(table, bad)
    assert json.loads(table.rest.get("/v1/sessions/s1").data)["revision"] == 0
    assert len(json.loads(table.rest.get("/v1/sessions").data)["sessions"]) == 2
