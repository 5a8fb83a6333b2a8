"""Friction against Coulomb's law: inclines, pulls, balls that slip and roll, bodies that tip."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pytest

import phyzctl
from tests.anchors.beside import Beside, Line
from tests.anchors.motion import Motion, Start, both, model, ours, theirs

G = 9.81
DIRECTIONS = [math.pi / 4.0 * k for k in range(8)]


def incline(slope: float, heading: float = 0.0) -> str:
    """The weight on a plane of that slope (a tangent), which falls away towards `heading`."""
    angle = math.atan(slope)
    along, down = G * math.sin(angle), -G * math.cos(angle)
    return f"{along * math.cos(heading)!r} {along * math.sin(heading)!r} {down!r}"


def on_a_floor(
    geom: str,
    height: float,
    *,
    gravity: str = f"0 0 {-G}",
    friction: str = "1 0.005 0.0001",
    cone: str = "elliptic",
    impratio: float = 1.0,
    condim: int = 3,
) -> str:
    """A free body of 1 kg on a plane of the same friction."""
    surface = f'friction="{friction}" condim="{condim}"'
    return (
        f'<mujoco><option cone="{cone}" impratio="{impratio}" gravity="{gravity}"/><worldbody>'
        f'<geom type="plane" size="9 9 1" {surface}/><body pos="0 0 {height}"><freejoint/>'
        f'<geom mass="1" {geom} {surface}/></body></worldbody></mujoco>'
    )


BRICK, BALL = 'type="box" size=".1 .1 .05"', 'size=".1"'
MU = 0.5


def sliding(slope: float, heading: float, **scene: object) -> str:
    """A brick on an incline; slope and friction as a share of each other."""
    return on_a_floor(
        BRICK,
        0.0499,
        gravity=incline(slope * MU, heading),
        friction=str(MU),
        **scene,  # type: ignore[arg-type]
    )


def speed(motion: Motion) -> float:
    return float(np.hypot(*motion.v[-1, :2]))


def bisected(slips: Callable[[float], bool], low: float, high: float) -> float:
    """Where it begins to slip, to 1e-3 of the span."""
    for _ in range(10):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if slips(middle) else (middle, high)
    return 0.5 * (low + high)


@cache
def threshold(direction: int, cone: str, *, of_ours: bool) -> float:
    """At which slope, relative to the friction, a brick slides faster than 1 cm/s after 2 s."""
    run = partial(ours, integrator="best") if of_ours else partial(theirs, integrator="euler")

    def slips(slope: float) -> bool:
        scene = sliding(slope, DIRECTIONS[direction], cone=cone)
        return speed(run(scene, 2.0, dt=0.002, every=1000)) > 0.01

    return bisected(slips, *((0.9, 1.1) if cone == "elliptic" else (0.6, 1.2)))


def test_the_threshold_in_eight_directions() -> None:
    found = np.array([threshold(k, "elliptic", of_ours=True) for k in range(8)])
    assert np.abs(found - 1.0).max() < 0.015
    assert np.ptp(found) < 0.005


@pytest.mark.slow
def test_pyramids_are_as_mujocos() -> None:
    """Which give way at 71 % of the friction between their edges."""
    for k in (0, 1):
        mine, their = (threshold(k, "pyramidal", of_ours=each) for each in (True, False))
        assert mine == pytest.approx(their, abs=2e-3)
    assert threshold(1, "pyramidal", of_ours=True) == pytest.approx(math.sqrt(0.5), abs=0.02)


def slid(slope: float) -> float:
    """The exact speed after 2 s."""
    angle = math.atan(slope * MU)
    return max(0.0, 2.0 * G * (math.sin(angle) - MU * math.cos(angle)))


@cache
def speeds(slope: float, heading: float = 0.0) -> Beside:
    return both(sliding(slope, heading), 2.0, dt=0.002, instead="euler").measured(speed)


@pytest.mark.parametrize("heading", [0.0, math.pi / 4.0])
@pytest.mark.parametrize(("slope", "off"), [(0.99, 2e-3), (1.01, 1e-3), (1.1, 1e-8), (1.3, 1e-8)])
def test_the_speed_on_an_incline(slope: float, off: float, heading: float) -> None:
    """Exact by `best`, but for what friction, which is soft, gives way about the threshold."""
    assert speeds(slope, heading).ours == pytest.approx(slid(slope), abs=off)


@cache
def thrown(speed: float) -> tuple[Beside, Beside]:
    """A cube that slides at so many m/s: how high it floats [m], and its braking, off by a share.

    What slides under MuJoCo's convex cones lifts off; `best` keeps it down.
    """
    scene = on_a_floor('type="box" size=".1 .1 .1"', 0.1 - 1.0775e-4, friction=str(MU))
    runs = both(scene, 0.2, Start(v=[speed, 0, 0, 0, 0, 0]), dt=0.002, instead="euler")
    return (
        runs.measured(lambda motion: float(motion.q[:, 2].max() - motion.q[0, 2])),
        runs.measured(lambda motion: abs((speed - motion.v[-1, 0]) / (0.2 * MU * G) - 1.0)),
    )


@pytest.mark.parametrize("speed", [2.0, 5.0, 10.0])
def test_what_slides_stays_down(speed: float) -> None:
    height, braking = thrown(speed)
    assert height.ours < 1e-5
    assert braking.ours < 1e-5
    assert (height.theirs or 0.0) > 1e-4 * speed


@cache
def landing(friction: float) -> Beside:
    """A ball falls 5 cm while it moves at 5 m/s: its height, off that without friction [m].

    Friction acts along the ground: it changes nothing of how a ball falls.
    """
    start = Start(v=[5, 0, 0, 0, 0, 0])
    runs = [
        both(on_a_floor(BALL, 0.15, friction=str(mu)), 0.5, start, dt=0.001, instead="euler")
        for mu in (friction, 1e-5)
    ]
    rough, smooth = (each.ours.q[:, 2] for each in runs)
    their = [each.theirs.q[:, 2] for each in runs if each.theirs is not None]
    return Beside(float(np.abs(their[0] - their[1]).max()), float(np.abs(rough - smooth).max()))


@pytest.mark.parametrize("friction", [0.3, 1.0])
def test_a_ball_lands_as_if_there_were_no_friction(friction: float) -> None:
    found = landing(friction)
    assert found.ours < 1e-4
    assert (found.theirs or 0.0) > 2e-3


def test_a_slide_goes_on_to_the_same_bits() -> None:
    """What keeps it down is known from the last step, which a state holds."""
    subject = model(on_a_floor(BRICK, 0.0499, friction=str(MU)))
    whole, first, rest = (phyzctl.Simulator(subject, dt=0.002, integrator="best") for _ in range(3))
    for simulator in (whole, first):
        simulator.state.v[0] = 5.0
    whole.step(count=100)
    first.step(count=40)
    rest.state = first.state
    rest.step(count=60)
    assert rest.state.q.tobytes() == whole.state.q.tobytes()


@cache
def creep(impratio: float, dt: float = 0.002) -> Beside:
    """The speed of a brick that should stand, at half the slope that it bears [m/s]."""
    scene = sliding(0.5, 0.0, impratio=impratio)
    return both(scene, 2.0, dt=dt, instead="euler").measured(speed)


@pytest.mark.parametrize("impratio", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("dt", [0.001, 0.002, 0.004])
def test_creep(impratio: float, dt: float) -> None:
    """Friction is soft: 0.62 mm/s, less by impratio, whatever the time step."""
    found = creep(impratio, dt)
    assert found.ours == pytest.approx(0.62e-3 / impratio, rel=0.01)
    assert found.ours == pytest.approx(found.theirs, rel=1e-3)


@cache
def breakaway(direction: int) -> float:
    """At which horizontal pull at its centre, relative to the friction, a brick gives way."""
    heading = DIRECTIONS[direction] / 2.0

    def slips(share: float) -> bool:
        pull = share * G * MU
        force = np.array([[pull * math.cos(heading), pull * math.sin(heading), 0, 0, 0, 0]])
        scene = on_a_floor(BRICK, 0.0499, friction=str(MU))
        return speed(ours(scene, 2.0, Start(force=force), dt=0.002, every=1000)) > 0.01

    return bisected(slips, 0.9, 1.1)


def test_a_pull_breaks_it_away_at_the_friction() -> None:
    found = np.array([breakaway(direction) for direction in range(4)])
    assert np.abs(found - 1.0).max() < 0.015


def acceleration(motion: Motion, dof: int = 0) -> float:
    """The mean in the second half."""
    half = len(motion.times) // 2
    passed = motion.times[-1] - motion.times[half]
    return float((motion.v[-1, dof] - motion.v[half, dof]) / passed)


@cache
def rolling(friction: float) -> Beside:
    """A ball down 20 degrees: its acceleration, off by a share."""
    angle = math.radians(20.0)
    exact = G * max(5.0 / 7.0 * math.sin(angle), math.sin(angle) - friction * math.cos(angle))
    scene = on_a_floor(BALL, 0.0997, gravity=incline(math.tan(angle)), friction=str(friction))
    runs = both(scene, 2.0, dt=0.002, instead="euler")
    return runs.measured(lambda motion: abs(acceleration(motion) / exact - 1.0))


@pytest.mark.parametrize("friction", [0.5, 0.05])
def test_a_ball_rolls_or_slips_down(friction: float) -> None:
    """What rolls sinks in, by 1 % of what it turns about."""
    assert rolling(friction).ours < (2e-3 if friction > 0.4 else 1e-8)


@cache
def bowling() -> Beside:
    """A ball thrown at 2 m/s without spin: its speed when it rolls, off by a share."""
    scene = on_a_floor(BALL, 0.0996328, friction="0.3")
    runs = both(scene, 1.0, Start(v=[2, 0, 0, 0, 0, 0]), dt=0.001, instead="euler")
    return runs.measured(lambda motion: abs(float(motion.v[-1, 0]) * 7.0 / 10.0 - 1.0))


def test_bowling() -> None:
    """The ball lies 0.37 mm deep, which takes 1e-3 of its speed."""
    assert bowling().ours < 1.2e-3
    scene = on_a_floor(BALL, 0.0996328, friction="0.3")
    motion = ours(scene, 1.0, Start(v=[2, 0, 0, 0, 0, 0]), dt=0.001)
    slip = motion.v[:, 0] - 0.1 * motion.v[:, 4]
    ends = 2.0 * 2.0 / (7.0 * 0.3 * G)
    assert motion.times[int(np.argmax(slip < 0.02))] == pytest.approx(ends, abs=0.01)


SLOWED = {
    "twist": ("1 .002 .0001", 4, [0, 0, 0, 0, 0, 50], 5, 0.002 * G / (0.4 * 0.1**2)),
    "rolling": ("1 .005 .001", 6, [2, 0, 0, 0, 20, 0], 0, 5.0 / 7.0 * G * 0.001 / 0.1),
}


@cache
def slowed(kind: str) -> Beside:
    """A ball that spins on the spot, or rolls, against friction that resists that."""
    friction, condim, v, dof, exact = SLOWED[kind]
    scene = on_a_floor(BALL, 0.0996328, friction=friction, condim=condim)
    runs = both(scene, 2.0, Start(v=v), dt=0.002, instead="euler")
    return runs.measured(lambda motion: abs(-acceleration(motion, dof) / exact - 1.0))


@pytest.mark.parametrize("kind", SLOWED)
def test_friction_of_twist_and_rolling(kind: str) -> None:
    assert slowed(kind).ours < {"twist": 1e-9, "rolling": 2e-3}[kind]


@cache
def tipping(*, of_ours: bool) -> float:
    """At which slope a block of 0.1 x 0.1 x 0.3 m falls over: exactly at a third."""
    run = partial(ours, integrator="best") if of_ours else partial(theirs, integrator="euler")

    def tips(slope: float) -> bool:
        scene = on_a_floor('type="box" size=".05 .05 .15"', 0.1499, gravity=incline(slope))
        motion = run(scene, 3.0, dt=0.002, every=10)
        return bool(np.abs(motion.q[-1, 4:]).max() > 0.2)

    return bisected(tips, 0.25, 0.4)


def test_a_block_tips() -> None:
    """A little early, on a soft plane."""
    assert tipping(of_ours=True) == pytest.approx(1.0 / 3.0, rel=0.02)
    assert tipping(of_ours=True) >= tipping(of_ours=False)


def thresholds(cone: str, direction: int) -> Beside:
    return Beside(*(threshold(direction, cone, of_ours=each) for each in (False, True)))


def tippings() -> Beside:
    return Beside(tipping(of_ours=False), tipping(of_ours=True))


LINES = (
    Line(
        "brick on an incline gives way at, tan/µ, elliptic", "1", partial(thresholds, "elliptic", 0)
    ),
    Line("the same, 45° to its sides", "1", partial(thresholds, "elliptic", 1)),
    Line("the same, pyramidal", "1", partial(thresholds, "pyramidal", 1)),
    Line("its speed after 2 s at tan = 1.1 µ, m/s", f"{slid(1.1):.3g}", partial(speeds, 1.1)),
    Line("cube thrown at 5 m/s: floats, mm", "0", lambda: thrown(5.0)[0], 1e3),
    Line("the same: braking", "µ g", lambda: thrown(5.0)[1]),
    Line("ball lands at 5 m/s, µ 1: height off, mm", "0", lambda: landing(1.0), 1e3),
    Line("creep at half the slope, mm/s", "0", partial(creep, 1.0), 1e3),
    Line("the same, impratio 100", "0", partial(creep, 100.0), 1e3),
    Line("ball rolls down 20°: acceleration", "5/7 g sin", partial(rolling, 0.5)),
    Line("ball slips down 20°, µ 0.05: acceleration", "g (sin - µ cos)", partial(rolling, 0.05)),
    Line("bowling ball, 2 m/s: speed when it rolls", "10/7 m/s", bowling),
    Line("ball slowed by torsional friction", "µ g / (0.4 r²)", partial(slowed, "twist")),
    Line("ball slowed by rolling friction", "5/7 µ g / r", partial(slowed, "rolling")),
    Line("block tips at, tan", "0.333", tippings),
)
