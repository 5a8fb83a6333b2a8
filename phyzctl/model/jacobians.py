"""Jacobians and the mass matrix at one configuration: for compiling, not for loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phyzctl.model.body import WORLD
from phyzctl.model.joint import JointType
from phyzctl.spatial import Array, rotation_from_quat

if TYPE_CHECKING:
    from phyzctl.model.model import Model


class Motion:
    """How a Model moves at the positions `q` (nq,)."""

    def __init__(self, model: Model, q: Array) -> None:
        self.model = model
        self.X_WB = model.kinematics(q).bodies
        self._angular, self._linear = _unit_motions(model, q, self.X_WB)

    def jacobians(self, body: int, point: Array) -> tuple[Array, Array]:
        """Of a point (3,) [m] on a body, both (3, nv): velocity and angular velocity by v."""
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        carried = _carriers(self.model, body)
        angular[:, carried] = self._angular[carried].T
        linear[:, carried] = (self._linear[carried] + np.cross(self._angular[carried], point)).T
        return linear, angular

    def com(self, body: int) -> Array:
        """The centre of mass (3,) [m] of a body in the world."""
        placed: Array = self.X_WB[body, :3, :3] @ self.model.bodies[body].com
        return placed + self.X_WB[body, :3, 3]

    def mass_matrix(self) -> Array:
        """The joint-space inertia (nv, nv) [kg, kg m, kg m²], armature included."""
        M = np.diag(self.model.armature())
        for number, body in enumerate(self.model.bodies):
            linear, angular = self.jacobians(number, self.com(number))
            R = self.X_WB[number, :3, :3]
            M += body.mass * linear.T @ linear + angular.T @ (R @ body.inertia @ R.T) @ angular
        return M


def _unit_motions(model: Model, q: Array, X_WB: Array) -> tuple[Array, Array]:
    """Per degree of freedom its angular (nv, 3) and, at the world's origin, linear velocity.

    At unit speed, in world axes: the velocity of a carried point p is linear + cross(angular, p).
    """
    angular, linear = np.zeros((model.nv, 3)), np.zeros((model.nv, 3))
    for body in model.bodies:
        X_WP = np.eye(4) if body.parent == WORLD else X_WB[body.parent]
        R, p = X_WP[:3, :3] @ body.X_PB[:3, :3], X_WP[:3, :3] @ body.X_PB[:3, 3] + X_WP[:3, 3]
        for number in body.joints:
            joint, place = model.joints[number], model.v_slice(number)
            here = q[model.q_slice(number)]
            if joint.type is JointType.SLIDE:
                linear[place] = R @ joint.axis
                p = p + (here[0] - joint.ref) * linear[place][0]
            elif joint.type in (JointType.HINGE, JointType.BALL):
                anchor = p + R @ joint.anchor
                if joint.type is JointType.HINGE:
                    angular[place] = R @ joint.axis
                    R = R @ _turn(joint.axis, here[0] - joint.ref)
                else:
                    R = R @ rotation_from_quat(here)
                    angular[place] = R.T
                p = anchor - R @ joint.anchor
                linear[place] = np.cross(anchor, angular[place])
            elif joint.type is JointType.FREE:
                R, p = X_WB[joint.body, :3, :3], X_WB[joint.body, :3, 3]
                start = place.start
                linear[start : start + 3] = X_WP[:3, :3].T
                angular[start + 3 : place.stop] = R.T
                linear[start + 3 : place.stop] = np.cross(p, R.T)
    return angular, linear


def _turn(axis: tuple[float, float, float], angle: float) -> Array:
    half = 0.5 * angle
    return rotation_from_quat([np.cos(half), *(np.sin(half) * np.array(axis))])


def _carriers(model: Model, body: int) -> list[int]:
    """The degrees of freedom that move a body."""
    places: list[int] = []
    while body != WORLD:
        for number in model.bodies[body].joints:
            places += range(*model.v_slice(number).indices(model.nv))
        body = model.bodies[body].parent
    return sorted(places)
