"""`<joint>` and `<freejoint>` from the joints between a link and its parent."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from phyzctl import codes
from phyzctl.formats.mjcf.writing import Writing
from phyzctl.formats.xmlwrite import Element
from phyzctl.model import joint as model_joint
from phyzctl.model.joint import JointType
from phyzctl.robot.elements import Dynamics, Joint, JointKind, JointLimit, JointSolver
from phyzctl.robot.robot import WORLD_LINK

_TYPES = {JointType.HINGE: None, JointType.SLIDE: "slide", JointType.BALL: "ball"}
_SCALAR = (JointType.HINGE, JointType.SLIDE)
_Z = (0.0, 0.0, 1.0)
_AXES = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", _Z))


def joint_elements(writing: Writing, inbound: Sequence[Joint]) -> Iterator[Element]:
    """The elements of the joints in series that move one body; none for a fixed one."""
    for joint in inbound:
        _report(writing, joint)
        if joint.kind is JointKind.FIXED:
            continue
        if joint.kind is JointKind.FLOATING:
            yield from _free(writing, joint, alone=len(inbound) == 1)
            continue
        for part in writing.parts(joint):
            yield _element(writing, joint, part, alone=len(inbound) == 1)


def _free(writing: Writing, joint: Joint, *, alone: bool) -> Iterator[Element]:
    """Six degrees of freedom: in one for a child of the world, in two steps elsewhere."""
    name = joint.name if joint.name_stated else None
    if alone and joint.parent == WORLD_LINK:
        passive = joint.dynamics is not None or joint.solver is not None
        element = Element("joint" if passive else "freejoint").set(name=name, align=joint.align)
        if passive:  # which <freejoint> can't state
            element.set(type="free")
            _passive(element, joint.dynamics or Dynamics())
            _solver(element, joint.solver or JointSolver())
        writing.keep(element, joint.extensions, "joint")
        yield element
        return
    message = "MJCF has free joints only on the world: three slides and a ball stand for one"
    writing.losses.add(codes.LOSS_OF_STRUCTURE, message, joint)
    for letter, axis in _AXES:
        yield Element("joint").set(name=f"{joint.name}_{letter}", type="slide", axis=axis)
    yield Element("joint").set(name=name, type="ball")


def _element(writing: Writing, joint: Joint, part: model_joint.Joint, *, alone: bool) -> Element:
    whole = joint.kind is not JointKind.PLANAR
    named = joint.name_stated or not whole
    element = Element("joint").set(name=part.name if named else None, type=_TYPES[part.type])
    anchor = joint.anchor if alone and whole else part.anchor
    element.set(pos=anchor if any(anchor) else None)
    if part.type in _SCALAR:
        written = joint.axis if alone and whole and any(joint.axis or ()) else part.axis
        element.set(axis=None if written == _Z else written)
        element.set(ref=joint.ref or None)
    if whole:
        _limit(writing, element, joint, part)
        if part.type in _SCALAR:
            _force_range(writing, element, joint)
        writing.keep(element, joint.extensions, "joint")
    _passive(element, joint.dynamics or Dynamics())
    _solver(element, joint.solver or JointSolver())
    return element.set(actuatorgravcomp=joint.actuator_gravcomp or None)


def _limit(writing: Writing, element: Element, joint: Joint, part: model_joint.Joint) -> None:
    """A range; MJCF takes one without extent for none, but for a ball joint's."""
    limit = joint.limit if not writing.foreign else joint.limit.resolved(joint.kind)
    lower, upper = limit.lower, limit.upper
    if lower is None or upper is None or not math.isfinite(lower + upper):
        return
    if joint.kind is JointKind.CONTINUOUS:
        element.set(limited=False, range=(lower, upper))
    elif part.type is JointType.BALL:
        element.set(limited=True, range=(lower, upper))
    elif lower != upper:
        element.set(range=(lower, upper))
    else:
        message = "MJCF takes a range without extent for none: a locked joint is free"
        writing.losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)


def _force_range(writing: Writing, element: Element, joint: Joint) -> None:
    effort = joint.limit.effort
    if joint.actuator_force_range is not None:
        element.set(actuatorfrcrange=joint.actuator_force_range)
    elif effort is not None and math.isfinite(effort):
        if effort == 0.0:
            message = "MJCF takes an effort of 0 for none: the joint's force is not limited"
            writing.losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint)
        else:
            element.set(actuatorfrcrange=(-abs(effort), abs(effort)))


def _passive(element: Element, dynamics: Dynamics) -> None:
    element.set(
        damping=_polynomial(dynamics.damping, dynamics.damping_terms),
        frictionloss=dynamics.friction,
        armature=dynamics.armature,
        stiffness=_polynomial(dynamics.stiffness, dynamics.stiffness_terms),
        springref=dynamics.springref,
        springdamper=dynamics.spring_damper,
    )


def _polynomial(first: float | None, terms: tuple[float, ...]) -> tuple[float, ...] | None:
    return None if first is None else (first, *terms)


def _solver(element: Element, solver: JointSolver) -> None:
    element.set(
        margin=solver.margin,
        solreflimit=solver.solref_limit,
        solimplimit=solver.solimp_limit,
        solreffriction=solver.solref_friction,
        solimpfriction=solver.solimp_friction,
    )


def _report(writing: Writing, joint: Joint) -> None:
    losses, limit = writing.losses, joint.limit
    if joint.kind is JointKind.FIXED:
        if joint.name_stated:
            message = "MJCF fixes a body by giving it no joint: the joint's name is left out"
            losses.add(codes.LOSS_OF_NAME, message, joint)
        if writing.foreign:
            writing.keep(Element("joint"), joint.extensions, "joint")
        return
    if joint.kind is JointKind.PLANAR:
        message = "a planar joint becomes two slides and a hinge"
        losses.add(codes.LOSS_OF_STRUCTURE, message, joint)
    for what, stated in _unsayable(joint, limit):
        if stated:
            message = f"MJCF has no {what}"
            losses.add(codes.LOSS_OF_JOINT_VALUE, message, joint, limit.source)


def _unsayable(joint: Joint, limit: JointLimit) -> tuple[tuple[str, bool], ...]:
    rates = (limit.acceleration, limit.deceleration, limit.jerk)
    return (
        ("velocity limit", limit.velocity is not None and math.isfinite(limit.velocity)),
        ("limit of acceleration or jerk", any(rate is not None for rate in rates)),
        ("calibration of a joint", joint.calibration is not None),
        ("safety controller", joint.safety is not None),
    )
