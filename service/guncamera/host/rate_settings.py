"""The settings of rate limits: what `auto` stands for, and whether one is a limit at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from guncamera.host.setting_sources import SettingsError

if TYPE_CHECKING:  # it imports the limits, which takes long and may not be wanted
    from guncamera.api.rate_limits import Policy

AUTO = "auto"
AUTOMATIC = {
    "rate_per_key": ("key", "12000/minute"),
    "rate_per_session": ("session", "1200/minute"),
    "creates_per_key": ("creates", "600/minute"),
}
"""By setting: what the limit is called, and what `auto` is where callers are asked."""

OFF = ("", "0")


class Rates(Protocol):
    """The settings that are read here."""

    @property
    def rate_per_key(self) -> str: ...  # noqa: D102
    @property
    def rate_per_session(self) -> str: ...  # noqa: D102
    @property
    def creates_per_key(self) -> str: ...  # noqa: D102
    @property
    def reached_from_elsewhere(self) -> list[str]: ...  # noqa: D102


def check_rates(settings: Rates, called: Mapping[str, str]) -> None:
    """Refuse what is no limit.

    Args:
        called: What each setting was called by whoever gave it.

    Raises:
        SettingsError: One is none.
    """
    for name in AUTOMATIC:
        given: str = getattr(settings, name)
        if given != AUTO and given not in OFF:
            _policy(name, given, called=called.get(name, name), counts_open=True)


def policies_of(settings: Rates) -> dict[str, Policy]:
    """The limits there are, by what they are called.

    `auto` leaves alone who a service lets in without asking, where only this machine reaches it:
    there is nobody whom they could keep waiting but themselves.
    """
    found = {}
    for name, (policy, automatic) in AUTOMATIC.items():
        given: str = getattr(settings, name)
        if given in OFF:
            continue
        counts_open = given != AUTO or bool(settings.reached_from_elsewhere)
        notation = automatic if given == AUTO else given
        found[policy] = _policy(name, notation, called=name, counts_open=counts_open)
    return found


def _policy(name: str, notation: str, *, called: str, counts_open: bool) -> Policy:
    from guncamera.api.rate_limits import policy_from

    try:
        return policy_from(AUTOMATIC[name][0], notation, counts_open=counts_open)
    except ValueError:
        raise SettingsError(
            f"{called} is {notation!r}; give a number and a time, as 600/minute or 5 per 10 "
            "seconds, or 0 for no limit, or auto."
        ) from None
