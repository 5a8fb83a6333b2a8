"""What `phyzctl info` tells of a robot, as plain values ready for JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from phyzctl.issues import Issue
from phyzctl.model.joint import Joint, JointType
from phyzctl.model.model import Model
from phyzctl.model.reach import reach
from phyzctl.robot.elements import Extension, GeomRole
from phyzctl.robot.robot import Robot

SCHEMA = "phyzctl.info/1"

_COUNTED = (
    "links",
    "joints",
    "materials",
    "meshes",
    "actuators",
    "transmissions",
    "equalities",
    "tendons",
    "keyframes",
    "sensors",
    "excludes",
    "pairs",
)
_ROLES = {GeomRole.VISUAL: "visual", GeomRole.COLLISION: "collision", GeomRole.BOTH: "geom"}
_UNITS = {JointType.HINGE: "rad", JointType.SLIDE: "m"}


def summarise(path: str, model: Model, issues: Iterable[Issue]) -> dict[str, Any]:
    """The summary of a compiled robot; `issues` are those of reading and compiling it."""
    robot = model.robot
    issues = list(issues)
    return {
        "schema": SCHEMA,
        "path": path,
        "name": robot.name,
        "format": robot.dialect,
        "version": robot.version,
        "counts": {name: len(getattr(robot, name)) for name in _COUNTED}
        | {"bodies": model.nbodies(), "geoms": model.ngeom},
        "mass": _finite(sum(body.mass for body in model.bodies)),
        "reach": _finite(reach(model)),
        "base": model.base,
        "root": robot.structure.root.name,
        "nq": model.nq,
        "nv": model.nv,
        "nu": model.nu(),
        "contact_rules": model.contact_rules,
        "gravity": [_finite(float(value)) for value in model.gravity],
        "dt": _finite(model.dt),
        "dofs": [_dof(index, model) for index, joint in enumerate(model.joints) if joint.nv],
        "features": dict(sorted(Counter(features(robot)).items())),
        "unsupported": [_told(issue) for issue in issues if issue.code.id.startswith("U")],
        "errors": sum(issue.fatal for issue in issues),
    }


def _dof(index: int, model: Model) -> dict[str, Any]:
    joint = model.joints[index]
    q, v = model.q_slice(index), model.v_slice(index)
    return {
        "joint": joint.name,
        "type": joint.type.name.lower(),
        "body": model.bodies[joint.body].name,
        "q": [q.start, q.stop],
        "v": [v.start, v.stop],
        "unit": _UNITS.get(joint.type),
        "lower": _finite(joint.range[0]),
        "upper": _finite(joint.range[1]),
        "effort": _finite(joint.force_range[1]),
        "velocity": _finite(joint.velocity),
        "mimic": _mimic(joint, model),
    }


def _mimic(joint: Joint, model: Model) -> dict[str, Any] | None:
    if joint.mimic is None:
        return None
    return {
        "joint": model.joints[joint.mimic.joint].name,
        "multiplier": _finite(joint.mimic.multiplier),
        "offset": _finite(joint.mimic.offset),
    }


def features(robot: Robot) -> Iterator[str]:
    """What the description makes use of, a word for each time."""
    for joint in robot.joints:
        yield f"{joint.kind.value} joint"
        parts = ("calibration", "dynamics", "mimic", "safety")
        yield from (part for part in parts if getattr(joint, part) is not None)
    for geom in (geom for link in robot.links for geom in link.geoms if geom.shape is not None):
        kind = type(geom.shape).__name__.removesuffix("Shape").lower()
        yield f"{_ROLES[geom.role]} {kind}"
    for mesh in robot.meshes:
        yield f"{PurePath(mesh.uri or '').suffix.lower() or 'other'} file"
    yield from (f"{equality.kind.value} equality" for equality in robot.equalities)
    yield from (f"<{extension.tag}> kept as written" for extension in _extensions(robot))


def _extensions(robot: Robot) -> Iterator[Extension]:
    """Every element that is kept as it is written."""
    yield from robot.extensions
    for link in robot.links:
        yield from link.extensions
        for geom in link.geoms:
            yield from geom.extensions
    for joint in robot.joints:
        yield from joint.extensions


def _told(issue: Issue) -> str:
    place = f"{issue.source}: " if issue.source else ""
    subject = f"{issue.subject}: " if issue.subject else ""
    return f"{place}{subject}{issue.message}"


def _finite(value: float) -> float | None:
    """The number, None for what is unbounded or no number."""
    return value if math.isfinite(value) else None
