"""`guncamera conform` and `guncamera reproduce`: what passes, and how a failure reads."""

from dataclasses import replace

import pytest
from guncamera.cli import reproducing
from guncamera.conformance import cases
from guncamera.conformance.targets import can_be_sent
from guncamera.rules.ruleset import Figure, ruleset
from shipped import shipped_cases

CASES = shipped_cases()


def test_the_core_passes_its_cases(run):
    ran = run("conform")
    assert ran.code == 0, ran.out
    assert ran.out.splitlines()[-1] == f"{len(CASES)} passed, 0 failed"
    assert ran.out.splitlines()[0].split()[:3] == ["1", "ok", CASES[0].id]


# Over REST the README's own line puts all of them.
@pytest.mark.parametrize(
    ("transport", "chosen", "put"),
    [
        ("grpc", [], CASES),
        ("url", ["--ruleset", "redstars"], [one for one in CASES if one.ruleset == "redstars"]),
    ],
)
def test_a_service_passes_them_by_either_transport(run, service, transport, chosen, put):
    ran = run("conform", "--target", getattr(service, transport), *chosen, "--json")
    assert ran.code == 0, [one for one in ran.json["cases"] if one["faults"]]
    unsendable = sum(1 for case in put if not can_be_sent(case))
    assert ran.json["core_only"] == unsendable
    assert ran.json["passed"] == len(put) - unsendable > 100
    assert ran.json["failed"] == 0


def test_a_case_that_no_typed_client_can_send_is_core_only(run, service, monkeypatch):
    good = next(case for case in CASES if case.id == "KET-7.7.a")
    facts = {**good.facts, "aspect": "sideways"}
    refused = {"reason": "INPUT_INVALID", "field": "aspect"}
    bad = replace(good, id="bad", facts=facts, expect=None, odds={}, refused=refused)
    monkeypatch.setattr(cases, "load_cases", lambda: [good, bad])
    ran = run("conform", "--target", service.url)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "1 passed, 0 failed, 1 core only"
    assert run("conform").out.splitlines()[-1] == "2 passed, 0 failed"


def test_cases_are_chosen_by_id_by_rule_and_by_ruleset(run):
    assert run("conform", "--case", "KET-7.7.a").out.endswith("\n1 passed, 0 failed\n")
    by_rule = sum(1 for case in CASES if "KET-7.3" in case.rules)
    assert run("conform", "--case", "KET-7.3", "--json").json["passed"] == by_rule > 1
    by_ruleset = sum(1 for case in CASES if case.ruleset == "kettering")
    assert run("conform", "--ruleset", "kettering", "--json").json["passed"] == by_ruleset
    run("conform", "--case", "KET-99.a").refused(2, "KET-99.a")


def test_a_failure_is_told_in_words(run, monkeypatch):
    good = next(case for case in CASES if case.id == "KET-7.7.a")
    bad = replace(
        good, id="bad", expect={"torpedo_destroyed": True}, odds={"torpedo_destroyed": "1/2"}
    )
    monkeypatch.setattr(cases, "load_cases", lambda: [good, bad])
    ran = run("conform")
    assert ran.code == 1
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "torpedo_destroyed: expected yes, found no" in lines
    assert "odds of torpedo_destroyed: expected 1/2, found 2/9" in lines
    assert lines[-1] == "1 passed, 1 failed"
    assert run("conform", "--json").json["cases"][1]["verdict"] == "failed"


def test_a_faulty_case_file_is_one_line(run, monkeypatch):
    def load():
        raise cases.CaseFileError("kettering/x.toml: case y: no verb")

    monkeypatch.setattr(cases, "load_cases", load)
    run("conform").refused(1, "kettering/x.toml")


def test_a_service_that_is_not_there_is_one_line_and_not_a_failure_of_each_case(run):
    run("conform", "--target", "127.0.0.1:1").refused(1, "UNAVAILABLE")
    run("conform", "--target", "http://127.0.0.1:1").refused(1, "UNAVAILABLE")


# ---- reproduce


@pytest.fixture
def published(monkeypatch):
    """Makes the rule set publish these figures."""

    def publish(*agrees):
        figures = [
            Figure(f"Table {at // 2}", f"cell {at}", "0.12", "0.13", "+0.01", "0.02", one, "exact")
            for at, one in enumerate(agrees)
        ]
        found = replace(ruleset("kettering"), published=lambda _book: iter(figures))
        monkeypatch.setattr(reproducing, "ruleset", lambda _slug: found)

    return publish


def test_figures_that_agree_are_printed_table_by_table(run, published):
    published(True, True, None)
    ran = run("reproduce", "kettering")
    assert ran.code == 0
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines.index("Table 0") < lines.index("Table 1")
    assert "cell 0 0.12 0.13 +0.01 0.02 agrees" in lines
    assert "cell 2 0.12 0.13 +0.01 0.02 not judged" in lines
    assert lines[-1] == "3 figures: 2 agree, 0 differ, 1 not judged."


def test_a_figure_that_differs_is_exit_code_one(run, published):
    published(True, False, None)
    ran = run("reproduce", "kettering")
    assert ran.code == 1
    assert "DIFFERS" in ran.out
    told = run("reproduce", "kettering", "--json")
    assert told.code == 1
    assert (told.json["agree"], told.json["differ"], told.json["not_judged"]) == (1, 1, 1)
    assert [one["agrees"] for one in told.json["figures"]] == [True, False, None]


def test_the_shipped_figures_are_reproduced(run):
    ran = run("reproduce", "kettering", "--json")
    assert ran.code == 0, ran.out
    assert ran.json["differ"] == 0
    assert ran.json["agree"] > 50
