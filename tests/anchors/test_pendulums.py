"""Periods and energies of pendulums against elliptic integrals and closed forms."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipk

from phyzctl.spatial import Array
from tests.anchors.beside import Beside, Line, defaults
from tests.anchors.motion import Motion, Start, ours, theirs

G = 9.81
# A rod of 1 m and 1 kg.
ROD = f'<inertial pos="0 0 -.5" mass="1" diaginertia="{1 / 12} {1 / 12} 1e-4"/>'
SINGLE = f'<mujoco><worldbody><body><joint axis="0 1 0"/>{ROD}</body></worldbody></mujoco>'
DOUBLE = (
    f'<mujoco><worldbody><body><joint axis="0 1 0"/>{ROD}<body pos="0 0 -1"><joint axis="0 1 0"/>'
    f"{ROD}</body></body></worldbody></mujoco>"
)
PERIOD = 4.0 / math.sqrt(1.5 * G) * float(ellipk(math.sin(math.pi / 4.0) ** 2))


def crossing(motion: Motion, count: int) -> float:
    """When it hangs straight for the `count`th time: by a polynomial through ten samples."""
    q = motion.q[:, 0]
    at = np.flatnonzero(np.sign(q[:-1]) != np.sign(q[1:]))[count]
    places = np.arange(-4, 6) / 5.0
    polynomial = np.polyfit(places, q[at - 4 : at + 6], 9)
    share = brentq(lambda s: float(np.polyval(polynomial, s / 5.0)), 0.0, 1.0, xtol=1e-15)
    return float(motion.times[at] + share * (motion.times[at + 1] - motion.times[at]))


def period(motion: Motion) -> float:
    """Relative to the exact one, off by: over four swings from 90 degrees."""
    return abs((crossing(motion, 8) - crossing(motion, 0)) / 4.0 / PERIOD - 1.0)


@cache
def periods(integrator: str, dt: float) -> Beside:
    start = Start(q=[math.pi / 2.0])
    their = (
        None if integrator == "best" else theirs(SINGLE, 10.0, start, dt=dt, integrator=integrator)
    )
    found = ours(SINGLE, 10.0, start, dt=dt, integrator=integrator)
    return Beside(None if their is None else period(their), period(found))


def test_the_period_by_runge_kutta() -> None:
    assert periods("rk4", 0.001).ours < 2e-12
    ratio = periods("rk4", 0.008).ours / periods("rk4", 0.002).ours
    assert math.log(ratio, 4.0) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("integrator", ["euler", "rk4"])
@pytest.mark.parametrize("dt", [0.008, 0.004, 0.002])
def test_the_period_is_mujocos(integrator: str, dt: float) -> None:
    found = periods(integrator, dt)
    assert found.theirs is not None
    assert found.ours == pytest.approx(found.theirs, rel=1e-2, abs=1e-13)


def test_the_period_by_best_is_no_worse_than_eulers() -> None:
    """Both are symplectic, and at 90 degrees their error happens to be of fourth order."""
    for dt in (0.008, 0.001):
        assert periods("best", dt).ours < 1.01 * periods("euler", dt).ours + 1e-13


def energy(motion: Motion) -> Array:
    """Of the double pendulum, angles from the vertical."""
    a, b = motion.q[:, 0], motion.q.sum(axis=1)
    u, w = motion.v[:, 0], motion.v.sum(axis=1)
    kinetic = u**2 / 6.0 + w**2 / 24.0 + 0.5 * (u**2 + 0.25 * w**2 + u * w * np.cos(a - b))
    found: Array = kinetic - G * (1.5 * np.cos(a) + 0.5 * np.cos(b))
    return found


def peak(motion: Motion) -> float:
    found = energy(motion)
    return float(np.abs(found / found[0] - 1.0).max())


@cache
def energies(integrator: str, dt: float, seconds: float = 5.0) -> Beside:
    start = Start(q=[1.0, 0.5])
    their = None
    if integrator != "best":
        their = peak(theirs(DOUBLE, seconds, start, dt=dt, integrator=integrator))
    return Beside(their, peak(ours(DOUBLE, seconds, start, dt=dt, integrator=integrator)))


@pytest.mark.parametrize(
    ("dt", "published"), [(0.004, 5.1e-2), (0.002, 2.6e-2), (0.001, 1.3e-2), (0.00025, 3.3e-3)]
)
def test_energy_by_euler_is_what_others_published(dt: float, published: float) -> None:
    found = energies("euler", dt)
    assert found.ours == pytest.approx(published, rel=0.02)
    assert found.ours == pytest.approx(found.theirs, rel=1e-6)


def test_energy_by_the_better_integrators() -> None:
    for integrator, order in (("rk4", 4.0), ("best", 2.0)):
        coarse, fine = (energies(integrator, dt).ours for dt in (0.004, 0.002))
        assert math.log2(coarse / fine) == pytest.approx(order, abs=0.2)
    assert energies("rk4", 0.001).ours < 2e-10
    assert energies("best", 0.001).ours < 1e-5


def test_energy_does_not_drift_in_100_seconds() -> None:
    assert energies("euler", 0.001, 100.0).ours == pytest.approx(0.119, rel=0.02)
    assert energies("best", 0.001, 100.0).ours < 1e-4


LINES = (
    Line("pendulum from 90°, 1 ms, both `rk4`: period", "0", partial(periods, "rk4", 0.001)),
    Line("the same, 8 ms, both `rk4`", "0", partial(periods, "rk4", 0.008)),
    Line(
        "double pendulum, 5 s, 4 ms, both `euler`: energy",
        "0; phyz 5.1e-2",
        partial(energies, "euler", 0.004),
    ),
    Line("the same, 1 ms", "0; phyz 1.3e-2", lambda: defaults(lambda by: energies(by, 0.001))),
    Line("the same, 1 ms, both `rk4`", "0", partial(energies, "rk4", 0.001)),
    Line("the same, 100 s, 1 ms", "0", lambda: defaults(lambda by: energies(by, 0.001, 100.0))),
)
