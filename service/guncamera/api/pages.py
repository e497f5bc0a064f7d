"""The few pages for people: the door, and one page for each problem type. Plain HTML, no script.

Their links are relative, so that they hold below a path of a proxy's as well.
"""

from __future__ import annotations

import re
from html import escape

import orjson

from guncamera.api.openapi_examples import examples
from guncamera.api.problem_examples import ProblemExample, problem_examples
from guncamera.api.problems import BY_SLUG, Row
from guncamera.rules.ruleset import rulesets

_STYLE = """
:root { color-scheme: light dark;
  --ink: #1d2326; --paper: #fbfaf7; --rule: #d5d0c4; --link: #0b5a7a }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e3db; --paper: #16191b; --rule: #3a4044; --link: #86c7e2 }
}
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 42rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.1rem; margin-top: 2rem }
a { color: var(--link) } code, pre { font-family: ui-monospace, monospace; font-size: .92em }
pre { padding: .75rem; border: 1px solid var(--rule); overflow-x: auto; overflow-wrap: normal }
table { border-collapse: collapse } th, td { text-align: left; vertical-align: top;
  padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid var(--rule) }
th { font-weight: 600 }
"""
CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def home_page(door: str, version: str) -> str:
    """The page at the door: what this is, where to look, and one line to try.

    Args:
        door: The address that the reader has come by, without a slash at its end.
    """
    shots = examples().get("ResolveFire", {"": {}})
    question = orjson.dumps(next(iter(shots.values()))).decode()
    sheets = ", ".join(
        f'<a href="aid/{slug}">{escape(found.title)}</a>' for slug, found in rulesets().items()
    )
    curl = (
        f"curl -s {door}/v1:resolveFire \\\n"
        f"  -H 'Content-Type: application/json' \\\n  -d '{question}'"
    )
    return _page(
        "Guncamera",
        f"""<p>Rules on air combat at the table, and keeps the film. Version {escape(version)}.</p>
<ul>
<li><a href="v1/rulesets"><code>/v1/rulesets</code></a>: the rule sets on offer</li>
<li><a href="table"><code>/table</code></a>: at the table, with your own dice: a ruling on what you
say, step by step</li>
<li><code>/aid</code>: sheets to print for the table: {sheets}</li>
<li><a href="docs"><code>/docs</code></a>: a form for each call, filled in, to try it here</li>
<li><a href="openapi.json"><code>/openapi.json</code></a>: the REST API; gRPC has reflection</li>
<li><code>/v1/sessions/{{session}}/board.svg</code>: the board of a game as a picture, as the caller
may see it (<code>DrawBoard</code>)</li>
<li><a href="v1/quota"><code>/v1/quota</code></a>: your limits, and how much of them is used
(<code>GetQuota</code>)</li>
<li><a href="problems"><code>/problems</code></a>: every reason a call may be refused for</li>
<li><a href="readyz"><code>/readyz</code></a>: whether games can be played now</li>
</ul>
<h2>One shot, without a session</h2>
<pre>{escape(curl)}</pre>""",
    )


def problems_page() -> str:
    """The list of problem types."""
    rows = "".join(
        f'<tr><td><a href="problems/{row.slug}"><code>{row.reason}</code></a></td>'
        f"<td>{escape(row.title)}</td></tr>"
        for row in BY_SLUG.values()
    )
    return _page(
        "Problems",
        "<p>Every refusal carries one of these reasons, on REST and on gRPC alike.</p>"
        f"<table><tr><th>Reason</th><th>Title</th></tr>{rows}</table>",
    )


def problem_page(row: Row) -> str:
    """The page about one problem type."""
    http = f"{row.http}, or 412 when the etag came by <code>If-Match</code>"
    http = http if row.reason == "ETAG_MISMATCH" else str(row.http)
    return _page(
        row.title,
        f"""<p><code>{row.reason}</code></p>
<p>{_prose(row.meaning)}</p>
<h2>What to do</h2>
<p>{_prose(row.advice)}</p>
<h2>For example</h2>
{_example(problem_examples()[row.reason])}
<h2>Statuses</h2>
<table>
<tr><th>HTTP</th><td>{http}</td></tr>
<tr><th>gRPC</th><td>{row.code.name} ({row.code_number})</td></tr>
</table>
<p><a href="../problems">All problems</a></p>""",
    )


def _example(example: ProblemExample) -> str:
    told = f"<p>{_prose(example.when)}</p>"
    if example.request:
        told = f"<pre>{escape(example.asked())}</pre>\n<p>is told:</p>"
    return f"{told}\n<blockquote>{_prose(example.detail)}</blockquote>"


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )
