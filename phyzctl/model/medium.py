"""The medium that bodies move through: MJCF's density, viscosity and wind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phyzctl.issues import Finding
from phyzctl.model.body import Body
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.passes.values import pose_of
from phyzctl.robot.mechanism import Option
from phyzctl.spatial import Array, quat_from_rotation

_NEAR = 1e-3  # where a series to the fifth power is exact
_COEFFICIENTS = (0.5, 0.25, 1.5, 1.0, 1.0)  # blunt, slender and angular drag, Kutta, Magnus
_DIAGONAL = 1e-12  # of the largest moment: what a diagonal tensor may have beside it


def medium_numbers(option: Option, *, passive: bool) -> Array:
    """Density [kg/m³], viscosity [Pa s] and wind (3,) [m/s]: (5,); none without passive forces."""
    density, viscosity = max(0.0, option.density or 0.0), max(0.0, option.viscosity or 0.0)
    return passive * np.array([density, viscosity, *(option.wind or (0.0, 0.0, 0.0))])


def principal_turns(bodies: Sequence[Body]) -> Array:
    """Per body the turn of its principal axes (nbody, 4), w x y z, in its frame.

    Where two moments are equal many axes will do: those that were written, else those of the only
    geom, else the body's own, as MuJoCo takes them.
    """
    turns = [quat_from_rotation(_principal_axes(body)) for body in bodies]
    return np.array(turns, dtype=np.float64).reshape(-1, 4)


def _principal_axes(body: Body) -> Array:
    if not np.isfinite(body.inertia).all():
        return np.eye(3)
    for axes in _candidates(body):
        seen = axes.T @ body.inertia @ axes
        if np.abs(seen - np.diag(np.diag(seen))).max() <= _DIAGONAL * np.abs(seen).max():
            return axes
    found: Array = np.linalg.eigh(body.inertia)[1]
    return found * float(np.sign(np.linalg.det(found)))


def _candidates(body: Body) -> Iterator[Array]:
    if body.link.inertial is not None:
        yield pose_of(body.link.inertial)[:3, :3]
    elif len(body.geoms) == 1:
        yield body.geoms[0].X_BG[:3, :3]
    yield np.eye(3)


def fluid_shapes(model: CompiledModel) -> dict[str, Any]:
    """`shape_body` (n,) and `shapes` (n, 21): geoms of bodies that a medium takes as ellipsoids."""
    shaped = [geom for geom in model.geoms if _axes(geom) is not None]
    rows = [_shape(geom, axes) for geom in shaped if (axes := _axes(geom)) is not None]
    return {
        "shape_body": np.array([geom.body for geom in shaped], np.int32),
        "shapes": np.array(rows, np.float64).reshape(-1, 21),
    }


def unshaped(model: CompiledModel) -> Iterator[Finding]:
    """Geoms whose own shape should be dragged and is not, where there is a medium."""
    if not medium_numbers(model.robot.option, passive=True)[:2].any():
        return
    for geom in model.geoms:
        if geom.element.fluid_ellipsoid and geom.body >= 0 and _axes(geom) is None:
            message = "forces of the medium on a mesh's own shape (fluidshape) are not computed"
            yield Finding(geom.element, message)


def _axes(geom: Geom) -> tuple[float, float, float] | None:
    """Half of each axis [m] of the ellipsoid that stands for a geom, if there is to be one."""
    if not geom.element.fluid_ellipsoid or geom.body < 0:
        return None
    x, y, z = (float(length) for length in geom.size)
    return {
        GeomType.SPHERE: (x, x, x),
        GeomType.CAPSULE: (x, x, x + y),
        GeomType.CYLINDER: (x, x, y),
        GeomType.BOX: (x, y, z),
        GeomType.ELLIPSOID: (x, y, z),
    }.get(geom.type)


def _shape(geom: Geom, axes: tuple[float, float, float]) -> tuple[float, ...]:
    stated = tuple(geom.element.fluid_coefficients or ())
    X_BG = geom.X_BG
    return (
        *X_BG[:3, 3].tolist(),
        *quat_from_rotation(X_BG[:3, :3]).tolist(),
        *axes,
        *stated,
        *_COEFFICIENTS[len(stated) :],
        *added_inertia(axes),
    )


def added_inertia(axes: tuple[float, float, float]) -> tuple[float, ...]:
    """Mass along, and moments about, the axes of what an ellipsoid moves, over the density.

    Tuckerman's, "Inertia factors of ellipsoids for use in airship design" (1925): MuJoCo's too,
    which integrates the factors by a rule good to 1e-6.
    """
    x, y, z = axes
    volume = 4.0 / 3.0 * math.pi * x * y * z
    squares = [axis * axis for axis in axes]
    factors = [
        2.0 / 3.0 * x * y * z * _carlson(squares[i - 2], squares[i - 1], squares[i])
        for i in range(3)
    ]
    moments = []
    for i in range(3):
        (a, f), (b, g) = ((squares[k], factors[k]) for k in (i - 2, i - 1))
        if a == b:
            moments.append(0.0)
        else:
            ratio = (a - b) ** 2 * (g - f) / (2.0 * (a - b) + (a + b) * (f - g))
            moments.append(volume / 5.0 * ratio)
    return (*(volume * each / (2.0 - each) for each in factors), *moments)


def _carlson(x: float, y: float, z: float) -> float:
    """R_D, 3/2 of the integral of ((t + x) (t + y))^(-1/2) (t + z)^(-3/2) over all t > 0.

    By duplication: Carlson, "Numerical computation of real or complex elliptic integrals" (1995).
    """
    total, scale = 0.0, 1.0
    while True:
        mean = (x + y + 3.0 * z) / 5.0
        if max(abs(mean - each) for each in (x, y, z)) <= _NEAR * mean:
            break
        roots = [math.sqrt(each) for each in (x, y, z)]
        step = roots[0] * roots[1] + roots[0] * roots[2] + roots[1] * roots[2]
        total += scale / (roots[2] * (z + step))
        scale, x, y, z = 0.25 * scale, 0.25 * (x + step), 0.25 * (y + step), 0.25 * (z + step)
    X, Y, Z = ((mean - each) / mean for each in (x, y, z))
    E2, E3 = X * Y - 6.0 * Z * Z, (3.0 * X * Y - 8.0 * Z * Z) * Z
    E4, E5 = 3.0 * (X * Y - Z * Z) * Z * Z, X * Y * Z**3
    series = 1.0 - 3.0 / 14.0 * E2 + E3 / 6.0 + 9.0 / 88.0 * E2 * E2
    series += -3.0 / 22.0 * E4 - 9.0 / 52.0 * E2 * E3 + 3.0 / 26.0 * E5
    return 3.0 * total + scale * series / (mean * math.sqrt(mean))
