"""Named settings: what a rule set's sources leave open, each with a default and its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from guncamera.rules.refusal import Malformed, Violation

SettingValue = str | int | bool
SettingsT = TypeVar("SettingsT")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value a setting may take, and what it means at the table."""

    value: SettingValue
    means: str


@dataclass(frozen=True, slots=True)
class Setting:
    """One house reading.

    Attributes:
        name: Its field in the rule set's settings message.
        note: The reading's number in our register: `HR-9b`.
        choices: The values allowed; empty for a whole number between `low` and `high`.
        step: A number goes up from `low` in steps of so many.
        reason: Why the default.
        was: What rules where a game began before there was the setting, if that is not the default.
    """

    name: str
    rule_id: str
    note: str
    title: str
    default: SettingValue
    choices: tuple[Choice, ...]
    reason: str
    low: int = 0
    high: int = 0
    step: int = 1
    was: SettingValue | None = None

    def accepts(self, value: object) -> bool:
        """Whether the value is one this setting may take, of the right type."""
        if self.choices:
            return any(type(c.value) is type(value) and c.value == value for c in self.choices)
        if type(value) is not int or not self.low <= value <= self.high:
            return False
        return (value - self.low) % self.step == 0

    def legal_values(self) -> str:
        """The legal values, for a message."""
        if self.choices:
            return ", ".join(str(c.value).lower() for c in self.choices)
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        return f"{self.low} to {self.high}{steps}"


def settings_from(document: Mapping[str, Any]) -> dict[str, Setting]:
    """The settings read from `settings.toml`: one `[[setting]]` each.

    Raises:
        Malformed: With every fault found.
    """
    faults: list[Violation] = []
    settings: dict[str, Setting] = {}
    for entry in document.get("setting", ()):
        where = f"setting[{entry.get('name', len(settings))}]"
        try:
            setting = _setting(entry)
        except (KeyError, TypeError) as fault:
            faults.append(Violation(where, f"missing or wrong: {fault}"))
            continue
        if not setting.accepts(setting.default):
            faults.append(Violation(f"{where}.default", f"not one of {setting.legal_values()}"))
        if setting.was is not None and not setting.accepts(setting.was):
            faults.append(Violation(f"{where}.was", f"not one of {setting.legal_values()}"))
        if setting.name in settings:
            faults.append(Violation(where, "named twice"))
        settings[setting.name] = setting
    if faults:
        raise Malformed(f"{len(faults)} faults in the settings.", violations=faults)
    return settings


def _setting(entry: Mapping[str, Any]) -> Setting:
    texts = {"name", "rule", "note", "title", "reason"}
    known = texts | {"default", "was", "choices", "low", "high", "step"}
    if set(entry) - known:
        raise KeyError(f"unknown keys {sorted(set(entry) - known)}")
    choices = tuple(Choice(c["value"], c["means"]) for c in entry.get("choices", ()))
    if not choices and "low" not in entry:
        raise KeyError("choices, or low and high")
    return Setting(
        name=entry["name"],
        rule_id=entry["rule"],
        note=entry["note"],
        title=entry["title"],
        default=entry["default"],
        choices=choices,
        reason=entry["reason"],
        low=entry.get("low", 0),
        high=entry.get("high", 0),
        step=entry.get("step", 1),
        was=entry.get("was"),
    )


def choose(
    cls: type[SettingsT],
    settings: Mapping[str, Setting],
    overrides: Mapping[str, SettingValue] | None = None,
) -> SettingsT:
    """A rule set's settings with a session's overrides.

    Args:
        cls: The rule set's frozen dataclass, one field per setting.
        settings: What `settings_from` read.
        overrides: Values by name; the rest take their defaults.

    Raises:
        Malformed: An unknown name or an illegal value; every one is listed.
    """
    declared = {f.name for f in fields(cls)}  # type: ignore[arg-type]  # always a dataclass
    if declared != set(settings):
        raise AssertionError(f"settings and fields differ: {sorted(declared ^ set(settings))}")
    chosen = {name: setting.default for name, setting in settings.items()}
    faults: list[Violation] = []
    for name, value in (overrides or {}).items():
        setting = settings.get(name)
        if setting is None:
            faults.append(Violation(f"settings.{name}", "no such setting"))
        elif not setting.accepts(value):
            faults.append(
                Violation(
                    f"settings.{name}",
                    f"{value!r} is not a choice; take {setting.legal_values()}",
                    setting.rule_id,
                )
            )
        else:
            chosen[name] = value
    if faults:
        raise Malformed(f"Setting {faults[0].field}: {faults[0].description}.", violations=faults)
    return cls(**chosen)
