"""The pairs of bodies that have collision shapes, and what the tree alone says of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from phyzctl.errors import PhyzctlError
from phyzctl.model.body import WORLD
from phyzctl.model.filter import ContactFilter, masks_meet
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.records import dataclass

WORLD_NAME = "world"
MAX_PAIRS = 200_000  # of bodies, or of shapes: seconds only to list

_SHAPELESS = frozenset({GeomType.PLANE, GeomType.HEIGHTFIELD, GeomType.UNKNOWN})


class TooManyPairsError(PhyzctlError):
    """A robot has more pairs of bodies or shapes than can be compared."""


@dataclass(frozen=True)
class BodyPair:
    """Two bodies (indices, -1 for the world, the smaller first) whose shapes could meet.

    `geoms` are the pairs of their geoms (indices into `Model.geoms`) whose bit masks meet;
    `joints` those that move the one against the other, in the order of the path. `filtered`
    says why no engine that follows the model's contact rules tests them: "welded", "parent and
    child", or None. `excluded` is True when the description excludes the pair; `adjacent` when
    a joint links them, looking through bodies without collision shapes.
    """

    first: int
    second: int
    geoms: tuple[tuple[int, int], ...]
    joints: tuple[int, ...]
    filtered: str | None
    excluded: bool
    adjacent: bool

    @property
    def free(self) -> bool:
        """True when an engine would report their contact."""
        return self.filtered is None and not self.excluded


def body_name(model: Model, body: int) -> str:
    """The name of a body, `world` for -1."""
    return WORLD_NAME if body == WORLD else model.bodies[body].name


def body_pairs(model: Model) -> list[BodyPair]:
    """Every pair of bodies whose collision shapes have masks that meet, in order of index.

    Planes and height fields of the world are ground to stand on, not parts of a robot: they
    are left aside, as are shapes that could not be read. Raises PhyzctlError when no body has
    a collision shape, TooManyPairsError for more than `MAX_PAIRS` pairs of bodies or of shapes.
    """
    shapes = _shapes(model)
    if not any(body != WORLD for body in shapes):
        raise PhyzctlError(_no_geometry(model))
    _require_few(model, shapes)
    tree = _Tree(model, frozenset(shapes))
    return list(_pairs(model, shapes, tree))


def _require_few(model: Model, shapes: dict[int, list[int]]) -> None:
    counts = [len(geoms) for geoms in shapes.values()]
    total = sum(counts)
    pairs = (total * total - sum(count * count for count in counts)) // 2
    pairs = max(pairs, len(counts) * (len(counts) - 1) // 2)
    if pairs > MAX_PAIRS:
        raise TooManyPairsError(
            f"robot {model.robot.name!r} has {total} collision shapes on {len(counts)} bodies: "
            f"of their {pairs} pairs at most {MAX_PAIRS} can be compared"
        )


def _pairs(model: Model, shapes: dict[int, list[int]], tree: _Tree) -> Iterator[BodyPair]:
    welds = model.weld_groups()
    rules = ContactFilter.of(model, welds)
    for first, second in combinations(sorted(shapes), 2):
        geoms = tuple(
            (a, b)
            for a in shapes[first]
            for b in shapes[second]
            if _may_meet(model, model.geoms[a], model.geoms[b])
        )
        if geoms:
            yield BodyPair(
                first,
                second,
                geoms,
                joints=tree.joints_between(first, second),
                filtered=_filtered(rules, first, second),
                excluded=(first, second) in model.excluded_pairs,
                adjacent=tree.are_adjacent(first, second),
            )


def _filtered(rules: ContactFilter, first: int, second: int) -> str | None:
    if rules.group(first) == rules.group(second):
        return "welded"
    return "parent and child" if rules.are_neighbours(first, second) else None


def _may_meet(model: Model, first: Geom, second: Geom) -> bool:
    return masks_meet(first, second) or model.is_explicit_pair(first, second)


def _shapes(model: Model) -> dict[int, list[int]]:
    """Per body that has any, its geoms that can collide."""
    named = {index for pair in model.contact_pairs for index in pair}
    found: dict[int, list[int]] = {}
    for index, geom in enumerate(model.geoms):
        if (geom.collides or index in named) and geom.type not in _SHAPELESS:
            found.setdefault(geom.body, []).append(index)
    return found


def _no_geometry(model: Model) -> str:
    drawn = sum(len(body.geoms) for body in model.bodies)
    hint = "it has visual shapes only" if drawn else "it has no shapes at all"
    return f"robot {model.robot.name!r} has no collision geometry to compare: {hint}"


class _Tree:
    """Paths between bodies, and adjacency through bodies that have no collision shape."""

    def __init__(self, model: Model, shaped: frozenset[int]) -> None:
        self._model = model
        self._above = [self._ancestry(body) for body in range(len(model.bodies))]
        self._adjacent = _contracted(model, shaped)

    def joints_between(self, first: int, second: int) -> tuple[int, ...]:
        """The joints that move on the path from one body to the other."""
        up, down = self._path_above(first), self._path_above(second)
        shared = set(up) & set(down)
        path = [body for body in up if body not in shared]
        joints = [joint for body in path for joint in reversed(self._moving(body))]
        for body in reversed([body for body in down if body not in shared]):
            joints += self._moving(body)
        return tuple(joints)

    def are_adjacent(self, first: int, second: int) -> bool:
        """True when nothing with a shape stands between them."""
        return second in self._adjacent.get(first, ())

    def _path_above(self, body: int) -> Sequence[int]:
        return () if body == WORLD else self._above[body]

    def _ancestry(self, body: int) -> list[int]:
        found = []
        while body != WORLD:
            found.append(body)
            body = self._model.bodies[body].parent
        return found

    def _moving(self, body: int) -> list[int]:
        joints = self._model.bodies[body].joints
        return [each for each in joints if self._model.joints[each].type is not JointType.FIXED]


def _contracted(model: Model, shaped: frozenset[int]) -> dict[int, set[int]]:
    """The graph of parents and children, the neighbours of a body without shape joined.

    A body that floats freely is nobody's neighbour but its children's, and what hangs side by
    side on an empty world are no neighbours.
    """
    graph: dict[int, set[int]] = {body: set() for body in range(-1, len(model.bodies))}
    for index, body in enumerate(model.bodies):
        if not any(model.joints[joint].type is JointType.FREE for joint in body.joints):
            graph[index].add(body.parent)
            graph[body.parent].add(index)
    for bare in [each for each in graph if each not in shaped]:
        around = graph.pop(bare)
        for other in around:
            graph[other].discard(bare)
            if bare != WORLD:
                graph[other] |= around - {other}
    return graph
