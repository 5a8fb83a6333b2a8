"""A robot, or whatever a robot file describes, as obstacles: a shelf, a machine, a second arm."""

from __future__ import annotations

from pathlib import Path

from phyzctl import codes
from phyzctl.errors import PhyzctlError
from phyzctl.formats import ReadOptions, read
from phyzctl.formats.tomltable import Table
from phyzctl.geometry.hull import ConvexHull
from phyzctl.geometry.shapes import HeightfieldShape, MeshShape
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.geom import Geom
from phyzctl.model.model import Model
from phyzctl.model.positions import configuration
from phyzctl.scene.items import Obstacle, SceneError, SceneShape
from phyzctl.scene.prepared import link_name
from phyzctl.spatial import Array, identity


def obstacles_of(
    model: Model, q: Array | None = None, X_W: Array | None = None, *, padding: float = 0.0
) -> list[Obstacle]:
    """The collision shapes of `model` in the configuration `q` (nq,), as obstacles.

    Without `q` it stands in its reference pose; `X_W` (4, 4) is where its world is put. Labels
    are links. Raises `SceneError` for a shape that can't be had.
    """
    poses = model.kinematics(model.arrays.q_reference if q is None else q).geoms
    where, hulls = identity() if X_W is None else X_W, model.hulls
    found = []
    for index, geom in enumerate(model.geoms):
        if geom.collides:
            link, number = link_name(model, geom.body), int(hulls.index[index])
            reason = hulls.missing.get(index, "it can't be read")
            shape = _shape(geom, hulls.hulls[number] if number >= 0 else None)
            if shape is None:
                raise SceneError(f"a shape of link {link!r} can't be an obstacle: {reason}")
            found.append(Obstacle(shape, where @ poses[index], padding, link))
    return found


def _shape(geom: Geom, hull: ConvexHull | None) -> SceneShape | None:
    match geom.shape:
        case MeshShape():
            return hull
        case None | HeightfieldShape():
            return None
        case _:
            return geom.shape


def read_robot(table: Table, folder: Path, X_W: Array, padding: float) -> list[Obstacle]:
    """The robot that a scene's obstacle states by `robot` and `positions`.

    Empty when it can't be used, which is reported then; what reading it reports is reported too.
    """
    name = table.name("robot", required=True)
    positions = table.table("positions")
    stated = {joint: positions.number(joint) for joint in positions.values}
    positions.finish()
    if name is None:
        return []
    issues = Issues()
    try:
        robot = read(str(folder / name), issues, ReadOptions()).robot
        table.file.issues.extend(issue for issue in issues if issue.fatal)
        if robot is None or issues.errors:
            return []
        model = compile_model(robot, base="fixed")
        q = configuration(model, {j: p for j, p in stated.items() if p is not None})
        found = obstacles_of(model, q, X_W, padding=padding)
    except PhyzctlError as error:
        message = f"the robot {name!r} can't be used: {error}"
        table.fault(codes.SCENE_FILE_UNUSABLE, message, "robot")
        return []
    if not found:
        message = f"the robot {name!r} has no collision shapes"
        table.fault(codes.SCENE_FILE_UNUSABLE, message, "robot")
    return found
