"""Numbers that are not finite."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.robot.elements import JointLimit
from phyzctl.robot.robot import Robot

# Fields in which infinity means "unlimited" (URDF 1.2).
_MAY_BE_INFINITE = frozenset({"acceleration", "deceleration", "jerk", "effort", "velocity"})


def not_finite(robot: Robot) -> Iterator[Finding]:
    """NaN anywhere, or infinity where it is not a limit."""
    for item in fields(robot):
        value = getattr(robot, item.name)
        for element in value if isinstance(value, tuple) else (value,):
            if is_dataclass(element):
                for name, number in _not_finite_numbers(element):
                    yield Finding(element, f"{name} is {number}, which is not a finite number")


def _not_finite_numbers(element: Any, prefix: str = "") -> Iterator[tuple[str, float]]:
    for item in fields(element):
        value = getattr(element, item.name)
        if item.name == "source" or _may_be_infinite(element, item.name, value):
            continue
        for number in value if isinstance(value, tuple) else (value,):
            if is_dataclass(number):
                yield from _not_finite_numbers(number, f"{prefix}{item.name}.")
            elif isinstance(number, float) and not math.isfinite(number):
                yield f"{prefix}{item.name}", number


def _may_be_infinite(element: Any, name: str, value: Any) -> bool:
    bounded = isinstance(element, JointLimit) and name in _MAY_BE_INFINITE
    return bounded and isinstance(value, float) and not math.isnan(value)


CHECKS = ((codes.NUMBER_NOT_FINITE, not_finite),)
