"""Actuators, constraints, keyframes and options as read, compared with MuJoCo's."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from phyzctl.robot.mechanism import EqualityKind, Gain, TransmissionKind
from phyzctl.robot.robot import Robot
from tests.formats.mjcf.comparing import Differences, close, filled, padded, same

_TRANSMISSIONS = {
    TransmissionKind.JOINT: mujoco.mjtTrn.mjTRN_JOINT,
    TransmissionKind.JOINT_IN_PARENT: mujoco.mjtTrn.mjTRN_JOINTINPARENT,
    TransmissionKind.TENDON: mujoco.mjtTrn.mjTRN_TENDON,
    TransmissionKind.SITE: mujoco.mjtTrn.mjTRN_SITE,
    TransmissionKind.BODY: mujoco.mjtTrn.mjTRN_BODY,
    TransmissionKind.SLIDER_CRANK: mujoco.mjtTrn.mjTRN_SLIDERCRANK,
}
_GAINS = {Gain.FIXED: 0, Gain.AFFINE: 1, Gain.MUSCLE: 2}
_BIASES = {Gain.NONE: 0, Gain.AFFINE: 1, Gain.MUSCLE: 2}
_DYNAMICS = ["none", "integrator", "filter", "filterexact", "muscle"]
_EQUALITIES = [EqualityKind.CONNECT, EqualityKind.WELD, EqualityKind.JOINT, EqualityKind.TENDON]


def actuators(robot: Robot, model: Any) -> Differences:
    """Targets, gears, ranges and laws."""
    for index, actuator in enumerate(robot.actuators):
        what = f"actuator {index} {actuator.name or ''}"
        trntype = model.actuator_trntype[index]
        yield from same(f"{what} target", int(_TRANSMISSIONS[actuator.transmission]), trntype)
        yield from close(f"{what} gear", actuator.gear, model.actuator_gear[index])
        for name, bounds in (
            ("force", actuator.force_range),
            ("ctrl", None if actuator.inherit_range else actuator.ctrl_range),
            ("act", None if actuator.inherit_range else actuator.act_range),
        ):
            limited = bool(getattr(model, f"actuator_{name}limited")[index])
            if not (actuator.inherit_range and name != "force"):
                yield from same(f"{what} {name}limited", bounds is not None, limited)
            if bounds is not None:
                theirs = getattr(model, f"actuator_{name}range")[index]
                yield from close(f"{what} {name}range", bounds, theirs)
        if actuator.gain is not Gain.USER:
            yield from _law(what, actuator, model, index)


def _law(what: str, actuator: Any, model: Any, index: int) -> Differences:
    yield from same(f"{what} gain", _GAINS[actuator.gain], model.actuator_gaintype[index])
    yield from same(f"{what} bias", _BIASES[actuator.bias], model.actuator_biastype[index])
    dynamics = _DYNAMICS.index(actuator.dynamics.value)
    yield from same(f"{what} dyn", dynamics, model.actuator_dyntype[index])
    muscle = actuator.gain is Gain.MUSCLE
    count = 9 if muscle else 3
    gain, bias = model.actuator_gainprm[index][:count], model.actuator_biasprm[index][:count].copy()
    mine = padded(actuator.gain_parameters, count)
    if muscle and mine[2] < 0:  # MuJoCo works the force out from the scale
        gain, bias, mine = np.delete(gain, 2), np.delete(bias, 2), np.delete(mine, 2)
    yield from close(f"{what} gainprm", mine, gain)
    mine = padded(actuator.bias_parameters, count)
    if muscle and mine[2] < 0:
        mine = np.delete(mine, 2)
    if actuator.damping_ratio is not None:
        mine[2] = bias[2] = 0.0
    if actuator.bias is not Gain.NONE:
        yield from close(f"{what} biasprm", mine, bias)
    if dynamics:
        theirs = model.actuator_dynprm[index][:3]
        yield from close(f"{what} dynprm", padded(actuator.dynamics_parameters, 3), theirs)


def equalities(robot: Robot, model: Any) -> Differences:
    """Kinds, parameters and polynomials."""
    for index, equality in enumerate(robot.equalities):
        what = f"equality {index}"
        yield from same(f"{what} kind", _EQUALITIES.index(equality.kind), model.eq_type[index])
        yield from same(f"{what} active", equality.active, bool(model.eq_active0[index]))
        solref = filled(equality.solref, (0.02, 1.0))
        yield from close(f"{what} solref", solref, model.eq_solref[index])
        solimp = filled(equality.solimp, (0.9, 0.95, 0.001, 0.5, 2.0))
        yield from close(f"{what} solimp", solimp, model.eq_solimp[index])
        if equality.kind in (EqualityKind.JOINT, EqualityKind.TENDON):
            polynomial = filled(equality.polynomial, (0.0, 1.0, 0.0, 0.0, 0.0))
            yield from close(f"{what} polycoef", polynomial, model.eq_data[index][:5])


def tendons(robot: Robot, model: Any) -> Differences:
    """Paths, ranges and what resists."""
    for index, tendon in enumerate(robot.tendons):
        what = f"tendon {index} {tendon.name or ''}"
        yield from same(f"{what} path", len(tendon.path), model.tendon_num[index])
        limited = bool(model.tendon_limited[index])
        yield from same(f"{what} limited", tendon.range is not None, limited)
        if tendon.range is not None:
            yield from close(f"{what} range", tendon.range, model.tendon_range[index])
        for name, theirs in (
            ("stiffness", model.tendon_stiffness),
            ("damping", model.tendon_damping),
            ("friction", model.tendon_frictionloss),
            ("margin", model.tendon_margin),
            ("armature", model.tendon_armature),
        ):
            mine = getattr(tendon, name) or 0.0
            yield from close(f"{what} {name}", mine, np.ravel(theirs[index])[0])
        coefficients = [step.coefficient for step in tendon.path]
        if not tendon.spatial:
            start = model.tendon_adr[index]
            theirs = model.wrap_prm[start : start + len(coefficients)]
            yield from close(f"{what} coefficients", sorted(coefficients), sorted(theirs))


def contacts(robot: Robot, model: Any) -> Differences:
    """Pairs of bodies left out."""
    numbers = {link.name: index for index, link in enumerate(robot)}
    mine = sorted(
        tuple(sorted((numbers[exclude.first], numbers[exclude.second])))
        for exclude in robot.excludes
    )
    theirs = sorted(
        tuple(sorted((int(pair) >> 16, int(pair) & 0xFFFF))) for pair in model.exclude_signature
    )
    yield from same("excludes", mine, theirs)


def keyframes(robot: Robot, model: Any) -> Differences:
    """Vectors that are stated whole."""
    for index, key in enumerate(robot.keyframes):
        for name in ("qpos", "qvel", "act", "ctrl"):
            mine, theirs = getattr(key, name), getattr(model, f"key_{name}")[index]
            if mine is not None and len(mine) == len(theirs) and name != "qpos":
                yield from close(f"keyframe {index} {name}", mine, theirs)
        if key.qpos is not None and len(key.qpos) == model.nq:
            q = np.array(key.qpos)
            mujoco.mj_normalizeQuat(model, q)
            yield from close(f"keyframe {index} qpos", q, model.key_qpos[index])


def option(robot: Robot, model: Any) -> Differences:
    """What is stated."""
    option = robot.option
    for name in ("timestep", "impratio", "density", "viscosity", "gravity", "wind", "tolerance"):
        mine = getattr(option, name)
        if mine is not None:
            yield from close(f"option {name}", mine, getattr(model.opt, name))
    integrators = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
    if option.integrator in integrators:
        yield from same("integrator", integrators[option.integrator], model.opt.integrator)
    cone = {None: 0, "pyramidal": 0, "elliptic": 1}[option.cone]
    yield from same("cone", cone, model.opt.cone)
