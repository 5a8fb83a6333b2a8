"""A mesh that encloses no volume.

What it checks
    STL, OBJ and MSH meshes of collisions aren't flat, and at most 1 % of their edges
    (`mesh-open-edges`) belong to one face only.

Why it matters
    A flat mesh has no mass, and MuJoCo refuses to weigh it. One with holes has a mass that
    depends on the program, and where contact is decided by what is inside, things fall through.

Fix
    Close the holes, or use a primitive. In MJCF, inertia="shell" weighs the surface.

Exceptions
    An info where the mesh is merely open: many programs collide with its hull.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses, place

CODE = Code("G506", "mesh-open", Severity.WARNING)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "surface"
TOLERANCES = {"mesh-open-edges": 0.01}

_FLAT = 1e-6  # of the bounding box's volume


def check(context: Context) -> Iterator[Finding]:
    """Flat meshes and meshes with holes."""
    yield from fold(_open(context))


def _open(context: Context) -> Iterator[Finding]:
    attribute = place(context.robot, "file")
    for use in mesh_uses(context.robot):
        facts = context.surfaces.of(use.mesh) if use.collides else None
        if facts is None or use.mesh.inertia_mode == "shell":
            continue
        if abs(facts.volume) <= _FLAT * facts.box_volume:
            yield Finding(use.mesh, "the collision mesh is flat: it encloses no volume", attribute)
        elif facts.open_edges > context.tolerance("mesh-open-edges") * facts.edges:
            message = "the collision mesh has holes: edges of one face only"
            yield Finding(use.mesh, message, attribute, severity=Severity.INFO)
