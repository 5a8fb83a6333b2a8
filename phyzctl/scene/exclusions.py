"""Which contacts of attached shapes are let pass, by stable ids, and what is wrong with that."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.issues import Source
from phyzctl.records import dataclass
from phyzctl.scene.items import AttachedShape


@dataclass(frozen=True)
class RobotShape:
    """A shape of the robot by its index in `Model.geoms`, or all shapes of a link by its name."""

    shape: int | str

    def __str__(self) -> str:
        by_name = isinstance(self.shape, str)
        return f"link {self.shape!r}" if by_name else f"robot shape {self.shape}"


@dataclass(frozen=True)
class AttachedId:
    """Attached shapes by their id."""

    id: str | None

    def __str__(self) -> str:
        return "attached shape without id" if not self.id else f"attached shape {self.id!r}"


@dataclass(frozen=True)
class ObstacleId:
    """Obstacles of a PlanningScene by their id."""

    id: str | None

    def __str__(self) -> str:
        return "obstacle without id" if not self.id else f"obstacle {self.id!r}"


Partner = RobotShape | AttachedId | ObstacleId


@dataclass(frozen=True)
class ExcludedPair:
    """The attached shapes of an id, and what they may touch. `source` is where that stands."""

    attached: str | None
    partner: Partner
    source: Source | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{AttachedId(self.attached)} and {self.partner}"


@dataclass(frozen=True)
class SceneExclusions:
    """Pairs that may touch. Each method returns a new, longer list.

    Only attached shapes are excluded here: which robot shapes may touch each other is the robot's
    own matter (`Model.contact_exclude`), and obstacles are not excluded against robot shapes.
    """

    pairs: tuple[ExcludedPair, ...] = ()

    def robot(self, attached: str | None, shape: int | str) -> SceneExclusions:
        """With a robot shape by its index, or all those of a link by its name."""
        return self._with(attached, RobotShape(shape))

    def attached(self, attached: str | None, other: str | None) -> SceneExclusions:
        """With another attached shape."""
        return self._with(attached, AttachedId(other))

    def obstacle(self, attached: str | None, obstacle: str | None) -> SceneExclusions:
        """With an obstacle."""
        return self._with(attached, ObstacleId(obstacle))

    def _with(self, attached: str | None, partner: Partner) -> SceneExclusions:
        return SceneExclusions((*self.pairs, ExcludedPair(attached, partner)))

    def __iter__(self) -> Iterator[ExcludedPair]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)


class ExclusionFaultKind(enum.StrEnum):
    """What can be wrong with an exclusion."""

    UNASSIGNED_ID = "unassigned id"
    UNKNOWN_ID = "unknown id"
    SELF_REFERENCE = "self-reference"
    ROBOT_INDEX_OUT_OF_RANGE = "robot shape out of range"
    UNKNOWN_LINK = "unknown link"


class ExclusionFault(NamedTuple):
    """One pair, and what is wrong with it."""

    pair: ExcludedPair
    kind: ExclusionFaultKind
    message: str


class ExclusionError(PhyzctlError, ValueError):
    """Exclusions that don't fit the view they are used in: `faults`, every one of them."""

    def __init__(self, faults: Iterable[ExclusionFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(fault.message for fault in self.faults))


class View(NamedTuple):
    """What exclusions can name: ids of attached shapes and of obstacles, links, robot shapes."""

    attached: Sequence[str | None]
    obstacles: Sequence[str | None]
    links: Collection[str]
    robot_shapes: int


def faults_of(pairs: Iterable[ExcludedPair], view: View) -> list[ExclusionFault]:
    """All that is wrong with exclusions in a view, in their order."""
    return [fault for pair in pairs for fault in _faults(pair, view)]


def touch_link_faults(shapes: Iterable[AttachedShape], view: View) -> list[ExclusionFault]:
    """The touch links of attached shapes that the robot doesn't have."""
    pairs = [
        ExcludedPair(shape.id, RobotShape(link)) for shape in shapes for link in shape.touch_links
    ]
    return [fault for pair in pairs for fault in _partner_faults(pair, view)]


def _faults(pair: ExcludedPair, view: View) -> Iterator[ExclusionFault]:
    yield from _id_fault(pair, AttachedId(pair.attached), view.attached)
    yield from _partner_faults(pair, view)


def _partner_faults(pair: ExcludedPair, view: View) -> Iterator[ExclusionFault]:
    match pair.partner:
        case AttachedId(id=other):
            if other and other == pair.attached:
                message = f"{AttachedId(other)} is excluded against itself"
                yield ExclusionFault(pair, ExclusionFaultKind.SELF_REFERENCE, message)
            else:
                yield from _id_fault(pair, pair.partner, view.attached)
        case ObstacleId():
            yield from _id_fault(pair, pair.partner, view.obstacles)
        case RobotShape(shape=str(link)):
            if link not in view.links:
                hint = did_you_mean(link, view.links)
                message = f"{pair}: the robot has no link {link!r}{hint}"
                yield ExclusionFault(pair, ExclusionFaultKind.UNKNOWN_LINK, message)
        case RobotShape(shape=int(index)):
            if not 0 <= index < view.robot_shapes:
                message = f"{pair}: the robot has the shapes 0 to {view.robot_shapes - 1}"
                if view.robot_shapes == 0:
                    message = f"{pair}: the robot has no shapes"
                yield ExclusionFault(pair, ExclusionFaultKind.ROBOT_INDEX_OUT_OF_RANGE, message)


def _id_fault(
    pair: ExcludedPair, named: AttachedId | ObstacleId, known: Sequence[str | None]
) -> Iterator[ExclusionFault]:
    if not named.id:
        message = f"{pair}: an id is not assigned"
        yield ExclusionFault(pair, ExclusionFaultKind.UNASSIGNED_ID, message)
    elif named.id not in known:
        ids = sorted({each for each in known if each})
        there_are = f"; there are: {', '.join(ids)}" if ids else "; there are none with an id"
        hint = did_you_mean(named.id, ids) or there_are
        message = f"{pair}: there is no {named}{hint}"
        yield ExclusionFault(pair, ExclusionFaultKind.UNKNOWN_ID, message)
