"""The lengths of muscles, as MuJoCo finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.api import load
from phyzctl.formats import read_bytes
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from tests.corpus import corpus_dir

mujoco = pytest.importorskip("mujoco")

GATE = 1e-7  # of the span: two solvers that end near the same minimum
ARM = """<mujoco><compiler angle="radian">{search}</compiler><option {option}/><worldbody>
  <site name="w" pos="-.3 .1 0"/><geom name="post" type="cylinder" size=".05 .2" contype="0"/>
  <site name="over" pos="0 .1 0"/>
  <body name="u"><joint name="a" axis="0 0 1" range="-1 2" limited="true" frictionloss="9"
    stiffness="20" damping="3"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
    <site name="s" pos=".2 .05 0"/>
    <body name="l" pos=".4 0 0" gravcomp="1"><joint name="b" axis="0 0 1" range="0 2.2"
      limited="true" armature=".02"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <site name="t" pos=".1 .04 0"/></body></body>
  <body pos="0 0 1"><joint name="spun" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
    <site name="rim" pos=".3 0 0"/></body><site name="hub" pos="0 0 1.1"/>
  <body pos="1 0 1"><joint name="slid" type="slide" range="-.1 .4" limited="true"/>
    <geom size=".1"/></body></worldbody>
  <tendon><spatial name="wrapped"><site site="w"/><geom geom="post" sidesite="over"/>
    <site site="s"/></spatial><spatial name="two"><site site="w"/><site site="t"/></spatial>
    <spatial name="round"><site site="hub"/><site site="rim"/></spatial>
    <fixed name="sum" range="-.5 .6" limited="true" frictionloss="5"><joint joint="a" coef="1"/>
    <joint joint="b" coef="-.4"/></fixed></tendon>
  {more}<actuator>{muscles}<motor joint="a" ctrlrange="-1 1"/></actuator></mujoco>"""
TARGETS = {
    "a hinge": 'joint="a"',
    "a slide with gear": 'joint="slid" gear="-3"',
    "a tendon round a post": 'tendon="wrapped"',
    "over two joints": 'tendon="two" gear="2"',
    "only geometry": 'tendon="round"',
    "a limited sum": 'tendon="sum"',
}
SETTINGS = {
    "none": "",
    "limits": '<lengthrange uselimit="true"/>',
    "strong": '<lengthrange accel="90" timeconst=".3" timestep=".005"/>',
    "weak": '<lengthrange maxforce=".4"/>',
    "long": '<lengthrange inttotal="15" interval="4"/>',
    "again": '<lengthrange useexisting="false" tolrange=".2"/>',
}


def ours(text: str) -> tuple[Model, list[str]]:
    issues = Issues()
    robot = read_bytes(text.encode(), "arm.xml", issues).robot
    assert robot is not None
    model = compiler.compile(robot, issues=issues)
    return model, [issue.message for issue in issues]


def check(text: str) -> Any:
    """All ranges are as near MuJoCo's as two solvers may be."""
    theirs = mujoco.MjModel.from_xml_string(text)
    model, messages = ours(text)
    assert messages == []
    muscles = [n for n, each in enumerate(model.actuators) if each.lengths is not None]
    found = np.array([model.actuators[number].lengths for number in muscles])
    wanted = theirs.actuator_lengthrange[muscles]
    assert len(found)
    assert_allclose(found, wanted, rtol=0, atol=GATE * float(np.ptp(wanted, axis=1).max()))
    return found


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_ranges_equal_mujocos(target: str) -> None:
    check(ARM.format(search="", option="", more="", muscles=f"<muscle {target}/>"))


@pytest.mark.parametrize("search", SETTINGS.values(), ids=SETTINGS)
def test_by_the_files_own_settings(search: str) -> None:
    muscles = "".join(f"<muscle {target}/>" for target in TARGETS.values())
    stated = '<muscle joint="a" lengthrange="0 9"/>'
    found = check(ARM.format(search=search, option="", more="", muscles=muscles + stated))
    assert (found[-1].tolist() == [0.0, 9.0]) == ("useexisting" not in search)


@pytest.mark.parametrize(
    "option",
    ['integrator="implicitfast"', 'integrator="RK4"', 'cone="elliptic"', 'noslip_iterations="3"'],
)
def test_whatever_moves_the_model_later(option: str) -> None:
    muscles = "".join(f"<muscle {target}/>" for target in TARGETS.values())
    check(ARM.format(search="", option=option, more="", muscles=muscles))


def test_equalities_hold() -> None:
    more = """<equality><joint joint1="b" joint2="a" polycoef="0 .5 0 0 0"/>
      <joint joint1="spun" polycoef="0.2 0 0 0 0" active="false"/></equality>"""
    muscles = '<muscle tendon="two"/><muscle tendon="round"/>'
    check(ARM.format(search="", option="", more=more, muscles=muscles))


@pytest.mark.parametrize("stated", ["0 0", "1 0", ""])
def test_a_range_the_wrong_way_round_is_none(stated: str) -> None:
    check(ARM.format(
        search="", option="", more="", muscles=f'<muscle joint="a" lengthrange="{stated}"/>'
        if stated else '<muscle joint="a"/>',
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("search", "target", "refused"),
    [
        ("", 'joint="spun"', True),
        ('<lengthrange inttotal=".05" interval=".02"/>', 'joint="a"', True),
        ('<lengthrange mode="none"/>', 'joint="a"', False),
    ],
    ids=["unlimited", "too short", "not asked for"],
)
def test_what_does_not_settle_is_told(search: str, target: str, refused: bool) -> None:
    text = ARM.format(search=search, option="", more="", muscles=f"<muscle {target}/>")
    if refused:
        with pytest.raises(ValueError, match="did not converge"):
            mujoco.MjModel.from_xml_string(text)
    model, messages = ours(text)
    (message,) = messages
    assert "its lengths don't settle in a search: the actuator exerts no force" in message
    assert model.actuators[0].lengths is None
    forces = model.actuator_forces_at([1.0, 0.0], model.default_state().q, [0.0] * 4, act=[1.0])
    assert not forces.any()


@pytest.mark.corpus_m
def test_the_finger_of_myo_sim() -> None:
    path: Path = corpus_dir("m") / "myo_sim/models/legacy/finger/myofinger_v0.xml"
    theirs = mujoco.MjModel.from_xml_path(str(path))
    model = compiler.compile(load(path))
    found = np.array([each.lengths for each in model.actuators])
    assert_allclose(found, theirs.actuator_lengthrange, atol=GATE)
