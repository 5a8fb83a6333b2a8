"""A floor under what floats, and masses that are guessed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.formats import read_bytes
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.elements import JointKind
from phyzctl.robot.robot import Robot
from phyzctl.sim.control import Constant
from phyzctl.sim.engine import Engine
from phyzctl.sim.ground import lowest_point, with_ground
from phyzctl.sim.inference import with_inferred_inertia
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from tests.sim.robots import model, sample

LYING = """\
<mujoco model="m"><worldbody><body name="b" pos="0 0 2" euler="{euler}"><freejoint/>
  <geom type="{shape}" size="{size}"/></body></worldbody></mujoco>
"""
HALF = math.sqrt(0.5)
LOWEST = {
    "sphere": (("sphere", "0.3", "10 20 30"), 0.3),
    "capsule upright": (("capsule", "0.1 0.5", "0 0 0"), 0.6),
    "capsule lying": (("capsule", "0.1 0.5", "90 0 0"), 0.1),
    "cylinder upright": (("cylinder", "0.1 0.5", "0 0 0"), 0.5),
    "cylinder leaning": (("cylinder", "0.1 0.5", "45 0 0"), HALF * 0.6),
    "box on an edge": (("box", "0.1 0.2 0.3", "45 0 0"), HALF * 0.5),
    "ellipsoid": (("ellipsoid", "0.1 0.2 0.3", "90 0 0"), 0.2),
}


@pytest.mark.parametrize(("shape", "depth"), LOWEST.values(), ids=LOWEST)
def test_how_low_shapes_reach(shape: tuple[str, str, str], depth: float) -> None:
    kind, size, euler = shape
    subject = model(LYING.format(shape=kind, size=size, euler=euler))
    low = lowest_point(subject, subject.default_state().q)
    assert low == pytest.approx(2.0 - depth)


def test_how_low_a_mesh_reaches() -> None:
    text = """<mujoco><asset><mesh name="t" vertex="0 0 0  1 0 0  0 1 0  0 0 -3"/></asset>
      <worldbody><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="t"/></body></worldbody>
    </mujoco>"""
    subject = model(text)
    theirs_is_centred = lowest_point(subject, subject.default_state().q)
    assert theirs_is_centred == pytest.approx(-2.0)


def test_what_touches_nothing_has_no_lowest_point() -> None:
    subject = model(LYING.format(shape="sphere", size="0.1", euler="0 0 0").replace(
        "<geom", '<geom contype="0" conaffinity="0"'
    ))  # fmt: skip
    assert lowest_point(subject, subject.default_state().q) is None


def test_a_robot_stands_on_its_ground() -> None:
    """A tenth of a second after it is put there, nothing has moved by more than contacts give."""
    robot = sample("diff_drive.urdf").robot
    bare = compile_model(robot)
    assert bare.base == "floating"
    low = lowest_point(bare, bare.default_state().q)
    assert low is not None
    subject = compile_model(with_ground(robot, low))
    assert (subject.nq, subject.nv) == (bare.nq, bare.nv)
    assert [joint.name for joint in subject.joints] == [joint.name for joint in bare.joints]
    engine = Engine(subject)
    run = Run(engine, Constant(np.zeros(engine.nctrl)), initial_start(subject), 100)
    q = run.whole().values["q"]
    assert np.abs(q[-1] - q[0]).max() < 2e-3


def test_a_world_of_its_own_needs_no_other() -> None:
    with pytest.raises(PhyzctlError, match="a world of its own"):
        with_ground(sample("cart_pole.urdf").robot, 0.0)


def test_the_joint_of_the_base_gets_a_name_that_is_free() -> None:
    robot = with_ground(sample("diff_drive.urdf").robot, -1.0)
    first = robot.joints[0]
    assert (first.kind, first.parent) == (JointKind.FLOATING, "world")
    assert robot.links[0].geoms[0].xyz == (0.0, 0.0, -1.0)


LIGHT = """\
<robot name="light">
  <link name="base"/>
  <link name="arm">
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision>
    <visual><geometry><sphere radius="5"/></geometry></visual>
  </link>
  <joint name="j" type="continuous">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""


def robot_of(text: str) -> Robot:
    robot = read_bytes(text.encode(), "light.urdf", Issues()).robot
    assert robot is not None
    return robot


def test_masses_are_guessed_from_collision_shapes_alone() -> None:
    robot, named = with_inferred_inertia(robot_of(LIGHT), 500.0)
    assert named == ("arm",)
    (arm,) = (body for body in compile_model(robot).bodies if body.name == "arm")
    assert arm.mass == pytest.approx(1.0)
    assert arm.com == pytest.approx((0.1, 0, 0))
    diagonal = np.array([0.1**2 + 0.1**2, 0.2**2 + 0.1**2, 0.2**2 + 0.1**2]) / 12
    assert arm.inertia == pytest.approx(np.diag(diagonal))


def test_stated_masses_stay() -> None:
    robot = sample("six_axis_arm.urdf").robot
    guessed, named = with_inferred_inertia(robot, 1000.0)
    assert set(named).isdisjoint(link.name for link in robot.links if link.inertial)
    for before, after in zip(robot.links, guessed.links, strict=True):
        if before.inertial is not None and before.inertial.mass:
            assert after is before


def test_what_has_no_shape_stays_without() -> None:
    text = LIGHT.replace("<collision>", "<!--").replace("</collision>", "-->")
    assert with_inferred_inertia(robot_of(text), 1000.0)[1] == ()
