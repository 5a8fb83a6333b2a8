"""The medium that bodies move through: MJCF's density, viscosity and wind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from phyzctl.issues import Finding
from phyzctl.model.body import Body
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.passes.values import pose_of
from phyzctl.robot.mechanism import Option
from phyzctl.spatial import Array, quat_from_rotation

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


def unshaped(model: CompiledModel) -> Iterator[Finding]:
    """Geoms whose own shape should be dragged, where there is a medium."""
    if not medium_numbers(model.robot.option, passive=True)[:2].any():
        return
    for geom in model.geoms:
        tags = {extension.tag: extension.text for extension in geom.element.extensions}
        if tags.get("@fluidshape") == "ellipsoid":
            message = "forces of the medium on its own shape (fluidshape) are not computed"
            yield Finding(geom.element, message)
