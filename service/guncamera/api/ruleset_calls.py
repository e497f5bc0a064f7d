"""RulesetService: what is on offer and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from guncamera.api import wire
from guncamera.api.caller import Caller
from guncamera.api.menus import menus
from guncamera.api.names import slug_of, table_of
from guncamera.api.octets import enum_number
from guncamera.api.page_tokens import PageTokens, page_size
from guncamera.rules.book import AnyBook
from guncamera.rules.ruleset import Ruleset, ruleset, rulesets
from guncamera.rules.settings import Setting, SettingValue
from guncamera.rules.table import Basis, Table
from guncamera.rules.variant import Variant, Variants
from guncamera.sessions.refusals import NotOnOffer
from guncamera.v1 import ruleset_service_pb2 as pb

T = TypeVar("T")
_BASIS = pb.DESCRIPTOR.enum_types_by_name["Basis"]


class RulesetCalls:
    """One method for each call of RulesetService.

    Attributes:
        variants: What is on offer beside the rules as printed.
    """

    page_tokens: PageTokens
    variants: Variants

    def ListRulesets(  # noqa: N802  # named as in the proto
        self, request: pb.ListRulesetsRequest, _caller: Caller
    ) -> pb.ListRulesetsResponse:
        """The rule sets, without their rules and settings."""
        found, token = self._page(request, "rulesets", list(rulesets().values()))
        return pb.ListRulesetsResponse(
            rulesets=[self._ruleset(one, one.book) for one in found], next_page_token=token
        )

    def GetRuleset(  # noqa: N802
        self, request: pb.GetRulesetRequest, caller: Caller
    ) -> pb.Ruleset:
        """One rule set, whole."""
        found, book = self._named(slug_of(request.name, "name"), request.variant, caller)
        message = self._ruleset(found, book)
        for rule in book.index:
            message.rules.add(
                id=rule.id,
                title=rule.title,
                summary=rule.summary,
                source=rule.source,
                basis=_basis(rule.basis),
            )
        for setting in book.setting_specs.values():
            _fill_setting(message.settings.add(), setting)
        message.menus.extend(menus(found.slug))
        return message

    def ListTables(  # noqa: N802
        self, request: pb.ListTablesRequest, caller: Caller
    ) -> pb.ListTablesResponse:
        """A rule set's tables."""
        found, book = self._named(slug_of(request.parent, "parent"), request.variant, caller)
        bound = f"{found.slug} {request.variant}"
        tables, token = self._page(request, bound, list(book.tables.values()))
        return pb.ListTablesResponse(
            tables=[_table(found.slug, one) for one in tables], next_page_token=token
        )

    def GetTable(  # noqa: N802
        self, request: pb.GetTableRequest, caller: Caller
    ) -> pb.Table:
        """One table."""
        slug, table_id = table_of(request.name)
        tables = self._named(slug, request.variant, caller)[1].tables
        if table_id not in tables:
            raise NotOnOffer(
                f"{slug} has no table {table_id[:63]!r}; it has {', '.join(tables)}.",
                field="name",
                table=table_id[:63],
            )
        return _table(slug, tables[table_id])

    def ListAircraft(  # noqa: N802
        self, request: pb.ListAircraftRequest, caller: Caller
    ) -> pb.ListAircraftResponse:
        """A rule set's aircraft."""
        found, book = self._named(slug_of(request.parent, "parent"), request.variant, caller)
        bound = f"{found.slug} {request.variant}"
        page, token = self._page(request, bound, list(book.aircraft.items()))
        response = pb.ListAircraftResponse(next_page_token=token)
        for key, profile in page:
            message = response.aircraft.add(name=f"rulesets/{found.slug}/aircraft/{key}")
            wire.fill(getattr(message.profile, found.slug), profile)
        return response

    def _named(self, slug: str, variant: str, caller: Caller) -> tuple[Ruleset, AnyBook]:
        found = ruleset(slug)
        caller.notes.ruleset = slug
        return found, self.variants.book_of(found, variant)

    def _ruleset(self, found: Ruleset, book: AnyBook) -> pb.Ruleset:
        return pb.Ruleset(
            name=f"rulesets/{found.slug}",
            title=found.title,
            edition=book.edition,
            rules_version=book.rules_version,
            rules_hash=book.digest,
            verbs=[verb.value for verb in found.procedures],
            variant=book.variant.name if book.variant else "",
            variants=map(_variant, self.variants.of(found)),
        )

    def _page(self, request: Any, bound: str, items: Sequence[T]) -> tuple[Sequence[T], str]:
        size = page_size(request.page_size, default=50, most=100)
        bound_to = (type(request).__name__, bound, size)
        start = int(self.page_tokens.read(request.page_token, *bound_to) or 0)
        more = str(start + size) if start + size < len(items) else None
        return items[start : start + size], self.page_tokens.make(more, *bound_to)


def _variant(one: Variant) -> pb.Variant:
    imprint = one.imprint
    return pb.Variant(
        name=imprint.name,
        author=imprint.author,
        version=imprint.version,
        license=imprint.license,
        hash=one.pin.hash,
        rules_hash=one.book.digest,
    )


def _table(slug: str, table: Table) -> pb.Table:
    return pb.Table(
        name=f"rulesets/{slug}/tables/{table.id}",
        title=table.title,
        rule_id=table.rule_id,
        source=table.source,
        basis=_basis(table.basis),
        unit=table.unit,
        row_axis=table.row_axis,
        columns=[
            pb.TableColumn(label=c, basis=_basis(table.column_basis.get(c, table.basis)))
            for c in table.columns
        ],
        rows=[
            pb.TableRow(label=row.label, cells=[str(cell) for cell in row.cells])
            for row in table.rows
        ],
        setting=table.setting,
    )


def _fill_setting(message: pb.Setting, setting: Setting) -> None:
    message.name = setting.name
    message.rule_id = setting.rule_id
    message.note = setting.note
    message.title = setting.title
    message.default_value = _text(setting.default)
    message.low, message.high, message.step = setting.low, setting.high, setting.step
    message.reason = setting.reason
    for choice in setting.choices:
        message.choices.add(value=_text(choice.value), meaning=choice.means)


def _text(value: SettingValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _basis(basis: Basis) -> pb.Basis.ValueType:
    number: pb.Basis.ValueType = enum_number(_BASIS, basis)  # type: ignore[assignment]
    return number
