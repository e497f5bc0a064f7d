"""The AIP rules we care about, held by walking the descriptors. buf holds the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    FileDescriptor,
    MethodDescriptor,
)
from guncamera.api.routes import SERVICES, rpcs
from guncamera.conformance.cases import cases_dir
from statements import Statement, statement_of, statement_on

SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*")
TYPES = {
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_STRING,
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_DOUBLE,
    FieldDescriptor.TYPE_ENUM,
    FieldDescriptor.TYPE_MESSAGE,
}
# A quantity without its unit in the name is read in the wrong one sooner or later.
MEASURES = {"range", "altitude", "distance", "duration", "ttl", "wait", "climb", "dive", "length"}
UNITS = {"hexes", "metres", "feet", "inches", "seconds", "turns"}
# Words that stand for many things; a rule set has more of its own.
MANY = {"aircraft", "trace"}
LONG_FOR_SHORT = {"configuration", "identifier", "information", "specification", "num", "msg"}


def files() -> dict[str, FileDescriptor]:
    """Every file of ours, by name."""
    found: dict[str, FileDescriptor] = {}

    def visit(file: FileDescriptor) -> None:
        if file.package == "guncamera.v1" and file.name not in found:
            found[file.name] = file
            for other in file.dependencies:
                visit(other)

    for service in SERVICES:
        visit(service.file)
    return found


def messages() -> Iterator[Descriptor]:
    for file in files().values():
        yield from file.message_types_by_name.values()


def fields() -> list[FieldDescriptor]:
    return [field for message in messages() for field in message.fields]


def enums() -> list[EnumDescriptor]:
    return [enum for file in files().values() for enum in file.enum_types_by_name.values()]


def methods() -> list[MethodDescriptor]:
    return [method for service in SERVICES for method in service.methods]


def words(field: FieldDescriptor) -> list[str]:
    return str(field.name).split("_")


def said(field: FieldDescriptor) -> Statement:
    return statement_on(field.containing_type.name)


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def test_there_is_something_to_look_at() -> None:
    assert len(files()) >= 8
    assert len(fields()) > 300


def test_the_version_is_the_last_part_of_the_package() -> None:
    assert {file.package for file in files().values()} == {"guncamera.v1"}


def test_names_are_spelled_as_aip_140_says() -> None:
    assert [f.full_name for f in fields() if not SNAKE.fullmatch(f.name)] == []
    assert [m.full_name for m in messages() if not CAMEL.fullmatch(m.name)] == []


def test_numbers_are_int32_or_double_and_never_unsigned() -> None:
    wrong = [f.full_name for f in fields() if f.type not in TYPES and not is_map(f)]
    assert wrong == [], "int64 becomes a string in JSON, and unsigned cannot say -1"


def test_booleans_are_assertions_without_is() -> None:
    flags = [field for field in fields() if field.type == FieldDescriptor.TYPE_BOOL]
    assert [f.full_name for f in flags if words(f)[0] in ("is", "has", "was")] == []


def test_moments_are_timestamps_called_time() -> None:
    for field in fields():
        is_stamp = (
            field.message_type is not None
            and field.message_type.full_name == "google.protobuf.Timestamp"
        )
        assert is_stamp == field.name.endswith("_time"), field.full_name


def test_measures_carry_their_unit() -> None:
    wrong = [
        field.full_name
        for field in fields()
        if field.type == FieldDescriptor.TYPE_INT32
        and MEASURES & set(words(field))
        and not UNITS & set(words(field))
        and not set(said(field).units) & set(words(field))
        and field.name not in said(field).without_unit
    ]
    assert wrong == []


def test_collections_are_plural_and_single_things_are_not_lists() -> None:
    wrong = [
        field.full_name
        for field in fields()
        if field.is_repeated
        and not is_map(field)
        and not any(word.endswith("s") for word in words(field))
        and words(field)[-1] not in {*MANY, *said(field).collections}
    ]
    assert wrong == []


@pytest.mark.parametrize("slug", sorted(path.name for path in cases_dir().iterdir()))
def test_a_rule_set_says_nothing_of_its_messages_that_none_of_them_needs(slug: str) -> None:
    own = [f for f in fields() if f.containing_type.name.startswith(slug.capitalize())]
    measured = {word for f in own if MEASURES & set(words(f)) for word in (f.name, *words(f))}
    repeated = {words(f)[-1] for f in own if f.is_repeated}
    told = statement_of(slug)
    assert {*told.units, *told.without_unit} - measured == set()
    assert set(told.collections) - repeated == set()


def test_words_are_spelled_out_except_those_that_never_are() -> None:
    wrong = [field.full_name for field in fields() if LONG_FOR_SHORT & set(words(field))]
    assert wrong == []


def test_maps_are_keyed_by_strings() -> None:
    for field in fields():
        if is_map(field):
            key = field.message_type.fields_by_name["key"]
            assert key.type == FieldDescriptor.TYPE_STRING, field.full_name


@pytest.mark.parametrize("enum", enums(), ids=lambda enum: enum.name)
def test_enums_begin_with_unspecified_and_carry_their_prefix(enum: EnumDescriptor) -> None:
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
    assert enum.containing_type is None, "enums stand at package level"
    assert (enum.values[0].name, enum.values[0].number) == (f"{prefix}UNSPECIFIED", 0)
    assert [value.name for value in enum.values if not value.name.startswith(prefix)] == []
    assert [value.number for value in enum.values] == list(range(len(enum.values)))


def test_lists_have_pages_from_the_first_day() -> None:
    for method in methods():
        if method.name.startswith("List"):
            asked, answered = method.input_type.fields_by_name, method.output_type.fields_by_name
            assert {"page_size", "page_token"} <= set(asked), method.full_name
            assert "next_page_token" in answered, method.full_name
            assert answered[method.output_type.fields[0].name].is_repeated, method.full_name


def test_standard_methods_have_their_requests_and_answers() -> None:
    for method in methods():
        name = method.name
        assert method.input_type.name == f"{name}Request", method.full_name
        if name.startswith("Get"):
            assert method.output_type.name == name.removeprefix("Get"), method.full_name
            assert "name" in method.input_type.fields_by_name
            assert "name" in method.output_type.fields_by_name
        if name.startswith("Delete"):
            assert method.output_type.full_name == "google.protobuf.Empty"
        if name.startswith("List"):
            assert method.output_type.name == f"{name}Response"


def test_every_call_has_exactly_one_http_form_of_the_right_kind() -> None:
    for rpc in rpcs():
        [route] = rpc.routes
        if rpc.name.startswith(("Get", "List", "Watch", "Export", "Draw")):
            assert (route.method, route.has_body) == ("GET", False), rpc.name
        elif rpc.name.startswith("Delete"):
            assert (route.method, route.has_body) == ("DELETE", False), rpc.name
        else:
            assert (route.method, route.has_body) == ("POST", True), rpc.name
        assert route.template.startswith("/v1"), rpc.name
        assert not route.template.endswith("/"), rpc.name


def test_paths_name_resources_by_name_or_parent() -> None:
    for rpc in rpcs():
        for field, pattern in rpc.routes[0].fields:
            assert field in ("name", "parent"), rpc.name
            assert re.fullmatch(r"([a-z]+/\{[a-z]+\})(/[a-z]+/\{[a-z]+\})*", pattern), rpc.name


def test_what_changes_a_session_can_be_repeated_and_guarded() -> None:
    for method in methods():
        if "order" in method.input_type.fields_by_name:
            has = set(method.input_type.fields_by_name)
            assert {"name", "seat", "dice", "etag", "request_id", "validate_only"} <= has


def test_rule_set_oneofs_name_slugs() -> None:
    for message in messages():
        for oneof in message.oneofs:
            if oneof.name == "ruleset":
                for field in oneof.fields:
                    assert SNAKE.fullmatch(field.name)
                    assert "_" not in field.name, "a slug is one word"
                    assert field.message_type.name.lower().startswith(field.name)
