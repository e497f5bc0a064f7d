"""Examples of the main calls, which each rule set brings along: `examples.json` in its folder.

The file holds a request for each call, by the name of the call. A rule set without one has no
examples; a test sends every one of them.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from guncamera import rulesets

FILE = "examples.json"


@cache
def examples() -> dict[str, dict[str, Any]]:
    """The requests by the name of the call, then by the slug of the rule set."""
    found: dict[str, dict[str, Any]] = {}
    for module in sorted(pkgutil.iter_modules(rulesets.__path__), key=lambda each: each.name):
        source = files(rulesets.__name__).joinpath(module.name, FILE)
        if module.ispkg and source.is_file():
            for call, request in orjson.loads(source.read_bytes()).items():
                found.setdefault(call, {})[module.name] = request
    return found
