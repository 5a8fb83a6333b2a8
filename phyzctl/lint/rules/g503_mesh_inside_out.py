"""A mesh that is inside out.

What it checks
    The volume that the faces of a closed STL, OBJ or MSH mesh enclose is positive.

Why it matters
    Each face looks the wrong way. Drawn, the part is black or invisible; a mass taken from it is
    negative, and contact pushes inwards. MuJoCo refuses it where it has to weigh it.

Fix
    Turn all faces over ("flip normals", "recalculate outside") and save the mesh again.

Exceptions
    Meshes with holes have no inside; G506 tells of these.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses, place

CODE = Code("G503", "mesh-inside-out", Severity.WARNING)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "surface"

_OPEN = 0.01  # share of edges with one face below which a mesh counts as closed
_FLAT = 1e-6  # of the bounding box


def check(context: Context) -> Iterator[Finding]:
    """Negative volumes."""
    yield from fold(_inside_out(context))


def _inside_out(context: Context) -> Iterator[Finding]:
    for use in mesh_uses(context.robot):
        facts = context.surfaces.of(use.mesh) if use.geoms else None
        if facts is None or facts.open_edges > _OPEN * facts.edges:
            continue
        if facts.volume < -_FLAT * facts.box_volume:
            message = "all faces look inwards: the mesh is inside out"
            yield Finding(use.mesh, message, place(context.robot, "file"))
