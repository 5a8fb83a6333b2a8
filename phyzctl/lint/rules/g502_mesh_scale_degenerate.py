"""A mesh scale that flattens or distorts.

What it checks
    No scale of a mesh is 0, and the largest of the three is at most ten times the smallest
    (`mesh-distortion`).

Why it matters
    With a scale of 0 the mesh has no volume: MuJoCo refuses it, and elsewhere the part is gone.
    Scales of different magnitude are mostly a slip of one zero; the part becomes a needle.

Fix
    Write the same scale three times, or export the mesh in the shape that is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold

CODE = Code("G502", "mesh-scale-degenerate", Severity.WARNING)
FORMATS = frozenset({"urdf", "mjcf"})
TOLERANCES = {"mesh-distortion": 10.0}


def check(context: Context) -> Iterator[Finding]:
    """Scales that leave no shape, or another one."""
    yield from fold(_degenerate(context))


def _degenerate(context: Context) -> Iterator[Finding]:
    for mesh in context.robot.meshes:
        sizes = [abs(factor) for factor in mesh.scale or ()]
        if not sizes:
            continue
        if min(sizes) == 0.0:
            message = "a scale of 0 leaves no volume"
            yield Finding(mesh, message, "scale", severity=Severity.ERROR)
        elif max(sizes) > context.tolerance("mesh-distortion") * min(sizes):
            ratio = max(sizes) / min(sizes)
            yield Finding(mesh, f"scales differ by a factor of {ratio:.3g}", "scale")
