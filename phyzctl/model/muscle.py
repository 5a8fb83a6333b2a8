"""What a muscle pulls with, by its length and speed: MuJoCo's force-length-velocity curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phyzctl.model.joint import Bounds
from phyzctl.records import dataclass
from phyzctl.spatial import Array

_TINY = 1e-15


@dataclass(frozen=True)
class MuscleCurve:
    """Active and passive force by the length of a transmission, of which the muscle is a part.

    Of the length, `tendon` [m] is stiff; the rest, the muscle's, counts in `optimum` [m].
    `force` [N] is the active one at the optimum and at rest. The muscle is active between
    `shortest` and `longest` [optima], and shortening at `speed` [optima/s] it has no force left.
    Shares of `force` are `passive`, with which its longest resists, and `stretched`, with which it
    pulls at most while it is drawn out.
    """

    force: float
    tendon: float
    optimum: float
    shortest: float
    longest: float
    speed: float
    passive: float
    stretched: float

    @property
    def numbers(self) -> Array:
        """The fields (8,), as the kernel takes them."""
        own = self.shortest, self.longest, self.speed, self.passive, self.stretched
        return np.array((self.force, self.tendon, self.optimum, *own))


NO_MUSCLE = MuscleCurve(*[0.0] * 8)


def muscle_curve(parameters: Sequence[float], lengths: Bounds, effect: float) -> MuscleCurve:
    """By MJCF's gainprm or biasprm, and the range of lengths [m] that its first two numbers mean.

    `effect` is the norm of the acceleration by a unit of force: where no force is stated, the
    fourth number over this.
    """
    numbers = (*parameters[:9], *[0.0] * (9 - len(parameters)))
    low, high, stated, scale, shortest, longest, speed, passive, stretched = numbers
    optimum = (lengths[1] - lengths[0]) / max(_TINY, high - low)
    force = scale / max(_TINY, effect) if stated < 0.0 else stated
    tendon = lengths[0] - low * optimum
    return MuscleCurve(force, tendon, optimum, shortest, longest, speed, passive, stretched)
