"""A Model's limits, dry friction and equalities for the native kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phyzctl import native
from phyzctl.issues import Finding
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.constraint import Equality
from phyzctl.model.followers import unfollowed
from phyzctl.model.joint import UNBOUNDED, Joint
from phyzctl.robot.elements import JointSolver
from phyzctl.robot.mechanism import EqualityKind, Option, Tendon
from phyzctl.spatial import Array, quat_from_rotation

_SOLREF = (0.02, 1.0)
_SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)
_KINDS = {
    EqualityKind.CONNECT: 0,
    EqualityKind.WELD: 1,
    EqualityKind.JOINT: 2,
    EqualityKind.TENDON: 3,
}
_UNHEEDED = {
    "@actuatorgroupdisable": "actuators are not disabled by group; they pull",
}
_UNHEEDED_FLAGS = {
    "sleep": "nothing sleeps; what is at rest is computed like all else",
    "ipc": "the barrier of flexible bodies (ipc) is not computed",
}
_NOSLIP = 1e-6  # MuJoCo's tolerance where none is written
_FRAME = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def make_constraints(model: CompiledModel, dynamics: native.Dynamics) -> native.Constraints:
    """The kernel's copy of what holds the Model, contacts apart."""
    return native.Constraints(dynamics, **constraint_arrays(model))


def constraint_arrays(model: CompiledModel) -> dict[str, Any]:
    """The arguments of `native.Constraints`, by name."""
    option, joints = model.robot.option, model.joints
    flags = dict(option.flags)
    on = flags.get("constraint", True)
    limits = on and flags.get("limit", True)
    friction = 1.0 if on and flags.get("frictionloss", True) else 0.0
    tendons = [tendon.element for tendon in model.tendons]
    losses = [friction * joint.friction for joint in joints for _ in range(joint.nv)]
    targets, equalities = _equalities(model) if on and flags.get("equality", True) else ([], [])
    default_cone = "pyramidal" if model.contact_rules == "mujoco" else "elliptic"
    return {
        "joint_limits": _rows([_joint_limit(joint, limited=limits) for joint in joints], 10),
        "joint_friction": _rows([_joint_softness(joint) for joint in joints], 7),
        "dof_friction": np.array(losses, dtype=np.float64),
        "tendon_limits": _rows([_tendon_limit(each, limited=limits) for each in tendons], 10),
        "tendon_friction": _rows([_tendon_friction(each, friction) for each in tendons], 8),
        "equality_target": np.array(targets, dtype=np.int32).reshape(-1, 3),
        "equalities": _rows(equalities, 22),
        "q_reference": np.array(model.arrays.q_reference),
        "cone": option.cone or default_cone,
        "impratio": 1.0 if option.impratio is None else option.impratio,
        "refsafe": flags.get("refsafe", True),
        "diagexact": flags.get("diagexact", False),
        "noslip": _noslip(option),
    }


def _noslip(option: Option) -> tuple[int, float]:
    tolerance = _NOSLIP if option.noslip_tolerance is None else option.noslip_tolerance
    return max(0, option.noslip_iterations or 0), tolerance


def unheld(model: CompiledModel) -> Iterator[Finding]:
    """What the kernel's constraints leave out, and what follows."""
    yield from unfollowed(model)
    option = model.robot.option
    for extension in option.extensions:
        if extension.tag in _UNHEEDED and extension.text.strip() not in ("", "0"):
            yield Finding(option, _UNHEEDED[extension.tag])
    for name, message in _UNHEEDED_FLAGS.items():
        if dict(option.flags).get(name, False):
            yield Finding(option, message)


def _rows(values: Sequence[Any], width: int) -> Array:
    return np.array(values, dtype=np.float64).reshape(len(values), width)


def _softness(solref: Sequence[float] | None, solimp: Sequence[float] | None) -> tuple[float, ...]:
    """Both, completed by MuJoCo's defaults."""
    stated = (tuple(solref or ()), tuple(solimp or ()))
    return tuple(
        number
        for written, default in zip(stated, (_SOLREF, _SOLIMP), strict=True)
        for number in (*written, *default[len(written) :])
    )


def _solver(joint: Joint) -> JointSolver:
    return (joint.element.solver if joint.element else None) or JointSolver()


def _joint_limit(joint: Joint, *, limited: bool) -> tuple[float, ...]:
    solver, span = _solver(joint), joint.range if limited else UNBOUNDED
    return (*span, solver.margin or 0.0, *_softness(solver.solref_limit, solver.solimp_limit))


def _joint_softness(joint: Joint) -> tuple[float, ...]:
    solver = _solver(joint)
    return _softness(solver.solref_friction, solver.solimp_friction)


def _tendon_limit(tendon: Tendon, *, limited: bool) -> tuple[float, ...]:
    span = tendon.range if limited and tendon.range is not None else UNBOUNDED
    return (*span, tendon.margin or 0.0, *_softness(tendon.solref_limit, tendon.solimp_limit))


def _tendon_friction(tendon: Tendon, share: float) -> tuple[float, ...]:
    softness = _softness(tendon.solref_friction, tendon.solimp_friction)
    return (share * (tendon.friction or 0.0), *softness)


def _equalities(model: CompiledModel) -> tuple[list[tuple[int, int, int]], list[tuple[float, ...]]]:
    """Targets and numbers."""
    X_WB = model.kinematics(model.arrays.q_reference).bodies
    targets, numbers = [], []
    for equality in model.equalities:
        written = equality.element
        second = -1 if equality.second is None else equality.second
        first = equality.first
        if equality.kind in (EqualityKind.CONNECT, EqualityKind.WELD):
            frames = _site_frames if equality.objects == "site" else _body_frames
            first, second, own = frames(model, equality, X_WB)
        else:
            own = _padded(tuple(written.polynomial or ()), (0.0, 1.0, 0.0, 0.0, 0.0))
        targets.append((_KINDS[equality.kind], first, second))
        numbers.append((*own, *_softness(written.solref, written.solimp)))
    return targets, numbers


def _padded(written: tuple[float, ...], default: tuple[float, ...]) -> tuple[float, ...]:
    """A polynomial in the place of the frames."""
    return (*written[:5], *default[len(written) :], *(0.0,) * 10)


def _site_frames(
    model: CompiledModel, equality: Equality, X_WB: Array
) -> tuple[int, int, tuple[float, ...]]:
    del X_WB
    assert equality.second is not None
    sites = [model.sites[equality.first], model.sites[equality.second]]
    scale = equality.element.torque_scale
    frames = (*_pose(sites[0].X_BS), *_pose(sites[1].X_BS), 1.0 if scale is None else scale)
    return sites[0].body, sites[1].body, frames


def _body_frames(
    model: CompiledModel, equality: Equality, X_WB: Array
) -> tuple[int, int, tuple[float, ...]]:
    """A connect's anchor is on its first body, a weld's on its second."""
    del model
    written = equality.element
    first, second = equality.first, -1 if equality.second is None else equality.second
    X_WA, X_WC = (np.eye(4) if body < 0 else X_WB[body] for body in (first, second))
    anchor = np.eye(4)
    anchor[:3, 3] = written.anchor or (0.0, 0.0, 0.0)
    if equality.kind is EqualityKind.CONNECT:
        at_second = np.linalg.inv(X_WC) @ X_WA @ anchor
        frames = (*_pose(anchor)[:3], *_FRAME[3:], *at_second[:3, 3].tolist(), *_FRAME[3:], 1.0)
        return first, second, frames
    relpose = written.relpose or ()
    if any(relpose[3:]):
        at_first = (*relpose, *_FRAME[len(relpose) :])
    else:
        at_first = _pose(np.linalg.inv(X_WA) @ X_WC @ anchor)
    scale = 1.0 if written.torque_scale is None else written.torque_scale
    return first, second, (*at_first, *_pose(anchor), scale)


def _pose(X: Array) -> tuple[float, ...]:
    return (*X[:3, 3].tolist(), *quat_from_rotation(X[:3, :3]).tolist())
