"""Stock pilots of `circus`."""

LISTS_A_SELECTION = True
"""Plots are too many to list, and any of them is drawn in little time."""
