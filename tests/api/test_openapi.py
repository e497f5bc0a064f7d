"""The OpenAPI document: valid, committed, whole, and true to what the service does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chance
import pytest
import schemathesis
import structlog
from flask import Flask
from guncamera.api.json_codec import to_plain
from guncamera.api.openapi import document, openapi_document
from guncamera.api.openapi_examples import examples
from guncamera.api.openapi_schemas import comments
from guncamera.api.problems import TABLE, problem_of
from guncamera.api.routes import rpcs
from guncamera.rules.dice import Ask, AtLeast
from guncamera.rules.refusal import RollRequired
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis import checks
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi import checks as openapi_checks
from tables import real_table

COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"
EXAMPLES_PER_CALL = 8
CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.response_headers_conformance,
]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that stands alone."""
    return {**schema, "components": document()["components"]}


def every_object(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in the document."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from every_object(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from every_object(inner)


def test_the_document_is_valid() -> None:
    OpenAPIV31SpecValidator(document()).validate()


def test_the_committed_document_is_what_is_emitted() -> None:
    assert COMMITTED.read_bytes() == openapi_document(), "run `make openapi`"


def test_every_call_is_in_it_once() -> None:
    operations = [
        operation["operationId"]
        for item in document()["paths"].values()
        for operation in item.values()
    ]
    assert sorted(rpc.name for rpc in rpcs() if rpc.routes) == sorted(operations)


def test_everything_is_described() -> None:
    assert all(comments().values()), [name for name, text in comments().items() if not text]
    for name, schema in document()["components"]["schemas"].items():
        assert schema["description"], name
        for field, inner in schema.get("properties", {}).items():
            assert inner["description"], f"{name}.{field}"


def test_nothing_in_it_trips_code_generators() -> None:
    for node in every_object(document()):
        assert node.get("type") != "null"
        assert not isinstance(node.get("type"), list), "a union of types"
        assert not {"oneOf", "anyOf", "allOf", "prefixItems", "nullable"} & set(node)
    assert all(name.isalnum() for name in document()["components"]["schemas"])


def test_requests_are_closed_and_answers_are_whole() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["ResolveFireRequest"]["additionalProperties"] is False
    assert schemas["SessionInput"]["additionalProperties"] is False
    assert "additionalProperties" not in schemas["Session"]
    assert "revision" in schemas["Session"]["required"]
    assert "board" not in schemas["Session"]["required"]
    assert "name" not in schemas["MoveRequest"]["properties"], "the path says it"


def test_what_a_body_must_hold_is_required(service: Flask) -> None:
    """And the service refuses to do without; each of them is the first thing it misses."""
    schemas, seen = document()["components"]["schemas"], set()
    for path, item in document()["paths"].items():
        body = item.get("post", {}).get("requestBody")
        if body is None:
            continue
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        required = schemas[name].get("required", [])
        if not required:
            continue
        assert body["required"], path
        refused = service.test_client().post(path.replace("{session}", "0"), json={})
        assert refused.status_code == 400, path
        (violation,) = refused.json["violations"]
        assert violation["field"].partition(".")[:1] == tuple(required), path
        seen.add(item["post"]["operationId"])
    assert {
        "ResolveFire",
        "CreateSession",
        "ClaimSeat",
        "Move",
        "ImportSession",
        "BatchPlay",
    } <= seen


def test_a_call_in_a_batch_has_no_path_and_names_its_session_itself(service: Flask) -> None:
    schemas = document()["components"]["schemas"]
    order = {"kettering": {"launch": {}}}
    batch = {"items": [{"move": {"name": "sessions/0", "order": order}}]}
    Draft202012Validator(resolved(schemas["BatchPlayRequest"])).validate(batch)
    answer = service.test_client().post("/v1/sessions:batchPlay", json=batch).json
    assert answer["results"][0]["problem"]["reason"] == "PHASE_CLOSED", "it was found"
    for name, member in schemas["BatchPlayItem"]["properties"].items():
        item = schemas[member["$ref"].rpartition("/")[2]]
        assert "name" in item["properties"], name
    assert "name" in schemas["MoveRequestWithName"]["required"]


def test_empty_answers_have_the_members_that_are_required() -> None:
    schemas = document()["components"]["schemas"]
    for rpc in rpcs():
        schema = schemas.get(rpc.response_type.name)
        if schema is not None:
            Draft202012Validator(resolved(schema)).validate(to_plain(rpc.response()))


def test_problems_are_as_described() -> None:
    schema = document()["components"]["schemas"]["ProblemDocument"]
    assert set(TABLE) == set(schema["properties"]["reason"]["enum"])
    roll = RollRequired(Ask((6, 6), AtLeast(8), purpose="to-hit", rule_id="KET-7.1"))
    problem = problem_of(roll, instance="/v1:resolveFire", request_id="r1")
    Draft202012Validator(resolved(schema)).validate(problem)
    assert set(problem) <= set(schema["properties"])


def test_every_status_of_the_table_is_described_somewhere() -> None:
    described = {
        status
        for item in document()["paths"].values()
        for operation in item.values()
        for status in operation["responses"]
    }
    elsewhere = {"405"}  # an answer to what is no operation
    assert {str(row.http) for row in TABLE.values()} | {"412"} <= described | elsewhere


def test_the_examples_fit_their_schemas() -> None:
    assert examples()["ResolveFire"]
    paths = document()["paths"]
    for item in paths.values():
        for operation in item.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                for example in content.get("examples", {}).values():
                    Draft202012Validator(resolved(content["schema"])).validate(example["value"])


def test_the_server_is_named_when_it_is_known() -> None:
    assert document("https://guns.example")["servers"] == [{"url": "https://guns.example"}]


@pytest.fixture(scope="module")
def service() -> Iterator[Flask]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with real_table() as table:
        setup = {"kettering": {"aircraft_type": "fokker-d7"}}
        table.rest.post("/v1/sessions", json={"session_id": "0", "setup": setup})
        yield table.app
    structlog.reset_defaults()


@pytest.fixture(scope="module")
def described(service: Flask) -> Any:
    strict = json.loads(openapi_document())
    for node in every_object(strict["paths"]):
        # It describes every status there is, so no status could be a surprise.
        node.get("responses", {}).pop("default", None)
    described = schemathesis.openapi.from_dict(strict)
    described.app = service
    return described


# A watch lasts as long as its session, which this test would wait for.
OPERATIONS = [
    (method.upper(), path)
    for path, item in document()["paths"].items()
    for method in item
    if not path.endswith(":watch")
]


# Schemathesis' own pytest plugin does not run under pytest 9; hypothesis drives it here.
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_the_service_does_what_the_document_says(
    described: Any, method: str, path: str, mode: GenerationMode
) -> None:
    @given(described[path][method].as_strategy(generation_mode=mode))
    @settings(
        chance.examples(EXAMPLES_PER_CALL),
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: schemathesis.Case) -> None:
        (case.query or {}).pop("wait_seconds", None)
        case.call_and_validate(checks=CHECKS)

    send()
