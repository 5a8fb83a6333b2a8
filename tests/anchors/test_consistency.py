"""Chains and heaps in the manner of Erez, Tassa and Todorov (ICRA 2015).

What is conserved, and how far a coarse time step leads from a fine one.
"""

from __future__ import annotations

import math
from functools import cache, partial
from itertools import pairwise

import mujoco
import numpy as np
import pytest

from phyzctl.spatial import Array
from tests.anchors.beside import Beside, Line, defaults
from tests.anchors.motion import Motion, Start, both, ours
from tests.corpus import SAMPLES

HINGE = '<joint type="hinge" axis="0 1 0"/>'
LINKS, LENGTH, RADIUS = 5, 0.5, 0.05
PUSHED = Start(v=[0, 0, 1, -4, 3, 5, -6])
STEPS = (0.008, 0.004, 0.002, 0.001)


def chain() -> str:
    """Capsules of 1 kg in a row, free in the plane, no gravity."""
    geom = (
        f'<geom type="capsule" fromto="0 0 0 {LENGTH} 0 0" size="{RADIUS}" mass="1" '
        'contype="0" conaffinity="0"/>'
    )
    links = ""
    for _ in range(LINKS - 1):
        links = f'<body pos="{LENGTH} 0 0">{HINGE}{geom}{links}</body>'
    base = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
    return (
        '<mujoco><option gravity="0 0 0"/><worldbody>'
        f"<body>{base}{HINGE}{geom}{links}</body></worldbody></mujoco>"
    )


def moment() -> float:
    """Of one capsule across its axis, at even density: a cylinder and two hemispheres."""
    half = LENGTH / 2.0
    body, caps = 2.0 * half * RADIUS**2, 4.0 / 3.0 * RADIUS**3
    middle, ends = body / (body + caps), caps / (body + caps)
    return middle * (3 * RADIUS**2 + 4 * half**2) / 12 + ends * (
        0.4 * RADIUS**2 + half**2 + 0.75 * half * RADIUS
    )


def links(motion: Motion) -> tuple[Array, Array, Array]:
    """Centres (n, links, 2), their velocities, and rates of turning (n, links)."""
    angle, rate = motion.q[:, 2:].cumsum(axis=1), motion.v[:, 2:].cumsum(axis=1)
    along = np.stack([np.cos(angle), -np.sin(angle)], axis=2)
    across = rate[:, :, None] * np.stack([-np.sin(angle), -np.cos(angle)], axis=2)
    centres = motion.q[:, None, :2] + LENGTH * (along.cumsum(axis=1) - 0.5 * along)
    speeds = motion.v[:, None, :2] + LENGTH * (across.cumsum(axis=1) - 0.5 * across)
    return centres, speeds, rate


def energy_error(motion: Motion) -> float:
    _, speeds, rate = links(motion)
    energy = 0.5 * (speeds**2).sum(axis=(1, 2)) + 0.5 * moment() * (rate**2).sum(axis=1)
    return float(np.abs(energy / energy[0] - 1.0).max())


def momentum_error(motion: Motion) -> float:
    """Of the angular momentum about the centre of mass."""
    centres, speeds, rate = links(motion)
    arm = centres - centres.mean(axis=1, keepdims=True)
    v = speeds - speeds.mean(axis=1, keepdims=True)
    turning = (arm[:, :, 1] * v[:, :, 0] - arm[:, :, 0] * v[:, :, 1]).sum(axis=1)
    momentum = turning + moment() * rate.sum(axis=1)
    return float(np.abs(momentum / momentum[0] - 1.0).max())


@cache
def conserved(integrator: str, dt: float) -> tuple[Beside, Beside]:
    runs = both(chain(), 10.0, PUSHED, dt=dt, integrator=integrator)
    return runs.measured(energy_error), runs.measured(momentum_error)


@pytest.mark.parametrize(
    ("integrator", "dt", "energy", "momentum"),
    [
        ("euler", 0.004, 5.9e-2, 7.9e-2),
        ("euler", 0.001, 6.7e-3, 1.4e-2),
        ("rk4", 0.004, 3.9e-8, 4.0e-8),
        ("rk4", 0.001, 1.3e-10, 1.7e-10),
    ],
)
def test_a_chain_is_mujocos(integrator: str, dt: float, energy: float, momentum: float) -> None:
    """Figures that were measured of MuJoCo 4.0.1, and those of this run."""
    for found, known in zip(conserved(integrator, dt), (energy, momentum), strict=True):
        assert found.ours == pytest.approx(found.theirs, rel=1e-3)
        assert found.ours == pytest.approx(known, rel=0.1)


def test_a_chain_by_best() -> None:
    for dt, most in ((0.004, 5e-4), (0.001, 3e-5)):
        assert max(found.ours for found in conserved("best", dt)) < most


@cache
def reference() -> Array:
    """Where the chain is after 2 s, by the smallest step."""
    fine = ours(chain(), 2.0, PUSHED, dt=1 / 32_000, integrator="rk4", every=64_000)
    found: Array = links(fine)[0][-1]
    return found


def displaced(motion: Motion) -> float:
    return float(np.linalg.norm(links(motion)[0][-1] - reference(), axis=1).mean())


@cache
def chain_after(integrator: str, dt: float) -> Beside:
    """How far its links are from where they should be [m]."""
    return both(chain(), 2.0, PUSHED, dt=dt, integrator=integrator).measured(displaced)


@pytest.mark.parametrize(("integrator", "order"), [("euler", 1.0), ("best", 2.0), ("rk4", 4.0)])
def test_half_the_step_leads_nearer_by_the_order(integrator: str, order: float) -> None:
    errors = [chain_after(integrator, dt) for dt in STEPS]
    for coarse, fine in pairwise(errors):
        assert math.log2(coarse.ours / fine.ours) == pytest.approx(order, abs=0.1)
    for each in errors:
        assert each.theirs is None or each.ours == pytest.approx(each.theirs, rel=1e-2)


def heap() -> tuple[str, Start]:
    """27 capsules above a floor, turned at random."""
    grid = np.stack(np.meshgrid(*[np.arange(3)] * 3, indexing="ij"), axis=-1).reshape(27, 3)
    turns = np.random.default_rng(0).normal(size=(27, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    body = '<body><freejoint/><geom type="capsule" size=".07 .09" mass="1"/></body>'
    scene = (
        '<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="9 9 1"/>'
        f"{27 * body}</worldbody></mujoco>"
    )
    return scene, Start(q=np.hstack([0.35 * grid + [0.0, 0.0, 0.3], turns]).ravel())


def apart(a: Array, b: Array) -> float:
    """The mean distance of points (n, 3) [m]."""
    return float(np.linalg.norm(a - b, axis=1).mean())


def centres(motion: Motion) -> Array:
    found: Array = motion.q[-1].reshape(-1, 7)[:, :3]
    return found


@cache
def heap_after(integrator: str, dt: float) -> Beside:
    """How far the capsules are from where an eighth of a millisecond puts them after 1 s [m]."""
    scene, start = heap()
    places = [
        both(scene, 1.0, start, dt=each, integrator=integrator, instead="euler", every=every)
        for each, every in ((dt, 1), (1 / 8000, 8000))
    ]
    coarse, fine = places
    assert coarse.theirs is not None
    assert fine.theirs is not None
    return Beside(
        apart(centres(coarse.theirs), centres(fine.theirs)),
        apart(centres(coarse.ours), centres(fine.ours)),
    )


@cache
def heap_over_steps(integrator: str) -> Beside:
    """The mean over four time steps: single figures of what collides 60 times are chance."""
    found = [heap_after(integrator, dt) for dt in STEPS]
    theirs = sum(each.theirs or 0.0 for each in found)
    return Beside(theirs / len(STEPS), sum(each.ours for each in found) / len(STEPS))


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["euler", "best"])
def test_a_heap_is_as_consistent_as_mujocos(integrator: str) -> None:
    found = heap_over_steps(integrator)
    assert found.ours < 1.3 * (found.theirs or 0.0)


def swung(nu: int, dt: float) -> Array:
    """A second of controls (steps, nu), each at a frequency of its own."""
    hertz = 1.0 + 0.1 * np.arange(nu)
    found: Array = np.sin(2.0 * math.pi * np.outer(dt * np.arange(round(1.0 / dt)), hertz))
    return 0.3 * found


@cache
def humanoid_after(integrator: str, dt: float) -> Beside:
    """How far its bodies are, after 1 s of motion, from where steps of 1/8 ms put them [m]."""
    text = (SAMPLES / "humanoid.xml").read_text()
    subject = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(subject)

    def bodies(motion: Motion | None) -> Array:
        assert motion is not None
        data.qpos[:] = motion.q[-1]
        mujoco.mj_kinematics(subject, data)
        found: Array = data.xpos[1:].copy()
        return found

    coarse, fine = (
        both(
            text,
            1.0,
            Start(ctrl=swung(subject.nu, each)),
            dt=each,
            integrator=integrator,
            instead="euler",
            every=every,
        )
        for each, every in ((dt, 1), (1 / 8000, 8000))
    )
    return Beside(
        apart(bodies(coarse.theirs), bodies(fine.theirs)),
        apart(bodies(coarse.ours), bodies(fine.ours)),
    )


@pytest.mark.parametrize("dt", STEPS)
def test_a_humanoid_is_as_consistent_as_mujocos(dt: float) -> None:
    found = humanoid_after("euler", dt)
    assert found.ours == pytest.approx(found.theirs, rel=1e-2)


LINES = (
    Line(
        "planar chain of five, 10 s, 1 ms: energy",
        "0",
        lambda: defaults(lambda by: conserved(by, 0.001)[0]),
    ),
    Line("the same: angular momentum", "0", lambda: defaults(lambda by: conserved(by, 0.001)[1])),
    Line(
        "the same: off its way after 2 s, mm",
        "0",
        lambda: defaults(lambda by: chain_after(by, 0.001)),
        1e3,
    ),
    Line("the same, both `rk4`", "0", partial(chain_after, "rk4", 0.001), 1e3),
    Line(
        "27 capsules in a heap, 1 s, 8 to 1 ms against 1/8 ms: apart, mm",
        "0",
        partial(heap_over_steps, "best"),
        1e3,
    ),
    Line(
        "humanoid, 1 s, 1 ms against 1/8 ms: apart, mm",
        "0",
        partial(humanoid_after, "best", 0.001),
        1e3,
    ),
)
