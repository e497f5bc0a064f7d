"""Variants over the wire: offered, ruled by, pinned, and never replaced by other tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from games import refereed_setup, seat_that_sees_all
from guncamera.api.endpoints import Endpoints
from guncamera.api.film_check import check_writing
from guncamera.api.films import read_film
from guncamera.api.json_codec import from_json, to_json
from guncamera.api.rulings import fill_outcome
from guncamera.rules.refusal import Refusal, VariantUnknown
from guncamera.rules.ruleset import Ruleset, rulesets
from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions import film as films
from guncamera.sessions.refusals import FilmInvalid, VariantChanged
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import resolution_service_pb2 as resolving
from guncamera.v1 import ruleset_service_pb2 as offered
from guncamera.v1 import session_service_pb2 as pb
from kettering_variants import faster_by_two, heavier_with_a_kite, only, renamed, variant_of
from orders import DEPLOY, FIRE, LAUNCH, SETUP, who
from tables import RealTable, real_table
from wire_play import play_step

KETTERING = rulesets()["kettering"]
HEAVIER = variant_of({**heavier_with_a_kite(), "settings": {"target_damage": "plain-nine"}})
OTHER = only(faster_by_two(-3))
SECOND = variant_of(renamed(rulesets()["circus"]), "circus", "second")
SHOT = {
    "aircraft_type": "kite", "aspect": "KETTERING_ASPECT_TAIL", "range_hexes": 1, "speed_mp": 6,
    "torpedo_speed_mp": 4,
}  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Iterator[RealTable]:
    with real_table(Variants([HEAVIER, SECOND])) as running:
        yield running


def over(table: RealTable, variants: Variants = NO_VARIANTS) -> Endpoints:
    """Another service over the same store."""
    shelf = Shelf(table.endpoints.shelf.store, variants=variants)
    return Endpoints(shelf, clock=table.endpoints.clock, page_key=b"k" * 32)


def created(endpoints: Endpoints, **fields: Any) -> pb.Session:
    fields = {"setup": SETUP, "variant": "heavier", **fields}
    return endpoints.CreateSession(pb.CreateSessionRequest(**fields), who())


def played(
    endpoints: Endpoints, found: Ruleset, name: str, steps: int = 10**6, setup: Any = None
) -> pb.Session:
    """A game of stock pilots, who know the variant."""
    request = pb.CreateSessionRequest(variant=name, dice_seed="variants")
    fill_outcome(request.setup, found.slug, setup or refereed_setup(found))
    session = endpoints.CreateSession(request, who())
    number = 0
    while number < steps and session.state != pb.SESSION_STATE_FINISHED:
        session = play_step(endpoints, session, found, "stock", number)
        number += 1
    return session


def film_of(endpoints: Endpoints, session: pb.Session) -> pb.Film:
    request = pb.ExportSessionRequest(name=session.name, seat=seat_that_sees_all(session))
    return endpoints.ExportSession(request, who())


# ---- What is on offer


def test_rule_sets_name_their_variants(table: RealTable) -> None:
    listed = table.rest.get("/v1/rulesets").get_json()["rulesets"]
    named = {one["name"]: [each["name"] for each in one["variants"]] for one in listed}
    assert named == {
        f"rulesets/{slug}": {"kettering": ["heavier"], "circus": ["second"]}.get(slug, [])
        for slug in rulesets()
    }
    (shown,) = table.rest.get("/v1/rulesets/kettering").get_json()["variants"]
    assert shown == {
        "name": "heavier", "author": "A. Designer", "version": "1.0", "license": "CC0-1.0",
        "hash": HEAVIER.pin.hash, "rules_hash": HEAVIER.book.digest,
    }  # fmt: skip


def test_a_variant_can_be_read_like_its_rule_set(table: RealTable) -> None:
    whole = table.rest.get("/v1/rulesets/kettering?variant=heavier").get_json()
    assert (whole["variant"], whole["rules_hash"]) == ("heavier", HEAVIER.book.digest)
    changed = HEAVIER.book.setting_specs
    assert {one["name"]: one["default_value"] for one in whole["settings"]} == {
        name: str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)
        for name, spec in changed.items()
    }
    rows = [
        table.rest.get(f"/v1/rulesets/kettering/tables/penalties{query}").get_json()["rows"][1]
        for query in ("", "?variant=heavier")
    ]
    assert [row["cells"] for row in rows] == [["-1"], ["-2"]]
    planes = table.rest.get("/v1/rulesets/kettering/aircraft?variant=heavier").get_json()
    assert planes["aircraft"][-1]["name"] == "rulesets/kettering/aircraft/kite"
    tables = table.rest.get("/v1/rulesets/kettering/tables?variant=heavier").get_json()["tables"]
    assert ["-2"] in [row["cells"] for one in tables for row in one["rows"]]


def test_the_page_of_a_variant_goes_on_with_that_variant_only(table: RealTable) -> None:
    path = "/v1/rulesets/kettering/tables?page_size=2"
    token = table.rest.get(f"{path}&variant=heavier").get_json()["next_page_token"]
    assert table.rest.get(f"{path}&variant=heavier&page_token={token}").status_code == 200
    assert table.rest.get(f"{path}&page_token={token}").status_code == 400


@pytest.mark.parametrize(
    "ask",
    [
        lambda e, v: created(e, variant=v),
        lambda e, v: e.GetRuleset(
            offered.GetRulesetRequest(name="rulesets/kettering", variant=v), who()
        ),
        lambda e, v: e.GetTable(
            offered.GetTableRequest(name="rulesets/kettering/tables/wind", variant=v), who()
        ),
        lambda e, v: e.ResolveFire(fire(variant=v), who()),
        lambda e, v: e.ComputeOdds(odds(variant=v), who()),
    ],
)
@pytest.mark.parametrize("name", ["lighter", "second", "Heavier", "x" * 4000])
def test_a_variant_that_is_not_there_is_named_with_those_that_are(
    table: RealTable, ask: Any, name: str
) -> None:
    with pytest.raises(VariantUnknown) as raised:
        ask(table.endpoints, name)
    assert raised.value.violations[0].field == "variant"
    assert "it has heavier" in raised.value.message


def test_over_rest_it_is_404(table: RealTable) -> None:
    answer = table.rest.get("/v1/rulesets/kettering?variant=lighter")
    assert (answer.status_code, answer.get_json()["reason"]) == (404, "VARIANT_UNKNOWN")


# ---- Ruled by


def fire(**fields: Any) -> resolving.ResolveFireRequest:
    text = json.dumps({"facts": {"kettering": SHOT}, **fields})
    return from_json(text.encode(), resolving.ResolveFireRequest)


def odds(**fields: Any) -> resolving.ComputeOddsRequest:
    text = json.dumps({"fire": {"kettering": SHOT}, **fields})
    return from_json(text.encode(), resolving.ComputeOddsRequest)


def test_a_shot_is_ruled_by_the_variant_over_both_transports(table: RealTable) -> None:
    asked = fire(variant="heavier", dice={"supplied": {"faces": [1, 1]}})
    ruled = table.endpoints.ResolveFire(asked, who())
    assert ruled.rules_hash == HEAVIER.book.digest
    modifiers = [line.modifier_line for line in ruled.trace if line.HasField("modifier_line")]
    assert -2 in [one.amount for one in modifiers if one.rule_id == "KET-7.4"]
    answer = table.rest.post("/v1:resolveFire", data=to_json(asked),
                             content_type="application/json")  # fmt: skip
    assert from_json(answer.data, resolving.ResolveFireResponse) == ruled
    call = table.channel.unary_unary("/guncamera.v1.ResolutionService/ResolveFire")
    assert resolving.ResolveFireResponse.FromString(call(asked.SerializeToString())) == ruled
    batch = table.endpoints.BatchResolve(
        resolving.BatchResolveRequest(items=[resolving.BatchItem(fire=asked)]), who()
    )
    assert batch.results[0].fire == ruled


def test_exact_odds_are_those_of_the_variant(table: RealTable) -> None:
    plain = odds()
    plain.fire.kettering.aircraft_type = "fokker-d7"
    both = [table.endpoints.ComputeOdds(one, who()) for one in (plain, odds(variant="heavier"))]
    hits = [
        Fraction(value.likelihood.fraction)
        for answer in both
        for field in answer.fields
        if field.field == "torpedo_destroyed"
        for value in field.values
        if value.value == "yes"
    ]
    assert hits[1] < hits[0]
    assert both[1].rules_hash == HEAVIER.book.digest


def test_the_aircraft_of_a_variant_is_unknown_without_it(table: RealTable) -> None:
    with pytest.raises(Refusal) as raised:
        table.endpoints.ResolveFire(fire(), who())
    assert raised.value.reason == "INPUT_INVALID"


def test_a_setting_chosen_goes_before_that_of_the_variant(table: RealTable) -> None:
    assert created(table.endpoints).settings.kettering.target_damage == "plain-nine"
    request = pb.CreateSessionRequest(setup=SETUP, variant="heavier")
    request.settings.kettering.target_damage = "gapped"
    chosen = table.endpoints.CreateSession(request, who())
    assert chosen.settings.kettering.target_damage == "gapped"
    assert chosen.rules_hash == HEAVIER.book.with_settings({"target_damage": "gapped"}).digest


# ---- Pinned


def test_a_session_names_its_variant_and_keeps_it(table: RealTable) -> None:
    request = {"request_id": "a-variant-of-mine", "session_id": "pinned"}
    session = created(table.endpoints, **request)
    assert (session.variant, session.variant_hash) == ("heavier", HEAVIER.pin.hash)
    assert session.rules_hash == HEAVIER.book.digest
    again = table.endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    assert (again.variant, again.variant_hash) == ("heavier", HEAVIER.pin.hash)
    assert created(table.endpoints, **request) == session, "the same request, the same session"
    with pytest.raises(Refusal) as raised:
        created(table.endpoints, **request, variant="")
    assert raised.value.reason == "REQUEST_ID_REUSED"
    plain = created(table.endpoints, variant="")
    assert (plain.variant, plain.variant_hash) == ("", "")


@pytest.mark.parametrize("slug", rulesets())
def test_a_game_of_a_variant_is_played_filmed_and_verified(slug: str) -> None:
    found = rulesets()[slug]
    variant = variant_of(renamed(found), slug)
    here = Variants([variant])
    with real_table(here) as running:
        endpoints = running.endpoints
        session = played(endpoints, replace(found, book=variant.book), "heavier", 60)
        filmed = film_of(endpoints, session)
        assert (filmed.session.variant, filmed.session.variant_hash) == (
            "heavier", variant.pin.hash,
        )  # fmt: skip
        values = read_film(filmed, here)
        again = films.replay(values)
        assert again.differences == ()
        assert check_writing(filmed, values, again.state) == ()
        imported = endpoints.ImportSession(pb.ImportSessionRequest(film=filmed), who())
        assert (imported.variant, imported.rules_hash) == ("heavier", variant.book.digest)
        _reads_on(over(running), endpoints, session, found)
        _writes_nothing(over(running), session, filmed)


def test_an_aircraft_of_a_variant_is_flown_to_the_end(table: RealTable) -> None:
    found = replace(KETTERING, book=HEAVIER.book)
    setup = found.setup(aircraft_type="kite", torpedoes=6)
    with pytest.raises(Refusal, match="kite"):
        played(table.endpoints, KETTERING, "", 0, setup)
    begun = played(table.endpoints, found, "heavier", 1, setup)
    name = begun.name
    listed = table.endpoints.ListLegalOrders(pb.ListLegalOrdersRequest(name=name), who())
    assert listed.orders
    drawn = table.endpoints.DrawBoard(pb.DrawBoardRequest(name=name), who())
    assert b"A kite" in drawn.data
    done = played(table.endpoints, found, "heavier", setup=setup)
    assert done.state == pb.SESSION_STATE_FINISHED
    filmed = film_of(table.endpoints, done)
    assert len(filmed.actions) > 100, "past the first state that is kept"
    values = read_film(filmed, Variants([HEAVIER]))
    assert films.replay(values).differences == ()
    assert films.check_dice(values).differences == ()
    past = table.endpoints.ImportSession(pb.ImportSessionRequest(film=filmed), who())
    assert past.board == done.board


def _reads_on(bare: Endpoints, whole: Endpoints, session: pb.Session, found: Ruleset) -> None:
    """What a service without the variant shows: all that needs no tables, and as it is."""
    seat = seat_that_sees_all(session)
    (listed,) = (
        one
        for one in bare.ListSessions(pb.ListSessionsRequest(), who()).sessions
        if one.name == session.name
    )
    assert listed.variant_hash == session.variant_hash
    actions = bare.ListActions(pb.ListActionsRequest(parent=session.name, seat=seat), who())
    assert len(actions.actions) == session.revision
    request = pb.GetSessionRequest(name=session.name, seat=seat)
    if found.slug == "circus":
        return  # see below
    assert bare.GetSession(request, who()) == whole.GetSession(request, who())
    assert film_of(bare, session) == film_of(whole, session)


def test_boards_of_circus_are_shown_while_no_shot_is_open(table: RealTable) -> None:
    bare, found = over(table), replace(rulesets()["circus"], book=SECOND.book)
    session = played(table.endpoints, found, "second", 0)
    shown = refused = 0
    for number in range(60):
        session = play_step(table.endpoints, session, found, "stock", number)
        shots = session.board.circus.opportunities
        request = pb.GetSessionRequest(name=session.name)
        try:
            assert bare.GetSession(request, who()) == session
            shown += 1
            assert not shots
        except VariantChanged:
            refused += 1
    assert shown
    assert refused
    told = bare.ListActions(pb.ListActionsRequest(parent=session.name), who())
    assert len(told.actions) == min(session.revision, 100)


def _writes_nothing(bare: Endpoints, session: pb.Session, filmed: pb.Film) -> None:
    name = session.name
    seat = next(iter(session.active_seats), session.seats[0].id)
    calls = [lambda: bare.ImportSession(pb.ImportSessionRequest(film=filmed), who())]
    if session.active_seats:
        calls += [
            lambda: bare.ListLegalOrders(pb.ListLegalOrdersRequest(name=name, seat=seat), who()),
            lambda: bare.DrawBoard(pb.DrawBoardRequest(name=name), who()),
        ]
    for call in calls:
        with pytest.raises(VariantChanged) as raised:
            call()
        assert raised.value.facts["session_hash"] == session.variant_hash


@pytest.fixture
def midway(table: RealTable) -> pb.Session:
    """A session in which a shot can be given."""
    session = created(table.endpoints)
    for order in (DEPLOY, LAUNCH):
        table.endpoints.Move(pb.MoveRequest(name=session.name, order=order), who())
    return session


@pytest.mark.parametrize("here", [NO_VARIANTS, OTHER], ids=["gone", "another one"])
def test_without_its_variant_nothing_is_ruled_on(
    table: RealTable, midway: pb.Session, here: Variants
) -> None:
    bare, name = over(table, here), midway.name
    before = table.endpoints.GetSession(pb.GetSessionRequest(name=name), who())
    calls = {
        "a move": lambda: bare.Move(pb.MoveRequest(name=name, order=LAUNCH), who()),
        "a shot": lambda: bare.Fire(pb.FireRequest(name=name, order=FIRE), who()),
        "a look": lambda: bare.Move(
            pb.MoveRequest(name=name, order=LAUNCH, validate_only=True), who()
        ),
        "an undo": lambda: bare.Undo(pb.UndoRequest(name=name, to_revision=1), who()),
        "legal orders": lambda: bare.ListLegalOrders(pb.ListLegalOrdersRequest(name=name), who()),
        "a draw": lambda: bare.ListLegalOrders(
            pb.ListLegalOrdersRequest(name=name, sample_count=1, sample_seed="s"), who()
        ),
        "a picture": lambda: bare.DrawBoard(pb.DrawBoardRequest(name=name), who()),
    }
    for what, call in calls.items():
        with pytest.raises(VariantChanged) as raised:
            call()
        told = raised.value
        assert told.facts == {
            "variant": "heavier",
            "session_hash": HEAVIER.pin.hash,
            "service_hash": next((one.pin.hash for one in here), ""),
        }, what
        assert all(value in told.message for value in told.facts.values()), what
    batch = bare.BatchPlay(
        pb.BatchPlayRequest(items=[pb.BatchPlayItem(move=pb.MoveRequest(name=name, order=LAUNCH))]),
        who(),
    )
    assert batch.results[0].problem.reason == "VARIANT_CHANGED"
    shown = bare.GetSession(pb.GetSessionRequest(name=name), who())
    assert shown.board == before.board
    assert shown.revision == before.revision
    claimed = bare.ClaimSeat(pb.ClaimSeatRequest(name=name, seat="pilot"), who())
    assert claimed.token, "a seat needs no rules"
    told = bare.ListActions(pb.ListActionsRequest(parent=name), who())
    assert [one.revision for one in told.actions] == [1, 2]
    film = bare.ExportSession(pb.ExportSessionRequest(name=name), who())
    assert read_film(film, Variants([HEAVIER])).record.variant == HEAVIER.pin


def test_the_book_of_a_variant_that_is_gone_shows_no_table(
    table: RealTable, midway: pb.Session
) -> None:
    found = over(table, OTHER).shelf.load(midway.name.removeprefix("sessions/")).record
    book = found.book
    looks: list[Callable[[], object]] = [
        lambda: book.tables["penalties"],
        lambda: book.aircraft["fokker-d7"],
        lambda: "fokker-d7" in book.aircraft,
        lambda: list(book.tables),
        lambda: len(book.aircraft),
        lambda: book.digest,
        lambda: book.with_settings({"map_width_hexes": 33}).tables["penalties"],
    ]
    for number, look in enumerate(looks):
        with pytest.raises(VariantChanged) as raised:
            look()
        assert raised.value.facts["service_hash"] == next(iter(OTHER)).pin.hash, number
    assert book.settings == HEAVIER.book.settings, "what is pinned with the session is there"


def test_where_it_is_again_the_game_goes_on(table: RealTable) -> None:
    session = created(table.endpoints)
    table.endpoints.Move(pb.MoveRequest(name=session.name, order=DEPLOY), who())
    request = pb.UndoRequest(name=session.name, to_revision=0)
    with pytest.raises(VariantChanged):
        over(table).Undo(request, who())
    table.endpoints.Undo(request, who())
    again = table.endpoints.Move(pb.MoveRequest(name=session.name, order=DEPLOY), who())
    assert again.revision == 3


def test_a_spectator_who_is_behind_is_shown_no_board_by_other_tables(table: RealTable) -> None:
    session = created(table.endpoints, spectator_delay_seconds=3600)
    table.endpoints.Move(pb.MoveRequest(name=session.name, order=DEPLOY), who())
    request = pb.GetSessionRequest(name=session.name)
    assert table.endpoints.GetSession(request, who()).revision == 0
    with pytest.raises(VariantChanged):
        over(table).GetSession(request, who())


def test_a_film_of_a_variant_is_imported_only_where_it_is(
    table: RealTable, midway: pb.Session
) -> None:
    filmed = film_of(table.endpoints, midway)
    for here in (NO_VARIANTS, OTHER):
        with pytest.raises(VariantChanged) as raised:
            over(table, here).ImportSession(pb.ImportSessionRequest(film=filmed), who())
        assert raised.value.field == "film.session.variant"
        assert raised.value.facts["service_hash"] == next((one.pin.hash for one in here), "")
    whole = table.endpoints.ImportSession(pb.ImportSessionRequest(film=filmed), who())
    assert (whole.variant_hash, whole.revision) == (HEAVIER.pin.hash, 2)
    for absent in ("variant", "variant_hash"):
        half = pb.Film()
        half.CopyFrom(filmed)
        half.session.ClearField(absent)  # type: ignore[arg-type]  # it is a field
        with pytest.raises(FilmInvalid) as invalid:
            table.endpoints.ImportSession(pb.ImportSessionRequest(film=half), who())
        assert invalid.value.violations[0].field == f"film.session.{absent}"


def test_a_film_that_hides_its_variant_does_not_hold(table: RealTable, midway: pb.Session) -> None:
    filmed = film_of(table.endpoints, midway)
    filmed.session.variant = filmed.session.variant_hash = ""
    with pytest.raises(FilmInvalid, match="does not come out as recorded"):
        table.endpoints.ImportSession(pb.ImportSessionRequest(film=filmed), who())


def test_the_opening_of_receipts_is_bound_to_the_variant(
    table: RealTable, midway: pb.Session
) -> None:
    from guncamera.api.receipts import opening_hash

    shown = table.endpoints.GetSession(pb.GetSessionRequest(name=midway.name), who())
    mine = opening_hash(shown, b"salt")
    shown.variant = "lighter"
    assert opening_hash(shown, b"salt") != mine


def test_two_variants_that_rule_alike_are_two(table: RealTable) -> None:
    twins = Variants([variant_of(faster_by_two(-2), name=name) for name in ("one", "two")])
    endpoints = over(table, twins)
    sessions = [created(endpoints, variant=name) for name in ("one", "two")]
    assert len({one.rules_hash for one in sessions}) == 1
    for session, name in zip(sessions, ("one", "two")):
        shown = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
        assert shown.variant == name
        endpoints.Move(pb.MoveRequest(name=session.name, order=DEPLOY), who())
