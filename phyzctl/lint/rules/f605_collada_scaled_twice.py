"""A COLLADA mesh whose unit and scale both shrink it.

What it checks
    A `.dae` file whose `<unit>` isn't the metre has no scale in the URDF besides.

Why it matters
    Some programs apply the file's unit, some don't, so the scale is right for one half of them
    and wrong by the unit's factor for the other.

Fix
    Export the mesh in metres, with `<unit meter="1"/>`, and leave the scale out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phyzctl import disk
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import mesh_uses

CODE = Code("F605", "collada-scaled-twice", Severity.WARNING)
FORMATS = frozenset({"urdf"})
COST = "mesh"

_HEAD = 1 << 16  # bytes; the unit stands at the beginning
_METER = re.compile(rb"<unit\b[^>]*?\bmeter\s*=\s*[\"']([^\"']*)[\"']")


def check(context: Context) -> Iterator[Finding]:
    """Units besides scales."""
    yield from fold(_scaled_twice(context))


def _scaled_twice(context: Context) -> Iterator[Finding]:
    for use in mesh_uses(context.robot):
        mesh = use.mesh
        if mesh.file is None or use.suffix != ".dae" or mesh.scale in (None, (1.0, 1.0, 1.0)):
            continue
        meter = _meter(mesh.file)
        if meter is not None and meter not in (0.0, 1.0):
            factor = " ".join(f"{value:g}" for value in mesh.scale)
            message = f"the file's unit is {meter:g} m, and scale {factor} comes on top"
            yield Finding(mesh, message, "scale")


def _meter(file: str) -> float | None:
    """The unit [m] that a COLLADA file states; None when it can't be read."""
    try:
        match = _METER.search(disk.read_bytes(file, _HEAD))
        return float(match[1]) if match else None
    except (OSError, ValueError):
        return None
