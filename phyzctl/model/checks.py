"""Checks that need a Model: each is one function that yields Findings, with one code.

`Model.validate()` and the lint rule of the same code call the same function.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from phyzctl import codes
from phyzctl.issues import Code, Finding, Issue, Severity
from phyzctl.model.body import WORLD
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.filter import weld_groups
from phyzctl.model.material import ContactMaterial
from phyzctl.robot import checks as robot_checks

Check = Callable[[CompiledModel], Iterator[Finding]]

_GRIPPY = 1.0


def timestep_not_positive(model: CompiledModel) -> Iterator[Finding]:
    """M017: a time step that time can't advance by."""
    if not model.dt > 0.0 or math.isinf(model.dt):
        message = f"the time step {model.dt:g} s is not positive"
        yield Finding(model.robot.option, message, "timestep", subject="option")


def contact_parameter(model: CompiledModel) -> Iterator[Finding]:
    """C922: a body's material of friction, restitution, margin or softness that none can have.

    What geoms state is the Robot's to judge.
    """
    for body in model.bodies:
        if body.material is not None:
            yield from _impossible(body, body.material, f"material of body {body.name!r}")


def _impossible(element: Any, material: ContactMaterial, subject: str | None) -> Iterator[Finding]:
    frictions = (material.friction, material.torsional_friction, material.rolling_friction)
    for value in frictions:
        if not value >= 0.0:
            message = f"friction {value:g} is negative or no number"
            yield Finding(element, message, "friction", subject)
    if not 0.0 <= material.restitution <= 1.0:
        message = f"restitution {material.restitution:g} lies outside 0 to 1"
        yield Finding(element, message, "restitution", subject)
    if not material.margin >= 0.0:
        message = f"margin {material.margin:g} m is negative or no number"
        yield Finding(element, message, "margin", subject)
    if (material.solref[0] > 0.0) != (material.solref[1] > 0.0):
        first, second = material.solref
        message = f"solref {first:g} {second:g}: both numbers must be positive, or neither"
        yield Finding(element, message, "solref", subject)
    d0, dw, width, middle, power = material.solimp
    in_range = 0.0 <= d0 <= 1.0 and 0.0 <= dw <= 1.0 and 0.0 <= middle <= 1.0
    if not (in_range and width >= 0.0 and power >= 1.0):
        numbers = " ".join(f"{value:g}" for value in material.solimp)
        message = f"solimp {numbers}: impedances and midpoint lie in 0 to 1, power is at least 1"
        yield Finding(element, message, "solimp", subject)


def material_unread(model: CompiledModel) -> Iterator[Finding]:
    """C912: a material on a body that nothing can touch."""
    for body in model.bodies:
        if body.material is not None and not any(geom.collides for geom in body.geoms):
            message = "has a contact material but no geometry to collide; is it the right body?"
            yield Finding(body, message, subject=f"body {body.name!r}")


def material_grippy(model: CompiledModel) -> Iterator[Finding]:
    """C913: the highest friction of the model, on a body of several shapes."""
    frictions = [body.material.friction for body in model.bodies if body.material is not None]
    highest = max(frictions, default=0.0)
    for body in model.bodies:
        shapes = sum(geom.collides for geom in body.geoms)
        if body.material is None or shapes < 2 or body.material.friction < max(highest, _GRIPPY):
            continue
        message = (
            f"friction {highest:g} is the model's highest and holds for all {shapes} shapes, "
            "against whatever they touch"
        )
        yield Finding(body, message, "friction", subject=f"body {body.name!r}")


def keyframe_activations(model: CompiledModel) -> Iterator[Finding]:
    """K703 for act: how many numbers it takes is known once actuators are compiled."""
    for keyframe in model.robot.keyframes:
        if keyframe.act is not None and len(keyframe.act) != model.na:
            message = f"act has {len(keyframe.act)} numbers, the model needs {model.na}"
            yield Finding(keyframe, message, "act", severity=Severity.ERROR)


def body_massless(model: CompiledModel) -> Iterator[Finding]:
    """I103 for MJCF: a moving group to which neither inertials nor geoms give mass."""
    if model.robot.dialect != "mjcf":
        return
    group_mass: dict[int, float] = {}
    for body, group in zip(model.bodies, weld_groups(model), strict=True):
        group_mass[group] = group_mass.get(group, 0.0) + body.mass
    for group, mass in group_mass.items():
        if group != WORLD and not mass > 0.0 and not model.bodies[group].link.mocap:
            body = model.bodies[group]
            message = "moves, but neither an inertial nor a geom gives it mass"
            yield Finding(body, message, subject=f"body {body.name!r}")


CHECKS: tuple[tuple[Code, Check], ...] = (
    (codes.TIMESTEP_NOT_POSITIVE, timestep_not_positive),
    (codes.CONTACT_PARAMETER, contact_parameter),
    (codes.MATERIAL_UNREAD, material_unread),
    (codes.MATERIAL_GRIPPY, material_grippy),
    (codes.KEYFRAME_SIZE, keyframe_activations),
    (codes.GROUP_MASSLESS, body_massless),
)
_ROBOT_CHECKS = (*robot_checks.BUILD_CHECKS, *robot_checks.FURTHER_CHECKS)


def faults(model: CompiledModel) -> list[Issue]:
    """What every check of the Model and of its Robot finds, most serious first."""
    stamp = robot_checks.issue
    found = [stamp(code, item) for code, check in _ROBOT_CHECKS for item in check(model.robot)]
    found += [stamp(code, item) for code, check in CHECKS for item in check(model)]
    return sorted(dict.fromkeys(found), key=Issue.sort_key)
