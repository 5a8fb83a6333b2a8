"""Poses and twists in the plane: the slider's state, and the exponential that moves it."""

from __future__ import annotations

import math
from typing import NamedTuple

from phyzctl.pushing.checks import require_finite
from phyzctl.records import dataclass


class Twist(NamedTuple):
    """A velocity in the body frame: `vx`, `vy` [m/s] of the centre and `omega` [rad/s]."""

    vx: float
    vy: float
    omega: float


AT_REST = Twist(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SliderState:
    """The slider's pose in the world: its centre `x`, `y` [m] and `theta` [rad], never wrapped.

    `ParameterError` for what is not finite.
    """

    x: float = 0.0
    y: float = 0.0
    theta: float = 0.0

    def __post_init__(self) -> None:
        require_finite("x", self.x)
        require_finite("y", self.y)
        require_finite("theta", self.theta)

    def point(self, px: float, py: float) -> tuple[float, float]:
        """A point of the body frame [m] in the world frame [m]."""
        cosine, sine = math.cos(self.theta), math.sin(self.theta)
        return self.x + cosine * px - sine * py, self.y + sine * px + cosine * py

    def moved(self, twist: Twist, dt: float) -> SliderState:
        """Where a body twist held for `dt` [s] takes the slider.

        Exact, by the SE(2) exponential: an arc, whose chord leads along half its turn.
        """
        half = 0.5 * twist.omega * dt
        reach = dt * math.sin(half) / half if half != 0.0 else dt
        along, across = math.cos(self.theta + half), math.sin(self.theta + half)
        return SliderState(
            self.x + reach * (along * twist.vx - across * twist.vy),
            self.y + reach * (across * twist.vx + along * twist.vy),
            self.theta + twist.omega * dt,
        )
