"""A hollow collision mesh of which most programs take the hull.

What it checks
    The convex hull of a collision mesh is at most 1.5 times as large as the mesh itself
    (`hull-excess`), or exceeds it by less than 50 cm³.

Why it matters
    MuJoCo, Bullet, Isaac and others collide with the hull: a cup is full, a gripper's fingers
    can't enter the ring, a foot stands on air.

Fix
    Split the mesh into convex pieces (CoACD, V-HACD), or use primitives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses, place

CODE = Code("G505", "mesh-concave", Severity.INFO)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "surface"
TOLERANCES = {"hull-excess": 1.5}

_CAVITY = 5e-5  # [m³]
_OPEN = 0.01  # share of edges with one face


def check(context: Context) -> Iterator[Finding]:
    """Hulls that are much larger than their meshes."""
    yield from fold(_concave(context))


def _concave(context: Context) -> Iterator[Finding]:
    for use in mesh_uses(context.robot):
        facts = context.surfaces.of(use.mesh) if use.collides else None
        if facts is None or facts.open_edges > _OPEN * facts.edges or not facts.volume > 0.0:
            continue
        hull = context.surfaces.hull_volume(use.mesh)
        if hull is None or hull <= context.tolerance("hull-excess") * facts.volume:
            continue
        cavity = abs(math.prod(use.mesh.scale or ())) * (hull - facts.volume)
        if cavity > _CAVITY:
            excess = context.tolerance("hull-excess")
            message = f"the hull is over {excess:g} times the mesh, which is hollow or branched"
            yield Finding(use.mesh, message, place(context.robot, "file"))
