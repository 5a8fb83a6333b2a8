"""A MoveIt scene that doesn't follow its format.

What it checks
    The text is a name, objects that begin with `*` (id, in newer files a pose, the number of
    shapes; then each shape's kind, sizes, pose and colour; in newer files subframes), and a full
    stop at the end. Shapes are sphere, box, cylinder, plane and mesh.

Why it matters
    The format has no names for its numbers: behind the first one that is wrong, all are.

Fix
    Save the scene again, or mend the text at the place given.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.SCENE_TEXT_MALFORMED
REPORTED_BY = "reader"
