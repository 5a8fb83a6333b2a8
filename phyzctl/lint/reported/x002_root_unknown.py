"""A root element that no robot format has.

What it checks
    The root of a description is `<robot>` (URDF), `<mujoco>` (MJCF) or another that phyzctl reads.

Why it matters
    The root element says which format a file is in; its suffix does not.

Fix
    Wrap the description in the right root element, or give phyzctl the right file.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ROOT_UNKNOWN
REPORTED_BY = "reader"
