"""What turns freely: momentum and energy stay, flips and precession come at their rates."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import pytest
from scipy.special import ellipk

from phyzctl.spatial import Array
from tests.anchors.beside import Beside, Line, defaults
from tests.anchors.motion import Motion, Start, both, turned

STILL = '<option gravity="0 0 0"/>'


def free(mass: float, moments: Array) -> str:
    """A free body without weight."""
    tensor = " ".join(str(float(each)) for each in moments)
    return (
        f'<mujoco>{STILL}<worldbody><body pos="0 0 1"><freejoint/><inertial pos="0 0 0" '
        f'mass="{mass}" diaginertia="{tensor}"/></body></worldbody></mujoco>'
    )


# 0.1 x 0.4 x 0.9 m, 10 kg.
BOX = 10 / 12 * np.array([0.4**2 + 0.9**2, 0.1**2 + 0.9**2, 0.1**2 + 0.4**2])
TUMBLING = Start(v=[-0.9, 0.4, 0.1, 0.1, 5.0, 0.1])


def momentum_error(motion: Motion) -> float:
    momentum = turned(motion.q[:, 3:], BOX * motion.v[:, 3:])
    off = np.linalg.norm(momentum - momentum[0], axis=1).max()
    return float(off / np.linalg.norm(momentum[0]))


def energy_error(motion: Motion) -> float:
    energy = 5.0 * (motion.v[:, :3] ** 2).sum(axis=1) + 0.5 * (BOX * motion.v[:, 3:] ** 2).sum(
        axis=1
    )
    return float(np.abs(energy / energy[0] - 1.0).max())


@cache
def tumbling(integrator: str) -> tuple[Beside, Beside]:
    """Momentum and energy of a tumbling box in 10 s at 4 ms, off by."""
    runs = both(free(10.0, BOX), 10.0, TUMBLING, dt=0.004, integrator=integrator)
    return runs.measured(momentum_error), runs.measured(energy_error)


def test_a_tumbling_box() -> None:
    momentum, energy = tumbling("best")
    assert momentum.ours < 1e-12
    assert energy.ours < 1e-5
    for integrator in ("euler", "implicitfast", "rk4"):
        for found in tumbling(integrator):
            assert found.ours == pytest.approx(found.theirs, rel=1e-4)


MOMENTS = np.array([1.0, 2.0, 3.0])
FLIPPING = np.array([0.01, 5.0, 0.01])  # almost about the middle axis


def exact_interval() -> float:
    """Between two flips: half a period of the Jacobi functions that solve Euler's equations."""
    twice = float((MOMENTS * FLIPPING**2).sum())
    square = float(((MOMENTS * FLIPPING) ** 2).sum())
    small, middle, large = MOMENTS.tolist()
    assert square > twice * middle
    rate = (large - middle) * (square - twice * small) / (small * middle * large)
    modulus = (
        (middle - small) * (twice * large - square) / ((large - middle) * (square - twice * small))
    )
    return 2.0 * float(ellipk(modulus)) / math.sqrt(rate)


def interval(motion: Motion) -> float:
    """The mean time between flips; each by a polynomial through eight samples."""
    speed, times = motion.v[:, 4], []
    for at in np.flatnonzero(np.sign(speed[:-1]) != np.sign(speed[1:])):
        roots = np.roots(np.polyfit(np.arange(-3, 5) / 4.0, speed[at - 3 : at + 5], 7))
        real = 4.0 * roots[np.abs(roots.imag) < 1e-9].real
        times.append(motion.times[at] + 0.001 * real[(real >= 0.0) & (real <= 1.0)][0])
    assert len(times) == 6
    return float(np.diff(times).mean()) - exact_interval()


@cache
def flips(integrator: str) -> Beside:
    """Five flips at 1 ms: how late a flip comes [s]."""
    runs = both(
        free(1.0, MOMENTS), 30.0, Start(v=[0, 0, 0, *FLIPPING]), dt=0.001, integrator=integrator
    )
    return runs.measured(interval)


def test_flips_about_the_middle_axis() -> None:
    assert exact_interval() == pytest.approx(5.02593, abs=1e-5)
    assert abs(flips("best").ours) < 3e-6
    assert abs(flips("rk4").ours) < 1e-9
    assert flips("euler").ours == pytest.approx(flips("euler").theirs, rel=1e-4)


TOP = (
    '<mujoco><worldbody><body><joint type="ball"/>'
    '<inertial pos="0 0 .5" mass="1" diaginertia=".05 .05 .02"/></body></worldbody></mujoco>'
)
TILT, SPIN, ARM, G = math.radians(30.0), 200.0, 0.5, 9.81
ACROSS, ALONG = 0.05 + ARM**2, 0.02


def precession() -> float:
    """The slower root of across w² cos(tilt) - along spin w + m g arm = 0."""
    a, b, c = ACROSS * math.cos(TILT), -ALONG * SPIN, G * ARM
    return (-b - math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)


def precession_error(motion: Motion) -> float:
    """Of the rate of precession; infinite when the run broke off."""
    if not motion.complete:
        return math.inf
    up = turned(motion.q, np.repeat([[0.0, 0.0, 1.0]], len(motion.q), axis=0))
    angle = np.unwrap(np.arctan2(up[:, 1], up[:, 0]))
    return abs(float(np.polyfit(motion.times, angle, 1)[0]) / precession() - 1.0)


@cache
def top(integrator: str, dt: float) -> Beside:
    rate = precession()
    start = Start(
        q=[math.cos(TILT / 2), 0.0, math.sin(TILT / 2), 0.0],
        v=[-rate * math.sin(TILT), 0.0, SPIN],
    )
    return both(TOP, 10.0, start, dt=dt, integrator=integrator).measured(precession_error)


def test_a_heavy_top() -> None:
    """At 200 rad/s, where explicit gyroscopic forces end in infinity after a second."""
    assert top("best", 0.001).ours < 1e-5
    assert top("best", 0.00025).ours < 1e-6
    assert top("euler", 0.001) == Beside(math.inf, math.inf)
    found = top("rk4", 0.001)
    assert found.ours == pytest.approx(found.theirs, rel=1e-3)


LINES = (
    Line(
        "tumbling box, 10 s, 4 ms: angular momentum",
        "0",
        lambda: defaults(lambda by: tumbling(by)[0]),
    ),
    Line("the same: energy", "0", lambda: defaults(lambda by: tumbling(by)[1])),
    Line(
        "flips about the middle axis every 5.026 s, 1 ms: late by, ms",
        "0",
        partial(defaults, flips),
        1e3,
    ),
    Line(
        "heavy top, 200 rad/s, 10 s, 1 ms: rate of precession",
        "0",
        lambda: defaults(lambda by: top(by, 0.001)),
    ),
    Line("the same, both `rk4`", "0", partial(top, "rk4", 0.001)),
)
