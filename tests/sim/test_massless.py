"""Joints that move nothing are found before a run breaks on them."""

from __future__ import annotations

import pytest

from phyzctl import codes
from phyzctl.sim.engine import Engine
from phyzctl.sim.massless import massless_issues
from tests.sim.robots import MIXED, PENDULUM, model, sample

POINT = """\
<mujoco model="point">
  <worldbody>
    <body name="first">
      <joint name="along" type="slide" axis="1 0 0"/>
      <body name="second">
        <joint name="too" type="slide" axis="1 0 0"/>
        <inertial pos="0 0 0" mass="{mass}" diaginertia="0.1 0.1 0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def found(text: str) -> list[str | None]:
    return [issue.subject for issue in massless_issues(Engine(model(text)))]


def test_two_joints_that_move_the_same_mass_the_same_way() -> None:
    """Each has inertia, but between them the body 'first' may go anywhere."""
    assert found(POINT.format(mass=1)) == ["joint 'along'"]


@pytest.mark.parametrize("mass", [1e-12, 1.0, 1e12])
def test_any_mass_will_do(mass: float) -> None:
    text = POINT.format(mass=mass)
    assert found(text.replace('axis="1 0 0"/>\n        <in', 'axis="0 1 0"/>\n        <in')) == []


def test_armature_is_inertia_too() -> None:
    text = POINT.format(mass=1)
    assert found(text.replace('name="along"', 'name="along" armature="0.1"')) == []


def test_a_follower_without_mass_is_moved_by_its_leader() -> None:
    """Alone it would be moved by nothing."""
    text = """<robot name="pulley"><link name="world"/><link name="b"/>
      <link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
        izz="1"/></inertial></link>
      <joint name="lead" type="continuous"><parent link="world"/><child link="a"/></joint>
      <joint name="follow" type="continuous"><parent link="world"/><child link="b"/>
        <mimic joint="lead"/></joint></robot>"""
    assert found(text) == []
    assert found(text.replace('<mimic joint="lead"/>', "")) == ["joint 'follow'"]


def test_real_robots_have_masses() -> None:
    for subject in (model(MIXED), model(PENDULUM), sample("humanoid.urdf"), sample("four_bar.xml")):
        assert massless_issues(Engine(subject)) == []


def test_the_issue_is_an_error_at_the_joint() -> None:
    (issue,) = massless_issues(Engine(model(POINT.format(mass=1))))
    assert issue.code is codes.GROUP_MASSLESS
    assert issue.fatal
    assert issue.source is not None
    assert issue.source.line == 4
    assert "link 'first' can't be simulated" in issue.message
