"""Small robots to put into scenes, stated through the builder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Shape, Sphere, Vec3
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, JointLimit, Link
from phyzctl.scene.items import AttachedShape, Obstacle, SceneShape
from phyzctl.spatial import Array, pose

UNIT = Inertial(1.0, Inertia(1.0, 0.0, 0.0, 1.0, 0.0, 1.0))
WIDE = JointLimit(-3.0, 3.0)


def solid(name: str, *shapes: Shape, xyz: Vec3 = (0.0, 0.0, 0.0)) -> Link:
    """A link of 1 kg with collision shapes called `name`, `name 1`, …"""
    names = [name if number == 0 else f"{name} {number}" for number in range(len(shapes))]
    geoms = tuple(Geom(s, name=n, xyz=xyz) for s, n in zip(shapes, names, strict=True))
    return Link(name, UNIT, geoms)


def slider_rail(count: int = 3, radius: float = 0.1) -> Model:
    """Balls l0, l1, …, each 1 m above the last, each but the first sliding along x on the last."""
    builder = RobotBuilder("rail")
    for number in range(count):
        builder.link(solid(f"l{number}", Sphere(radius)))
        if number:
            names = (f"j{number}", JointKind.PRISMATIC, f"l{number - 1}", f"l{number}")
            joint = Joint(*names, xyz=(0.0, 0.0, 1.0), axis=(1.0, 0.0, 0.0), limit=WIDE)
            builder.joint(joint)
    return compiler.compile(builder.build(), base="fixed")


def seven_axis_arm() -> Model:
    """Seven hinges by turns along z and y, capsules along the links, a box for a hand."""
    builder = RobotBuilder("seven")
    builder.link(solid("base", Cylinder(0.08, 0.1)))
    for number in range(1, 8):
        length = 0.2 if number < 7 else 0.1
        shape: Shape = Capsule(0.05, length) if number < 7 else Box((0.1, 0.16, 0.06))
        builder.link(solid(f"l{number}", shape, xyz=(0.0, 0.0, 0.5 * length)))
        axis = (0.0, 0.0, 1.0) if number % 2 else (0.0, 1.0, 0.0)
        rise = 0.1 if number == 1 else 0.25
        names = (f"j{number}", JointKind.REVOLUTE, f"l{number - 1}" if number > 1 else "base")
        limit = JointLimit(-2.8, 2.8)
        joint = Joint(*names, f"l{number}", xyz=(0.0, 0.0, rise), axis=axis, limit=limit)
        builder.joint(joint)
    return compiler.compile(builder.build(), base="fixed")


def at(shape: SceneShape, *xyz: float, padding: float = 0.0) -> Obstacle:
    """An obstacle at a place, not turned; what is not given is 0."""
    return Obstacle(shape, pose(xyz=[*xyz, 0.0, 0.0, 0.0][:3]), padding)


def on(shape: SceneShape, frame: str | None, *xyz: float, name: str | None = None) -> AttachedShape:
    """An attached shape at a place in its frame; what is not given is 0."""
    return AttachedShape(shape, frame, pose(xyz=[*xyz, 0.0, 0.0, 0.0][:3]), name)


def random_obstacles(rng: np.random.Generator, count: int, spread: float = 1.2) -> list[Obstacle]:
    """Boxes, balls, capsules and cylinders of 5 to 15 cm, anywhere and any way around an arm."""
    obstacles: list[Obstacle] = []
    while len(obstacles) < count:
        where = rng.uniform(-spread, spread, 3) + np.array([0.0, 0.0, 0.8])
        if np.hypot(where[0], where[1]) < 0.35:
            continue
        size = rng.uniform(0.05, 0.15, 3).tolist()
        shapes: Sequence[SceneShape] = (
            Box((size[0], size[1], size[2])),
            Sphere(size[0]),
            Capsule(size[0] / 2, size[1]),
            Cylinder(size[0] / 2, size[1]),
        )
        turn: Array = rng.normal(size=4)
        shape = shapes[len(obstacles) % 4]
        obstacles.append(Obstacle(shape, pose(xyz=where, quat=turn / np.linalg.norm(turn))))
    return obstacles
