"""A mimic joint that a consumer lets move on its own.

What it checks
    A URDF has no `<mimic>` where a target doesn't follow it: PyBullet, KDL, Drake's continuous
    plants, and MuJoCo before 3.17.

Why it matters
    The second finger of a gripper hangs loose, and joint vectors are longer than expected.

Fix
    Add what the program has instead: a gear constraint in PyBullet, an equality in MJCF, a coupler
    in Drake's discrete plants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold

CODE = Code("P812", "mimic-ignored", Severity.INFO)
FORMATS = frozenset({"urdf"})

_NAMES: Mapping[str, str] = {
    "drake": "a continuous plant of Drake",
    "kdl": "KDL",
    "mujoco": "MuJoCo before 3.17",
    "pybullet": "PyBullet",
}
TARGETS = frozenset(_NAMES)


def check(context: Context) -> Iterator[Finding]:
    """Followers that don't follow."""
    who = ", ".join(_NAMES[name] for name in context.targets(TARGETS))
    yield from fold(
        Finding(joint, f"the joint doesn't follow another in {who}", "mimic@")
        for joint in context.robot.joints
        if joint.mimic is not None
    )
