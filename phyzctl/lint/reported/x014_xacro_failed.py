"""A xacro that can't be expanded.

What it checks
    The macros, properties, arguments, conditions and expressions of a xacro, by expanding it with
    the `xacro` package as ROS does. Expressions may compute, and nothing else: one that reaches
    for Python behind the values is refused. What xacro itself warns of is a warning.

Why it matters
    Nothing can be said of the robot, and no launch file gets it either.

Fix
    The place named is the element that was being expanded, related places are the macros around
    it. Arguments are given with `--xacro-arg NAME=VALUE`, or in `[xacro-args]` of the
    configuration.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.XACRO_FAILED
REPORTED_BY = "reader"
