"""An OBJ file of several objects that collides.

What it checks
    OBJ files of collisions, and all those of an MJCF file, hold the faces of one object or group.

Why it matters
    Programs differ in what they make of several: MuJoCo draws and weighs the first and leaves the
    others out, PyBullet collides with the hull of each, others with one hull around them all.

Fix
    Write a file for each object, and name each in a geom of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses, place

CODE = Code("F606", "obj-of-several-objects", Severity.WARNING)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "mesh"


def check(context: Context) -> Iterator[Finding]:
    """OBJ files of which consumers read different parts."""
    yield from fold(_several(context))


def _several(context: Context) -> Iterator[Finding]:
    for use in mesh_uses(context.robot):
        matters = use.geoms and (use.collides or context.dialect == "mjcf")
        if use.mesh.file is None or use.suffix != ".obj" or not matters:
            continue
        if context.surfaces.objects(use.mesh) > 1:
            message = "the file holds several objects, of which programs read different ones"
            yield Finding(use.mesh, message, place(context.robot, "file"))
