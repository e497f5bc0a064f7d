"""`guncamera version`."""

from __future__ import annotations

from importlib.metadata import version

from guncamera.cli.console import console, grid, print_json
from guncamera.cli.options import JsonOption
from guncamera.rules.ruleset import rulesets


def version_command(json: JsonOption = False) -> None:
    """Print the version of program and rule sets."""
    found = rulesets().values()
    number = version("guncamera")
    if json:
        print_json(
            {
                "guncamera": number,
                "rulesets": [
                    {
                        "ruleset": one.slug,
                        "title": one.title,
                        "edition": one.book.edition,
                        "rules_version": one.book.rules_version,
                        "rules_hash": one.book.digest,
                        "verbs": [verb.value for verb in one.procedures],
                        "pilots": list(one.pilots),
                    }
                    for one in found
                ],
            }
        )
        return
    out = console()
    out.print(f"guncamera {number}")
    rows = [(o.slug, o.title, str(o.book.rules_version), o.book.digest[:12]) for o in found]
    out.print(grid(("Rule set", "Title", "Version", "Hash"), rows, wide="Title"))
