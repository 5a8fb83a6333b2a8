"""Why runs break: the right joint, step and force."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.sim.control import Constant
from phyzctl.sim.divergence import Divergence
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from tests.sim.robots import EXPLODING, MIXED, model

SPRING = EXPLODING.replace('axis="0 1 0"', 'axis="0 1 0" stiffness="1e6"')
SPRING = SPRING.replace('kp="1e6"', 'kp="1"')
FEATHER = """\
<mujoco model="feather">
  <option timestep="0.05"/>
  <worldbody>
    <body name="rail">
      <joint name="slide" type="slide"/>
      <inertial pos="0 0 0" mass="1e-9" diaginertia="1e-12 1e-12 1e-12"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slide"/></actuator>
</mujoco>
"""


def broken(text: str, ctrl: list[float], **state: float) -> Divergence:
    engine = Engine(model(text))
    start = initial_start(engine.model)
    for name, value in state.items():
        getattr(start.state, name)[:] = value
    run = Run(engine, Constant(np.array(ctrl)), start, 20_000)
    for _ in run.blocks():
        pass
    assert run.divergence is not None
    assert run.divergence.step == run.made
    return run.divergence


CASES = {
    "stiff servo": (EXPLODING, [1.0], 0.0, ("elbow", "arm", "the actuators")),
    "stiff spring": (SPRING, [0.0], 0.1, ("elbow", "arm", "springs and dampers")),
    "next to no mass": (FEATHER, [1.0], 0.0, ("slide", "rail", "the actuators")),
}


@pytest.mark.parametrize(("text", "ctrl", "q", "expected"), CASES.values(), ids=CASES)
def test_what_broke(text: str, ctrl: list[float], q: float, expected: tuple[str, ...]) -> None:
    found = broken(text, ctrl, q=q)
    assert (found.joint, found.body, found.term) == expected
    for words in expected:
        assert words in found.message()
    assert found.element.name == found.joint
    assert found.element.source.line is not None


def test_controls_that_are_no_numbers_break_the_first_step() -> None:
    found = broken(MIXED, [float("nan"), 0.0])
    assert (found.step, found.time) == (0, 0.0)
    assert found.term == "the actuators"


def test_velocities_that_grow_by_themselves() -> None:
    """A spinning top's worth of speed in Euler's hands: the inertia drives it."""
    found = broken(MIXED, [0.0, 0.0], v=3e4)
    assert found.term in ("inertia (Coriolis, centrifugal)", "springs and dampers")
