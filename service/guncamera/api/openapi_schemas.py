"""The schemas of the OpenAPI document, from the descriptors and the comments of the protos.

Choices, for the sake of code generators:

* A oneof is a set of plain optional members with a note. `oneOf` beside `properties` makes
  several generators emit unions of empty types, and some fail.
* There are no null unions: a member that is not set is left out, and null is refused.
* A message that goes both ways has two schemas, as it has two contracts: requests hold what the
  caller has to say (what the comment calls "Required.") and nothing unknown, answers always hold
  that and every member without presence (`required`). The first is called `…Input`.
* A body does not repeat what the path says. Where the same request also stands in a batch, which
  has no path of its own, that one is called `…WithName`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from guncamera.rules.unseen import BARRED

Schema = dict[str, Any]

_SCALARS: dict[int, Schema] = {
    FieldDescriptor.TYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number", "format": "double"},
}
# The numbers of these fields in descriptor.proto, by which comments are addressed.
_MESSAGE, _FIELD, _ONEOF, _ENUM, _VALUE, _SERVICE, _METHOD = 4, 2, 8, 5, 2, 6, 2
_REQUIRED = "Required."
"""How the comment of a field ends that a request must hold."""
_ESCAPED = "".join(one if one == "-" else f"\\u{ord(one):04x}" for one in BARRED)
NO_CONTROL = f"^[^{_ESCAPED}]*$"
"""What a text is made of: no character that nothing can be seen of, wherever it stands."""


@cache
def comments() -> dict[str, str]:
    """The comment of every message, field, enum, value, service and method, by full name."""
    data = files("guncamera.v1").joinpath("descriptors.binpb").read_bytes()
    found: dict[str, str] = {}
    for file in FileDescriptorSet.FromString(data).file:
        if not file.package.startswith("guncamera."):
            continue
        by_path = {
            tuple(spot.path): " ".join(spot.leading_comments.split())
            for spot in file.source_code_info.location
            if spot.leading_comments
        }
        for path, name in _elements(file):
            found[name] = by_path.get(path, "")
    return found


def _elements(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    for at, message in enumerate(file.message_type):
        name = f"{file.package}.{message.name}"
        yield (_MESSAGE, at), name
        for place, field in enumerate(message.field):
            yield (_MESSAGE, at, _FIELD, place), f"{name}.{field.name}"
        for place, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):  # made by `optional`
                yield (_MESSAGE, at, _ONEOF, place), f"{name}.{oneof.name}"
    for at, enum in enumerate(file.enum_type):
        name = f"{file.package}.{enum.name}"
        yield (_ENUM, at), name
        for place, value in enumerate(enum.value):
            yield (_ENUM, at, _VALUE, place), f"{name}.{value.name}"
    for at, service in enumerate(file.service):
        name = f"{file.package}.{service.name}"
        yield (_SERVICE, at), name
        for place, method in enumerate(service.method):
            yield (_SERVICE, at, _METHOD, place), f"{name}.{method.name}"


class Schemas:
    """Collects the schemas that a document refers to.

    Args:
        answers: Every message that answers can hold: those have the plain names.
        named_by_path: The fields that the path says, of every request whose body leaves them out.
    """

    def __init__(self, answers: set[str], named_by_path: dict[str, set[str]]) -> None:
        self.found: dict[str, Schema] = {}
        self._answers = answers
        self._named_by_path = named_by_path

    def of_message(self, message: Descriptor, *, is_input: bool) -> Schema:
        """A reference to the schema of a message, which is made if it is new."""
        if message.full_name == "google.protobuf.Timestamp":
            return {"type": "string", "format": "date-time"}
        name = message.name
        if is_input and message.full_name in self._answers:
            name += "Input"
        if is_input and message.full_name in self._named_by_path:
            name += "WithName"
        if name not in self.found:
            self.found[name] = {}  # taken, should the message hold itself
            self.found[name] = self._object(message, is_input=is_input)
        return _reference(name)

    def of_body(self, message: Descriptor) -> Schema:
        """A reference to the schema of a request body, without the fields that the path says."""
        said = self._named_by_path.get(message.full_name)
        if said is None:
            return self.of_message(message, is_input=True)
        self.found[message.name] = self._object(message, is_input=True, without=said)
        return _reference(message.name)

    def is_required(self, body: Schema) -> bool:
        """Whether a body, given by reference, must hold something."""
        return "required" in self.found[body["$ref"].rpartition("/")[2]]

    def of_enum(self, enum: EnumDescriptor) -> Schema:
        """A reference to the schema of an enum."""
        if enum.name not in self.found:
            values = "\n".join(
                f"- `{value.name}`: {comments()[f'{enum.full_name}.{value.name}']}"
                for value in enum.values
            )
            self.found[enum.name] = {
                "type": "string",
                "description": f"{comments()[enum.full_name]}\n\n{values}",
                "enum": [value.name for value in enum.values],
            }
        return _reference(enum.name)

    def of_value(self, field: FieldDescriptor, *, is_input: bool) -> Schema:
        """The schema of one value of a field, without its comment."""
        if field.message_type is not None:
            return self.of_message(field.message_type, is_input=is_input)
        if field.enum_type is not None:
            return self.of_enum(field.enum_type)
        schema = dict(_SCALARS[field.type])
        if schema["type"] == "string" and is_input:
            schema["pattern"] = NO_CONTROL
        return schema

    def of_field(self, field: FieldDescriptor, *, is_input: bool) -> Schema:
        """The schema of a field, with its comment."""
        nested = field.message_type
        if nested is not None and nested.GetOptions().map_entry:
            value = self.of_value(nested.fields_by_name["value"], is_input=is_input)
            schema: Schema = {"type": "object", "additionalProperties": value}
        elif field.is_repeated:
            schema = {"type": "array", "items": self.of_value(field, is_input=is_input)}
        else:
            schema = self.of_value(field, is_input=is_input)
        # 3.1 allows a description beside $ref.
        return {**schema, "description": comments()[field.full_name]}

    def _object(
        self, message: Descriptor, *, is_input: bool, without: Collection[str] = ()
    ) -> Schema:
        fields = [field for field in message.fields if field.name not in without]
        schema: Schema = {
            "type": "object",
            "description": "\n\n".join([comments()[message.full_name], *_oneof_notes(message)]),
            "properties": {field.name: self.of_field(field, is_input=is_input) for field in fields},
        }
        if is_input:
            schema["additionalProperties"] = False
        always = [field.name for field in fields if self._is_always_there(field, is_input)]
        if always:
            schema["required"] = always
        return schema

    def _is_always_there(self, field: FieldDescriptor, is_input: bool) -> bool:
        is_said = comments()[field.full_name].endswith(_REQUIRED)
        if not is_input:
            return is_said or not field.has_presence
        owner = field.containing_type
        assert owner is not None, f"{field.full_name} is of no message"
        said = self._named_by_path.get(owner.full_name, ())
        return is_said or field.name in said


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _oneof_notes(message: Descriptor) -> Iterator[str]:
    for oneof in message.oneofs:
        if oneof.name.startswith("_"):
            continue
        names = ", ".join(f"`{field.name}`" for field in oneof.fields)
        note = comments()[f"{message.full_name}.{oneof.name}"]
        if len(oneof.fields) == 1:
            yield f"{names}: {note}"
        else:
            yield f"At most one of {names} is set. {note}"


def reachable(message: Descriptor, found: set[str]) -> set[str]:
    """Add a message and all it can hold to `found`."""
    if message.full_name not in found:
        found.add(message.full_name)
        for field in message.fields:
            if field.message_type is not None:
                reachable(field.message_type, found)
    return found
