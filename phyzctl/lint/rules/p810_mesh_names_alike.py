"""Collision meshes of one file name in different folders.

What it checks
    No two files that collisions of a URDF name differ in their folder or suffix only.

Why it matters
    MuJoCo names the meshes of a URDF after their files, and until 3.3 takes the path away: the
    second file of a name is refused, or the first one is put in its place. Visuals it leaves out.

Fix
    Rename one of the files; or write `<mujoco><compiler strippath="false"/></mujoco>` where only
    the folders differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses
from phyzctl.robot.elements import Mesh

CODE = Code("P810", "mesh-names-alike", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"mujoco"})


def check(context: Context) -> Iterator[Finding]:
    """Files that MuJoCo may take for one."""
    yield from fold(_alike(context))


def _alike(context: Context) -> Iterator[Finding]:
    owners: dict[str, Mesh] = {}
    told: set[str] = set()
    for use in mesh_uses(context.robot):
        mesh = use.mesh
        if not mesh.uri or not use.collides:
            continue
        stem = PurePosixPath(mesh.uri.replace("\\", "/")).stem
        first = owners.setdefault(stem, mesh)
        if first.uri != mesh.uri and stem not in told:
            told.add(stem)
            message = "MuJoCo until 3.3 takes the file for another one of the same name"
            related = (Related("the first of that name", first.source),)
            yield Finding(mesh, message, "filename", related=related)
