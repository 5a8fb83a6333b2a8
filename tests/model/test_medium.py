"""The medium's numbers, and which axes of a body are the principal ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.model.medium import medium_numbers, principal_turns, unshaped
from phyzctl.robot.mechanism import Option
from phyzctl.spatial import rotation_from_quat
from tests.sim.robots import model

BODIES = {
    "written": '<inertial pos="0 0 0" mass="1" quat="1 2 3 4" diaginertia=".1 .1 .15"/>',
    "full": '<inertial pos="0 0 0" mass="3" fullinertia=".3 .4 .5 .01 .02 -.03"/>',
    "one geom": '<geom type="capsule" size=".1 .2" euler="10 20 30"/>',
    "geoms along an axis": '<geom size=".1"/><geom size=".1" pos="1 0 0"/>',
    "geoms askew": '<geom type="box" size=".1 .2 .3" euler="5 6 7"/><geom size=".1" pos="1 2 3"/>',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_principal_axes_are_those_of_mujoco(body: str) -> None:
    """In another order, or the other way round, perhaps: then one is a permutation of the other."""
    mujoco = pytest.importorskip("mujoco")
    text = f"<mujoco><worldbody><body><joint/>{body}</body></worldbody></mujoco>"
    (turn,) = principal_turns(model(text).bodies)
    expected = rotation_from_quat(mujoco.MjModel.from_xml_string(text).body_iquat[1])
    seen = np.abs(rotation_from_quat(turn).T @ expected)
    assert_allclose(np.sort(seen.ravel()), [0] * 6 + [1] * 3, atol=1e-9)


def test_axes_of_what_has_no_inertia_or_no_numbers() -> None:
    (body,) = model("<mujoco><worldbody><body/></worldbody></mujoco>").bodies
    unreadable = replace(body, inertia=np.full((3, 3), np.nan))
    assert principal_turns([body, unreadable]).tolist() == [[1, 0, 0, 0]] * 2
    assert principal_turns([]).shape == (0, 4)


def test_numbers_of_the_medium() -> None:
    option = Option(density=1.2, viscosity=-1.0, wind=(1.0, 2.0, 3.0))
    assert medium_numbers(option, passive=True).tolist() == [1.2, 0.0, 1.0, 2.0, 3.0]
    assert not medium_numbers(option, passive=False).any()
    assert not medium_numbers(Option(), passive=True).any()


def test_meshes_that_should_be_dragged_by_their_shape_are_told_where_there_is_a_medium() -> None:
    text = """<mujoco><option density="{}"/><asset>
      <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body><joint/>
      <geom name="wing" type="mesh" mesh="m" fluidshape="ellipsoid"/>
      <geom type="mesh" mesh="m"/><geom size=".1" fluidshape="ellipsoid"/></body></worldbody>
      </mujoco>"""
    (finding,) = unshaped(model(text.format(1.2)))
    assert getattr(finding.element, "name", None) == "wing"
    assert list(unshaped(model(text.format(0)))) == []
