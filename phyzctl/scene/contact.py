"""What a check finds: contacts between typed references, and the report that holds them."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from phyzctl.spatial import Array


class ContactKind(enum.IntEnum):
    """Whether a robot, with all that it carries, touches itself or the world."""

    SELF_COLLISION = 0
    ENVIRONMENT_COLLISION = 1

    @property
    def label(self) -> str:
        """The words for it, such as `self collision`."""
        return self.name.lower().replace("_", " ")


class RefKind(enum.StrEnum):
    """What a reference points at."""

    ROBOT = "robot"
    ATTACHED = "attached"
    OBSTACLE = "obstacle"


@dataclass(frozen=True, slots=True)
class Ref:
    """One shape: an index into `Model.geoms`, into the attached shapes, or into the obstacles.

    `id` is an obstacle's or attached shape's own, or the name of a robot's geom; None without.
    `link` is the link that moves it ("" for obstacles), `label` what tells parts apart. `number`
    is the integer that stands for it in `link_index` and `partner_index`.
    """

    kind: RefKind
    index: int
    number: int
    id: str | None = None
    link: str = ""
    label: str = ""

    def __str__(self) -> str:
        if self.kind is RefKind.ROBOT:
            return f"link {self.link!r}" + (f" ({self.id})" if self.id else "")
        name = f"{self.kind.value} {self.id!r}" if self.id else f"{self.kind.value} {self.index}"
        return f"{name} ({self.label})" if self.label else name


class SkipReason(enum.StrEnum):
    """Why a pair is not checked."""

    STRUCTURE = "welded or neighbours in the tree"
    ROBOT_EXCLUDE = "excluded by the robot"
    BIT_MASKS = "kept apart by bit masks"
    WORLD = "standing still both"
    SAME_FRAME = "attached to the same frame"
    EXCLUDED = "excluded by the scene"
    TOUCH_LINK = "allowed as touch links"
    HALF_SPACES = "of half-spaces"
    NO_SHAPE = "without a convex shape"

    @property
    def measurable(self) -> bool:
        """False when such a pair has no distance."""
        return self not in (SkipReason.HALF_SPACES, SkipReason.NO_SHAPE)


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """Two shapes that touch or are near, world frame.

    `distance` [m] is that of the bare shapes, below zero how far they must move apart to only
    touch; `padding` [m] is what both are padded by together. `point_a` and `point_b` (3,) [m] are
    the bare shapes' nearest (or deepest) points, `normal` (3,) of length one leads from a to b:
    point_b = point_a + distance * normal. `allowed_by` says which rule let the contact pass, None
    when none does.
    """

    kind: ContactKind
    a: Ref
    b: Ref
    distance: float
    padding: float
    point_a: Array
    point_b: Array
    normal: Array
    allowed_by: SkipReason | None = None

    @property
    def gap(self) -> float:
        """The distance of the padded shapes [m]."""
        return self.distance - self.padding

    @property
    def link_index(self) -> int:
        """The robot shape's index, or robot_shape_count + attached index."""
        return self.a.number

    @property
    def partner_index(self) -> int:
        """Robot shape index, robot_shape_count + attached index, or obstacle index.

        Which of them `kind` and `b.kind` tell; the integer alone does not.
        """
        return self.b.number

    def sort_key(self) -> tuple[int, int, int]:
        """Kind first, then a, then b."""
        return (self.kind, self.a.number, self.b.number)


@dataclass(slots=True, eq=False)
class Report:
    """What one configuration comes to; a check writes all of it, or, when it fails, nothing.

    `contacts` are sorted by (kind, a, b). With `capacity`, only that many are kept, the deepest,
    and `truncated` says that there were more. `checked` and `skipped` count pairs; `nearest` is
    the checked pair of least gap, whether it touches or not, None without pairs. `missing` are
    shapes that could not be looked at, with the reason.
    """

    capacity: int | None = None
    contacts: tuple[Contact, ...] = ()
    checked: int = 0
    skipped: Mapping[SkipReason, int] = field(default_factory=dict)
    nearest: Contact | None = None
    truncated: bool = False
    missing: tuple[tuple[Ref, str], ...] = ()

    @property
    def collides(self) -> bool:
        """True when padded shapes overlap or touch that no rule lets touch."""
        return self.nearest is not None and self.nearest.gap <= 0.0

    @property
    def minimum_distance(self) -> float:
        """The least gap of all checked pairs [m]; infinite without pairs."""
        return float("inf") if self.nearest is None else self.nearest.gap
