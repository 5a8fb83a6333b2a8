"""Equalities, keyframes and sites of a Model, resolved to indices."""

from __future__ import annotations

from phyzctl.issues import Source
from phyzctl.model.state import State
from phyzctl.records import dataclass
from phyzctl.robot import elements, mechanism
from phyzctl.spatial import Array


@dataclass(frozen=True)
class Equality:
    """Ties `first` and `second`, indices of what `objects` says.

    `objects` is "body", "site", "joint" or "tendon". `second` is None where there is none, -1
    for the world.
    """

    name: str | None
    kind: mechanism.EqualityKind
    objects: str
    first: int
    second: int | None
    element: mechanism.Equality

    @property
    def source(self) -> Source | None:
        """Where the equality stands in a file."""
        return self.element.source


@dataclass(frozen=True, eq=False)
class Site:
    """A frame on a body (-1: the world), at the pose `X_BS` (4, 4)."""

    name: str | None
    body: int
    X_BS: Array
    element: elements.Site

    @property
    def source(self) -> Source | None:
        """Where the site stands in a file."""
        return self.element.source


@dataclass(frozen=True, eq=False)
class Keyframe:
    """A named State, complete: what was not written is the default."""

    name: str | None
    state: State
    element: mechanism.Keyframe

    @property
    def source(self) -> Source | None:
        """Where the keyframe stands in a file."""
        return self.element.source
