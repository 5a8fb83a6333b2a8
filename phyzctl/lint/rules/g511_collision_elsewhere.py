"""A collision that is somewhere else than what is drawn.

What it checks
    The boxes around the visuals and around the collisions of a rigid part share at least a
    quarter of the smaller one (`collision-overlap`).

Why it matters
    The part is hit where nothing can be seen, and passes through what it seems to touch: an
    origin was copied to one of the two and not to the other.

Fix
    Give both the same origin.

Exceptions
    Parts of which a shape is not known, and those that are not drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.facts import group_poses
from phyzctl.lint.poses import Box, around
from phyzctl.robot.checks.groups import Group
from phyzctl.robot.elements import Geom, Link

CODE = Code("G511", "collision-elsewhere", Severity.INFO)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "mesh"
TOLERANCES = {"collision-overlap": 0.25}

_THIN = 1e-3  # [m] thinner boxes count as that thick


def check(context: Context) -> Iterator[Finding]:
    """Visuals and collisions that hardly overlap."""
    for group in context.robot.structure.rigid_groups():
        drawn, solid = _box(context, group, drawn=True), _box(context, group, drawn=False)
        if drawn is None or solid is None:
            continue
        share = _share(drawn, solid)
        if share < context.tolerance("collision-overlap"):
            link = next(link for link in group if link.collisions)
            message = f"collisions and visuals share only {share:.0%} of the smaller one's box"
            yield Finding(link.collisions[0], message, subject=f"link {link.name!r}")


def _box(context: Context, group: Group, *, drawn: bool) -> Box | None:
    """The box around a group's visuals or collisions; None when one isn't known, or for none."""
    poses = group_poses(context.robot, group)
    found: list[Box] = []
    for link in group:
        geoms = _geoms(link, drawn=drawn)
        boxes = context.facts.extents.boxes(link, poses[link.name], among=geoms)
        if boxes is None:
            return None
        found.extend(boxes)
    return around(found)


def _geoms(link: Link, *, drawn: bool) -> tuple[Geom, ...]:
    return link.visuals if drawn else link.collisions


def _share(a: Box, b: Box) -> float:
    """The volume that two boxes share, of the smaller one's."""
    shared = smaller = other = 1.0
    for low, high, low_b, high_b in zip(a.low, a.high, b.low, b.high, strict=True):
        pad, pad_b = max(0.0, _THIN - (high - low)) / 2, max(0.0, _THIN - (high_b - low_b)) / 2
        left, right = max(low - pad, low_b - pad_b), min(high + pad, high_b + pad_b)
        shared *= max(0.0, right - left)
        smaller *= high - low + 2 * pad
        other *= high_b - low_b + 2 * pad_b
    whole = min(smaller, other)
    return shared / whole if math.isfinite(whole) and whole > 0.0 else 1.0
