"""The blocking client over gRPC: what goes over the wire, and the shape of the package."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import guncamera_client
import pytest
from clients.fake_service import (
    FakeService,
    Hang,
    end,
    fields_of,
)
from clients.scene import KETTERING, NAME
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from guncamera.v1.actions_pb2 import FireFacts, FireOrder, MoveOrder
from guncamera.v1.dice_pb2 import DicePolicy, ServerDice, SuppliedDice
from guncamera.v1.resolution_service_pb2 import (
    BatchItem,
    ComputeOddsRequest,
    ResolveFireRequest,
)
from guncamera.v1.ruleset_kettering_pb2 import (
    KetteringFireFacts,
    KetteringFireOrder,
    KetteringInspect,
    KetteringMoveOrder,
    KetteringPlot,
    KetteringSettings,
    KetteringSetup,
    KetteringWindOrder,
)
from guncamera.v1.ruleset_service_pb2 import ListRulesetsResponse, Ruleset
from guncamera.v1.session_service_pb2 import (
    Action,
    LegalOrder,
    ListActionsResponse,
    ListLegalOrdersResponse,
    ListSessionsResponse,
    Session,
)
from guncamera_client import Client, errors
from guncamera_client._methods import METHODS
from guncamera_client._names import ruleset_name, session_name
from guncamera_client._wrap import wrap

CLIENTS = Path(__file__).parents[2] / "clients" / "guncamera_client"

# What goes over the wire


def test_the_rule_sets_own_message_and_its_wrapper_send_the_same(
    fake: FakeService, client: Client
) -> None:
    inner = KetteringFireFacts(range_hexes=2)
    client.resolve_fire(inner)
    client.resolve_fire(FireFacts(kettering=inner))
    sent = [call.request.facts for call in fake.calls_of("ResolveFire")]
    assert sent == [FireFacts(kettering=inner)] * 2


def test_a_message_two_choices_deep_finds_its_place(fake: FakeService, client: Client) -> None:
    plot = KetteringPlot(speed_mp=3)
    client.move(KETTERING, plot)
    sent = fake.calls_of("Move")[0].request.order
    wanted = MoveOrder(kettering=KetteringMoveOrder(plot=plot))
    assert sent == wanted
    assert sent.kettering.WhichOneof("procedure") == "plot"


def test_setup_settings_and_odds_are_wrapped_too(fake: FakeService, client: Client) -> None:
    client.create_session(KetteringSetup(), settings=KetteringSettings())
    client.compute_odds(KetteringFireFacts(), max_outcomes=7)
    created = fake.calls_of("CreateSession")[0].request
    assert created.setup.WhichOneof("ruleset") == "kettering"
    assert created.settings.WhichOneof("ruleset") == "kettering"
    asked = fake.calls_of("ComputeOdds")[0].request
    assert asked == ComputeOddsRequest(
        fire=FireFacts(kettering=KetteringFireFacts()), max_outcomes=7
    )


def test_a_batch_takes_questions_requests_and_bare_facts(fake: FakeService, client: Client) -> None:
    question = ResolveFireRequest(facts=FireFacts(kettering=KetteringFireFacts(range_hexes=1)))
    client.batch_resolve([BatchItem(fire=question), question, question.facts.kettering])
    assert list(fake.calls_of("BatchResolve")[0].request.items) == [BatchItem(fire=question)] * 3


def test_a_message_that_has_no_place_is_refused_before_anything_is_sent(
    fake: FakeService, client: Client
) -> None:
    with pytest.raises(TypeError, match=r"KetteringSetup has no place.*KetteringFireFacts"):
        client.resolve_fire(KetteringSetup())
    with pytest.raises(TypeError, match="is no message"):
        client.resolve_fire({"kettering": {}})  # type: ignore[arg-type]
    assert fake.calls == []


def test_a_message_with_two_places_is_refused_by_naming_them() -> None:
    file = descriptor_pb2.FileDescriptorProto(name="ambiguous.proto", syntax="proto3")
    file.message_type.add(name="Leaf")
    whole = file.message_type.add(name="Whole")
    whole.oneof_decl.add(name="choice")
    for number, name in ((1, "left"), (2, "right")):
        whole.field.add(
            name=name, number=number, type=11, label=1, type_name=".Leaf", oneof_index=0
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    leaf, kind = (
        message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
        for name in ("Leaf", "Whole")
    )
    with pytest.raises(TypeError, match="Leaf could be left or right of Whole"):
        wrap(leaf(), kind)
    assert wrap(kind(left=leaf()), kind).HasField("left")


def test_an_optional_field_is_no_choice() -> None:
    # Else what merely stands in a message would be found in it, and mean the whole.
    file = descriptor_pb2.FileDescriptorProto(name="optional.proto", syntax="proto3")
    file.message_type.add(name="Leaf")
    whole = file.message_type.add(name="Whole")
    whole.oneof_decl.add(name="_leaf")
    whole.field.add(
        name="leaf",
        number=1,
        type=11,
        label=1,
        type_name=".Leaf",
        oneof_index=0,
        proto3_optional=True,
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    leaf, kind = (
        message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
        for name in ("Leaf", "Whole")
    )
    with pytest.raises(TypeError, match="Leaf has no place"):
        wrap(leaf(), kind)


def test_an_order_with_nothing_in_it_is_an_order(fake: FakeService, client: Client) -> None:
    client.fire(NAME, KetteringFireOrder())
    assert fake.calls_of("Fire")[0].request.order.HasField("kettering")


def test_an_order_that_is_left_out_is_the_rule_sets_empty_one(
    fake: FakeService, client: Client
) -> None:
    fake.answers("GetSession", KETTERING)
    client.fire(KETTERING)
    assert fake.calls_of("GetSession") == []
    client.fire("night")
    assert [call.request.name for call in fake.calls_of("GetSession")] == [NAME]
    orders = [call.request.order for call in fake.calls_of("Fire")]
    assert orders == [FireOrder(kettering=KetteringFireOrder())] * 2
    assert all(order.HasField("kettering") for order in orders)


def test_the_empty_order_of_an_unknown_rule_set_is_refused(client: Client) -> None:
    with pytest.raises(ValueError, match="knows no FireOrder of 'rulesets/chess'"):
        client.fire(Session(name=NAME, ruleset="rulesets/chess"))


@pytest.mark.parametrize(
    ("dice", "sent"),
    [
        (None, None),
        ([4, 6], DicePolicy(supplied=SuppliedDice(faces=[4, 6]))),
        ((), DicePolicy(supplied=SuppliedDice())),
        (guncamera_client.supplied(1), DicePolicy(supplied=SuppliedDice(faces=[1]))),
        (guncamera_client.server(), DicePolicy(server=ServerDice())),
    ],
)
def test_dice_are_the_services_supplied_or_a_policy(
    fake: FakeService, client: Client, dice: Any, sent: DicePolicy | None
) -> None:
    client.fire(KETTERING, dice=dice)
    request = fake.calls_of("Fire")[0].request
    assert request.HasField("dice") == (sent is not None)
    assert request.dice == (sent or DicePolicy())


def test_a_text_is_no_list_of_faces(client: Client) -> None:
    with pytest.raises(TypeError, match="list of faces"):
        client.fire(KETTERING, dice="46")  # type: ignore[arg-type]


@pytest.mark.parametrize("session", ["night", NAME, KETTERING])
def test_a_session_is_named_by_its_id_its_name_or_itself(session: str | Session) -> None:
    assert session_name(session) == NAME


@pytest.mark.parametrize("wrong", ["", "sessions/", "sessions/night/actions/1", "rulesets/x"])
def test_what_is_no_name_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        session_name(wrong)


def test_names_below_a_session_or_a_rule_set_are_put_together(
    fake: FakeService, client: Client
) -> None:
    client.get_action("night", 17)
    client.get_table("kettering", "air-to-air")
    client.get_table("kettering", "rulesets/kettering/tables/air-to-air")
    client.get_ruleset(Ruleset(name="rulesets/kettering"))
    assert fake.calls[0].request.name == "sessions/night/actions/00000017"
    tables = [call.request.name for call in fake.calls_of("GetTable")]
    assert tables == ["rulesets/kettering/tables/air-to-air"] * 2
    assert ruleset_name("kettering") == fake.calls_of("GetRuleset")[0].request.name


def test_every_argument_of_a_verb_is_sent(fake: FakeService, client: Client) -> None:
    client.damage(
        NAME, KetteringInspect(), seat="pilot", etag='"3"', request_id="r", validate_only=True
    )
    sent = fake.calls_of("Damage")[0].request
    assert (sent.name, sent.seat, sent.etag) == (NAME, "pilot", '"3"')
    assert (sent.request_id, sent.validate_only) == ("r", True)


def test_rules_version_zero_is_not_the_same_as_none(fake: FakeService, client: Client) -> None:
    client.resolve_fire(KetteringFireFacts())
    client.resolve_fire(KetteringFireFacts(), rules_version=0)
    sent = [call.request.HasField("rules_version") for call in fake.calls]
    assert sent == [False, True]


def test_a_legal_order_goes_to_its_verb(fake: FakeService, client: Client) -> None:
    order = LegalOrder()
    order.wind.kettering.SetInParent()
    client.give_order(NAME, order, seat="torpedo", etag='"3"')
    sent = fake.calls_of("Wind")[0].request
    assert sent.order.kettering == KetteringWindOrder()
    assert (sent.seat, sent.etag) == ("torpedo", '"3"')
    with pytest.raises(ValueError, match="no order"):
        client.give_order(NAME, LegalOrder())


def test_the_picture_is_text(fake: FakeService, client: Client) -> None:
    from google.api.httpbody_pb2 import HttpBody

    fake.answers("DrawBoard", HttpBody(content_type="image/svg+xml", data="<svg>é</svg>".encode()))
    assert client.draw_board(NAME) == "<svg>é</svg>"


def test_the_token_is_sent_and_another_seat_shares_the_connection(
    fake: FakeService, client: Client
) -> None:
    pilot = client.with_token("secret")
    client.get_session(NAME)
    pilot.get_session(NAME)
    pilot.close()
    client.get_session(NAME)
    tokens = [call.metadata.get("authorization") for call in fake.calls]
    assert tokens == [None, "Bearer secret", None]
    assert len({call.peer for call in fake.calls}) == 1


def test_several_channels_are_several_connections(fake: FakeService) -> None:
    with Client(fake.target, channels=3) as client:
        for _ in range(6):
            client.get_session(NAME)
    assert len({call.peer for call in fake.calls}) == 3


@pytest.mark.parametrize(
    "wrong", [{"timeout_seconds": 0}, {"heartbeat_seconds": -1}, {"channels": 0}]
)
def test_settings_that_would_hang_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Client(**wrong)


# Pages


def test_lists_follow_their_pages_and_fetch_only_what_is_used(
    fake: FakeService, client: Client
) -> None:
    fake.answers(
        "ListSessions",
        ListSessionsResponse(sessions=[Session(name="a")], next_page_token="2"),
        ListSessionsResponse(next_page_token="3"),
        ListSessionsResponse(sessions=[Session(name="b"), Session(name="c")]),
    )
    found = client.list_sessions(page_size=1)
    assert next(found).name == "a"
    assert len(fake.calls) == 1
    assert [session.name for session in found] == ["b", "c"]
    assert [call.request.page_token for call in fake.calls] == ["", "2", "3"]
    assert {call.request.page_size for call in fake.calls} == {1}


def test_every_list_gives_its_items(fake: FakeService, client: Client) -> None:
    fake.answers("ListActions", ListActionsResponse(actions=[Action(revision=1)]))
    fake.answers("ListLegalOrders", ListLegalOrdersResponse(orders=[LegalOrder(summary="go")]))
    fake.answers("ListRulesets", ListRulesetsResponse(rulesets=[Ruleset(title="t")]))
    assert [found.revision for found in client.list_actions(NAME, after_revision=0)] == [1]
    assert [found.summary for found in client.list_legal_orders(NAME)] == ["go"]
    assert [found.title for found in client.list_rulesets()] == ["t"]
    assert list(client.list_tables("kettering")) == list(client.list_aircraft("kettering")) == []


# Deadlines


def test_every_call_has_a_deadline_and_a_watch_has_none(fake: FakeService, client: Client) -> None:
    fake.streams([end("finished")])
    list(client.watch_session(NAME, start_revision=1))
    client.fire(KETTERING)
    client.resolve_fire(KetteringFireFacts())
    list(client.list_rulesets())
    left = {call.method: call.seconds_left for call in fake.calls}
    assert left.pop("WatchSession") is None
    assert all(seconds is not None and 0 < seconds < 5.5 for seconds in left.values())


def test_a_waiting_poll_gets_its_waiting_time_on_top(fake: FakeService, client: Client) -> None:
    list(client.list_actions(NAME, wait_seconds=25))
    (call,) = fake.calls
    assert call.request.wait_seconds == 25
    assert call.seconds_left is not None
    assert 25 < call.seconds_left < 30.5


def test_a_service_that_says_nothing_is_given_up(fake: FakeService) -> None:
    fake.answers("Fire", Hang())
    slow = pytest.raises(errors.DeadlineExceeded, match="did not answer in time")
    with Client(fake.target, timeout_seconds=0.1) as client, slow:
        client.fire(KETTERING)
    assert len(fake.calls) == 1


# The shape of the package


def _snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


def test_every_call_of_the_service_has_a_method_with_every_field_as_an_argument() -> None:
    said_otherwise = {"name", "parent", "page_token", "items"}
    for name in METHODS:
        method = getattr(Client, _snake(name))
        arguments = set(inspect.signature(method).parameters)
        fields = fields_of(name) - said_otherwise
        if name == "ListActions":
            fields -= {"cursor"}  # that is `poll_session`
        if name == "ListLegalOrders":  # those are `begin_order` and `draw_legal_orders`
            fields -= {"so_far", "sample_count", "sample_seed"}
        for call, argument in (("ComputeOdds", "facts"), ("SealOrder", "order")):
            if name == call:
                fields = fields - {"move", "wind", "spot", "fire", "damage"} | {argument}
        assert fields <= arguments, name


def test_every_public_method_is_described_with_its_arguments_and_an_example() -> None:
    for name, method in inspect.getmembers(Client, inspect.isfunction):
        if name.startswith("_") or name == "close":
            continue
        text = inspect.getdoc(method) or ""
        assert "Example:" in text, name
        for argument in list(inspect.signature(method).parameters)[1:]:
            assert f"\n    {argument}: " in text, (name, argument)


def test_the_client_needs_nothing_of_the_service_but_its_messages() -> None:
    for path in CLIENTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                is_service = name == "guncamera" or name.startswith("guncamera.")
                assert not is_service or name.startswith("guncamera.v1"), (path, name)


def test_no_rule_set_is_named_in_code() -> None:
    for path in CLIENTS.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not {name for name in names if "kettering" in name.lower()}, path
