"""Contacts of any finite placement are numbers, and what a contact says of itself holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl import native
from tests.native.posed import PLANE, SHAPES, Posable, box_hull, cloud, shapes_of

FLAT = cloud([[-0.2, -0.2, 0.0], [0.2, -0.2, 0.0], [0.2, 0.2, 0.0], [-0.2, 0.2, 0.0]])
STICK = cloud([[0.0, 0.0, -0.3], [0.0, 0.0, 0.3]])
POINT = cloud([[0.0, 0.0, 0.0]])
ALL = {
    **SHAPES,
    "crate": box_hull(0.2, 0.3, 0.4),
    "flat": FLAT,
    "stick": STICK,
    "point": POINT,
    "needle": Posable(6, (1e-12, 0.3, 0.0)),
    "plane": PLANE,
}
NAMES = sorted(ALL, key=lambda name: ALL[name].type)
PAIRS = [(a, b) for i, a in enumerate(NAMES) for b in NAMES[i:] if ALL[b].type != 0]


def floating(count: int) -> native.System:
    """Bodies free in space, a geom on each."""
    rows = np.arange(count, dtype=np.int32)
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    return native.System(
        nq=7 * count,
        body_parent=np.full(count, -1, dtype=np.int32),
        body_pos=np.zeros((count, 3)),
        body_quat=quat,
        joint_start=np.arange(count + 1, dtype=np.int32),
        joint_type=np.zeros(count, dtype=np.int32),
        joint_axis=np.zeros((count, 3)),
        joint_anchor=np.zeros((count, 3)),
        joint_ref=np.zeros(count),
        q_offset=7 * rows,
        geom_body=rows,
        geom_pos=np.zeros((count, 3)),
        geom_quat=quat,
    )


def world_of(
    first: Posable, second: Posable, room: float = 0.0, *, manifolds: bool = True
) -> native.ContactWorld:
    return native.ContactWorld(
        floating(2),
        shapes_of([first, second]),
        np.array([[0, 1]], dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        dimension=np.array([3], dtype=np.int32),
        friction=np.ones((1, 5)),
        solref=np.array([[0.02, 1.0]]),
        solref_friction=np.zeros((1, 2)),
        solimp=np.array([[0.9, 0.95, 0.001, 0.5, 2.0]]),
        margin=np.array([room]),
        gap=np.zeros(1),
        manifolds=manifolds,
    )


WORLDS = {names: world_of(ALL[names[0]], ALL[names[1]], 0.05) for names in PAIRS}
# Numbers that make faces parallel, corners meet and centres coincide, and any others.
COORDINATES = st.one_of(
    st.sampled_from([0.0, 0.1, 0.2, 0.3, -0.2, 0.5, 1e-9, 1e-17, -0.4]),
    st.floats(-0.6, 0.6),
)
TURNS = st.one_of(
    st.sampled_from([(1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)]),
    st.tuples(*[st.floats(-1.0, 1.0)] * 4),
)
POSES = st.tuples(st.tuples(*[COORDINATES] * 3), TURNS).map(lambda pose: [*pose[0], *pose[1]])


@settings(max_examples=600)
@given(st.sampled_from(PAIRS), POSES, POSES)
def test_contacts_are_numbers(names: tuple[str, str], a: list[float], b: list[float]) -> None:
    found = native.contacts(WORLDS[names], np.array([[*a, *b]]))
    assert len(found.pair) <= 8
    assert np.isfinite(found.distance).all()
    assert np.isfinite(found.position).all()
    assert (found.distance <= 0.05).all()
    products = found.frame @ np.swapaxes(found.frame, 1, 2)
    np.testing.assert_allclose(products, np.tile(np.eye(3), (len(found.pair), 1, 1)), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(found.frame), 1.0, atol=1e-12)


@settings(max_examples=100)
@given(st.sampled_from(PAIRS), st.tuples(*[st.floats(-1e300, 1e300)] * 14))
def test_no_finite_placement_gives_nan(names: tuple[str, str], q: tuple[float, ...]) -> None:
    found = native.contacts(WORLDS[names], np.array([q]))
    assert not np.isnan(found.distance).any()


@settings(max_examples=200)
@given(
    st.sampled_from([names for names in PAIRS if "point" not in names and "needle" not in names]),
    POSES,
    POSES,
)
def test_one_point_tells_the_distance(
    names: tuple[str, str], a: list[float], b: list[float]
) -> None:
    """Without manifolds, a pair without a formula meets at its signed distance."""
    first, second = ALL[names[0]], ALL[names[1]]
    if first.type in (0, 2, 3) or (first.type == second.type == 6):
        return
    found = native.contacts(world_of(first, second, 0.05, manifolds=False), np.array([[*a, *b]]))
    poses = native.kinematics(floating(2), np.array([[*a, *b]])).geoms
    pairs = np.array([[0, 1]], dtype=np.int32)
    distance = native.distances(shapes_of([first, second]), poses, pairs).distance[0, 0]
    assert len(found.pair) == int(distance < 0.05)
    np.testing.assert_allclose(found.distance, distance, atol=1e-12)


def test_order_of_configurations() -> None:
    world = WORLDS["box", "box"]
    near = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    far = [*near[:9], 5.0, *near[10:]]
    found = native.contacts(world, np.array([near, far, near]))
    assert found.start.tolist() == [0, 4, 4, 8]
    np.testing.assert_array_equal(found.position[:4], found.position[4:])


def laws(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "law": np.zeros(1, dtype=np.int32),
        "dimension": np.array([3], dtype=np.int32),
        "friction": np.ones((1, 5)),
        "solref": np.ones((1, 2)),
        "solref_friction": np.zeros((1, 2)),
        "solimp": np.ones((1, 5)),
        "margin": np.zeros(1),
        "gap": np.zeros(1),
    }
    return {**values, **changes}


@pytest.mark.parametrize(
    ("geoms", "changes", "message"),
    [
        ([[0, 9]], {}, r"geoms\[0\] names no geom"),
        ([[-1, 1]], {}, r"geoms\[0\] names no geom"),
        ([[1, 0]], {}, r"geoms\[0\] has the larger type first"),
        ([[2, 2]], {}, "two half-spaces"),
        ([[0, 3]], {}, "unknown"),
        ([[0, 1]], {"law": np.array([1], dtype=np.int32)}, r"law\[0\] names no law"),
        ([[0, 1]], {"law": np.array([-1], dtype=np.int32)}, r"law\[0\] names no law"),
        ([[0, 1]], {"dimension": np.array([2], dtype=np.int32)}, "none of 1, 3, 4 and 6"),
        ([[0, 1]], {"friction": np.ones((1, 3))}, "friction"),
        ([[0, 1]], {"margin": np.array([np.nan])}, "margin has a number that is NaN"),
        ([[0, 1, 1]], {}, "geoms"),
    ],
)
def test_refusals(geoms: list[list[int]], changes: dict[str, Any], message: str) -> None:
    shapes = shapes_of([ALL["sphere"], ALL["box"], PLANE, Posable(8)])
    with pytest.raises(ValueError, match=message):
        native.ContactWorld(floating(4), shapes, np.array(geoms, dtype=np.int32), **laws(**changes))


def test_shapes_are_those_of_the_system() -> None:
    with pytest.raises(ValueError, match="shapes must be the 3 geoms, not 2"):
        native.ContactWorld(
            floating(3),
            shapes_of([ALL["sphere"], ALL["box"]]),
            np.array([[0, 1]], dtype=np.int32),
            **laws(),
        )


def test_configurations_are_finite() -> None:
    world = WORLDS["box", "box"]
    with pytest.raises(ValueError, match="q must be finite"):
        native.contacts(world, np.full((1, 14), np.nan))
    with pytest.raises(ValueError, match="q"):
        native.contacts(world, np.zeros((1, 13)))
