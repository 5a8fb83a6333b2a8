"""A mesh whose faces don't agree on which side is out.

What it checks
    Where two faces of an STL, OBJ or MSH mesh share an edge, they run along it in opposite ways,
    but for 1 % of all edges (`mesh-turned-edges`).

Why it matters
    Some faces look inwards. They are drawn black or not at all, the volume is wrong, and MuJoCo
    refuses the mesh where it takes its inertia exactly.

Fix
    Let a mesh program make the winding consistent ("recalculate normals") and save it again.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses, place

CODE = Code("G507", "mesh-winding", Severity.WARNING)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "surface"
TOLERANCES = {"mesh-turned-edges": 0.01}


def check(context: Context) -> Iterator[Finding]:
    """Meshes of which part looks inwards."""
    yield from fold(_turned(context))


def _turned(context: Context) -> Iterator[Finding]:
    for use in mesh_uses(context.robot):
        facts = context.surfaces.of(use.mesh) if use.geoms else None
        if (
            facts is not None
            and facts.turned_edges > context.tolerance("mesh-turned-edges") * facts.edges
        ):
            share = facts.turned_edges / facts.edges
            message = f"faces meet with opposite sides out along {share:.0%} of the edges"
            yield Finding(use.mesh, message, place(context.robot, "file"))
