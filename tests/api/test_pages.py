"""The pages for people: every link leads somewhere, also where a proxy has them below a path."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from fakes import FakeEndpoints
from guncamera.api.config import Config
from guncamera.api.rest import create_app
from guncamera.rules.player_aid import player_aid
from guncamera.rules.ruleset import rulesets

DOORS = ("https://guns.example", "https://club.example/air")


class Links(HTMLParser):
    """The addresses that a page links to, as it writes them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.append(dict(attrs)["href"] or "")


@pytest.mark.parametrize("door", DOORS)
def test_every_link_leads_to_a_page_of_ours_below_the_same_door(door: str) -> None:
    client = create_app(FakeEndpoints(), config=Config(public_base_url=door)).test_client()
    led_to, to_visit = set(), ["/"]
    while to_visit:
        page = to_visit.pop()
        answer = client.get(page)
        assert answer.status_code == 200, page
        if answer.mimetype != "text/html":
            continue
        for link in Links(answer.text).found:
            address = urljoin(door + page, link)
            assert address.startswith(f"{door}/"), (page, link)
            found = urlsplit(address.removeprefix(door)).path
            if found not in led_to:
                led_to.add(found)
                to_visit.append(found)
    assert {f"/aid/{slug}" for slug in rulesets()} <= led_to
    assert {
        "/docs",
        "/table",
        "/openapi.json",
        "/problems",
        "/problems/session-not-found",
    } <= led_to
    assert {"/v1/rulesets", "/v1/quota", "/readyz"} <= led_to


def test_the_line_to_try_goes_to_where_the_reader_is() -> None:
    client = create_app(FakeEndpoints(), config=Config()).test_client()
    page = client.get("/", base_url="http://192.168.1.5:9000").text
    assert "curl -s http://192.168.1.5:9000/v1:resolveFire" in page
    behind = create_app(FakeEndpoints(), config=Config(public_base_url=DOORS[1])).test_client()
    page = behind.get("/", base_url="http://10.0.0.7:8080").text
    assert f"curl -s {DOORS[1]}/v1:resolveFire" in page


@pytest.mark.parametrize("slug", list(rulesets()))
def test_the_sheets_to_print_are_those_of_the_command(slug: str) -> None:
    client = create_app(FakeEndpoints(), config=Config()).test_client()
    answer = client.get(f"/aid/{slug}")
    found = rulesets()[slug]
    assert answer.text == player_aid(found.title, found.book, "as shipped")
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    missing = client.get("/aid/none")
    assert (missing.status_code, missing.json["reason"]) == (404, "ROUTE_NOT_FOUND")
