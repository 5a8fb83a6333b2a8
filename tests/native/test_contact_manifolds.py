"""Counts of contacts for placements by hand, and pairs without a formula beside MuJoCo."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.native.contacts import FORMULAS, Array, Twin

pytest.importorskip("mujoco")
spatial = pytest.importorskip("scipy.spatial")

OVERLAP = 1e-4
CORNERS = " ".join(f"{x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1))
ROOF = "-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 0 -.1 .1 0 .1 .1"
ASSETS = f'<asset><mesh name="cube" vertex="{CORNERS}"/><mesh name="roof" vertex="{ROOF}"/></asset>'
SHAPES = {
    "plane": 'type="plane" size="1 1 1"',
    "sphere": 'type="sphere" size=".1"',
    "capsule": 'type="capsule" size=".1 .2"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "cylinder": 'type="cylinder" size=".1 .2"',
    "box": 'type="box" size=".1 .1 .1"',
    "slab": 'type="box" size=".3 .3 .1"',
    "disc": 'type="cylinder" size=".3 .1"',
    "cube": 'type="mesh" mesh="cube"',
    "roof": 'type="mesh" mesh="roof"',
}
# Shape below, shape above, its turn (axis and degrees), height of its centre, contacts.
ROOT = math.sqrt(0.5)
TABLE = [
    ("plane", "sphere", "0 0 1 0", 0.1, 1),
    ("plane", "ellipsoid", "0 0 1 0", 0.3, 1),
    ("plane", "capsule", "0 0 1 0", 0.3, 1),
    ("plane", "capsule", "1 0 0 90", 0.1, 2),
    ("plane", "cylinder", "0 0 1 0", 0.2, 3),
    ("plane", "cylinder", "1 0 0 90", 0.1, 2),
    ("plane", "cylinder", "1 0 0 45", 0.3 * ROOT, 1),
    ("plane", "box", "0 0 1 0", 0.1, 4),
    ("plane", "box", "1 0 0 45", 0.2 * ROOT, 2),
    ("plane", "cube", "0 0 1 30", 0.1, 4),
    ("plane", "cube", "1 0 0 45", 0.2 * ROOT, 2),
    ("plane", "roof", "0 0 1 0", 0.1, 4),
    ("slab", "sphere", "0 0 1 0", 0.2, 1),
    ("slab", "capsule", "0 0 1 0", 0.4, 1),
    ("slab", "capsule", "1 0 0 90", 0.2, 2),
    ("slab", "box", "0 0 1 0", 0.2, 4),
    ("slab", "box", "0 0 1 30", 0.2, 4),
    ("slab", "box", "1 0 0 45", 0.1 + 0.2 * ROOT, 2),
    ("box", "box", "0 0 1 45", 0.2, 8),
    ("slab", "cylinder", "0 0 1 0", 0.3, 4),
    ("slab", "cylinder", "1 0 0 90", 0.2, 2),
    ("disc", "cylinder", "0 0 1 0", 0.3, 4),
    ("disc", "cylinder", "1 0 0 90", 0.2, 2),
    ("disc", "cube", "0 0 1 20", 0.2, 4),
    ("slab", "cube", "0 0 1 20", 0.2, 4),
    ("slab", "cube", "1 0 0 45", 0.1 + 0.2 * ROOT, 2),
    ("cube", "cube", "0 0 1 20", 0.2, 4),
    ("cube", "roof", "0 0 1 20", 0.2, 4),
    ("capsule", "capsule", "0 1 0 90", 0.4, 1),
    ("slab", "ellipsoid", "0 0 1 0", 0.4, 1),
    ("cube", "ellipsoid", "0 0 1 0", 0.4, 1),
]
# Where other points would do as well: round ends turn freely, and of the octagon that two squares
# share, two quadrilaterals are as wide.
AMBIGUOUS = {("slab", "cylinder"), ("disc", "cylinder"), ("disc", "cube"), ("cube", "roof")}


def stacked(below: str, above: str, turn: str, height: float) -> Twin:
    """One shape that stands still, one above it."""
    pose = f'pos="0 0 {height - OVERLAP}" axisangle="{turn}"'
    body = f"<body {pose}><freejoint/><geom {SHAPES[above]}/></body>"
    return Twin.of_text(
        f"<mujoco>{ASSETS}<worldbody><geom {SHAPES[below]}/>{body}</worldbody></mujoco>"
    )


@pytest.mark.parametrize(("below", "above", "turn", "height", "count"), TABLE)
def test_counts(below: str, above: str, turn: str, height: float, count: int) -> None:
    """As many as MuJoCo, all as deep as the overlap, in the same places."""
    twin = stacked(below, above, turn, height)
    q = twin.theirs.qpos0
    [theirs], [ours] = twin.their_points(q).values(), twin.our_points(q).values()
    assert len(theirs) == len(ours) == count
    np.testing.assert_allclose(ours.distance, -OVERLAP, atol=1e-8)
    heights = np.full(count, OVERLAP / 2 if below == "plane" else 0.0)
    if below == "plane":
        np.testing.assert_allclose(ours.position[:, 2], -heights, atol=1e-8)
    if (below, above) not in AMBIGUOUS:
        assert theirs.differences(ours)[1] < 2e-4
    assert np.abs(np.abs(ours.frame[:, 0, 2]) - 1.0).max() < 1e-8


def test_without_manifolds_one_point_is_left() -> None:
    twin = stacked("slab", "cube", "0 0 1 20", 0.2)
    flag = '<option><flag multiccd="disable"/></option>'
    body = f'<body pos="0 0 {0.2 - OVERLAP}"><freejoint/><geom {SHAPES["cube"]}/></body>'
    single = Twin.of_text(
        f"<mujoco>{flag}{ASSETS}<worldbody><geom {SHAPES['slab']}/>{body}</worldbody></mujoco>"
    )
    assert len(twin.ours.contacts(twin.theirs.qpos0).pair) == 4
    assert len(single.ours.contacts(single.theirs.qpos0).pair) == 1
    assert len(single.collide(single.theirs.qpos0).dist) == 1


def floating(first: str, second: str) -> Twin:
    bodies = [f"<body><freejoint/><geom {SHAPES[name]}/></body>" for name in (first, second)]
    return Twin.of_text(f"<mujoco>{ASSETS}<worldbody>{bodies[0]}{bodies[1]}</worldbody></mujoco>")


def overlapping(twin: Twin, count: int, seed: int) -> list[Array]:
    """Random turns, apart along a random line until 1 mm of the overlap is left."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        q = twin.theirs.qpos0.copy()
        for at in (3, 10):
            turn = rng.normal(size=4)
            q[at : at + 4] = turn / np.linalg.norm(turn)
        along = rng.normal(size=3)
        along /= np.linalg.norm(along)
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            q[7:10] = middle * along
            low, high = (middle, high) if len(twin.collide(q).dist) else (low, middle)
        q[7:10] = (low - 1e-3) * along
        found.append(q)
    return found


# Pairs, and which share must agree: in count, and of those in the deepest point's distance and
# normal. MuJoCo stops its search at 1e-6 m, and round shapes have normals as vague as that.
CONVEX = [
    ("sphere", "cube", 1.0, 1e-6, 1e-6),
    ("sphere", "ellipsoid", 1.0, 1e-6, 1e-4),
    ("capsule", "cylinder", 1.0, 1e-6, 1e-4),
    ("capsule", "roof", 0.9, 1e-6, 1e-6),
    ("capsule", "ellipsoid", 1.0, 1e-6, 1e-4),
    ("ellipsoid", "ellipsoid", 1.0, 1e-5, 2e-2),
    ("ellipsoid", "box", 1.0, 1e-5, 2e-2),
    ("cylinder", "ellipsoid", 1.0, 1e-5, 2e-2),
    ("cylinder", "cylinder", 0.9, 1e-5, 2e-2),
    ("cylinder", "box", 0.8, 1e-5, 2e-2),
    ("cylinder", "roof", 0.8, 1e-5, 2e-2),
    ("box", "roof", 0.9, 1e-6, 1e-6),
    ("cube", "roof", 0.9, 1e-6, 1e-6),
    ("cube", "cube", 0.9, 1e-6, 1e-6),
]


@pytest.mark.parametrize(("first", "second", "share", "deep", "turned"), CONVEX)
def test_convex_pairs(first: str, second: str, share: float, deep: float, turned: float) -> None:
    twin, alike, off = floating(first, second), 0, []
    positions = overlapping(twin, 60, seed=11)
    for q in positions:
        theirs, ours = twin.their_points(q), twin.our_points(q)
        assert list(theirs) == list(ours)
        [mine], [other] = ours.values(), theirs.values()
        if len(mine) == len(other):
            alike += 1
            a, b = int(np.argmin(mine.distance)), int(np.argmin(other.distance))
            off.append(
                (
                    abs(mine.distance[a] - other.distance[b]),
                    np.abs(mine.frame[a, 0] - other.frame[b, 0]).max(),
                )
            )
    print(f"{first}-{second}: as many contacts in {alike} of {len(positions)}")
    assert alike >= share * len(positions)
    agree = (np.array(off) <= (deep, turned)).all(axis=1)
    assert agree.mean() >= 0.9, np.max(off, axis=0)


def test_formulas_are_all_named() -> None:
    """The table has every pair of types that has a formula."""
    numbers = {"plane": 0, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6}
    numbers |= {"slab": 6, "disc": 5, "cube": 7, "roof": 7}
    shown = {tuple(sorted((numbers[a], numbers[b]))) for a, b, *_ in TABLE}
    assert FORMULAS - shown == {(2, 2), (2, 3), (2, 5)}


def oval(corners: int, wide: float, phase: float) -> Array:
    """A rim of many corners (n, 2), counterclockwise."""
    turn = phase + 2.0 * math.pi * np.arange(corners) / corners
    reach = wide * (1.0 + 0.15 * np.cos(turn) + 0.1 * np.sin(2.0 * turn))
    rim = np.column_stack([reach * np.cos(turn), 0.8 * reach * np.sin(turn)])
    return np.asarray(rim.astype(np.float32), np.float64)


def prism(name: str, rim: Array) -> str:
    rows = np.vstack([np.column_stack([rim, np.full(len(rim), z)]) for z in (-0.1, 0.1)])
    vertices = " ".join(f"{x:.9g}" for x in rows.ravel())
    return f'<asset><mesh name="{name}" vertex="{vertices}" inertia="shell"/></asset>'


def common_corners(first: Array, second: Array, inside: Array) -> Array:
    """Of the polygon that two share."""
    sides = []
    for rim in (first, second):
        along = np.roll(rim, -1, axis=0) - rim
        out = np.column_stack([along[:, 1], -along[:, 0]])
        sides.append(np.column_stack([out, -(out * rim).sum(axis=1)]))
    return np.asarray(spatial.HalfspaceIntersection(np.vstack(sides), inside).intersections)


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.05, 0.02), (-0.03, 0.06)])
@pytest.mark.parametrize("wide", [0.06, 0.11, 0.2])
@pytest.mark.parametrize("corners", [5, 24, 61])
def test_ends_of_many_corners(corners: int, wide: float, offset: tuple[float, float]) -> None:
    """One within the other, across its rim, or around it: four corners of what they share.

    Which ones of many depends on where around the rim a search for the widest four starts.
    """
    low, high = oval(30, 0.12, 0.1), oval(corners, wide, 0.3)
    twin = Twin.of_text(
        f"<mujoco>{prism('low', low)}{prism('high', high)}<worldbody>"
        '<geom type="mesh" mesh="low"/>'
        f'<body pos="{offset[0]} {offset[1]} {0.2 - OVERLAP}"><freejoint/>'
        '<geom type="mesh" mesh="high"/></body></worldbody></mujoco>'
    )
    q = twin.theirs.qpos0
    [theirs], [ours] = twin.their_points(q).values(), twin.our_points(q).values()
    shift = np.array(offset)
    shared = common_corners(low, high + shift, 0.5 * shift)
    for points in (ours, theirs):
        np.testing.assert_allclose(points.distance, -OVERLAP, atol=1e-8)
        apart = np.abs(points.position[:, None, :2] - shared[None]).max(axis=2)
        nearest = set(apart.argmin(axis=1).tolist())
        assert len(points) == len(nearest) == 4
        assert apart.min(axis=1).max() < 1e-6
