"""The compiled Model of a file, compared with MuJoCo's, number by number.

Yields sentences about what differs: sizes; ranges, gains, biases, gears; place in the tree, mass,
centre and inertia of every body; world poses of bodies and geoms at the reference, at each
keyframe and at random configurations; keyframes, which bodies may collide, forces of actuators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.robot.mechanism import Activation, Gain
from phyzctl.spatial import Array, inverse, pose
from tests.formats.mjcf.compiled_laws import law_differences

TOLERANCE = 1e-9
MESH_TOLERANCE = 1e-6
CONFIGURATIONS = 20

Differences = Iterator[str]


def differences(model: Model, theirs: Any) -> Differences:
    """All that differs; sizes alone when these do."""
    sized = list(_sizes(model, theirs))
    yield from sized
    if not sized:
        yield from _joints(model, theirs)
        yield from _actuators(model, theirs)
        yield from _excludes(model, theirs)
        yield from _bodies(model, theirs)
        yield from _poses(model, theirs)
        yield from law_differences(model, theirs)


def _sizes(model: Model, theirs: Any) -> Differences:
    mine = {
        "nq": model.nq,
        "nv": model.nv,
        "nbody": model.nbodies() + 1,
        "njnt": len(_moving(model)),
        "ngeom": model.ngeom,
        "nu": model.nu(),
        "neq": model.neq,
        "ntendon": model.ntendon,
        "nkey": model.nkey,
        "nsite": len(model.sites),
    }
    if not theirs.nplugin:  # plugins have states of their own
        mine["na"] = model.na
    for name, count in mine.items():
        if count != getattr(theirs, name):
            yield f"{name} is {count}, not {getattr(theirs, name)}"


def _moving(model: Model) -> list[Any]:
    return [joint for joint in model.joints if joint.type is not JointType.FIXED]


def _joints(model: Model, theirs: Any) -> Differences:
    for index, joint in enumerate(_moving(model)):
        what = f"joint {joint.name}"
        if int(joint.type) != theirs.jnt_type[index]:
            yield f"{what} is {joint.type}, not {theirs.jnt_type[index]}"
            continue
        limited = bool(theirs.jnt_limited[index])
        if limited != bool(np.isfinite(joint.range[1])):
            yield f"{what} is limited to {joint.range}, MuJoCo: {limited}"
        elif limited:
            yield from _near(f"{what} range", joint.range, theirs.jnt_range[index])
        dof = theirs.jnt_dofadr[index]
        yield from _near(f"{what} friction", joint.friction, theirs.dof_frictionloss[dof])
        yield from _near(f"{what} damping", joint.damping, np.ravel(theirs.dof_damping[dof])[0])
        yield from _near(f"{what} armature", joint.armature, theirs.dof_armature[dof])
        stiffness = np.ravel(theirs.jnt_stiffness[index])[0]
        yield from _near(f"{what} stiffness", joint.stiffness, stiffness)


def _actuators(model: Model, theirs: Any) -> Differences:
    for index, actuator in enumerate(model.actuators):
        what = f"actuator {index} {actuator.name}"
        yield from _near(f"{what} gear", actuator.gear, theirs.actuator_gear[index])
        for kind, bounds in (
            ("ctrl", actuator.ctrl_range),
            ("force", actuator.force_range),
            ("act", actuator.act_range),
        ):
            limited = bool(getattr(theirs, f"actuator_{kind}limited")[index])
            if limited != bool(np.isfinite(bounds[1])):
                yield f"{what} {kind} is limited to {bounds}, MuJoCo: {limited}"
            elif limited:
                range_ = getattr(theirs, f"actuator_{kind}range")[index]
                yield from _near(f"{what} {kind}range", bounds, range_)
        if actuator.affine:
            gain, bias = theirs.actuator_gainprm[index][:3], theirs.actuator_biasprm[index][:3]
            affine = actuator.element is not None and actuator.element.gain is Gain.AFFINE
            count = 3 if affine else 1
            yield from _near(f"{what} gain", actuator.gain[:count], gain[:count])
            if theirs.actuator_biastype[index] != mujoco.mjtBias.mjBIAS_NONE:
                yield from _near(f"{what} bias", actuator.bias, bias)
        if actuator.dynamics is not Activation.NONE:
            mine = actuator.dynamics_parameters
            yield from _near(f"{what} dyn", mine, theirs.actuator_dynprm[index][: len(mine)])


def _excludes(model: Model, theirs: Any) -> Differences:
    mine = {tuple(sorted((i + 1, j + 1))) for i, j in model.contact_exclude}
    pairs = {tuple(sorted((int(s) >> 16, int(s) & 0xFFFF))) for s in theirs.exclude_signature}
    if mine != pairs:
        yield f"excludes differ: {mine ^ pairs}"


def _bodies(model: Model, theirs: Any) -> Differences:
    for index, body in enumerate(model.bodies):
        number = index + 1
        named = theirs.body(number).name
        if named not in ("", body.name) or body.parent != theirs.body_parentid[number] - 1:
            yield f"body {number} is {body.name} on {body.parent}, not {named}"
        geoms = range(theirs.body_geomadr[number], theirs.body_geomadr[number] + len(body.geoms))
        meshed = body.link.inertial is None and any(theirs.geom_dataid[i] >= 0 for i in geoms)
        tolerance = MESH_TOLERANCE if meshed else TOLERANCE
        what = f"body {body.name}"
        yield from _near(f"{what} mass", body.mass, theirs.body_mass[number], tolerance)
        if theirs.body_mass[number] == 0.0:
            continue  # a centre of nothing: MuJoCo then repeats the body's own place
        size = np.abs(theirs.body_ipos[number]).max() + 1e-3
        yield from _near(f"{what} com", body.com, theirs.body_ipos[number], tolerance, size)
        R = pose(quat=theirs.body_iquat[number])[:3, :3]
        inertia = R @ np.diag(theirs.body_inertia[number]) @ R.T
        scale = np.abs(inertia).max() + 1e-300
        yield from _near(f"{what} inertia", body.inertia, inertia, tolerance, scale)


def _poses(model: Model, theirs: Any) -> Differences:
    data = mujoco.MjData(theirs)
    for name, q in _configurations(theirs):
        data.qpos[:] = q
        mujoco.mj_kinematics(theirs, data)
        placed = model.kinematics(q)
        bodies, geoms = placed.bodies, placed.geoms
        for index, body in enumerate(model.bodies):
            X_WB = _pose(data.xpos[index + 1], data.xmat[index + 1])
            yield from _placed(f"body {body.name} at {name}", bodies[index], X_WB, TOLERANCE)
        for index, geom in enumerate(model.geoms):
            # Not geom_xmat: MuJoCo snaps a geom to its body's inertial frame when it is near.
            body = theirs.geom_bodyid[index]
            X_WB = _pose(data.xpos[body], data.xmat[body])
            X_WG = X_WB @ pose(theirs.geom_pos[index], quat=theirs.geom_quat[index])
            what = f"geom {index} {geom.name} at {name}"
            mesh = theirs.geom_dataid[index]
            if geom.element.fit_mesh is not None:
                fitted = _Solid(geoms[index], geom.size)
                yield from _fills_the_same(what, fitted, _Solid(X_WG, theirs.geom_size[index]))
                continue
            if theirs.geom_type[index] == mujoco.mjtGeom.mjGEOM_MESH:
                # MuJoCo moves a mesh to its principal axes, and the geom with it.
                X_WG = X_WG @ inverse(pose(theirs.mesh_pos[mesh], quat=theirs.mesh_quat[mesh]))
            tolerance = MESH_TOLERANCE if mesh >= 0 else TOLERANCE
            yield from _placed(what, geoms[index], X_WG, tolerance)


@dataclass(frozen=True)
class _Solid:
    """A primitive: its pose, and its sizes along its axes."""

    X_WG: Array
    size: Any

    @property
    def stretch(self) -> Array:
        """The tensor of its squared sizes: the same for axes that can't be told apart."""
        R = self.X_WG[:3, :3]
        stretch: Array = R @ np.diag(np.square(self.size)) @ R.T
        return stretch


def _fills_the_same(what: str, mine: _Solid, theirs: _Solid) -> Differences:
    """A primitive fitted to a mesh: principal axes have no sign, and may have no direction."""
    tolerance = MESH_TOLERANCE
    yield from _near(f"{what} size", sorted(mine.size), sorted(theirs.size), tolerance)
    place = theirs.X_WG[:3, 3]
    scale = 1.0 + np.abs(place).max()
    yield from _near(f"{what} place", mine.X_WG[:3, 3], place, tolerance, scale)
    scale = float(np.square(theirs.size).max())
    yield from _near(f"{what} axes", mine.stretch, theirs.stretch, tolerance, scale)


def _configurations(theirs: Any) -> Iterator[tuple[str, Array]]:
    yield "reference", theirs.qpos0.copy()
    for index in range(theirs.nkey):
        yield f"keyframe {index}", theirs.key_qpos[index].copy()
    random = np.random.default_rng(7)
    for number in range(CONFIGURATIONS):
        q = theirs.qpos0.copy()
        mujoco.mj_integratePos(theirs, q, random.normal(size=theirs.nv), 1.0)
        yield f"random {number}", q


def _pose(position: Array, rotation: Array) -> Array:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation.reshape(3, 3), position
    return X


def _placed(what: str, mine: Array, theirs: Array, tolerance: float) -> Differences:
    scale = 1.0 + np.abs(theirs[:3, 3]).max()
    yield from _near(f"{what} place", mine[:3, 3], theirs[:3, 3], tolerance, scale)
    yield from _near(f"{what} turn", mine[:3, :3], theirs[:3, :3], tolerance, 1.0)


def _near(
    what: str, mine: Any, theirs: Any, tolerance: float = TOLERANCE, scale: float | None = None
) -> Differences:
    mine, theirs = np.asarray(mine, dtype=float), np.asarray(theirs, dtype=float)
    size = np.abs(theirs).max(initial=1e-12) if scale is None else scale
    worst = np.abs(mine - theirs).max(initial=0.0)
    if not worst <= tolerance * size:
        yield f"{what} is {mine.tolist()}, not {theirs.tolist()} (off by {worst / size:.1e})"
