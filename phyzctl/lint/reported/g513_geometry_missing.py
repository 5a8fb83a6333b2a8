"""A geometry that holds no shape.

What it checks
    A `<geometry>` of a URDF holds one of URDF's shapes. In MJCF, `fromto` names two different
    points and stands on a capsule, cylinder, box or ellipsoid; a geom of type mesh or hfield
    names one; a mesh has a file or vertices.

Why it matters
    The part is drawn as nothing and collides with nothing, and most programs don't say so.

Fix
    Write the shape that is meant, or remove the visual, collision or geom.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.GEOMETRY_MISSING
REPORTED_BY = "reader"
