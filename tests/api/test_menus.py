"""What a client fills its menus with: every name that an order, a set-up or facts may hold."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.menus import menus
from guncamera.api.rest import create_app
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import rulesets
from guncamera.rulesets.circus.codes import Code
from guncamera.rulesets.circus.codes import parse as parse_codes
from guncamera.rulesets.kettering.path import AHEAD, TURNS, tokens_of
from guncamera.v1 import actions_pb2, ruleset_redstars_pb2

SLUGS = list(rulesets())


@pytest.fixture
def client(endpoints: Any) -> FlaskClient:
    return create_app(endpoints, config=Config()).test_client()


def menu(client: FlaskClient, slug: str, name: str) -> dict[str, Any]:
    (found,) = [
        one for one in client.get(f"/v1/rulesets/{slug}").json["menus"] if one["name"] == name
    ]
    return dict(found)


def test_maneuvers_are_told_with_what_they_do_and_where_they_go(client: FlaskClient) -> None:
    found = menu(client, "redstars", "RedstarsManeuver")
    names = [item["name"] for item in found["items"]]
    assert names == ruleset_redstars_pb2.RedstarsManeuver.keys()[1:]
    assert {"name": "REDSTARS_MANEUVER_SPLIT_S", "description":
            "Extreme: down two bands and back the other way."} in found["items"]  # fmt: skip
    assert "RedstarsChoice.maneuver" in found["fields"]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_enum_that_a_caller_writes_is_a_menu(slug: str) -> None:
    told = {field: one for one in menus(slug) for field in one.fields}
    found = rulesets()[slug]
    kinds = [
        f"{verb.value.title()}{kind}" for verb in found.procedures for kind in ("Order", "Facts")
    ]
    todo = [getattr(actions_pb2, kind).DESCRIPTOR.fields_by_name[slug].message_type
            for kind in (*kinds, "SessionSetup")]  # fmt: skip
    seen = set()
    while todo:
        message = todo.pop()
        for field in message.fields:
            if field.message_type is not None and field.message_type.full_name not in seen:
                seen.add(field.message_type.full_name)
                todo.append(field.message_type)
            if field.enum_type is not None:
                names = [item.name for item in told[f"{message.name}.{field.name}"].items]
                assert names == [value.name for value in field.enum_type.values[1:]]
    assert told


@pytest.mark.parametrize("slug", SLUGS)
def test_every_name_says_what_it_means_and_none_is_unstated(slug: str) -> None:
    for one in menus(slug):
        assert one.description
        assert one.fields
        assert all(item.name and len(item.description) > 2 for item in one.items)
        assert not any(item.name.endswith("_UNSPECIFIED") for item in one.items)
        assert len({item.name for item in one.items}) == len(one.items) > 0


@pytest.mark.parametrize("slug", SLUGS)
def test_codes_stand_where_a_field_is_of_that_name(slug: str) -> None:
    told = {one.name for one in menus(slug)}
    assert {f"{slug.title()}{field}" for field in rulesets()[slug].codes} <= told


def test_lists_leave_them_out(client: FlaskClient) -> None:
    assert [one["menus"] for one in client.get("/v1/rulesets").json["rulesets"]] == [[]] * len(
        SLUGS
    )


def test_the_codes_of_a_path_are_those_that_are_read(client: FlaskClient) -> None:
    names = [item["name"] for item in menu(client, "kettering", "KetteringPlot.path")["items"]]
    assert set(names) == {AHEAD, *TURNS}
    assert list(tokens_of(" ".join(names))) == names
    with pytest.raises(Malformed):
        tokens_of("F X")


def test_the_codes_of_a_plot_are_read_and_none_is_left_out(client: FlaskClient) -> None:
    items = menu(client, "circus", "CircusPlot.codes")["items"]
    names = [item["name"] for item in items]
    whole = [f"{name}1 R 2)" if name.endswith("(") else name for name in names if name != ")"]
    read = {token.code for name in whole for token in parse_codes(name)}
    assert read == set(Code)
    assert ")" in names
    assert {"name": "HT-FL", "description": "Hammerhead, out to FL."} in items
