"""Jacobians and the mass matrix at one configuration: for compiling, not for loops."""

from __future__ import annotations

import numpy as np

from phyzctl.model.body import WORLD
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.joint import JointType
from phyzctl.spatial import Array, rotation_from_quat


class Motion:
    """How a Model moves at the positions `q` (nq,)."""

    def __init__(self, model: CompiledModel, q: Array) -> None:
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

    def diagonal(self) -> Array:
        """The diagonal (nv,) of the mass matrix, in time that grows with the bodies alone."""
        mass, moment, inertia = self._carried()
        w, v = self._angular, self._linear
        turning = np.einsum("ij,ijk,ik->i", w, inertia, w)
        both = 2.0 * np.einsum("ij,ij->i", v, np.cross(w, moment))
        shifting = mass * np.einsum("ij,ij->i", v, v)
        found: Array = self.model.armature() + turning + both + shifting
        return found

    def powers(self, mass: Array, acceleration: Array) -> Array:
        """(nv,) what a field's pull on the bodies' `mass` (n,) does at unit speed [N m or N].

        The same `acceleration` (3,) [m/s²] acts everywhere.
        """
        each = np.column_stack([mass, mass[:, None] * self._coms()])
        total = self._of_dofs(each)
        pulled = total[:, :1] * self._linear + np.cross(self._angular, total[:, 1:])
        power: Array = pulled @ acceleration
        return power

    def _carried(self) -> tuple[Array, Array, Array]:
        """Of all that a dof moves: mass, first moment and inertia about the world's origin."""
        bodies, coms = self.model.bodies, self._coms()
        mass = np.array([body.mass for body in bodies])
        own = np.array([body.inertia for body in bodies]).reshape(-1, 3, 3)
        R = self.X_WB[:, :3, :3]
        squared = np.einsum("ij,ij->i", coms, coms)[:, None, None] * np.eye(3)
        steiner = squared - coms[:, :, None] * coms[:, None, :]
        inertia = R @ own @ R.transpose(0, 2, 1) + mass[:, None, None] * steiner
        each = np.column_stack([mass, mass[:, None] * coms, inertia.reshape(-1, 9)])
        total = self._of_dofs(each)
        return total[:, 0], total[:, 1:4], total[:, 4:].reshape(-1, 3, 3)

    def _coms(self) -> Array:
        """The centres of mass (n, 3) [m] in the world."""
        local = np.array([body.com for body in self.model.bodies]).reshape(-1, 3, 1)
        placed: Array = (self.X_WB[:, :3, :3] @ local)[:, :, 0] + self.X_WB[:, :3, 3]
        return placed

    def _of_dofs(self, each: Array) -> Array:
        """(nv, k) sums of the bodies' `each` (n, k) over all that a dof carries."""
        total = each.copy()
        for number in reversed(range(len(self.model.bodies))):
            parent = self.model.bodies[number].parent
            if parent != WORLD:
                total[parent] += total[number]
        carriers = [joint.body for joint in self.model.joints for _ in range(joint.nv)]
        return total[carriers]

    def mass_matrix(self) -> Array:
        """The joint-space inertia (nv, nv) [kg, kg m, kg m²], armature included."""
        M = np.diag(self.model.armature())
        for number, body in enumerate(self.model.bodies):
            carried = _carriers(self.model, number)
            w = self._angular[carried]
            v = self._linear[carried] + np.cross(w, self.com(number))
            R = self.X_WB[number, :3, :3]
            own = body.mass * v @ v.T + w @ (R @ body.inertia @ R.T) @ w.T
            M[np.ix_(carried, carried)] += own
        return M


def _unit_motions(model: CompiledModel, q: Array, X_WB: Array) -> tuple[Array, Array]:
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


def _carriers(model: CompiledModel, body: int) -> list[int]:
    """The degrees of freedom that move a body."""
    places: list[int] = []
    while body != WORLD:
        for number in model.bodies[body].joints:
            places += range(*model.v_slice(number).indices(model.nv))
        body = model.bodies[body].parent
    return sorted(places)
