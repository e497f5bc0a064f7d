"""Events: what may be asked, how it is written, and what is said about what may not."""

from pathlib import Path

import pytest
from guncamera_tournament.asking import asked_event
from guncamera_tournament.event import ClockRules, Entry, Event, Limits, Rules, Setup
from guncamera_tournament.event_file import read_event, written
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.finding import check_spec, find_pilot
from guncamera_tournament.stock import stock_names
from hypothesis import given
from hypothesis import strategies as st

TWO = ({"name": "a", "spec": "stock:random"}, {"name": "b", "spec": "stock:house"})
PLAIN = {"ruleset": "circus", "pilots": list(TWO), "seed": "s"}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


@given(TEXTS, st.dictionaries(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), TEXTS | st.booleans()))
def test_an_event_is_read_as_it_was_written(tmp_path_factory, seed, settings):
    event = Event(
        "circus",
        (Entry("a", f"program:{seed} x"), Entry("b", "remote:b")),
        seed,
        format="knockout",
        setups=(Setup("one", f'{{"x": "{seed}"}}'), Setup("two")),
        settings=settings,
        clock=ClockRules(soft_seconds=0.5),
        limits=Limits(memory_mb=64),
        rules=Rules(3, "abc"),
    )
    file = tmp_path_factory.mktemp("event") / "event.toml"
    file.write_text(written(event), encoding="utf-8")
    assert read_event(file) == event


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"ruleset": 3}, "ruleset"),
        ({"pilots": list(TWO[:1])}, "pilots"),
        ({"pilots": "random"}, "pilots"),
        ({"pilots": [TWO[0], {"name": "b"}]}, "pilots[1].spec"),
        ({"pilots": [TWO[0], TWO[0]]}, "pilots[0].name"),
        ({"pilots": [TWO[0], {"name": "B b", "spec": "stock:random"}]}, "pilots[1].name"),
        ({"pilots": [TWO[0], {"name": "b", "spec": "random"}]}, "pilots[1].spec"),
        ({"pilots": [TWO[0], {"name": "b", "spec": "x", "speed": 1}]}, "pilots[1].speed"),
        ({"format": "league"}, "format"),
        ({"dice": "loaded"}, "dice"),
        ({"dice": "duplicate", "pilots": [TWO[0], {"name": "b", "spec": "remote:b"}]}, "dice"),
        ({"seed": ""}, "seed"),
        ({"games": 0}, "games"),
        ({"games": True}, "games"),
        ({"most_actions": 20_001}, "most_actions"),
        ({"setups": []}, "setups"),
        ({"setups": [{"name": "x"}, {"name": "x"}]}, "setups[0].name"),
        ({"clock": {"soft_seconds": 0}}, "clock.soft_seconds"),
        ({"clock": {"soft_seconds": 31.0}}, "clock.soft_seconds"),
        ({"clock": {"most_strikes": 0}}, "clock.most_strikes"),
        ({"clock": 3}, "clock"),
        ({"limits": {"memory_mb": 1}}, "limits.memory_mb"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_is_refused_by_name(change, field):
    with pytest.raises(TournamentError) as refused:
        Event.from_plain({**PLAIN, **change})
    assert refused.value.field == field
    assert str(refused.value).startswith(f"{field}: ")


def test_what_is_missing_is_refused_by_name():
    with pytest.raises(TournamentError, match="ruleset: missing"):
        Event.from_plain({"pilots": list(TWO), "seed": "s"})


def test_a_file_that_is_no_event_is_refused_by_its_name(tmp_path):
    file = tmp_path / "event.toml"
    for text, said in (("= 3", "no TOML"), ('ruleset = "circus"\n', "missing: pilots, seed")):
        file.write_text(text)
        with pytest.raises(TournamentError, match=said) as refused:
            read_event(file)
        assert str(file) in str(refused.value)
    with pytest.raises(TournamentError, match="cannot be read"):
        read_event(tmp_path / "none.toml")


def asked(folder: Path, **more) -> Event | None:
    given = {"ruleset": None, "seed": None, **more.pop("given", {})}
    usual = {"pilots": (), "setups": (), "settings": (), "clock": {}, "limits": {}}
    return asked_event(folder, **{**usual, **more}, given=given)


def test_options_make_an_event(tmp_path):
    (tmp_path / "Duel.json").write_text('{"turns": 3}')
    long = "program:./a/bomber.exe -v x.sh"
    event = asked(
        tmp_path,
        pilots=["stock:random", "me=mine.py:fly", "mine.py:fly_high", long],
        setups=[tmp_path / "Duel.json"],
        settings=["a=yes", "b=-3", "c=word"],
        clock={"soft_seconds": 1.5, "hard_seconds": None},
        given={"ruleset": "circus", "games": 2},
    )  # fmt: skip
    assert event.names == ("random", "me", "fly_high", "x")
    assert event.entry("me").kind == "python"
    assert event.entry("x").what == "./a/bomber.exe -v x.sh"
    assert event.setups == (Setup("duel", '{"turns": 3}'),)
    assert event.settings == {"a": True, "b": -3, "c": "word"}
    assert event.clock == ClockRules(soft_seconds=1.5)
    assert len(event.seed) == 32, "drawn, for nobody may guess it"
    (tmp_path / "event.toml").write_text(written(event))
    again = asked(tmp_path, pilots=["stock:random", "stock:house"], given={"ruleset": "circus"})
    assert again.seed == event.seed


def test_no_options_ask_for_nothing(tmp_path):
    assert asked(tmp_path) is None
    with pytest.raises(TournamentError, match="write NAME=VALUE"):
        asked(tmp_path, settings=["x"])
    with pytest.raises(TournamentError, match="cannot be read"):
        asked(tmp_path, setups=[tmp_path / "none.json"])


@pytest.mark.parametrize(
    "spec",
    ["stock:nobody", "none.py:fly", "program:no-such-program-here", "remote:A B"],
)
def test_a_pilot_that_is_none_is_refused(spec):
    with pytest.raises(TournamentError) as refused:
        check_spec(Entry("a", spec), "pilots[0].spec")
    assert refused.value.field == "pilots[0].spec"


def test_pilots_are_found_by_name(tmp_path):
    (tmp_path / "mine.py").write_text("import beside\n\ndef fly(situation):\n    return beside.X\n")
    (tmp_path / "beside.py").write_text("X = 3\n")
    assert find_pilot(f"{tmp_path}/mine.py:fly")(None) == 3
    assert {"random", "house"} <= set(stock_names())
    assert callable(find_pilot("stock:random"))
    for spec in (f"{tmp_path}/mine.py:sail", f"{tmp_path}/none.py:fly", "stock:none", "json:none"):
        with pytest.raises(TournamentError):
            find_pilot(spec)
