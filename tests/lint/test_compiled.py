"""What rules ask of the compiled Model, against MuJoCo's steps and numbers."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from phyzctl.issues import Issues
from phyzctl.lint.compiled import Compiled, compiled
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind
from tests.lint.mjcf import pendulum, robot_of

POSITION = '<position name="drive" joint="hinge" kp="{kp}" kv="{kv}"/>'


def model_of(text: str) -> Compiled:
    found = compiled(robot_of(text))
    assert found is not None
    return found


def grows(text: str) -> bool:
    """True when MuJoCo's own steps make a small swing ten times as wide."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[0] = 1e-6
    for _ in range(4000):
        mujoco.mj_step(model, data)
        if not abs(data.qpos[0]) < 1e-4:
            return True
    return False


INTEGRATORS = ["Euler", "implicit", "implicitfast", "RK4"]
NO_WEIGHT = 'gravity="0 0 0"'
LAWS = {
    # kp, kv, the joint's damping, and the time step; the inertia is 0.1
    "resolved": (10.0, 0.1, 0.0, 0.002),
    "stiff": (1e5, 0.5, 0.0, 0.0019),
    "too stiff": (1e5, 0.5, 0.0, 0.0021),
    "stiff and damped by its servo": (1e5, 70.0, 0.0, 0.0019),
    "stiff and damped by itself": (1e5, 1.0, 100.0, 0.0021),
    "very damped by its servo": (10.0, 120.0, 0.0, 0.0018),
    "very damped by itself": (10.0, 0.0, 120.0, 0.0018),
    "a long step": (50.0, 0.05, 0.0, 0.1),
    "far too long a step": (50.0, 0.05, 0.0, 0.2),
}


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(("kp", "kv", "damping", "dt"), LAWS.values(), ids=LAWS)
def test_a_swing_is_stable_where_mujoco_keeps_it(
    integrator: str, kp: float, kv: float, damping: float, dt: float
) -> None:
    text = pendulum(
        option=f'timestep="{dt}" integrator="{integrator}" {NO_WEIGHT}',
        joint=f'damping="{damping}"',
        actuators=POSITION.format(kp=kp, kv=kv),
    )
    model = model_of(text)
    (swing,) = model.swings
    assert model.is_stable(swing) is not grows(text)


def test_damping_is_explicit_without_the_flag() -> None:
    text = pendulum(
        option=f'timestep="0.0018" {NO_WEIGHT}><flag eulerdamp="disable"/></option><option',
        joint='damping="120"',
        actuators=POSITION.format(kp=10, kv=0),
    )
    model = model_of(text)
    assert not model.is_stable(model.swings[0])
    assert grows(text)


def test_the_figures_of_a_swing() -> None:
    joint = 'armature="0.3" damping="0.5" stiffness="2" frictionloss="0.1"'
    actuators = (
        '<position name="drive" joint="hinge" kp="5" kv="0.2" gear="2"/>'
        '<velocity name="damp" joint="hinge" kv="3"/>'
        '<motor name="forward" joint="hinge"/>'
    )
    (swing,) = model_of(pendulum(joint=joint, com="0.5 0 0", actuators=actuators)).swings
    assert swing.servo.name == "drive"
    assert swing.inertia == pytest.approx(0.1 + 0.25 + 0.3)
    assert swing.stiffness == pytest.approx(5.0 * 4.0 + 2.0)
    assert swing.servo_damping == pytest.approx(0.2 * 4.0 + 3.0)
    assert (swing.damping, swing.friction) == (0.5, 0.1)
    assert swing.frequency == pytest.approx(math.sqrt(22.0 / 0.65))
    assert swing.ratio == pytest.approx(4.3 / (2.0 * math.sqrt(22.0 * 0.65)))


@pytest.mark.parametrize(
    ("actuators", "tail"),
    [
        ('<motor joint="hinge"/>', ""),
        ('<velocity joint="hinge" kv="1"/>', ""),
        ('<position joint="hinge" kp="1"/>', '<equality><joint joint1="hinge"/></equality>'),
        (
            '<position joint="hinge" kp="1"/>',
            '<equality><connect body1="arm" anchor="0 0 0"/></equality>',
        ),
    ],
    ids=["a motor", "no stiffness", "tied to a number", "tied to the world"],
)
def test_what_is_no_swing_of_its_own(actuators: str, tail: str) -> None:
    assert model_of(pendulum(actuators=actuators, tail=tail)).swings == ()


def test_inertias_are_the_diagonal_of_mujocos() -> None:
    lower = '<body pos="0.3 0 0"><joint axis="1 1 0"/><geom size="0.1"/></body>'
    text = pendulum(joint='armature="0.02"', com="0.1 0 0.2", body=lower)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    assert model_of(text).inertias == pytest.approx(np.diag(M), rel=1e-9)


def test_geoms_weigh_what_mujoco_makes_of_them() -> None:
    geoms = (
        '<geom type="box" size="0.1 0.1 0.2"/>'
        '<geom type="sphere" size="0.1" mass="3"/>'
        '<geom type="capsule" size="0.1 0.2" density="10"/>'
    )
    text = f'<mujoco><worldbody><body name="a">{geoms}</body></worldbody></mujoco>'
    found = model_of(text)
    link = found.model.robot.structure.link("a")
    masses = [found.geom_masses(link)[id(geom)] for geom in link.geoms]
    capsule = 10.0 * math.pi * 0.01 * (0.4 + 4.0 / 3.0 * 0.1)
    assert masses == pytest.approx([16.0, 3.0, capsule])
    assert sum(masses) == pytest.approx(mujoco.MjModel.from_xml_string(text).body_mass[1])


@pytest.mark.parametrize("number", [math.nan, math.inf, 1e308, -1.0, 0.0])
def test_strange_numbers_make_no_swing_and_no_noise(number: float) -> None:
    builder = RobotBuilder("r", dialect="mjcf")
    builder.joint(Joint("j", JointKind.REVOLUTE, "world", "arm", xyz=(number,) * 3))
    found = compiled(builder.build(Issues()))
    assert found is None or found.swings == ()
