"""Robots as triangles in the world, for a report that shows them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from phyzctl.cli.checking import read_target
from phyzctl.cli.choices import Choices
from phyzctl.cli.targets import Target
from phyzctl.cli.variants import runs
from phyzctl.errors import PhyzctlError
from phyzctl.geometry.primitives import half_extents
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, MeshShape, Sphere, Vec3
from phyzctl.issues import Issue, Issues
from phyzctl.lint.poses import Pose, pose_of
from phyzctl.model.passes.meshes import mesh_data
from phyzctl.report.report import Part, Scene
from phyzctl.robot.elements import Geom, Joint, Link, Mesh
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe

Triangles = tuple[list[Vec3], list[tuple[int, int, int]]]

MOST = 40
"""Robots in one report, which nobody could look through otherwise."""

_ROUND = 20  # corners of a circle
_DIRECTIONS = 96  # in which a mesh's hull is felt out


def drawn(targets: Sequence[Target], issues: Iterable[Issue], choices: Choices) -> dict[str, Scene]:
    """The robots in these files by path; those of which nothing can be drawn are left out.

    Of more than `MOST` files, only those are drawn in which something was found, as many.
    """
    if len(targets) > MOST:
        faulty = {issue.source.path for issue in issues if issue.source}
        targets = [target for target in targets if target.path in faulty][:MOST]
    found = {}
    for target in targets:
        try:
            reading = read_target(target, Issues(), runs(choices.config(target.path))[0])
        except PhyzctlError:
            continue
        if reading.robot is not None:
            found[target.path] = scene(reading.robot, tuple(reading.documents))
    return found


def scene(robot: Robot, documents: tuple[str, ...] = ()) -> Scene:
    """A robot with all joints at their reference position; what has no pose is left out."""
    poses = dict(_poses(robot))
    meshes = _Meshes(robot.meshes)
    parts: list[Part] = []
    subjects: dict[str, tuple[list[int], list[str]]] = {}
    of_link: dict[str, list[int]] = {link.name: [] for link in robot.links}
    for link in robot.links:
        for geom in link.geoms:
            part = _part(link, geom, poses.get(link.name), meshes)
            if part is not None:
                of_link[link.name].append(len(parts))
                subjects[describe(geom) or ""] = ([len(parts)], [])
                parts.append(part)
        subjects[f"link {link.name!r}"] = (of_link[link.name], [])
    joints = {}
    for joint in robot.joints:
        subjects[f"joint {joint.name!r}"] = (of_link.get(joint.child, []), [joint.name])
        placed = _axis(joint, poses.get(joint.child))
        if placed is not None:
            joints[joint.name] = placed
    return Scene(documents, parts, joints, subjects)


def _poses(robot: Robot) -> Iterator[tuple[str, Pose]]:
    """The pose of each link in the world, parents first."""
    known: dict[str, Pose] = {}
    for link in robot.structure:
        inbound = robot.structure.inbound(link.name)
        outer = known.get(inbound[0].parent) if inbound else Pose()
        inner = pose_of(inbound[0]) if inbound else Pose()
        if outer is not None and inner is not None:
            known[link.name] = outer @ inner
            yield link.name, known[link.name]


def _axis(joint: Joint, pose: Pose | None) -> tuple[Vec3, Vec3 | None] | None:
    """Where a joint is, and its axis of length 1; None for one that is nowhere."""
    if pose is None:
        return None
    at = pose.point(joint.anchor)
    axis = joint.axis
    length = math.hypot(*axis) if axis is not None else 0.0
    if axis is None or not 0.0 < length < math.inf:
        return at, None
    x, y, z = (part / length for part in axis)
    return at, Pose(rows=pose.rows).point((x, y, z))


def _part(link: Link, geom: Geom, pose: Pose | None, meshes: _Meshes) -> Part | None:
    at = pose_of(geom)
    name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else geom.fit_mesh
    found = meshes.triangles(name) if name is not None else _primitive(geom)
    if pose is None or at is None or found is None:
        return None
    vertices, faces = found
    X = pose @ at
    return Part(link.name, geom.role.value, [X.point(vertex) for vertex in vertices], faces)


def _primitive(geom: Geom) -> Triangles | None:
    """The triangles of a shape in closed form; planes and height fields have no end to draw."""
    shape = geom.shape
    half = half_extents(shape) if shape is not None else None
    if half is None or not all(0.0 < extent < math.inf for extent in half):
        return None
    x, y, z = half
    if isinstance(shape, Box):
        return _box((-x, -y, -z), half)
    if isinstance(shape, Cylinder):
        return _turned([(0.0, -z), (x, -z), (x, z), (0.0, z)])
    steps = [math.pi * (step / 10 - 0.5) for step in range(11)]
    if isinstance(shape, Capsule):
        ends = [(steps[:6], x - z), (steps[5:], z - x)]
        return _turned(
            [(x * math.cos(t), x * math.sin(t) + end) for angles, end in ends for t in angles]
        )
    if isinstance(shape, Sphere | Ellipsoid):
        vertices, faces = _turned([(math.cos(t), math.sin(t)) for t in steps])
        return [(x * a, y * b, z * c) for a, b, c in vertices], faces
    return None


def _box(low: Vec3, high: Vec3) -> Triangles:
    xs, ys, zs = zip(low, high, strict=True)
    corners = [(x, y, z) for x in xs for y in ys for z in zs]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))]


def _turned(profile: list[tuple[float, float]]) -> Triangles:
    """The surface that a line of (radius, z), from below to above, makes around the z axis."""
    turns = [2.0 * math.pi * step / _ROUND for step in range(_ROUND)]
    vertices = [(r * math.cos(t), r * math.sin(t), z) for r, z in profile for t in turns]
    faces = []
    for ring in range(0, len(vertices) - _ROUND, _ROUND):
        for here in range(_ROUND):
            beyond = (here + 1) % _ROUND
            a, b = ring + here, ring + beyond
            faces += [(a, b, b + _ROUND), (a, b + _ROUND, a + _ROUND)]
    return vertices, faces


class _Meshes:
    """Meshes as hulls of a hundred corners, by name; each is read once."""

    def __init__(self, meshes: Iterable[Mesh]) -> None:
        self._meshes = {mesh.name: mesh for mesh in meshes}
        self._known: dict[str, Triangles | None] = {}

    def triangles(self, name: str) -> Triangles | None:
        """None for a mesh that isn't there or can't be read."""
        if name not in self._known:
            mesh = self._meshes.get(name)
            self._known[name] = None if mesh is None else self._felt_out(mesh)
        return self._known[name]

    def _felt_out(self, mesh: Mesh) -> Triangles | None:
        """The hull of those vertices that lie farthest out in a hundred directions."""
        import numpy as np

        from phyzctl.geometry.hull import convex_hull

        try:
            data = mesh_data(mesh)
        except PhyzctlError:
            return None
        if data is None or len(data.vertices) == 0 or not np.isfinite(data.vertices).all():
            return None
        chosen = np.unique(np.argmax(data.vertices @ np.array(_directions()).T, axis=0))
        hull = convex_hull(data.vertices[chosen], cache=False)
        return [tuple(v) for v in hull.vertices.tolist()], [tuple(f) for f in hull.faces.tolist()]


def _directions() -> list[Vec3]:
    """Directions spread over the sphere along a spiral."""
    golden = math.pi * (3.0 - math.sqrt(5.0))
    found = []
    for index in range(_DIRECTIONS):
        z = 1.0 - 2.0 * (index + 0.5) / _DIRECTIONS
        r = math.sqrt(1.0 - z * z)
        found.append((r * math.cos(golden * index), r * math.sin(golden * index), z))
    return found
