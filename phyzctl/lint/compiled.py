"""What rules ask of the compiled Model: how servos swing, and what gravity asks of joints.

Loaded on demand: it brings numpy and the kernel, which most rules do without.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.issues import Issues
from phyzctl.lint.coupling import coupled_joints
from phyzctl.lint.floor import Sunken, sunken_geoms
from phyzctl.lint.loads import Load, loads
from phyzctl.model.actuator import Actuator
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.jacobians import Motion
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.model.passes.masses import of_geom
from phyzctl.model.passes.meshes import MeshInertias
from phyzctl.records import dataclass
from phyzctl.robot import mechanism
from phyzctl.robot.checks.settings import flag
from phyzctl.robot.elements import Joint, Link
from phyzctl.robot.mechanism import TransmissionKind
from phyzctl.robot.robot import Robot
from phyzctl.spatial import Array

_ON_JOINTS = (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT)
_LINEAR = (JointType.HINGE, JointType.SLIDE)
_RUNGE_KUTTA = 2.78  # its region of stability on both axes, roughly


@dataclass(frozen=True)
class Swing:
    """One joint under all servos on it: m·a = -stiffness·q - damping·v, all else held still.

    `damping` is the joint's own, `servo_damping` that of its actuators; `friction` is dry.
    """

    joint: Joint
    servo: mechanism.Actuator
    inertia: float
    stiffness: float
    damping: float
    servo_damping: float
    friction: float

    @property
    def ratio(self) -> float:
        """The damping ratio, 1 where it is critical."""
        critical = 2.0 * math.sqrt(self.stiffness * self.inertia)
        return (self.damping + self.servo_damping) / critical

    @property
    def frequency(self) -> float:
        """The undamped frequency [rad/s]."""
        return math.sqrt(self.stiffness / self.inertia)

    def is_stable(self, dt: float, integrator: str, *, damped: bool = True) -> bool:
        """True when steps of `dt` [s] don't make it grow; `damped`: Euler is implicit in damping.

        A step of Euler's takes v' = a·v - w/dt·q and q' = q + dt·v'; the roots of
        z² - (1 + a - w)·z + a lie in the unit circle if and only if |a| < 1 and w < 2(1 + a).
        """
        if integrator == "RK4":
            both = max(self.frequency, (self.damping + self.servo_damping) / self.inertia)
            return both * dt < _RUNGE_KUTTA
        implicit = self.damping if damped else 0.0
        if integrator != "Euler":
            implicit = self.damping + self.servo_damping
        explicit = self.damping + self.servo_damping - implicit
        inertia = self.inertia + dt * implicit
        a = (self.inertia - dt * explicit) / inertia
        w = self.stiffness * dt * dt / inertia
        return a > -1.0 and w < 2.0 * (1.0 + a)


class Compiled:
    """A Model and what is worked out of it when first asked for."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def inertias(self) -> Array:
        """(nv,) the joint-space inertia [kg or kg m²] of each dof alone, in the reference pose."""
        with np.errstate(all="ignore"):
            motion = Motion(self.model, self.model.default_state().q)
            return motion.diagonal()

    @cached_property
    def swings(self) -> tuple[Swing, ...]:
        """The hinges and slides that servos hold in a position, in the order of the joints."""
        return tuple(self._swings())

    def geom_masses(self, link: Link) -> Mapping[int, float]:
        """What each geom of a link weighs [kg] where geoms are weighed, by the geom's id."""
        with np.errstate(all="ignore"):
            weighed = ((geom, of_geom(geom, self._meshes)) for geom in link.geoms)
            return {id(geom): body.mass for geom, body in weighed if body is not None}

    @cached_property
    def _meshes(self) -> MeshInertias:
        return MeshInertias(self.model.robot, Issues())

    @cached_property
    def sunken(self) -> tuple[Sunken, ...]:
        """What stands in a floor at the first keyframe, or else in the reference pose."""
        keys = self.model.keyframes
        q = keys[0].state.q if keys else self.model.default_state().q
        with np.errstate(all="ignore"):
            return tuple(sunken_geoms(self.model, q))

    @cached_property
    def loads(self) -> tuple[Load, ...]:
        """What gravity asks of the joints, and what their motors can give."""
        return tuple(loads(self.model))

    def is_stable(self, swing: Swing) -> bool:
        """True when the model's time step and integrator don't make a joint's swing grow."""
        robot = self.model.robot
        integrator = robot.option.integrator or "Euler"
        damped = flag(robot, "eulerdamp", default=True)
        return swing.is_stable(self.model.dt, integrator, damped=damped)

    def _swings(self) -> Iterator[Swing]:
        held: dict[int, list[Actuator]] = {}
        coupled = coupled_joints(self.model.robot)
        for actuator in self.model.actuators:
            if actuator.transmission in _ON_JOINTS and actuator.affine:
                held.setdefault(actuator.target, []).append(actuator)
        for number, actuators in sorted(held.items()):
            joint = self.model.joints[number]
            servo = next((each for each in actuators if each.bias[1] < 0.0), None)
            if joint.type not in _LINEAR or joint.element is None or servo is None:
                continue
            if joint.name in coupled:
                continue
            inertia = float(self.inertias[self.model.v_slice(number)][0])
            stiffness = -sum(each.gear[0] ** 2 * each.bias[1] for each in actuators)
            damping = -sum(each.gear[0] ** 2 * each.bias[2] for each in actuators)
            numbers = (inertia, stiffness + joint.stiffness, joint.damping, damping, joint.friction)
            if servo.element is None or not inertia > 0.0 or not numbers[1] > 0.0:
                continue
            if all(map(math.isfinite, numbers)):
                yield Swing(joint.element, servo.element, *numbers)


def compiled(robot: Robot) -> Compiled | None:
    """The robot compiled, what can't be compiled left out; None when nothing can."""
    try:
        with np.errstate(all="ignore"):
            return Compiled(compile_model(robot, issues=Issues()))
    except PhyzctlError:
        return None
