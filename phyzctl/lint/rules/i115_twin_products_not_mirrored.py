"""Twins whose products of inertia have the wrong signs.

What it checks
    Links of a URDF that go by the same name but for left and right, and have the same moments of
    inertia, have products of inertia (ixy, ixz, iyz) with the signs of a mirror image.

Why it matters
    A tensor that was copied from one side to the other leans the wrong way: turning the part
    shakes it as the real one's twin would be shaken.

Fix
    Change the sign of the two products that hold the axis across the plane between the twins:
    ixy and iyz where that is y.

Exceptions
    Products below 2 % of the largest moment, and parts whose shapes don't mirror.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import summed
from phyzctl.lint.poses import Pose, Rows, pose_of, transposed
from phyzctl.lint.twins import Twins
from phyzctl.robot.elements import Inertial

CODE = Code("I115", "twin-products-not-mirrored", Severity.INFO)
FORMATS = frozenset({"urdf"})
COST = "mesh"

_SAME = 0.01  # of the largest entry: how well moments and products agree
_SMALL = 0.02  # of the largest moment: products that turn the axes by next to nothing
_PRODUCTS = (("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2))


def check(context: Context) -> Iterator[Finding]:
    """Products that were copied from the other side."""
    summary = "its products of inertia don't have the signs of a mirror image of its twin"
    yield from summed(_found(context), summary)


def _found(context: Context) -> Iterator[Finding]:
    for twins in context.twins:
        names = _wrong(twins)
        if names:
            message = (
                f"{' and '.join(names)} should have the other sign, by the mirror image of its "
                f"twin {twins.left.name!r}"
            )
            related = (Related(f"{twins.left.name!r} stands here", twins.left.source),)
            place = f"inertial/inertia@{names[0]}"
            yield Finding(twins.right, message, place, related=related)


def _wrong(twins: Twins) -> list[str]:
    """The products whose sign alone is not that of the mirror image."""
    left, right = (_tensor(inertial) for inertial in twins.inertials)
    if left is None or right is None or twins.mirror is None or not twins.weigh_the_same:
        return []
    largest = max(abs(right[k][k]) for k in range(3))
    if any(abs(left[k][k] - right[k][k]) > _SAME * largest for k in range(3)):
        return []
    wrong = []
    for name, i, j in _PRODUCTS:
        expected = twins.mirror[i] * twins.mirror[j] * left[i][j]
        if abs(abs(expected) - abs(right[i][j])) > _SAME * largest:
            return []
        if expected * right[i][j] < 0.0 and abs(expected) > _SMALL * largest:
            wrong.append(name)
    return wrong


def _tensor(inertial: Inertial) -> Rows | None:
    """The tensor about the axes of the link."""
    tensor, pose = inertial.inertia, pose_of(inertial)
    if tensor is None or pose is None or not all(map(math.isfinite, tensor)):
        return None
    ixx, ixy, ixz, iyy, iyz, izz = tensor
    own = Pose(rows=((ixx, ixy, ixz), (ixy, iyy, iyz), (ixz, iyz, izz)))
    return (Pose(rows=pose.rows) @ own @ Pose(rows=transposed(pose.rows))).rows
