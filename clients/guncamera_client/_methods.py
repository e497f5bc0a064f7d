"""The calls of the service, read off its descriptors: path, HTTP route, safe to repeat or not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from google.api import annotations_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from guncamera.v1 import (
    access_service_pb2,
    resolution_service_pb2,
    ruleset_service_pb2,
    session_service_pb2,
)

_VARIABLE = re.compile(r"\{(\w+)=[^}]*\}")
_SERVICE_THAT_WRITES_NOTHING = "ResolutionService"
_REQUEST_ID = "request_id"
_LOOKS = ("get_session", "list_legal_orders")


@dataclass(frozen=True, slots=True)
class HttpCall:
    """A call as HTTP.

    Attributes:
        verb: `GET`, `POST` or `DELETE`.
        path: With every name filled in and quoted.
        query: What goes behind the question mark.
        body: The JSON body; None where there is none.
    """

    verb: str
    path: str
    query: dict[str, str]
    body: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Method:
    """One call of the service.

    Attributes:
        name: `ResolveFire`.
        grpc_path: `/guncamera.v1.ResolutionService/ResolveFire`.
        verb: Its HTTP verb.
        route: Its HTTP path, names still to be filled in: `/v1/{name=sessions/*}:fire`.
        writes_nothing: It may be repeated at will.
    """

    name: str
    grpc_path: str
    verb: str
    route: str
    writes_nothing: bool

    def is_safe(self, request: Message) -> bool:
        """Whether repeating this very request can do no harm."""
        if self.writes_nothing:
            return True
        if isinstance(request, session_service_pb2.BatchPlayRequest):
            return all(_may_be_repeated(item) for item in request.items)
        return _has_request_id(request)

    def as_http(self, request: Message) -> HttpCall:
        """The request as HTTP. Names go into the path, the rest into query or body."""
        named = _VARIABLE.findall(self.route)
        path = _VARIABLE.sub(lambda found: quote(getattr(request, found[1]), safe="/"), self.route)
        if self.verb == "POST":
            body = MessageToDict(request, preserving_proto_field_name=True)
            for name in named:
                body.pop(name, None)
            return HttpCall(self.verb, path, {}, body)
        query = {
            field.name: _as_text(field, value)
            for field, value in request.ListFields()
            if field.name not in named
        }
        return HttpCall(self.verb, path, query, None)


def _has_request_id(request: Message) -> bool:
    return _REQUEST_ID in request.DESCRIPTOR.fields_by_name and bool(getattr(request, _REQUEST_ID))


def _may_be_repeated(item: session_service_pb2.BatchPlayItem) -> bool:
    chosen = item.WhichOneof("call")
    return chosen in (None, *_LOOKS) or _has_request_id(getattr(item, chosen))


def _as_text(field: FieldDescriptor, value: object) -> str:
    if field.type == FieldDescriptor.TYPE_BOOL:
        return "true" if value else "false"
    return str(value)


def _method(descriptor: MethodDescriptor) -> Method:
    service = descriptor.containing_service
    rule = descriptor.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    if verb not in ("get", "post", "delete") or (verb == "post") != (rule.body == "*"):
        raise AssertionError(f"{descriptor.full_name} has an HTTP route of an unknown kind")
    return Method(
        name=descriptor.name,
        grpc_path=f"/{service.full_name}/{descriptor.name}",
        verb=verb.upper(),
        route=getattr(rule, verb),
        writes_nothing=verb == "get" or service.name == _SERVICE_THAT_WRITES_NOTHING,
    )


METHODS: dict[str, Method] = {
    descriptor.name: _method(descriptor)
    for file in (
        ruleset_service_pb2,
        resolution_service_pb2,
        session_service_pb2,
        access_service_pb2,
    )
    for service in file.DESCRIPTOR.services_by_name.values()
    for descriptor in service.methods
}
"""Every call, by its name; no two services have one of the same name."""
