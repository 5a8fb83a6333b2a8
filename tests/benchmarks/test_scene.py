"""A seven-axis arm among 50 obstacles beside pinocchio with coal, as CPU time in the same run.

Both answer for 10,000 configurations whether anything touches; theirs through Python, one call a
configuration, as pinocchio offers it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Sphere
from phyzctl.model.model import Model
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.items import SceneShape
from phyzctl.spatial import Array
from tests.scene.robots import random_obstacles, seven_axis_arm

coal = pytest.importorskip("coal")
pin = pytest.importorskip("pinocchio")
pytestmark = pytest.mark.benchmark

CONFIGURATIONS = 10_000
OBSTACLES = 50
ROUNDS = 5


def least_seconds(*works: Callable[[], object]) -> list[float]:
    """Per piece of work the least CPU time of several runs, taken in turn."""
    times = np.full((ROUNDS, len(works)), np.inf)
    for row in times:
        for number, work in enumerate(works):
            start = time.thread_time()
            work()
            row[number] = time.thread_time() - start
    return [float(seconds) for seconds in times.min(axis=0)]


def coal_shape(shape: SceneShape) -> Any:
    match shape:
        case Sphere(radius=float(radius)):
            return coal.Sphere(radius)
        case Capsule(radius=float(radius), length=float(length)):
            return coal.Capsule(radius, length)
        case Cylinder(radius=float(radius), length=float(length)):
            return coal.Cylinder(radius, length)
        case Box(size=tuple(size)):
            return coal.Box(*size)
    raise TypeError(shape)


def se3(X: Array) -> Any:
    return pin.SE3(X[:3, :3].copy(), X[:3, 3].copy())


class Peer:
    """The same arm and obstacles in pinocchio, and the same pairs."""

    def __init__(self, model: Model, env: CollisionEnv) -> None:
        self.model, self.geometry = pin.Model(), pin.GeometryModel()
        joints = [0]
        for body in model.bodies[1:]:
            axis = np.array(model.joints[body.joints[0]].axis)
            joint = pin.JointModelRevoluteUnaligned(axis)
            joints.append(self.model.addJoint(joints[-1], joint, se3(body.X_PB), body.name))
        prepared = env.prepare(model)
        for number, geom in enumerate(model.geoms):
            self.add(f"geom {number}", joints[geom.body], se3(geom.X_BG), geom.shape)
        for number, obstacle in enumerate(env.obstacles):
            self.add(f"obstacle {number}", 0, se3(obstacle.X_WO), obstacle.shape)
        for pair in prepared.pairs:
            self.geometry.addCollisionPair(pin.CollisionPair(pair.a, pair.b))
        self.data, self.found = self.model.createData(), self.geometry.createData()

    def add(self, name: str, joint: int, where: Any, shape: Any) -> None:
        self.geometry.addGeometryObject(pin.GeometryObject(name, joint, where, coal_shape(shape)))

    def collides(self, q: Array, *, stop: bool) -> list[bool]:
        arguments = (self.model, self.data, self.geometry, self.found)
        return [pin.computeCollisions(*arguments, row, stop) for row in q]

    def distances(self, q: Array) -> list[float]:
        arguments = (self.model, self.data, self.geometry, self.found)
        least = []
        for row in q:
            pin.computeDistances(*arguments, row)
            least.append(min(each.min_distance for each in self.found.distanceResults))
        return least


def scene() -> tuple[Model, CollisionEnv, Array]:
    rng = np.random.default_rng(5)
    env = CollisionEnv(random_obstacles(rng, OBSTACLES))
    return seven_axis_arm(), env, rng.uniform(-2.8, 2.8, (CONFIGURATIONS, 7))


def test_ten_thousand_configurations() -> None:
    model, env, q = scene()
    peer = Peer(model, env)
    ours = env.check_batch(model, q)
    assert (ours.collides == np.array(peer.collides(q, stop=True))).all()
    assert 0.1 < ours.collides.mean() < 0.9

    mine, first, all_pairs = least_seconds(
        lambda: env.check_batch(model, q),
        lambda: peer.collides(q, stop=True),
        lambda: peer.collides(q, stop=False),
    )
    print(
        f"{mine / len(q) * 1e6:.2f} us a configuration of {len(env.prepare(model).pairs)} pairs; "
        f"pinocchio with coal takes {first / mine:.0f} times as long up to the first hit, "
        f"{all_pairs / mine:.0f} times over all pairs"
    )
    assert first / mine >= 10.0


def test_nearest_pairs() -> None:
    model, env, q = scene()
    q = q[: CONFIGURATIONS // 10]
    peer = Peer(model, env)
    theirs = np.array(peer.distances(q))
    ours = env.check_batch(model, q, distances=True)
    assert ours.distance is not None
    apart = theirs > 1e-3
    np.testing.assert_allclose(ours.distance[apart], theirs[apart], atol=1e-6)

    mine, other = least_seconds(
        lambda: env.check_batch(model, q, distances=True), lambda: peer.distances(q)
    )
    print(
        f"{mine / len(q) * 1e6:.2f} us a configuration; pinocchio with coal takes "
        f"{other / mine:.0f} times as long for the nearest pair"
    )
    assert other / mine >= 10.0
