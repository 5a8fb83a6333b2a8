"""Checks that need only a Robot: each is one function that yields Findings, with one code.

The builder, `Model.validate()` and the lint rule of the same code all call the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from phyzctl import codes
from phyzctl.issues import Code, Finding, Issue
from phyzctl.robot.checks import contact, inertia, joints, keyframes, masses, numbers, shapes
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe

Check = Callable[[Robot], Iterator[Finding]]

# What `RobotBuilder.build()` refuses, beyond structure.
BUILD_CHECKS: tuple[tuple[Code, Check], ...] = (
    *numbers.CHECKS,
    *joints.CHECKS,
    *inertia.CHECKS,
    *masses.CHECKS,
    *shapes.CHECKS,
)

# What is judged besides, once a robot is whole.
FURTHER_CHECKS: tuple[tuple[Code, Check], ...] = (
    (codes.INERTIA_TRIANGLE, inertia.inertia_triangle),
    (codes.INERTIA_ZERO, inertia.inertia_zero),
    (codes.INERTIA_ROUNDED, inertia.inertia_rounded),
    (codes.GROUP_MASSLESS, masses.group_massless),
    (codes.KINEMATICS_ONLY, masses.kinematics_only),
    (codes.MASS_TINY, masses.mass_tiny),
    (codes.INERTIAL_IGNORED, masses.inertial_ignored),
    *contact.CHECKS,
    *keyframes.CHECKS,
)


def build_faults(robot: Robot) -> list[Issue]:
    """Every value fault that keeps `robot` from being built, as Issues."""
    return [issue(code, found) for code, check in BUILD_CHECKS for found in check(robot)]


def issue(code: Code, finding: Finding) -> Issue:
    """Stamp a code on a finding, at the place of its element."""
    return Issue(
        code,
        code.severity if finding.severity is None else finding.severity,
        finding.message,
        getattr(finding.element, "source", None),
        finding.subject or describe(finding.element),
        finding.fix,
        finding.related,
        finding.attribute,
    )
