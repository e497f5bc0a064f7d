"""Functions made of straight-line code, one for each dataclass, as dataclasses make `__init__`.

Walking the annotations at every call would cost more than the rulings themselves. The code that
is compiled here is made of the names of our own fields and nothing that a caller sends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from types import new_class
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
    """Make instances of a frozen dataclass with slots in about half the time.

    For those of which a call makes many. A frozen dataclass sets each field through
    `object.__setattr__`, which looks the field up by name. Here an instance is of an unfrozen
    class while its slots are filled.
    """
    twin = _unfrozen(cls)
    if twin is None:
        raise TypeError(f"{cls.__name__}: only a frozen dataclass with its own slots can be quick")
    # A field may have any name that does not begin with an underscore.
    names: dict[str, Any] = {"_cls": cls, "_twin": twin, "_set_class": _SET_CLASS}
    arguments, lines = ["self"], ["_set_class(self, _twin)"]
    for field in fields(cls):  # type: ignore[arg-type]
        argument = field.name
        if field.default is not MISSING:
            names[f"_default_{field.name}"] = field.default
            argument += f"=_default_{field.name}"
        elif field.default_factory is not MISSING or field.kw_only or not field.init:
            raise TypeError(f"{cls.__name__}.{field.name}: only plain fields can be quick")
        arguments.append(argument)
        lines.append(f"self.{field.name} = {field.name}")
    lines.append("self.__class__ = _cls")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made = function("__init__", ", ".join(arguments), lines, names)
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    setattr(cls, "__init__", made)  # noqa: B010  # no type checker likes it plain
    return cls


_SET_CLASS = object.__dict__["__class__"].__set__


def _unfrozen(cls: Any) -> type | None:
    """A class whose instances can be filled and then be made those of `cls`; None without one."""
    names = tuple(field.name for field in fields(cls))
    if cls.__dict__.get("__slots__") != names:
        return None
    bases = getattr(cls, "__orig_bases__", cls.__bases__)
    twin: Any = new_class(cls.__name__, bases, {}, lambda body: body.update(__slots__=names))
    return twin if twin.__setattr__ is object.__setattr__ else None  # a base may be frozen too


def maker(cls: Any) -> Callable[..., Any]:
    """What makes an instance from the values of all its fields, in order: the class, or quicker."""
    names = [field.name for field in fields(cls)]
    are_plain = all(field.init and not field.kw_only for field in fields(cls))
    twin = _unfrozen(cls)
    if twin is None or hasattr(cls, "__post_init__") or not are_plain:
        return cls  # type: ignore[no-any-return]
    filled = [f"_made.{name} = {name}" for name in names]
    lines = ["_made = _twin()", *filled, "_made.__class__ = _cls", "return _made"]
    return function(f"make_{cls.__name__}", ", ".join(names), lines, {"_cls": cls, "_twin": twin})


_changers: dict[type, Callable[[Any, dict[str, Any]], Any]] = {}


def changed(value: T, **changes: Any) -> T:
    """A frozen dataclass with slots, with some fields changed; `dataclasses.replace`, but quick.

    Raises:
        AttributeError: There is no such field.
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
    twin = _unfrozen(cls)
    if twin is None:
        raise TypeError(f"{cls.__name__} is no frozen dataclass with slots of its own")
    lines = ["made = twin()"]
    lines += [f"made.{field.name} = value.{field.name}" for field in fields(cls)]
    lines += ["for name in changes:", "    setattr(made, name, changes[name])"]
    lines += ["made.__class__ = cls", "return made"]
    return function(f"changed_{cls.__name__}", "value, changes", lines, {"cls": cls, "twin": twin})
