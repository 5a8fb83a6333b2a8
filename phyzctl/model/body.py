"""Bodies of a Model: mass, centre of mass, inertia, and what hangs on them."""

from __future__ import annotations

from phyzctl.issues import Source
from phyzctl.model.geom import Geom
from phyzctl.model.material import ContactMaterial
from phyzctl.records import dataclass
from phyzctl.robot import elements
from phyzctl.spatial import Array

WORLD = -1
Pair = tuple[int, int]


def ordered(first: int, second: int) -> Pair:
    """The pair with the smaller index first."""
    return (first, second) if first <= second else (second, first)


@dataclass(frozen=True, eq=False)
class Body:
    """One rigid part, in its own frame.

    `parent` is a body index, -1 (`WORLD`) for the world; `joints` are indices, in series; `X_PB`
    (4, 4) is the pose in the parent at the reference position, `quat` (w x y z) the turn in it
    with the sign that was written. `mass` [kg], `com` (3,) [m] and
    `inertia` (3, 3) [kg m²] about `com` with the axes of the body. `material`, when set,
    overrides those of its geoms. Arrays are read-only.
    """

    name: str
    parent: int
    joints: tuple[int, ...]
    X_PB: Array
    quat: Array
    mass: float
    com: Array
    inertia: Array
    geoms: tuple[Geom, ...]
    material: ContactMaterial | None
    link: elements.Link

    @property
    def source(self) -> Source | None:
        """Where the link stands in a file."""
        return self.link.source
