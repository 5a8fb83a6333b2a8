"""Left and right: parts that go by the same name but for the side, and how they mirror."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from phyzctl.geometry.shapes import MeshShape, Vec3
from phyzctl.lint.extents import Extents
from phyzctl.lint.poses import Box, Pose, Rows, around, pose_of, transposed
from phyzctl.records import dataclass
from phyzctl.robot.elements import Inertial, Link
from phyzctl.robot.robot import Robot, Structure

# How the left of two sides is written, and the right; the letters may stand beside front, rear,
# hind, back and middle.
_WORDS = {"left": "right", "Left": "Right", "LEFT": "RIGHT"}
_LETTERS = {"l": "r", "L": "R"}
_PAIRS = {
    f"{a}{b}": f"{c}{d}"
    for letters in ("frhbm", "FRHBM")
    for place in letters
    for side, other in (("l", "r"), ("L", "R"))
    if side.isupper() == place.isupper()
    for a, b, c, d in ((side, place, other, place), (place, side, place, other))
}
_TOKEN = re.compile(r"left|Left|LEFT|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CAPITAL = re.compile(r"(?<![A-Za-z])(L)(?=[A-Z][a-z])|(?<![A-Za-z])(l)(?=[A-Z])")

_APART = 1e-3  # [m] twins that are closer have no plane between them
_SQUARE = 1e-3  # how far a rotation's entry may be from 0 or 1
_MATCH = 0.02  # of what is compared: how well the surroundings of twins mirror
_CLOSE = 1e-3  # [m] the same


@dataclass(frozen=True)
class Twins:
    """Two links, left and right, that state masses.

    `mirror` are the signs by which a point of the left one's frame becomes that of the right;
    None where the frames don't tell. `size` [m] is the diagonal of the box around the shapes of
    either, None when not known.
    """

    left: Link
    right: Link
    mirror: Vec3 | None
    size: float | None

    @property
    def inertials(self) -> tuple[Inertial, Inertial]:
        """What they state, left and right."""
        left, right = self.left.inertial, self.right.inertial
        assert left is not None
        assert right is not None
        return left, right

    @property
    def weigh_the_same(self) -> bool:
        """True when the masses are equal but for a millionth."""
        left, right = (inertial.mass for inertial in self.inertials)
        return left is not None and right is not None and math.isclose(left, right, rel_tol=1e-6)


def twins_of(robot: Robot, extents: Extents) -> Iterator[Twins]:
    """The twins of a robot, in the order of the left ones."""
    names = {link.name for link in robot.links}
    pairs = {left: twin for left in names if (twin := _twin(left, names)) is not None}
    poses = _poses(robot.structure)
    for left in robot:
        other = pairs.get(left.name)
        if other is None:
            continue
        right = robot.structure.link(other)
        if not _weighs(left) or not _weighs(right):
            continue
        boxes = tuple(around(extents.boxes(link, Pose()) or ()) for link in (left, right))
        mirror = _mirror(poses[left.name], poses[right.name])
        if _is_same_part(robot, left, right):
            mirror = None
        if mirror is not None and not _fits(robot.structure, pairs, (left, right), boxes, mirror):
            mirror = None
        size = max((box.diagonal for box in boxes if box), default=None)
        yield Twins(left, right, mirror, size)


def mirrored(point: Vec3, signs: Vec3) -> Vec3:
    """A point with the signs of its coordinates changed."""
    x, y, z = (s * p for s, p in zip(signs, point, strict=True))
    return x, y, z


def _twin(name: str, names: set[str]) -> str | None:
    """The name on the other side, its first side exchanged; None when nobody has it.

    The left gripper's left finger is the twin of the right gripper's left one, for what it weighs;
    and `L_lf` of a left hand is the little finger, not the twin of the ring finger `L_rf`.
    """
    start, end, word = min(_sides(name), default=(0, 0, ""))
    other = f"{name[:start]}{word}{name[end:]}"
    return other if word and other in names else None


def _sides(name: str) -> Iterator[tuple[int, int, str]]:
    """Where in a name a left side is written, and the word for the right.

    Letters count where there is no word: behind one, L may well be the little finger.
    """
    worded = False
    for left, right in _WORDS.items():
        for match in re.finditer(left, name):
            worded = True
            yield match.start(), match.end(), right
    if worded:
        return
    for match in _TOKEN.finditer(name):
        word = {**_LETTERS, **_PAIRS}.get(match.group())
        if word is not None:
            yield match.start(), match.end(), word
    for match in _CAPITAL.finditer(name):
        yield match.start(), match.end(), _LETTERS[match.group()]


def _weighs(link: Link) -> bool:
    mass = link.inertial.mass if link.inertial else None
    return mass is not None and 0.0 < mass < math.inf


def _poses(structure: Structure) -> dict[str, Pose | None]:
    """The pose of every link in the frame of the root, all joints at zero."""
    poses: dict[str, Pose | None] = {}
    for link in structure:
        joints = structure.inbound(link.name)
        if not joints:
            poses[link.name] = Pose()
            continue
        outer, inner = poses[joints[0].parent], pose_of(joints[0])
        poses[link.name] = None if outer is None or inner is None else outer @ inner
    return poses


def _mirror(left: Pose | None, right: Pose | None) -> Vec3 | None:
    """The signs that the plane between two frames gives, where their axes are square to it."""
    if left is None or right is None:
        return None
    across = tuple(b - a for a, b in zip(left.xyz, right.xyz, strict=True))
    distance = math.hypot(*across)
    if not _APART < distance < math.inf:
        return None
    nx, ny, nz = (part / distance for part in across)
    flip: Rows = (
        (1.0 - 2.0 * nx * nx, -2.0 * nx * ny, -2.0 * nx * nz),
        (-2.0 * nx * ny, 1.0 - 2.0 * ny * ny, -2.0 * ny * nz),
        (-2.0 * nx * nz, -2.0 * ny * nz, 1.0 - 2.0 * nz * nz),
    )
    turned = Pose(rows=transposed(right.rows)) @ Pose(rows=flip) @ Pose(rows=left.rows)
    signs = tuple(turned.rows[k][k] for k in range(3))
    if any(abs(abs(sign) - 1.0) > _SQUARE for sign in signs):
        return None
    x, y, z = (math.copysign(1.0, sign) for sign in signs)
    return x, y, z


def _is_same_part(robot: Robot, left: Link, right: Link) -> bool:
    """True when both show the same meshes in the same places: one part, mounted twice."""
    assets = {mesh.name: (mesh.file or mesh.uri, mesh.scale) for mesh in robot.meshes}
    ours, theirs = (
        {
            (assets.get(geom.shape.mesh), geom.xyz, geom.rpy, geom.quat)
            for geom in link.geoms
            if isinstance(geom.shape, MeshShape)
        }
        for link in (left, right)
    )
    return bool(ours) and ours == theirs


def _fits(
    structure: Structure,
    pairs: dict[str, str],
    links: tuple[Link, Link],
    boxes: tuple[Box | None, ...],
    mirror: Vec3,
) -> bool:
    """True when shapes, and the joints of what hangs on both, are mirrored by these signs.

    Parts that are not, such as the same part mounted twice, have no reason to mirror their mass.
    """
    points = []
    first, second = boxes
    if first is not None and second is not None:
        points.append((_centre(first), _centre(second)))
    for child in structure.children(links[0].name):
        other = pairs.get(child.name)
        if other is None or structure.parent(other) is not links[1]:
            continue
        left, right = (structure.inbound(name)[0].xyz for name in (child.name, other))
        if left is not None and right is not None:
            points.append((left, right))
    return all(_is_near(mirrored(left, mirror), right) for left, right in points)


def _centre(box: Box) -> Vec3:
    x, y, z = (0.5 * (a + b) for a, b in zip(box.low, box.high, strict=True))
    return x, y, z


def _is_near(a: Vec3, b: Vec3) -> bool:
    return math.dist(a, b) <= max(_CLOSE, _MATCH * math.hypot(*b))
