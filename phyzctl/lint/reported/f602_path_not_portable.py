"""A path that means something on one machine only.

What it checks
    Paths of meshes are relative or begin with `package://`: they don't start at the root of the
    disk, in a home folder or with a drive letter.

Why it matters
    The robot works for its author and for nobody else.

Fix
    Write a path relative to the file, or `package://NAME/...`.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.PATH_NOT_PORTABLE
REPORTED_BY = "reader"
