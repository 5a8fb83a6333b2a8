"""A mesh file that can't be read.

What it checks
    Mesh files that are opened hold what their suffix promises: whole, finite and not empty.

Why it matters
    The part has no shape, and where its mass is that of the shape, no mass either.

Fix
    Export the mesh again, best as binary STL or as OBJ.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MESH_UNREADABLE
COST = "mesh"
REPORTED_BY = "builder"
