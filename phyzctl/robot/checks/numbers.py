"""Numbers that are not finite."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
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
    for name in _names(element.__class__):
        value = getattr(element, name)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, float):
                if not math.isfinite(number) and not _may_be_infinite(element, name, number):
                    yield f"{prefix}{name}", number
            elif is_dataclass(number):
                yield from _not_finite_numbers(number, f"{prefix}{name}.")


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind) if item.name != "source")


def _may_be_infinite(element: Any, name: str, value: float) -> bool:
    bounded = isinstance(element, JointLimit) and name in _MAY_BE_INFINITE
    return bounded and not math.isnan(value)


CHECKS = ((codes.NUMBER_NOT_FINITE, not_finite),)
