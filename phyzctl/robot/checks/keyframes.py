"""Where a robot starts: keyframes and the reference pose, against ranges and sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.records import dataclass
from phyzctl.robot.elements import Joint, JointKind
from phyzctl.robot.mechanism import Keyframe
from phyzctl.robot.robot import Robot

_SLACK = 1e-4  # [rad, m or the control's unit] rounding of what was printed
_SHARE = 1e-3  # of the range: the same
_UNIT = 1e-3  # how far a quaternion's length may be from 1
_EQUAL = 1e-9  # [rad or m]
_POSITIONS = {JointKind.FIXED: 0, JointKind.FLOATING: 7, JointKind.SPHERICAL: 4}
_VELOCITIES = {JointKind.FIXED: 0, JointKind.FLOATING: 6, JointKind.SPHERICAL: 3}
# What generates joints that a Robot doesn't hold, so that its sizes say nothing.
_GENERATORS = frozenset({"composite", "flexcomp", "flex"})


@dataclass(frozen=True)
class Slot:
    """A joint and where its numbers start in qpos."""

    joint: Joint
    start: int

    @property
    def quaternion(self) -> int | None:
        """Where its quaternion starts; None for a joint without one."""
        kind = self.joint.kind
        if kind is JointKind.FLOATING:
            return self.start + 3
        return self.start if kind is JointKind.SPHERICAL else None


def slots(robot: Robot) -> list[Slot]:
    """Every joint with its place in qpos, in MJCF's order: depth first."""
    found, start = [], 0
    for link in robot:
        for joint in robot.structure.inbound(link.name):
            found.append(Slot(joint, start))
            start += _POSITIONS.get(joint.kind, 1)
    return found


def state_size(robot: Robot) -> int:
    """How many numbers hold a State of the robot: positions, velocities and commands."""
    kinds = [joint.kind for joint in robot.joints]
    moving = sum(_POSITIONS.get(kind, 1) + _VELOCITIES.get(kind, 1) for kind in kinds)
    return moving + len(robot.actuators)


def keyframe_sizes(robot: Robot) -> dict[str, int]:
    """How many numbers each vector of a keyframe takes; empty where that can't be told.

    It can't where bodies are generated, or there are none: a file of keyframes is there to be
    included. Activations are left out: how many there are depends on more than a Robot says.
    """
    kept = [*robot.extensions, *(part for link in robot.links for part in link.extensions)]
    if len(robot.links) == 1 or any(part.tag in _GENERATORS for part in kept):
        return {}
    mocaps = sum(link.mocap for link in robot.links)
    return {
        "qpos": sum(_POSITIONS.get(joint.kind, 1) for joint in robot.joints),
        "qvel": sum(_VELOCITIES.get(joint.kind, 1) for joint in robot.joints),
        "ctrl": len(robot.actuators),
        "mpos": 3 * mocaps,
        "mquat": 4 * mocaps,
    }


def keyframe_size(robot: Robot) -> Iterator[Finding]:
    """K703: a vector of another length than the model's. MuJoCo fills up a short qpos."""
    sizes = keyframe_sizes(robot)
    for key in robot.keyframes:
        for name, wanted in sizes.items():
            stated = getattr(key, name)
            if stated is None or len(stated) == wanted:
                continue
            padded = name == "qpos" and len(stated) < wanted
            message = f"{name} has {len(stated)} numbers, the model needs {wanted}" + (
                "; MuJoCo fills up with the reference position" if padded else ""
            )
            severity = Severity.WARNING if padded else Severity.ERROR
            yield Finding(key, message, name, severity=severity)


def keyframe_outside_range(robot: Robot) -> Iterator[Finding]:
    """K701: a keyframe that puts a joint past its range."""
    places, sizes = slots(robot), keyframe_sizes(robot)
    for key in robot.keyframes:
        qpos = _fitting(sizes, key, "qpos")
        for slot in places if qpos else ():
            bounds = _bounds(slot.joint)
            if bounds is None:
                continue
            value = qpos[slot.start]
            if (excess := _excess(value, bounds)) > 0.0:
                message = (
                    f"qpos[{slot.start}] is {value:g}, {excess:.3g} outside the range "
                    f"{bounds[0]:g} to {bounds[1]:g} of joint {slot.joint.name!r}"
                )
                yield Finding(key, message, "qpos")


def keyframe_ctrl_outside(robot: Robot) -> Iterator[Finding]:
    """K702: a keyframe that asks an actuator for more than its range allows."""
    sizes = keyframe_sizes(robot)
    for key in robot.keyframes:
        ctrl = _fitting(sizes, key, "ctrl")
        for index, actuator in enumerate(robot.actuators if ctrl else ()):
            bounds = actuator.ctrl_range
            if bounds is not None and (excess := _excess(ctrl[index], bounds)) > 0.0:
                message = (
                    f"ctrl[{index}] is {ctrl[index]:g}, {excess:.3g} outside the range "
                    f"{bounds[0]:g} to {bounds[1]:g} of actuator {actuator.name or index!r}"
                )
                yield Finding(key, message, "ctrl")


def rest_outside_range(robot: Robot) -> Iterator[Finding]:
    """K704: an MJCF reference position that breaks a range, and no keyframe to start from."""
    if robot.dialect != "mjcf" or any(key.qpos is not None for key in robot.keyframes):
        return
    for joint in robot.joints:
        bounds = _bounds(joint)
        if bounds is not None and _excess(joint.ref, bounds, slack=_EQUAL) > 0.0:
            message = (
                f"the reference position {joint.ref:g} lies outside the range "
                f"{bounds[0]:g} to {bounds[1]:g}, and no keyframe gives another start"
            )
            yield Finding(joint, message, "range")


def zero_outside_limits(robot: Robot) -> Iterator[Finding]:
    """K705: a joint of a URDF that can't be at zero, where most tools start."""
    if robot.dialect == "mjcf":
        return
    for joint in robot.joints:
        limit = joint.limit.resolved(joint.kind)
        if joint.kind is not JointKind.REVOLUTE or not joint.limit.stated:
            continue
        if limit.lower is None or limit.upper is None or not limit.lower + _EQUAL < limit.upper:
            continue
        if not limit.lower - _EQUAL <= 0.0 <= limit.upper + _EQUAL:
            message = f"zero lies outside the limits {limit.lower:g} to {limit.upper:g} rad"
            yield Finding(joint, message, "limit@lower" if limit.lower > 0.0 else "limit@upper")


def keyframe_not_unit(robot: Robot) -> Iterator[Finding]:
    """K706: a keyframe's quaternion that isn't of length 1."""
    starts = [slot.quaternion for slot in slots(robot) if slot.quaternion is not None]
    sizes = keyframe_sizes(robot)
    for key in robot.keyframes:
        for name, start in _quaternions(starts, sizes, key):
            values = getattr(key, name)[start : start + 4]
            length = math.hypot(*values)
            if abs(length - 1.0) > _UNIT:
                message = f"{name}[{start}] to [{start + 3}] have length {length:.6g}, not 1"
                yield Finding(key, message, name)


def _quaternions(
    starts: Sequence[int], sizes: Mapping[str, int], key: Keyframe
) -> Iterator[tuple[str, int]]:
    """The vectors of a keyframe that hold quaternions, and where each starts."""
    if _fitting(sizes, key, "qpos"):
        yield from (("qpos", start) for start in starts)
    for start in range(0, len(_fitting(sizes, key, "mquat")), 4):
        yield "mquat", start


def _fitting(sizes: Mapping[str, int], key: Keyframe, name: str) -> tuple[float, ...]:
    """A keyframe's vector; empty when it isn't written, or its length is K703's business."""
    values: tuple[float, ...] | None = getattr(key, name)
    return values if values and len(values) == sizes.get(name) else ()


def _bounds(joint: Joint) -> tuple[float, float] | None:
    """The range that holds for a hinge or slide; None for none, or one the wrong way round."""
    lower, upper = joint.limit.lower, joint.limit.upper
    if joint.kind not in (JointKind.REVOLUTE, JointKind.PRISMATIC):
        return None
    return (lower, upper) if lower is not None and upper is not None and lower < upper else None


def _excess(value: float, bounds: tuple[float, float], slack: float | None = None) -> float:
    """By how much a value breaks its bounds, 0 when it is no more than rounding."""
    low, high = bounds
    if not low < high:
        return 0.0
    excess = max(low - value, value - high)
    allowed = max(_SLACK, _SHARE * (high - low)) if slack is None else slack
    return excess if excess > allowed else 0.0


CHECKS = (
    (codes.KEYFRAME_OUTSIDE_RANGE, keyframe_outside_range),
    (codes.KEYFRAME_CTRL_OUTSIDE, keyframe_ctrl_outside),
    (codes.KEYFRAME_SIZE, keyframe_size),
    (codes.REST_OUTSIDE_RANGE, rest_outside_range),
    (codes.ZERO_OUTSIDE_LIMITS, zero_outside_limits),
    (codes.KEYFRAME_NOT_UNIT, keyframe_not_unit),
)
