"""A mesh file that can't be read.

What it checks
    STL, OBJ and MSH files hold what their suffix promises: whole, finite and not empty. Formats
    that other packages read for phyzctl are not judged.

Why it matters
    The part has no shape, and where its mass is that of the shape, no mass either.

Fix
    Export the mesh again, best as binary STL or as OBJ.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context

CODE = codes.MESH_UNREADABLE
COST = "mesh"

_OWN = (".stl", ".obj", ".msh")


def check(context: Context) -> Iterator[Finding]:
    """Broken mesh files."""
    extents = context.facts.extents
    attribute = "file" if context.dialect == "mjcf" else "filename"
    for mesh in context.robot.meshes:
        own = mesh.file is not None and mesh.file.lower().endswith(_OWN)
        if own and extents.mesh_box(mesh.name) is None and mesh.name in extents.broken:
            yield Finding(mesh, extents.broken[mesh.name], attribute)
