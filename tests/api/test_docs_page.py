"""The page to try the API on: whole, from this service alone, and prepared for who tries calls."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from conftest import Clock
from fakes import FakeEndpoints
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.openapi import document, openapi_document
from guncamera.api.openapi_examples import examples
from guncamera.api.rest import create_app
from guncamera.api.rest_docs import CONTENT_SECURITY_POLICY
from guncamera.api.routes import rpcs
from guncamera.rules.ruleset import rulesets
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from node import node
from servers import Server, valkey_program

PUBLIC = "https://games.example"
TYPES = {"css": "text/css", "js": "text/javascript", "png": "image/png"}
# A browser as far as the page's script needs one. It prints what the viewer is started with.
BROWSER = """
const { readFileSync } = require("node:fs");
const [script, href, status, body] = process.argv.slice(1);
const fetched = [];
const say = (said) => console.log(JSON.stringify({ fetched, ...said }));
Object.assign(globalThis, {
  location: { href },
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  document: {
    documentElement: { classList: { toggle() {} } },
    getElementById: () => ({ set textContent(text) { say({ text }); } }),
  },
  fetch: async (url) => {
    fetched.push(url);
    return new Response(readFileSync(body), { status: Number(status) });
  },
  SwaggerUIBundle: (config) => {
    const { allowTryItOutFor } = config.plugins[0].statePlugins.spec.wrapSelectors;
    const listed = Object.entries(config.spec.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })));
    const order = config.spec.tags.flatMap(({ name }) => listed
      .filter(({ operation }) => operation.tags[0] === name)
      .map((one) => ({ ...one, get: (key) => one[key] }))
      .sort(config.operationsSorter)
      .map(({ path, method }) => [path, method]));
    const tried = Object.entries(config.spec.paths).flatMap(([path, item]) =>
      Object.keys(item).filter((method) => allowTryItOutFor()(null, path, method))
        .map((method) => item[method].operationId));
    say({ config, tried, order });
  },
});
require("node:vm").runInThisContext(readFileSync(script, "utf8"));
"""


class References(HTMLParser):
    """What a page refers to, and what stands in it that a strict policy would not run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses += [given[name] or "" for name in ("href", "src") if name in given]
        self.inline += [name for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeEndpoints(), config=Config(public_base_url=PUBLIC)).test_client()


def started(
    client: FlaskClient, folder: Path, *, href: str = "http://10.0.0.2:8080/docs", status: int = 200
) -> dict[str, Any]:
    """What the page's script does where the page is at an address."""
    script, body = folder / "page.js", folder / "openapi.json"
    script.write_bytes(client.get("/docs/page.js").data)
    body.write_bytes(client.get("/openapi.json").data)
    said: dict[str, Any] = json.loads(
        node("-e", BROWSER, script, href, str(status), body, cwd=folder)
    )
    return said


def test_the_page_and_all_it_refers_to_is_served_under_a_strict_policy(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert page.mimetype == "text/html"
    assert page.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    found = References(page.text)
    assert found.inline == []
    assert len(found.addresses) == 6
    for address in found.addresses:
        assert re.fullmatch(r"(docs/)?[a-z0-9-]+\.[a-z]+", address), "not of this service alone"
        answer = client.get(urljoin("/docs", address))
        assert answer.status_code == 200
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.data
        if address != "openapi.json":
            assert answer.mimetype == TYPES[address.rpartition(".")[2]]
            assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY


def test_the_policy_lets_in_nothing_from_elsewhere() -> None:
    policy = dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
    assert policy.pop("img-src") == "'self' data:"
    assert policy.pop("default-src") == "'none'"
    assert set(policy.values()) == {"'self'", "'none'"}
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"


def test_nothing_is_fetched_from_another_origin(client: FlaskClient) -> None:
    for name in ("page.css", "swagger-ui.css"):
        styles = client.get(f"/docs/{name}").text
        assert "@import" not in styles
        assert set(re.findall(r"url\(\s*[\"']?(.{5})", styles)) <= {"data:"}
    assert "//" not in re.sub(r"// .*", "", client.get("/docs/page.js").text)


def test_a_browser_keeps_the_files_and_asks_whether_they_are_new(client: FlaskClient) -> None:
    first = client.get("/docs/swagger-ui-bundle.js")
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.get(
        "/docs/swagger-ui-bundle.js", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    other = client.get("/docs/swagger-ui-bundle.js", headers={"If-None-Match": '"other"'})
    assert other.data == first.data


@pytest.mark.parametrize(
    "name", ["index.html", "page.html", "swagger-ui.js", "..%2frest.py", "../rest.py", ""]
)
def test_no_other_file_is_served(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/docs/{name}")
    assert (answer.status_code, answer.json["reason"]) == (404, "ROUTE_NOT_FOUND")


@pytest.mark.parametrize("door", ["http://10.0.0.2:8080", "https://games.example/guncamera"])
def test_calls_go_to_where_the_page_came_from(
    client: FlaskClient, tmp_path: Path, door: str
) -> None:
    said = started(client, tmp_path, href=f"{door}/docs#/SessionService/Move")
    assert said["fetched"] == [f"{door}/openapi.json"]
    assert said["config"]["spec"]["servers"] == [{"url": door}]
    assert said["config"]["validatorUrl"] is None
    assert said["config"]["persistAuthorization"] is False


def test_every_form_is_filled_in_with_what_the_service_can_read(
    client: FlaskClient, tmp_path: Path
) -> None:
    paths = started(client, tmp_path)["config"]["spec"]["paths"]
    filled = {}
    for path, item in paths.items():
        for operation in item.values():
            if body := operation.get("requestBody"):
                examples = body["content"]["application/json"]["examples"]
                assert examples, operation["operationId"]
                filled[operation["operationId"]] = examples
                for example in examples.values():
                    answer = client.post(re.sub(r"{\w+}", "x1", path), json=example["value"])
                    assert answer.status_code in (200, 201, 204), answer.text
    given = document(PUBLIC)["paths"]
    for path, item in given.items():
        for method, operation in item.items():
            assert paths[path][method].get("requestBody") == operation.get("requestBody")
            assert paths[path][method]["parameters"] == operation["parameters"]
    assert {"Undo", "ReleaseSeat", "ImportSession", "BatchPlay", "ResolveFire"} <= set(filled)


def test_no_call_is_without_an_example_of_what_it_takes() -> None:
    for item in document()["paths"].values():
        for method, operation in item.items():
            name = operation["operationId"]
            in_path = [one for one in operation["parameters"] if one["in"] == "path"]
            assert all(one["examples"] for one in in_path), name
            if method == "post":
                assert operation["requestBody"]["content"]["application/json"]["examples"], name
    assert set(rulesets()) <= set(examples()["CreateSession"])


def test_the_examples_are_games_that_work_from_the_top_of_the_page_down(
    client: FlaskClient, clock: Clock, tmp_path: Path
) -> None:
    said = started(client, tmp_path)
    paths = said["config"]["spec"]["paths"]
    with Server(valkey_program()) as fresh:
        store = RedisStore(fresh.url)
        endpoints = Endpoints(Shelf(store), clock=clock, page_key=b"a key for tests")
        asked = create_app(endpoints, config=Config()).test_client()
        walk = Walk(asked)
        for path, method in said["order"]:
            walk.take(path, method, paths[path][method])
        store.close()
    assert walk.taken == {rpc.name for rpc in rpcs()}
    assert len(walk.played["Move"]) > 8
    assert all(action["trace"] for action in walk.played["Fire"] if action["rolls"])
    assert sum(bool(action["rolls"]) for action in walk.played["Fire"]) == 4


class Walk:
    """A reader of the page, who sends every example as it stands, and learns nothing by the way
    but the token of a seat that was claimed.
    """

    def __init__(self, asked: FlaskClient) -> None:
        self._asked = asked
        self._tokens: dict[str, str] = {}
        self.taken: set[str] = set()
        self.played: dict[str, list[Any]] = {}

    def take(self, path: str, method: str, operation: dict[str, Any]) -> None:
        """Send the examples of one call, in their order."""
        name = operation["operationId"]
        self.taken.add(name)
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        bodies = {key: one["value"] for key, one in body.get("examples", {}).items()}
        given = {
            (one["in"], one["name"]): {key: x["value"] for key, x in one["examples"].items()}
            for one in operation["parameters"]
            if "examples" in one
        }
        slugs = {key for found in given.values() for key in found}
        for key in bodies or sorted(slugs) or [""]:
            slug = key.partition("-")[0]
            values = {place: found[slug] for place, found in given.items() if slug in found}
            address = re.sub(r"{(\w+)}", lambda one, v=values: v["path", one[1]], path)
            query = {one: value for (where, one), value in values.items() if where == "query"}
            self._send(name, slug, method, address, query, bodies.get(key))

    def _send(
        self, name: str, slug: str, method: str, address: str, query: dict[str, Any], body: Any
    ) -> None:
        token = self._tokens.get(slug) if name == "ReleaseSeat" else None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self._asked.open(
            address, method=method, query_string=query, json=body, headers=headers
        )
        if name == "WatchSession":
            assert json.loads(next(iter(answer.response)))["action"]["revision"] == 1
            answer.close()
            return
        assert answer.status_code in (200, 201, 204), f"{name} {address} {body}: {answer.text}"
        if name == "ClaimSeat":
            self._tokens[slug] = answer.json["token"]
        if name == "BatchPlay":
            refused = [one["problem"] for one in answer.json["results"] if "problem" in one]
            assert refused == []
        self.played.setdefault(name, []).append(answer.json)


def test_texts_are_not_made_up_from_patterns(client: FlaskClient, tmp_path: Path) -> None:
    schemas = started(client, tmp_path)["config"]["spec"]["components"]["schemas"]
    seat = schemas["ReleaseSeatRequest"]["properties"]["seat"]
    assert seat["example"] == "string"
    assert seat["pattern"]


def test_every_call_but_the_endless_one_can_be_tried(client: FlaskClient, tmp_path: Path) -> None:
    said = started(client, tmp_path)
    assert set(said["tried"]) == {rpc.name for rpc in rpcs()} - {"WatchSession"}
    watch = said["config"]["spec"]["paths"]["/v1/sessions/{session}:watch"]["get"]
    assert "curl -N" in watch["description"]


def test_a_document_that_does_not_come_is_told(client: FlaskClient, tmp_path: Path) -> None:
    said = started(client, tmp_path, status=503)
    assert "HTTP 503" in said["text"]
    assert "config" not in said


def test_the_document_itself_is_as_before(client: FlaskClient) -> None:
    assert client.get("/openapi.json").data == openapi_document(PUBLIC)


def test_the_start_page_leads_there(client: FlaskClient) -> None:
    page = client.get("/").text
    assert 'href="docs"' in page
    assert 'href="v1/quota"' in page
    assert "/v1/sessions/{session}/board.svg" in page
    assert "DrawBoard" in page
