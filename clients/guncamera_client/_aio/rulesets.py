"""What is on offer: rule sets, their printed tables, their aircraft."""

from __future__ import annotations

from collections.abc import AsyncIterator

from guncamera.v1.ruleset_service_pb2 import (
    Aircraft,
    GetRulesetRequest,
    GetTableRequest,
    ListAircraftRequest,
    ListAircraftResponse,
    ListRulesetsRequest,
    ListRulesetsResponse,
    ListTablesRequest,
    ListTablesResponse,
    Ruleset,
    Table,
)

from guncamera_client._aio.calls import AsyncCalls
from guncamera_client._names import ruleset_name, table_name


class AsyncRulesetCalls(AsyncCalls):
    """The calls of `RulesetService`."""

    async def list_rulesets(self, *, page_size: int = 0) -> AsyncIterator[Ruleset]:
        """Every rule set, without rules and settings, page by page.

        Args:
            page_size: Most to fetch at once, 1 to 100; 0 leaves it to the service.

        Returns:
            An iterator that fetches the next page when it gets there.

        Example:
            ```python
            async for ruleset in client.list_rulesets():
                print(ruleset.name, ruleset.title)
            ```
        """
        request = ListRulesetsRequest(page_size=page_size)
        async for page in self._pages("ListRulesets", request, ListRulesetsResponse):
            for ruleset in page.rulesets:
                yield ruleset

    async def get_ruleset(self, ruleset: str | Ruleset, *, variant: str = "") -> Ruleset:
        """A rule set with its rules, settings and verbs.

        Args:
            ruleset: `rulesets/kettering`, `kettering`, or one from a list.
            variant: A variant of it, by its name; empty for the rules as printed.

        Raises:
            RulesetUnknown: there is no such rule set.
            VariantUnknown: it has no such variant here.

        Example:
            ```python
            for rule in (await client.get_ruleset("kettering")).rules:
                print(rule.id, rule.title)
            ```
        """
        request = GetRulesetRequest(name=ruleset_name(ruleset), variant=variant)
        return await self._call("GetRuleset", request, Ruleset)

    async def list_tables(
        self, ruleset: str | Ruleset, *, variant: str = "", page_size: int = 0
    ) -> AsyncIterator[Table]:
        """Every printed table of a rule set, page by page.

        Args:
            ruleset: `rulesets/kettering`, `kettering`, or one from a list.
            variant: A variant of it, by its name; empty for the rules as printed.
            page_size: Most to fetch at once, 1 to 100; 0 leaves it to the service.

        Returns:
            An iterator that fetches the next page when it gets there.

        Raises:
            RulesetUnknown: there is no such rule set.
            VariantUnknown: it has no such variant here.

        Example:
            ```python
            async for table in client.list_tables("kettering"):
                print(table.title, table.source)
            ```
        """
        request = ListTablesRequest(
            parent=ruleset_name(ruleset), variant=variant, page_size=page_size
        )
        async for page in self._pages("ListTables", request, ListTablesResponse):
            for table in page.tables:
                yield table

    async def get_table(self, ruleset: str | Ruleset, table: str, *, variant: str = "") -> Table:
        """One printed table.

        Args:
            ruleset: `rulesets/kettering`, `kettering`, or one from a list.
            table: Its id, or its whole name.
            variant: A variant of the rule set, by its name; empty for the rules as printed.

        Raises:
            RulesetUnknown: there is no such rule set.
            VariantUnknown: it has no such variant here.
            TableNotFound: the rule set has no such table.

        Example:
            ```python
            table = await client.get_table("kettering", "air-to-air")
            ```
        """
        request = GetTableRequest(name=table_name(ruleset, table), variant=variant)
        return await self._call("GetTable", request, Table)

    async def list_aircraft(
        self, ruleset: str | Ruleset, *, variant: str = "", page_size: int = 0
    ) -> AsyncIterator[Aircraft]:
        """Every aircraft of a rule set with its figures, page by page.

        Args:
            ruleset: `rulesets/kettering`, `kettering`, or one from a list.
            variant: A variant of it, by its name; empty for the rules as printed.
            page_size: Most to fetch at once, 1 to 100; 0 leaves it to the service.

        Returns:
            An iterator that fetches the next page when it gets there.

        Raises:
            RulesetUnknown: there is no such rule set.
            VariantUnknown: it has no such variant here.

        Example:
            ```python
            names = [aircraft.name async for aircraft in client.list_aircraft("kettering")]
            ```
        """
        request = ListAircraftRequest(
            parent=ruleset_name(ruleset), variant=variant, page_size=page_size
        )
        async for page in self._pages("ListAircraft", request, ListAircraftResponse):
            for aircraft in page.aircraft:
                yield aircraft
