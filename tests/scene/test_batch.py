"""Batches say what single checks say."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.shapes import Box, Plane
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.exclusions import ExclusionError, SceneExclusions
from tests.scene.robots import at, on, random_obstacles, seven_axis_arm, slider_rail

ARM = seven_axis_arm()


def environment() -> CollisionEnv:
    obstacles = [*random_obstacles(np.random.default_rng(2), 15), at(Plane(), 0, 0, -0.2)]
    obstacles[0] = at(Box((0.2, 0.2, 0.2)), 0.5, 0.3, 0.4, padding=0.1)
    return CollisionEnv(obstacles).with_attached([on(Box((0.1, 0.1, 0.3)), "l7", 0, 0, 0.3)])


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_as_one_by_one(margin: float) -> None:
    env, q = environment(), np.random.default_rng(3).uniform(-2.8, 2.8, (101, 7))
    first = env.check_batch(ARM, q, margin=margin)
    full = env.check_batch(ARM, q, margin=margin, distances=True)
    assert full.distance is not None
    assert 0.1 < first.collides.mean() < 0.9
    assert (first.collides == full.collides).all()
    assert first.distance is None
    for row, each in enumerate(q):
        report = env.check(ARM, each, margin=margin)
        assert first.collides[row] == bool(report.contacts)
        assert report.nearest is not None
        assert full.distance[row] == pytest.approx(report.minimum_distance, abs=1e-12)
        kind, a, b = full.pairs[full.pair[row]]
        assert (kind, a, b) == (report.nearest.kind, report.nearest.a, report.nearest.b)
        if first.collides[row]:
            pairs = [(contact.kind, contact.a, contact.b) for contact in report.contacts]
            assert first.pairs[first.pair[row]] in pairs
        else:
            assert first.pair[row] == -1


def test_no_configurations_and_no_pairs() -> None:
    report = environment().check_batch(ARM, np.zeros((0, 7)), distances=True)
    assert len(report.collides) == 0
    alone = CollisionEnv.EMPTY.check_batch(slider_rail(1), np.zeros((3, 0)), distances=True)
    assert alone.collides.tolist() == [False] * 3
    assert alone.pair.tolist() == [-1] * 3
    assert alone.distance is not None
    assert np.isinf(alone.distance).all()


def test_misuse() -> None:
    with pytest.raises(PhyzctlError, match=r"q must have shape \(n, 7\)"):
        CollisionEnv.EMPTY.check_batch(ARM, np.zeros(7))
    with pytest.raises(PhyzctlError, match="q must be finite"):
        CollisionEnv.EMPTY.check_batch(ARM, np.full((1, 7), np.nan))
    with pytest.raises(PhyzctlError, match="margin"):
        CollisionEnv.EMPTY.check_batch(ARM, np.zeros((1, 7)), margin=-1.0)
    wrong = environment().with_exclusions(SceneExclusions().robot("none", 0))
    with pytest.raises(ExclusionError):
        wrong.check_batch(ARM, np.zeros((1, 7)))
