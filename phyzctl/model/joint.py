"""Joints of a Model: how a body moves against its parent, in numbers only."""

from __future__ import annotations

import enum

from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Source
from phyzctl.records import dataclass
from phyzctl.robot import elements

INFINITY = float("inf")
UNBOUNDED = (-INFINITY, INFINITY)
Bounds = tuple[float, float]


class JointType(enum.IntEnum):
    """What a joint lets its body do. The kernel reads the numbers."""

    FREE = 0
    BALL = 1
    SLIDE = 2
    HINGE = 3
    FIXED = 4

    @property
    def nq(self) -> int:
        """Position coordinates: quaternions (w x y z) count four."""
        return _NQ[self]

    @property
    def nv(self) -> int:
        """Velocity coordinates, the degrees of freedom."""
        return _NV[self]


_NQ = dict(zip(JointType, (7, 4, 1, 1, 0), strict=True))
_NV = dict(zip(JointType, (6, 3, 1, 1, 0), strict=True))


@dataclass(frozen=True)
class Mimic:
    """The joint follows another: q = multiplier · q_leader + offset [rad or m]."""

    joint: int
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Joint:
    """One joint of a Model. Several of one body act in series, in order.

    `axis` (unit vector) and `anchor` [m] are in the body frame at the reference pose, which is
    shown at q = `ref` [rad or m]. `range` [rad or m] bounds q of a hinge or slide, and by its
    upper number the angle of a ball; `force_range` [N m or N] bounds what actuators do in total;
    `velocity` [rad/s or m/s] is a limit to watch. Unbounded is infinite. `element` is what was
    authored, None for the joint that ties a root link to the world.
    """

    name: str
    type: JointType
    body: int
    axis: Vec3 = (0.0, 0.0, 1.0)
    anchor: Vec3 = (0.0, 0.0, 0.0)
    ref: float = 0.0
    range: Bounds = UNBOUNDED
    force_range: Bounds = UNBOUNDED
    velocity: float = INFINITY
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    springref: float = 0.0
    mimic: Mimic | None = None
    gravcomp: bool = False
    element: elements.Joint | None = None

    @property
    def nq(self) -> int:
        """Number of position coordinates."""
        return self.type.nq

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return self.type.nv

    @property
    def limited(self) -> bool:
        """True when either end of the range is finite."""
        return self.range[0] > -INFINITY or self.range[1] < INFINITY

    @property
    def source(self) -> Source | None:
        """Where the joint stands in a file."""
        return self.element.source if self.element else None
