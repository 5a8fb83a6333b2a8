"""A slider-crank against its geometry, servos against their law, and a grasp that is held."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import pytest

from phyzctl.spatial import Array
from tests.anchors.beside import Beside, Line, defaults
from tests.anchors.motion import Motion, Start, both, ours

CRANK, ROD, SPEED = 0.1, 0.3, 6.0


def slider_crank(solref: str) -> str:
    """A crank that turns, a rod, and a slider that is tied to the rod's end."""

    def part(x: float) -> str:
        return f'<inertial pos="{x} 0 0" mass=".1" diaginertia="1e-3 1e-3 1e-3"/>'

    return (
        '<mujoco><option gravity="0 0 0"/><worldbody>'
        f'<body><joint name="crank" axis="0 -1 0"/>{part(CRANK / 2)}'
        f'<body name="rod" pos="{CRANK} 0 0"><joint axis="0 -1 0"/>{part(ROD / 2)}</body></body>'
        f'<body name="slider" pos="{CRANK + ROD} 0 0"><joint type="slide" axis="1 0 0"/>{part(0)}'
        '</body></worldbody><equality><connect body1="rod" body2="slider" '
        f'anchor="{ROD} 0 0" solref="{solref} 1"/></equality>'
        '<actuator><velocity joint="crank" kv="100"/></actuator></mujoco>'
    )


def off_the_curve(motion: Motion) -> float:
    """Where the slider should be by the crank's angle, at most [m]."""
    angle = motion.q[:, 0]
    exact = CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
    return float(np.abs(motion.q[:, 2] + CRANK + ROD - exact).max())


@cache
def crank(solref: str, dt: float, integrator: str = "best", *, stiff: bool = False) -> Beside:
    """Five seconds at 6 rad/s."""
    start = Start(v=[SPEED, -SPEED * (1.0 + CRANK / ROD), 0.0], ctrl=[SPEED])
    return both(
        slider_crank(solref),
        5.0,
        start,
        dt=dt,
        integrator=integrator,
        instead="implicitfast",
        stiff=stiff,
    ).measured(off_the_curve)


@pytest.mark.parametrize(
    ("solref", "dt", "known"), [("0.02", 0.001, 2.0e-4), ("0.004", 0.001, 1.2e-5)]
)
def test_a_slider_crank(solref: str, dt: float, known: float) -> None:
    for integrator in ("implicitfast", "best"):
        found = crank(solref, dt, integrator)
        assert found.ours < known
        assert found.ours == pytest.approx(found.theirs, rel=0.1)


def test_a_stiff_slider_crank() -> None:
    assert crank("0.02", 0.001, stiff=True).ours < 1e-5


def servo(kp: float) -> str:
    """0.01 kg m² without weight, critically damped."""
    kv = 2.0 * math.sqrt(kp * 0.01)
    return (
        '<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" axis="0 1 0"/>'
        '<inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/></body></worldbody>'
        f'<actuator><position joint="j" kp="{kp}" kv="{kv}"/></actuator></mujoco>'
    )


def misses(motion: Motion) -> float:
    """By how much it is not where it was told to go [rad]; infinite when the run broke off."""
    return abs(float(motion.q[-1, 0]) - 0.5) if motion.complete else math.inf


@cache
def settled(kp: float, integrator: str) -> Beside:
    """After 2 s at 2 ms."""
    runs = both(servo(kp), 2.0, Start(ctrl=[0.5]), dt=0.002, integrator=integrator, every=1000)
    return runs.measured(misses)


# Of critical damping, w h at most: by the characteristic polynomial of a step. Where damping is
# explicit 4 > 4 w h + (w h)², where it is implicit (w h)² < 4 + 4 w h; and by the reach of
# Runge-Kutta's stability along the real axis.
BOUNDS = {
    name: 0.01 * (reach / 0.002) ** 2
    for name, reach in (
        ("euler", 2.0 * (math.sqrt(2.0) - 1.0)),
        ("implicitfast", 2.0 * (math.sqrt(2.0) + 1.0)),
        ("rk4", 2.785),
    )
}


def gains(integrator: str) -> list[float]:
    """By tenths of a decade about the bound, or decades where there is none [N m/rad]."""
    bound = BOUNDS.get(integrator)
    if bound is None:
        return [10.0**decade for decade in range(2, 11)]
    return [bound * 10.0 ** (tenths / 10.0 - 0.05) for tenths in range(-2, 4)]


@cache
def stiffest(integrator: str) -> Beside:
    """The largest of the gains that settle."""
    found = [(kp, settled(kp, integrator)) for kp in gains(integrator)]
    theirs = [kp for kp, each in found if each.theirs is not None and each.theirs < 1e-3]
    return Beside(max(theirs, default=None), max(kp for kp, each in found if each.ours < 1e-3))


def test_which_gains_settle() -> None:
    """What the theory of explicit steps allows, and whatever is asked of `best`."""
    for integrator, bound in BOUNDS.items():
        found = stiffest(integrator)
        assert found.theirs == found.ours
        assert 10.0**-0.1 * bound < found.ours < bound
    assert stiffest("best").ours == pytest.approx(1e10)


HELD = {
    "pyramidal": ("pyramidal", 1),
    "elliptic": ("elliptic", 1),
    "impratio 100": ("elliptic", 100),
}
LIFT, FORCE = 0.3, 20.0


def gripper(cone: str, impratio: int) -> str:
    """Two fingers on slides, of friction 1, on a hand that a servo lifts, and a box of 0.5 kg."""
    geom = 'type="box" friction="1" condim="4"'
    finger = f'<geom size=".01 .02 .02" mass=".1" {geom}/>'
    return (
        f'<mujoco><option cone="{cone}" impratio="{impratio}"/><worldbody>'
        '<geom type="plane" size="2 2 1"/><body pos="0 0 .05">'
        '<joint name="lift" type="slide" axis="0 0 1" damping="1"/>'
        '<inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/>'
        '<body pos="-.06 0 0"><joint name="left" type="slide" axis="1 0 0" damping="5"/>'
        f'{finger}</body><body pos=".06 0 0"><joint name="right" type="slide" axis="-1 0 0" '
        f'damping="5"/>{finger}</body></body>'
        f'<body pos="0 0 .0499"><freejoint/><geom size=".04 .04 .05" mass=".5" {geom}/></body>'
        '</worldbody><actuator><position joint="lift" kp="2000" kv="100"/>'
        '<motor joint="left"/><motor joint="right"/></actuator></mujoco>'
    )


def commands(dt: float, seconds: float) -> Array:
    """Grip for a second, lift for a second, hold."""
    times = dt * np.arange(round(seconds / dt))
    grip = np.full_like(times, FORCE)
    found: Array = np.column_stack([LIFT * np.clip(times - 1.0, 0.0, 1.0), grip, grip])
    return found


def slip(motion: Motion) -> float:
    """How fast the box slides down the fingers, from 3 s on [m/s]."""
    down = motion.q[:, 0] - motion.q[:, 5]
    third = int(np.searchsorted(motion.times, 3.0))
    return float((down[-1] - down[third]) / (motion.times[-1] - motion.times[third]))


@cache
def grasp(kind: str, dt: float, *, stiff: bool = False) -> Beside:
    """The slip while it is held for 5 s."""
    return both(
        gripper(*HELD[kind]),
        8.0,
        Start(ctrl=commands(dt, 8.0)),
        dt=dt,
        instead="euler",
        stiff=stiff,
    ).measured(slip)


@pytest.mark.parametrize("dt", [0.001, 0.002, 0.004, 0.008, 0.016])
@pytest.mark.parametrize(
    ("kind", "known"), [("pyramidal", 4.94), ("elliptic", 2.08), ("impratio 100", 0.021)]
)
def test_a_grasp_is_held(kind: str, known: float, dt: float) -> None:
    """At every time step; what slips is the softness of friction, up to 8 ms of the same size."""
    found = grasp(kind, dt)
    assert found.ours == pytest.approx(found.theirs, rel=1e-3)
    if dt < 0.01:
        assert 1e3 * found.ours == pytest.approx(known, rel=0.02)
    end = ours(gripper(*HELD[kind]), 8.0, Start(ctrl=commands(dt, 8.0)), dt=dt, every=10).q[-1]
    assert end[5] > 0.3


def test_a_stiff_grasp_hardly_slips() -> None:
    assert grasp("elliptic", 0.002, stiff=True).ours < 1e-4


LINES = (
    Line(
        "slider-crank, 5 s, 1 ms, MuJoCo `implicitfast`: off its curve, mm",
        "0",
        partial(crank, "0.02", 0.001),
        1e3,
    ),
    Line("the same, ours `--stiff`", "0", partial(crank, "0.02", 0.001, stiff=True), 1e3),
    Line(
        "servo on 0.01 kg m², 2 ms, both `euler`: largest kp",
        f"{BOUNDS['euler']:.4g}",
        partial(stiffest, "euler"),
    ),
    Line(
        "the same, both `implicitfast`",
        f"{BOUNDS['implicitfast']:.0f}",
        partial(stiffest, "implicitfast"),
    ),
    Line("the same, `best` (1e10 was tried)", "any", partial(defaults, stiffest)),
    Line(
        "grasp held at 16 ms, elliptic: slips by, mm/s",
        "0",
        partial(grasp, "elliptic", 0.016),
        1e3,
    ),
    Line("the same at 2 ms", "0", partial(grasp, "elliptic", 0.002), 1e3),
    Line("the same, impratio 100", "0", partial(grasp, "impratio 100", 0.002), 1e3),
    Line("the same, ours `--stiff`", "0", partial(grasp, "elliptic", 0.002, stiff=True), 1e3),
)
