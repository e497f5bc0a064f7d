"""Luck is counted in torpedoes."""

from guncamera_tournament.figure import Figure

FIGURE = Figure("torpedoes destroyed", "fire", lambda outcome: int(outcome.torpedo_destroyed))
