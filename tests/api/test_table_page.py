"""The page at /table: a form for every ruling, dice thrown one by one, and what is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import asking
import pytest
from conftest import Service
from guncamera.api import rest_table
from guncamera.api.openapi import document
from guncamera.api.rest_docs import CONTENT_SECURITY_POLICY
from guncamera.rules.ruleset import rulesets
from node import node

PAGE = Path(rest_table.__file__).parent / "table_page"
SCRIPTS = Path(__file__).parent / "table_page"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("table")
    for name in ("form.js", "page.js"):
        (made / name).write_text((PAGE / name).read_text())
    for script in SCRIPTS.glob("*.js"):
        (made / script.name).write_text(script.read_text())
    (made / "package.json").write_text('{"type": "module"}')
    return made


def facts_of(spec: Any, slug: str, verb: str) -> tuple[Any, list[Any]]:
    """The schema of a ruling's facts, and every example of them."""
    body = spec["paths"][f"/v1:resolve{verb.capitalize()}"]["post"]["requestBody"]
    content = body["content"]["application/json"]
    schemas = spec["components"]["schemas"]
    request = schemas[content["schema"]["$ref"].split("/")[-1]]
    facts = schemas[request["properties"]["facts"]["$ref"].split("/")[-1]]
    examples = [
        one["value"]["facts"][slug]
        for name, one in content.get("examples", {}).items()
        if name.partition("-")[0] == slug
    ]
    return facts["properties"][slug], examples


def test_every_ruling_has_a_form_that_says_what_it_was_filled_with(folder: Path) -> None:
    spec = document("")
    asked = []
    for slug, found in rulesets().items():
        for verb in found.procedures:
            schema, examples = facts_of(spec, slug, verb)
            assert examples, f"no example of {verb} in {slug} to fill the form with"
            asked += [{"schema": schema, "value": value} for value in examples]
    (folder / "forms.json").write_text(json.dumps({"spec": spec, "asked": asked}))
    told = json.loads(node("forms.js", cwd=folder))
    assert sum(bool(one["value"]) for one in asked) >= 17
    for one, said in zip(asked, told, strict=True):
        assert said["filled"] == one["value"]
        assert said["untouched"] == said["emptied"]


def settings_of(service: Service, slug: str) -> Any:
    return asking.get(f"{service.url}/v1/rulesets/{slug}", timeout=30).json()["settings"]


@pytest.mark.parametrize(
    ("slug", "verb", "faces"),
    [("kettering", "fire", [3, 4]), ("circus", "fire", [5, 2, 6, 6, 6, 6, 6, 6, 6, 6])],
)
def test_dice_of_ones_own_are_asked_for_one_by_one(
    folder: Path, service: Service, slug: str, verb: str, faces: list[int]
) -> None:
    _, (facts, *_) = facts_of(document(""), slug, verb)
    thrown: list[int] = []
    while True:  # as many dice as the shot takes
        ask = {"facts": {slug: facts}, "dice": {"supplied": {"faces": thrown}}}
        answer = asking.post(f"{service.url}/v1:resolve{verb.capitalize()}", json=ask, timeout=30)
        if answer.status_code == 200:
            break
        thrown = faces[: len(thrown) + len(answer.json()["roll_required"]["sides"])]
    ruling = answer.json()
    assert len(thrown) > 1
    found = json.loads(node("play.js", service.url, slug, verb, json.dumps(thrown), cwd=folder))
    assert len(found["throws"]) == len(thrown)
    assert found["ruling"].startswith(ruling["summary"])
    assert "By your own dice" in found["ruling"]
    for line in ruling["trace"]:
        ((_, said),) = line.items()
        assert said["rule_id"] in found["ruling"]
    for line in (one["modifier_line"] for one in ruling["trace"] if "modifier_line" in one):
        assert f"{line['name'].replace('_', ' ')} {line['amount']:+d}" in found["ruling"]
    assert "seed 0" not in found["ruling"]
    assert "_" not in found["ruling"], "names are told in words"
    assert "ublished rules" in found["ruling"]
    titles = {one["name"]: one["title"] for one in settings_of(service, slug)}
    decided = [
        titles[one["setting_line"]["name"]] for one in ruling["trace"] if "setting_line" in one
    ]
    assert decided
    shown = [row.rpartition(" (")[0] for row in found["list"]["shown"]]
    assert set(shown) == set(decided)
    assert found["list"]["all"][: len(shown)] == found["list"]["shown"]
    assert len(found["list"]["all"]) == len(titles)
    assert "These decided what was told last" in found["list"]["text"]
    assert found["led_to"]["open"]
    assert found["led_to"]["label"].startswith(decided[0])
    assert found["odds"].startswith("The odds")
    assert "%" in found["odds"]


def test_mistakes_lead_to_their_fields_and_dice_to_what_they_were_asked_for(
    folder: Path, service: Service
) -> None:
    said = json.loads(node("mistakes.js", service.url, cwd=folder))
    assert said["required"] == ["true", "true", ""]
    assert "Required" not in said["form"]
    assert said["empty"]["wrong"] == [True, True, False]
    assert "aspect: missing; give one of tail, head on, none" in said["empty"]["told"]
    assert "facts." not in said["empty"]["told"]
    assert said["led_to"]
    assert not said["too_far"]["wrong"]  # it was put right
    assert "KET-6.3" in said["too_far"]["told"]
    assert "range hexes: Range is 3 hexes; a tail shot reaches 1 to 2." in said["too_far"]["told"]
    assert said["reads_on"] == "Throw to hit: die 1 of 2, a d6"
    assert "So far: nothing" in said["not_taken"]
    assert said["answers"]  # the stale dice were not ruled on
    assert "By your own dice: 4 3" in said["ruled"]
    assert "So far: 10" in said["nought"]
    readings = said["readings"]
    assert 0 < len(readings["shown"]) < readings["all"]
    assert readings["chosen_stays"]


def test_odds_are_told_in_words_and_what_is_certain_apart(folder: Path, service: Service) -> None:
    _, (facts, *_) = facts_of(document(""), "circus", "fire")
    found = json.loads(node("play.js", service.url, "circus", "fire", "[4, 3]", cwd=folder))
    answer = asking.post(
        f"{service.url}/v1:computeOdds", json={"fire": {"circus": facts}}, timeout=30
    )
    fields = {one["field"]: one["values"] for one in answer.json()["fields"]}
    certain = [one for one in fields.values() if len(one) == 1]
    likely, _, sure = found["odds"].partition(f"Certain: {len(certain)}")
    assert "range hexes" not in likely
    assert "range hexes: 3" in sure
    assert len(fields["procedure.fired.hits"]) > 1
    assert "procedure" not in found["odds"]
    assert "harm: structure mark, amount: 1" in found["odds"]
    for odds in (one["likelihood"] for one in fields["procedure.fired.critical.part"]):
        assert f"{odds['probability'] * 100:.1f} %" in likely


def test_the_page_and_its_files_are_served_under_a_strict_policy(service: Service) -> None:
    types = {"": "text/html", "/page.css": "text/css", "/page.js": "text/javascript",
             "/form.js": "text/javascript"}  # fmt: skip
    for name, kind in types.items():
        answer = asking.get(f"{service.url}/table{name}", timeout=30)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)
        assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    missing = asking.get(f"{service.url}/table/page.html", timeout=30)
    assert missing.json()["reason"] == "ROUTE_NOT_FOUND"
    assert 'href="table"' in asking.get(f"{service.url}/", timeout=30).text
    page = (PAGE / "page.html").read_text()
    assert "style=" not in page
    assert "<script>" not in page
