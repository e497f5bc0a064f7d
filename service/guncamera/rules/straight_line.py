"""Functions made of straight-line code, one for each dataclass, as dataclasses make `__init__`.

Walking the annotations at every call would cost more than the rulings themselves. The code that
is compiled here is made of the names of our own fields and nothing that a caller sends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def function(
    title: str, arguments: str, lines: Sequence[str], names: Mapping[str, Any]
) -> Callable[..., Any]:
    """Compile a function from the lines of its body.

    Args:
        title: What it is called in a traceback.
        names: What the lines may refer to.
    """
    body = "\n".join(f"    {line}" for line in lines or ("pass",))
    made: dict[str, Any] = {}
    source = compile(f"def {title}({arguments}):\n{body}\n", f"<{title}>", "exec")
    exec(source, dict(names), made)  # noqa: S102  # our own fields' names
    found: Callable[..., Any] = made[title]
    return found


def quick(cls: type[T]) -> type[T]:
    """Make instances of a frozen dataclass with slots in two thirds of the time.

    For those of which a call makes many. A frozen dataclass sets each field through
    `object.__setattr__`, which looks the field up by name; its slot can be filled directly.
    """
    names: dict[str, Any] = {}
    arguments, lines = ["self"], []
    for field in fields(cls):  # type: ignore[arg-type]
        argument = field.name
        if field.default is not MISSING:
            names[f"default_{field.name}"] = field.default
            argument += f"=default_{field.name}"
        elif field.default_factory is not MISSING or field.kw_only or not field.init:
            raise TypeError(f"{cls.__name__}.{field.name}: only plain fields can be quick")
        arguments.append(argument)
        names[f"set_{field.name}"] = cls.__dict__[field.name].__set__
        lines.append(f"set_{field.name}(self, {field.name})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made = function("__init__", ", ".join(arguments), lines, names)
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    setattr(cls, "__init__", made)  # noqa: B010  # no type checker likes it plain
    return cls


_changers: dict[type, Callable[[Any, dict[str, Any]], Any]] = {}


def changed(value: T, **changes: Any) -> T:
    """A frozen dataclass with slots, with some fields changed; `dataclasses.replace`, but quick.

    Raises:
        KeyError: There is no such field.
    """
    cls = type(value)
    changer = _changers.get(cls)
    if changer is None:
        changer = _changers[cls] = _make_changer(cls)
    made: T = changer(value, changes)
    return made


def _make_changer(cls: type) -> Callable[[Any, dict[str, Any]], Any]:
    if hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} has a __post_init__, which would not be called")
    setters = {field.name: cls.__dict__[field.name].__set__ for field in fields(cls)}
    names: dict[str, Any] = {"cls": cls, "new": cls.__new__, "setters": setters}
    lines = ["made = new(cls)"]
    for name, setter in setters.items():
        names[f"set_{name}"] = setter
        lines.append(f"set_{name}(made, value.{name})")
    lines += ["for name in changes:", "    setters[name](made, changes[name])", "return made"]
    return function(f"changed_{cls.__name__}", "value, changes", lines, names)
