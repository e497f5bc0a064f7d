"""Luck is counted in strikes that hit."""

from typing import Any

from guncamera_tournament.figure import Figure, of_procedure


def _striker(facts: Any, _seat: str) -> str:
    """Dice of a strike fall with the order of who defends: they are the striker's all the same."""
    return str(facts.procedure.target.nation.other.value)


FIGURE = Figure("strikes that hit", "fire", of_procedure("hit"), _striker)
