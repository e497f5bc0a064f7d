"""Pilots that behave, and each kind that does not: it loses its own game, and hurts nobody."""

import contextlib
import json
import stat
import threading
from pathlib import Path

import pytest
from guncamera.v1.actions_pb2 import SessionSetup
from guncamera.v1.session_service_pb2 import LegalOrder
from guncamera_client import DeadlineExceeded, InputInvalid
from guncamera_tournament import playing, remote_seat
from guncamera_tournament.calls import SeatOrders
from guncamera_tournament.checking import check_pilot
from guncamera_tournament.event import ClockRules, Limits
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.remote_seat import sit
from guncamera_tournament.sitting import Misconduct
from guncamera_tournament.timing import GameTime, Stopwatch
from living import is_gone
from servers import wait_until

RANDOM = "stock:random"
HERE = Path(__file__)
PILOTS = HERE.with_name("tournament_pilots.py")
IMPATIENT = ClockRules(soft_seconds=0.1, hard_seconds=0.3, most_strikes=1)
QUICK = {"soft_seconds": 0.1, "hard_seconds": 0.3, "most_strikes": 2}
PATIENCE = 60.0


@pytest.mark.parametrize(
    ("pilot", "reason", "detail"),
    [
        ("crash", "crash", "ValueError: no idea what to do about <object object at 0x…>"),
        ("exits", "crash", "it ended with status 3"),
        ("killed", "crash", "it was killed by signal 9"),
        ("greedy_of_memory", "crash", "MemoryError"),
        ("illegal", "illegal", ""),
        ("nothing", "crash", "TypeError: NoneType is no order; return one of legal_orders()."),
        ("asks_too_much", "flood", "it asked more than 100 questions for one order"),
        ("asks_nonsense", "crash", "ValueError: 0 orders were asked for; ask for 1 to 1000."),
    ],
)
def test_who_misbehaves_loses_its_own_game_and_no_other(play, event_of, pilot, reason, detail):
    event = event_of(
        "circus", pilot, RANDOM, RANDOM,
        format="round-robin", most_actions=30, swap_sides=False, limits=Limits(memory_mb=300),
    )  # fmt: skip
    bad = event.names[0]
    records = play(event, in_flight=2)
    assert len(records) == 3
    for record in records:
        if bad in record.pilots:
            assert record.reason == f"forfeit: {reason}"
            assert record.losers == (bad,)
            assert record.points[bad] == 0.0
            assert record.points[record.winner] == 1.0
            assert detail in record.detail
            assert record.detail.startswith(f"{bad}: ")
        else:
            assert record.reason in ("finished", "length")
            assert record.detail == ""


def test_an_illegal_order_is_told_by_its_rule_and_the_same_when_played_again(play, event_of):
    event = event_of("redstars", "illegal", RANDOM, swap_sides=False)
    (one,), (again,) = play(event, "one"), play(event, "again")
    assert one == again
    assert one.reason == "forfeit: illegal"
    assert "sessions/" not in one.detail


def test_who_hangs_gets_the_default_order_and_strikes_and_loses(play, event_of, with_clock):
    event = with_clock(event_of("redstars", "hang", RANDOM, swap_sides=False), **QUICK)
    (record,) = play(event)
    assert record.reason == "forfeit: timeout"
    assert record.losers == (event.names[0],)
    assert "it thought too long 2 times" in record.detail
    timings = json.loads((play.folder / "timings.json").read_text())["games"][record.bout]
    assert timings["pilots"][event.names[0]]["strikes"] == 2
    film = json.loads((play.folder / record.boards[0].film).read_text())
    assert film["session"]["ruleset"] == "rulesets/redstars", "filmed, though cards were hidden"


def test_the_default_order_is_the_first_legal_one(play, event_of, with_clock):
    """One who always hangs plays as one who always takes the first, while it has strikes left."""
    orders = {}
    for name, clock in (("hang", {**QUICK, "most_strikes": 1000}), ("first", {})):
        event = event_of("circus", name, RANDOM, most_actions=4, swap_sides=False)
        (record,) = play(with_clock(event, **clock), name)
        assert record.reason in ("finished", "length")
        film = json.loads((play.folder / record.boards[0].film).read_text())
        orders[name] = [one.get("move", one.get("fire")) for one in film["actions"][:2]]
    assert orders["hang"] == orders["first"]


def test_a_slow_order_is_a_strike_and_is_given_all_the_same(play, event_of, with_clock):
    clock = {"soft_seconds": 0.5, "hard_seconds": 60.0, "most_strikes": 1000}
    event = event_of("redstars", "slow_twice", RANDOM, swap_sides=False)
    (slow,) = play(with_clock(event, **clock), "slow")
    (calm,) = play(event_of("redstars", "first", RANDOM, swap_sides=False), "calm")
    timings = json.loads((play.folder.with_name("slow") / "timings.json").read_text())
    own = timings["games"][slow.bout]["pilots"][event.names[0]]
    assert own["strikes"] >= 2
    assert own["slowest_seconds"] >= 0.75
    films = [record.boards[0].film_sha256 for record in (slow, calm)]
    assert films[0] == films[1], "no clock has changed what was played"


def test_a_pilot_sees_no_keys_and_brings_nothing_from_game_to_game(play, event_of, monkeypatch):
    monkeypatch.setenv("GUNCAMERA_KEY", "gck_nobody_may_see_this")
    monkeypatch.delenv("GUNCAMERA_KEY")
    monkeypatch.setenv("GUNCAMERA_OTHER", "nor this")
    records = play(event_of("redstars", "looks_around", RANDOM))
    assert [record.detail for record in records] == ["", ""]


def test_what_a_pilot_has_started_is_gone_with_its_game(play, event_of, monkeypatch, tmp_path):
    monkeypatch.setenv("CHILDREN", str(tmp_path / "children"))
    play(event_of("redstars", "leaves_a_child", RANDOM, most_actions=4, swap_sides=False))
    children = [int(line) for line in (tmp_path / "children").read_text().split()]
    assert children
    wait_until(lambda: all(map(is_gone, children)), "the children are gone", PATIENCE)


def test_a_program_in_any_language_plays(play, event_of, tmp_path):
    script = tmp_path / "first.sh"
    script.write_text(
        "#!/bin/bash\n"
        'while read -r line; do case "$line" in\n'
        """*'"type": "game"'*) echo '{"type": "ready"}' ;;\n"""
        """*'"type": "turn"'*) echo '{"type": "legal_orders", "count": 1}' ;;\n"""
        """*) order=${line#*'"orders": ['}\n"""
        """   echo '{"type": "order", "order": '"${order%]*}"'}' ;;\n"""
        "esac; done\n"
    )
    script.chmod(0o755)
    event = event_of("redstars", f"program:{script}", "first")
    records = play(event)
    assert {record.reason for record in records} == {"finished"}


# ---- Remote pilots


@pytest.fixture
def seated(tmp_path):
    """Pilots that sit in threads of their own, each at a folder of invitations."""
    over, sitting, faults = threading.Event(), [], []

    def seat(folder: Path, pilot):
        def run():
            try:
                sit(folder, pilot, until=over.is_set)
            except Exception as fault:
                faults.append(fault)

        folder.mkdir(parents=True)
        sitting.append(threading.Thread(target=run))
        sitting[-1].start()

    yield seat
    over.set()
    for thread in sitting:
        thread.join(PATIENCE)
    assert faults == []


@pytest.mark.parametrize("slug", ["redstars", "carriers"])
def test_a_remote_pilot_plays_with_its_seats_token(play, event_of, seated, tmp_path, slug):
    event = event_of(slug, "remote:ann", RANDOM, most_actions=30)
    seen, modes = [], set()

    def pilot(situation):
        seen.append(situation.seat)
        # It is taken back as soon as the game is over, which may be just now.
        with contextlib.suppress(FileNotFoundError):
            for file in (tmp_path / "event/invitations/ann").glob("*.json"):
                modes.add(stat.S_IMODE(file.stat().st_mode))
        return situation.legal_orders(1)[0]

    seated(tmp_path / "event/invitations/ann", pilot)
    remote = play(event, in_flight=1)
    assert {record.reason for record in remote} <= {"finished", "length"}
    assert len(set(seen)) == 2, "it has played both sides"
    assert modes == {0o600}
    assert list((tmp_path / "event/invitations/ann").iterdir()) == [], "taken back"
    timings = json.loads((play.folder / "timings.json").read_text())["games"]
    for record in remote:
        film = json.loads((play.folder / record.boards[0].film).read_text())
        (seat,) = [seat for seat, name in record.boards[0].seats.items() if name == "0-ann"]
        assert [one for one in film["actions"] if one["seat"] == seat]
        assert timings[record.bout]["pilots"]["0-ann"]["strikes"] == 0


def test_a_remote_pilot_that_never_comes_gets_default_orders_and_loses(play, event_of, with_clock):
    event = event_of("redstars", "remote:nobody", RANDOM, swap_sides=False)
    (record,) = play(with_clock(event, **QUICK))
    assert record.reason == "forfeit: timeout"
    assert record.losers == ("0-nobody",)


def loaded(client, session, order) -> dict:
    """Ones, as many as an order asks for."""
    faces: list[int] = []
    while True:
        preview = client.give_order(
            session, order, etag=session.etag, dice=faces, validate_only=True
        )
        if not preview.HasField("would_ask"):
            return {"dice": faces} if faces else {}
        faces += [1] * len(preview.would_ask.sides)


def stirred(client, session, order) -> dict:
    return {"client_nonce": "stir-it-well"}


@pytest.mark.parametrize(
    ("meddle", "said"),
    [
        (loaded, "it brought dice of its own"),
        (stirred, "it sent a nonce, which changes the dice"),
    ],
)
def test_a_remote_pilot_that_meddles_with_the_dice_has_cheated(
    play, event_of, seated, tmp_path, monkeypatch, meddle, said
):
    def give(client, session, pilot, situation):
        order = pilot(situation)
        if order.WhichOneof("order") == session.sealed_verb:
            client.seal_order(session, order, etag=session.etag)
        else:
            own = meddle(client, session, order)
            client.give_order(session, order, etag=session.etag, **own)

    monkeypatch.setattr(remote_seat, "_give", give)
    seated(tmp_path / "event/invitations/eve", lambda situation: situation.legal_orders(1)[0])
    (record,) = play(event_of("redstars", "remote:eve", RANDOM, swap_sides=False))
    assert record.reason == "forfeit: cheat"
    assert record.losers == ("0-eve",)
    assert record.detail == f"0-eve: {said}"


def test_who_stumbles_over_what_a_remote_pilot_has_changed_is_asked_again(
    play, event_of, seated, tmp_path, client, monkeypatch
):
    def startled(situation):
        if situation.nth == 0 and not stumbled:
            # Both sides may deploy at once: the other does while this one thinks.
            wait_until(
                lambda: client.get_session(situation.session).revision > situation.session.revision,
                "the other has deployed", PATIENCE,
            )  # fmt: skip
            stumbled.append(situation.seat)
            raise IndexError("no such order")
        return situation.legal_orders(1)[0]

    stumbled = []
    monkeypatch.setattr(playing, "stock_pilot", lambda name: startled)
    seated(tmp_path / "event/invitations/ann", lambda situation: situation.legal_orders(1)[0])
    event = event_of("carriers", RANDOM, "remote:ann", most_actions=6, swap_sides=False)
    (record,) = play(event)
    assert (record.reason, record.detail) == ("length", "")
    assert stumbled == ["us"]


def test_a_game_that_is_taken_away_is_left(client, seated, tmp_path):
    setup = SessionSetup()
    setup.redstars.SetInParent()
    folder, played = tmp_path / "ann", []

    def pilot(situation):
        played.append(situation.session.name)
        return situation.legal_orders(1)[0]

    seated(folder, pilot)
    clock = {"soft_seconds": 1, "hard_seconds": 1, "most_strikes": 1}
    for nth in (1, 2):
        session = client.create_session(setup)
        token = client.claim_seat(session, "soviet").token
        invitation = {
            "bout": "b", "target": client.target, "session": session.name, "seat": "soviet",
            "token": token, "clock": clock,
        }  # fmt: skip
        (folder / f"{nth}.writing").write_text(json.dumps(invitation))
        (folder / f"{nth}.writing").replace(folder / f"{nth}.json")
        # Nobody plays the other seat: it would wait for ever.
        wait_until(lambda nth=nth: len(set(played)) == nth, "it plays", PATIENCE)
        (folder / f"{nth}.json").unlink()


def test_what_the_service_refuses_to_list_is_the_pilots_doing():
    class Refusing:
        def list_legal_orders(self, session, page_size):
            raise InputInvalid("page_size is 0")

        def draw_legal_orders(self, session, count, seed):
            raise DeadlineExceeded("too late")

    source = SeatOrders(Refusing(), None, Stopwatch(), GameTime())
    with pytest.raises(Misconduct, match="illegal: page_size is 0"):
        source.first(1)
    with pytest.raises(Misconduct, match="timeout: it asked for more legal orders"):
        source.drawn(1, "seed")


def test_the_clock_stands_still_while_the_service_lists_orders(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])

    class Slow:
        def list_legal_orders(self, session, page_size):
            now[0] += 5.0
            return iter([LegalOrder(summary="at last")] * page_size)

    stopwatch, game_time = Stopwatch(), GameTime()
    now[0] += 1.0
    (order,) = SeatOrders(Slow(), None, stopwatch, game_time).first(1)
    now[0] += 2.0
    assert order.summary == "at last"
    assert stopwatch.seconds == 3.0
    assert (game_time.calls, game_time.service_seconds) == (1, 5.0)


# ---- Checks before an event


def test_a_pilot_that_is_fit_passes_every_check(client):
    found = list(check_pilot(f"{PILOTS}:chancy", "redstars", client))
    assert [check.detail for check in found] == [""] * 6
    assert {check.what.partition(":")[0] for check in found} == {"as soviet", "as japanese"}
    assert any("plays the same game again alike" in check.what for check in found)


def test_chance_of_the_module_is_the_same_again(client):
    found = list(check_pilot(f"{PILOTS}:by_the_module", "circus", client))
    assert [check.detail for check in found] == [""] * 6


def test_a_remote_pilot_is_checked_where_it_runs(client):
    with pytest.raises(TournamentError, match="where it runs"):
        list(check_pilot("remote:ann", "circus", client))


def test_a_pilot_that_plays_otherwise_when_played_again_is_told(client, tmp_path):
    (tmp_path / "moody.py").write_text(
        "import os\n\ndef fly(s):\n    orders = s.legal_orders(30)\n"
        "    return orders[os.urandom(1)[0] % len(orders)]\n"
    )
    found = list(check_pilot(f"{tmp_path}/moody.py:fly", "circus", client))
    (told, *_) = [check for check in found if not check.passed]
    assert "played otherwise" in told.detail


def test_a_pilot_that_is_not_fit_is_told_why(client):
    for name, said, clock in (
        ("crash", "forfeit: crash: checked: ValueError", ClockRules()),
        ("hang", "forfeit: timeout: checked: it thought too long 1 times", IMPATIENT),
    ):
        found = list(check_pilot(f"{PILOTS}:{name}", "redstars", client, clock=clock))
        assert any(check.detail.startswith(said) for check in found), found


def test_a_watch_held_twice_is_held_once(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("guncamera_tournament.timing.time.perf_counter", lambda: now[0])
    watch = Stopwatch()
    now[0] = 1.0
    with watch.held():
        now[0] = 2.0
        with watch.held():
            now[0] = 5.0
        now[0] = 6.0
    now[0] = 6.5
    assert watch.seconds == 1.5
