"""Plain geometry for the Circus tests: what the rules do in whole numbers, done slowly and in
another way, with angles and fractions."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from guncamera.rules.hexes import Hex
from guncamera.rulesets.circus.map import hex_in, label
from hex_laws import mirror_image, mirrored, neighbours

MIDDLE = hex_in(23, 13)


def plus(one, other):
    return Hex(one.q + other.q, one.r + other.r)


def plain(hex_):
    """Where a hex lies, in hexes east and north."""
    return hex_.q + hex_.r / 2, -hex_.r * math.sqrt(3) / 2


def angle_off(facing, looker, target):
    """Degrees between a direction and the line to a hex."""
    east, north = plain(Hex(target.q - looker.q, target.r - looker.r))
    off = math.degrees(math.atan2(north, east)) - 60 * facing.facing
    return abs((off + 180) % 360 - 180)


def touches(facing, looker, target, limit):
    """Whether any corner of a hex is within so many degrees of a direction, or its middle is."""
    east, north = plain(Hex(target.q - looker.q, target.r - looker.r))
    corners = [(east, north)]
    for sixth in range(6):
        turned = math.radians(30 + 60 * sixth)
        corners.append(
            (east + math.cos(turned) / math.sqrt(3), north + math.sin(turned) / math.sqrt(3))
        )
    offs = (math.degrees(math.atan2(y, x)) - 60 * facing.facing for x, y in corners)
    return any(at_most(abs((off + 180) % 360 - 180), limit) for off in offs)


def at_most(angle, limit):
    return angle < limit + 1e-6


def true_range(flat, feet, hex_feet=200):
    """The whole number within half a hex of the true distance, the upper one at a half."""
    squared = flat * flat + Fraction(feet, hex_feet) ** 2
    near = math.isqrt(math.floor(squared))
    return near + 1 if squared >= (near + Fraction(1, 2)) ** 2 else near


def crosses_slowly(looker, looker_feet, target, target_feet, cloud):
    """Whether some piece of a line is in a cloud: pieces between all points where that may change.

    A point is over a hex if no neighbour's middle is nearer.
    """
    from_ = (looker.q, looker.r, looker_feet)
    way = (target.q - looker.q, target.r - looker.r, target_feet - looker_feet)
    middle = cloud_hex(cloud)

    def point(part):
        return tuple(a + part * b for a, b in zip(from_, way))

    def is_in(part):
        q, r, feet = point(part)
        own = squared(q - middle.q, r - middle.r)
        over = all(own <= squared(q - n.q, r - n.r) for n in neighbours(middle))
        return over and cloud.base_feet < feet < cloud.top_feet

    turns = {Fraction(0), Fraction(1)}
    for bound in (cloud.base_feet, cloud.top_feet):
        turns |= {Fraction(bound - looker_feet, way[2])} if way[2] else set()
    for n in neighbours(middle):
        # The squares of both distances are equal where a linear form is.
        start, end = (
            squared(q - n.q, r - n.r) - squared(q - middle.q, r - middle.r)
            for q, r, _ in (point(0), point(1))
        )
        turns |= {Fraction(start, start - end)} if start != end else set()
    parts = sorted(part for part in turns if 0 <= part <= 1)
    return any(is_in((one + other) / 2) for one, other in pairwise(parts))


def squared(q, r):
    return q * q + q * r + r * r


def cloud_hex(cloud):
    return hex_in(int(cloud.hex[:2]), int(cloud.hex[2:]))


def moved_cloud(cloud, move):
    return replace(cloud, hex=label(move(cloud_hex(cloud))))


def around(sixths, *, mirror):
    """A map turned about a hex, and perhaps seen in a mirror."""

    def moved(hex_):
        offset = Hex(hex_.q - MIDDLE.q, hex_.r - MIDDLE.r)
        turned = mirror_image(offset) if mirror else offset
        return plus(MIDDLE, turned.rotated(sixths))

    def faced(direction):
        return (mirrored(direction) if mirror else direction).turned(sixths)

    return moved, faced
