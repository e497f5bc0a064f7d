"""Luck is counted in points of damage."""

from guncamera_tournament.figure import Figure, of_procedure

FIGURE = Figure("points of damage", "fire", of_procedure("damage"))
