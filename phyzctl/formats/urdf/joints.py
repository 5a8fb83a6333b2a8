"""`<joint>` and what it holds: axis, limit, dynamics, calibration, mimic, safety."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.errors import did_you_mean
from phyzctl.formats.urdf.parts import extensions, read_name, read_origin, read_vector
from phyzctl.formats.values import number
from phyzctl.formats.xmltree import Node
from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Issues
from phyzctl.robot.elements import (
    Calibration,
    Dynamics,
    Joint,
    JointKind,
    JointLimit,
    Mimic,
    Safety,
)

_KINDS = {kind.value: kind for kind in JointKind if kind is not JointKind.SPHERICAL}
# Not URDF, but written by some, and clear enough to build the tree with.
_UNOFFICIAL_KINDS = {"spherical": JointKind.SPHERICAL, "ball": JointKind.SPHERICAL}
_DEFAULT_AXIS: Vec3 = (1.0, 0.0, 0.0)
_KNOWN = (
    "origin",
    "parent",
    "child",
    "axis",
    "limit",
    "dynamics",
    "calibration",
    "mimic",
    "safety_controller",
)


def read_joint(node: Node, issues: Issues) -> Joint:
    """A joint. A missing parent or child is left empty: the grammar has reported it."""
    xyz, rpy, quat = read_origin(node, issues)
    name = read_name(node, "name", issues)
    return Joint(
        f"joint at line {node.line}" if name is None else name,
        kind=_read_kind(node, issues),
        parent=_read_end(node, "parent", issues),
        child=_read_end(node, "child", issues),
        xyz=xyz,
        rpy=rpy,
        quat=quat,
        axis=_read_axis(node, issues),
        limit=_read_limit(node, issues),
        calibration=_read_calibration(node, issues),
        dynamics=_read_dynamics(node, issues),
        mimic=_read_mimic(node, issues),
        safety=_read_safety(node, issues),
        name_stated=name is not None,
        extensions=extensions(node, _KNOWN),
        source=node.source,
    )


def _read_kind(node: Node, issues: Issues) -> JointKind:
    """FIXED stands in for a kind that can't be read, so that the tree below holds."""
    written = node.get("type")
    if written is None:
        return JointKind.FIXED
    if written not in _KINDS:
        hint = did_you_mean(written.strip().lower(), _KINDS)
        message = f"type {written!r} is none of {', '.join(_KINDS)}{hint}"
        source = node.attribute_source("type")
        issues.add(codes.JOINT_TYPE_UNKNOWN, message, source=source, subject=node.subject)
    return (_KINDS | _UNOFFICIAL_KINDS).get(written.strip().lower(), JointKind.FIXED)


def _read_end(node: Node, tag: str, issues: Issues) -> str:
    end = node.find(tag)
    return "" if end is None else read_name(end, "link", issues) or ""


def _read_axis(node: Node, issues: Issues) -> Vec3 | None:
    axis = node.find("axis")
    return _DEFAULT_AXIS if axis is None else read_vector(axis, "xyz", issues, _DEFAULT_AXIS)


def _read_limit(node: Node, issues: Issues) -> JointLimit:
    limit = node.find("limit")
    if limit is None:
        return JointLimit()
    return JointLimit(
        lower=number(limit, "lower", issues),
        upper=number(limit, "upper", issues),
        effort=number(limit, "effort", issues, allow_inf=True),
        velocity=number(limit, "velocity", issues, allow_inf=True),
        acceleration=number(limit, "acceleration", issues, allow_inf=True),
        deceleration=number(limit, "deceleration", issues, allow_inf=True),
        jerk=number(limit, "jerk", issues, allow_inf=True),
        source=limit.source,
    )


def _read_calibration(node: Node, issues: Issues) -> Calibration | None:
    calibration = node.find("calibration")
    if calibration is None:
        return None
    return Calibration(
        rising=number(calibration, "rising", issues),
        falling=number(calibration, "falling", issues),
        source=calibration.source,
    )


def _read_dynamics(node: Node, issues: Issues) -> Dynamics | None:
    dynamics = node.find("dynamics")
    if dynamics is None:
        return None
    return Dynamics(
        damping=number(dynamics, "damping", issues),
        friction=number(dynamics, "friction", issues),
        source=dynamics.source,
    )


def _read_mimic(node: Node, issues: Issues) -> Mimic | None:
    """None also when the mimicked joint isn't named: the grammar has reported that."""
    mimic = node.find("mimic")
    leader = None if mimic is None else read_name(mimic, "joint", issues)
    if mimic is None or leader is None:
        return None
    written = mimic.attributes
    return Mimic(
        leader,
        multiplier=number(mimic, "multiplier", issues) if "multiplier" in written else 1.0,
        offset=number(mimic, "offset", issues) if "offset" in written else 0.0,
        source=mimic.source,
    )


def _read_safety(node: Node, issues: Issues) -> Safety | None:
    safety = node.find("safety_controller")
    if safety is None:
        return None
    return Safety(
        soft_lower_limit=number(safety, "soft_lower_limit", issues),
        soft_upper_limit=number(safety, "soft_upper_limit", issues),
        k_position=number(safety, "k_position", issues),
        k_velocity=number(safety, "k_velocity", issues),
        source=safety.source,
    )
