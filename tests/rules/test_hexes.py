"""Hex geometry against plain geometry: nearest centres, symmetry, rotation."""

from math import atan2, degrees, hypot, isclose, sqrt

from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from hex_laws import neighbours
from hypothesis import given
from hypothesis import strategies as st

HEXES = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
SIXTHS = st.integers(-12, 12)


def centre(hex_):
    """Plain coordinates: x to the east, y to the north, neighbours one apart."""
    return hex_.q + hex_.r / 2, -hex_.r * sqrt(3) / 2


def apart(a, b):
    (ax, ay), (bx, by) = centre(a), centre(b)
    return hypot(ax - bx, ay - by)


def bearing_degrees(a, b):
    (ax, ay), (bx, by) = centre(a), centre(b)
    return degrees(atan2(by - ay, bx - ax)) % 360


@given(HEXES)
def test_the_neighbours_are_the_six_nearest_centres(hex_):
    around = [Hex(hex_.q + dq, hex_.r + dr) for dq in range(-3, 4) for dr in range(-3, 4)]
    nearest = sorted(around, key=lambda other: apart(hex_, other))[1:7]
    assert set(nearest) == set(neighbours(hex_))


@given(HEXES)
def test_directions_lie_every_sixty_degrees_from_east(hex_):
    for sixth, direction in enumerate(DIRECTIONS):
        assert isclose(bearing_degrees(hex_, hex_.step(direction)), 60 * sixth, abs_tol=1e-6)


@given(HEXES, HEXES)
def test_distance_is_symmetric_and_steps_reach_it(a, b):
    assert a.distance(b) == b.distance(a)
    assert a.distance(b) >= apart(a, b) - 1e-9
    here, steps = a, 0
    while here != b:
        here = min(neighbours(here), key=lambda n: apart(n, b))
        steps += 1
    assert steps == a.distance(b)


@given(HEXES, st.sampled_from(DIRECTIONS), st.integers(1, 20))
def test_a_bearing_is_found_on_a_straight_row_and_only_there(hex_, direction, hexes):
    target = hex_.step(direction, hexes)
    assert hex_.bearing(target) is direction
    assert target.bearing(hex_) is direction.opposite()
    assert target.step(direction, -hexes) == hex_
    if hexes > 1:
        assert hex_.bearing(target.step(direction.turned(1))) is None
    assert hex_.bearing(hex_) is None


@given(HEXES, SIXTHS)
def test_rotation_keeps_distances_and_turns_directions(hex_, sixths):
    turned = hex_.rotated(sixths)
    origin = Hex(0, 0)
    assert turned.distance(origin) == hex_.distance(origin)
    assert turned.rotated(-sixths) == hex_
    assert hex_.rotated(6) == hex_
    for direction in DIRECTIONS:
        assert hex_.step(direction).rotated(sixths) == turned.step(direction.turned(sixths))


def test_six_turns_are_none_and_left_undoes_right():
    for direction in DIRECTIONS:
        assert direction.turned(6) is direction
        assert direction.turned(1).turned(-1) is direction
    assert HexDirection.EAST.turned(1) is HexDirection.NORTHEAST
