"""Neighbours and mirror images of hexes: laws of geometry are about them, rules are not."""

from __future__ import annotations

from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """The six hexes around, in the order of the directions."""
    return tuple(hex_.step(direction) for direction in DIRECTIONS)


def mirror_image(hex_: Hex) -> Hex:
    """A hex reflected in the east-west line through the origin."""
    return Hex(hex_.q + hex_.r, -hex_.r)


def mirrored(direction: HexDirection) -> HexDirection:
    """A direction reflected in that line."""
    return DIRECTIONS[-direction.facing % 6]
