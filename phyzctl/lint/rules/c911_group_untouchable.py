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

from collections.abc import Iterator, Sequence
from itertools import accumulate

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.contact import Masks, masks, meet, merged

CODE = Code("C911", "group-untouchable", Severity.WARNING)
FORMATS = frozenset({"mjcf"})

_FLOOR = (1, 1)
_NOTHING = (0, 0)


def check(context: Context) -> Iterator[Finding]:
    """Parts whose masks let them meet nothing."""
    robot = context.robot
    if robot.pairs:
        return
    groups = robot.structure.rigid_groups()
    own = [merged(masks(geom) for link in group for geom in link.geoms) for group in groups]
    alone = [
        group
        for number, (group, mine, others) in enumerate(zip(groups, own, _others(own), strict=True))
        if number > 0 and any(mine) and not meet(mine, others)
    ]
    if len(alone) == sum(any(mine) for mine in own):
        return  # nothing collides at all: C910, or contacts are left to the scene
    message = "its geoms can meet no other part: no bit of contype and conaffinity is in common"
    yield from fold(Finding(group[0], message) for group in alone)


def _others(own: Sequence[Masks]) -> Iterator[Masks]:
    """For each group, the masks of all others and of a floor."""
    before = accumulate(own, _both, initial=_FLOOR)
    behind = [*accumulate(reversed(own), _both, initial=_NOTHING)][-2::-1]
    return map(_both, before, behind)


def _both(a: Masks, b: Masks) -> Masks:
    return merged((a, b))
