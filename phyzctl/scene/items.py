"""What stands in a scene: obstacles in the world, and shapes that a robot carries."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field
from typing import Any, NamedTuple, get_args

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.hull import ConvexHull
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Vec3
from phyzctl.model.geom import GeomType
from phyzctl.records import dataclass
from phyzctl.spatial import Array, identity

SceneShape = Sphere | Capsule | Cylinder | Box | Ellipsoid | Plane | ConvexHull
"""What obstacles and attached shapes can be. A plane is the half-space below z = 0 of its frame;
a mesh is its `convex_hull`, or several when it has been decomposed."""

_ROTATION = 1e-6  # how far from a rotation a pose may be


class SceneError(PhyzctlError, ValueError):
    """A shape, a pose or a number of a scene that makes no sense."""


class Outline(NamedTuple):
    """A shape as the kernel takes it, sizes [m] as in `model.geom.Geom`."""

    type: GeomType
    size: Vec3
    hull: ConvexHull | None = None


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A convex shape at a pose `X_WO` (4, 4) in the world.

    `padding` [m] grows it on all sides. `label` tells the parts of one thing apart.

    Raises:
        SceneError: a size that is not positive, a padding that is negative, a pose that is none.
    """

    shape: SceneShape
    X_WO: Array = field(default_factory=identity)
    padding: float = 0.0
    label: str = ""

    def __post_init__(self) -> None:
        outline_of(self.shape)
        _require(self.X_WO, self.padding)


@dataclass(frozen=True, eq=False)
class AttachedShape:
    """A convex shape that the robot carries: it moves with `frame`.

    `frame` names a link; None is the base frame, that of the root link (where the root is the
    world, of the only link on it; of the world, if there are several). `X_FA` (4, 4) is the pose
    in that frame. Exclusions name `id`, which several shapes may share that are one thing; None is
    unassigned. Contact with the links `touch_links` is let pass.

    Raises:
        SceneError: as for an Obstacle.
    """

    shape: SceneShape
    frame: str | None = None
    X_FA: Array = field(default_factory=identity)
    id: str | None = None
    padding: float = 0.0
    touch_links: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        outline_of(self.shape)
        _require(self.X_FA, self.padding)


def outline_of(shape: SceneShape | Any) -> Outline:
    """The shape as the kernel takes it. Raises `SceneError` for sizes that make no sense."""
    match shape:
        case Plane():
            return Outline(GeomType.PLANE, (0.0, 0.0, 0.0))
        case ConvexHull():
            return Outline(GeomType.MESH, (0.0, 0.0, 0.0), shape)
        case Sphere():
            (radius,) = _sizes(shape, [shape.radius])
            return Outline(GeomType.SPHERE, (radius, 0.0, 0.0))
        case Capsule() | Cylinder():
            radius, length = _sizes(shape, [shape.radius, shape.length])
            capsule = isinstance(shape, Capsule)
            return Outline(
                GeomType.CAPSULE if capsule else GeomType.CYLINDER, (radius, 0.5 * length, 0.0)
            )
        case Box():
            x, y, z = _sizes(shape, shape.size or [None])
            return Outline(GeomType.BOX, (0.5 * x, 0.5 * y, 0.5 * z))
        case Ellipsoid():
            x, y, z = _sizes(shape, shape.radii or [None])
            return Outline(GeomType.ELLIPSOID, (x, y, z))
        case _:
            names = ", ".join(each.__name__ for each in get_args(SceneShape))
            raise SceneError(f"a shape is one of {names}, not {type(shape).__name__}")


def _sizes(shape: SceneShape, sizes: Iterable[float | None]) -> list[float]:
    found = [math.nan if size is None else float(size) for size in sizes]
    if not all(0.0 < size < math.inf for size in found):
        raise SceneError(f"sizes must be finite and above 0: {shape}")
    return found


def _require(pose: Array, padding: float) -> None:
    if not 0.0 <= padding < math.inf:
        raise SceneError(f"padding must be finite and not negative, not {padding}")
    if np.shape(pose) != (4, 4) or not np.isfinite(pose).all():
        raise SceneError("a pose is a (4, 4) matrix of finite numbers")
    rotation = np.asarray(pose, dtype=np.float64)[:3, :3]
    turned = np.abs(rotation @ rotation.T - np.eye(3)).max() <= _ROTATION
    if not turned or np.linalg.det(rotation) < 0.0:
        raise SceneError("the upper left 3 by 3 of a pose must be a rotation")
