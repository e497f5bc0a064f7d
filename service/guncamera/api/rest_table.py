"""The page at `/table`: a form for whoever plays at a table, with dice of their own.

It is made of what the service tells about itself, the OpenAPI document and the rule sets, so a rule
set that is added is on it. It asks only what every caller may ask, and keeps nothing.
"""

from __future__ import annotations

from flask import Flask, Response

from guncamera.api.refusals import RouteNotFound
from guncamera.api.rest_docs import page_file

_HOME = ("guncamera.api", "table_page")
_FILES = ("page.css", "page.js", "form.js")


def add_table(app: Flask) -> None:
    """Add the page, and the files that it is made of, to the app."""

    @app.get("/table")
    def table() -> Response:
        return page_file("page.html", _HOME)

    @app.get("/table/<segment:name>")
    def table_file(name: str) -> Response:
        if name not in _FILES:
            raise RouteNotFound("The page at /table has no such file.")
        return page_file(name, _HOME)
