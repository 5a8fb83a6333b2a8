"""What the columns of a simulation's trace are called and measured in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from phyzctl.model.body import WORLD
from phyzctl.model.joint import INFINITY, Joint, JointType
from phyzctl.model.model import Model
from phyzctl.sim.control import control_names, shown_name
from phyzctl.sim.engine import SOLVER
from phyzctl.spatial import Array
from phyzctl.trace.header import Channel

EXTRAS = ("effort", "poses", "solver")
"""Channels that are computed on demand."""

_QUATERNION = ("qw", "qx", "qy", "qz")
_POSE = ("x", "y", "z", *_QUATERNION)
_Q = {JointType.FREE: _POSE, JointType.BALL: _QUATERNION}
_V = {
    JointType.FREE: ("vx", "vy", "vz", "wx", "wy", "wz"),
    JointType.BALL: ("wx", "wy", "wz"),
}
_UNITS = {"x": "m", "y": "m", "z": "m", "v": "m/s", "w": "rad/s", "q": "1"}
_SINGLE = {JointType.HINGE: "rad", JointType.SLIDE: "m"}


def state_channels(model: Model, parts: Sequence[str]) -> list[Channel]:
    """The channels of a State's fields that a restart needs, and that of the controls."""
    q, v = list(_positions(model)), list(_velocities(model))
    names = {"q": q, "v": v, "qacc_warmstart": _per_second(v)}
    names["act"] = [(f"act{number}", "1") for number in range(model.na)]
    made = [_channel(part, names[part], state=True) for part in parts if names[part]]
    controls = list(zip(control_names(model), _control_units(model), strict=True))
    return [*made, *([_channel("ctrl", controls)] if controls else [])]


def extra_channels(model: Model, extras: Sequence[str], moving: Sequence[int]) -> list[Channel]:
    """The channels of `EXTRAS` that are asked for; `moving` are the bodies that have poses."""
    bodies = tuple(model.bodies[index].name for index in moving)
    effort = [(name, _force(unit)) for name, unit in _velocities(model)]
    poses = [(f"{body}.{c}", "m" if c in "xyz" else "1") for body in bodies for c in _POSE]
    columns, units = (tuple(each) for each in zip(*poses, strict=True)) if poses else ((), ())
    made = {
        "effort": _channel("effort", effort),
        "solver": Channel("solver", SOLVER, ("1", "1", "1", "1")),
        "poses": Channel("poses", columns, units, "world", bodies=bodies),
    }
    return [made[name] for name in EXTRAS if name in extras]


def _channel(name: str, pairs: Sequence[tuple[str, str]], *, state: bool = False) -> Channel:
    return Channel(name, tuple(c for c, _ in pairs), tuple(u for _, u in pairs), state=state)


def _positions(model: Model) -> Iterator[tuple[str, str]]:
    for joint in model.joints:
        if joint.type in _Q:
            for axis in _Q[joint.type]:
                yield f"{shown_name(model, joint)}.{axis}", _UNITS[axis[0]]
        elif joint.nq:
            yield joint.name, _SINGLE[joint.type]


def _velocities(model: Model) -> Iterator[tuple[str, str]]:
    for joint in model.joints:
        if joint.type in _V:
            for axis in _V[joint.type]:
                yield f"{shown_name(model, joint)}.{axis}", _UNITS[axis[0]]
        elif joint.nv:
            yield joint.name, f"{_SINGLE[joint.type]}/s"


def _per_second(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, unit.replace("/s", "/s^2")) for name, unit in pairs]


def _force(unit: str) -> str:
    return "N" if unit == "m/s" else "N m"


def _control_units(model: Model) -> Iterator[str]:
    """Of plain motors forces, of servos what they are told to reach; others have their own."""
    if not model.actuators:
        yield from (_force(unit) for _, unit in _velocities(model))
    for actuator in model.actuators:
        joint = model.joints[actuator.target] if actuator.transmission.value == "joint" else None
        single = _SINGLE.get(joint.type) if joint is not None else None
        gain, stiffness, damping = actuator.gain[0], actuator.bias[1], actuator.bias[2]
        if single is None or not actuator.affine or actuator.na:
            yield "1"
        elif not stiffness and not damping:
            yield _force(f"{single}/s") if gain == 1.0 else "1"
        else:
            yield single if gain == -stiffness else f"{single}/s" if gain == -damping else "1"


def joint_table(model: Model) -> tuple[dict[str, Any], ...]:
    """The joints of one degree of freedom: name, type, unit, limits, columns in q and v."""
    return tuple(
        _row(model, index, joint) for index, joint in enumerate(model.joints) if joint.nv == 1
    )


def _row(model: Model, index: int, joint: Joint) -> dict[str, Any]:
    low, high = (None if abs(bound) == INFINITY else bound for bound in joint.range)
    return {
        "name": joint.name,
        "type": joint.type.name.lower(),
        "unit": _SINGLE[joint.type],
        "lower": low,
        "upper": high,
        "q": int(model.q_offsets[index]),
        "v": int(model.v_offsets[index]),
    }


def bodies_that_move(model: Model) -> list[int]:
    """The bodies that are not fixed to the world."""
    return [index for index, group in enumerate(model.weld_groups()) if group != WORLD]


def fixed_frames(model: Model, places: Array) -> dict[str, tuple[float, ...]]:
    """The bodies that never move, and where they are, from the places of all (nbody, 7)."""
    moving = set(bodies_that_move(model))
    return {
        body.name: tuple(places[index].tolist())
        for index, body in enumerate(model.bodies)
        if index not in moving
    }
