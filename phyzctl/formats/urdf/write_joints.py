"""`<joint>` from a joint of the tree, and what URDF can't say of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from phyzctl import codes
from phyzctl.formats.losses import Losses
from phyzctl.formats.urdf.write_tree import Step
from phyzctl.formats.xmlwrite import Element
from phyzctl.robot.elements import Dynamics, Joint, JointKind, JointLimit, Mimic
from phyzctl.robot.robot import Robot

UNLIMITED = 1e9  # stands for "no limit" where URDF insists on a number
_BOUNDED = (JointKind.REVOLUTE, JointKind.PRISMATIC)


class JointWriter:
    """Writes joints one by one; `mimics` are those that equalities come to, by follower."""

    def __init__(self, robot: Robot, losses: Losses, mimics: Mapping[str, Mimic]) -> None:
        self._losses = losses
        self._mimics = mimics
        self._own = robot.dialect == "urdf"
        self._foreign = robot.dialect == "mjcf"

    def write(self, step: Step) -> Element:
        """The element of a joint."""
        joint = step.element
        element = Element("joint").set(name=step.name, type=step.kind.value)
        if any(step.xyz) or any(step.rpy):
            element.new(
                "origin",
                xyz=step.xyz if any(step.xyz) else None,
                rpy=step.rpy if any(step.rpy) else None,
            )
        element.new("parent", link=step.parent)
        element.new("child", link=step.child)
        if step.kind.has_axis and step.axis is not None:
            element.new("axis", xyz=step.axis)
        element.add(self._limit(step))
        element.add(_dynamics(joint.dynamics))
        if step.whole:
            self._only_of_whole(joint, element)
        self._report(step)
        return element

    def _only_of_whole(self, joint: Joint, element: Element) -> None:
        if joint.calibration is not None:
            rising, falling = joint.calibration.rising, joint.calibration.falling
            element.new("calibration", rising=rising, falling=falling)
        mimic = joint.mimic or self._mimics.get(joint.name)
        if mimic is not None:
            element.add(self._mimic(mimic, joint))
        if joint.safety is not None:
            safety = joint.safety
            element.new(
                "safety_controller",
                soft_lower_limit=safety.soft_lower_limit,
                soft_upper_limit=safety.soft_upper_limit,
                k_position=safety.k_position,
                k_velocity=safety.k_velocity,
            )
        if not self._foreign:
            element.keep(joint.extensions)

    def _mimic(self, mimic: Mimic, joint: Joint) -> Element:
        multiplier, offset = mimic.multiplier, mimic.offset
        if mimic.polynomial is not None:
            offset, multiplier, *rest = (*mimic.polynomial, 0.0, 0.0)[
                : max(len(mimic.polynomial), 2)
            ]
            if any(rest):
                message = "URDF's mimic is linear: terms of higher power are left out"
                self._losses.add(codes.LOSS_OF_CONSTRAINT, message, joint, mimic.source)
        return Element("mimic").set(
            joint=mimic.joint,
            multiplier=None if multiplier == 1.0 else multiplier,
            offset=offset or None,
        )

    def _limit(self, step: Step) -> Element | None:
        limit = self._stated_limit(step)
        if not limit.stated:
            return None
        return Element("limit").set(
            lower=limit.lower,
            upper=limit.upper,
            effort=limit.effort,
            velocity=limit.velocity,
            acceleration=limit.acceleration,
            deceleration=limit.deceleration,
            jerk=limit.jerk,
        )

    def _stated_limit(self, step: Step) -> JointLimit:
        """As written in a URDF; elsewhere with what URDF insists on."""
        joint = step.element
        if self._own or step.kind is JointKind.FIXED:
            return joint.limit
        limit = joint.limit if step.whole else JointLimit()
        lower, upper = _finite(limit.lower), _finite(limit.upper)
        if step.kind is JointKind.PRISMATIC and not (self._foreign is False and step.whole):
            unbounded = lower is None and upper is None
            if unbounded:
                message = f"URDF's prismatic joints have limits: {UNLIMITED:g} m stands for none"
                self._losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)
            lower = -UNLIMITED if lower is None else lower
            upper = UNLIMITED if upper is None else upper
        effort, velocity = self._effort(joint), _finite(limit.velocity)
        bounded = step.kind in _BOUNDED
        if bounded or JointLimit(lower, upper, effort, velocity) != JointLimit():
            effort, velocity = self._filled(joint, effort, velocity)
        return JointLimit(
            lower, upper, effort, velocity, limit.acceleration, limit.deceleration, limit.jerk
        )

    def _filled(
        self, joint: Joint, effort: float | None, velocity: float | None
    ) -> tuple[float, float]:
        if effort is None or velocity is None:
            message = f"URDF wants an effort and a velocity limit: {UNLIMITED:g} stands for none"
            self._losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)
        return (
            UNLIMITED if effort is None else effort,
            UNLIMITED if velocity is None else velocity,
        )

    def _effort(self, joint: Joint) -> float | None:
        bounds = joint.actuator_force_range
        if bounds is None:
            return _finite(joint.limit.effort)
        if bounds[0] != -bounds[1]:
            message = "URDF's effort holds in both directions: the wider bound is written"
            self._losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)
        return max(abs(bounds[0]), abs(bounds[1]))

    def _report(self, step: Step) -> None:
        joint = step.element
        if not step.whole:
            message = "a joint with several coordinates becomes several joints in URDF"
            self._losses.add(codes.LOSS_OF_STRUCTURE, message, joint)
        if joint.kind is JointKind.SPHERICAL and joint.limit.stated:
            message = "the limit of a ball joint is left out"
            self._losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)
        if not joint.name_stated and not self._own:
            message = "URDF needs a name where none is written: one is made up"
            self._losses.add(codes.LOSS_OF_NAME, message, joint)
        for what, stated in _unsayable(joint):
            if stated:
                message = f"URDF has no {what}"
                self._losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)
        if joint.extensions and self._foreign:
            message = "what only MJCF says of a joint is left out"
            self._losses.add(codes.LOSS_OF_EXTENSION, message, joint)


def _unsayable(joint: Joint) -> tuple[tuple[str, bool], ...]:
    passive = joint.dynamics or Dynamics()
    spring = passive.stiffness or passive.stiffness_terms or passive.spring_damper
    spring = spring or passive.springref
    return (
        ("armature", bool(passive.armature)),
        ("spring in a joint", bool(spring)),
        ("damping that is not linear", any(passive.damping_terms)),
        ("softness of a limit or of dry friction", joint.solver is not None),
        ("gravity compensation", joint.actuator_gravcomp),
    )


def _dynamics(dynamics: Dynamics | None) -> Element | None:
    if dynamics is None or (dynamics.damping is None and dynamics.friction is None):
        return None
    return Element("dynamics").set(damping=dynamics.damping, friction=dynamics.friction)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
