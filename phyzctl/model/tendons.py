"""Tendons for the native kernel: sums of joint positions, and paths through space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phyzctl.issues import Finding
from phyzctl.model.actuator import Tendon
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.passes.values import number
from phyzctl.robot.mechanism import TendonStep
from phyzctl.spatial import Array, quat_from_rotation

_SITE, _SPHERE, _CYLINDER, _PULLEY = range(4)
_WRAPPED = {GeomType.SPHERE: _SPHERE, GeomType.CYLINDER: _CYLINDER}
_NOWHERE = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
_NO_SIDE = -2

_Step = tuple[tuple[int, int, int], tuple[float, ...]]


def tendon_arrays(model: CompiledModel, *, springs: bool, dampers: bool) -> dict[str, Any]:
    """The arguments of `native.Dynamics` that say what tendons are."""
    tendons, joints = model.tendons, model.joints
    terms = [[(j, c) for j, c in tendon.terms if joints[j].nv == 1] for tendon in tendons]
    paths = [_path(model, tendon) or [] for tendon in tendons]
    every, steps = (
        [term for some in terms for term in some],
        [step for path in paths for step in path],
    )
    written = [tendon.element for tendon in tendons]
    return {
        "tendon_start": _starts(terms),
        "term_joint": np.array([joint for joint, _ in every], dtype=np.int32),
        "term_coefficient": _rows([coefficient for _, coefficient in every]),
        "step_start": _starts(paths),
        "step_body": np.array([bodies for bodies, _ in steps], dtype=np.int32).reshape(-1, 3),
        "step_frame": _rows([numbers for _, numbers in steps], 11),
        "tendon_stiffness": springs * _rows([tendon.stiffness or 0.0 for tendon in written]),
        "tendon_damping": dampers * _rows([tendon.damping or 0.0 for tendon in written]),
        "tendon_rest": _rows([_rest(tendon.spring_length) for tendon in written], 2),
        "tendon_force_range": _rows([tendon.force_range for tendon in tendons], 2),
    }


def pathless(model: CompiledModel) -> Iterator[Finding]:
    """Paths that lead nowhere: from no site to none, or around what no string goes around."""
    for tendon in model.tendons:
        if tendon.element.spatial and _path(model, tendon) is None:
            message = "its path from site to site, around spheres and cylinders, is broken"
            yield Finding(tendon.element, message)


def _starts(parts: Sequence[Sequence[Any]]) -> Any:
    return np.cumsum([0, *(len(part) for part in parts)], dtype=np.int32)


def _rows(values: Sequence[Any], *row: int) -> Array:
    return np.array(values, dtype=np.float64).reshape(len(values), *row)


def _rest(stated: Sequence[float] | None) -> tuple[float, float]:
    """Between which lengths the spring is slack; -1 stands for its length where joints rest."""
    numbers = [*(stated or (-1.0,))]
    return numbers[0], numbers[-1]


def _path(model: CompiledModel, tendon: Tendon) -> list[_Step] | None:
    """The steps of a spatial tendon; None where they make no path."""
    if not tendon.element.spatial:
        return []
    steps = [_step(model, step) for step in tendon.element.path]
    kinds = [_PULLEY, *(step[0][0] for step in steps if step is not None), _PULLEY]
    for before, kind, after in zip(kinds, kinds[1:], kinds[2:], strict=False):
        if kind in (_SPHERE, _CYLINDER) and not before == after == _SITE:
            return None
        if kind == _SITE and before == after == _PULLEY:
            return None
    return None if None in steps else [step for step in steps if step is not None]


def _step(model: CompiledModel, step: TendonStep) -> _Step | None:
    if step.kind == "pulley":
        return (_PULLEY, -1, _NO_SIDE), (*_NOWHERE, number(step.divisor, 1.0), 0.0, 0.0, 0.0)
    if step.kind == "site":
        site = _named(model.sites, step.name)
        return site and ((_SITE, site.body, _NO_SIDE), (*_pose(site.X_BS), 0.0, 0.0, 0.0, 0.0))
    geom: Geom | None = _named(model.geoms, step.name)
    side = _named(model.sites, step.side_site)
    if geom is None or geom.type not in _WRAPPED or (step.side_site and side is None):
        return None
    bodies = (_WRAPPED[geom.type], geom.body, side.body if side else _NO_SIDE)
    point = side.X_BS[:3, 3].tolist() if side else (0.0, 0.0, 0.0)
    return bodies, (*_pose(geom.X_BG), float(geom.size[0]), *point)


def _named(items: Sequence[Any], name: str | None) -> Any:
    """The first of that name; None where there is none."""
    return next((item for item in items if name and item.name == name), None)


def _pose(X: Array) -> tuple[float, ...]:
    return (*X[:3, 3].tolist(), *quat_from_rotation(X[:3, :3]).tolist())
