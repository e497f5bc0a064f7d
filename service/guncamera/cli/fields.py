"""The fields of a rule's facts, as help lists them: kind, limits, whether they may be left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from typer.core import TyperCommand

from guncamera.cli.facts import procedures_of
from guncamera.rules.ruleset import Verb, rulesets
from guncamera.rules.shape import INT32, FieldShape, shape_of
from guncamera.rules.trace import text_of

T = TypeVar("T")
_WORDS = "guncamera.words"


class VerbCommand(TyperCommand):
    """A command named after a verb, whose help ends with the fields of that verb's facts.

    Of the rule set and the procedure that stand beside `--help`; of all where none does.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words: help is printed before they are read."""
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, and below it the fields."""
        super().format_help(ctx, formatter)
        said = ctx.meta.get(_WORDS, ())
        for found in _named(rulesets(), said).values():
            procedure = found.procedures.get(Verb(str(self.name)))
            if procedure is None:
                continue
            procedures = procedures_of(procedure.facts)
            for name, cls in _named(procedures or {"": procedure.facts}, said).items():
                with formatter.section(f"Facts of {found.slug} {name}".rstrip()):
                    formatter.write_text(described(cls))
                    rows = list(rows_of(cls))
                    if rows:
                        formatter.write_dl(rows, col_max=34)


def _named(known: Mapping[str, T], said: Sequence[str]) -> Mapping[str, T]:
    """Those that are named; all where none is."""
    return {name: one for name, one in known.items() if name in said} or known


def described(cls: type) -> str:
    """The first paragraph of a dataclass's docstring."""
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split())


def rows_of(cls: type, prefix: str = "", *, optional: bool = False) -> Iterator[tuple[str, str]]:
    """Each field as `(dotted name, what it takes)`, what is nested after what it is nested in.

    Args:
        optional: What these are nested in may be left out: then none of them is required alone.
    """
    for shape in shape_of(cls):
        name = prefix + shape.name
        default = _default(cls, shape)
        if shape.kind == "union" and not shape.repeated:
            yield name, f"one of {', '.join(shape.members)}{default}"
            for member, inner in shape.members.items():
                yield from rows_of(inner, f"{name}.{member}.", optional=True)
        elif shape.kind == "record" and not shape.repeated:
            if default:
                yield f"{name}.…", f"{described(shape.type)} {default.removeprefix('; ')}"
            yield from rows_of(shape.type, f"{name}.", optional=optional or bool(default))
        else:
            yield name, f"{kind_of(shape)}{default or ('' if optional else '; required')}"


def kind_of(shape: FieldShape) -> str:
    """What one field takes, in words."""
    many = f"up to {shape.length.length}, with commas between: " if shape.repeated else ""
    if shape.kind == "int":
        low, high = shape.limit.low, shape.limit.high
        limits = "" if shape.limit == INT32 else f", {low} to {high}"
        return f"{many}whole number{limits}"
    if shape.kind == "bool":
        return f"{many}yes or no"
    if shape.kind == "enum":
        return f"{many}{', '.join(member.value for member in shape.type)}"
    if shape.kind == "str":
        return (
            f"{many}text" if shape.repeated else f"text, at most {shape.length.length} characters"
        )
    return f"up to {shape.length.length} records, in a file with --facts"


def _default(cls: type, shape: FieldShape) -> str:
    if shape.default:
        (field,) = (one for one in dataclasses.fields(cls) if one.name == shape.name)
        value = field.default
        if isinstance(value, bool | int | str) and value != "":
            return f"; {text_of(value)} if left out"
        return "; may be left out"
    return "; may be left out" if shape.optional or shape.repeated else ""
