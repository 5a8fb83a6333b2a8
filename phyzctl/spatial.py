"""Poses, rotations, quaternions and spatial inertias: pure functions over numpy arrays.

A pose X_WB is a (4, 4) homogeneous matrix that takes points of frame B to frame W, so that
`X_WC = X_WB @ X_BC`. Quaternions are (4,) arrays w x y z. Lengths are in metres, angles in
radians. NaN passes through, and what is no rotation at all (an axis of zero length, a zero
quaternion) gives NaN, so that nothing wrong turns into a silent default.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass
from phyzctl.tensor import symmetric_eigenvalues

Array = NDArray[np.float64]
Numbers = Sequence[float] | Array

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def identity() -> Array:
    """The pose of a frame in itself, (4, 4)."""
    return np.eye(4)


def pose(
    xyz: Numbers | None = None,
    rpy: Numbers | None = None,
    quat: Numbers | None = None,
) -> Array:
    """The pose (4, 4) of a frame at `xyz` [m], turned by `quat` (w x y z) or else by `rpy` [rad].

    What is None is zero. `quat` wins over `rpy` and need not have unit length.
    """
    X = np.eye(4)
    if xyz is not None:
        X[:3, 3] = xyz
    if quat is not None:
        X[:3, :3] = rotation_from_quat(quat)
    elif rpy is not None:
        X[:3, :3] = rotation_from_rpy(rpy)
    return X


def inverse(X_WB: Array) -> Array:
    """X_BW, the pose of W in B."""
    R_BW = X_WB[:3, :3].T
    X_BW = np.eye(4)
    X_BW[:3, :3] = R_BW
    X_BW[:3, 3] = -(R_BW @ X_WB[:3, 3])
    return X_BW


def rotation_from_rpy(rpy: Numbers) -> Array:
    """Rz(yaw) Ry(pitch) Rx(roll), (3, 3): turns about the fixed axes x, then y, then z."""
    roll, pitch, yaw = (_finite_or_nan(angle) for angle in rpy)
    sr, cr = math.sin(roll), math.cos(roll)
    sp, cp = math.sin(pitch), math.cos(pitch)
    sy, cy = math.sin(yaw), math.cos(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rotation_from_quat(quat: Numbers) -> Array:
    """The rotation (3, 3) of a quaternion w x y z of any length."""
    w, x, y, z = _unit(quat)
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def rotation_from_axis_angle(axis: Numbers, angle: float) -> Array:
    """The rotation (3, 3) by `angle` [rad] about `axis`, which need not have unit length."""
    return rotation_from_quat(quat_from_axis_angle(axis, angle))


def rpy_from_rotation(R: Array) -> Array:
    """Roll, pitch, yaw [rad] of a rotation (3, 3); pitch lies in [-pi/2, pi/2].

    At pitch ±pi/2 only a combination of roll and yaw is determined; yaw is then 0.
    """
    level = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], level)
    yaw = 0.0 if level <= 1e-15 else math.atan2(R[1, 0], R[0, 0])
    sy, cy = math.sin(yaw), math.cos(yaw)
    # Roll is what is left once yaw is undone: as exact beside pitch = 90 degrees as elsewhere.
    roll = math.atan2(sy * R[0, 2] - cy * R[1, 2], cy * R[1, 1] - sy * R[0, 1])
    return np.array([roll, pitch, yaw])


def quat_from_rotation(R: Array) -> Array:
    """The unit quaternion w x y z of a rotation (3, 3), with w >= 0.

    Starts from the largest component (Shepperd 1978), so that no digits are lost.
    """
    xx, yy, zz = float(R[0, 0]), float(R[1, 1]), float(R[2, 2])
    squares = (1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz)
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    rows = (
        (squares[0], wx, wy, wz),
        (wx, squares[1], xy, xz),
        (wy, xy, squares[2], yz),
        (wz, xz, yz, squares[3]),
    )
    quat = _unit(rows[squares.index(max(squares))])
    return np.array(quat) if quat[0] >= 0.0 else -np.array(quat)


def quat_from_rpy(rpy: Numbers) -> Array:
    """The unit quaternion of fixed-axis roll, pitch, yaw [rad]."""
    return quat_from_euler("XYZ", rpy)


def quat_multiply(left: Numbers, right: Numbers) -> Array:
    """The product left * right: turns by `right` first, seen in the fixed frame."""
    return np.array(_product(_floats(left), _floats(right)))


def quat_from_axis_angle(axis: Numbers, angle: float) -> Array:
    """The unit quaternion of a turn by `angle` [rad] about `axis` of any length but zero."""
    x, y, z = _unit(axis)
    half = 0.5 * _finite_or_nan(angle) if not math.isnan(x) else math.nan
    sine = math.sin(half)
    return np.array([math.cos(half), sine * x, sine * y, sine * z])


def quat_from_euler(sequence: str, angles: Numbers) -> Array:
    """The unit quaternion of successive turns by `angles` [rad] about the axes in `sequence`.

    As MJCF's `eulerseq`: a lower-case letter turns about the moving axis, an upper-case letter
    about the fixed one. Raises PhyzctlError for other letters or a length other than three.
    """
    if len(sequence) != 3 or any(letter.lower() not in _AXES for letter in sequence):
        message = f"Euler sequence {sequence!r} is not three letters out of x, y, z, X, Y, Z"
        raise PhyzctlError(message)
    quat = (1.0, 0.0, 0.0, 0.0)
    for letter, angle in zip(sequence, angles, strict=True):
        turn = _floats(quat_from_axis_angle(_AXES[letter.lower()], angle))
        quat = _product(quat, turn) if letter.islower() else _product(turn, quat)
    return np.array(quat)


def quat_from_xyaxes(xyaxes: Numbers) -> Array:
    """The frame whose x axis is `xyaxes[:3]` and whose y axis lies in the plane of the two.

    The y axis `xyaxes[3:]` is made orthogonal to x. NaN when one is zero or both are parallel.
    """
    values = _floats(xyaxes)
    x = np.array(_unit(values[:3]))
    y = np.array(values[3:])
    y = np.array(_unit(y - (x @ y) * x))
    return quat_from_rotation(np.column_stack([x, y, np.cross(x, y)]))


def quat_from_zaxis(zaxis: Numbers) -> Array:
    """The smallest turn that takes (0, 0, 1) to `zaxis`; half a turn about x for (0, 0, -1)."""
    x, y, z = _unit(zaxis)
    level = math.hypot(x, y)
    if level == 0.0:
        return np.array([1.0, 0.0, 0.0, 0.0] if z > 0.0 else [0.0, 1.0, 0.0, 0.0])
    return quat_from_axis_angle((-y / level, x / level, 0.0), math.atan2(level, z))


def inertia_matrix(inertia: Numbers) -> Array:
    """The symmetric (3, 3) of (ixx, ixy, ixz, iyy, iyz, izz) [kg m²]."""
    ixx, ixy, ixz, iyy, iyz, izz = inertia
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]], dtype=np.float64)


def rotate_inertia(I_B: Array, R_WB: Array) -> Array:
    """The inertia (3, 3) about the same point with the axes of W: R I Rᵀ, exactly symmetric."""
    with np.errstate(over="ignore", invalid="ignore"):  # what becomes of it is judged elsewhere
        turned = R_WB @ I_B @ R_WB.T
        symmetric: Array = 0.5 * turned + 0.5 * turned.T
    return symmetric


def principal_moments(inertia: Array) -> Array:
    """The principal moments of a symmetric (3, 3) inertia, ascending; NaN if it is not finite."""
    xx, xy, xz, yy, yz, zz = inertia[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]].tolist()
    return np.array(symmetric_eigenvalues(xx, xy, xz, yy, yz, zz))


@dataclass(frozen=True, eq=False)
class RigidInertia:
    """Mass [kg], centre of mass (3,) [m] and inertia (3, 3) about it [kg m²], in one frame."""

    mass: float
    com: Array
    inertia: Array

    def transformed(self, X_WB: Array) -> RigidInertia:
        """This body, given in B, with the axes and origin of W."""
        R_WB = X_WB[:3, :3]
        com = R_WB @ self.com + X_WB[:3, 3]
        return RigidInertia(self.mass, com, rotate_inertia(self.inertia, R_WB))

    def scaled(self, factor: float) -> RigidInertia:
        """The same body, `factor` times as heavy."""
        return RigidInertia(self.mass * factor, self.com, self.inertia * factor)

    def about(self, point: Array) -> Array:
        """The inertia (3, 3) about `point` (3,), by the parallel axis theorem."""
        return self.inertia + self.mass * _parallel_axis(self.com - point)

    @staticmethod
    def combined(parts: Iterable[RigidInertia]) -> RigidInertia:
        """Several bodies, given in one frame, welded together.

        A total mass of zero leaves the centre of mass undetermined; it is then the origin.
        """
        bodies = list(parts)
        mass = math.fsum(body.mass for body in bodies)
        com = np.zeros(3)
        if mass != 0.0:
            com = sum((body.mass / mass * body.com for body in bodies), start=com)
        inertia = sum((body.about(com) for body in bodies), start=np.zeros((3, 3)))
        return RigidInertia(mass, com, inertia)


def _parallel_axis(offset: Array) -> Array:
    """|d|² 1 - d dᵀ: the inertia of a unit point mass at `offset` (3,)."""
    tensor: Array = (offset @ offset) * np.eye(3) - np.outer(offset, offset)
    return tensor


def _floats(values: Numbers) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _finite_or_nan(value: float) -> float:
    return float(value) if math.isfinite(value) else math.nan


def _unit(values: Numbers) -> tuple[float, ...]:
    """`values` scaled to length one, all NaN when they have no direction."""
    numbers = _floats(values)
    largest = max(abs(number) for number in numbers)
    if not math.isfinite(largest) or largest == 0.0:
        return (math.nan,) * len(numbers)
    scaled = tuple(number / largest for number in numbers)
    length = math.hypot(*scaled)
    return tuple(number / length for number in scaled)


def _product(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, float, float, float]:
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
