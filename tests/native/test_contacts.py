"""Contacts of pairs that have a formula are MuJoCo's: as many, in the same places."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.native.contacts import Array, Twin

pytest.importorskip("mujoco")

EXACT = 1e-9
SHAPES = {
    "sphere": 'type="sphere" size=".1"',
    "capsule": 'type="capsule" size=".07 .12"',
    "ellipsoid": 'type="ellipsoid" size=".15 .1 .07"',
    "cylinder": 'type="cylinder" size=".1 .12"',
    "box": 'type="box" size=".12 .09 .07"',
}
PAIRS = [
    *(("plane", name) for name in SHAPES),
    ("sphere", "sphere"),
    ("sphere", "capsule"),
    ("sphere", "cylinder"),
    ("sphere", "box"),
    ("capsule", "capsule"),
    ("capsule", "box"),
    ("box", "box"),
]


def twin(first: str, second: str, margin: float = 0.0) -> Twin:
    """Two shapes that float, the first one a plane that doesn't."""
    stated = f'margin="{margin}"'
    one = f"<body><freejoint/><geom {SHAPES.get(first)} {stated}/></body>"
    if first == "plane":
        one = f'<geom type="plane" size="1 1 1" {stated}/>'
    two = f"<body><freejoint/><geom {SHAPES[second]} {stated}/></body>"
    return Twin.of_text(f"<mujoco><worldbody>{one}{two}</worldbody></mujoco>")


def touching(pair: Twin, count: int, seed: int) -> list[Array]:
    """Positions in which the shapes overlap: apart along a line, then back by 0.1 to 5 mm."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        q = pair.theirs.qpos0.copy()
        for at in range(0, len(q), 7):
            turn = rng.normal(size=4)
            q[at : at + 3] = rng.uniform(-0.1, 0.1, 3)
            q[at + 3 : at + 7] = turn / np.linalg.norm(turn)
        along = rng.normal(size=3) if len(q) == 14 else np.array([0.0, 0.0, 1.0])
        along /= np.linalg.norm(along)
        start = q[:3].copy() if len(q) == 14 else np.zeros(3)
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = 0.5 * (low + high)
            q[-7:-4] = start + middle * along
            low, high = (middle, high) if len(pair.collide(q).dist) else (low, middle)
        q[-7:-4] = start + (low - rng.choice([1e-4, 1e-3, 5e-3])) * along
        found.append(q)
    return found


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_points_are_the_same(first: str, second: str) -> None:
    for margin in (0.0, 0.01):
        pair = twin(first, second, margin)
        for q in touching(pair, 60, seed=7):
            theirs, ours = pair.their_points(q), pair.our_points(q)
            assert list(theirs) == list(ours)
            for names, points in theirs.items():
                assert len(points) == len(ours[names])
                assert_allclose(points.differences(ours[names]), 0.0, atol=EXACT)
