"""What MuJoCo makes of a file, compared with the Robot that was read from it, value by value.

Each comparison yields sentences about what differs. Only what a reader decides is compared:
masses, mesh geoms and everything else that needs compiling is for other tests.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from phyzctl import formats
from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HeightfieldShape,
    MeshShape,
    Plane,
    Sphere,
)
from phyzctl.issues import Issue, Issues
from phyzctl.robot.elements import Geom, Joint, JointKind, JointSolver, Site
from phyzctl.robot.robot import Robot
from tests.formats.mjcf import mechanisms
from tests.formats.mjcf.comparing import Differences, close, filled, same, same_turn

JOINT_TYPES = {
    JointKind.FLOATING: mujoco.mjtJoint.mjJNT_FREE,
    JointKind.SPHERICAL: mujoco.mjtJoint.mjJNT_BALL,
    JointKind.PRISMATIC: mujoco.mjtJoint.mjJNT_SLIDE,
    JointKind.REVOLUTE: mujoco.mjtJoint.mjJNT_HINGE,
    JointKind.CONTINUOUS: mujoco.mjtJoint.mjJNT_HINGE,
}
_GEOM_TYPES = {
    Plane: mujoco.mjtGeom.mjGEOM_PLANE,
    HeightfieldShape: mujoco.mjtGeom.mjGEOM_HFIELD,
    Sphere: mujoco.mjtGeom.mjGEOM_SPHERE,
    Capsule: mujoco.mjtGeom.mjGEOM_CAPSULE,
    Ellipsoid: mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    Cylinder: mujoco.mjtGeom.mjGEOM_CYLINDER,
    Box: mujoco.mjtGeom.mjGEOM_BOX,
}


def read(path: Path) -> tuple[Robot, list[Issue]]:
    """The Robot in a file, and the Issues about it."""
    issues = Issues()
    robot = formats.read(str(path), issues).robot
    assert robot is not None
    return robot, list(issues)


def moving(robot: Robot) -> list[Joint]:
    """Joints in MuJoCo's order, fixed ones left out."""
    series = chain.from_iterable(robot.structure.inbound(link.name) for link in robot)
    return [joint for joint in series if joint.kind is not JointKind.FIXED]


def geoms(robot: Robot) -> list[Geom]:
    """Geoms in MuJoCo's order."""
    return [geom for link in robot for geom in link.geoms]


def sites(robot: Robot) -> list[Site]:
    """Sites in MuJoCo's order."""
    return [site for link in robot for site in link.sites]


def differences(robot: Robot, model: Any) -> Differences:
    """All that differs; counts alone when these differ."""
    counted = list(_counts(robot, model))
    yield from counted
    if not counted:
        for compare in _COMPARISONS:
            yield from compare(robot, model)


def _counts(robot: Robot, model: Any) -> Differences:
    mine = {
        "nbody": len(robot.links),
        "njnt": len(moving(robot)),
        "ngeom": len(geoms(robot)),
        "nsite": len(sites(robot)),
        "nmesh": len(robot.meshes),
        "nhfield": len(robot.heightfields),
        "nmat": len(robot.materials),
        "nu": len(robot.actuators),
        "neq": len(robot.equalities),
        "ntendon": len(robot.tendons),
        "nsensor": len(robot.sensors),
        "nkey": len(robot.keyframes),
        "nexclude": len(robot.excludes),
        "npair": len(robot.pairs),
        "nmocap": sum(link.mocap for link in robot.links),
    }
    for name, count in mine.items():
        if count != getattr(model, name):
            yield f"{name} is {count}, not {getattr(model, name)}"


def _bodies(robot: Robot, model: Any) -> Differences:
    for index, link in enumerate(robot):
        if link.name_stated:
            yield from same(f"body {index} name", link.name, model.body(index).name)
        joints = robot.structure.inbound(link.name)
        if joints:
            what = f"body {link.name}"
            yield from close(f"{what} pos", joints[0].xyz, model.body_pos[index])
            yield from same_turn(f"{what} quat", joints[0].quat, model.body_quat[index])
            parent = model.body(model.body_parentid[index])
            stated = robot.structure.link(joints[0].parent).name_stated
            if stated:
                yield from same(f"{what} parent", joints[0].parent, parent.name)
        yield from close(f"{link.name} gravcomp", link.gravcomp or 0, model.body_gravcomp[index])


def _joints(robot: Robot, model: Any) -> Differences:
    for index, joint in enumerate(moving(robot)):
        what = f"joint {joint.name}"
        kind = model.jnt_type[index]
        yield from same(f"{what} type", int(JOINT_TYPES[joint.kind]), kind)
        if joint.name_stated:
            yield from same(f"{what} name", joint.name, model.joint(index).name)
        if kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            yield from close(f"{what} axis", joint.axis, model.jnt_axis[index])
            q = model.jnt_qposadr[index]
            yield from close(f"{what} ref", joint.ref, model.qpos0[q])
            springref = joint.dynamics.springref if joint.dynamics else None
            yield from close(f"{what} springref", springref or 0, model.qpos_spring[q])
        if kind != mujoco.mjtJoint.mjJNT_FREE:
            yield from close(f"{what} pos", joint.anchor, model.jnt_pos[index])
        yield from _joint_limit(joint, model, index)
        yield from _joint_dynamics(joint, model, index)


def _joint_limit(joint: Joint, model: Any, index: int) -> Differences:
    limited = joint.limit.upper is not None and joint.kind is not JointKind.CONTINUOUS
    yield from same(f"joint {joint.name} limited", limited, bool(model.jnt_limited[index]))
    if limited:
        bounds = (joint.limit.lower, joint.limit.upper)
        yield from close(f"joint {joint.name} range", bounds, model.jnt_range[index])
    force = joint.actuator_force_range
    forced = bool(model.jnt_actfrclimited[index])
    yield from same(f"joint {joint.name} actuatorfrclimited", force is not None, forced)
    if force is not None:
        yield from close(f"joint {joint.name} frcrange", force, model.jnt_actfrcrange[index])


def _joint_dynamics(joint: Joint, model: Any, index: int) -> Differences:
    dof = model.jnt_dofadr[index]
    dynamics = joint.dynamics
    damped = dynamics is not None and dynamics.spring_damper is not None
    values = {
        "stiffness": (dynamics and dynamics.stiffness, model.jnt_stiffness[index]),
        "damping": (dynamics and dynamics.damping, model.dof_damping[dof]),
        "armature": (dynamics and dynamics.armature, model.dof_armature[dof]),
        "frictionloss": (dynamics and dynamics.friction, model.dof_frictionloss[dof]),
        "margin": (joint.solver and joint.solver.margin, model.jnt_margin[index]),
    }
    for name, (mine, theirs) in values.items():
        if not (damped and name in ("stiffness", "damping")):
            yield from close(f"joint {joint.name} {name}", mine or 0.0, np.ravel(theirs)[0])
    solver = joint.solver or JointSolver()
    solref = filled(solver.solref_limit, (0.02, 1.0))
    yield from close(f"joint {joint.name} solref", solref, model.jnt_solref[index])
    solimp = filled(solver.solimp_limit, (0.9, 0.95, 0.001, 0.5, 2.0))
    yield from close(f"joint {joint.name} solimp", solimp, model.jnt_solimp[index])


def _geoms(robot: Robot, model: Any) -> Differences:
    for index, geom in enumerate(geoms(robot)):
        what = f"geom {index} {geom.name or ''}"
        yield from same(f"{what} name", geom.name or "", model.geom(index).name)
        kind = model.geom_type[index]
        if isinstance(geom.shape, MeshShape):
            yield from same(f"{what} mesh", geom.shape.mesh, _mesh_name(model, index))
        else:
            yield from same(f"{what} type", int(_GEOM_TYPES[type(geom.shape)]), kind)
        if model.geom_dataid[index] < 0 and geom.fit_mesh is None:
            yield from close(f"{what} pos", geom.xyz, model.geom_pos[index])
            yield from same_turn(f"{what} quat", geom.quat, model.geom_quat[index])
            size = _half_sizes(geom.shape)
            yield from close(f"{what} size", size, model.geom_size[index][: len(size)])
        yield from _surface(what, geom, model, index)


def _mesh_name(model: Any, index: int) -> str:
    return str(model.mesh(model.geom_dataid[index]).name)


def _half_sizes(shape: Any) -> tuple[float, ...]:
    """The sizes that MuJoCo reads for the shape; what a file writes beyond has no meaning."""
    if isinstance(shape, Sphere):
        return (shape.radius or 0.0,)
    if isinstance(shape, Capsule | Cylinder):
        return (shape.radius or 0.0, (shape.length or 0.0) / 2)
    if isinstance(shape, Ellipsoid):
        return shape.radii or ()
    if isinstance(shape, Box):
        return tuple(side / 2 for side in shape.size or ())
    return shape.size or ()


def _surface(what: str, geom: Geom, model: Any, index: int) -> Differences:
    surface = geom.surface
    scalars = {
        "contype": 1,
        "conaffinity": 1,
        "condim": 3,
        "priority": 0,
        "solmix": 1.0,
        "margin": 0.0,
        "gap": 0.0,
    }
    for name, default in scalars.items():
        mine = getattr(surface, name) if surface else None
        theirs = getattr(model, f"geom_{name}")[index]
        yield from close(f"{what} {name}", default if mine is None else mine, theirs)
    arrays = {
        "friction": (1.0, 0.005, 0.0001),
        "solref": (0.02, 1.0),
        "solimp": (0.9, 0.95, 0.001, 0.5, 2.0),
    }
    for name, otherwise in arrays.items():
        mine = filled(getattr(surface, name) if surface else None, otherwise)
        yield from close(f"{what} {name}", mine, getattr(model, f"geom_{name}")[index])
    yield from same(f"{what} group", geom.group or 0, model.geom_group[index])


def _sites(robot: Robot, model: Any) -> Differences:
    for index, site in enumerate(sites(robot)):
        what = f"site {index} {site.name or ''}"
        yield from same(f"{what} name", site.name or "", model.site(index).name)
        yield from close(f"{what} pos", site.xyz, model.site_pos[index])
        yield from same_turn(f"{what} quat", site.quat, model.site_quat[index])


_COMPARISONS: tuple[Callable[[Robot, Any], Differences], ...] = (
    _bodies,
    _joints,
    _geoms,
    _sites,
    mechanisms.actuators,
    mechanisms.equalities,
    mechanisms.tendons,
    mechanisms.contacts,
    mechanisms.keyframes,
    mechanisms.option,
)
