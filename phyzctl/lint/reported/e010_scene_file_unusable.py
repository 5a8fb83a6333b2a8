"""A file that a scene names, and that can't be used.

What it checks
    Meshes and robots that stand in a scene are there, can be read and hold collision shapes; the
    joint positions stated for a robot are those of its joints.

Why it matters
    An obstacle that can't be read would not be hit.

Fix
    Correct the path, which counts from the scene's folder, or the file.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.SCENE_FILE_UNUSABLE
REPORTED_BY = "reader"
