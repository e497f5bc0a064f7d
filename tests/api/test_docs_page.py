"""The page to try the API on: whole, from this service alone, and prepared for who tries calls."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from fakes import FakeEndpoints
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.openapi import document, openapi_document
from guncamera.api.rest import create_app
from guncamera.api.rest_docs import CONTENT_SECURITY_POLICY
from guncamera.api.routes import rpcs
from node import node

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
    const tried = Object.entries(config.spec.paths).flatMap(([path, item]) =>
      Object.keys(item).filter((method) => allowTryItOutFor()(null, path, method))
        .map((method) => item[method].operationId));
    say({ config, tried });
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
    given = document(PUBLIC)["paths"]["/v1:resolveFire"]["post"]["requestBody"]
    assert filled["ResolveFire"] == given["content"]["application/json"]["examples"]
    assert filled["Undo"] == filled["ReleaseSeat"] == filled["ClaimSeat"]


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
    assert 'href="/docs"' in page
    assert 'href="/v1/quota"' in page
    assert "/v1/sessions/{session}/board.svg" in page
    assert "DrawBoard" in page
