"""What compiling makes of a Robot: indices instead of names, parents first.

All that asks of a Model more than its values and poses stands in functions that take a
CompiledModel; the class Model gathers them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean
from phyzctl.model.arrays import Arrays, make_arrays
from phyzctl.model.body import WORLD, Body, Pair, ordered
from phyzctl.model.geom import Geom
from phyzctl.model.hulls import GeomHulls, geom_hulls
from phyzctl.model.material import ContactMaterial
from phyzctl.model.parts import Parts, Placements
from phyzctl.model.state import State
from phyzctl.spatial import Array


class CompiledModel:
    """The values of a Model, its look-ups and its poses.

    `bodies` and `joints` stand parents first, depth first, joints grouped by body; a body's
    parent is an index or -1 (`WORLD`) for the world, whose geoms are `world_geoms`. `base` says
    whether compiling tied the root link to the world or set it free. The topology is fixed;
    materials, `contact_exclude`, `gravity` [m/s²] and `dt` [s] can be set.
    """

    # What is derived from the values that can be set, and forgotten when they are.
    _derived: tuple[str, ...] = ("excluded_pairs", "system")

    def __init__(self, parts: Parts) -> None:
        self.robot = parts.robot
        self.base = parts.base
        self.contact_rules = parts.contact_rules
        self.joints = parts.joints
        self.world_geoms = parts.world_geoms
        self.sites = parts.sites
        self.tendons = parts.tendons
        self.actuators = parts.actuators
        self.equalities = parts.equalities
        self.contact_pairs = parts.contact_pairs
        self._bodies = parts.bodies
        self._exclude = parts.contact_exclude
        self._gravity = parts.gravity
        self._dt = parts.dt
        self._body_index = _index(body.name for body in parts.bodies)
        self._joint_index = _index(joint.name for joint in parts.joints)
        self.geoms = parts.world_geoms + tuple(g for body in parts.bodies for g in body.geoms)
        self.arrays: Arrays = make_arrays(parts.bodies, parts.joints, self.geoms)
        self.nq = sum(joint.nq for joint in parts.joints)
        self.nv = sum(joint.nv for joint in parts.joints)
        self.na = sum(actuator.na for actuator in parts.actuators)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies, parents first; there is no world body."""
        return self._bodies

    @property
    def q_offsets(self) -> NDArray[np.int32]:
        """(njoint,) where each joint's coordinates start in q."""
        return self.arrays.q_offset

    @property
    def v_offsets(self) -> NDArray[np.int32]:
        """(njoint,) where each joint's degrees of freedom start in v."""
        return self.arrays.v_offset

    def nu(self) -> int:
        """Number of actuators."""
        return len(self.actuators)

    def nbodies(self) -> int:
        """Number of bodies, the world not counted."""
        return len(self._bodies)

    @property
    def ngeom(self) -> int:
        """Number of geoms, the world's included."""
        return len(self.geoms)

    @property
    def neq(self) -> int:
        """Number of equality constraints."""
        return len(self.equalities)

    @property
    def ntendon(self) -> int:
        """Number of tendons."""
        return len(self.tendons)

    @property
    def nkey(self) -> int:
        """Number of keyframes."""
        return len(self.robot.keyframes)

    # Look-ups

    def body_index(self, name: str) -> int | None:
        """The index of the body of that name, None when there is none."""
        return self._body_index.get(name)

    def joint_index(self, name: str) -> int | None:
        """The index of the joint of that name, None when there is none."""
        return self._joint_index.get(name)

    def q_slice(self, joint: int | str) -> slice:
        """Where a joint, given by index or name, stands in q; empty for a fixed joint."""
        number = self._joint_number(joint)
        start = int(self.q_offsets[number])
        return slice(start, start + self.joints[number].nq)

    def v_slice(self, joint: int | str) -> slice:
        """Where a joint, given by index or name, stands in v; empty for a fixed joint."""
        number = self._joint_number(joint)
        start = int(self.v_offsets[number])
        return slice(start, start + self.joints[number].nv)

    def _joint_number(self, joint: int | str) -> int:
        if isinstance(joint, str):
            if joint not in self._joint_index:
                hint = did_you_mean(joint, self._joint_index)
                raise NotFoundError(f"no joint named {joint!r}{hint}")
            return self._joint_index[joint]
        if not 0 <= joint < len(self.joints):
            raise NotFoundError(f"no joint {joint}: the model has {len(self.joints)} joints")
        return joint

    # What may be set

    @property
    def gravity(self) -> Array:
        """(3,) [m/s²], world frame, read-only."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Sequence[float] | Array) -> None:
        vector = np.array(value, dtype=np.float64)
        if vector.shape != (3,):
            raise PhyzctlError(f"gravity has three components, not shape {vector.shape}")
        vector.setflags(write=False)
        self._gravity = vector
        self._drop_system()

    @property
    def dt(self) -> float:
        """The time step [s]."""
        return self._dt

    @dt.setter
    def dt(self, value: float) -> None:
        self._dt = float(value)
        self._drop_system()

    @property
    def contact_exclude(self) -> tuple[Pair, ...]:
        """Pairs of body indices that must never touch, the smaller first; -1 is the world."""
        return self._exclude

    @contact_exclude.setter
    def contact_exclude(self, pairs: Iterable[Sequence[int]]) -> None:
        wanted = tuple(ordered(int(i), int(j)) for i, j in pairs)
        for pair in wanted:
            if pair[0] < WORLD or pair[1] >= len(self._bodies):
                raise PhyzctlError(
                    f"exclude {pair} names no body; indices go from -1 to {len(self._bodies) - 1}"
                )
        self._exclude = wanted
        self._drop_system()

    def set_body_material(self, name: str, material: ContactMaterial | None) -> bool:
        """Give a body a material that overrides its geoms'; False when there is no such body."""
        index = self.body_index(name)
        if index is None:
            return False
        bodies = list(self._bodies)
        bodies[index] = replace(bodies[index], material=material)
        self._bodies = tuple(bodies)
        self._drop_system()
        return True

    def _drop_system(self) -> None:
        """Forget what was derived from the values that can be set."""
        for name in self._derived:
            self.__dict__.pop(name, None)

    # Geoms

    def contact_materials(self, scene: ContactMaterial) -> list[ContactMaterial]:
        """One material per body: its own, or the scene's. Never empty."""
        materials = [body.material or scene for body in self._bodies]
        return materials or [scene]

    def geoms_of(self, body: int) -> tuple[Geom, ...]:
        """The geoms of a body, -1 for the world's."""
        return self.world_geoms if body == WORLD else self._bodies[body].geoms

    def is_explicit_pair(self, first: Geom, second: Geom) -> bool:
        """True when a contact pair of the file names both geoms."""
        if not self.contact_pairs or first.name is None or second.name is None:
            return False
        return frozenset((first.name, second.name)) in self._named_pairs

    @property
    def filters_parents(self) -> bool:
        """False where MJCF's flag `filterparent` is off: then neighbours may touch."""
        return dict(self.robot.option.flags).get("filterparent", True)

    @cached_property
    def excluded_pairs(self) -> frozenset[Pair]:
        """`contact_exclude` as a set."""
        return frozenset(self._exclude)

    @cached_property
    def _named_pairs(self) -> frozenset[frozenset[str | None]]:
        return frozenset(
            frozenset((self.geoms[i].name, self.geoms[j].name)) for i, j in self.contact_pairs
        )

    @cached_property
    def hulls(self) -> GeomHulls:
        """The convex hulls of the meshes that collide, made on first use."""
        return geom_hulls(self.robot.meshes, self.geoms, self.contact_pairs)

    # Motion

    def kinematics(self, q: Sequence[float] | Array) -> Placements:
        """Where everything is at `q`, (nq,) or (n, nq): poses X_WB and X_WG."""
        positions = np.ascontiguousarray(q, dtype=np.float64)
        if positions.ndim not in (1, 2) or positions.shape[-1] != self.nq:
            raise PhyzctlError(f"q must have shape (n, {self.nq}), not {positions.shape}")
        batch = positions.shape[:-1]
        poses = native.kinematics(self.system, positions.reshape(math.prod(batch), self.nq))
        bodies, geoms = (_matrices(rows, batch) for rows in poses)
        return Placements(bodies, geoms)

    @cached_property
    def system(self) -> native.System:
        """The native kernel's copy of the model, made on first use."""
        a = self.arrays
        return native.System(
            nq=self.nq,
            body_parent=a.body_parent,
            body_pos=a.body_pos,
            body_quat=a.body_quat,
            joint_start=a.joint_start,
            joint_type=a.joint_type,
            joint_axis=a.joint_axis,
            joint_anchor=a.joint_anchor,
            joint_ref=a.joint_ref,
            q_offset=a.q_offset,
            geom_body=a.geom_body,
            geom_pos=a.geom_pos,
            geom_quat=a.geom_quat,
        )

    def armature(self) -> Array:
        """(nv,) what motors add to the diagonal of the joint-space inertia [kg or kg m²]."""
        return np.array([j.armature for j in self.joints for _ in range(j.nv)], dtype=np.float64)

    def default_state(self) -> State:
        """At rest in the reference pose, controls and forces zero, all equalities as written."""
        return State(
            q=self.arrays.q_reference.copy(),
            v=np.zeros(self.nv),
            ctrl=np.zeros(self.nu() or self.nv),
            act=np.zeros(self.na),
            qfrc_applied=np.zeros(self.nv),
            xfrc_applied=np.zeros((self.nbodies(), 6)),
            qacc_warmstart=np.zeros(self.nv),
            eq_active=np.array([eq.element.active for eq in self.equalities], dtype=np.bool_),
        )


def _matrices(poses: Array, batch: tuple[int, ...]) -> Array:
    """Poses (n, items, 7) as (*batch, items, 4, 4)."""
    return native.pose_matrices(poses.reshape(-1, 7)).reshape(*batch, poses.shape[1], 4, 4)


def _index(names: Iterable[str]) -> dict[str, int]:
    """Per name its first index."""
    found: dict[str, int] = {}
    for number, name in enumerate(names):
        found.setdefault(name, number)
    return found
