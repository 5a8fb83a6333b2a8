"""A collision mesh of very many faces.

What it checks
    Collision meshes have at most 20,000 faces (`mesh-faces`); above 200,000 it is a warning.

Why it matters
    Loading, hulls and contact with the mesh itself take long, without any gain: most programs
    collide with the convex hull. MuJoCo refuses an STL file of more than 200,000 faces.

Fix
    Simplify the mesh for collision; a few hundred faces are plenty. Draw the detailed one.

Exceptions
    An error for STL files in MJCF, or with --target mujoco, beyond MuJoCo's bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import disk
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import MeshUse, mesh_uses, place

CODE = Code("G504", "mesh-dense", Severity.INFO)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "mesh"
TOLERANCES = {"mesh-faces": 20_000.0}

_MOST = 200_000
_FACET, _HEADER = 50, 84  # bytes of a binary STL file


def check(context: Context) -> Iterator[Finding]:
    """Collision meshes that are larger than contact needs."""
    yield from fold(_dense(context))


def _dense(context: Context) -> Iterator[Finding]:
    bound = context.tolerance("mesh-faces")
    for_mujoco = context.dialect == "mjcf" or "mujoco" in context.config.target
    for use in mesh_uses(context.robot):
        refused = for_mujoco and use.suffix == ".stl"
        faces = _faces(use) if use.collides or refused else 0
        if faces > _MOST and refused:
            message = f"the STL file has more than {_MOST:,} faces, which MuJoCo refuses"
            yield _finding(context, use, message, Severity.ERROR)
        elif faces > _MOST and use.collides:
            message = f"a collision mesh of more than {_MOST:,} faces"
            yield _finding(context, use, message, Severity.WARNING)
        elif faces > bound and use.collides:
            yield _finding(context, use, f"a collision mesh of more than {bound:,.0f} faces", None)


def _finding(context: Context, use: MeshUse, message: str, severity: Severity | None) -> Finding:
    return Finding(use.mesh, message, place(context.robot, "file"), severity=severity)


def _faces(use: MeshUse) -> int:
    """How many faces a binary STL or an OBJ file has, as far as is quickly told; else 0."""
    if use.mesh.file is None or not use.geoms:
        return 0
    file = use.mesh.file
    try:
        if use.suffix == ".stl":
            head = disk.read_bytes(file, _HEADER)
            count = int.from_bytes(head[80:84], "little")
            fits = len(head) == _HEADER and _HEADER + _FACET * count <= disk.size(file)
            return count if fits else 0
        return disk.read_bytes(file).count(b"\nf ") if use.suffix == ".obj" else 0
    except OSError:
        return 0
