"""The OpenAPI 3.1 document, emitted from the same descriptors as the routes.

`python -m guncamera.api.openapi > docs/openapi.json` writes it.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import version
from typing import Any

import orjson
from google.protobuf.empty_pb2 import Empty

from guncamera.api.needs import NEEDS
from guncamera.api.openapi_examples import (
    in_order_of_play,
    queries,
    shown_bodies,
    variables,
)
from guncamera.api.openapi_schemas import Schema, Schemas, comments, reachable
from guncamera.api.problems import TABLE, Row
from guncamera.api.rest_streams import EVENTS_TYPE, LINES_TYPE
from guncamera.api.routes import Route, Rpc, rpcs
from guncamera.v1 import problem_pb2

PROBLEM = problem_pb2.DESCRIPTOR.message_types_by_name["Problem"]
PROBLEM_TYPE = "application/problem+json"
SEGMENT_PATTERN = "^[^/:]+$"
_INTRODUCTION = """Rules on air combat at the table, and keeps the film.

Names are spelled as in the proto (`snake_case`); requests may also use lowerCamelCase. Requests
are read strictly: unknown members, wrong types, null and repeated members are refused, all faults
at once. Answers hold every member that has a value of its own, zero and false included; ignore
members you do not know. Enums may grow: treat a name you do not know as one that is not stated.

Every error is an RFC 9457 problem document. Branch on `reason`.

The examples are a game for each rule set. Keep to one rule set, and take its examples from the top
down, all of a call, which are numbered, before those of the next: each follows from those above it.
`RevealOrders` has to wait a second. `ClaimSeat` tells a token: send it with `ReleaseSeat`, and
nothing from then on."""


_SECURITY_TEXTS = {
    "key": "A key that whoever runs the service gave out. Never to be put into a page's script.",
    "seat": "The token that claiming a seat returned: for one seat of one session.",
}


def openapi_document(base_url: str = "") -> bytes:
    """The document as JSON."""
    return orjson.dumps(document(base_url), option=orjson.OPT_INDENT_2) + b"\n"


@cache
def document(base_url: str = "") -> Schema:
    """The document."""
    answers: set[str] = set()
    for rpc in rpcs():
        reachable(rpc.response_type, answers)
    reachable(PROBLEM, answers)
    schemas = Schemas(answers, _named_by_path())
    paths: dict[str, Schema] = {}
    for rpc in in_order_of_play(rpcs()):
        for number, route in enumerate(rpc.routes):
            item = paths.setdefault(route.path, {})
            item[route.method.lower()] = _operation(rpc, route, number, schemas)
    schemas.found["ProblemDocument"] = _problem_schema(schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Guncamera",
            "version": version("guncamera"),
            "description": _INTRODUCTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url or "/"}],
        "tags": _tags(),
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.found.items())),
            "responses": {_response_name(status): _problem_response(status) for status in _rows()},
            "securitySchemes": {
                name: {"type": "http", "scheme": "bearer", "description": text}
                for name, text in _SECURITY_TEXTS.items()
            },
        },
    }


def _named_by_path() -> dict[str, set[str]]:
    """The fields that the path says, of every request whose body leaves them out."""
    return {
        rpc.request_type.full_name: {name for name, _ in route.fields}
        for rpc in rpcs()
        for route in rpc.routes
        if route.has_body and route.fields
    }


def _tags() -> list[Schema]:
    services = dict.fromkeys(rpc.service for rpc in rpcs())
    return [{"name": _tag(service), "description": comments()[service]} for service in services]


def _tag(service: str) -> str:
    return service.rpartition(".")[2]


def _operation(rpc: Rpc, route: Route, number: int, schemas: Schemas) -> Schema:
    text = comments()[f"{rpc.service}.{rpc.name}"]
    operation: Schema = {
        "operationId": rpc.name if number == 0 else f"{rpc.name}{number + 1}",
        "tags": [_tag(rpc.service)],
        "summary": text.split(". ")[0].rstrip("."),
        "description": f"{text}\n\nWhere the service asks for keys: {NEEDS[rpc.name]}.",
        "security": [{}, {"key": []}, *([{"seat": []}] if NEEDS[rpc.name].by_seat else [])],
        "parameters": _parameters(rpc, route, schemas),
        "responses": _responses(rpc, route, schemas),
    }
    if route.has_body:
        operation["requestBody"] = _body(rpc, route, schemas)
    return operation


def _body(rpc: Rpc, route: Route, schemas: Schemas) -> Schema:
    body = schemas.of_body(rpc.request_type)
    content: Schema = {"schema": body}
    if brought := shown_bodies(rpc):
        content["examples"] = brought
    is_required = not route.fields or schemas.is_required(body)
    return {"content": {"application/json": content}, "required": is_required}


def _parameters(rpc: Rpc, route: Route, schemas: Schemas) -> list[Schema]:
    fields = rpc.request_type.fields_by_name
    parameters: list[Schema] = [
        {
            "name": variable,
            "in": "path",
            "required": True,
            "description": f"The id of the {variable}.",
            "schema": {"type": "string", "pattern": SEGMENT_PATTERN},
            **_examples_of(variable, variables(route)),
        }
        for variable in route.variables
    ]
    bound = {name for name, _ in route.fields}
    if not route.has_body:
        for field in fields.values():
            if field.name not in bound and (field.message_type is None):
                schema = schemas.of_field(field, is_input=True)
                text = schema.pop("description")
                parameters.append(
                    {
                        "name": field.name,
                        "in": "query",
                        "description": text,
                        "schema": schema,
                        **_examples_of(field.name, queries(rpc)),
                    }
                )
    return [*parameters, *_header_parameters(rpc, route)]


def _examples_of(name: str, asked: dict[str, dict[str, Any]]) -> Schema:
    """The examples of a parameter, of the rule sets that have one."""
    found = {slug: {"value": values[name]} for slug, values in asked.items() if name in values}
    return {"examples": found} if found else {}


_HEADER_PARAMETERS = {
    "If-Match": "The same as the member `etag`; both must agree.",
    "Idempotency-Key": "The same as the member `request_id`; both must agree.",
    "If-None-Match": "The `ETag` of an answer that you have. If it would be the same: 304.",
    "Last-Event-ID": "The id of the last event that was seen, which browsers send of themselves. "
    "Goes before `cursor` and `start_revision`.",
}


def _header_parameters(rpc: Rpc, route: Route) -> list[Schema]:
    fields = rpc.request_type.fields_by_name
    taken = {
        "If-Match": "etag" in fields,
        "Idempotency-Key": "request_id" in fields,
        "If-None-Match": _has_tag(rpc, route),
        "Last-Event-ID": rpc.streams,
    }
    return [
        {"name": name, "in": "header", "description": text, "schema": {"type": "string"}}
        for name, text in _HEADER_PARAMETERS.items()
        if taken[name]
    ]


def _responses(rpc: Rpc, route: Route, schemas: Schemas) -> Schema:
    responses: Schema = {_success_status(rpc, route): _success(rpc, route, schemas)}
    if rpc.streams:
        text = "To a browser that opens an event stream again after its end: it is over."
        responses["204"] = {"description": text, "headers": _headers()}
    if _has_tag(rpc, route):
        text = "What you have by `If-None-Match` is what there is."
        responses["304"] = {"description": text, "headers": _headers("ETag")}
    for status in _statuses(rpc, route):
        responses[str(status)] = {"$ref": f"#/components/responses/{_response_name(status)}"}
    responses["default"] = {"$ref": "#/components/responses/Problem"}
    return responses


def _success_status(rpc: Rpc, route: Route) -> str:
    if rpc.response is Empty:
        return "204"
    return "201" if rpc.creates(route) else "200"


def _success(rpc: Rpc, route: Route, schemas: Schemas) -> Schema:
    if rpc.response is Empty:
        return {"description": "Done.", "headers": _headers(*_headers_of(rpc, route))}
    response = rpc.response_type
    if response.full_name == "google.api.HttpBody":
        content: Schema = {"image/svg+xml": {"schema": {"type": "string"}}}
        headers = _headers(*_headers_of(rpc, route))
        return {"description": "The picture.", "headers": headers, "content": content}
    schema = schemas.of_message(response, is_input=False)
    if rpc.streams:
        content = {kind: {"schema": {"type": "string"}} for kind in (LINES_TYPE, EVENTS_TYPE)}
        text = (
            f"One `{response.name}` as JSON in each line, as long as the stream lasts. A "
            "heartbeat is followed by an empty line. As server-sent events, the same JSON is the "
            "data, what it says the type, and the cursor the id."
        )
        return {
            "description": text,
            "headers": _headers(),
            "content": content,
            "x-line-schema": schema,
        }
    named = list(_headers_of(rpc, route))
    return {
        "description": comments()[response.full_name],
        "headers": _headers(*named),
        "content": {"application/json": {"schema": schema}},
    }


def _headers_of(rpc: Rpc, route: Route) -> list[str]:
    named = []
    if "etag" in rpc.response_type.fields_by_name or _has_tag(rpc, route):
        named.append("ETag")
    if rpc.creates(route):
        named.append("Location")
    if "request_id" in rpc.request_type.fields_by_name:
        named.append("Idempotent-Replayed")
    return named


def _has_tag(rpc: Rpc, route: Route) -> bool:
    """Whether an answer has a tag of its content, and may be known already."""
    return route.is_read and not rpc.streams


_HEADER_TEXTS = {
    "ETag": "The etag of the session now. Of a reading a tag of all that it says, for "
    "`If-None-Match`; as `If-Match` it stands for the etag.",
    "Location": "The address of what was created.",
    "X-Request-Id": "The id of this call, yours if you sent one.",
    "Idempotent-Replayed": "`true` when this is the answer to an earlier call of the same id.",
    "Retry-After": "Seconds after which to come back.",
    "RateLimit": 'What is left of each limit: `"session";r=7;t=30`, for 30 seconds.',
    "RateLimit-Policy": 'The limits that hold: `"session";q=1200;w=60`, so many in 60 seconds.',
}
_WAITING = {429: ("Retry-After", "RateLimit", "RateLimit-Policy"), 503: ("Retry-After",)}


def _headers(*names: str) -> Schema:
    return {
        name: {"description": _HEADER_TEXTS[name], "schema": {"type": "string"}}
        for name in ("X-Request-Id", *names)
    }


def _statuses(rpc: Rpc, route: Route) -> list[int]:
    """The statuses of the refusals that a call may meet, by what it is about."""
    statuses = {400, 401, 403, 429, 500, 503}
    if route.fields or _tag(rpc.service) == "RulesetService":
        statuses.add(404)
    if route.has_body:
        statuses |= {404, 408, 409, 413, 415, 422, 501}
    if "etag" in rpc.request_type.fields_by_name:
        statuses.add(412)
    return sorted(statuses)


def _rows() -> dict[int | None, list[Row]]:
    """The reasons by HTTP status; None holds every reason, for the default."""
    rows: dict[int | None, list[Row]] = {}
    for row in TABLE.values():
        rows.setdefault(row.http, []).append(row)
        if row.reason == "ETAG_MISMATCH":
            rows.setdefault(412, []).append(row)
    rows[None] = []
    return rows


def _response_name(status: int | None) -> str:
    return "Problem" if status is None else f"Problem{status}"


def _problem_response(status: int | None) -> Schema:
    rows = _rows()[status]
    text = "A refusal or a fault. All are listed at `/problems`."
    if rows:
        text = "\n".join(f"- `{row.reason}`: {row.meaning}" for row in rows)
    return {
        "description": text,
        "headers": _headers(*_WAITING.get(status or 0, ())),
        "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
    }


def _problem_schema(schemas: Schemas) -> Schema:
    message = PROBLEM.fields_by_name
    text: dict[str, Any] = {"type": "string"}
    return {
        "type": "object",
        "description": "A refusal or a fault, by RFC 9457.",
        "properties": {
            "type": {**text, "format": "uri-reference", "description": "The page about it."},
            "title": {**text, "description": "The same for every problem of the type."},
            "status": {"type": "integer", "description": "The HTTP status."},
            "detail": schemas.of_field(message["detail"], is_input=False),
            "instance": {**text, "description": "The path of the call."},
            "reason": {
                "type": "string",
                "enum": list(TABLE),
                "description": "What programs branch on. The list may grow.",
            },
            "domain": {**text, "description": "Always `guncamera`."},
            "code": {**text, "description": "The gRPC status of the same refusal."},
            "metadata": schemas.of_field(message["metadata"], is_input=False),
            "request_id": {**text, "description": "Quote it when you report the problem."},
            "rule_id": schemas.of_field(message["rule_id"], is_input=False),
            "violations": schemas.of_field(message["violations"], is_input=False),
            "violation_count": {
                "type": "integer",
                "description": "How many fields are wrong in all.",
            },
            "roll_required": schemas.of_field(message["roll_required"], is_input=False),
            "nearest": schemas.of_field(message["nearest"], is_input=False),
        },
        "required": [
            *("type", "title", "status", "detail", "instance"),
            *("reason", "domain", "code", "metadata", "request_id"),
        ],
    }


if __name__ == "__main__":
    sys.stdout.buffer.write(openapi_document())
