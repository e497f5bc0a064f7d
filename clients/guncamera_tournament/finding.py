"""Python pilots by name: `module:function` and `file.py:function`."""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType

from guncamera_tournament.event import NAME, Entry
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.pilot import Pilot
from guncamera_tournament.stock import stock_names, stock_pilot


def find_pilot(spec: str) -> Pilot:
    """The function that a name stands for.

    Args:
        spec: `module:function`, `file.py:function` or `stock:NAME`.

    Raises:
        TournamentError: There is none.
    """
    where, _, name = spec.rpartition(":")
    if where == "stock":
        try:
            return stock_pilot(name)
        except LookupError as fault:
            raise TournamentError(f"{fault}.", field="spec") from None
    module = _module(where)
    found = getattr(module, name, None)
    if not callable(found):
        raise TournamentError(f"{where} has no function {name!r}.", field="spec")
    pilot: Pilot = found
    return pilot


def check_spec(entry: Entry, path: str) -> None:
    """See as much of a pilot as can be seen without running it.

    Raises:
        TournamentError: There is none; `path` says where it was named.
    """
    if entry.kind == "stock" and entry.what not in stock_names():
        known = ", ".join(f"stock:{name}" for name in stock_names())
        raise TournamentError(f"there is no {entry.spec}; there are {known}.", field=path)
    file = entry.spec.rpartition(":")[0]
    if entry.kind == "python" and file.endswith(".py") and not Path(file).is_file():
        raise TournamentError(f"there is no file {file}.", field=path)
    if entry.kind == "program" and shutil.which(shlex.split(entry.what)[0]) is None:
        raise TournamentError(f"there is no program {shlex.split(entry.what)[0]!r}.", field=path)
    if entry.kind == "remote" and not NAME.fullmatch(entry.what):
        raise TournamentError(f"{entry.what!r} is no name: a-z 0-9 . _ -", field=path)


def _module(where: str) -> ModuleType:
    if not where.endswith(".py"):
        sys.path.insert(0, "")  # as `python -m` does: modules beside where it was started
        return importlib.import_module(where)
    file = Path(where)
    if not file.is_file():
        raise TournamentError(f"there is no file {where}.", field="spec")
    sys.path.insert(0, str(file.parent))
    found = importlib.util.spec_from_file_location(file.stem, file)
    if found is None or found.loader is None:
        raise TournamentError(f"{where} cannot be loaded as Python.", field="spec")
    module = importlib.util.module_from_spec(found)
    sys.modules[file.stem] = module
    found.loader.exec_module(module)
    return module
