"""The page at `/docs`: a form for each call of the OpenAPI document, by Swagger UI.

All of it is served from here, and works without any other host. Swagger UI comes with the package
`flask_swagger_ui`, whose own page is left aside: it has a script within it, which a strict policy
would have to let run.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from flask import Flask, Response

from guncamera.api.refusals import RouteNotFound
from guncamera.api.rest_conditional import kept

# Nothing but what this service serves; images may stand in styles, as does a board in the page.
# No other page may frame it, since a key is entered here.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
}
_OURS = ("guncamera.api", "docs_page")
_VIEWER = ("flask_swagger_ui", "dist")
_FILES = {
    "page.css": _OURS,
    "page.js": _OURS,
    "swagger-ui.css": _VIEWER,
    "swagger-ui-bundle.js": _VIEWER,
    "favicon-32x32.png": _VIEWER,
}


def add_docs(app: Flask) -> None:
    """Add the page, and the files that it is made of, to the app."""

    @app.get("/docs")
    def docs() -> Response:
        return page_file("page.html", _OURS)

    @app.get("/docs/<segment:name>")
    def docs_file(name: str) -> Response:
        if name not in _FILES:
            raise RouteNotFound("The page at /docs has no such file.")
        return page_file(name, _FILES[name])


@cache
def _content(name: str, home: tuple[str, str]) -> bytes:
    package, folder = home
    return files(package).joinpath(folder, name).read_bytes()


def page_file(name: str, home: tuple[str, str]) -> Response:
    """A file of a page, under a strict policy.

    A browser keeps it, and asks about it again: the next release has another.

    Args:
        home: The package and the folder in it where the file lies.
    """
    suffix = name[name.rindex(".") :]
    response = Response(_content(name, home), content_type=_TYPES[suffix])
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return kept(response)
