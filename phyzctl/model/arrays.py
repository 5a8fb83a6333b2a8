"""A Model as flat read-only arrays: what the native kernel copies into its System."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phyzctl.model.body import Body
from phyzctl.model.geom import Geom
from phyzctl.model.joint import Joint, JointType
from phyzctl.records import dataclass
from phyzctl.spatial import Array, quat_from_rotation

Indices = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Arrays:
    """One row a body, joint or geom. Positions in metres, quaternions w x y z of unit length."""

    body_parent: Indices
    """(nbody,), -1 for the world, always smaller than the body's own index."""
    body_pos: Array
    """(nbody, 3) in the parent, at the reference pose."""
    body_quat: Array
    """(nbody, 4) in the parent, at the reference pose."""
    body_mass: Array
    """(nbody,) [kg]."""
    body_com: Array
    """(nbody, 3) in the body frame."""
    body_inertia: Array
    """(nbody, 3, 3) [kg m²] about the COM, axes of the body."""
    joint_start: Indices
    """(nbody + 1,): the joints of body i are joint_start[i] to joint_start[i + 1]."""
    joint_type: Indices
    """(njoint,), numbers of JointType."""
    joint_axis: Array
    """(njoint, 3) in the body frame at the reference pose, of unit length."""
    joint_anchor: Array
    """(njoint, 3) in the body frame at the reference pose."""
    joint_ref: Array
    """(njoint,) the q of a hinge or slide at the reference pose."""
    q_offset: Indices
    """(njoint,) where each joint's q starts."""
    v_offset: Indices
    """(njoint,) where each joint's v starts."""
    q_reference: Array
    """(nq,) the reference pose."""
    geom_type: Indices
    """(ngeom,), numbers of GeomType; the world's geoms come first."""
    geom_body: Indices
    """(ngeom,), -1 for the world."""
    geom_size: Array
    """(ngeom, 3) in the kernel's convention, see Geom."""
    geom_pos: Array
    """(ngeom, 3) in the body frame."""
    geom_quat: Array
    """(ngeom, 4) in the body frame."""


def make_arrays(bodies: Sequence[Body], joints: Sequence[Joint], geoms: Sequence[Geom]) -> Arrays:
    """Flatten the parts of a Model."""
    joint_counts = [len(body.joints) for body in bodies]
    X_PB = _stack([body.X_PB for body in bodies], (4, 4))
    X_BG = _stack([geom.X_BG for geom in geoms], (4, 4))
    return Arrays(
        body_parent=_integers(body.parent for body in bodies),
        body_pos=_locked(X_PB[:, :3, 3]),
        body_quat=_stack([body.quat for body in bodies], (4,)),
        body_mass=_numbers([body.mass for body in bodies], ()),
        body_com=_stack([body.com for body in bodies], (3,)),
        body_inertia=_stack([body.inertia for body in bodies], (3, 3)),
        joint_start=_integers([0, *np.cumsum(joint_counts, dtype=np.int32).tolist()]),
        joint_type=_integers(joint.type for joint in joints),
        joint_axis=_numbers([joint.axis for joint in joints], (3,)),
        joint_anchor=_numbers([joint.anchor for joint in joints], (3,)),
        joint_ref=_numbers([joint.ref for joint in joints], ()),
        q_offset=_integers(offsets(joint.nq for joint in joints)),
        v_offset=_integers(offsets(joint.nv for joint in joints)),
        q_reference=_reference(bodies, joints),
        geom_type=_integers(geom.type for geom in geoms),
        geom_body=_integers(geom.body for geom in geoms),
        geom_size=_numbers([geom.size for geom in geoms], (3,)),
        geom_pos=_locked(X_BG[:, :3, 3]),
        geom_quat=_quaternions(X_BG),
    )


def offsets(sizes: Iterable[int]) -> list[int]:
    """Prefix sums: where each item starts."""
    starts, total = [], 0
    for size in sizes:
        starts.append(total)
        total += size
    return starts


def _reference(bodies: Sequence[Body], joints: Sequence[Joint]) -> Array:
    q: list[float] = []
    for joint in joints:
        if joint.type is JointType.FREE:
            body = bodies[joint.body]
            q += [*body.X_PB[:3, 3].tolist(), *body.quat.tolist()]
        elif joint.type is JointType.BALL:
            q += [1.0, 0.0, 0.0, 0.0]
        elif joint.nq:
            q.append(joint.ref)
    return _numbers(q, ())


def _integers(values: Iterable[int]) -> Indices:
    return _locked(np.array(list(values), dtype=np.int32))


def _numbers(values: Sequence[Any], row: tuple[int, ...]) -> Array:
    return _locked(np.array(values, dtype=np.float64).reshape(len(values), *row))


def _stack(rows: Sequence[Array], row: tuple[int, ...]) -> Array:
    return _locked(np.stack(rows) if rows else np.zeros((0, *row)))


def _quaternions(X: Array) -> Array:
    return _numbers([quat_from_rotation(pose[:3, :3]) for pose in X], (4,))


def _locked(array: NDArray[Any]) -> NDArray[Any]:
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    return array
