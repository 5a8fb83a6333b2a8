"""Restitution of built robots: Newton's law along the normal, Coulomb's across."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from phyzctl import Box, ContactMaterial, Sphere
from phyzctl.geometry.shapes import Shape
from tests.anchors.beside import Beside, Line
from tests.anchors.built import loose
from tests.anchors.motion import Motion, Start, ours

G = 9.81
RADIUS = 0.1


def dropped(shape: Shape, height: float, material: ContactMaterial, dt: float, way: str) -> Motion:
    """From `height` [m] until it is thrown back."""
    model = loose([shape], material, mass=1.0)
    start = Start(q=[0.0, 0.0, height + RADIUS, 1.0, 0.0, 0.0, 0.0])
    return ours(model, math.sqrt(2.0 * height / G) + 5.0 * dt, start, dt=dt, integrator=way)


@pytest.mark.parametrize("dt", [0.0005, 0.001, 0.002])
@pytest.mark.parametrize("height", [0.05, 0.2, 0.8])
@pytest.mark.parametrize("e", [0.1, 0.3, 0.5, 0.8, 1.0])
def test_what_falls_is_thrown_back(e: float, height: float, dt: float) -> None:
    """Before gravity brakes it: the gate is 5 % of e, from 5 cm to 80 cm."""
    motion = dropped(Sphere(RADIUS), height, ContactMaterial(restitution=e), dt, "best")
    speed = motion.v[:, 2]
    hit = int(speed.argmin())
    assert speed[hit] == pytest.approx(-math.sqrt(2.0 * G * height), abs=1.01 * G * dt)
    assert speed[hit + 1] / -speed[hit] == pytest.approx(e, rel=1e-4)


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "best"])
@pytest.mark.parametrize(
    "shape", [Sphere(RADIUS), Box((0.3, 0.4, 2.0 * RADIUS))], ids=["ball", "box"]
)
def test_shapes_and_integrators(shape: Shape, integrator: str) -> None:
    """A box lands on four corners at once."""
    material = ContactMaterial(restitution=0.6)
    speed = dropped(shape, 0.3, material, 0.001, integrator).v[:, 2]
    hit = int(speed.argmin())
    assert speed[hit + 1] / -speed[hit] == pytest.approx(0.6, rel=1e-3)


@pytest.mark.parametrize("friction", [0.5, 0.7])
@pytest.mark.parametrize("e", [0.2, 0.9])
@pytest.mark.parametrize(("along", "down"), [(0.5, -2.0), (3.0, -1.0), (-6.0, -1.0), (0.0, -1.0)])
def test_oblique_impacts(along: float, down: float, e: float, friction: float) -> None:
    """A ball that doesn't spin slides through the impact or rolls after it (Routh)."""
    model = loose([Sphere(RADIUS)], ContactMaterial(friction=friction, restitution=e), mass=2.0)
    model.gravity = (0.0, 0.0, 0.0)
    above = RADIUS - down * 0.0005  # touches in the middle of the first step
    start = Start(q=[0, 0, above - 1e-6, 1, 0, 0, 0], v=[along, 0, down, 0, 0, 0])
    end = ours(model, 0.001, start, dt=0.001).v[-1]
    taken = min(2.0 / 7.0 * abs(along), friction * (1.0 + e) * -down)
    sign = math.copysign(1.0, along)
    assert end[2] == pytest.approx(-e * down, rel=1e-3)
    assert end[0] == pytest.approx(along - sign * taken, abs=2e-3)
    assert end[4] == pytest.approx(sign * taken * 2.5 / RADIUS, abs=5e-2)


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_two_balls(e: float) -> None:
    """Momentum stays; the relative speed is thrown back."""
    model = loose(
        [Sphere(0.1), Sphere(0.1)], ContactMaterial(restitution=e), mass=1.0, ground=False
    )
    model.gravity = (0.0, 0.0, 0.0)
    q, v = model.default_state().q, np.zeros(12)
    q[7], v[0] = 0.3, 2.0
    end = ours(model, 0.5, Start(q=q, v=v), dt=0.001).v[-1]
    assert end[0] + end[6] == pytest.approx(2.0, abs=1e-12)
    # Without restitution there is the spring of MuJoCo's default, critically damped, which lets go
    # when its force has come down to nothing: at e^-2 of the speed.
    thrown = 2.0 * (e or math.exp(-2.0))
    assert end[6] - end[0] == pytest.approx(thrown, rel=1e-3 if e else 0.05)


def test_it_comes_to_rest() -> None:
    """As deep as a ball that never bounced."""
    depths = []
    for e in (0.0, 0.6):
        end = ours(
            loose([Sphere(RADIUS)], ContactMaterial(restitution=e), mass=1.0),
            5.0,
            Start(q=[0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 0.0]),
            dt=0.001,
        )
        assert np.abs(end.v[-100:]).max() < 1e-6
        depths.append(end.q[-1, 2])
    assert depths[1] == pytest.approx(depths[0], abs=1e-9)


def test_without_loss_the_height_stays() -> None:
    """Twenty seconds of bouncing from 1 m."""
    model = loose([Sphere(RADIUS)], ContactMaterial(restitution=1.0), mass=1.0)
    motion = ours(model, 20.0, Start(q=[0, 0, 1.1, 1, 0, 0, 0]), dt=0.001)
    energy = 0.5 * motion.v[:, 2] ** 2 + G * motion.q[:, 2]
    assert np.abs(energy - energy[0]).max() < 1e-3 * energy[0]


def rebound(e: float, height: float) -> Beside:
    """The share of its speed that a ball is thrown back with, at 1 ms."""
    motion = dropped(Sphere(RADIUS), height, ContactMaterial(restitution=e), 0.001, "best")
    hit = int(motion.v[:, 2].argmin())
    return Beside(None, float(motion.v[hit + 1, 2] / -motion.v[hit, 2]))


LINES = (
    Line("ball from 5 cm, restitution 0.3, 1 ms", "0.3", partial(rebound, 0.3, 0.05)),
    Line("the same from 80 cm", "0.3", partial(rebound, 0.3, 0.8)),
    Line("ball from 80 cm, restitution 0.8", "0.8", partial(rebound, 0.8, 0.8)),
)
