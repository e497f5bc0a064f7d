"""REST: a Flask app whose routes are read off the service descriptors.

Every error is a problem document, also those of Flask itself; every answer can be read from
pages of other origins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import orjson
from flask import Flask, Response, g, request
from flask_cors import CORS
from google.protobuf.message import Message
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import MethodNotAllowed as WerkzeugMethodNotAllowed
from werkzeug.routing import BaseConverter

from guncamera.api.access import told
from guncamera.api.caller import Caller
from guncamera.api.config import Config
from guncamera.api.near_address import nearest_address
from guncamera.api.problems import http_status, problem_of, retry_after_seconds
from guncamera.api.refusals import Internal, MethodNotAllowed, RouteNotFound
from guncamera.api.rest_answers import EXPOSED_HEADERS, common_headers, written
from guncamera.api.rest_arrival import TRANSPORT, begun
from guncamera.api.rest_conditional import unless_known
from guncamera.api.rest_lane import RestLane
from guncamera.api.rest_pages import add_pages
from guncamera.api.rest_request import read_message
from guncamera.api.rest_streams import stream_response
from guncamera.api.routes import Route, Rpc, bound, rpcs
from guncamera.api.streams import OpenStream, StreamSlots
from guncamera.api.telemetry import RequestRecord
from guncamera.rules.refusal import Malformed, Refusal

PROBLEM_TYPE = "application/problem+json"
HTTP_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class SegmentConverter(BaseConverter):
    """One segment of a path. A colon ends it, so that a verb is never read as part of a name."""

    regex = "[^/:]+"


def create_app(endpoints: object, *, config: Config) -> Flask:
    """Build the REST app over endpoints that have a method for every call.

    Raises:
        AssertionError: the endpoints lack a method.
    """
    app = Flask("guncamera", static_folder=None)
    app.url_map.converters["segment"] = SegmentConverter
    app.url_map.merge_slashes = False  # it would answer with a redirect
    methods, slots = bound(endpoints), StreamSlots(config.max_streams)
    for rpc in rpcs():
        for number, route in enumerate(rpc.routes):
            app.add_url_rule(
                route.path.replace("{", "<segment:").replace("}", ">"),
                endpoint=f"{rpc.name}/{number}",
                view_func=partial(_call, rpc, route, methods[rpc.name], config, slots),
                methods=[route.method],
            )
    add_pages(app, config, methods["ListSigningKeys"])
    app.before_request(partial(_begin, config))
    app.after_request(partial(_finish, config))
    app.register_error_handler(Exception, partial(_problem_response, config))
    CORS(
        app,
        origins="*",
        methods=HTTP_METHODS,
        expose_headers=EXPOSED_HEADERS,
        supports_credentials=False,
        send_wildcard=True,
        max_age=86400,
    )
    if config.rest_is_fast:
        app.wsgi_app = RestLane(app.wsgi_app, methods, config)  # type: ignore[method-assign]
    return app


def _begin(config: Config) -> Response | None:
    is_preflight = request.method == "OPTIONS"
    method = "preflight" if is_preflight else (request.endpoint or "-").partition("/")[0]
    arrival = begun(request.environ, method, config)
    g.caller, g.record = arrival.caller, arrival.record
    if arrival.fault is not None:
        raise arrival.fault
    # A preflight carries no credentials and asks about the address, not about what is there.
    return _empty() if is_preflight else None


def _finish(config: Config, response: Response) -> Response:
    for name, value in common_headers(config, g.caller, g.get("refusal")):
        response.headers.setdefault(name, value)
    record: RequestRecord = g.record
    # Calls have a slash in their Flask endpoint; pages and probes do not, and are not counted.
    is_page = request.endpoint is not None and "/" not in request.endpoint
    if not record.is_stream and not is_page:
        record.end(g.get("reason", "OK"))
    return response


def _empty() -> Response:
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response


def _call(
    rpc: Rpc,
    route: Route,
    method: Callable[[Message, Caller], Any],
    config: Config,
    slots: StreamSlots,
    **segments: str,
) -> Response:
    """Answer one call."""
    caller = g.caller = config.access.admit(rpc.name, g.caller)
    if config.limits is not None:
        config.limits.admit(rpc.name, caller, segments.get("session", ""))
    message = read_message(request, rpc, route, segments, limit=config.body_limit(rpc.name))
    if rpc.streams:
        return _stream(lambda: method(message, caller), config, slots)
    if not rpc.waits(message):
        return _answer(rpc, route, method(message, caller), config)
    release = _take(config, slots)
    try:
        return _answer(rpc, route, method(message, caller), config)
    finally:
        release()


def _answer(rpc: Rpc, route: Route, answer: Any, config: Config) -> Response:
    g.record.answered(answer)
    said = written(rpc, route, answer, g.caller, config)
    if said.status != 204:
        response = Response(said.body, said.status, said.headers)
        return unless_known(response) if route.is_read else response
    response = _empty()
    response.headers.extend(said.headers)
    return response


def _take(config: Config, slots: StreamSlots) -> Callable[[], None]:
    """Take a slot, counted."""
    release = slots.take()
    config.telemetry.stream_opened(TRANSPORT)

    def give_back() -> None:
        config.telemetry.stream_closed(TRANSPORT)
        release()

    return give_back


def _stream(start: Callable[[], Iterator[Message]], config: Config, slots: StreamSlots) -> Response:
    record: RequestRecord = g.record
    release = _take(config, slots)

    def on_close(fault: BaseException | None) -> None:
        release()
        if isinstance(fault, Exception) and not isinstance(fault, Refusal):
            config.telemetry.fault(record, fault)
        # Before the first item, the problem response ends the record.
        if record.is_stream:
            record.end(
                fault.reason if isinstance(fault, Refusal) else "INTERNAL" if fault else "OK"
            )

    try:
        source = start()
    except BaseException:
        release()
        raise
    return stream_response(request, OpenStream(iter(source), on_close), record)


def _problem_response(config: Config, fault: Exception) -> Response:
    """Answer with a problem, whatever went wrong."""
    record: RequestRecord = g.record
    caller: Caller = g.caller
    if config.limits is not None:
        config.limits.give_back(caller, fault)
    refusal = g.refusal = _refusal_of(told(fault, caller))
    if isinstance(refusal, Internal):
        config.telemetry.fault(record, fault)
    g.reason, record.rule_id = refusal.reason, refusal.rule_id
    status = http_status(refusal, etag_is_header=caller.etag_is_header)
    problem = problem_of(
        refusal,
        instance=request.path,
        base_url=config.public_base_url,
        request_id=caller.request_id,
        etag_is_header=caller.etag_is_header,
    )
    response = Response(orjson.dumps(problem), status=status, content_type=PROBLEM_TYPE)
    seconds = retry_after_seconds(refusal)
    if seconds is not None:
        response.headers["Retry-After"] = str(seconds)
    if isinstance(refusal, MethodNotAllowed):
        response.headers["Allow"] = refusal.allowed
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _refusal_of(fault: Exception) -> Refusal:
    """What an exception amounts to; anything unforeseen is a fault of ours."""
    if isinstance(fault, Refusal):
        return fault
    if isinstance(fault, WerkzeugMethodNotAllowed):
        allowed = ", ".join(sorted(fault.valid_methods or ()))
        return MethodNotAllowed(
            f"This address takes {allowed}, not {request.method}.", allowed=allowed
        )
    code = fault.code if isinstance(fault, HTTPException) else None
    if code == 404 or (code is not None and code < 400):
        near = nearest_address(request.path)
        perhaps = f"Perhaps {near} is meant; all are in" if near else "Compare it with"
        return RouteNotFound(f"No call has this address. {perhaps} /openapi.json.")
    if code is not None and code < 500:
        return Malformed("The request cannot be read as HTTP. Correct it and send it again.")
    return Internal(g.caller.request_id)
