# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.
"""What is on offer: rule sets, their printed tables, their aircraft."""

from __future__ import annotations

from collections.abc import Iterator

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

from guncamera_client._blocking.calls import Calls
from guncamera_client._names import ruleset_name, table_name


class RulesetCalls(Calls):
    """The calls of `RulesetService`."""

    def list_rulesets(self, *, page_size: int = 0) -> Iterator[Ruleset]:
        """Every rule set, without rules and settings, page by page.

        Args:
            page_size: Most to fetch at once, 1 to 100; 0 leaves it to the service.

        Returns:
            An iterator that fetches the next page when it gets there.

        Example:
            ```python
            for ruleset in client.list_rulesets():
                print(ruleset.name, ruleset.title)
            ```
        """
        request = ListRulesetsRequest(page_size=page_size)
        for page in self._pages("ListRulesets", request, ListRulesetsResponse):
            yield from page.rulesets

    def get_ruleset(self, ruleset: str | Ruleset, *, variant: str = "") -> Ruleset:
        """A rule set with its rules, settings and verbs.

        Args:
            ruleset: `rulesets/kettering`, `kettering`, or one from a list.
            variant: A variant of it, by its name; empty for the rules as printed.

        Raises:
            RulesetUnknown: there is no such rule set.
            VariantUnknown: it has no such variant here.

        Example:
            ```python
            for rule in client.get_ruleset("kettering").rules:
                print(rule.id, rule.title)
            ```
        """
        request = GetRulesetRequest(name=ruleset_name(ruleset), variant=variant)
        return self._call("GetRuleset", request, Ruleset)

    def list_tables(
        self, ruleset: str | Ruleset, *, variant: str = "", page_size: int = 0
    ) -> Iterator[Table]:
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
            for table in client.list_tables("kettering"):
                print(table.title, table.source)
            ```
        """
        request = ListTablesRequest(
            parent=ruleset_name(ruleset), variant=variant, page_size=page_size
        )
        for page in self._pages("ListTables", request, ListTablesResponse):
            yield from page.tables

    def get_table(self, ruleset: str | Ruleset, table: str, *, variant: str = "") -> Table:
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
            table = client.get_table("kettering", "air-to-air")
            ```
        """
        request = GetTableRequest(name=table_name(ruleset, table), variant=variant)
        return self._call("GetTable", request, Table)

    def list_aircraft(
        self, ruleset: str | Ruleset, *, variant: str = "", page_size: int = 0
    ) -> Iterator[Aircraft]:
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
            names = [aircraft.name for aircraft in client.list_aircraft("kettering")]
            ```
        """
        request = ListAircraftRequest(
            parent=ruleset_name(ruleset), variant=variant, page_size=page_size
        )
        for page in self._pages("ListAircraft", request, ListAircraftResponse):
            yield from page.aircraft
