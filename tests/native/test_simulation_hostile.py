"""What no simulation can go on from: runs stop at the last good state, whatever touches what."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl import native
from phyzctl.formats import read_bytes
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.state import State
from phyzctl.sim.engine import Engine

GEOMS = {
    "sphere": 'size=".1"',
    "box": 'type="box" size=".1 .1 .1"',
    "capsule": 'type="capsule" size=".1 .1"',
    "cylinder": 'type="cylinder" size=".1 .1"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .1"',
}
PAIRS = list(itertools.combinations_with_replacement(GEOMS, 2))


def engine(first: str, second: str, integrator: str, dt: float | None = None) -> Engine:
    """Two bodies that overlap each other and the floor, tied by a spring of a joint."""
    text = f"""<mujoco><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 .09"><freejoint/><geom {GEOMS[first]}/>
        <body pos=".3 0 0"><joint stiffness="50" damping="1" range="-20 20"/>
          <geom {GEOMS[first]} mass=".1"/></body></body>
      <body pos=".05 0 .2"><freejoint/><geom {GEOMS[second]}/></body></worldbody></mujoco>"""
    robot = read_bytes(text.encode(), "pair.xml", Issues()).robot
    assert robot is not None
    return Engine(compiler.compile(robot), integrator=integrator, dt=dt)


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
@pytest.mark.parametrize("part", ["q", "v", "ctrl", "qfrc_applied", "xfrc_applied"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_no_number_moves_nothing(integrator: str, part: str, value: float) -> None:
    made = engine("box", "capsule", integrator)
    state = made.model.default_state()
    getattr(state, part).flat[4 if part == "xfrc_applied" else 2] = value
    moved = made.advance(state, state.ctrl[np.newaxis], steps=20)
    assert moved.made == 0
    assert moved.last["q"].tobytes() == state.q.tobytes()


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_violence_ends_at_a_last_good_state(integrator: str, first: str, second: str) -> None:
    made = engine(first, second, integrator)
    for start in violent(made.model.default_state()):
        moved = made.advance(start, start.ctrl[np.newaxis], steps=30)
        assert all(np.isfinite(part).all() for part in moved.last.values())
        assert all(np.isfinite(part).all() for part in moved.parts.values())
        assert np.abs(moved.last["v"]).max() <= 1e10


def violent(still: State) -> list[State]:
    """Speeds, places and forces near the limit, and turns that are none."""
    fast, far, pushed, unturned = (still.copy() for _ in range(4))
    fast.v[:] = 9e9
    far.q[:3] = 9e9
    pushed.ctrl[:] = 1e30
    unturned.q[3:7] = 0.0
    return [fast, far, pushed, unturned]


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
@pytest.mark.parametrize("dt", [1e-12, 0.3, 1e4])
def test_any_time_step_is_survived(integrator: str, dt: float) -> None:
    made = engine("box", "cylinder", integrator, dt)
    state = made.model.default_state()
    moved = made.advance(state, state.ctrl[np.newaxis], steps=40)
    assert np.isfinite(moved.last["q"]).all()


@settings(max_examples=25)
@given(
    pair=st.sampled_from(PAIRS),
    heights=st.tuples(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3)),
    speed=st.floats(-30.0, 30.0),
    seed=st.integers(0, 1000),
)
def test_overlaps_of_any_depth_are_survived(
    pair: tuple[str, str], heights: tuple[float, float], speed: float, seed: int
) -> None:
    made = engine(*pair, "implicitfast")
    rng, state = np.random.default_rng(seed), made.model.default_state()
    for start, height in zip((0, 8), heights, strict=True):
        state.q[start : start + 3] = (*rng.normal(0.0, 0.05, 2), height)
        state.q[start + 3 : start + 7] = rng.normal(size=4)
    state.v[:] = speed * rng.normal(size=len(state.v))
    moved = made.advance(state, state.ctrl[np.newaxis], steps=25)
    assert moved.made == 25
    assert moved.capped == 0
    assert np.isfinite(moved.last["v"]).all()
