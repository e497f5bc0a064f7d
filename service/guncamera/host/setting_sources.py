"""Where settings are given: by flag, in the environment, in a file; in this order."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

ENV_PREFIX = "GUNCAMERA_"
CONFIG_VARIABLE = "GUNCAMERA_CONFIG"
# A client's, read by our own commands. A service may find it in its environment, and leaves it.
KEY_VARIABLE = "GUNCAMERA_KEY"
SECRETS = ("store_url", "page_key")
"""Settings that hold a secret: an environment variable may name a file with it instead."""
FILE_SUFFIX = "_FILE"

Value: TypeAlias = str | int | float | bool


class SettingsError(Exception):
    """A setting is wrong; the message names it and says what it takes."""


@dataclass(frozen=True, slots=True)
class Given:
    """A setting as it was given.

    Attributes:
        name: What whoever gave it calls it: `GUNCAMERA_MAX_STREAMS`, `service.toml: max_streams`.
        is_text: Whether it had to be given as text, whatever it means.
    """

    name: str
    value: Value
    is_text: bool = True


def env_name(field: str) -> str:
    """The environment variable of a setting."""
    return ENV_PREFIX + field.upper()


def gather(
    names: Sequence[str], environment: Mapping[str, str], flags: Mapping[str, str | int | None]
) -> dict[str, Given]:
    """What is given for each setting: by flag, else in the environment, else in the file.

    Args:
        names: Every setting there is.
        flags: By setting, and the file under `config`; None where a flag is not given.

    Raises:
        SettingsError: A file cannot be read, or a name is unknown.
    """
    _refuse_unknown(names, environment)
    path = flags.get("config") or environment.get(CONFIG_VARIABLE)
    found = _in_file(str(path), names) if path else {}
    for name in names:
        flag = flags.get(name)
        if flag is not None:
            found[name] = Given(env_name(name), flag)
        elif (said := _in_environment(name, environment)) is not None:
            found[name] = said
    return found


def _refuse_unknown(names: Sequence[str], environment: Mapping[str, str]) -> None:
    settings = sorted(map(env_name, names))
    others = [CONFIG_VARIABLE, KEY_VARIABLE, *(env_name(name) + FILE_SUFFIX for name in SECRETS)]
    known = {*settings, *others}
    for name in sorted(environment):
        if name.startswith(ENV_PREFIX) and name not in known:
            raise SettingsError(_unknown(name, name, settings))


def _in_environment(name: str, environment: Mapping[str, str]) -> Given | None:
    variable = env_name(name)
    value = environment.get(variable)
    file = environment.get(variable + FILE_SUFFIX) if name in SECRETS else None
    if file is None:
        return None if value is None else Given(variable, value)
    if value is not None:
        raise SettingsError(f"{variable} and {variable}{FILE_SUFFIX} are both given; give one.")
    try:
        return Given(variable + FILE_SUFFIX, Path(file).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(
            f"{variable}{FILE_SUFFIX}: {file} cannot be read: {_why(fault)}."
        ) from None


def _in_file(path: str, names: Sequence[str]) -> dict[str, Given]:
    try:
        document = tomllib.loads(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(
            f"{path}, the file of settings, cannot be read: {_why(fault)}."
        ) from None
    except tomllib.TOMLDecodeError as fault:
        raise SettingsError(
            f"{path} is no TOML: {fault}. Write one `name = value` a line."
        ) from None
    found = {}
    for name, value in document.items():
        if name not in names:
            raise SettingsError(_unknown(f"{path}: {name}", name, sorted(names)))
        if not isinstance(value, str | int | float | bool):
            raise SettingsError(f"{path}: {name} is {value!r}; give text or a number.")
        found[name] = Given(f"{path}: {name}", value, is_text=False)
    return found


def _unknown(said: str, name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    return f"{said} is no setting. {meant}The settings are {', '.join(known)}."


def _why(fault: Exception) -> str:
    return fault.strerror or "no reason given" if isinstance(fault, OSError) else "it is not UTF-8"
