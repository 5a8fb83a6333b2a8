"""Soft contacts against their formulas: rebound, rest depth, stacks, tunnelling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, partial

import numpy as np
import pytest

from tests.anchors.beside import Beside, Line
from tests.anchors.motion import Both, Motion, Start, both

G = 9.81


def above_a_floor(geom: str, height: float, softness: str = "") -> str:
    return (
        f'<mujoco><option cone="elliptic"/><default><geom {softness}/></default><worldbody>'
        f'<geom type="plane" size="9 9 1"/><body pos="0 0 {height}"><freejoint/><geom {geom}/>'
        "</body></worldbody></mujoco>"
    )


def rebound(damping_ratio: float) -> float:
    """Of a spring and damper that lets go when its force has come down to nothing, no weight.

    Schwager and Pöschel, Granular Matter 9 (2007), damping below 1/√2 of the critical.
    """
    z = damping_ratio
    rest = math.sqrt(1.0 - z * z)
    return math.exp(-z / rest * (math.pi - math.atan2(2.0 * z * rest, 1.0 - 2.0 * z * z)))


def thrown_back(motion: Motion) -> float:
    hit = int(motion.v[:, 2].argmin())
    return float(motion.v[hit:, 2].max() / -motion.v[hit, 2])


@cache
def bounces(damping_ratio: float) -> Beside:
    """A ball from 1 m onto a stiffness of 2e4 per kg, stated directly."""
    stiffness = 2e4
    solref = f'solref="{-stiffness} {-2.0 * damping_ratio * math.sqrt(stiffness)}"'
    scene = above_a_floor('size=".1" mass="1"', 1.1, solref)
    return both(scene, 1.0, dt=0.001, instead="euler").measured(thrown_back)


@pytest.mark.parametrize("damping_ratio", [0.0, 0.1, 0.2, 0.4])
def test_springs_throw_back(damping_ratio: float) -> None:
    """Within 4 %, at ten steps a contact."""
    found = bounces(damping_ratio)
    assert found.ours == pytest.approx(rebound(damping_ratio), rel=0.04)
    assert found.ours == pytest.approx(found.theirs, rel=1e-6)


def rest_depth(contacts: int) -> float:
    """[m] r = a (1 - d) (tc dw / d)², of a = g / contacts, whatever the mass: by iteration."""
    depth = 1e-4
    for _ in range(200):
        x = depth / 0.001
        share = 0.9 + 0.05 * (2.0 * x * x if x < 0.5 else 1.0 - 2.0 * (1.0 - x) ** 2)
        depth = G / contacts * (1.0 - share) * (0.02 * 0.95 / share) ** 2
    return depth


@cache
def depth(shape: str, mass: float) -> Beside:
    """How deep it lies [m]."""
    geom = {"ball": 'size=".1"', "cube": 'type="box" size=".1 .1 .1"'}[shape]
    scene = above_a_floor(f'{geom} mass="{mass}"', 0.1)
    runs = both(scene, 2.0, dt=0.002, instead="euler", every=1000)
    return runs.measured(lambda motion: 0.1 - float(motion.q[-1, 2]))


@pytest.mark.parametrize("mass", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("shape", "contacts"), [("ball", 1), ("cube", 4)])
def test_how_deep_it_lies(shape: str, contacts: int, mass: float) -> None:
    found = depth(shape, mass)
    assert found.ours == pytest.approx(rest_depth(contacts), rel=1e-5)
    assert found.ours == pytest.approx(found.theirs, rel=1e-5)


def test_how_deep_in_millimetres() -> None:
    """As measured before of MuJoCo 4.0.1."""
    assert 1e3 * rest_depth(1) == pytest.approx(0.367, abs=5e-4)
    assert 1e3 * rest_depth(4) == pytest.approx(0.108, abs=5e-4)


def stack(masses: Sequence[float]) -> tuple[str, Start]:
    """Cubes of 0.1 m, each up to 1 mm off."""
    geoms = "".join(
        f'<body><freejoint/><geom type="box" size=".05 .05 .05" mass="{mass}"/></body>'
        for mass in masses
    )
    scene = (
        '<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="3 3 1"/>'
        f"{geoms}</worldbody></mujoco>"
    )
    q = np.zeros((len(masses), 7))
    q[:, :2] = np.random.default_rng(0).uniform(-1e-3, 1e-3, (len(masses), 2))
    q[:, 2] = 0.05 + 0.1 * np.arange(len(masses))
    q[:, 3] = 1.0
    return scene, Start(q=q.ravel())


def sunk(motion: Motion) -> float:
    """By how much the cube that sinks most has sunk [m]."""
    height = motion.q[:, 2::7]
    return float((height[0] - height[-1]).max())


def drifted(motion: Motion) -> float:
    q = motion.q.reshape(len(motion.q), -1, 7)
    return float(np.linalg.norm(q[-1, :, :2] - q[0, :, :2], axis=1).max())


STACKS = {
    "ten": [1.0] * 10,
    "twenty": [1.0] * 20,
    "1000 kg on 1 kg": [1.0, 1000.0],
    "1, 10, 100, 1000 kg": [1.0, 10.0, 100.0, 1000.0],
}


@cache
def stacked(name: str, *, stiff: bool, integrator: str = "best") -> Both:
    """Ten seconds at 2 ms; MuJoCo with its defaults."""
    scene, start = stack(STACKS[name])
    return both(
        scene,
        10.0,
        start,
        dt=0.002,
        integrator=integrator,
        instead="euler",
        every=5000,
        stiff=stiff,
    )


def test_ten_cubes_stand_on_each_other() -> None:
    runs = stacked("ten", stiff=False)
    found = runs.measured(sunk)
    assert found.ours == pytest.approx(found.theirs, rel=1e-2)
    assert runs.measured(drifted).ours < 2e-3


def test_twenty_cubes_stand_when_contacts_are_stiff() -> None:
    """And fall by MuJoCo's defaults."""
    runs = stacked("twenty", stiff=True)
    assert runs.measured(sunk).theirs == pytest.approx(1.9, abs=0.1)
    assert runs.measured(sunk).ours < 2e-4
    assert runs.measured(drifted).ours < 1e-4


@pytest.mark.slow
def test_twenty_cubes_fall_by_the_defaults() -> None:
    assert stacked("twenty", stiff=False).measured(sunk).ours == pytest.approx(1.9, abs=0.1)


@pytest.mark.parametrize("integrator", ["implicitfast", "best"])
@pytest.mark.parametrize("name", ["1000 kg on 1 kg", "1, 10, 100, 1000 kg"])
def test_heavy_on_light_stands_when_contacts_are_stiff(name: str, integrator: str) -> None:
    runs = stacked(name, stiff=True, integrator=integrator)
    assert runs.measured(sunk).ours < 1e-3
    assert (runs.measured(sunk).theirs or 0.0) > 0.05


@cache
def goes_through(speed: float) -> Beside:
    """Whether a ball of 2 cm passes a plate of 1 cm, at 2 ms: 1 if so."""
    scene = (
        '<mujoco><option gravity="0 0 0"/><worldbody><geom type="box" size="1 1 .005"/>'
        '<body pos="0 0 .5"><freejoint/><geom size=".02" mass=".1"/></body></worldbody></mujoco>'
    )
    runs = both(
        scene, 2.0 / speed + 0.2, Start(v=[0, 0, -speed, 0, 0, 0]), dt=0.002, instead="euler"
    )
    return runs.measured(lambda motion: float(motion.q[-1, 2] < 0.0))


@pytest.mark.parametrize(("speed", "through"), [(1.0, 0.0), (2.0, 0.0), (5.0, 1.0), (100.0, 1.0)])
def test_what_is_fast_passes(speed: float, through: float) -> None:
    """Nothing is foreseen: contacts are those at one instant of a step."""
    assert goes_through(speed) == Beside(through, through)


def fallen(name: str, *, stiff: bool) -> Beside:
    return stacked(name, stiff=stiff).measured(sunk)


LINES = (
    Line(
        "ball from 1 m on a spring of damping 0.1: rebound",
        f"{rebound(0.1):.3g}",
        partial(bounces, 0.1),
    ),
    Line("the same, damping 0.4", f"{rebound(0.4):.3g}", partial(bounces, 0.4)),
    Line("ball at rest: depth, mm", f"{1e3 * rest_depth(1):.3f}", partial(depth, "ball", 1.0), 1e3),
    Line("cube at rest: depth, mm", f"{1e3 * rest_depth(4):.3f}", partial(depth, "cube", 1.0), 1e3),
    Line("ten cubes, 10 s: top sinks, mm", "0", partial(fallen, "ten", stiff=False), 1e3),
    Line("twenty cubes, ours `--stiff`: the same", "0", partial(fallen, "twenty", stiff=True), 1e3),
    Line(
        "1000 kg on 1 kg, ours `--stiff`: the same",
        "0",
        partial(fallen, "1000 kg on 1 kg", stiff=True),
        1e3,
    ),
)
