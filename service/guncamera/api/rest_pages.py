"""What stands beside the calls: probes, metrics, the OpenAPI document, and pages for people."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import version

from flask import Flask, Response, g, request
from google.protobuf.message import Message

from guncamera.api import pages
from guncamera.api.caller import Caller
from guncamera.api.config import Config
from guncamera.api.health import readiness
from guncamera.api.json_codec import to_json
from guncamera.api.openapi import openapi_document
from guncamera.api.problems import BY_SLUG
from guncamera.api.refusals import NotReady, RouteNotFound
from guncamera.api.rest_answers import JSON_TYPE
from guncamera.api.rest_conditional import kept
from guncamera.api.rest_docs import add_docs
from guncamera.api.rest_table import add_table
from guncamera.rules.player_aid import player_aid
from guncamera.rules.ruleset import rulesets
from guncamera.v1.session_service_pb2 import ListSigningKeysRequest

SIGNING_KEYS = "/.well-known/guncamera-signing-keys"


def add_pages(
    app: Flask, config: Config, list_signing_keys: Callable[[Message, Caller], Message]
) -> None:
    """Add them to the app.

    Args:
        list_signing_keys: The call, which this page makes for everyone: the keys are public.
    """

    @app.get(SIGNING_KEYS)
    def signing_keys() -> Response:
        keys = list_signing_keys(ListSigningKeysRequest(), g.caller)
        return kept(Response(to_json(keys), content_type=JSON_TYPE))

    @app.get("/healthz")
    def healthz() -> Response:
        return Response(b'{"status":"ok"}', content_type=JSON_TYPE)

    @app.get("/readyz")
    def readyz() -> Response:
        problems = readiness(config)
        if problems:
            raise NotReady(" ".join(problems))
        return Response(b'{"status":"ready"}', content_type=JSON_TYPE)

    @app.get("/openapi.json")
    def openapi() -> Response:
        document = openapi_document(config.public_base_url)
        return kept(Response(document, content_type=JSON_TYPE))

    @app.get("/")
    def home() -> Response:
        door = config.public_base_url or request.host_url.rstrip("/")
        return _html(pages.home_page(door, version("guncamera")))

    @app.get("/aid/<segment:slug>")
    def aid(slug: str) -> Response:
        if slug not in rulesets():
            raise RouteNotFound("No rule set has this name. All are listed at /v1/rulesets.")
        return _html(_sheets(slug))

    _add_problems(app)
    add_docs(app)
    add_table(app)
    if config.metrics:

        @app.get("/metrics")
        def metrics() -> Response:
            text, content_type = config.telemetry.render()
            return Response(text, content_type=content_type)


def _add_problems(app: Flask) -> None:
    @app.get("/problems")
    def problems() -> Response:
        return _html(pages.problems_page())

    @app.get("/problems/<segment:slug>")
    def problem(slug: str) -> Response:
        if slug not in BY_SLUG:
            raise RouteNotFound("No problem has this name. All are listed at /problems.")
        return _html(pages.problem_page(BY_SLUG[slug]))


@cache
def _sheets(slug: str) -> str:
    found = rulesets()[slug]
    return player_aid(found.title, found.book, "as shipped")


def _html(page: str) -> Response:
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = pages.CONTENT_SECURITY_POLICY
    return kept(response)
