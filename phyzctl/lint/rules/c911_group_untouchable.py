"""A moving part that nothing can touch.

What it checks
    In MJCF, where other parts can collide, the contype and conaffinity of every moving part that
    has any let it meet some other part, or a floor of the default masks.

Why it matters
    The part passes through the floor and all else without a word. One wrong bit does it.

Fix
    Give it a bit in common with what it should meet. Where it is meant to pass through, write
    contype and conaffinity 0.

Exceptions
    Geoms that only show (both masks 0), and models whose contacts are `<pair>`s.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.contact import masks, meet
from phyzctl.robot.elements import Link

CODE = Code("C911", "group-untouchable", Severity.WARNING)
FORMATS = frozenset({"mjcf"})

_FLOOR = (1, 1)
_Masks = set[tuple[int, int]]


def check(context: Context) -> Iterator[Finding]:
    """Parts whose masks let them meet nothing."""
    robot = context.robot
    if robot.pairs:
        return
    groups = [(group, _masks(group)) for group in robot.structure.rigid_groups()]
    scene = {_FLOOR}
    alone = [
        group
        for number, (group, own) in enumerate(groups)
        if own
        and number > 0
        and not _touch(own, scene.union(*(m for k, (_, m) in enumerate(groups) if k != number)))
    ]
    if len(alone) == sum(bool(own) for _, own in groups):
        return  # nothing collides at all: C910, or contacts are left to the scene
    message = "its geoms can meet no other part: no bit of contype and conaffinity is in common"
    yield from fold(Finding(group[0], message) for group in alone)


def _masks(group: tuple[Link, ...]) -> _Masks:
    return {masks(geom) for link in group for geom in link.geoms} - {(0, 0)}


def _touch(own: _Masks, others: _Masks) -> bool:
    return any(meet(a, b) for a in own for b in others)
