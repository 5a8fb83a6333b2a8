"""Crowds, where most pairs are left out many at a time: the contacts are MuJoCo's none the less."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.native.contacts import Twin


def scattered(count: int, seed: int, kind: str) -> str:
    """Boxes of the world, or trees of three bodies, at random."""
    rng, parts = np.random.default_rng(seed), []
    for number in range(count):
        place = " ".join(f"{x:.3f}" for x in rng.uniform(-1.0, 1.0, 3))
        if kind == "world":
            parts.append(f'<geom type="box" size=".12 .05 .08" pos="{place}"/>')
            continue
        joint = "<freejoint/>" if number % 3 else '<joint type="ball"/>'
        parts.append(
            f'<body pos="{place}">{joint}<geom size=".12"/>'
            '<body pos=".2 0 0"><joint axis="0 0 1"/><geom type="capsule" size=".05 .08"/>'
            '<body pos=".2 0 0"><joint axis="0 1 0"/><geom type="box" size=".05 .06 .07"/>'
            "</body></body></body>"
        )
    return "".join(parts)


@pytest.mark.parametrize("plane", ["", '<geom type="plane" size="5 5 1" pos="0 0 -.7"/>'])
@pytest.mark.parametrize(("world", "trees"), [(60, 1), (0, 12), (40, 8)])
def test_crowds_touch_as_mujocos(world: int, trees: int, plane: str) -> None:
    bodies = scattered(world, 1, "world") + plane + scattered(trees, 2, "trees")
    twin = Twin.of_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    seen = 0
    for q in twin.positions(60, seed=5, spread=0.4):
        ours = twin.our_points(q)
        theirs = twin.their_points(q)
        assert list(ours) == list(theirs)
        assert all(len(ours[pair]) == len(theirs[pair]) for pair in theirs)
        seen += len(theirs)
    assert seen > 30
    assert twin.data.ncon < len(twin.table.pair_geoms) / 10


def test_margins_reach_beyond_what_is_left_out() -> None:
    """Balls in rows, a hair nearer than their margins: all of them touch."""
    rows = "".join(
        f'<body pos="{x} {y} 0"><freejoint/><geom size=".1" margin="{margin}"/></body>'
        for y, margin in ((0.0, 0.05), (0.2999, 0.05))
        for x in np.arange(8) * 0.4
    )
    twin = Twin.of_text(f"<mujoco><worldbody>{rows}</worldbody></mujoco>")
    q = np.asarray(twin.theirs.qpos0)
    mujoco.mj_resetData(twin.theirs, twin.data)
    assert list(twin.our_points(q)) == list(twin.their_points(q))
    assert len(twin.our_points(q)) == 8
