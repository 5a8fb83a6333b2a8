"""A keyframe with too few or too many numbers.

What it checks
    qpos, qvel, ctrl, mpos and mquat of a keyframe have as many numbers as the model needs: a
    free joint takes 7 positions and 6 velocities, a ball 4 and 3, hinges and slides 1.

Why it matters
    MuJoCo fills up a short qpos in silence, so the rest of the robot is not where the author
    thinks; that is a warning. Any other length is refused: an error.

Fix
    Count the joints before the first wrong number: most often one was added or removed.

Exceptions
    Nothing is said where the file generates joints that phyzctl doesn't make (composites and
    flexible bodies), or has actuators that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.keyframes import keyframe_size

CODE = codes.KEYFRAME_SIZE
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Vectors of the wrong length."""
    for finding in keyframe_size(context.robot):
        if finding.attribute != "ctrl" or not _lacks_actuators(context):
            yield finding


def _lacks_actuators(context: Context) -> bool:
    """True when some actuator of the files did not make it into the Robot."""
    written = sum(
        len(node.children) for node in context.nodes() if node.tag == "actuator" and node.parent
    )
    return written > len(context.robot.actuators)
