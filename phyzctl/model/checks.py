"""Checks that need a Model: each is one function that yields Findings, with one code.

`Model.validate()` and the lint rule of the same code call the same function.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from phyzctl import codes
from phyzctl.issues import Code, Finding, Issue, Severity
from phyzctl.model import keyframes
from phyzctl.model.body import WORLD
from phyzctl.model.joint import Joint, JointType
from phyzctl.model.material import ContactMaterial
from phyzctl.robot import checks as robot_checks
from phyzctl.robot.checks import masses
from phyzctl.robot.elements import JointKind

if TYPE_CHECKING:
    from phyzctl.model.model import Model

Check = Callable[["Model"], Iterator[Finding]]

_EQUAL = 1e-9  # [rad or m]
_GRIPPY = 1.0


def timestep_not_positive(model: Model) -> Iterator[Finding]:
    """M017: a time step that time can't advance by."""
    if not model.dt > 0.0 or math.isinf(model.dt):
        message = f"the time step {model.dt:g} s is not positive"
        yield Finding(model.robot.option, message, "timestep", subject="option")


def contact_parameter(model: Model) -> Iterator[Finding]:
    """C922: friction, restitution, margin or softness that no surface can have."""
    for body in model.bodies:
        if body.material is not None:
            yield from _impossible(body, body.material, f"material of body {body.name!r}")
    for geom in model.geoms:
        if geom.material is not None:
            yield from _impossible(geom.element, geom.material, None)


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


def material_unread(model: Model) -> Iterator[Finding]:
    """C912: a material on a body that nothing can touch."""
    for body in model.bodies:
        if body.material is not None and not any(geom.collides for geom in body.geoms):
            message = "has a contact material but no geometry to collide; is it the right body?"
            yield Finding(body, message, subject=f"body {body.name!r}")


def material_grippy(model: Model) -> Iterator[Finding]:
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


def keyframe_size(model: Model) -> Iterator[Finding]:
    """K703: a keyframe's vector of another length than the model's."""
    for keyframe in model.robot.keyframes:
        for name, wanted in keyframes.sizes(model).items():
            stated = getattr(keyframe, name)
            if stated is None or len(stated) == wanted:
                continue
            padded = name == "qpos" and len(stated) < wanted
            severity = Severity.WARNING if padded else Severity.ERROR
            tail = "; MuJoCo fills up with the reference position" if padded else ""
            message = f"{name} has {len(stated)} numbers, the model needs {wanted}{tail}"
            yield Finding(keyframe, message, name, severity=severity)


def rest_outside_range(model: Model) -> Iterator[Finding]:
    """K704: an MJCF reference position that breaks a range, and no keyframe to start from."""
    if model.robot.dialect != "mjcf" or model.robot.keyframes:
        return
    for joint in model.joints:
        if _single(joint) and _outside(joint, joint.ref):
            low, high = joint.range
            message = (
                f"the reference position {joint.ref:g} lies outside the range {low:g} {high:g}"
            )
            yield Finding(joint.element, message, "range")


def zero_outside_limits(model: Model) -> Iterator[Finding]:
    """K705: a revolute joint that can't be at zero, where most tools start."""
    if model.robot.dialect == "mjcf":
        return
    for joint in model.joints:
        element = joint.element
        if element and element.kind is JointKind.REVOLUTE and _outside(joint, 0.0):
            low, high = joint.range
            message = f"zero lies outside the limits {low:g} to {high:g} rad"
            yield Finding(element, message, "limit@")


def _single(joint: Joint) -> bool:
    return joint.element is not None and joint.type in (JointType.HINGE, JointType.SLIDE)


def _outside(joint: Joint, q: float) -> bool:
    """True when q breaks a range; one the wrong way round is another rule's."""
    low, high = joint.range
    return low <= high and not low - _EQUAL <= q <= high + _EQUAL


def body_massless(model: Model) -> Iterator[Finding]:
    """I103 for MJCF: a moving group to which neither inertials nor geoms give mass."""
    if model.robot.dialect != "mjcf":
        return
    group_mass: dict[int, float] = {}
    for body, group in zip(model.bodies, model.weld_groups(), strict=True):
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
    (codes.KEYFRAME_SIZE, keyframe_size),
    (codes.REST_OUTSIDE_RANGE, rest_outside_range),
    (codes.ZERO_OUTSIDE_LIMITS, zero_outside_limits),
    (codes.GROUP_MASSLESS, body_massless),
)
_ROBOT_CHECKS: tuple[tuple[Code, robot_checks.Check], ...] = (
    *robot_checks.BUILD_CHECKS,
    (codes.GROUP_MASSLESS, masses.group_massless),
    (codes.KINEMATICS_ONLY, masses.kinematics_only),
    (codes.MASS_TINY, masses.mass_tiny),
    (codes.INERTIAL_IGNORED, masses.inertial_ignored),
)


def faults(model: Model) -> list[Issue]:
    """What every check of the Model and of its Robot finds, most serious first."""
    stamp = robot_checks.issue
    found = [stamp(code, item) for code, check in _ROBOT_CHECKS for item in check(model.robot)]
    found += [stamp(code, item) for code, check in CHECKS for item in check(model)]
    return sorted(dict.fromkeys(found), key=Issue.sort_key)
