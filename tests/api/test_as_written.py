"""Every field that a refusal names is a path into the request as the caller wrote it."""

import re
from dataclasses import is_dataclass, replace

import pytest
from games import example_setup, steps_of
from guncamera.api.as_written import as_written
from guncamera.api.caller import Caller
from guncamera.api.resolution_calls import ResolutionCalls
from guncamera.api.rulings import fill_outcome
from guncamera.api.wire import read
from guncamera.conformance.targets import can_be_sent, read_case
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Illegal, Malformed, Refusal, RollRequired, Violation
from guncamera.rules.ruleset import rulesets
from guncamera.rules.shape import shape_of, snake
from guncamera.rulesets.circus import orders
from guncamera.rulesets.circus.facts import Flight, MoveFacts, Plot, Plotting
from guncamera.v1 import actions_pb2, session_service_pb2
from guncamera.v1 import resolution_service_pb2 as pb
from guncamera.v1.ruleset_circus_pb2 import CIRCUS_TURN_ORDER_ALTERNATE
from orders import DEPLOY, SETUP, supplied
from shipped import shipped_cases

REFUSED = [case for case in shipped_cases() if case.refused is not None and can_be_sent(case)]
CALLS, CALLER = ResolutionCalls(), Caller(token=None, request_id="test")


def question(case):
    """A case as the request of its stateless call."""
    found, _, value = read_case(case)
    request = getattr(pb, f"Resolve{case.verb.value.title()}Request")()
    fill_outcome(request.facts, found.slug, value)
    getattr(request.settings, found.slug).SetInParent()
    for name, chosen in case.settings.items():
        setattr(getattr(request.settings, found.slug), name, chosen)
    request.dice.supplied.faces.extend(case.faces)
    return request


def is_in(descriptor, path):
    """Whether a path leads to a field, by the descriptors alone."""
    for part in path.split("."):
        read = re.fullmatch(r"(\w+?)(\[\d+\])?", part)
        field = descriptor.fields_by_name.get(read[1]) if read and descriptor else None
        if field is None or (read[2] and not field.is_repeated):
            return False
        descriptor = field.message_type
    return True


def refusal_of(call):
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value


def fields_of(refusal):
    found = [refusal.field] if refusal.field else []
    return found + [one.field for one in getattr(refusal, "violations", ()) if one.field]


def check_told(refusal, bare, request, start):
    """It names as much as the core's did, and each field of it is the request's."""
    assert type(refusal) is type(bare)
    told, meant = fields_of(refusal), fields_of(bare)
    assert len(told) == len(meant), (told, meant)
    for path, field in zip(told, meant, strict=True):
        assert is_in(request.DESCRIPTOR, path), path
        assert path.startswith(start), path
        assert path.endswith(field.rpartition(".")[2]), (path, field)
    for text in (refusal.message, *(one.description for one in getattr(refusal, "violations", ()))):
        begun = re.match(r"([a-z0-9_.\[\]]+): ", text)
        assert begun is None or begun[1] in told, text


def bare_refusal(case):
    """As the rules themselves refuse it."""
    found, procedure, facts = read_case(case)

    def rule():
        dice = DealtDice(case.faces)
        procedure.rule(facts, found.book.with_settings(case.settings), dice)
        dice.close()

    return refusal_of(rule)


def test_every_rule_set_refuses_something_in_its_cases():
    assert {case.ruleset for case in REFUSED} == set(rulesets())
    assert len(REFUSED) > 200


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_what_the_cases_provoke_names_fields_of_the_request(case):
    bare, request = bare_refusal(case), question(case)
    dice = bare.field.startswith("dice.")
    alone = refusal_of(lambda: getattr(CALLS, f"Resolve{case.verb.value.title()}")(request, CALLER))
    check_told(alone, bare, request, "" if dice or "settings" in bare.field else "facts.")

    batch = pb.BatchResolveRequest(items=[pb.BatchItem(), pb.BatchItem()])
    getattr(batch.items[1], case.verb.value).CopyFrom(request)
    problem = CALLS.BatchResolve(batch, CALLER).results[1].problem
    assert problem.reason == alone.reason
    for one in problem.violations:
        if one.field:
            assert is_in(batch.DESCRIPTOR, one.field), one.field
            assert one.field.startswith(f"items[1].{case.verb.value}."), one.field
    if dice:
        return
    odds = pb.ComputeOddsRequest(settings=request.settings)
    getattr(odds, case.verb.value).CopyFrom(request.facts)
    told = refusal_of(lambda: CALLS.ComputeOdds(odds, CALLER))
    if told.reason == bare.reason:
        check_told(told, bare, odds, "")


# ---- Orders: the facts are the survey's, and only the order is the caller's


def places(value, path=""):
    """Every field of a dataclass and what is below it, by its path on the wire."""
    for shape in shape_of(type(value)):
        found = getattr(value, shape.name)
        if found is None:
            continue
        here = f"{path}.{shape.name}" if path else shape.name
        if shape.kind == "union":
            here = f"{path}.{snake(type(found).__name__)}" if path else snake(type(found).__name__)
        yield here, found
        for at, item in enumerate(found if shape.repeated else ()):
            yield f"{here}[{at}]", item
            if is_dataclass(item):
                yield from places(item, f"{here}[{at}]")
        if is_dataclass(found):
            yield from places(found, here)


def asked(slug, order):
    request = getattr(session_service_pb2, f"{order.verb.value.title()}Request")(name="sessions/a")
    fill_outcome(request.order, slug, order.order)
    return request


def same(fact, ordered):
    """What the order says, or the thing that it names."""
    return ordered == fact or ordered == getattr(fact, "id", None)


def flown(found, pilot, most):
    """Each order of a game, with the board it was given on."""
    before = None
    for order, board in steps_of(found, pilot, "fields", most=most, setup=example_setup(found)):
        if order is not None:
            yield order, before
        before = board


@pytest.mark.parametrize("slug", rulesets())
def test_a_fact_is_told_as_an_orders_field_only_where_it_was_copied(slug):
    found, told = rulesets()[slug], set()
    for order, board in (one for pilot in found.pilots for one in flown(found, pilot, 200)):
        seat = found.active_seats(board)[0]
        facts = found.survey(board, seat, order.verb, order.order, found.book)
        request, given = asked(slug, order), dict(places(order.order))
        for path, value in places(facts):
            bare = Illegal("X-1.1", "No.", field=path, **{path.rpartition(".")[2]: value})
            field = as_written(bare, request).field
            if field:
                assert is_in(request.DESCRIPTOR, field)
                assert same(value, given[field.removeprefix(f"order.{slug}.")]), (path, field)
                told.add((path, field))
    assert told


def bent(order):
    """The order with one value changed, each in turn, to ones that may be against the rules."""
    for shape in shape_of(type(order)):
        found = getattr(order, shape.name)
        if shape.kind == "union":
            yield from (replace(order, **{shape.name: one}) for one in bent(found))
        elif shape.kind == "int" and not shape.repeated and found is not None:
            for value in (shape.limit.low, shape.limit.high, found + 1, found - 1):
                if shape.limit.low <= value <= shape.limit.high:
                    yield replace(order, **{shape.name: value})
        elif shape.kind == "str" and not shape.repeated:
            yield replace(order, **{shape.name: "nobody"})
        elif shape.repeated and found:
            yield replace(order, **{shape.name: (*found, found[-1])})
            yield replace(order, **{shape.name: found[1:]})
            if is_dataclass(found[0]):
                for one in bent(found[0]):
                    yield replace(order, **{shape.name: (one, *found[1:])})


def refused_orders(found):
    for order, board in flown(found, "random", 80):
        seat = found.active_seats(board)[0]
        for other in bent(order.order):
            facts = None
            try:
                facts = found.survey(board, seat, order.verb, other, found.book)
                found.procedure(order.verb).rule(facts, found.book, DealtDice(()))
            except RollRequired:
                pass
            except Refusal as refusal:
                refusal.surveyed = None if facts is None else (other, facts)
                yield asked(found.slug, replace(order, order=other)), refusal


@pytest.mark.parametrize("slug", rulesets())
def test_refused_orders_name_fields_of_the_order_or_none(slug):
    named = 0
    for request, bare in refused_orders(rulesets()[slug]):
        refusal = as_written(bare, request)
        for field in fields_of(refusal):
            assert is_in(request.DESCRIPTOR, field), (bare.field, field)
            assert field.startswith(f"order.{slug}"), (bare.field, field)
            named += 1
        assert refusal.facts == bare.facts
        begun = re.match(r"([a-z0-9_.\[\]]+): ", refusal.message)
        assert begun is None or begun[1] in fields_of(refusal), refusal.message
    assert named


def test_no_fact_is_named_like_a_field_of_a_request():
    """So that a path that leads somewhere in a request as it is, is meant so."""
    for found in rulesets().values():
        for verb, procedure in found.procedures.items():
            for message in (
                getattr(pb, f"Resolve{verb.value.title()}Request"),
                pb.ComputeOddsRequest,
                getattr(session_service_pb2, f"{verb.value.title()}Request"),
                session_service_pb2.SealOrderRequest,
            ):
                for kind in (procedure.facts, procedure.order):
                    for shape in shape_of(kind):
                        names = shape.members or {shape.name}
                        assert not set(names) & set(message.DESCRIPTOR.fields_by_name), kind


MOVE = session_service_pb2.MoveRequest(
    name="sessions/a", order=DEPLOY, dice=supplied(1, 2), seat="pilot"
)


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("deployment.aircraft.speed_mp", "order.kettering.deploy.speed_mp"),
        ("deploy.speed_mp", "order.kettering.deploy.speed_mp"),
        ("deployment.aircraft.type", ""),
        ("flight.plot.path", ""),
        ("deployment.aircraft.altitude_metres", ""),  # the refusal does not mention its value
        ("seat", "seat"),
        ("order", "order"),
        ("dice.supplied.faces[1]", "dice.supplied.faces[1]"),
        ("", ""),
    ],
)
def test_a_field_of_facts_is_told_as_the_orders_or_not_at_all(field, path):
    bare = Illegal("KET-1.2", f"{field}: too fast.", field=field, speed_mp=8)
    told = as_written(bare, MOVE)
    assert (told.field, told.facts, told.rule_id) == (path, {"speed_mp": 8}, "KET-1.2")
    if field:
        assert told.message == (f"{path}: too fast." if path else "Too fast.")
        in_batch = as_written(told, MOVE, "items[3].move").field
        assert in_batch == (f"items[3].move.{path}" if path else "")
    assert bare.field == field, "one refusal may be told of several requests"


def test_violations_are_placed_one_by_one_and_counted_as_before():
    many = [Violation(f"deploy.{name}", "no") for name in ("hex", "speed_mp")] * 20
    told = as_written(Malformed("deploy.hex: no.", violations=many), MOVE)
    assert [one.field for one in told.violations[:2]] == [
        "order.kettering.deploy.hex", "order.kettering.deploy.speed_mp",
    ]  # fmt: skip
    assert (len(told.violations), told.violation_count) == (20, 40)
    assert told.message == str(told) == "order.kettering.deploy.hex: no."


def test_limits_name_a_member_of_a_choice_without_the_choice():
    order = actions_pb2.MoveOrder()
    order.CopyFrom(DEPLOY)
    order.kettering.deploy.altitude_metres = 2**31 - 1
    kind = rulesets()["kettering"].procedures["move"].order
    with pytest.raises(Malformed) as caught:
        read(order.kettering, kind, "order.kettering")
    assert [one.field for one in caught.value.violations] == [
        "order.kettering.deploy.altitude_metres"
    ]
    assert caught.value.message.startswith("order.kettering.deploy.altitude_metres: ")


@pytest.mark.parametrize("at", [0, 1])
def test_a_record_of_the_order_is_told_where_the_order_has_it(at):
    """The survey puts the plots of a side into an order of its own."""
    plots = tuple(Plot(name, 5, "F") for name in ("one", "two"))
    order = orders.MoveOrder(orders.Plots(plots))
    facts = MoveFacts(Plotting(tuple(Flight(None, plot) for plot in reversed(plots))))
    bare = Illegal("CIR-2.1", "No.", field=f"plotting.flights[{at}].plot.codes")
    request = session_service_pb2.MoveRequest()
    fill_outcome(request.order, "circus", order)
    assert as_written(bare, request).field == ""
    bare.surveyed = order, facts
    assert as_written(bare, request).field == f"order.circus.plots.plots[{1 - at}].codes"
    bare.field = "plotting.flights[7].plot.codes"
    assert as_written(bare, request).field == ""


# ---- Every call that takes an order or a set-up


def too_slow():
    order = actions_pb2.MoveOrder()
    order.CopyFrom(DEPLOY)
    order.kettering.deploy.speed_mp = 1
    return order


def test_a_verb_and_its_preview_and_a_batch_name_the_orders_field(endpoints):
    session = endpoints.CreateSession(session_service_pb2.CreateSessionRequest(setup=SETUP), CALLER)
    for preview in (False, True):
        request = session_service_pb2.MoveRequest(
            name=session.name, order=too_slow(), validate_only=preview
        )
        told = refusal_of(lambda: endpoints.Move(request, CALLER))  # noqa: B023
        assert told.field == "order.kettering.deploy.speed_mp"
    item = session_service_pb2.BatchPlayItem(move={"name": session.name, "order": too_slow()})
    batch = session_service_pb2.BatchPlayRequest(items=[item, item])
    problems = [one.problem for one in endpoints.BatchPlay(batch, CALLER).results]
    fields = [[one.field for one in problem.violations] for problem in problems]
    assert fields == [[f"items[{at}].move.order.kettering.deploy.speed_mp"] for at in (0, 1)]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"setup": {"kettering": {"aircraft_type": "kite"}}}, "setup.kettering.aircraft_type"),
        ({"settings": {"kettering": {"repair_price": "free"}}}, "settings.kettering.repair_price"),
    ],
)
def test_a_set_up_and_its_settings_are_named_with_their_rule_set(endpoints, change, path):
    request = session_service_pb2.CreateSessionRequest(
        setup=change.get("setup", SETUP), settings=change.get("settings")
    )
    refusal = refusal_of(lambda: endpoints.CreateSession(request, CALLER))
    assert set(fields_of(refusal)) == {path}


def test_a_sealed_order_is_named_by_its_verb(endpoints):
    setup = actions_pb2.SessionSetup()
    setup.circus.SetInParent()
    session = endpoints.CreateSession(session_service_pb2.CreateSessionRequest(setup=setup), CALLER)
    look = session_service_pb2.SpotRequest(name=session.name, seat=session.active_seats[0])
    look.order.circus.search.SetInParent()
    endpoints.Spot(look, CALLER)
    request = session_service_pb2.SealOrderRequest(name=session.name, seat=session.seats[0].id)
    request.move.circus.plots.plots.add(aircraft="nobody", codes="F", speed_mp=5)
    for preview in (False, True):
        request.validate_only = preview
        refusal = refusal_of(lambda: endpoints.SealOrder(request, CALLER))
        assert refusal.field == "move.circus.plots.plots[0].aircraft"
    bad = session_service_pb2.SealOrderRequest(name=session.name, seat=session.seats[0].id)
    mine = next(one for one in session.board.circus.craft if one.side == 1).aircraft.id
    bad.move.circus.plots.plots.add(aircraft=mine, codes="nobody", speed_mp=9)
    refusal = refusal_of(lambda: endpoints.SealOrder(bad, CALLER))
    assert refusal.field == "move.circus.plots.plots[0].codes"
    batch = session_service_pb2.BatchPlayRequest(
        items=[session_service_pb2.BatchPlayItem(seal_order={"name": session.name})]
    )
    batch.items[0].seal_order.CopyFrom(request)
    batch.items[0].seal_order.validate_only = False
    (answer,) = endpoints.BatchPlay(batch, CALLER).results
    assert [one.field for one in answer.problem.violations] == [
        "items[0].seal_order.move.circus.plots.plots[0].aircraft"
    ]


def test_an_order_given_openly_is_told_by_what_the_survey_handed_on(endpoints):
    setup = actions_pb2.SessionSetup()
    setup.circus.turn_order = CIRCUS_TURN_ORDER_ALTERNATE
    session = endpoints.CreateSession(session_service_pb2.CreateSessionRequest(setup=setup), CALLER)
    asked_for = session_service_pb2.GetSessionRequest(name=session.name)
    while True:
        seat = session.active_seats[0]
        legal = endpoints.ListLegalOrders(
            session_service_pb2.ListLegalOrdersRequest(name=session.name, seat=seat), CALLER
        )
        first = legal.orders[0]
        if first.HasField("move"):
            break
        look = session_service_pb2.SpotRequest(name=session.name, seat=seat, order=first.spot)
        endpoints.Spot(look, CALLER)
        session = endpoints.GetSession(asked_for, CALLER)
    request = session_service_pb2.MoveRequest(name=session.name, seat=seat, order=first.move)
    request.order.circus.plots.plots[0].codes = "nobody"
    refusal = refusal_of(lambda: endpoints.Move(request, CALLER))
    assert refusal.field == "order.circus.plots.plots[0].codes"
