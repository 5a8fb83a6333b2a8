"""Scene files: TOML that says what stands around a robot, what it carries, what may touch.

    [[obstacles]]
    id = "table"
    shape = "box"
    size = [1.2, 0.8, 0.04]
    xyz = [0.6, 0, 0.4]

    [[attached]]
    id = "cup"
    frame = "tool"
    shape = "cylinder"
    radius = 0.03
    length = 0.1
    touch_links = ["tool"]

    [[exclusions]]
    attached = "cup"
    obstacle = "table"

`schemas/scene.schema.json` lists every key. Lengths are in m, angles in rad. Files that a scene
names are looked for in its own folder. A file that ends in `.scene` is MoveIt's text.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from phyzctl import codes
from phyzctl.errors import did_you_mean
from phyzctl.formats.documents import document_at
from phyzctl.formats.tomltable import Table, parse_toml
from phyzctl.issues import Issues, Source
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.scene.asobstacles import read_robot
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.exclusions import (
    AttachedId,
    ExcludedPair,
    ObstacleId,
    Partner,
    RobotShape,
    SceneExclusions,
)
from phyzctl.scene.fileshapes import read_pose, read_shape
from phyzctl.scene.items import AttachedShape, Obstacle
from phyzctl.scene.moveit import parse_moveit
from phyzctl.scene.planning import PlanningScene
from phyzctl.scene.prepared import WORLD_NAME

SCHEMA = "phyzctl.scene/1"
MOVEIT_SUFFIX = ".scene"

_PARTNERS = ("obstacle", "link", "robot_shape", "other")


@dataclass(frozen=True, eq=False)
class Scene:
    """What a scene file says. `sources` are the places of obstacles and attached shapes by id."""

    path: str
    name: str
    planning: PlanningScene
    attached: tuple[AttachedShape, ...] = ()
    exclusions: SceneExclusions = field(default_factory=SceneExclusions)
    obstacle_sources: tuple[Source, ...] = ()
    attached_sources: tuple[Source, ...] = ()
    margin: float = 0.0

    def env(self) -> CollisionEnv:
        """The scene as a collision environment."""
        view = self.planning.collision_env()
        return view.with_attached(self.attached).with_exclusions(self.exclusions)

    def fit(self, model: Model, issues: Issues) -> bool:
        """Report what names parts that the robot of `model` doesn't have; True without faults."""
        before = len(issues.errors)
        names = [body.name for body in model.bodies]
        for shape, source in zip(self.attached, self.attached_sources, strict=True):
            if shape.frame is not None and shape.frame not in (*names, WORLD_NAME):
                known = did_you_mean(shape.frame, names) or f"; there are {', '.join(names)}"
                message = f"the robot has no link {shape.frame!r}{known}"
                issues.add(codes.FRAME_UNKNOWN, message, source=source)
        for fault in self.env().faults(model):
            source = fault.pair.source or self._source_of(fault.pair.attached)
            issues.add(codes.EXCLUSION_UNSOUND, fault.message, source=source)
        return len(issues.errors) == before

    def _source_of(self, attached: str | None) -> Source:
        """Where an attached shape stands, or else the file."""
        for shape, source in zip(self.attached, self.attached_sources, strict=True):
            if shape.id == attached:
                return source
        return Source(self.path)


def load_scene(path: str, issues: Issues) -> Scene | None:
    """The Scene in a file. Its faults go to `issues`; None when there are any.

    `NotFoundError` and `UnreadableError` when the file is not there or can't be read.
    """
    return parse_scene(document_at(path, "scene"), path, issues)


def parse_scene(data: bytes, path: str, issues: Issues) -> Scene | None:
    """The Scene in a file's bytes. Its faults go to `issues`; None when there are any."""
    faults = Issues()
    if path.lower().endswith(MOVEIT_SUFFIX):
        scene = _imported(data, path, faults)
    else:
        document = parse_toml(data, path, faults)
        scene = None if document is None else _Reader(path, faults).scene(document)
    issues.extend(faults)
    return None if faults.errors else scene


def _imported(data: bytes, path: str, faults: Issues) -> Scene | None:
    text = parse_moveit(data, path, faults)
    if text is None or faults.errors:
        return None
    planning = PlanningScene()
    sources: list[Source] = []
    for thing in text.things:
        planning.add(thing.id, thing.obstacles)
        sources += [thing.source] * len(thing.obstacles)
    return Scene(path, text.name, planning, obstacle_sources=tuple(sources))


class _Reader:
    def __init__(self, path: str, faults: Issues) -> None:
        self.path = path
        self.folder = Path(path).parent
        self.faults = faults
        self.planning = PlanningScene()
        self.sources: list[Source] = []
        self.attached: list[tuple[AttachedShape, Source]] = []

    def scene(self, document: Table) -> Scene | None:
        stated = document.text("schema", SCHEMA)
        if stated != SCHEMA:
            document.outside("schema", f"must be {SCHEMA!r}, not {stated!r}")
        name = document.text("name", Path(self.path).stem)
        margin = document.number("margin", 0.0, least=0.0)
        for each in document.tables("obstacles"):
            self._obstacle(each)
        for each in document.tables("attached"):
            self._attached(each)
        exclusions = [self._exclusion(each) for each in document.tables("exclusions")]
        document.finish()
        if self.faults.errors or margin is None:
            return None
        pairs = tuple(pair for pair in exclusions if pair is not None)
        return Scene(
            self.path,
            name,
            self.planning,
            tuple(shape for shape, _ in self.attached),
            SceneExclusions(pairs),
            tuple(self.sources),
            tuple(source for _, source in self.attached),
            margin,
        )

    def _obstacle(self, table: Table) -> None:
        """Add an obstacle, in one shape or as many as its robot has."""
        name = table.name("id", required=True)
        X_WO = read_pose(table)
        padding = table.number("padding", 0.0, least=0.0) or 0.0
        if table.states("robot"):
            if table.states("shape"):
                table.fault(codes.KEYS_CLASH, "'robot' and 'shape' both state the shape", "shape")
                table.asked.add("shape")
            parts = read_robot(table, self.folder, X_WO, padding)
        else:
            shape = read_shape(table, self.folder)
            parts = [] if shape is None else [Obstacle(shape, X_WO, padding)]
        table.finish()
        if name in self.planning.obstacle_ids:
            table.fault(codes.ID_TAKEN, f"there is an obstacle {name!r} already", "id")
        elif name is not None and parts:
            self.planning.add(name, parts)
            self.sources += [table.place()] * len(parts)

    def _attached(self, table: Table) -> None:
        name, frame = table.name("id"), table.name("frame")
        X_FA = read_pose(table)
        padding = table.number("padding", 0.0, least=0.0) or 0.0
        touch_links = tuple(table.names("touch_links"))
        shape = read_shape(table, self.folder)
        table.finish()
        if name is not None and any(each.id == name for each, _ in self.attached):
            table.fault(codes.ID_TAKEN, f"there is an attached shape {name!r} already", "id")
        elif shape is not None:
            made = AttachedShape(shape, frame, X_FA, name, padding, touch_links)
            self.attached.append((made, table.place()))

    def _exclusion(self, table: Table) -> ExcludedPair | None:
        attached = table.name("attached", required=True)
        stated = [key for key in _PARTNERS if table.states(key)]
        partners: dict[str, Partner] = {
            "obstacle": ObstacleId(table.name("obstacle")),
            "link": RobotShape(table.name("link") or ""),
            "robot_shape": RobotShape(_index(table)),
            "other": AttachedId(table.name("other")),
        }
        table.finish()
        if not stated:
            *most, last = (repr(key) for key in _PARTNERS)
            message = f"one of {', '.join(most)} and {last} must say what may be touched"
            table.fault(codes.KEY_MISSING, message)
        elif len(stated) > 1:
            message = f"{stated[0]!r} and {stated[1]!r} both say what may be touched"
            table.fault(codes.KEYS_CLASH, message, stated[1])
        if attached is None or len(stated) != 1:
            return None
        return ExcludedPair(attached, partners[stated[0]], table.place())


def _index(table: Table) -> int:
    """The index of a robot shape; whether there is one by that number, the check will tell."""
    return table.whole("robot_shape") or 0
