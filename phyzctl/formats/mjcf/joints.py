"""`<joint>` and `<freejoint>`."""

from __future__ import annotations

import math

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.placement import ORIGIN, Placement
from phyzctl.formats.mjcf.settings import Settings
from phyzctl.geometry.shapes import Vec3
from phyzctl.robot.elements import Dynamics, Joint, JointKind, JointLimit, JointSolver

_TYPES = ("hinge", "slide", "ball", "free")
_LIMITED = ("true", "false", "auto")
_Z: Vec3 = (0.0, 0.0, 1.0)


def read_joint(attributes: Attributes, settings: Settings, frame: Placement) -> Joint:
    """A joint without names and without the pose of its body; `frame` encloses it in the body."""
    kind = attributes.keyword("type", _TYPES) or "hinge"
    unit = settings.angle if kind in ("hinge", "ball") else 1.0
    limit, limited = _limit(attributes, settings, kind, unit)
    force_range = attributes.pair("actuatorfrcrange")
    if not _is_limited(attributes, "actuatorfrclimited", force_range):
        force_range = None
    anchor, axis = _anchor_and_axis(attributes, frame)
    return Joint(
        "",
        _kind(kind, limited=limited),
        axis=axis,
        anchor=anchor,
        ref=(attributes.number("ref") or 0.0) * unit,
        limit=limit,
        dynamics=_dynamics(attributes, unit),
        solver=_solver(attributes),
        actuator_force_range=force_range,
        actuator_gravcomp=attributes.boolean("actuatorgravcomp") or False,
        extensions=attributes.extensions(),
        source=attributes.source,
    )


def read_freejoint(attributes: Attributes) -> Joint:
    """A free joint, to which no default class applies."""
    return Joint(
        "",
        JointKind.FLOATING,
        align=attributes.keyword("align", ("true", "false", "auto")),
        extensions=attributes.extensions(),
        source=attributes.source,
    )


def _kind(kind: str, *, limited: bool) -> JointKind:
    if kind == "hinge":
        return JointKind.REVOLUTE if limited else JointKind.CONTINUOUS
    kinds = {
        "slide": JointKind.PRISMATIC,
        "ball": JointKind.SPHERICAL,
        "free": JointKind.FLOATING,
    }
    return kinds[kind]


def _anchor_and_axis(attributes: Attributes, frame: Placement) -> tuple[Vec3, Vec3 | None]:
    anchor = frame.point(attributes.vector("pos")) or ORIGIN
    axis = frame.direction(attributes.vector("axis", _Z))
    if axis is None:
        return anchor, None
    length = math.hypot(*axis)
    if length < 1e-14 or not math.isfinite(length):
        return anchor, axis  # for the rules to judge
    return anchor, (axis[0] / length, axis[1] / length, axis[2] / length)


def _limit(
    attributes: Attributes, settings: Settings, kind: str, unit: float
) -> tuple[JointLimit, bool]:
    """The range in rad or m, and whether it holds. A reversed one is kept, to be judged."""
    bounds = attributes.pair("range")
    word = attributes.keyword("limited", _LIMITED) or "auto"
    if kind == "free":
        return JointLimit(), False  # has no limits, whatever a class says
    if bounds is None or bounds == (0.0, 0.0):
        return _limit_without_range(attributes, kind, word)
    if word == "auto" and not settings.auto_limits:
        message = 'a range needs limited="true" or "false" when the compiler has autolimits off'
        attributes.report(codes.REQUIRED_MISSING, message, "range")
        word = "false"
    lower, upper = bounds[0] * unit, bounds[1] * unit
    if word == "true" and lower == upper:
        message = f"the range is empty: it starts and ends at {bounds[0]:g}"
        attributes.report(codes.LIMIT_INVERTED, message, "range")
    holds = word == "true" or (word == "auto" and lower != upper)
    if not holds and kind != "hinge":
        return JointLimit(), False
    if kind == "ball" and lower != 0.0:
        message = f"a ball joint's range starts at 0, not at {bounds[0]:g}"
        attributes.report(codes.LIMIT_INVERTED, message, "range")
    return JointLimit(lower, upper, source=attributes.place("range")), holds


def _limit_without_range(attributes: Attributes, kind: str, word: str) -> tuple[JointLimit, bool]:
    if word != "true":
        return JointLimit(), False
    if kind == "ball":  # locked, since its angle can't exceed 0
        return JointLimit(0.0, 0.0, source=attributes.place("limited")), True
    message = 'limited="true" but no range is stated'
    attributes.report_missing(codes.LIMIT_MISSING, message, "limited")
    return JointLimit(), False


def _is_limited(attributes: Attributes, name: str, bounds: tuple[float, float] | None) -> bool:
    word = attributes.keyword(name, _LIMITED)
    return bounds is not None and bounds != (0.0, 0.0) and word != "false"


def _dynamics(attributes: Attributes, unit: float) -> Dynamics | None:
    damping = attributes.overlaid("damping", 3)
    stiffness = attributes.overlaid("stiffness", 3)
    springref = attributes.number("springref")
    dynamics = Dynamics(
        damping=damping[0] if damping else None,
        friction=attributes.number("frictionloss"),
        armature=attributes.number("armature"),
        stiffness=stiffness[0] if stiffness else None,
        springref=None if springref is None else springref * unit,
        damping_terms=damping[1:] if damping else (),
        stiffness_terms=stiffness[1:] if stiffness else (),
        spring_damper=attributes.pair("springdamper"),
        source=attributes.source,
    )
    return None if dynamics == Dynamics() else dynamics


def _solver(attributes: Attributes) -> JointSolver | None:
    solver = JointSolver(
        margin=attributes.number("margin"),
        solref_limit=attributes.overlaid("solreflimit", 2),
        solimp_limit=attributes.overlaid("solimplimit", 5),
        solref_friction=attributes.overlaid("solreffriction", 2),
        solimp_friction=attributes.overlaid("solimpfriction", 5),
    )
    return None if solver == JointSolver() else solver
