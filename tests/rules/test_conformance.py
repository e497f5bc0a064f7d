"""What every registered rule set must hold to, over its cases and over random games."""

from dataclasses import fields

import pytest
from chance import games
from games import play_out
from guncamera.api import wire
from guncamera.api.json_codec import from_json, to_json
from guncamera.api.octets import writers
from guncamera.conformance.targets import CoreTarget, can_be_sent, read_case
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.ruleset import rulesets
from guncamera.rules.shape import shape_of
from guncamera.sessions.entropy import SeededDice, commitment_of, number_from, seed_from
from guncamera.v1 import actions_pb2
from shipped import shipped_cases
from statements import statement_of

SLUGS = list(rulesets())
RULED = [case for case in shipped_cases() if case.expect is not None]
SENT = [case for case in shipped_cases() if can_be_sent(case)]


@pytest.mark.parametrize("case", RULED, ids=lambda case: case.id)
def test_an_outcome_that_was_ruled_is_in_the_support_of_the_odds(case):
    found, procedure, facts = read_case(case)
    book = found.book.with_settings(case.settings)
    odds = odds_of(lambda dice: procedure.rule(facts, book, dice).outcome)
    assert sum(odds.outcomes.values()) == 1
    assert procedure.rule(facts, book, DealtDice(case.faces)).outcome in odds.outcomes


@pytest.mark.parametrize("case", SENT, ids=lambda case: case.id)
def test_facts_survive_the_wire_and_its_json(case):
    found, procedure, facts = read_case(case)
    message = getattr(actions_pb2, f"{case.verb.value.capitalize()}Facts")()
    inner = getattr(message, found.slug)
    inner.SetInParent()
    wire.fill(inner, facts)
    assert wire.read_asked(inner, procedure.facts, "facts") == facts
    assert from_json(to_json(message), type(message)) == message


def line_of(slug, name):
    """The message that a rule set has in one of the shared oneofs."""
    found = actions_pb2.DESCRIPTOR.message_types_by_name[name].fields_by_name
    assert slug in found, f"{slug} has no line in {name} of actions.proto"
    return found[slug].message_type


@pytest.mark.parametrize("slug", SLUGS)
def test_every_message_corresponds_to_its_dataclass(slug):
    found = rulesets()[slug]
    kinds = [("RulesetSettings", type(found.book.settings)), ("SessionSetup", found.setup),
             ("BoardView", found.view)]  # fmt: skip
    for verb, procedure in found.procedures.items():
        name = verb.value.capitalize()
        kinds += [
            (f"{name}Facts", procedure.facts),
            (f"{name}Outcome", procedure.outcome),
            (f"{name}Order", procedure.order),
        ]
    for name, cls in kinds:
        inner = line_of(slug, name)
        assert writers(inner)[cls]
        wire._make_reader(cls, inner)
    assert line_of(slug, "Event")
    for profile in found.book.aircraft.values():
        assert writers(line_of(slug, "AircraftProfile"))[type(profile)]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_setting_is_described_and_decides_something_in_a_case(slug):
    found = rulesets()[slug]
    specs = found.book.setting_specs
    assert set(specs) == {f.name for f in fields(found.book.settings)}
    named, tried = set(), set()
    core = CoreTarget()
    for case in (case for case in shipped_cases() if case.ruleset == slug):
        tried |= set(case.settings.items())
        answer = core.resolve(case)
        named |= {x["setting_line"]["name"] for x in answer.trace if "setting_line" in x}
    alternatives = {
        (name, choice.value)
        for name, spec in specs.items()
        for choice in spec.choices
        if choice.value != spec.default
    }
    assert sorted(alternatives - tried, key=str) == [], "every alternative has a case"
    numbers = {name for name, spec in specs.items() if not spec.choices}
    assert numbers - {name for name, _ in tried} == set(), "every number is tried"
    # Settings of the session, not of one ruling, show in the session's own tests.
    assert sorted(set(specs) - named) == sorted(statement_of(slug).shown_by_sessions)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("number", games(8))
def test_random_games_end_and_every_board_survives(slug, number):
    found = rulesets()[slug]
    played = play_out(found, "random", f"conformance {number}", most=6000)
    assert played.result, f"{slug} game {number} did not end in {played.actions} actions"
    for board in played.boards:
        assert from_plain(found.board, to_plain(board)) == board


@pytest.mark.parametrize("slug", SLUGS)
def test_every_stock_pilot_plays_whole_games(slug):
    found = rulesets()[slug]
    assert {"random", "stock"} <= set(found.pilots)
    for name in found.pilots:
        assert play_out(found, name, f"pilot {name}", most=6000).result


@pytest.mark.parametrize("slug", SLUGS)
def test_the_game_is_the_same_when_it_is_played_again(slug):
    found = rulesets()[slug]
    one, two = (play_out(found, "random", "again", most=6000) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("slug", SLUGS)
def test_a_picture_is_drawn_of_every_board(slug):
    found = rulesets()[slug]
    played = play_out(found, "random", "pictures", most=6000)
    for board in played.boards[:: max(1, len(played.boards) // 25)]:
        svg = found.picture(found.view_for(board, None, found.book), found.book)
        assert svg.startswith("<svg")


@pytest.mark.parametrize("slug", SLUGS)
def test_legal_orders_are_legal_and_the_first_ones_come_alike_each_time(slug):
    found = rulesets()[slug]
    played = play_out(found, "random", "legal", most=6000)
    for board in played.boards[:: max(1, len(played.boards) // 40)]:
        for seat in found.active_seats(board):
            orders = played.first_orders(found, board, seat, 30)
            assert orders, "no dead ends"
            assert orders == played.first_orders(found, board, seat, 30)
            for order in orders:
                found.survey(board, seat, order.verb, order.order, found.book)


@pytest.mark.parametrize("slug", SLUGS)
def test_orders_that_are_too_many_to_list_are_legal_whichever_is_drawn(slug):
    found = rulesets()[slug]
    played = play_out(found, "random", "drawn", most=6000)
    for board in played.boards[:: max(1, len(played.boards) // 20)]:
        for seat in found.active_seats(board):
            space = found.order_space(board, seat, found.book)
            if space is None:
                continue
            assert len(played.first_orders(found, board, seat, 30)) <= space.size
            for nth in range(10):
                order = space.nth(number_from("drawn", nth, space.size))
                facts = found.survey(board, seat, order.verb, order.order, found.book)
                secret = seed_from("drawn")
                dice = SeededDice(secret, commitment_of(secret), nth + 1)
                found.procedure(order.verb).rule(facts, found.book, dice)
            begun = space.begun("")
            while begun.next:
                assert begun.order is None or begun.order.verb == order.verb
                begun = space.begun(f"{begun.so_far} {begun.next[0].code}".lstrip())
            assert begun.order is not None


@pytest.mark.parametrize("slug", SLUGS)
def test_every_dataclass_of_a_rule_set_has_a_shape(slug):
    found = rulesets()[slug]
    for cls in (found.setup, found.board, found.view, type(found.book.settings)):
        assert shape_of(cls)


@pytest.mark.parametrize("slug", SLUGS)
def test_settings_changed_in_turn_are_settings_changed_at_once(slug):
    book = rulesets()[slug].book
    changed = {
        name: next(choice.value for choice in spec.choices if choice.value != spec.default)
        for name, spec in book.setting_specs.items()
        if spec.choices
    }
    one_by_one = book
    for name, value in changed.items():
        one_by_one = one_by_one.with_settings({name: value})
    assert one_by_one.digest == book.with_settings(changed).digest != book.digest
