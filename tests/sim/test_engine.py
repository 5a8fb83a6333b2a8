"""The engine: choices of time step and integrator, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.model.material import ContactMaterial
from phyzctl.sim.engine import INTEGRATORS, Engine
from phyzctl.sim.hold import hold
from phyzctl.sim.start import initial_start
from tests.native.followers import robot
from tests.sim.robots import EXPLODING, MIXED, OWN_LAWS, PENDULUM, SQUEEZED, model, sample

CHOICES = {
    "as MJCF says": (PENDULUM, None, "rk4"),
    "MJCF's default": (MIXED, None, "euler"),
    "as asked": (PENDULUM, "euler", "euler"),
    "unknown to us": (PENDULUM.replace("RK4", "implicit"), None, "implicitfast"),
    "URDF": ("cart_pole.urdf", None, "best"),
}


@pytest.mark.parametrize(("text", "asked", "used"), CHOICES.values(), ids=CHOICES)
def test_the_integrator(text: str, asked: str | None, used: str) -> None:
    subject = sample(text) if text.endswith(".urdf") else model(text)
    assert Engine(subject, integrator=asked).integrator == used


def test_the_time_step_is_the_models_own_unless_one_is_given() -> None:
    assert Engine(model(MIXED)).dt == 0.002
    assert Engine(model(MIXED), dt=0.005).dt == 0.005


@pytest.mark.parametrize("dt", [0.0, -0.001, float("nan"), float("inf")])
def test_time_steps_that_time_can_not_advance_by(dt: float) -> None:
    with pytest.raises(PhyzctlError, match="the time step must be positive"):
        Engine(model(MIXED), dt=dt)


def test_misuse() -> None:
    with pytest.raises(PhyzctlError, match=r"no integrator 'rk5'; did you mean 'rk4'\?"):
        Engine(model(MIXED), integrator="rk5")
    still = '<mujoco model="rock"><worldbody><body name="b"/></worldbody></mujoco>'
    with pytest.raises(PhyzctlError, match="nothing moves in 'rock'"):
        Engine(model(still))


def test_samples_are_the_states_before_every_few_steps() -> None:
    engine = Engine(model(MIXED))
    state, ctrl = engine.model.default_state(), np.array([[0.5, 0.1]])
    whole = engine.advance(state, ctrl, steps=10)
    thin = engine.advance(state, ctrl, steps=10, every=3)
    assert whole.made == thin.made == 10
    for part in engine.parts:
        assert np.array_equal(whole.parts[part][0], getattr(state, part))
        assert np.array_equal(thin.parts[part], whole.parts[part][::3])
        assert np.array_equal(thin.last[part], whole.last[part])
    assert thin.ctrl.tolist() == [[0.5, 0.1]] * 4


def test_applied_forces_act() -> None:
    """A force on the free body's dof along x against its weight: a = f / m of all that rides."""
    engine = Engine(model(MIXED))
    state = engine.model.default_state()
    state.qfrc_applied[2] = 9.81 * (2 + 0.5 + 0.1 + 0.3)
    moved = engine.advance(state, np.zeros((1, 2)), steps=1)
    com = (engine.mass_matrix(state.q) @ moved.last["v"])[2]
    assert com == pytest.approx(0.0, abs=1e-12)


FALLING = """<mujoco><option gravity="0 0 -10"/><worldbody>
  <geom type="plane" size="1 1 1"/><body name="box" pos="0 0 1"><freejoint/>
    <geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody></mujoco>"""


def test_forces_on_bodies_act() -> None:
    engine = Engine(model(FALLING))
    state = engine.model.default_state()
    state.xfrc_applied[0] = (0.0, 4.0, 20.0, 0.0, 0.0, 0.0)
    moved = engine.advance(state, np.zeros((1, 6)), steps=1)
    assert moved.last["v"] / engine.dt == pytest.approx((0.0, 2.0, 0.0, 0.0, 0.0, 0.0))


def test_what_falls_comes_to_rest_on_the_ground() -> None:
    """As deep as the default softness lets four corners sink: 0.12 mm."""
    engine = Engine(model(FALLING))
    moved = engine.advance(engine.model.default_state(), np.zeros((1, 6)), steps=1500)
    assert moved.last["q"][2] == pytest.approx(0.1, abs=2e-4)
    assert np.abs(moved.last["v"]).max() < 1e-6
    assert moved.capped == 0


def test_equalities_hold_while_they_are_active() -> None:
    tied = FALLING.replace("</mujoco>", '<equality><weld body1="box"/></equality></mujoco>')
    engine = Engine(model(tied))
    state = engine.model.default_state()
    heights = []
    for active in (True, False):
        state.eq_active[:] = active
        moved = engine.advance(state, np.zeros((1, 6)), steps=200)
        heights.append(moved.last["q"][2])
    assert heights[0] == pytest.approx(1.0, abs=1e-3)
    assert heights[1] == pytest.approx(1.0 - 5.0 * 0.4**2, abs=0.01)


MIMIC = """<robot name="pair"><link name="base"/>
  <link name="a"><inertial><mass value="1"/><origin xyz=".1 0 0"/>
    <inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"><inertial><mass value="2"/><origin xyz=".2 0 0"/>
    <inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="lead" type="continuous"><parent link="base"/><child link="a"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="follow" type="continuous"><parent link="base"/><child link="b"/>
    <axis xyz="0 1 0"/><mimic joint="lead" multiplier="-.5" offset=".2"/></joint></robot>"""


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_followers_keep_to_their_leaders(integrator: str) -> None:
    engine = Engine(model(MIMIC), integrator=integrator)
    state = initial_start(engine.model, q={"lead": 0.3}).state
    assert state.q == pytest.approx([0.3, 0.05])
    moved = engine.advance(state, np.zeros((1, 2)), steps=1000)
    lead, follow = moved.parts["q"].T
    assert np.abs(lead - 0.3).max() > 0.5
    assert follow == pytest.approx(-0.5 * lead + 0.2, abs=1e-15)


def test_a_follower_off_its_line_is_refused() -> None:
    engine = Engine(model(MIMIC))
    state = initial_start(engine.model, q={"lead": 0.3, "follow": 0.1}).state
    with pytest.raises(
        PhyzctlError, match=r"'follow' follows 'lead': it must be at 0\.05, not 0\.1"
    ):
        engine.advance(state, np.zeros((1, 2)), steps=1)


def test_holding_a_leader_carries_its_followers() -> None:
    """Computed torque with the weight and inertia of all that moves: nothing sags."""
    engine = Engine(model(robot(), "fixed"))
    state = initial_start(engine.model, q={"lead": 0.3, "deep": 0.2}).state
    held = hold(engine, state)
    moved = engine.advance(state, held.at(np.zeros(1), state), steps=1000, feedback=held.feedback)
    assert moved.last["q"] == pytest.approx(state.q, abs=1e-9)


def test_it_stops_at_the_last_good_state() -> None:
    engine = Engine(model(EXPLODING))
    moved = engine.advance(engine.model.default_state(), np.array([[1.0]]), steps=1000)
    assert 0 < moved.made < 1000
    assert len(moved.parts["q"]) == moved.made
    assert np.isfinite(moved.last["q"]).all()
    state = engine.model.default_state()
    again = engine.advance(state, np.array([[1.0]]), steps=moved.made)
    assert np.array_equal(moved.last["q"], again.last["q"])


def test_an_actuator_that_is_not_computed_pulls_at_nothing() -> None:
    engine = Engine(model(OWN_LAWS))
    state = engine.model.default_state()
    driven = engine.advance(state, np.full((1, 2), 5.0), steps=10)
    idle = engine.advance(state, np.zeros((1, 2)), steps=10)
    assert np.array_equal(driven.last["v"], idle.last["v"])


def test_the_quadrotor_hovers_by_the_thrust_of_its_sites() -> None:
    engine = Engine(sample("quadrotor.xml"))
    state = engine.model.keyframes[0].state
    moved = engine.advance(state, state.ctrl[np.newaxis], steps=200)
    assert np.abs(moved.last["v"][:6]).max() < 1e-6


def test_bodies_are_placed() -> None:
    engine = Engine(model(MIXED))
    (places,) = engine.places(engine.model.default_state().q[np.newaxis])
    tip = engine.model.body_index("tip")
    assert tip is not None
    assert places[tip] == pytest.approx((0.4, 0, 1, 1, 0, 0, 0))
    jacobian = engine.jacobian(engine.model.default_state().q, tip, (0.0, 0.0, 0.0))
    assert jacobian[:, 6] == pytest.approx((0, 0, -0.2, 0, 1, 0))  # the shoulder, about y


FLOATING = """<robot name="r"><link name="base"/>
<link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="loose"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
<joint name="gap" type="floating"><parent link="arm"/><child link="loose"/></joint></robot>"""


def test_a_part_that_floats_on_a_moving_one_is_refused_by_name() -> None:
    with pytest.raises(PhyzctlError, match="joint 'gap' floats on a body that moves"):
        Engine(model(FLOATING))


def test_stiff_is_what_a_file_can_state() -> None:
    """Twice the step, critically damped, nearly rigid: MuJoCo's own words for that."""
    written = 'solref=".004 1" solimp=".99 .99 .001 .5 2"'
    ends = []
    for softness, stiff in ((written, False), ("", True), ('solref=".004 1"', False)):
        engine = Engine(model(SQUEEZED.format(softness=softness)), stiff=stiff)
        assert engine.stiff is stiff
        moved = engine.advance(engine.model.default_state(), np.zeros((1, 12)), steps=100)
        ends.append(moved.last["q"].tobytes())
    assert ends[0] == ends[1] != ends[2]


def test_runge_kutta_refuses_impacts() -> None:
    subject = model(FALLEN)
    subject.set_body_material("ball", ContactMaterial(restitution=0.5))
    with pytest.raises(PhyzctlError, match="rk4 makes no impacts"):
        Engine(subject, integrator="rk4")
    assert Engine(subject).integrator == "best"


FALLEN = """<robot name="r"><link name="world"><collision>
<geometry><box size="1 1 1"/></geometry></collision></link>
<link name="ball"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="free" type="floating"><origin xyz="0 0 1"/><parent link="world"/><child link="ball"/>
</joint></robot>"""
