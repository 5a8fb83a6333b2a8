"""The parts of a robot as an author wrote them: links, joints, geoms, materials, meshes.

Frozen dataclasses of floats, strings and tuples. `None` means "not written" or "could not be
read" (which is an Issue of its own), never 0. `source` says where an element stands and is
left out of comparison. Poses are those of the element in its parent's frame: `xyz` [m] and
either `rpy` [rad] (fixed-axis roll, pitch, yaw) or `quat` (w x y z), which wins when given.
"""

from __future__ import annotations

import enum
from dataclasses import field
from typing import NamedTuple

from phyzctl.geometry.shapes import Shape, Vec3
from phyzctl.issues import Source
from phyzctl.records import dataclass

Quat = tuple[float, float, float, float]
Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Base of all elements: where they stand in a file, None when made in code."""

    source: Source | None = field(default=None, compare=False, repr=False)


class JointKind(enum.Enum):
    """How a joint moves its child; SPHERICAL is a ball joint, FLOATING six free dofs."""

    FIXED = "fixed"
    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    FLOATING = "floating"
    PLANAR = "planar"
    SPHERICAL = "spherical"

    @property
    def turns(self) -> bool:
        """True for one rotational degree of freedom, whose unit is radian."""
        return self in (JointKind.REVOLUTE, JointKind.CONTINUOUS)

    @property
    def has_axis(self) -> bool:
        """True where the joint's `axis` means something."""
        return self.turns or self in (JointKind.PRISMATIC, JointKind.PLANAR)


class Inertia(NamedTuple):
    """A symmetric rotational inertia [kg m²] about the centre of mass, in the inertial frame."""

    ixx: float
    ixy: float
    ixz: float
    iyy: float
    iyz: float
    izz: float


@dataclass(frozen=True)
class Extension(Placed):
    """An element that phyzctl does not interpret, kept verbatim as XML text.

    A `tag` that starts with @ is an attribute, and `text` its value.
    """

    tag: str
    text: str


@dataclass(frozen=True)
class Inertial(Placed):
    """Mass [kg] and inertia about the centre of mass, whose frame stands at `xyz`, `rpy`."""

    mass: float | None = None
    inertia: Inertia | None = None
    xyz: Vec3 | None = (0.0, 0.0, 0.0)
    rpy: Vec3 | None = (0.0, 0.0, 0.0)
    quat: Quat | None = None


@dataclass(frozen=True)
class Material(Placed):
    """Colour (red green blue alpha in 0 to 1) and texture URI; with neither, a reference."""

    name: str | None = None
    rgba: Rgba | None = None
    texture: str | None = None
    extensions: tuple[Extension, ...] = ()

    @property
    def is_reference(self) -> bool:
        """True when this only names a material that is defined elsewhere."""
        return self.rgba is None and self.texture is None


@dataclass(frozen=True)
class Mesh(Placed):
    """A mesh asset: `uri` as written, `file` where it was found (None: not found).

    `vertices` [m] (n rows of 3) and `faces` (index triples) hold a mesh written inline.
    """

    name: str
    uri: str | None = None
    scale: Vec3 | None = (1.0, 1.0, 1.0)
    vertices: tuple[Vec3, ...] | None = None
    faces: tuple[tuple[int, int, int], ...] | None = None
    refpos: Vec3 = (0.0, 0.0, 0.0)
    refquat: Quat = (1.0, 0.0, 0.0, 0.0)
    inertia_mode: str | None = None
    name_stated: bool = True
    extensions: tuple[Extension, ...] = ()
    file: str | None = field(default=None, compare=False)


class GeomRole(enum.Enum):
    """What a geom is for. MJCF decides by contype and conaffinity, URDF by the element."""

    VISUAL = "visual"
    COLLISION = "collision"
    BOTH = "both"


@dataclass(frozen=True)
class Surface:
    """How a geom meets others (MJCF's words and defaults; None: not written)."""

    contype: int | None = None
    conaffinity: int | None = None
    condim: int | None = None
    priority: int | None = None
    friction: tuple[float, ...] | None = None
    solmix: float | None = None
    solref: tuple[float, ...] | None = None
    solimp: tuple[float, ...] | None = None
    margin: float | None = None
    gap: float | None = None
    adhesion: float | None = None


@dataclass(frozen=True)
class Geom(Placed):
    """A shape on a link, for looks, for contact, or both. `shape` is None when unreadable.

    MJCF can make a primitive as large as a mesh: `fit_mesh` names it, `fit_scale` multiplies its
    size, and `shape` carries no sizes. With `shell_inertia` all mass sits on the surface. A medium
    may take it as an ellipsoid with MuJoCo's coefficients: of blunt, slender and angular drag,
    Kutta's and Magnus' lift, as far as they are stated.
    """

    shape: Shape | None
    name: str | None = None
    role: GeomRole = GeomRole.BOTH
    xyz: Vec3 | None = (0.0, 0.0, 0.0)
    rpy: Vec3 | None = (0.0, 0.0, 0.0)
    quat: Quat | None = None
    material: Material | None = None
    surface: Surface | None = None
    mass: float | None = None
    density: float | None = None
    group: int | None = None
    fit_mesh: str | None = None
    fit_scale: float = 1.0
    shell_inertia: bool = False
    fluid_ellipsoid: bool = False
    fluid_coefficients: tuple[float, ...] | None = None
    extensions: tuple[Extension, ...] = ()

    @property
    def collides(self) -> bool:
        """True when the geom takes part in contact."""
        return self.role is not GeomRole.VISUAL

    @property
    def visible(self) -> bool:
        """True when the geom is drawn."""
        return self.role is not GeomRole.COLLISION


@dataclass(frozen=True)
class Site(Placed):
    """A named frame on a link, with no mass and no contact."""

    name: str | None = None
    xyz: Vec3 | None = (0.0, 0.0, 0.0)
    rpy: Vec3 | None = (0.0, 0.0, 0.0)
    quat: Quat | None = None
    shape: Shape | None = None
    group: int | None = None
    extensions: tuple[Extension, ...] = ()


@dataclass(frozen=True)
class Link(Placed):
    """A rigid part. A link without inertial and geoms is a frame, not a fault."""

    name: str
    inertial: Inertial | None = None
    geoms: tuple[Geom, ...] = ()
    sites: tuple[Site, ...] = ()
    gravcomp: float | None = None
    mocap: bool = False
    name_stated: bool = True
    extensions: tuple[Extension, ...] = ()

    @property
    def visuals(self) -> tuple[Geom, ...]:
        """The geoms that are drawn."""
        return tuple(geom for geom in self.geoms if geom.visible)

    @property
    def collisions(self) -> tuple[Geom, ...]:
        """The geoms that take part in contact."""
        return tuple(geom for geom in self.geoms if geom.collides)


@dataclass(frozen=True)
class JointLimit(Placed):
    """Bounds of a joint [rad or m], [N m or N], [rad/s or m/s] and on; None when not written.

    A None effort or velocity means unlimited, never 0.
    """

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
    acceleration: float | None = None
    deceleration: float | None = None
    jerk: float | None = None

    @property
    def stated(self) -> bool:
        """True when any bound is written."""
        bounds = (self.lower, self.upper, self.effort, self.velocity)
        rates = (self.acceleration, self.deceleration, self.jerk)
        return any(value is not None for value in bounds + rates)

    def resolved(self, kind: JointKind) -> JointLimit:
        """The limits that URDF's defaults give: 0 for what a bounded joint leaves out.

        A revolute or prismatic joint that states none gets lower, upper, effort and velocity 0;
        one that states some gets 0 for a missing lower or upper. Other kinds stay as written.
        """
        if kind not in (JointKind.REVOLUTE, JointKind.PRISMATIC):
            return self
        if not self.stated:
            return JointLimit(0.0, 0.0, 0.0, 0.0, source=self.source)
        lower = 0.0 if self.lower is None else self.lower
        upper = 0.0 if self.upper is None else self.upper
        rates = (self.acceleration, self.deceleration, self.jerk)
        return JointLimit(lower, upper, self.effort, self.velocity, *rates, source=self.source)


@dataclass(frozen=True)
class Calibration(Placed):
    """Positions [rad or m] of a reference switch's rising and falling edge."""

    rising: float | None = None
    falling: float | None = None


@dataclass(frozen=True)
class Dynamics(Placed):
    """Passive behaviour: viscous damping [N m s/rad or N s/m], dry friction [N m or N], and MJCF's.

    `armature` is rotor inertia [kg m² or kg], `stiffness` and `springref` a spring. The terms
    hold MJCF's coefficients of the second and third power, where it states them; a
    `spring_damper` (time constant [s], damping ratio) overrides stiffness and damping.
    """

    damping: float | None = None
    friction: float | None = None
    armature: float | None = None
    stiffness: float | None = None
    springref: float | None = None
    damping_terms: tuple[float, ...] = ()
    stiffness_terms: tuple[float, ...] = ()
    spring_damper: tuple[float, float] | None = None


@dataclass(frozen=True)
class Mimic(Placed):
    """This joint follows another: q = multiplier · q_joint + offset [rad or m].

    `polynomial` holds the coefficients c0 to c4 of an MJCF joint equality instead.
    """

    joint: str
    multiplier: float | None = 1.0
    offset: float | None = 0.0
    polynomial: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Safety(Placed):
    """A safety controller's soft limits [rad or m] and gains."""

    soft_lower_limit: float | None = None
    soft_upper_limit: float | None = None
    k_position: float | None = None
    k_velocity: float | None = None


@dataclass(frozen=True)
class JointSolver:
    """MJCF's constraint parameters of a joint's limit and dry friction, as written."""

    margin: float | None = None
    solref_limit: tuple[float, ...] | None = None
    solimp_limit: tuple[float, ...] | None = None
    solref_friction: tuple[float, ...] | None = None
    solimp_friction: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Joint(Placed):
    """One joint and the link it moves; stating it creates the child link if nothing else does.

    `xyz` [m] and `rpy` [rad] (or `quat`, w x y z) place the child in the parent; `axis` is a
    unit vector in the joint frame. `anchor` [m] is the joint's point in the child frame, `ref`
    [rad or m] the position at which the authored pose is shown. Joints stated with the same
    parent and child act in series; the pose stands on the first of them.
    """

    name: str
    kind: JointKind = JointKind.FIXED
    parent: str = ""
    child: str = ""
    xyz: Vec3 | None = (0.0, 0.0, 0.0)
    rpy: Vec3 | None = (0.0, 0.0, 0.0)
    axis: Vec3 | None = (0.0, 0.0, 1.0)
    quat: Quat | None = None
    anchor: Vec3 = (0.0, 0.0, 0.0)
    ref: float = 0.0
    limit: JointLimit = field(default_factory=JointLimit)
    calibration: Calibration | None = None
    dynamics: Dynamics | None = None
    mimic: Mimic | None = None
    safety: Safety | None = None
    solver: JointSolver | None = None
    actuator_force_range: tuple[float, float] | None = None
    actuator_gravcomp: bool = False
    align: str | None = None
    name_stated: bool = True
    extensions: tuple[Extension, ...] = ()


@dataclass(frozen=True)
class TransmissionEnd(Placed):
    """A joint or an actuator that a transmission names."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: float | None = None


@dataclass(frozen=True)
class Transmission(Placed):
    """URDF's `<transmission>`: which actuators drive which joints, for ros_control."""

    name: str | None
    kind: str | None
    joints: tuple[TransmissionEnd, ...] = ()
    actuators: tuple[TransmissionEnd, ...] = ()
    extensions: tuple[Extension, ...] = ()
