"""What acts on, couples, filters and measures the structure: MJCF's other half of a robot.

Everything is named by name; the compiler turns names into indices. `None` means "not
written"; MJCF's defaults are applied when a Model is compiled, except those that a reader
must resolve (default classes, angle units), which arrive here already resolved to SI units.
"""

from __future__ import annotations

import enum
from dataclasses import field

from phyzctl.geometry.shapes import Vec3
from phyzctl.records import dataclass
from phyzctl.robot.elements import Extension, Placed

Range = tuple[float, float]


class TransmissionKind(enum.Enum):
    """What an actuator pulls on."""

    JOINT = "joint"
    JOINT_IN_PARENT = "jointinparent"
    TENDON = "tendon"
    SITE = "site"
    BODY = "body"
    SLIDER_CRANK = "slidercrank"


class Gain(enum.Enum):
    """How an actuator's gain or bias depends on length and velocity."""

    NONE = "none"
    FIXED = "fixed"
    AFFINE = "affine"
    MUSCLE = "muscle"
    USER = "user"


class Activation(enum.Enum):
    """The dynamics between control and activation."""

    NONE = "none"
    INTEGRATOR = "integrator"
    FILTER = "filter"
    FILTER_EXACT = "filterexact"
    MUSCLE = "muscle"
    USER = "user"


@dataclass(frozen=True)
class Actuator(Placed):
    """The affine law f = gain·u + bias0 + bias1·l + bias2·l̇ on `target`, through `gear`.

    `kind` is the element it was written as (motor, position, general, …). `damping_ratio`
    (position, intvelocity) and `time_constant` become bias and dynamics when compiled, since
    they depend on the reflected inertia.
    """

    name: str | None
    target: str
    transmission: TransmissionKind = TransmissionKind.JOINT
    kind: str = "general"
    gear: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ctrl_range: Range | None = None
    force_range: Range | None = None
    act_range: Range | None = None
    length_range: Range | None = None
    gain: Gain = Gain.FIXED
    gain_parameters: tuple[float, ...] = (1.0,)
    bias: Gain = Gain.NONE
    bias_parameters: tuple[float, ...] = ()
    dynamics: Activation = Activation.NONE
    dynamics_parameters: tuple[float, ...] = ()
    activation_dim: int | None = None
    act_early: bool = False
    damping_ratio: float | None = None
    inherit_range: float | None = None
    crank_length: float | None = None
    slider_site: str | None = None
    reference_site: str | None = None
    group: int | None = None
    name_stated: bool = True
    extensions: tuple[Extension, ...] = ()


class EqualityKind(enum.Enum):
    """What an equality constraint ties."""

    CONNECT = "connect"
    WELD = "weld"
    JOINT = "joint"
    TENDON = "tendon"
    FLEX = "flex"


@dataclass(frozen=True)
class Equality(Placed):
    """A constraint between `first` and `second` (names of bodies, sites, joints or tendons)."""

    kind: EqualityKind
    first: str
    second: str | None = None
    name: str | None = None
    objects: str = "body"
    anchor: Vec3 | None = None
    relpose: tuple[float, ...] | None = None
    torque_scale: float | None = None
    polynomial: tuple[float, ...] | None = None
    active: bool = True
    solref: tuple[float, ...] | None = None
    solimp: tuple[float, ...] | None = None


@dataclass(frozen=True)
class TendonStep(Placed):
    """One step of a tendon: a joint with its coefficient, a site, a wrapped geom, or a pulley."""

    kind: str
    name: str | None = None
    coefficient: float | None = None
    divisor: float | None = None
    side_site: str | None = None


@dataclass(frozen=True)
class Tendon(Placed):
    """A fixed (weighted sum of joints) or spatial (path through sites and geoms) tendon."""

    name: str | None
    spatial: bool
    path: tuple[TendonStep, ...] = ()
    range: Range | None = None
    actuator_force_range: Range | None = None
    spring_length: tuple[float, ...] | None = None
    stiffness: float | None = None
    damping: float | None = None
    armature: float | None = None
    friction: float | None = None
    margin: float | None = None
    solref_limit: tuple[float, ...] | None = None
    solimp_limit: tuple[float, ...] | None = None
    solref_friction: tuple[float, ...] | None = None
    solimp_friction: tuple[float, ...] | None = None
    width: float | None = None
    group: int | None = None
    damping_terms: tuple[float, ...] = ()
    stiffness_terms: tuple[float, ...] = ()
    extensions: tuple[Extension, ...] = ()


@dataclass(frozen=True)
class Keyframe(Placed):
    """A named state; each vector None when not written."""

    name: str | None = None
    time: float | None = None
    qpos: tuple[float, ...] | None = None
    qvel: tuple[float, ...] | None = None
    act: tuple[float, ...] | None = None
    ctrl: tuple[float, ...] | None = None
    mpos: tuple[float, ...] | None = None
    mquat: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Exclude(Placed):
    """Two links that must never be tested against each other; their order doesn't matter."""

    first: str
    second: str
    name: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class ContactPair(Placed):
    """Two geoms that are always tested, with contact parameters of their own."""

    first: str
    second: str
    name: str | None = None
    condim: int | None = None
    friction: tuple[float, ...] | None = None
    solref: tuple[float, ...] | None = None
    solreffriction: tuple[float, ...] | None = None
    solimp: tuple[float, ...] | None = None
    margin: float | None = None
    gap: float | None = None
    adhesion: float | None = None
    extensions: tuple[Extension, ...] = ()


@dataclass(frozen=True)
class Sensor(Placed):
    """A measurement of `kind` on the named object."""

    kind: str
    name: str | None = None
    object_kind: str | None = None
    object_name: str | None = None
    reference_kind: str | None = None
    reference_name: str | None = None
    cutoff: float | None = None
    noise: float | None = None
    extensions: tuple[Extension, ...] = ()


@dataclass(frozen=True)
class Heightfield(Placed):
    """A height field asset: size (x and y half-extents, height, base) and its grid or file."""

    name: str
    uri: str | None = None
    size: tuple[float, ...] | None = None
    rows: int | None = None
    columns: int | None = None
    elevation: tuple[float, ...] | None = None
    name_stated: bool = True
    file: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Option(Placed):
    """Simulation settings as written, None where not; `flags` are (name, enabled) pairs."""

    timestep: float | None = None
    gravity: Vec3 | None = None
    integrator: str | None = None
    cone: str | None = None
    impratio: float | None = None
    solver: str | None = None
    tolerance: float | None = None
    iterations: int | None = None
    noslip_iterations: int | None = None
    noslip_tolerance: float | None = None
    density: float | None = None
    viscosity: float | None = None
    wind: Vec3 | None = None
    o_margin: float | None = None
    o_solref: tuple[float, ...] | None = None
    o_solimp: tuple[float, ...] | None = None
    o_friction: tuple[float, ...] | None = None
    flags: tuple[tuple[str, bool], ...] = ()
    extensions: tuple[Extension, ...] = ()


@dataclass(frozen=True)
class LengthSearch(Placed):
    """How the range of a muscle's lengths is found where none is stated: MJCF's `lengthrange`.

    `mode` names the actuators that it is for; `use_limit` takes the limits of joints and tendons.
    Otherwise a force that makes `acceleration` is applied for `total` [s] in steps of `timestep`
    [s]; the lengths of the last `interval` [s] count, and must stay within the share `tolerance`.
    """

    mode: str = "muscle"
    use_existing: bool = True
    use_limit: bool = False
    acceleration: float = 20.0
    max_force: float = 0.0
    time_constant: float = 1.0
    timestep: float = 0.01
    total: float = 10.0
    interval: float = 2.0
    tolerance: float = 0.05


@dataclass(frozen=True)
class CompilerSettings(Placed):
    """What MJCF's `<compiler>` leaves for compiling masses, after angles and paths are resolved."""

    inertia_from_geom: bool | None = None
    inertia_group_range: tuple[int, int] | None = None
    bound_mass: float | None = None
    bound_inertia: float | None = None
    balance_inertia: bool = False
    total_mass: float | None = None
    fuse_static: bool = False
    discard_visual: bool = False
    fit_aabb: bool = False
    align_free: bool = False
    length_search: LengthSearch | None = None
