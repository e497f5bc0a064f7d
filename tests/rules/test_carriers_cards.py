"""Aircraft cards as printed, cards of one's own, forces, and what the rule set's page says."""

import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from importlib import resources

import pytest
from guncamera.api import wire
from guncamera.api.json_codec import from_json
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Malformed
from guncamera.rules.trace import RollLine
from guncamera.rulesets.carriers import facts as facts_of_verbs
from guncamera.rulesets.carriers import orders as orders_of_verbs
from guncamera.rulesets.carriers.board import Board
from guncamera.rulesets.carriers.book import PACKAGE, card_of, load_book
from guncamera.rulesets.carriers.cards import (
    AircraftCard,
    Key,
    Line,
    Role,
    Ship,
    ShipClass,
    Side,
    Weapon,
)
from guncamera.rulesets.carriers.damage import rule_on_damage
from guncamera.rulesets.carriers.facts import (
    Deploying,
    FireFacts,
    Flyer,
    MoveFacts,
    RollingOff,
    Strike,
)
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.forces import default_force
from guncamera.rulesets.carriers.move import rule_on_move
from guncamera.rulesets.carriers.orders import Phase, Setup
from guncamera.rulesets.carriers.own import check_own, faults_of
from guncamera.rulesets.carriers.setup import set_up
from guncamera.rulesets.carriers.spot import rule_on_spot
from guncamera.v1 import actions_pb2

BOOK = load_book()
FOLDER = resources.files(PACKAGE)
README = FOLDER.joinpath("README.md").read_text(encoding="utf-8")
EXAMPLES = json.loads(FOLDER.joinpath("examples.json").read_text(encoding="utf-8"))

# ---- The cards as shipped

REGISTER = """
    zeke  japan fighter      1-5 1   -   short  1
    f4f   us    fighter      1-5 1   -   short  1
    kate  japan torpedo      1-2 1-4 1-2 medium 1-3
    sbd   us    dive_bomber  1-3 1-4 1-2 medium 1-2
    val   japan dive_bomber  1-2 1-2 1-2 short  1
    tbm   us    torpedo      1-2 1-3 1-4 medium 1-3
    pby   us    recon        1-2 1-4 1-2 medium 1-3
    betty japan bomber_recon 1-2 1-4 1-2 long   1-3
"""


def printed(number):
    """A number as it is printed on a card."""
    return "-" if number == 0 else "1" if number == 1 else f"1-{number}"


def line_of(card):
    """A card as a line of the register."""
    numbers = (printed(card.combat), printed(card.bomb), printed(card.torpedo))
    words = (card.type, card.nation, card.role, *numbers, card.range, printed(card.recon))
    return " ".join(words)


def test_the_cards_are_those_of_the_register():
    wanted = [" ".join(line.split()) for line in REGISTER.strip().splitlines()]
    assert [line_of(card) for card in BOOK.aircraft.values()] == wanted


def test_what_the_seed_states_is_marked():
    printed_fields = {"combat", "bomb", "torpedo", "range", "recon"}
    for card in BOOK.aircraft.values():
        assert set(card.stated_fields) >= printed_fields
        assert "nation" in card.derived_fields, "the page prints no nations"
        assert not set(card.stated_fields) & set(card.derived_fields)
        assert {*card.stated_fields, *card.derived_fields} == printed_fields | {"nation", "role"}
        assert "seed 003" in card.source
    assert "role" in BOOK.aircraft["betty"].derived_fields, "B is not in the list of codes"


def test_only_a_betty_reaches_the_long_line_and_only_an_f4f_the_japanese_short_one():
    reach = {(card.nation, card.range): card.type for card in BOOK.aircraft.values()}
    assert reach[Side.JAPAN, Line.LONG] == "betty"
    assert (Side.US, Line.LONG) not in reach
    short = [card for card in BOOK.aircraft.values() if card.range == Line.SHORT]
    assert {card.type for card in short if card.nation == Side.US} == {"f4f"}


def test_the_cards_as_shipped_hold_together():
    for card in BOOK.aircraft.values():
        assert list(faults_of(card, "card")) == [], card.type


def test_kate_is_as_printed_or_swapped():
    kate = card_of("kate", (), BOOK, "type")
    assert (kate.bomb, kate.torpedo) == (4, 2)
    swapped = BOOK.with_settings({"kate_swap": True})
    kate = card_of("kate", (), swapped, "type")
    assert (kate.bomb, kate.torpedo) == (2, 4)
    for slug, card in BOOK.aircraft.items():
        if slug != "kate":
            assert card_of(slug, (), swapped, "type") is card


def test_the_us_torpedo_plane_changes_its_name_and_nothing_else():
    early = card_of("tbm", (), BOOK.with_settings({"us_torpedo_plane": "tbd"}), "type")
    assert "TBD" in early.title
    assert "TBM" in BOOK.aircraft["tbm"].title
    assert replace(early, title=BOOK.aircraft["tbm"].title) == BOOK.aircraft["tbm"]


# ---- One's own cards

OWN = AircraftCard(
    "sb2c", "Curtiss SB2C Helldiver", Side.US, Role.DIVE_BOMBER, 3, 5, 2, Line.MEDIUM, 2
)


def faults(*cards):
    with pytest.raises(Malformed) as refused:
        check_own(cards, BOOK, "setup.own_cards")
    assert refused.value.rule_id == "CAR-1.3"
    assert {violation.rule_id for violation in refused.value.violations} == {"CAR-1.3"}
    prefix = "setup.own_cards"
    return [violation.field.removeprefix(prefix) for violation in refused.value.violations]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"type": "SB2C"}, ".type"),
        ({"type": ""}, ".type"),
        ({"type": "2c"}, ".type"),
        ({"type": "sb__2c"}, ".type"),
        ({"type": "sb2c\n"}, ".type"),
        ({"type": "sbd"}, ".type"),
        ({"title": "  "}, ".title"),
        ({"combat": 0, "bomb": 0, "torpedo": 0, "recon": 0}, ""),
    ],
)
def test_each_fault_of_an_own_card_is_found_at_its_place(changes, field):
    assert faults(replace(OWN, **changes)) == [f"[0]{field}"]


@pytest.mark.parametrize("number", ["combat", "bomb", "torpedo", "recon"])
def test_one_number_is_enough(number):
    none = replace(OWN, combat=0, bomb=0, torpedo=0, recon=0)
    check_own((replace(none, **{number: 1}),), BOOK, "own_cards")


def test_own_cards_that_hold_together():
    check_own((), BOOK, "own_cards")
    check_own((OWN, replace(OWN, type="a6m5-b_2", nation=Side.JAPAN)), BOOK, "own_cards")


def test_two_own_cards_may_not_share_a_slug():
    assert faults(OWN, replace(OWN, title="Another")) == ["[0].type", "[1].type"]


def test_all_faults_are_listed_at_once_and_counted():
    nothing = replace(OWN, title="", combat=0, bomb=0, torpedo=0, recon=0)
    assert faults(OWN, nothing) == ["[0].type", "[1].type", "[1].title", "[1]"]
    with pytest.raises(Malformed, match=r"2 faults in all"):
        check_own((nothing,), BOOK, "own_cards")


@pytest.mark.parametrize(
    "procedure", [RollingOff(), Deploying((Ship(Side.US, ShipClass.CARRIER, Line.LONG, "a"),))]
)
def test_a_rule_refuses_a_broken_card_before_it_throws(procedure):
    with pytest.raises(Malformed) as refused:
        rule_on_move(MoveFacts(procedure, (replace(OWN, title=""),)), BOOK, DealtDice(()))
    assert refused.value.rule_id == "CAR-1.3"
    assert refused.value.violations[0].field == "own_cards[0].title"


def test_a_type_is_looked_for_among_ones_own_and_the_shipped_ones():
    assert card_of("sb2c", (OWN,), BOOK, "type") is OWN
    assert card_of("val", (OWN,), BOOK, "type") is BOOK.aircraft["val"]
    with pytest.raises(Malformed) as refused:
        card_of("sb2c", (), BOOK, "cards[3].type")
    assert (refused.value.rule_id, refused.value.field) == ("CAR-1.2", "cards[3].type")


# ---- The forces as shipped


@pytest.mark.parametrize("side", Side)
def test_a_side_has_two_of_each_carrier_card_for_each_carrier_and_two_patrols(side):
    force = default_force(side, BOOK)
    assert len(force.ships) == 12
    assert sum(ship.ship_class == ShipClass.CARRIER for ship in force.ships) == 2
    assert sorted(Counter(force.cards).values()) == [2, 4, 4, 4]
    assert {BOOK.aircraft[slug].nation for slug in force.cards} == {side}


@pytest.mark.parametrize(
    ("setting", "role", "count"),
    [
        ("fighters_per_carrier", Role.FIGHTER, 6),
        ("dive_bombers_per_carrier", Role.DIVE_BOMBER, 6),
        ("torpedo_planes_per_carrier", Role.TORPEDO, 6),
        ("patrol_cards", Role.RECON, 3),
    ],
)
def test_how_many_cards_is_a_setting(setting, role, count):
    usual = Counter(BOOK.aircraft[slug].role for slug in default_force(Side.US, BOOK).cards)
    force = default_force(Side.US, BOOK.with_settings({setting: 3}))
    more = Counter(BOOK.aircraft[slug].role for slug in force.cards)
    assert more == {**usual, role: count}
    fewer = default_force(Side.US, BOOK.with_settings({setting: 0}))
    assert role not in {BOOK.aircraft[slug].role for slug in fewer.cards}


def test_ships_of_a_force_come_in_the_order_of_their_slots():
    force = default_force(Side.JAPAN, BOOK)
    assert [ship.name for ship in force.ships if ship.line == Line.MEDIUM] == [
        "Maikaze", "Akagi", "Nagara", "Kaga", "Kazagumo",
    ]  # fmt: skip


# ---- The page of the rule set


def rows_of_page(head):
    """The rows of the table of the page whose head begins so, cell by cell."""
    lines = README.partition(head)[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_page_lists_the_cards_as_they_are():
    def told(number):
        return str(number or "-")

    wanted = [
        [
            f"`{card.type}`", card.title, card.nation.value, card.role.replace("_", " "),
            told(card.combat), told(card.bomb), told(card.torpedo), card.range.value,
            told(card.recon),
        ]
        for card in BOOK.aircraft.values()
    ]  # fmt: skip
    assert rows_of_page("| slug | type |") == wanted


def test_the_page_lists_every_phase_in_its_order():
    listed = [row[0].strip("`").lower() for row in rows_of_page("| phase | order |")]
    assert listed == [phase.value for phase in Phase if phase != Phase.FINISHED]
    orders = {name for row in rows_of_page("| phase | order |") for name in slugs(row[1])}
    assert orders == {
        "Move deploy", "Move roll_off", "Move move_ships", "Move place_cards", "Spot reconnoiter",
        "Spot pass_flight", "Fire send_strike", "Fire pass_flight", "Damage",
    }  # fmt: skip


def slugs(cell):
    return re.findall(r"`([^`]+)`", cell)


AKAGI = Ship(Side.JAPAN, ShipClass.CARRIER, Line.MEDIUM, "", "Akagi")


def test_the_page_tells_a_strike_as_it_is_ruled():
    faces = [int(row[0]) for row in rows_of_page("| die | read |")]
    strike = FireFacts(Strike(Flyer("sbd"), Weapon.BOMB, AKAGI, interceptor="zeke"))
    ruling = rule_on_fire(strike, BOOK, DealtDice(faces))
    assert [line.faces for line in ruling.trace if isinstance(line, RollLine)] == [
        (face,) for face in faces
    ]
    assert ruling.outcome.procedure.harm.keys == (Key.OUT_OF_COMMISSION,)


@pytest.mark.parametrize(
    ("interceptor", "chance", "words"),
    [("zeke", Fraction(1, 81), "one strike in 81"), ("", Fraction(2, 27), "the Zeke two in 27")],
)
def test_the_page_tells_its_chance(interceptor, chance, words):
    strike = FireFacts(Strike(Flyer("sbd"), Weapon.BOMB, AKAGI, interceptor=interceptor))
    odds = odds_of(lambda dice: rule_on_fire(strike, BOOK, dice).outcome.procedure)
    burnt = [
        found
        for struck, found in odds.outcomes.items()
        if struck.harm and Key.OUT_OF_COMMISSION in struck.harm.keys
    ]
    assert sum(burnt) == chance
    assert words in README


def test_the_card_of_ones_own_on_the_page_is_taken():
    (text,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    setup = from_json(
        json.dumps({"carriers": {"own_cards": [json.loads(text)]}}).encode(),
        actions_pb2.SessionSetup,
    )
    board = set_up(wire.read(setup.carriers, Setup, "setup"), BOOK)
    assert board.own_cards == (OWN,)


def test_files_that_the_page_names_are_there():
    named = re.findall(r"`(\w+\.(?:py|toml))`", README)
    assert len(named) > 20
    for name in named:
        assert FOLDER.joinpath(name).is_file() or name.startswith("test_"), name


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
    return wire.read(message.carriers, getattr(classes, kind), "example")


@pytest.mark.parametrize("verb", RULES)
def test_the_examples_of_stateless_calls_are_ruled_on(verb):
    call = EXAMPLES[f"Resolve{verb}"]
    faces = call.get("dice", {"supplied": {"faces": [4, 1]}})["supplied"]["faces"]
    dice = DealtDice(() if verb == "Move" else faces)
    assert RULES[verb](read_example(call["facts"], f"{verb}Facts"), BOOK, dice).summary
    dice.close()


def test_the_odds_of_the_example_are_whole():
    facts = read_example(EXAMPLES["ComputeOdds"]["fire"], "FireFacts")
    odds = odds_of(lambda dice: rule_on_fire(facts, BOOK, dice).outcome)
    assert sum(odds.outcomes.values()) == 1
    assert len(odds.outcomes) > 4


def example_board() -> Board:
    setup = from_json(
        json.dumps(EXAMPLES["CreateSession"]["setup"]).encode(), actions_pb2.SessionSetup
    )
    return set_up(wire.read(setup.carriers, Setup, "setup"), BOOK)


def test_the_example_of_a_game_and_its_orders_fit_together():
    board = example_board()
    types = {card.id: card.type for card in board.us.cards}
    ships = {ship.id: ship.name for ship in board.us.ships}
    looks = [item["spot"] for item in EXAMPLES["BatchPlay"]["items"] if "spot" in item]
    moved = read_example(EXAMPLES["Move"][0]["order"], "MoveOrder").procedure.placements[0]
    looked = read_example(looks[0]["order"], "SpotOrder").procedure
    struck = read_example(EXAMPLES["Fire"][0]["order"], "FireOrder").procedure
    assert (types[moved.card], ships[moved.ship]) == ("f4f", "Enterprise")
    assert (types[looked.card], types[struck.card]) == ("pby", "sbd")
    for target in (looked.target, struck.target):
        line = [ship for ship in board.japan.ships if ship.line == target.line]
        assert line[target.slot].name == "Akagi"
        assert BOOK.aircraft["sbd"].range == BOOK.aircraft["pby"].range == target.line
    read_example(EXAMPLES["Damage"]["order"], "DamageOrder")
    assert EXAMPLES["ClaimSeat"]["seat"] in list(Side)
