"""What must hold of every single push: each over 20,000 random pushes of random sliders."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.pushing.batch import commands_array, twist_batch
from phyzctl.pushing.params import PusherSliderParams
from tests.pushing.cases import (
    DOWN,
    MIRRORED_MODE,
    MIRRORED_TWIST,
    NORMALS,
    SEPARATED,
    STICK,
    TANGENTS,
    UP,
    Array,
    blocks,
    commands,
    contact_forces,
    contact_velocity,
    mirrored,
)


def speeds(rows: Array) -> Array:
    return np.hypot(rows[:, 2], rows[:, 3])


def assert_same_twists(params: PusherSliderParams, found: Array, expected: Array) -> None:
    """Equal to within rounding, by the norm of the limit surface."""
    weights = np.array([1, 1, params.char_len])
    error = np.linalg.norm((found - expected) * weights, axis=1)
    assert (error <= 1e-11 * np.linalg.norm(expected * weights, axis=1)).all()


def test_a_single_push_neither_separates_nor_jams() -> None:
    for params, rows in blocks(1):
        _, modes = twist_batch(params, rows)
        assert np.isin(modes, [STICK, UP, DOWN]).all()


def test_scalar_and_batch_are_one_law() -> None:
    for params, rows in blocks(2, count=25, size=100):
        twists, modes = twist_batch(params, rows)
        scalar = [params.contact_twist(each) for each in commands(rows)]
        assert [mode for _, mode in scalar] == modes.tolist()
        assert_same_twists(params, np.array([twist for twist, _ in scalar]), twists)
        assert (commands_array(commands(rows)) == rows).all()


def test_rate_independence() -> None:
    rng = np.random.default_rng(3)
    for params, rows in blocks(3):
        factors = 10 ** rng.uniform(-6, 6, (len(rows), 1))
        faster = rows.copy()
        faster[:, 2:] *= factors
        twists, modes = twist_batch(params, rows)
        found, same = twist_batch(params, faster)
        assert (same == modes).all()
        assert_same_twists(params, found, twists * factors)


def test_mirror_symmetry() -> None:
    for params, rows in blocks(4):
        twists, modes = twist_batch(params, rows)
        found, other = twist_batch(params, mirrored(rows))
        assert (other == MIRRORED_MODE[modes]).all()
        assert_same_twists(params, found, twists * MIRRORED_TWIST)


def test_rotation_of_the_face() -> None:
    quarter = np.array([(0, -1, 0), (1, 0, 0), (0, 0, 1)])  # faces are counted clockwise
    for params, rows in blocks(5):
        turned = rows.copy()
        turned[:, 0] = (rows[:, 0] - 1) % 4
        twists, modes = twist_batch(params, rows)
        found, same = twist_batch(params, turned)
        assert (same == modes).all()
        assert_same_twists(params, found, twists @ quarter.T)


def test_length_scaling() -> None:
    for params, rows in blocks(6):
        factor = 7.3
        larger = PusherSliderParams(
            factor * params.half_extent, factor * params.char_len, params.pusher_friction
        )
        scaled = rows * np.array([1, factor, 1, 1])
        twists, modes = twist_batch(params, rows)
        found, same = twist_batch(larger, scaled)
        assert (same == modes).all()
        assert_same_twists(larger, found, twists * np.array([1, 1, 1 / factor]))


def test_power_is_positive_and_the_force_acts_at_the_contact() -> None:
    for params, rows in blocks(7):
        twists, _ = twist_batch(params, rows)
        normal, tangential = contact_forces(params, rows, twists)
        along, across = contact_velocity(params, rows, twists)
        assert (normal > 0).all()
        assert (normal * along + tangential * across > 0).all()
        assert (np.abs(tangential) <= params.pusher_friction * normal * (1 + 1e-12)).all()


def test_the_pusher_never_penetrates_nor_loses_the_slider() -> None:
    for params, rows in blocks(8):
        twists, _ = twist_batch(params, rows)
        along, _ = contact_velocity(params, rows, twists)
        scale = np.linalg.norm(twists * np.array([1, 1, params.half_extent]), axis=1) + speeds(rows)
        assert (np.abs(along - rows[:, 2]) <= 1e-12 * scale).all()


def test_stick_means_that_velocities_are_equal() -> None:
    count = 0
    for params, rows in blocks(9):
        twists, modes = twist_batch(params, rows)
        _, across = contact_velocity(params, rows, twists)
        sticks = modes == STICK
        count += sticks.sum()
        assert (np.abs(across - rows[:, 3])[sticks] <= 1e-11 * speeds(rows)[sticks]).all()
    assert count > 4000


def test_slide_means_force_on_the_edge_and_slip_that_way() -> None:
    count = 0
    for params, rows in blocks(10):
        twists, modes = twist_batch(params, rows)
        normal, tangential = contact_forces(params, rows, twists)
        _, across = contact_velocity(params, rows, twists)
        for mode, sign in ((UP, 1), (DOWN, -1)):
            slides = modes == mode
            count += slides.sum()
            edge = sign * params.pusher_friction * normal
            assert (np.abs(tangential - edge)[slides] <= 1e-12 * normal[slides]).all()
            assert (sign * (rows[:, 3] - across)[slides] > 0).all()
    assert count > 4000


def test_the_answer_is_the_only_one() -> None:
    """Of sticking and sliding either way, exactly one is consistent: by a law of its own."""
    for params, rows in blocks(11):
        _, modes = twist_batch(params, rows)
        consistent = np.stack([_consistent(params, rows, way) for way in (0, 1, -1)])
        assert (consistent.sum(axis=0) == 1).all()
        assert (np.array([STICK, UP, DOWN])[consistent.argmax(axis=0)] == modes).all()


def _consistent(params: PusherSliderParams, rows: Array, way: int) -> Array:
    """Whether sticking (0) or sliding up or down agrees with itself: M as the books print it."""
    mu, square = params.pusher_friction, params.char_len**2
    faces = rows[:, 0].astype(int)
    d, t = NORMALS[faces].astype(float), TANGENTS[faces].astype(float)
    p = -params.half_extent * d + rows[:, 1:2] * t
    cross = -p[:, 0] * p[:, 1]
    mobility = np.empty((len(rows), 2, 2))
    mobility[:, 0, 0], mobility[:, 1, 1] = square + p[:, 1] ** 2, square + p[:, 0] ** 2
    mobility[:, 0, 1] = mobility[:, 1, 0] = cross
    mobility /= square
    if way == 0:
        velocity = rows[:, 2:3] * d + rows[:, 3:4] * t
        force = np.linalg.solve(mobility, velocity[..., None])[..., 0]
        normal, tangential = (force * d).sum(-1), (force * t).sum(-1)
        held: Array = (normal > 0) & (np.abs(tangential) <= mu * normal)
        return held
    edge = d + way * mu * t
    moved = np.einsum("nij,nj->ni", mobility, edge)
    weight = rows[:, 2] / (d * moved).sum(-1)
    slip = rows[:, 3] - weight * (t * moved).sum(-1)
    slid: Array = (weight > 0) & (way * slip > 0)
    return slid


def test_a_slider_that_cannot_turn() -> None:
    for params, rows in blocks(12):
        half, mu = params.half_extent, params.pusher_friction
        stiff = PusherSliderParams(half, 1e7 * half, mu)
        twists, _ = twist_batch(stiff, rows)
        scale = speeds(rows)
        assert (np.abs(twists[:, 2]) * half <= 1e-12 * (1 + mu) * scale).all()
        slip = np.clip(rows[:, 3], -mu * rows[:, 2], mu * rows[:, 2])
        faces = rows[:, 0].astype(int)
        expected = rows[:, 2:3] * NORMALS[faces] + slip[:, None] * TANGENTS[faces]
        assert (np.abs(twists[:, :2] - expected) <= 1e-11 * (1 + mu) * scale[:, None]).all()


@pytest.mark.parametrize("side", [1, -1])
def test_edges_of_the_motion_cone_are_where_sticking_ends(side: int) -> None:
    """Closed forms against bisection on the mode; where the cone is open, it sticks at 1e9."""
    rng = np.random.default_rng(13)
    for params, _ in blocks(13, count=25, size=1):
        offsets = rng.uniform(-params.half_extent, params.half_extent, 400)
        edges = np.array([params.motion_cone(float(each)) for each in offsets])
        edge = edges[:, 1] if side > 0 else edges[:, 0]
        found = _bisected(params, offsets, side)
        closed = np.abs(edge) < 1e8
        assert (np.abs(found - edge)[closed] <= 1e-7 * (1 + np.abs(edge[closed]))).all()
        assert (side * found[~closed] >= 1e8).all()


def _bisected(params: PusherSliderParams, offsets: Array, side: int) -> Array:
    b, c = params.half_extent, params.char_len
    inside = b * offsets / (c * c + offsets**2)  # where the force has no tangential part
    outside = np.full_like(offsets, side * 1e9)
    for _ in range(100):
        middle = 0.5 * (inside + outside)
        rows = np.stack([np.zeros_like(offsets), offsets, np.ones_like(offsets), middle], axis=-1)
        _, modes = twist_batch(params, rows)
        sticks = modes == STICK
        inside, outside = np.where(sticks, middle, inside), np.where(sticks, outside, middle)
    return inside


def test_the_cone_opens_at_twice_c_over_b() -> None:
    b, c = 0.05, 0.03
    threshold = 2 * c / b
    below = PusherSliderParams(b, c, 0.999 * threshold)
    above = PusherSliderParams(b, c, 1.001 * threshold)
    offsets = np.linspace(-b, b, 2001)
    assert all(np.isfinite(below.motion_cone(float(each))).all() for each in offsets)
    assert above.motion_cone(-c)[1] == np.inf
    assert above.motion_cone(c)[0] == -np.inf


def test_a_pusher_that_does_not_push_separates() -> None:
    for params, rows in blocks(14, count=5):
        for speed in (0.0, -0.0, -1.0):
            still = rows.copy()
            still[:, 2] = speed
            twists, modes = twist_batch(params, still)
            assert (modes == SEPARATED).all()
            assert (twists == 0).all()
