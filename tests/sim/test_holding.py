"""What holds a state, by name and force."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.sim.engine import Engine
from tests.sim.robots import model, sample

SCENE = """\
<mujoco model="m"><option timestep="0.002"/>
  <worldbody><geom type="plane" size="1 1 1" name="floor"/>
    <body name="ball" pos="0 0 {height}"><freejoint/><geom size="0.1" mass="2"/></body>
    <body name="arm" pos="1 0 5"><joint name="j" axis="0 1 0" range="-10 10" ref="0"/>
      <geom size="0.05" pos="0.3 0 0" mass="1"/></body>
  </worldbody>
</mujoco>
"""


def forces(height: float, angle: float = 0.0) -> dict[str, np.ndarray]:
    engine = Engine(model(SCENE.format(height=height)))
    state = engine.model.default_state()
    state.q[7] = angle
    ctrl = np.zeros(engine.nctrl)
    return dict(engine.holding.forces(state.q, state.v, ctrl, engine.active(state)))


def test_nothing_holds_what_is_free() -> None:
    assert forces(1.0) == {}


def test_a_contact_pushes_the_ball_up_by_name() -> None:
    (name,) = found = forces(0.095)
    assert name == "the contact of 'world' and 'ball'"
    assert found[name][2] > 2 * 9.81
    assert found[name][7 - 1] == 0.0


def test_a_limit_pushes_its_joint_back() -> None:
    (name,) = found = forces(1.0, angle=0.2)
    assert name == "the limit of joint 'j'"
    assert found[name][6] < 0.0
    assert not found[name][:6].any()


def test_touches_are_contacts_with_their_depths() -> None:
    engine = Engine(model(SCENE.format(height=0.095)))
    (touch,) = engine.holding.touches(engine.model.default_state().q)
    names = [engine.model.geoms[geom].name for geom in touch.geoms]
    assert names[0] == "floor"
    assert touch.distance == pytest.approx(-0.005)


def test_forces_add_up_to_what_is_missing() -> None:
    """At rest on pyramids, J'f is what gravity takes: the rows of the solver's answer."""
    engine = Engine(model(SCENE.format(height=0.0999)))
    state = engine.model.default_state()
    moved = engine.advance(state, np.zeros((1, engine.nctrl)), steps=1500)
    q, v = moved.last["q"], moved.last["v"]
    found = dict(engine.holding.forces(q, v, np.zeros(engine.nctrl), engine.active(state)))
    assert found["the contact of 'world' and 'ball'"][2] == pytest.approx(2 * 9.81, rel=1e-3)


@pytest.mark.parametrize("name", ["four_bar.xml", "three_finger_hand.xml", "quadruped.xml"])
def test_every_constraint_of_a_robot_has_a_name(name: str) -> None:
    engine = Engine(sample(name))
    state = engine.model.default_state()
    found = dict(
        engine.holding.forces(state.q, state.v, np.zeros(engine.nctrl), engine.active(state))
    )
    assert found
    assert all(np.isfinite(force).all() for force in found.values())
