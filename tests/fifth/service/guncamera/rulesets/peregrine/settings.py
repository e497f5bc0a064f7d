"""The house readings as one value, a field for each; `settings.toml` says what each means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PeregrineSettings:
    """The settings of one session, every one of them decided."""

    band_change: str
    ragged: str
