"""Every reason has a page with its cause, the way out and an example that is so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import guarded
import pytest
from conftest import Clock
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.problem_book import problem_book
from guncamera.api.problem_examples import ProblemExample, problem_examples
from guncamera.api.problems import TABLE
from guncamera.api.refusals import Internal, RateLimited
from guncamera.api.rest import create_app
from guncamera.api.rest_request import too_large
from guncamera.api.streams import StreamSlots
from guncamera.rules.book import VariantPin
from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import Verb, ruleset
from guncamera.sessions.books import variant_changed
from guncamera.sessions.keys import Scope
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf, unavailable
from guncamera.sessions.store import StoreUnavailable
from servers import Server, valkey_program

EXAMPLES = problem_examples()
ASKED = {reason: one for reason, one in EXAMPLES.items() if one.request}
TOLD_ELSEWHERE = {
    *("ODDS_TOO_LARGE", "LEDGER_FULL", "RECEIPT_NOT_READY"),
    *("NOT_READY", "BODY_SLOW", "BODIES_FULL"),
}
"""Told by tests of what is full, slow or away, and not by a request alone."""


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with Server(valkey_program()) as fresh:
        store = RedisStore(fresh.url)
        endpoints = Endpoints(Shelf(store), clock=Clock(), page_key=b"a key for tests")
        yield create_app(endpoints, config=Config()).test_client()
        store.close()


@pytest.fixture(scope="module")
def asking() -> Iterator[guarded.Guarded]:
    with guarded.guarded() as service:
        yield service


def send(client: FlaskClient, request: str, body: Any, headers: dict[str, str]) -> Any:
    method, path = request.split(" ")
    return client.open(path, method=method, json=body, headers=headers)


def test_every_reason_has_an_example_and_most_are_requests() -> None:
    assert list(EXAMPLES) == list(TABLE)
    for reason, one in EXAMPLES.items():
        assert bool(one.request) != bool(one.when), reason
        assert one.detail, reason
    assert set(EXAMPLES) - set(ASKED) == TOLD_ELSEWHERE | set(RAISED)


@pytest.mark.parametrize("reason", [key for key, one in ASKED.items() if one.key is None])
def test_a_request_is_refused_as_its_page_says(reason: str, client: FlaskClient) -> None:
    one = ASKED[reason]
    for request, body in one.before:
        answer = send(client, request, body, {})
        assert answer.status_code < 300, answer.text
    refused(send(client, one.request, one.body, one.headers), reason, one)


@pytest.mark.parametrize("reason", [key for key, one in ASKED.items() if one.key is not None])
def test_a_service_that_asks_for_keys_refuses_as_the_page_says(
    reason: str, asking: guarded.Guarded
) -> None:
    one = ASKED[reason]
    _, key = asking.key(Scope[(one.key or "admin").upper()])
    headers = {"Authorization": f"Bearer {key}"} if one.key else {}
    refused(send(asking.rest, one.request, one.body, headers), reason, one)


def refused(answer: Any, reason: str, one: ProblemExample) -> None:
    problem = answer.json
    assert (problem["reason"], problem["detail"]) == (reason, one.detail)
    assert problem["status"] == answer.status_code
    assert problem["status"] == (412 if reason == "ETAG_MISMATCH" else TABLE[reason].http)


def store_is_away() -> None:
    with unavailable():
        raise StoreUnavailable("it is down", retry_after_seconds=1.0)


def limit_is_used_up() -> None:
    raise RateLimited(
        policy="session", subject="sessions/friday", limit=1200, window_seconds=60, remaining=0,
        reset_seconds=12,
    )  # fmt: skip


def all_streams_are_taken() -> None:
    slots = StreamSlots(64)
    for _ in range(65):
        slots.take()


def body_is_too_large() -> None:
    raise too_large(1_048_576)


def variant_is_gone() -> None:
    sha = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
    raise variant_changed(VariantPin("heavier", sha), None)


def service_breaks() -> None:
    raise Internal("0b7f3d52")


RAISED: dict[str, Callable[[], Any]] = {
    "VARIANT_CHANGED": variant_is_gone,
    "RATE_LIMITED": limit_is_used_up,
    "STREAMS_FULL": all_streams_are_taken,
    "VERB_NOT_IN_RULESET": lambda: ruleset("circus").procedure(Verb.WIND),
    "STORE_UNAVAILABLE": store_is_away,
    "BODY_TOO_LARGE": body_is_too_large,
    "INTERNAL": service_breaks,
}


@pytest.mark.parametrize("reason", RAISED)
def test_what_no_request_alone_comes_to_is_told_in_these_words(reason: str) -> None:
    with pytest.raises(Refusal) as raised:
        RAISED[reason]()
    assert (raised.value.reason, raised.value.message) == (reason, EXAMPLES[reason].detail)


@pytest.mark.parametrize("reason", TABLE)
def test_the_type_of_a_problem_leads_to_all_of_it(reason: str, client: FlaskClient) -> None:
    row, one = TABLE[reason], EXAMPLES[reason]
    answer = client.get(f"/problems/{row.slug}")
    assert answer.status_code == 200
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", answer.text)).split())
    for said in (row.title, row.meaning, row.advice, one.when, one.asked(), one.detail):
        assert " ".join(said.replace("`", "").split()) in text


def test_a_refusal_names_that_page(client: FlaskClient) -> None:
    problem = client.get("/v1/rulesets/checkers").json
    assert problem["type"] == "/problems/ruleset-unknown"
    assert "No such rule set" in client.get(problem["type"]).text


def test_the_page_in_the_documentation_is_what_is_made_of_it() -> None:
    page = Path(__file__).parents[2] / "docs/problems.md"
    made = "run `python -m guncamera.api.problem_book > docs/problems.md`"
    assert page.read_text(encoding="utf-8") == problem_book(), made
    assert re.findall(r"^## (\w+)$", problem_book(), re.MULTILINE) == list(TABLE)
