"""A shape, or the look of one, that the written format can't say.

What it checks
    Geoms of every link: planes, height fields and ellipsoids have no form in URDF, textures
    and COLLADA meshes none in MJCF.

Why it matters
    The part is not seen, or not touched, where it was before.

Fix
    Replace it by a shape that both formats have, or convert the mesh file.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_SHAPE
REPORTED_BY = "writer"
