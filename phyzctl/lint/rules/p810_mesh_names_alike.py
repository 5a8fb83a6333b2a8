"""Mesh files of one name in different folders.

What it checks
    No two files that the meshes of a URDF name differ in their folder or suffix only.

Why it matters
    MuJoCo names the meshes of a URDF after their files, and until 3.3 takes the path away: the
    second file of a name is refused, or the first one is shown in its place.

Fix
    Rename one of the files; or write `<mujoco><compiler strippath="false"/></mujoco>` where only
    the folders differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.elements import Mesh

CODE = Code("P810", "mesh-names-alike", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"mujoco"})


def check(context: Context) -> Iterator[Finding]:
    """Files that MuJoCo may take for one."""
    owners: dict[str, Mesh] = {}
    told: set[str] = set()
    for mesh in context.robot.meshes:
        if not mesh.uri:
            continue
        stem = PurePosixPath(mesh.uri.replace("\\", "/")).stem
        first = owners.setdefault(stem, mesh)
        if first.uri != mesh.uri and stem not in told and first.uri is not None:
            told.add(stem)
            message = f"MuJoCo until 3.3 takes the file for {first.uri!r}, of the same name"
            related = (Related("the first of that name", first.source),)
            yield Finding(mesh, message, "filename", related=related)
