"""A view and a model, handed to the kernel: everything a geom of one system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean
from phyzctl.geometry.hull import ConvexHull
from phyzctl.model.body import WORLD
from phyzctl.model.geom import GeomType
from phyzctl.model.hulls import GeomHulls
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.scene.contact import Contact, ContactKind, Ref, RefKind, SkipReason
from phyzctl.scene.exclusions import SceneExclusions
from phyzctl.scene.items import AttachedShape, Obstacle, Outline, outline_of
from phyzctl.scene.pairs import Row, ScenePair, robot_shapes, scene_pairs
from phyzctl.spatial import Array, quat_from_rotation


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What a view has at one time: obstacles and their ids, one each, what is carried, what may."""

    obstacles: tuple[Obstacle, ...]
    ids: tuple[str | None, ...]
    attached: tuple[AttachedShape, ...]
    exclusions: SceneExclusions


@dataclass(frozen=True, eq=False)
class Prepared:
    """The kernel's system and shapes, and the pairs to ask about.

    `pairs` are those that are checked, `passed` those that are not.
    """

    model: Model
    row: Row
    obstacles: tuple[Obstacle, ...]
    system: native.System
    shapes: native.Shapes
    outlines: tuple[Outline, ...]
    padding: Array
    pairs: tuple[ScenePair, ...]
    passed: tuple[ScenePair, ...]
    missing: tuple[tuple[Ref, str], ...]

    @cached_property
    def pair_array(self) -> NDArray[np.int32]:
        """The checked pairs (m, 2), places in the row."""
        return pair_array(self.pairs)

    def place(self, q: Array) -> Array:
        """The poses (7) of all in the row, at one configuration (nq,).

        Raises PhyzctlError when they are not finite: then numbers of the robot are not.
        """
        poses: Array = native.kinematics(self.system, q[np.newaxis]).geoms[0]
        if not np.isfinite(poses).all():
            raise PhyzctlError("the robot has numbers that are not finite; `validate` finds them")
        return poses

    def near(
        self, pairs: Sequence[ScenePair], poses: Array, margin: float
    ) -> tuple[list[Contact], Contact | None]:
        """How those of `pairs` stand that come within `margin` [m], and the pair of least gap."""
        if not pairs:
            return [], None
        rows = self.pair_array if pairs is self.pairs else pair_array(pairs)
        found = native.distances(self.shapes, poses[np.newaxis], rows)
        within = np.flatnonzero(found.distance[0] <= margin).tolist()
        least = int(found.distance[0].argmin())
        contacts = [self._contact(pairs[i], found, i) for i in within]
        return contacts, self._contact(pairs[least], found, least)

    def _contact(self, pair: ScenePair, found: native.Distances, index: int) -> Contact:
        """The kernel measures padded shapes: take the padding off again."""
        pad_a, pad_b = float(self.padding[pair.a]), float(self.padding[pair.b])
        normal = found.normal[0, index]
        return Contact(
            pair.kind,
            self.ref(pair.a),
            self.ref(pair.b),
            float(found.distance[0, index]) + pad_a + pad_b,
            pad_a + pad_b,
            found.a[0, index] - pad_a * normal,
            found.b[0, index] + pad_b * normal,
            normal,
            pair.skip,
        )

    @cached_property
    def skipped(self) -> dict[SkipReason, int]:
        """How many pairs are not checked, by reason."""
        return dict(Counter(pair.skip for pair in self.passed if pair.skip is not None))

    @cached_property
    def references(self) -> tuple[tuple[ContactKind, Ref, Ref], ...]:
        """The checked pairs by kind and typed references."""
        return tuple((pair.kind, self.ref(pair.a), self.ref(pair.b)) for pair in self.pairs)

    def ref(self, place: int) -> Ref:
        """The reference to what stands at a place of the row."""
        return _ref(self.row, self.obstacles, place)


WORLD_NAME = "world"
MAX_SHAPES = 1500  # in all, which make a million pairs


def prepare(model: Model, around: Surroundings) -> Prepared:
    """Hand a model and what is around it to the kernel. The exclusions must be sound.

    Raises PhyzctlError for more than `MAX_SHAPES` shapes that can meet.
    """
    attached, obstacles = around.attached, around.obstacles
    count = len(robot_shapes(model)) + len(attached) + len(obstacles)
    if count > MAX_SHAPES:
        raise PhyzctlError(f"there are {count} shapes, at most {MAX_SHAPES} can be checked")
    frames = [frame_body(model, shape.frame) for shape in attached]
    hulls = model.hulls
    outlines = [*_geom_outlines(model, hulls)]
    outlines += [outline_of(each.shape) for each in attached]
    outlines += [outline_of(each.shape) for each in obstacles]
    paddings = [each.padding for each in attached] + [each.padding for each in obstacles]
    padding = np.append(np.zeros(model.ngeom), paddings)
    types = [each.type for each in outlines]
    row = Row(model, attached, frames, around.ids, types)
    pairs = list(scene_pairs(row, tuple(around.exclusions)))
    missing = [(_ref(row, obstacles, place), why) for place, why in hulls.missing.items()]
    return Prepared(
        model,
        row,
        obstacles,
        _system(model, frames, attached, obstacles),
        _shapes(outlines, padding),
        tuple(outlines),
        padding,
        tuple(pair for pair in pairs if pair.skip is None),
        tuple(pair for pair in pairs if pair.skip is not None),
        tuple(missing),
    )


def pair_array(pairs: Iterable[ScenePair]) -> NDArray[np.int32]:
    """Pairs as the kernel takes them, (m, 2)."""
    return np.array([(pair.a, pair.b) for pair in pairs], dtype=np.int32).reshape(-1, 2)


def frame_body(model: Model, frame: str | None) -> int:
    """The body (index) that a frame moves with; None is the base frame.

    Raises `NotFoundError` for a link that isn't there.
    """
    if frame is not None:
        body = model.body_index(frame)
        if body is None and frame != WORLD_NAME:
            names = [each.name for each in model.bodies]
            raise NotFoundError(f"no link named {frame!r}{did_you_mean(frame, names)}")
        return WORLD if body is None else body
    roots = [index for index, body in enumerate(model.bodies) if body.parent == WORLD]
    return roots[0] if len(roots) == 1 else WORLD


def _geom_outlines(model: Model, hulls: GeomHulls) -> Iterable[Outline]:
    for index, geom in enumerate(model.geoms):
        sized = all(0.0 <= size < np.inf for size in geom.size)
        if geom.type is GeomType.MESH:
            hull = int(hulls.index[index])
            known = hulls.hulls[hull] if hull >= 0 else None
            type_ = GeomType.UNKNOWN if known is None else GeomType.MESH
            yield Outline(type_, (0.0, 0.0, 0.0), known)
        elif sized and np.isfinite(geom.X_BG).all():
            yield Outline(geom.type, geom.size)
        else:
            yield Outline(GeomType.UNKNOWN, (0.0, 0.0, 0.0))


def _shapes(outlines: Sequence[Outline], padding: Array) -> native.Shapes:
    hulls: dict[int, tuple[int, ConvexHull]] = {}
    index = np.full(len(outlines), -1, dtype=np.int32)
    for number, outline in enumerate(outlines):
        if outline.hull is not None:
            index[number] = hulls.setdefault(id(outline.hull), (len(hulls), outline.hull))[0]
    return native.Shapes(
        np.array([outline.type for outline in outlines], dtype=np.int32),
        np.array([outline.size for outline in outlines], dtype=np.float64).reshape(-1, 3),
        hulls=[hull.arrays for _, hull in hulls.values()],
        hull=index,
        padding=padding,
    )


def _system(
    model: Model,
    frames: Sequence[int],
    attached: Sequence[AttachedShape],
    obstacles: Sequence[Obstacle],
) -> native.System:
    """The model's system with attached shapes and obstacles as further geoms."""
    arrays = model.arrays
    poses = [shape.X_FA for shape in attached] + [each.X_WO for each in obstacles]
    bodies = [*frames, *[WORLD] * len(obstacles)]
    places = np.array([pose[:3, 3] for pose in poses], dtype=np.float64).reshape(-1, 3)
    turns = [quat_from_rotation(np.asarray(pose, dtype=np.float64)[:3, :3]) for pose in poses]
    return native.System(
        nq=model.nq,
        body_parent=arrays.body_parent,
        body_pos=arrays.body_pos,
        body_quat=arrays.body_quat,
        joint_start=arrays.joint_start,
        joint_type=arrays.joint_type,
        joint_axis=arrays.joint_axis,
        joint_anchor=arrays.joint_anchor,
        joint_ref=arrays.joint_ref,
        q_offset=arrays.q_offset,
        geom_body=np.append(arrays.geom_body, np.array(bodies, dtype=np.int32)),
        geom_pos=np.concatenate([arrays.geom_pos, places]),
        geom_quat=np.concatenate([arrays.geom_quat, np.array(turns).reshape(-1, 4)]),
    )


def _ref(row: Row, obstacles: Sequence[Obstacle], place: int) -> Ref:
    attached, obstacle = row.attached_place(0), row.obstacle_place(0)
    if place < attached:
        geom = row.model.geoms[place]
        return Ref(RefKind.ROBOT, place, place, geom.name, link_name(row.model, geom.body))
    if place < obstacle:
        index = place - attached
        link = link_name(row.model, row.frames[index])
        return Ref(RefKind.ATTACHED, index, place, row.attached[index].id, link)
    index = place - obstacle
    name, label = row.obstacle_ids[index], obstacles[index].label
    return Ref(RefKind.OBSTACLE, index, index, name, label=label)


def link_name(model: Model, body: int) -> str:
    """The name of a body, or of the root link where that is the world."""
    return WORLD_NAME if body == WORLD else model.bodies[body].name
