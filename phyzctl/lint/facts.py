"""What several rules ask of a rigid group: where its mass sits, and how large its shapes are.

Boxes are those of all visuals and collisions together: either alone may leave out half a part.
Where one shape of a group is not known, nothing is said about the group's size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

from phyzctl.geometry.shapes import Vec3
from phyzctl.lint.extents import Extents
from phyzctl.lint.poses import Box, Pose, around, pose_of
from phyzctl.records import dataclass
from phyzctl.robot.checks.groups import Group, authored_mass, bearing_links, moving_groups
from phyzctl.robot.elements import Inertia, Link
from phyzctl.robot.robot import Robot
from phyzctl.tensor import symmetric_eigenvalues

_LIGHT = 1e-4  # [kg] what is lighter is I106's business
_ISOTROPIC = 1e-6  # of the largest moment
_THIN = 1e-3  # [m] thinner boxes have no volume to speak of


@dataclass(frozen=True)
class Part:
    """A link of a moving group that states a mass [kg] and a possible tensor.

    `moments` are principal and ascending [kg m²]. `com` [m] is in the frame of the group's first
    link, None when not known; `box` is that of the link's own shapes, else the group's.
    """

    link: Link
    mass: float
    tensor: Inertia
    moments: tuple[float, float, float]
    com: Vec3 | None
    box: Box | None
    bearing: bool

    @property
    def gyration(self) -> float:
        """The radius of gyration [m] about the axis of the largest moment."""
        return math.sqrt(self.moments[2] / self.mass)

    @property
    def is_isotropic(self) -> bool:
        """True when the three moments are equal, as in a ball or a cube, or in a placeholder."""
        low, _, high = self.moments
        return high - low <= _ISOTROPIC * high


@dataclass(frozen=True)
class GroupFacts:
    """A moving group: its links, the box around its shapes (None: not known), its parts.

    `mass` [kg] is None where it isn't all authored, as in an MJCF body whose geoms are weighed.
    """

    links: Group
    box: Box | None
    parts: tuple[Part, ...]
    mass: float | None

    @property
    def density(self) -> float | None:
        """Mass over the box's volume [kg/m³], less than the material's; None when not known."""
        if self.box is None or min(self.box.sides) < _THIN:
            return None
        if self.mass is None or self.mass < _LIGHT:
            return None
        return self.mass / math.prod(self.box.sides)


class Facts:
    """Figures of a Robot's moving groups, computed when first asked for; sizes in `extents`."""

    def __init__(self, robot: Robot, *, meshes: bool = True) -> None:
        self._robot = robot
        self.extents = Extents(robot.meshes if meshes else (), joint_spacing(robot))

    @cached_property
    def groups(self) -> tuple[GroupFacts, ...]:
        """The groups that can move, in tree order."""
        bearing = bearing_links(self._robot)
        return tuple(self._measured(group, bearing) for group in moving_groups(self._robot))

    def parts(self) -> Iterator[tuple[GroupFacts, Part]]:
        """All parts, each with its group."""
        for group in self.groups:
            for part in group.parts:
                yield group, part

    def _measured(self, group: Group, bearing: frozenset[str]) -> GroupFacts:
        poses = group_poses(self._robot, group)
        boxes = {link.name: self.extents.boxes(link, poses[link.name]) for link in group}
        known = [box for own in boxes.values() for box in own or ()]
        whole = None if None in boxes.values() else around(known)
        parts = []
        for link in group:
            box = around(boxes[link.name] or ()) or whole
            part = _part(link, poses[link.name], box, bearing=link.name in bearing)
            if part is not None:
                parts.append(part)
        return GroupFacts(group, whole, tuple(parts), self._mass(group))

    def _mass(self, group: Group) -> float | None:
        weighed = self._robot.dialect == "mjcf" and any(
            link.geoms and link.inertial is None for link in group
        )
        ignored = self._robot.settings.inertia_from_geom
        return None if weighed or ignored else sum(map(authored_mass, group))


def joint_spacing(robot: Robot) -> float | None:
    """The median distance [m] of joints from their parents', of those that have any."""
    offsets = [math.hypot(*joint.xyz) for joint in robot.joints if joint.xyz is not None]
    lengths = sorted(length for length in offsets if 1e-3 < length < 1e3)
    return lengths[len(lengths) // 2] if lengths else None


def group_poses(robot: Robot, group: Group) -> dict[str, Pose | None]:
    """The pose of each link of a group in the frame of its first; None when it can't be told."""
    poses: dict[str, Pose | None] = {group[0].name: Pose()}
    for link in group[1:]:
        joint = robot.structure.inbound(link.name)[0]
        outer, inner = poses[joint.parent], pose_of(joint)
        poses[link.name] = None if outer is None or inner is None else outer @ inner
    return poses


def _part(link: Link, X: Pose | None, box: Box | None, *, bearing: bool) -> Part | None:
    """What a link states; None when it has no mass, or a tensor that other rules refuse."""
    inertial, mass = link.inertial, authored_mass(link)
    if inertial is None or inertial.inertia is None or not _LIGHT <= mass < math.inf:
        return None
    moments = symmetric_eigenvalues(*inertial.inertia)
    if not moments[0] > 0.0:
        return None
    at = pose_of(inertial)
    com = None if X is None or at is None else X.point(at.xyz)
    return Part(link, mass, inertial.inertia, moments, com, box, bearing)
