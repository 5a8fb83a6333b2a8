"""A joint of a type that URDF doesn't have.

What it checks
    The type of a joint is fixed, revolute, continuous, prismatic, floating or planar, in lower
    case.

Why it matters
    Parsers refuse the file or treat the joint as fixed.

Fix
    Write one of the six types. A ball joint is three revolute joints in URDF.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.JOINT_TYPE_UNKNOWN
FORMATS = frozenset({"urdf"})
REPORTED_BY = "reader"
