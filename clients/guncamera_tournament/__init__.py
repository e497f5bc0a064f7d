"""Pits pilots against each other at the games that Guncamera rules on.

A pilot is a function from a `Situation` to an order. It talks to no service: the runner does, as
any client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from guncamera_tournament.pilot import Clock, Order, Pilot, Situation

__all__ = ["Clock", "Order", "Pilot", "Situation"]


def __getattr__(name: str) -> Any:
    # Late, so that the command line can offer tournaments without loading the wire types.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from guncamera_tournament import pilot

    return getattr(pilot, name)
