"""What a description asks of a simulation that the engine leaves out, told once per kind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from phyzctl import codes
from phyzctl.issues import Finding, Issue
from phyzctl.model.actuator import Actuator
from phyzctl.model.body import WORLD
from phyzctl.model.dynamics import unsupported
from phyzctl.model.model import Model
from phyzctl.native import INTEGRATORS
from phyzctl.robot import mechanism
from phyzctl.robot.subject import describe

_SHOWN = 6  # names in a message


def unsupported_issues(model: Model) -> list[Issue]:
    """One Issue for each kind of thing that has no effect in a run, at the first of its places."""
    found: dict[str, list[Any]] = {}
    for finding in unsupported(model):
        idle = isinstance(finding.element, mechanism.Actuator)
        lack = "it pulls at nothing" if idle else "the run goes on without"
        found.setdefault(f"{finding.message}; {lack}", []).append(finding.element)
    for finding in _left_out(model):
        found.setdefault(finding.message, []).append(finding.element)
    return [_issue(message, elements) for message, elements in found.items()]


def _issue(message: str, elements: list[Any]) -> Issue:
    first = elements[0]
    others = [each.name for each in elements[1:] if getattr(each, "name", None)]
    if others:
        rest = ", …" if len(others) > _SHOWN else ""
        message += f"; so for {len(others)} more: {', '.join(others[:_SHOWN])}{rest}"
    code = codes.UNSUPPORTED
    return Issue(code, code.severity, message, getattr(first, "source", None), describe(first))


def idle_actuators(model: Model) -> list[Actuator]:
    """The actuators whose laws are not computed: they pull at nothing."""
    named = {id(finding.element) for finding in unsupported(model)}
    return [each for each in model.actuators if id(each.element) in named]


def _left_out(model: Model) -> Iterator[Finding]:
    for joint in model.joints:
        if joint.limited:
            yield Finding(joint.element, "the limit is not enforced; the joint moves past it")
        if joint.friction:
            yield Finding(joint.element, "dry friction is not computed; the joint moves without")
    for equality in model.equalities:
        message = "the constraint is not enforced; what it ties together comes apart"
        yield Finding(equality.element, message)
    for tendon in (tendon.element for tendon in model.tendons):
        if tendon.range is not None:
            yield Finding(tendon, "the limit is not enforced; the tendon moves past it")
        if tendon.friction:
            yield Finding(tendon, "dry friction is not computed; the tendon moves without")
    bodies = range(WORLD, model.nbodies())
    solid = [body for body in bodies if any(geom.collides for geom in model.geoms_of(body))]
    if any(model.may_collide(i, j) for i, j in itertools.combinations(solid, 2)):
        message = "contacts are not computed; bodies pass through each other and the ground"
        yield Finding(model.robot, message)
    stated = (model.robot.option.integrator or "").lower()
    if stated and stated not in INTEGRATORS:
        message = f"the integrator {stated} is not there; implicitfast takes its place"
        yield Finding(model.robot.option, message)
