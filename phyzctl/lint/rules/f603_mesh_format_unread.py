"""A mesh in a format that a consumer can't read.

What it checks
    The suffix of each mesh file is that of a format which the targets read. MuJoCo counts as a
    target of MJCF; where none is named for a URDF, only formats that nobody reads are reported.

Why it matters
    MuJoCo reads STL, OBJ and MSH and refuses to load a robot that collides with anything else.
    Drake reads OBJ and glTF, and no STL. CAD files such as STEP are read by nobody.

Fix
    Convert the mesh, best to OBJ, which all of them read.

Exceptions
    A warning where the mesh is only drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import MeshUse, mesh_uses, place

CODE = Code("F603", "mesh-format-unread", Severity.ERROR)
FORMATS = frozenset({"urdf", "mjcf"})

_ASSIMP = frozenset({".3ds", ".dae", ".glb", ".gltf", ".obj", ".ply", ".stl", ".mesh"})
_READ: Mapping[str, frozenset[str]] = {
    "mujoco": frozenset({".stl", ".obj", ".msh"}),
    "drake": frozenset({".obj", ".gltf", ".vtk", ".sdf"}),
    "pybullet": frozenset({".stl", ".obj", ".dae", ".cdf"}),
    "gazebo": frozenset({".dae", ".glb", ".gltf", ".obj", ".stl"}),
    "isaac": frozenset({".dae", ".fbx", ".glb", ".gltf", ".obj", ".stl", ".usd", ".usda", ".usdc"}),
    "ros2": _ASSIMP,
    "moveit": _ASSIMP,
    "pinocchio": _ASSIMP,
}
_ANY = frozenset().union(*_READ.values(), {".off", ".wrl", ".x3d", ".xml", ".usdz"})


def check(context: Context) -> Iterator[Finding]:
    """Meshes that a target can't read; one finding for all of a format."""
    yield from fold(_unread(context))


def _unread(context: Context) -> Iterator[Finding]:
    attribute = place(context.robot, "file")
    for use in mesh_uses(context.robot):
        if not use.suffix or not use.geoms:
            continue
        message = _complaint(use, context)
        if message is not None:
            severity = None if use.collides else Severity.WARNING
            yield Finding(use.mesh, message, attribute, severity=severity)


def _complaint(use: MeshUse, context: Context) -> str | None:
    wanted = context.config.target or (("mujoco",) if context.dialect == "mjcf" else ())
    readers = [name for name in _READ if name in wanted and use.suffix not in _READ[name]]
    if readers:
        return f"{', '.join(readers)} can't read {use.suffix} files"
    if use.suffix not in _ANY and not wanted:
        return f"no program that reads robots reads {use.suffix} files"
    return None
