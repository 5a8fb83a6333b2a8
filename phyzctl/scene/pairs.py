"""Which pairs of shapes are looked at, of what kind their contact is, and why others are not.

Shapes stand in one row: the robot's N geoms (`Model.geoms`), then the attached shapes, then the
obstacles. A pair names the moving side first: robot before robot by index, an attached shape
before a robot shape, either before an obstacle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from phyzctl.model.body import WORLD, ordered
from phyzctl.model.filter import ContactFilter, masks_meet
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.model import Model
from phyzctl.scene.contact import ContactKind, SkipReason
from phyzctl.scene.exclusions import AttachedId, ExcludedPair, ObstacleId, RobotShape
from phyzctl.scene.items import AttachedShape

_SELF, _ENVIRONMENT = ContactKind.SELF_COLLISION, ContactKind.ENVIRONMENT_COLLISION
_SHAPELESS = (GeomType.HEIGHTFIELD, GeomType.UNKNOWN)


class ScenePair(NamedTuple):
    """Two shapes by their places in the row; `skip` says why they are not checked, if so."""

    kind: ContactKind
    a: int
    b: int
    skip: SkipReason | None = None


class Row(NamedTuple):
    """What stands in the row of shapes.

    `frames` are the bodies of the attached shapes, `obstacle_ids` None where there is none;
    `types` the kernel's types of all, UNKNOWN where there is nothing to check.
    """

    model: Model
    attached: Sequence[AttachedShape]
    frames: Sequence[int]
    obstacle_ids: Sequence[str | None]
    types: Sequence[GeomType]

    def attached_place(self, index: int) -> int:
        """Where an attached shape stands."""
        return self.model.ngeom + index

    def obstacle_place(self, index: int) -> int:
        """Where an obstacle stands."""
        return self.model.ngeom + len(self.attached) + index


def scene_pairs(row: Row, exclusions: Sequence[ExcludedPair]) -> Iterator[ScenePair]:
    """All pairs of things that could meet, self before environment."""
    allowed = _allowances(row, exclusions)
    for pair in (*_robot_pairs(row), *_attached_pairs(row), *_obstacle_pairs(row)):
        yield pair._replace(skip=_reason(row, pair) or allowed.get((pair.a, pair.b)))


def _reason(row: Row, pair: ScenePair) -> SkipReason | None:
    """Why there is nothing to measure, else the reason that the pair already has."""
    types = (row.types[pair.a], row.types[pair.b])
    if types[0] in _SHAPELESS or types[1] in _SHAPELESS:
        return SkipReason.NO_SHAPE
    if types == (GeomType.PLANE, GeomType.PLANE):
        return SkipReason.HALF_SPACES
    return pair.skip


def robot_shapes(model: Model) -> list[int]:
    """The geoms (indices) that can meet anything; the others are only drawn."""
    named = {index for pair in model.contact_pairs for index in pair}
    return [i for i, geom in enumerate(model.geoms) if geom.collides or i in named]


def _robot_pairs(row: Row) -> Iterator[ScenePair]:
    """Robot against robot, by the robot's own rules."""
    model, rules = row.model, ContactFilter.of(row.model)
    for i, j in combinations(robot_shapes(model), 2):
        yield ScenePair(_SELF, i, j, _robot_rule(rules, model.geoms[i], model.geoms[j]))


def _robot_rule(rules: ContactFilter, first: Geom, second: Geom) -> SkipReason | None:
    if rules.geoms_may_collide(first, second):
        return None
    if first.body == second.body or rules.are_neighbours(first.body, second.body):
        return SkipReason.STRUCTURE
    if ordered(first.body, second.body) in rules.model.excluded_pairs:
        return SkipReason.ROBOT_EXCLUDE
    return SkipReason.STRUCTURE if masks_meet(first, second) else SkipReason.BIT_MASKS


def _attached_pairs(row: Row) -> Iterator[ScenePair]:
    """Attached against robot, never skipped by itself; and attached against attached."""
    shapes = robot_shapes(row.model)
    count = len(row.attached)
    for a in range(count):
        place = row.attached_place(a)
        yield from (ScenePair(_SELF, place, i) for i in shapes)
    for a, b in combinations(range(count), 2):
        same = SkipReason.SAME_FRAME if row.frames[a] == row.frames[b] else None
        yield ScenePair(_SELF, row.attached_place(a), row.attached_place(b), same)


def _obstacle_pairs(row: Row) -> Iterator[ScenePair]:
    """Robot and attached shapes against obstacles."""
    obstacles = [row.obstacle_place(index) for index in range(len(row.obstacle_ids))]
    for i in robot_shapes(row.model):
        still = SkipReason.WORLD if row.model.geoms[i].body == WORLD else None
        yield from (ScenePair(_ENVIRONMENT, i, place, still) for place in obstacles)
    for a in range(len(row.attached)):
        place = row.attached_place(a)
        yield from (ScenePair(_ENVIRONMENT, place, other) for other in obstacles)


def _allowances(row: Row, exclusions: Sequence[ExcludedPair]) -> dict[tuple[int, int], SkipReason]:
    """The pairs that exclusions and touch links let pass, by places in the row."""
    found: dict[tuple[int, int], SkipReason] = {}
    for a, shape in enumerate(row.attached):
        for link in shape.touch_links:
            for place in _places(row, RobotShape(link)):
                found[row.attached_place(a), place] = SkipReason.TOUCH_LINK
    for pair in exclusions:
        for a in _places(row, AttachedId(pair.attached)):
            for b in _places(row, pair.partner):
                first, second = (b, a) if _is_attached(row, b) and b < a else (a, b)
                found[first, second] = SkipReason.EXCLUDED
    return found


def _is_attached(row: Row, place: int) -> bool:
    return row.attached_place(0) <= place < row.obstacle_place(0)


def _places(row: Row, named: RobotShape | AttachedId | ObstacleId) -> list[int]:
    """The places of all that a name stands for."""
    match named:
        case RobotShape(shape=int(index)):
            return [index]
        case RobotShape(shape=str(link)):
            body = row.model.body_index(link)
            wanted = WORLD if body is None else body
            return [i for i, geom in enumerate(row.model.geoms) if geom.body == wanted]
        case AttachedId(id=name):
            return [row.attached_place(i) for i, s in enumerate(row.attached) if s.id == name]
        case ObstacleId(id=name):
            return [row.obstacle_place(i) for i, s in enumerate(row.obstacle_ids) if s == name]
        case _:  # a robot shape that is neither index nor name, which the checks have refused
            return []
