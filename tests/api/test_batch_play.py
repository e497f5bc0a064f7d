"""Many calls in one: each as if made alone, in order, and nothing written by half."""

from __future__ import annotations

from typing import Any

import pytest
import secrecy
from guncamera.api.batch_calls import MAX_ITEMS, MAX_NEAREST_ITEMS
from guncamera.api.endpoints import Endpoints
from guncamera.api.rulings import fill_outcome
from guncamera.api.session_calls import submission_of
from guncamera.rules.nearest import Nearest, nearest
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import Ruleset, Verb, rulesets
from guncamera.sessions.chain import chained
from guncamera.sessions.refusals import EtagMismatch
from guncamera.sessions.shelf import Shelf
from guncamera.sessions.steps import run
from guncamera.sessions.store import AppendChain, StoreDamaged, StoreUnavailable
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, FIRE, INSPECT, LAUNCH, SETUP, who
from wire_play import order_of_pilot, request_for, seat_to_act

SEED = "a seed to play by"


def session_with(endpoints: Endpoints, seed: str = SEED, **fields: Any) -> pb.Session:
    request = pb.CreateSessionRequest(setup=SETUP, dice_seed=seed, **fields)
    return endpoints.CreateSession(request, who())


def item(session: pb.Session, order: Any, **fields: Any) -> pb.BatchPlayItem:
    verb = type(order).__name__.removesuffix("Order").lower()
    request = getattr(pb, f"{verb.title()}Request")(name=session.name, order=order, **fields)
    return pb.BatchPlayItem(**{verb: request})


def look(session: pb.Session) -> pb.BatchPlayItem:
    return pb.BatchPlayItem(get_session=pb.GetSessionRequest(name=session.name))


def play(endpoints: Endpoints, *items: pb.BatchPlayItem) -> list[pb.BatchPlayResult]:
    return list(endpoints.BatchPlay(pb.BatchPlayRequest(items=items), who()).results)


def ledger(endpoints: Endpoints, session: pb.Session) -> list[pb.Action]:
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    return list(film.actions)


def timeless(action: pb.Action) -> pb.Action:
    """An action without what differs between two sessions that are played alike."""
    plain = pb.Action()
    plain.CopyFrom(action)
    plain.ClearField("name")
    plain.ClearField("create_time")
    return plain


ORDERS = [DEPLOY, LAUNCH, INSPECT, INSPECT]


def alone(endpoints: Endpoints, session: pb.Session, order: Any, **fields: Any) -> pb.Action:
    [(call, request)] = [(f.name, v) for f, v in item(session, order, **fields).ListFields()]
    return getattr(endpoints, call.title())(request, who())


def test_orders_in_a_batch_are_ruled_on_as_if_they_came_alone(endpoints: Endpoints) -> None:
    together, one_by_one = session_with(endpoints), session_with(endpoints)
    results = play(endpoints, *(item(together, order) for order in ORDERS))
    expected = []
    for order in ORDERS:
        expected.append(alone(endpoints, one_by_one, order))
    assert [timeless(one.action) for one in results] == [timeless(one) for one in expected]
    assert any(action.rolls for action in expected), "dice are compared too"
    assert [one.action for one in results] == ledger(endpoints, together)
    boards = [
        endpoints.GetSession(pb.GetSessionRequest(name=one.name), who()).board
        for one in (together, one_by_one)
    ]
    assert boards[0] == boards[1]


def test_what_is_refused_writes_nothing_and_stops_nothing(endpoints: Endpoints) -> None:
    session = session_with(endpoints)
    results = play(
        endpoints,
        item(session, DEPLOY),
        item(session, FIRE),
        item(session, LAUNCH, etag='"9"'),
        item(session, LAUNCH),
    )
    assert [one.WhichOneof("answer") for one in results] == [
        "action", "problem", "problem", "action",
    ]  # fmt: skip
    assert results[1].problem.rule_id.startswith("KET-")
    assert results[2].problem.reason == "ETAG_MISMATCH"
    assert results[2].problem.metadata["revision"] == "1", "the revision the batch had come to"
    assert [one.revision for one in ledger(endpoints, session)] == [1, 2]


def test_a_look_sees_what_came_before_it_and_nothing_after(endpoints: Endpoints) -> None:
    session = session_with(endpoints)
    legal = pb.BatchPlayItem(
        list_legal_orders=pb.ListLegalOrdersRequest(name=session.name, page_size=3)
    )
    results = play(
        endpoints, look(session), item(session, DEPLOY), look(session), legal, item(session, LAUNCH)
    )
    assert [results[at].session.revision for at in (0, 2)] == [0, 1]
    assert results[3].legal_orders.revision == 1
    assert len(results[3].legal_orders.orders) > 0
    assert results[4].action.revision == 2
    seen_alone = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    assert play(endpoints, look(session))[0].session == seen_alone


def test_a_batch_repeated_with_its_request_ids_finds_its_actions(endpoints: Endpoints) -> None:
    session = session_with(endpoints)
    ids = [f"request-{number}" for number in range(len(ORDERS))]
    items = [item(session, order, request_id=one) for order, one in zip(ORDERS, ids)]
    first = play(endpoints, *items)
    again = play(endpoints, *items, item(session, INSPECT, request_id="one-more"))
    assert [one.action for one in first] == [one.action for one in again[:-1]]
    assert [one.replayed for one in again] == [True] * len(ORDERS) + [False]
    assert [one.revision for one in ledger(endpoints, session)] == [1, 2, 3, 4, 5]
    # The verb alone finds it as well, and tells another order under the same id.
    assert alone(endpoints, session, DEPLOY, request_id=ids[0]) == first[0].action
    reused = play(endpoints, item(session, INSPECT, request_id=ids[0]))[0]
    assert reused.problem.reason == "REQUEST_ID_REUSED"


def test_a_request_id_counts_within_a_batch_too(endpoints: Endpoints) -> None:
    session = session_with(endpoints, request_id="the-creation")
    results = play(
        endpoints,
        item(session, DEPLOY, request_id="twice-one"),
        item(session, DEPLOY, request_id="twice-one"),
        item(session, LAUNCH, request_id="twice-one"),
        item(session, LAUNCH, request_id="the-creation"),
        item(session, LAUNCH, request_id="short"),
    )
    assert results[1].action == results[0].action
    assert (results[0].replayed, results[1].replayed) == (False, True)
    assert [one.problem.reason for one in results[2:]] == [
        "REQUEST_ID_REUSED", "REQUEST_ID_REUSED", "INPUT_INVALID",
    ]  # fmt: skip
    assert len(ledger(endpoints, session)) == 1


class Meddler:
    """A store in which somebody else acts before a chain is written, so many times."""

    def __init__(self, store: Any, meddle: Any, times: int) -> None:
        self._store, self._meddle, self._times = store, meddle, times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _before(self, step: Any) -> None:
        if isinstance(step, AppendChain) and self._times:
            self._times -= 1
            self._meddle()

    def exchange(self, step: Any) -> Any:
        self._before(step)
        return self._store.exchange(step)

    def send(self, steps: Any) -> Any:
        for step in steps:
            self._before(step)
        return self._store.send(steps)


def meddled(endpoints: Endpoints, session: pb.Session, times: int) -> Endpoints:
    store = Meddler(endpoints.shelf.store, lambda: alone(endpoints, session, INSPECT), times)
    return Endpoints(Shelf(store), clock=endpoints.clock, page_key=b"a key for tests")  # type: ignore[arg-type]


def test_when_somebody_acts_first_all_is_ruled_on_anew(endpoints: Endpoints) -> None:
    session = session_with(endpoints)
    play(endpoints, item(session, DEPLOY), item(session, LAUNCH))
    busy = meddled(endpoints, session, times=2)
    results = play(busy, item(session, INSPECT), item(session, INSPECT, etag='"3"'), look(session))
    # The etag named the revision that the first order was to make; somebody else made it.
    assert results[0].action.revision == 5
    assert results[1].problem.reason == "ETAG_MISMATCH"
    assert results[2].session.revision == 5
    assert [one.revision for one in ledger(endpoints, session)] == [1, 2, 3, 4, 5]


def test_a_batch_that_never_comes_first_says_so_and_has_written_nothing(
    endpoints: Endpoints,
) -> None:
    session = session_with(endpoints)
    play(endpoints, item(session, DEPLOY), item(session, LAUNCH))
    busy = meddled(endpoints, session, times=99)
    results = play(busy, item(session, INSPECT), item(session, INSPECT))
    assert [one.problem.reason for one in results] == ["ETAG_MISMATCH"] * 2
    mine = ledger(endpoints, session)
    assert len(mine) == 2 + 4, "only what the other did"


def test_sessions_share_each_exchange_with_the_store(endpoints: Endpoints) -> None:
    sessions = [session_with(endpoints, f"seed of game {number}") for number in range(20)]
    sendings: list[int] = []

    class Counting(Meddler):
        def send(self, steps: Any) -> Any:
            sendings.append(len(steps))
            return super().send(steps)

    store = Counting(endpoints.shelf.store, None, 0)
    counted = Endpoints(Shelf(store), clock=endpoints.clock, page_key=b"k" * 16)  # type: ignore[arg-type]
    results = play(
        counted,
        *(item(session, order) for order in (DEPLOY, LAUNCH) for session in sessions),
        *(look(session) for session in sessions),
    )
    assert sendings == [20, 20], "all heads, then all chains; the looks need neither"
    assert [one.session.revision for one in results[40:]] == [2] * 20


class Broken(Meddler):
    """A store in which the steps of one session come to a bad end."""

    def __init__(self, store: Any, session: pb.Session, error: Exception) -> None:
        super().__init__(store, None, 0)
        self._id, self._error = session.name.removeprefix("sessions/"), error

    def send(self, steps: Any) -> Any:
        def results() -> Any:
            came = self._store.send(steps)()
            return [
                self._error if step.session_id == self._id else result
                for step, result in zip(steps, came)
            ]

        return results


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StoreUnavailable("it is away", retry_after_seconds=3), "STORE_UNAVAILABLE"),
        (StoreDamaged("no ledger"), "INTERNAL"),
    ],
)
def test_what_befalls_one_session_costs_no_other_its_answer(
    endpoints: Endpoints, error: Exception, reason: str
) -> None:
    bad, good = session_with(endpoints), session_with(endpoints)
    store = Broken(endpoints.shelf.store, bad, error)
    broken = Endpoints(Shelf(store), clock=endpoints.clock, page_key=b"k" * 16)  # type: ignore[arg-type]
    results = play(broken, item(bad, DEPLOY), look(bad), item(good, DEPLOY))
    assert [one.problem.reason for one in results[:2]] == [reason] * 2
    assert results[2].action.revision == 1
    assert "ledger" not in results[0].problem.detail


def test_bad_calls_are_told_one_by_one_with_their_place(endpoints: Endpoints) -> None:
    session = session_with(endpoints)
    nowhere = pb.Session(name="sessions/not-there")
    crooked = pb.Session(name="no name at all")
    results = play(
        endpoints,
        pb.BatchPlayItem(),
        item(crooked, DEPLOY),
        item(nowhere, DEPLOY),
        look(nowhere),
        item(session, DEPLOY, validate_only=True),
        pb.BatchPlayItem(
            list_legal_orders=pb.ListLegalOrdersRequest(name=session.name, page_size=5000)
        ),
        pb.BatchPlayItem(seal_order=pb.SealOrderRequest(name=session.name, move=DEPLOY)),
        item(session, DEPLOY),
    )
    assert [one.problem.reason for one in results[:4]] == [
        "INPUT_INVALID", "INPUT_INVALID", "SESSION_NOT_FOUND", "SESSION_NOT_FOUND",
    ]  # fmt: skip
    fields = [[v.field for v in one.problem.violations] for one in results]
    assert fields[0] == ["items[0]"]
    assert fields[4] == ["items[4].move.validate_only"]
    assert fields[5] == ["items[5].list_legal_orders.page_size"]
    assert results[6].WhichOneof("answer") == "problem", "kettering seals nothing"
    assert results[7].action.revision == 1


@pytest.mark.parametrize("count", [0, 257])
def test_a_batch_has_1_to_256_calls(endpoints: Endpoints, count: int) -> None:
    session = session_with(endpoints)
    with pytest.raises(Malformed) as refused:
        play(endpoints, *[look(session)] * count)
    assert refused.value.field == "items"
    assert len(play(endpoints, *[look(session)] * 256)) == 256


def test_a_chain_alone_takes_a_step_at_a_time(endpoints: Endpoints) -> None:
    """`run` takes the same steps one by one, for whoever has a single session."""
    session = session_with(endpoints)
    request = pb.MoveRequest(name=session.name, order=DEPLOY, etag='"7"')
    submission = submission_of(Verb.MOVE, request, who())
    done = run(endpoints.shelf.store, chained(endpoints.shelf, endpoints.clock, [submission]))
    assert isinstance(done.results[0], EtagMismatch)
    assert done.session.revision == 0


@pytest.mark.parametrize("found", [r for r in rulesets().values() if secrecy.sealing_start(r)])
def test_orders_are_sealed_and_revealed_in_a_batch_as_alone(
    endpoints: Endpoints, found: Ruleset
) -> None:
    start = secrecy.sealing_start(found)
    assert start is not None

    def sealing_session() -> pb.Session:
        create = pb.CreateSessionRequest(dice_seed="sealed in a batch")
        fill_outcome(create.setup, found.slug, start.setup)
        if start.settings:
            settings = found.book.with_settings(start.settings).settings
            fill_outcome(create.settings, found.slug, settings)
        return endpoints.CreateSession(create, who())

    def seals_of(session: pb.Session, turns: int, *, in_batch: bool) -> list[pb.Action]:
        for number in range(turns):
            session = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
            seats = list(session.active_seats) if session.sealed_verb else [seat_to_act(session)]
            asked = []
            for seat in seats:
                order = order_of_pilot(endpoints, session, found, "stock", number, seat)
                asked.append(request_for(session, found.slug, order, seat))
            if in_batch:
                calls = [pb.BatchPlayItem(**{names[name]: request}) for name, request in asked]
                results = play(endpoints, *calls)
                assert [one.WhichOneof("answer") for one in results].count("problem") == 0
                if session.sealed_verb:
                    assert [one.seal_order.revealed for one in results][-1]
            else:
                for name, request in asked:
                    getattr(endpoints, name)(request, who())
        return ledger(endpoints, session)

    names = {"SealOrder": "seal_order", **{v.value.title(): v.value for v in Verb}}
    together = seals_of(sealing_session(), 12, in_batch=True)
    by_one = seals_of(sealing_session(), 12, in_batch=False)
    assert [timeless(one) for one in together] == [timeless(one) for one in by_one]
    assert len(together) > 12, "some orders were sealed by several seats and revealed at once"


# ---- Legal orders that are told instead of refused ones


ASKING = {"nearest_count": 3}


def count_searches(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The orders that legal ones are looked for in the place of, from now on."""
    searched: list[Any] = []

    def counted(slug: str, verb: Verb, order: Any, *others: Any) -> Nearest:
        searched.append(order)
        return nearest(slug, verb, order, *others)

    monkeypatch.setattr("guncamera.sessions.listing.nearest", counted)
    return searched


def test_legal_orders_are_looked_for_once_whoever_acts_first(
    endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_with(endpoints)
    play(endpoints, item(session, DEPLOY), item(session, LAUNCH))
    busy = meddled(endpoints, session, times=2)
    searched = count_searches(monkeypatch)
    results = play(
        busy, item(session, FIRE, **ASKING), item(session, INSPECT), item(session, FIRE, **ASKING)
    )
    assert [one.WhichOneof("answer") for one in results] == ["problem", "action", "problem"]
    assert len(searched) == 2, "once for each, though all were ruled on three times"
    assert [len(one.problem.nearest.orders) for one in results[::2]] == [2, 2], "all there are"
    # Each is told what may be ordered where it stood: the second after the inspection.
    alone_now = play(endpoints, item(session, FIRE, **ASKING))[0]
    assert results[2].problem.nearest == alone_now.problem.nearest


def test_nothing_is_looked_for_when_nothing_is_answered(
    endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_with(endpoints)
    play(endpoints, item(session, DEPLOY), item(session, LAUNCH))
    busy = meddled(endpoints, session, times=99)
    searched = count_searches(monkeypatch)
    results = play(busy, item(session, FIRE, **ASKING), item(session, INSPECT))
    assert [one.problem.reason for one in results] == ["ETAG_MISMATCH"] * 2
    assert searched == []


def test_a_batch_that_asks_for_too_much_is_refused_before_anything_is_done(
    endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_with(endpoints)
    searched = count_searches(monkeypatch)
    most = [item(session, FIRE, **ASKING)] * MAX_NEAREST_ITEMS
    for others in ([item(session, FIRE, nearest_count=1)], [sealing(session)]):
        with pytest.raises(Malformed) as refused:
            play(endpoints, item(session, DEPLOY), *most, *others)
        kind = others[0].WhichOneof("call")
        assert refused.value.field == f"items[{MAX_NEAREST_ITEMS + 1}].{kind}.nearest_count"
        assert str(MAX_NEAREST_ITEMS) in refused.value.message
    assert (ledger(endpoints, session), searched) == ([], [])
    plain = [item(session, FIRE)] * (MAX_ITEMS - MAX_NEAREST_ITEMS)
    results = play(endpoints, *most, *plain)
    told = [len(one.problem.nearest.orders) for one in results]
    assert told == [3] * MAX_NEAREST_ITEMS + [0] * len(plain)


def sealing(session: pb.Session) -> pb.BatchPlayItem:
    sealed = pb.SealOrderRequest(name=session.name, move=DEPLOY, nearest_count=3)
    return pb.BatchPlayItem(seal_order=sealed)


def test_a_fault_in_a_list_costs_no_other_order_its_answer(
    endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Nearest:
        raise RuntimeError("a secret")

    session = session_with(endpoints)
    monkeypatch.setattr("guncamera.sessions.listing.nearest", broken)
    results = play(endpoints, item(session, FIRE, **ASKING), item(session, DEPLOY))
    assert results[0].problem.reason == "INTERNAL"
    assert "secret" not in str(results[0])
    assert results[1].action.revision == 1, "it is written, and told so"
