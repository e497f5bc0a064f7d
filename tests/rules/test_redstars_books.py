"""The data books of Rising Suns and Red Stars, one's own, and what the rule set's page says."""

import json
import re
from dataclasses import replace
from importlib import resources

import pytest
from guncamera.api import wire
from guncamera.api.json_codec import from_json
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Malformed
from guncamera.rulesets.redstars import facts as facts_of_verbs
from guncamera.rulesets.redstars import orders as orders_of_verbs
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import (
    Agility,
    Aircraft,
    AircraftTrait,
    AltitudeCard,
    Maneuver,
    Mounting,
    Nation,
    Pilot,
    Position,
    SpeedCard,
    TweakSide,
    Weapon,
    WeaponKind,
)
from guncamera.rulesets.redstars.book import PACKAGE, data_book_of, load_book
from guncamera.rulesets.redstars.books import check_own, faults_of
from guncamera.rulesets.redstars.cards import play
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.discs import codes_of, laid
from guncamera.rulesets.redstars.facts import (
    Choice,
    Choosing,
    DamageFacts,
    FireFacts,
    Firing,
    MoveFacts,
    Moving,
    Tweak,
)
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.flown import flown
from guncamera.rulesets.redstars.geometry import MILS, bearing_degrees, range_mils
from guncamera.rulesets.redstars.legality import choice_fault
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.orders import Setup
from guncamera.rulesets.redstars.setup import set_up
from guncamera.rulesets.redstars.spot import rule_on_spot
from guncamera.v1 import actions_pb2

BOOK = load_book()
FOLDER = resources.files(PACKAGE)
README = FOLDER.joinpath("README.md").read_text(encoding="utf-8")
EXAMPLES = json.loads(FOLDER.joinpath("examples.json").read_text(encoding="utf-8"))
FORWARD, REAR = Mounting.FORWARD, Mounting.FLEXIBLE_REAR

# ---- The data books as shipped

REGISTER = """
    i15    soviet   1-4(5) a 2  15 3   4lmg10 forward                                       6
    i152   soviet   1-4(5) a 2  16 3   4lmg10 forward                                       7
    i153   soviet   2-5(6) b 3  16 3   4lmg8 forward                                        9 flammable
    i153_rockets soviet 2-5(6) b 3 16 3 4lmg8 forward, 2rocket4 forward                     9 flammable
    i16t5  soviet   2-5(7) b 3! 18 3   2lmg8 forward                                        9 rugged
    i16t10 soviet   2-5(7) b 3! 18 3   4lmg8 forward                                        9 rugged
    i16t17 soviet   2-5(7) c 3! 18 3   2lmg8 forward, 2cannon5 forward                      9 rugged
    sb     soviet   2-5(6) d 1  28 3+3 2lmg8 forward, 1lmg8 flexible_rear, 1lmg8 flexible_rear 10 flammable crew
    ki10   japanese 1-4(5) a 2  15 3   2lmg10 forward                                       6
    ki27   japanese 1-5(6) a 3  14 3   2lmg10 forward                                       6 flammable fragile_dive
    a5m2   japanese 2-5(6) a 2  15 3   2lmg10 forward                                       7 flammable
    ki30   japanese 2-5(6) d 2  18 3   1lmg10 forward, 1lmg10 flexible_rear                 9 crew
"""  # noqa: E501  # a table, a type a line


def line_of(one):
    """A data book as a line of the register: `3!` is a tested climb, `crew` a bomber's two."""
    weapons = ", ".join(f"{w.guns}{w.kind}{w.boxes} {w.mounting}" for w in one.weapons)
    assert one.observer is not one.extreme
    more = [trait.value for trait in one.traits] + (["crew"] if one.observer else [])
    return " ".join(
        [
            one.type,
            one.nation.value,
            f"{one.min_speed}-{one.max_speed}({one.dive_speed})",
            one.agility.value,
            f"{one.climb}{'!' if one.climb_test else ''}",
            str(one.damage_points),
            "+".join(str(boxes) for boxes in one.engines),
            weapons,
            str(one.spin_number),
            *more,
        ]
    )


def test_the_data_books_are_those_of_the_register():
    wanted = [" ".join(line.split()) for line in REGISTER.strip().splitlines()]
    assert [line_of(one) for one in BOOK.aircraft.values()] == wanted


KMH = {
    "i15": 367, "i152": 379, "i153": 424, "i16t5": 445, "i16t10": 455, "ki27": 444, "a5m2": 435,
    "ki10": 400, "sb": 410, "ki30": 432,
}  # fmt: skip
CIRCLE_SECONDS = {"i15": 9, "i152": 10.5, "i153": 13, "i16t5": 14, "ki27": 8}


def test_speed_and_agility_follow_from_the_real_machines():
    for slug, kmh in KMH.items():
        assert BOOK.aircraft[slug].max_speed == (kmh + 45) // 90, slug
    for slug, seconds in CIRCLE_SECONDS.items():
        assert BOOK.aircraft[slug].agility == (Agility.A if seconds <= 11 else Agility.B), slug
    for one in BOOK.aircraft.values():
        faster = 2 if one.type.startswith("i16") else 1
        assert one.dive_speed == one.max_speed + faster
        assert (one.agility == Agility.D) == one.observer


def test_what_the_seed_states_is_marked():
    stated = {one.type: one.stated_fields for one in BOOK.aircraft.values() if one.stated_fields}
    assert stated == {
        "i16t5": ("climb", "climb_test", "traits"),
        "i16t10": ("climb", "climb_test", "traits"),
        "i16t17": ("climb", "climb_test", "traits"),
        "a5m2": ("weapons",),
    }
    assert not any(one.derived_fields for one in BOOK.aircraft.values())


def test_the_data_books_as_shipped_hold_together():
    for one in BOOK.aircraft.values():
        assert list(faults_of(one, BOOK, "book")) == [], one.type


# ---- One's own data books

LMG = Weapon(WeaponKind.LMG, 2, 8)
OWN = replace(
    BOOK.aircraft["ki30"],
    type="ki32",
    title="Kawasaki Ki-32",
    weapons=(LMG, replace(LMG, mounting=REAR)),
)


def faults(*own_books):
    with pytest.raises(Malformed) as refused:
        check_own(own_books, BOOK, "setup.own_books")
    assert refused.value.rule_id == "RED-1.4"
    assert {violation.rule_id for violation in refused.value.violations} == {"RED-1.4"}
    prefix = "setup.own_books"
    return [violation.field.removeprefix(prefix) for violation in refused.value.violations]


ROCKETS = Weapon(WeaponKind.ROCKET, 8, 1)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"type": "Ki-32"}, "type"),
        ({"type": ""}, "type"),
        ({"type": "32_ki"}, "type"),
        ({"type": "ki__32"}, "type"),
        ({"type": "ki32\n"}, "type"),
        ({"type": "ki27"}, "type"),
        ({"title": "  "}, "title"),
        ({"min_speed": 5}, "min_speed"),
        ({"min_speed": 6}, "min_speed"),
        ({"dive_speed": 4}, "dive_speed"),
        ({"climb_test": True}, "climb_test"),
        ({"engines": ()}, "engines"),
        ({"traits": (AircraftTrait.RUGGED, AircraftTrait.RUGGED)}, "traits"),
        ({"weapons": (LMG, replace(LMG, boxes=0))}, "weapons[1].boxes"),
        ({"observer": False}, "weapons[1].mounting"),
        ({"weapons": (replace(LMG, guns=7), ROCKETS)}, "weapons"),
    ],
)
def test_each_fault_of_an_own_data_book_is_found_at_its_place(changes, field):
    assert faults(replace(OWN, **changes)) == [f"[0].{field}"]


def test_an_own_data_book_may_be_at_the_bounds():
    check_own((), BOOK, "own_books")
    check_own((OWN,), BOOK, "own_books")
    bound = replace(
        OWN,
        type="a1-b_2",
        min_speed=4,
        max_speed=5,
        dive_speed=5,
        climb=3,
        climb_test=True,
        engines=(1,),
        traits=tuple(AircraftTrait),
        weapons=(replace(LMG, guns=6, boxes=1), ROCKETS, replace(ROCKETS, mounting=REAR)),
    )
    check_own((OWN, bound), BOOK, "own_books")
    fighter = replace(OWN, type="fighter", observer=False, weapons=(LMG,))
    unarmed = replace(fighter, type="unarmed", weapons=())
    check_own((fighter, unarmed), BOOK, "own_books")


def test_two_own_data_books_may_not_share_a_slug():
    assert faults(OWN, replace(OWN, title="Another")) == ["[0].type", "[1].type"]


def test_all_faults_are_listed_at_once_and_counted():
    broken = replace(
        OWN, min_speed=7, dive_speed=1, climb_test=True, engines=(), observer=False, weapons=(LMG,)
    )
    assert faults(OWN, broken) == [
        "[0].type",
        "[1].type",
        "[1].min_speed",
        "[1].dive_speed",
        "[1].climb_test",
        "[1].engines",
    ]
    with pytest.raises(Malformed, match=r"4 faults in all"):
        check_own((replace(broken, type="other"),), BOOK, "own_books")


AT = Position(0, 0, 0, 6)
BROKEN = (replace(OWN, engines=()),)


def flying(slug="ki27", **more):
    return Aircraft("one", slug, AT, 3, **more)


SKILL_TEST = facts_of_verbs.Testing(flying(), facts_of_verbs.Test.SKILL)


@pytest.mark.parametrize(
    ("rule", "facts"),
    [
        (rule_on_move, MoveFacts(Choosing(flying(), Choice("one", Maneuver.STRAIGHT)), BROKEN)),
        (
            rule_on_fire,
            FireFacts(
                Firing(
                    flying(),
                    replace(flying(), id="two", position=Position(0, 5000, 0, 6)),
                    (0,),
                    aim_of(AT, Position(0, 5000, 0, 6), FORWARD, BOOK),
                ),
                BROKEN,
            ),
        ),
        (rule_on_damage, DamageFacts(SKILL_TEST, BROKEN)),
    ],
    ids=["move", "fire", "damage"],
)
def test_every_rule_refuses_a_broken_data_book_before_it_throws(rule, facts):
    with pytest.raises(Malformed) as refused:
        rule(facts, BOOK, DealtDice(()))
    assert refused.value.rule_id == "RED-1.4"
    assert refused.value.violations[0].field == "own_books[0].engines"


def test_a_game_refuses_a_broken_data_book():
    with pytest.raises(Malformed) as refused:
        set_up(Setup(type="ki27", own_books=BROKEN), BOOK)
    assert refused.value.violations[0].field == "setup.own_books[0].engines"
    assert set_up(Setup(type="ki32", own_books=(OWN,)), BOOK).own_books == (OWN,)


def test_a_type_is_looked_for_among_ones_own_and_the_shipped_ones():
    assert data_book_of("ki32", (OWN,), BOOK, "type") is OWN
    assert data_book_of("ki27", (OWN,), BOOK, "type") is BOOK.aircraft["ki27"]
    with pytest.raises(Malformed) as refused:
        data_book_of("ki32", (), BOOK, "aircraft.type")
    assert (refused.value.rule_id, refused.value.field) == ("RED-1.2", "aircraft.type")


# ---- The page of the rule set


def part_of_page(after, before):
    return README.partition(after)[2].partition(before)[0]


def cells_of_page(head, before):
    """The rows of a table of the page, by how its head begins and what follows, cell by cell."""
    rows = [line for line in part_of_page(head, before).splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [row for row in cells if not row[0].startswith("---")]


def slugs(cell):
    return re.findall(r"`(\w+)`", cell)


KINDS = {"lmg": "LMG", "hmg": "HMG", "cannon": "cannon", "rocket": "rockets"}


def test_the_page_lists_the_data_books_as_they_are():
    listed = cells_of_page("| slug | type |", "Stated:")
    assert [row[0].strip("`") for row in listed] == list(BOOK.aircraft)
    for row, one in zip(listed, BOOK.aircraft.values()):
        weapons = "; ".join(
            f"{w.guns} {KINDS[w.kind]} ({w.boxes}){' rear' if w.mounting == REAR else ''}"
            for w in one.weapons
        )
        more = [trait.replace("_", " ") for trait in one.traits]
        more += ["climb test"] * one.climb_test + ["observer"] * one.observer
        more += ["third man"] * one.third_man
        more += [] if one.extreme else ["no extreme maneuvers"]
        assert row[1:] == [
            one.title, f"{one.min_speed} to {one.max_speed}", str(one.dive_speed),
            one.agility.upper(), str(one.climb), str(one.damage_points),
            " + ".join(str(boxes) for boxes in one.engines), weapons, f"{one.spin_number}+",
            ", ".join(more) or "none",
        ]  # fmt: skip


def test_the_page_lists_every_action_with_its_discs():
    listed = cells_of_page("| ACTION |", "No STATUS card")
    found = {slug: row for row in listed for slug in slugs(row[0])}
    assert list(found) == [maneuver.value for maneuver in Maneuver]
    for maneuver in Maneuver:
        _, codes, ends, *_ = found[maneuver.value]
        mirrored = "right" in maneuver.value
        wanted = codes.strip("`").translate(str.maketrans("Ll", "Rr")) if mirrored else codes[1:-1]
        assert codes_of(maneuver, 3, BOOK) == wanted
        last = laid(AT, wanted, {}, BOOK)[-1].heading_degrees
        turned = int(match[0]) if (match := re.match(r"\d+", ends)) else 0
        assert last in (turned, 360 - turned)


def test_the_page_lists_every_status_card_and_what_it_does():
    listed = cells_of_page("| STATUS |", "What a climb or dive does")
    found = {slug: row for row in listed for slug in slugs(row[0])}
    assert set(found) == {*AltitudeCard, *SpeedCard}
    for card in AltitudeCard:
        bands = BOOK.tables["altitude-cards"].number(card.value, "altitude")
        speed = BOOK.tables["altitude-cards"].number(card.value, "speed")
        _, altitude, told = found[card.value]
        assert str(abs(bands)) in altitude
        assert altitude.endswith("up" if bands > 0 else "down")
        assert not speed or told.startswith(f"{abs(speed)} {'more' if speed > 0 else 'less'}")


def test_the_page_draws_the_worked_example_as_it_is_flown():
    chaser = Aircraft("c", "i15", Position(0, -10 * MILS, 0, 6), 4, Pilot(2))
    target = laid(AT, codes_of(Maneuver.LEFT, 3, BOOK), {}, BOOK)[-1]
    listed = cells_of_page("| tweaks, each to the left |", "The forward arc")
    assert len(listed) == 4
    for row, discs in zip(listed, ((), (2,), (2, 3), (2, 3, 4))):
        tweaks = tuple(Tweak(disc, TweakSide.LEFT) for disc in discs)
        choice = Choice("c", Maneuver.SHIFT_LEFT)
        moving = Moving(chaser, choice, tailing=True, tweaks=tweaks)
        ruling = rule_on_move(MoveFacts(moving), BOOK, DealtDice(()))
        at = ruling.outcome.procedure.position
        x, y = (float(number) for number in row[1].split(","))
        assert at.x_mils == pytest.approx(1000 * x, abs=10)
        assert at.y_mils == pytest.approx(1000 * y, abs=10)
        assert at.heading_degrees == int(row[2])
        assert abs(bearing_degrees(at, target) - float(row[3])) <= 2.5
        assert range_mils(at, target) == pytest.approx(1000 * float(row[4]), abs=10)
    drawing = part_of_page("```\n", "```")
    assert sorted(re.findall(r"\b[tcC]\d", drawing)) == [
        "C3", "C4", "c0", "c1", "c2", "c3", "c4", "t0", "t1", "t2", "t3",
    ]  # fmt: skip


def test_the_type_of_ones_own_on_the_page_is_taken():
    (text,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    setup = from_json(
        json.dumps({"redstars": {"type": "i16t24", "own_books": [json.loads(text)]}}).encode(),
        actions_pb2.SessionSetup,
    )
    found = wire.read(setup.redstars, Setup, "setup")
    board = set_up(found, BOOK)
    (own,) = board.own_books
    assert own == replace(
        BOOK.aircraft["i16t10"],
        type="i16t24",
        title="Polikarpov I-16 type 24",
        agility=Agility.C,
        source="",
        stated_fields=(),
    )
    assert own.nation == Nation.SOVIET


def test_files_that_the_page_names_are_there():
    for name in re.findall(r"`(\w+\.(?:py|toml))`", README):
        at = FOLDER.joinpath(name)
        assert at.is_file() or name.startswith("test_"), name


def test_every_action_can_be_chosen_with_some_type():
    for maneuver in Maneuver:
        choice = Choice("one", maneuver)
        one = replace(flying("i15"), speed=3)
        assert choice_fault(one, choice, BOOK.aircraft["i15"], BOOK) is None
        played = play(one, choice, BOOK.aircraft["i15"], BOOK)
        assert flown(one, choice, (), 0, BOOK.aircraft["i15"], BOOK, played).discs


# ---- Examples

RULES = {
    "Move": rule_on_move,
    "Spot": rule_on_spot,
    "Fire": rule_on_fire,
    "Damage": rule_on_damage,
}


def read_example(value, kind):
    message = from_json(json.dumps(value).encode(), getattr(actions_pb2, kind))
    classes = facts_of_verbs if kind.endswith("Facts") else orders_of_verbs
    return wire.read(message.redstars, getattr(classes, kind), "example")


@pytest.mark.parametrize("verb", RULES)
def test_the_examples_of_stateless_calls_are_ruled_on(verb):
    call = EXAMPLES[f"Resolve{verb}"]
    faces = call.get("dice", {"supplied": {"faces": [4]}})["supplied"]["faces"]
    dice = DealtDice(faces if verb in ("Fire", "Damage") else ())
    assert RULES[verb](read_example(call["facts"], f"{verb}Facts"), BOOK, dice).summary


@pytest.mark.parametrize("call", ["ResolveFire", "ComputeOdds"])
def test_an_example_of_fire_aims_as_its_aircraft_lie(call):
    example = EXAMPLES[call].get("facts") or EXAMPLES[call]["fire"]
    firing = read_example(example, "FireFacts").procedure
    assert firing.aim == aim_of(firing.shooter.position, firing.target.position, FORWARD, BOOK)


def test_the_odds_of_the_example_are_whole():
    facts = read_example(EXAMPLES["ComputeOdds"]["fire"], "FireFacts")
    odds = odds_of(lambda dice: rule_on_fire(facts, BOOK, dice).outcome)
    assert sum(odds.outcomes.values()) == 1


def every_order():
    for verb in RULES:
        several = EXAMPLES[verb]
        yield from ((verb, one) for one in (several if isinstance(several, list) else [several]))


def test_the_example_of_a_game_and_its_orders_fit_together():
    setup = from_json(
        json.dumps(EXAMPLES["CreateSession"]["setup"]).encode(), actions_pb2.SessionSetup
    )
    board = set_up(wire.read(setup.redstars, Setup, "setup"), BOOK)
    flown_here = {one.aircraft.id for one in board.craft}
    for verb, request in every_order():
        order = read_example(request["order"], f"{verb}Order").procedure
        named = {
            getattr(order, name)
            for name in ("aircraft", "other", "shooter", "target")
            if hasattr(order, name)
        }
        assert named - {""} <= flown_here
    assert EXAMPLES["ClaimSeat"]["seat"] in {one.side.value for one in board.craft}
