"""A mesh that is a thousand times too large, or too small.

What it checks
    No mesh measures more than 5 m, or less than 0.1 mm, where a factor of 1000 would bring it to
    the size of the robot, which is taken from the distances between its joints.

Why it matters
    Mesh files know no unit. One in millimetres, read as metres, hides the robot and collides with
    all the world; one that is scaled down twice can't be seen, and never collides.

Fix
    Write scale="0.001 0.001 0.001" for millimetres; the offered fix does where no scale is
    written. Take the scale away where the file is in metres already.

Exceptions
    A warning for the small ones, which do no harm but are missing. Robots whose joints don't
    tell a size, and scenery that would fit no robot, are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import set_attribute
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses
from phyzctl.robot.elements import Mesh

CODE = Code("G500", "mesh-off-by-a-unit", Severity.ERROR)
FORMATS = frozenset({"urdf", "mjcf"})
COST = "mesh"

_OWN_SCALE = (1.0, 1.0, 1.0)
_MILLI = "0.001 0.001 0.001"


def check(context: Context) -> Iterator[Finding]:
    """Meshes of another order than the robot."""
    yield from fold(_off(context))


def _off(context: Context) -> Iterator[Finding]:
    extents = context.facts.extents
    for use in mesh_uses(context.robot):
        if not use.geoms or extents.mesh_box(use.mesh.name) is not None:
            continue
        size = extents.misscaled.get(use.mesh.name)
        if size is None:
            continue
        message = f"the mesh measures {size:.3g} m, far from what lies between the robot's joints"
        if size > 1.0:
            fix = _shrink(context, use.mesh)
            yield Finding(use.mesh, f"{message}: is the file in millimetres?", "scale", fix=fix)
        else:
            message = f"{message}: is it scaled down twice?"
            yield Finding(use.mesh, message, "scale", severity=Severity.WARNING)


def _shrink(context: Context, mesh: Mesh) -> Fix | None:
    node = context.node(mesh)
    if node is None or mesh.scale != _OWN_SCALE:
        return None
    return node.document.fix(f'write scale="{_MILLI}"', set_attribute(node, "scale", _MILLI))
