"""What gravity asks of joints, against MuJoCo; and S954 on its boundaries."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phyzctl.config import Config
from phyzctl.lint.compiled import compiled
from phyzctl.lint.loads import Load, gravity_torques
from tests.lint.mjcf import found, pendulum, robot_of
from tests.lint.support import joint, judge

MOTOR = '<motor name="drive" joint="hinge" {}/>'
CHAIN = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="trunk" pos="0 0 1" euler="0.2 0.1 0">
      {root}
      <geom type="box" size="0.2 0.1 0.1"/>
      <body name="arm" pos="0.3 0 0" gravcomp="{gravcomp}">
        <joint name="shoulder" axis="0 1 1" pos="0.1 0 0"/>
        <geom type="capsule" size="0.05 0.2" pos="0.1 0 0.2"/>
        <body name="hand" pos="0 0 0.5" euler="0.3 0 0.7">
          <joint name="slide" type="slide" axis="1 0 1" ref="0.1"/>
          <joint name="ball" type="ball" pos="0 0 0.1"/>
          <geom type="box" size="0.05 0.1 0.2" pos="0.1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("root", ["", "<freejoint/>", '<joint axis="1 0 0"/>'])
@pytest.mark.parametrize("gravcomp", [0, 0.5, 1])
def test_gravity_asks_for_mujocos_bias(root: str, gravcomp: float) -> None:
    text = CHAIN.format(root=root, gravcomp=gravcomp)
    mj = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(mj)
    made = compiled(robot_of(text))
    assert made is not None
    random = np.random.default_rng(7)
    for _ in range(10):
        q = random.uniform(-1.0, 1.0, mj.nq)
        mujoco.mj_normalizeQuat(mj, q)
        data.qpos[:] = q
        mujoco.mj_forward(mj, data)
        expected = data.qfrc_bias - data.qfrc_gravcomp
        assert gravity_torques(made.model, q) == pytest.approx(expected, abs=1e-9)


def loads(text: str) -> tuple[Load, ...]:
    made = compiled(robot_of(text))
    assert made is not None
    return made.loads


WEIGHT = 9.81 * 0.5  # [N m] of 1 kg at 0.5 m
STRENGTHS = {
    "motor": ('ctrlrange="-4 3"', "", 4.0),
    "motor with a gear": ('ctrlrange="-1 1" gear="3"', "", 3.0),
    "motor of bounded force": ('ctrlrange="-9 9" forcerange="-2 2"', "", 2.0),
    "bounded by its joint": ('ctrlrange="-9 9"', 'actuatorfrcrange="-5 5"', 5.0),
    "not bounded": ("", "", None),
    "held by a spring": ('ctrlrange="-4 4"', 'stiffness="10"', None),
}


@pytest.mark.parametrize(("drive", "held", "strength"), STRENGTHS.values(), ids=STRENGTHS)
def test_strength_of_a_motor(drive: str, held: str, strength: float | None) -> None:
    found = loads(pendulum(com="0.5 0 0", joint=held, actuators=MOTOR.format(drive)))
    assert [load.strength for load in found] == ([] if strength is None else [strength])
    for load in found:
        assert load.torque == pytest.approx(WEIGHT)
        assert load.pose == "in the reference pose"


def test_motors_of_one_joint_pull_together() -> None:
    servo = '<position joint="hinge" kp="9" forcerange="-2 2" gear="2"/>'
    (load,) = loads(pendulum(com="0.5 0 0", actuators=MOTOR.format('ctrlrange="-1 1"') + servo))
    assert load.strength == pytest.approx(1.0 + 4.0)


ASIDE = {
    "a tendon": '<tendon><fixed><joint joint="hinge" coef="1"/></fixed></tendon>',
    "an equality": '<equality><joint joint1="hinge"/></equality>',
}


@pytest.mark.parametrize("tail", ASIDE.values(), ids=ASIDE)
def test_what_else_may_hold_a_joint(tail: str) -> None:
    motor = MOTOR.format('ctrlrange="-1 1"')
    assert loads(pendulum(com="0.5 0 0", actuators=motor, tail=tail)) == ()


def test_the_worst_keyframe_counts() -> None:
    keys = '<key name="down" qpos="1.5708"/><key name="out" qpos="0"/>'
    text = pendulum(
        com="0.5 0 0",
        actuators=MOTOR.format('ctrlrange="-1 1"'),
        tail=f"<keyframe>{keys}</keyframe>",
    )
    (load,) = loads(text)
    assert load.pose == "in keyframe 'out'"
    assert load.torque == pytest.approx(WEIGHT)


@pytest.mark.parametrize(("bound", "wrong"), [(4.9, True), (4.91, False)])
def test_too_weak_to_hold(bound: float, *, wrong: bool) -> None:
    motor = MOTOR.format(f'ctrlrange="-{bound} {bound}"')
    issues = found("S954", pendulum(com="0.5 0 0", actuators=motor))
    assert len(issues) == wrong
    for issue in issues:
        assert issue.subject == "joint 'hinge'"
        assert "gravity asks for 4.91 N m in the reference pose" in issue.message
        assert issue.message.endswith("at most 4.9")


URDF = """<robot name="r">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <origin xyz="0.5 0 0"/>
      <mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <limit lower="{lower}" upper="2" effort="{effort}" velocity="1"/>
  </joint>
</robot>
"""


@pytest.mark.parametrize(
    ("lower", "effort", "wrong"),
    [(-1, 4, True), (-1, 5, False), (-1, 0, False), (1.5, 4, False), (1.5, 0.1, True)],
    ids=["weak", "strong", "unknown", "held below by its limit", "too weak even there"],
)
def test_effort_of_a_urdf(lower: float, effort: float, *, wrong: bool) -> None:
    issues = judge(URDF.format(lower=lower, effort=effort), Config(select=("S954",), deep=True))
    assert len(issues) == wrong


def test_a_massless_robot_asks_for_nothing() -> None:
    assert judge(joint(), Config(select=("S954",), deep=True)) == []
