"""Primitives that MJCF makes as large as a mesh: sizes and poses from the mesh's inertia."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phyzctl import codes
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from phyzctl.issues import Issues
from phyzctl.model.passes.meshes import MeshInertias
from phyzctl.model.passes.values import pose_of
from phyzctl.robot import elements
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe
from phyzctl.spatial import Array, RigidInertia, quat_from_rotation


def with_fitted_geoms(robot: Robot, meshes: MeshInertias, issues: Issues) -> Robot:
    """The Robot with sizes and poses of its own in every geom that is fitted to a mesh."""
    if not any(geom.fit_mesh for link in robot.links for geom in link.geoms):
        return robot
    links = []
    for link in robot.links:
        geoms = tuple(
            _fitted(geom, robot, meshes, issues) if geom.fit_mesh else geom for geom in link.geoms
        )
        links.append(replace(link, geoms=geoms))
    return replace(robot, links=tuple(links))


def _fitted(
    geom: elements.Geom, robot: Robot, meshes: MeshInertias, issues: Issues
) -> elements.Geom:
    mode = "shell" if geom.shell_inertia else None
    if robot.settings.fit_aabb:
        message = "fitting a shape to a mesh's bounding box is not supported: it has no size"
        issues.add(codes.UNSUPPORTED, message, source=geom.source, subject=describe(geom))
        return geom
    body = meshes.unit(geom.fit_mesh or "", mode)
    if body is None or not body.mass > 0.0:
        return geom
    half_sides, axes = inertia_box(body)
    X_BG = pose_of(geom)
    shape = _shape(geom.shape, geom.fit_scale * half_sides)
    x, y, z = (X_BG[:3, :3] @ body.com + X_BG[:3, 3]).tolist()
    w, i, j, k = quat_from_rotation(X_BG[:3, :3] @ axes).tolist()
    return replace(geom, shape=shape, xyz=(x, y, z), rpy=None, quat=(w, i, j, k))


def inertia_box(body: RigidInertia) -> tuple[Array, Array]:
    """Half sides (3,) [m], shortest first, and axes (3, 3) of the solid box of equal inertia."""
    moments, axes = np.linalg.eigh(body.inertia)
    moments, axes = moments[::-1], axes[:, ::-1]
    if np.linalg.det(axes) < 0.0:
        axes = axes * (-1.0, 1.0, 1.0)
    squares = 1.5 * (moments.sum() - 2.0 * moments) / body.mass
    return np.sqrt(np.maximum(squares, 0.0)), axes


def _shape(kind: Shape | None, half: Array) -> Shape | None:
    """The primitive of that kind for a box of these half sides, as MuJoCo chooses it."""
    a, b, c = half.tolist()
    radius = 0.5 * (a + b)
    match kind:
        case Sphere():
            return Sphere((a + b + c) / 3.0)
        case Capsule():
            return Capsule(radius, 2.0 * max(0.0, c - 0.5 * radius))
        case Cylinder():
            return Cylinder(radius, 2.0 * c)
        case Ellipsoid():
            return Ellipsoid((a, b, c))
        case Box():
            return Box((2.0 * a, 2.0 * b, 2.0 * c))
        case _:
            return kind
