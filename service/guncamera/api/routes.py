"""Every call and its HTTP routes, read off the service descriptors. There is no second list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.api import annotations_pb2, http_pb2
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from guncamera.rules.ruleset import Verb
from guncamera.v1 import (
    access_service_pb2,
    resolution_service_pb2,
    ruleset_service_pb2,
    session_service_pb2,
)

SERVICES: tuple[ServiceDescriptor, ...] = (
    ruleset_service_pb2.DESCRIPTOR.services_by_name["RulesetService"],
    resolution_service_pb2.DESCRIPTOR.services_by_name["ResolutionService"],
    session_service_pb2.DESCRIPTOR.services_by_name["SessionService"],
    access_service_pb2.DESCRIPTOR.services_by_name["AccessService"],
)
SHORT = frozenset(f"{kind}{verb.value.title()}" for verb in Verb for kind in ("", "Resolve"))
"""The calls that rule on one order or one question: some hundred microseconds each."""

_VARIABLE = re.compile(r"\{(\w+)=([^{}]+)\}")
_STATELESS = "guncamera.v1.ResolutionService"
_PRINTED = "guncamera.v1.RulesetService"
_HTTP_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Route:
    """One HTTP form of a call.

    Attributes:
        method: `POST`.
        template: `/v1/{name=sessions/*}:move`, as in the proto.
        path: The same with one variable for each free segment: `/v1/sessions/{session}:move`.
        fields: The request field each resource name goes to, and its pattern:
            `(("name", "sessions/{session}"),)`.
        has_body: The request is the body; else its fields are the query string.
    """

    method: str
    template: str
    path: str
    fields: tuple[tuple[str, str], ...]
    has_body: bool

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing, so that an answer may be known already."""
        return self.method == "GET"

    @property
    def variables(self) -> tuple[str, ...]:
        """The free segments, in order: `("session",)`."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))


@dataclass(frozen=True, slots=True)
class Rpc:
    """One call of the API.

    Attributes:
        service: `guncamera.v1.SessionService`.
        name: `Move`, the name of its method on the endpoints.
        request: The class of its request; `request_type` describes it.
        response: The class of its answer, or of each message of its stream; likewise.
        streams: It answers with a stream.
        routes: Its HTTP forms; the first is the one to show.
    """

    service: str
    name: str
    request: type[Message]
    response: type[Message]
    request_type: Descriptor
    response_type: Descriptor
    streams: bool
    routes: tuple[Route, ...]

    @property
    def can_wait(self) -> bool:
        """A call of it may hold a thread for long: a stream, or a poll that waits."""
        return self.streams or "wait_seconds" in self.request_type.fields_by_name

    def waits(self, request: Message) -> bool:
        """Whether this very call may hold a thread for long."""
        return self.streams or getattr(request, "wait_seconds", 0) > 0

    @staticmethod
    def may_take_long(request: Message) -> bool:
        """Whether a short call may turn out to be long: legal orders are to be looked for."""
        return getattr(request, "nearest_count", 0) > 0

    @property
    def in_session(self) -> bool:
        """Whether it is about what is kept, so that it takes steps with the store."""
        return self.service != _STATELESS

    @property
    def is_same_for_all(self) -> bool:
        """Whether everyone who may ask is answered alike, until the service is another."""
        return self.service == _PRINTED

    @property
    def writes(self) -> bool:
        """Whether it may change what is kept, so that to repeat it unknown could do it twice."""
        return self.routes[0].method != "GET" and self.in_session

    def session_of(self, request: Message) -> str:
        """The id, as it was sent, of the session that a request is about; empty for none."""
        for field, pattern in self.routes[0].fields:
            if pattern.startswith("sessions/"):
                name: str = getattr(request, field)
                return name.removeprefix("sessions/").partition("/")[0]
        return ""

    def creates(self, route: Route) -> bool:
        """Whether the route makes a resource, so that its answer is 201 with a `Location`."""
        return (
            route.method == "POST"
            and not route.fields
            and "name" in self.response_type.fields_by_name
        )


@cache
def rpcs() -> tuple[Rpc, ...]:
    """Every call, in the order of the protos."""
    return tuple(_rpc(service, method) for service in SERVICES for method in service.methods)


def bound(endpoints: object) -> dict[str, Any]:
    """The method of `endpoints` for each call, by name.

    Raises:
        AssertionError: the endpoints lack some.
    """
    missing = [rpc.name for rpc in rpcs() if not callable(getattr(endpoints, rpc.name, None))]
    if missing:
        raise AssertionError(f"endpoints lack {', '.join(missing)}")
    return {rpc.name: getattr(endpoints, rpc.name) for rpc in rpcs()}


def _rpc(service: ServiceDescriptor, method: MethodDescriptor) -> Rpc:
    if method.client_streaming:
        raise AssertionError(f"{method.full_name}: no call streams its request")
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    return Rpc(
        service=service.full_name,
        name=method.name,
        request=GetMessageClass(method.input_type),
        response=GetMessageClass(method.output_type),
        request_type=method.input_type,
        response_type=method.output_type,
        streams=method.server_streaming,
        routes=tuple(_routes(method, rule)),
    )


def _routes(method: MethodDescriptor, rule: http_pb2.HttpRule) -> Iterator[Route]:
    for binding in (rule, *rule.additional_bindings):
        verb = binding.WhichOneof("pattern")
        if verb not in _HTTP_METHODS or binding.body not in ("", "*"):
            raise AssertionError(f"{method.full_name}: no such HTTP form here: {binding}")
        template = getattr(binding, verb)
        path, fields = _path(template)
        yield Route(verb.upper(), template, path, fields, has_body=binding.body == "*")


def _path(template: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Name each `*` after its collection: `sessions/*` becomes `sessions/{session}`."""
    fields: list[tuple[str, str]] = []

    def named(variable: re.Match[str]) -> str:
        segments = variable[2].split("/")
        for place, segment in enumerate(segments):
            if segment == "*":
                segments[place] = "{" + segments[place - 1].removesuffix("s") + "}"
        fields.append((variable[1], "/".join(segments)))
        return fields[-1][1]

    return _VARIABLE.sub(named, template), tuple(fields)
