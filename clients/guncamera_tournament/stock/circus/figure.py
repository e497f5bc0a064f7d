"""Luck is counted in hits."""

from guncamera_tournament.figure import Figure, of_procedure

FIGURE = Figure("hits on pilots", "fire", of_procedure("hits"))
