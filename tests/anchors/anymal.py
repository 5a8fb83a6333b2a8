"""A quadruped with the masses and lengths of SimBenchmark's ANYmal, feet for its only shapes."""

from __future__ import annotations

import numpy as np

from phyzctl.spatial import Array

BASE = ("0 0 0", 21.39, "0.26839 0.88424 0.82916 0.00078 -0.01518 -0.00099")
# Of the left front leg: centre of mass [m], mass [kg], moments and products of inertia [kg m²].
HIP = (".0542 -.0136 0", 1.1064, ".001233 .000993 .001422 -6.43e-5 0 0")
THIGH = (".0008 .0545 -.1975", 1.51, ".014757 .014419 .001784 0 .000206 -.001813")
SHANK = (".016355 -.005622 -.064350", 0.318, ".003769 .004004 .000418 0 -.000152 -.000322")
FOOT = ("0 -.016 -.331", 0.1922685, "8.3e-5 8.3e-5 8.2e-5 0 0 0")
TO_HIP, TO_THIGH, TO_KNEE, TO_FOOT = (
    "{x}.2629 .115 0",
    ".0585 .0315 0",
    "0 .111 -.25",
    "0 -.016 -.31",
)
MASS = BASE[1] + 4.0 * (HIP[1] + THIGH[1] + SHANK[1] + FOOT[1])

# Abduction, flexion of hip and knee: left front, right front, left hind, right hind.
STANCE = np.array([[0.03, 0.4, -0.8], [-0.03, 0.4, -0.8], [0.03, -0.4, 0.8], [-0.03, -0.4, 0.8]])


def quadruped(*, option: str = "", world: str = "", actuators: str = "", feet: str = "") -> str:
    """The MJCF; `feet` are attributes of the balls at the ends of its legs."""
    legs = "".join(
        _leg(side, x, y, feet)
        for side, x, y in (("lf", 1, 1), ("rf", 1, -1), ("lh", -1, 1), ("rh", -1, -1))
    )
    return (
        f"<mujoco>{option}<worldbody>{world}<body name='base' pos='0 0 2'><freejoint/>"
        f"{_inertial(BASE, 1, 1)}<geom name='trunk' type='box' size='.2655 .116 .13' pos='0 0 .08' "
        f"contype='2' conaffinity='4'/>{legs}</body></worldbody>{actuators}</mujoco>"
    )


def start(height: float) -> Array:
    """The free base at that height [m], legs in their stance."""
    return np.concatenate([[0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0], STANCE.ravel()])


def _leg(side: str, x: int, y: int, feet: str) -> str:
    return (
        f"<body name='{side}_hip' pos='{_mirrored('.2629 .115 0', x, y)}'>"
        f"<joint name='{side}_haa' axis='1 0 0'/>{_inertial(HIP, x, y)}"
        f"<body name='{side}_thigh' pos='{_mirrored('.0585 .0315 0', x, y)}'>"
        f"<joint name='{side}_hfe' axis='0 1 0'/>{_inertial(THIGH, x, y)}"
        f"<body name='{side}_shank' pos='{_mirrored('0 .111 -.25', x, y)}'>"
        f"<joint name='{side}_kfe' axis='0 1 0'/>{_inertial(SHANK, x, y)}"
        f"<body name='{side}_foot'>{_inertial(FOOT, x, y)}"
        f"<geom size='.03' pos='{_mirrored('0 -.016 -.31', x, y)}' {feet}/>"
        "</body></body></body></body>"
    )


def _mirrored(vector: str, x: int, y: int) -> str:
    a, b, c = (float(each) for each in vector.split())
    return f"{x * a} {y * b} {c}"


def _inertial(part: tuple[str, float, str], x: int, y: int) -> str:
    centre, mass, tensor = part
    xx, yy, zz, xy, xz, yz = (float(each) for each in tensor.split())
    full = f"{xx} {yy} {zz} {x * y * xy} {x * xz} {y * yz}"
    return f"<inertial pos='{_mirrored(centre, x, y)}' mass='{mass}' fullinertia='{full}'/>"
