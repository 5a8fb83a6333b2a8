"""Links on fixed joints, fused: as heavy, as large and as movable as before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl.formats import read, read_bytes
from phyzctl.formats.fuse import fused
from phyzctl.formats.losses import Losses
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.jacobians import Motion
from phyzctl.robot.elements import JointKind
from phyzctl.robot.robot import WORLD_LINK, Robot
from tests.corpus import SAMPLES, files_with_root

_HEALTHY = [
    path
    for tag in ("robot", "mujoco")
    for path in files_with_root(SAMPLES, tag)
    if "broken" not in path.parts
]


def robot_of(text: str) -> Robot:
    robot = read_bytes(text.encode(), "robot.urdf", Issues()).robot
    assert robot is not None
    return robot


@pytest.mark.parametrize("path", _HEALTHY, ids=lambda path: path.name)
def test_the_mass_matrix_and_the_shapes_stay(path: Path) -> None:
    robot = read(str(path), Issues()).robot
    assert robot is not None
    before, after = compile_model(robot), compile_model(fused(robot, Losses()))
    q = before.default_state().q
    assert after.nq == before.nq
    np.testing.assert_allclose(
        Motion(after, q).mass_matrix(), Motion(before, q).mass_matrix(), atol=1e-9
    )
    placed = [model.kinematics(q).geoms[:, :3, 3] for model in (before, after)]
    order = [np.lexsort(np.round(points, 6).T) for points in placed]
    np.testing.assert_allclose(placed[1][order[1]], placed[0][order[0]], atol=1e-9)


def test_what_a_fixed_joint_holds_is_gone_unless_it_stands_or_is_named() -> None:
    for path in _HEALTHY:
        robot = read(str(path), Issues()).robot
        assert robot is not None
        named = {sensor.object_name for sensor in robot.sensors}
        root = robot.structure.root
        standing = {WORLD_LINK} | ({root.name} if root.inertial is None else set())
        for joint in fused(robot, Losses()).joints:
            fixed = joint.kind is JointKind.FIXED
            assert not fixed or joint.parent in standing or joint.child in named


_TENSOR = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
_PART = f'<inertial><mass value="1"/>{_TENSOR}</inertial>'
_CHAIN = f"""\
<robot name="r">
  <link name="a">{_PART}</link>
  <link name="b">{_PART}</link>
  <link name="c">{_PART}</link>
  <joint name="ab" type="fixed"><origin xyz="2 0 0"/><parent link="a"/><child link="b"/></joint>
  <joint name="bc" type="continuous"><origin xyz="0 3 0"/><parent link="b"/><child link="c"/>
  </joint>
</robot>
"""


def test_two_equal_parts_two_metres_apart() -> None:
    losses = Losses()
    robot = fused(robot_of(_CHAIN), losses)
    assert [link.name for link in robot.links] == ["a", "c"]
    inertial = robot.structure.link("a").inertial
    assert inertial is not None
    assert inertial.inertia is not None
    assert (inertial.mass, inertial.xyz) == (2.0, (1.0, 0.0, 0.0))
    # Two spheres of inertia 1 and mass 1, each a metre off the middle along x.
    np.testing.assert_allclose(inertial.inertia, [2, 0, 0, 4, 0, 4], atol=1e-12)
    hung = robot.structure.joint("bc")
    assert (hung.parent, hung.xyz) == ("a", (2.0, 3.0, 0.0))
    (loss,) = losses.issues()
    assert (loss.code.id, loss.source.line if loss.source else None) == ("L010", 3)


def test_a_base_that_stands_keeps_standing() -> None:
    robot = robot_of(_CHAIN.replace(f'<link name="a">{_PART}</link>', '<link name="a"/>'))
    assert fused(robot, Losses()) is robot
    assert compile_model(robot).base == "fixed"
