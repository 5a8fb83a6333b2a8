"""Bad input never raises: every fault is an Issue, whatever is cut, swapped or made absurd."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from phyzctl import formats
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compiled_model
from phyzctl.robot.robot import Robot
from tests.formats.mjcf.reading import read

WHOLE = """<mujoco model="whole">
<compiler angle="radian" eulerseq="zyx" meshdir="m" autolimits="true"/>
<option timestep="0.01" integrator="implicitfast"><flag energy="enable"/></option>
<size nkey="2"/>
<default><geom size="0.1 0.2 0.3" friction="1 0.1"/><joint damping="1"/>
<position kp="5" kv="1"/><default class="c"><geom type="box"/><mesh scale="1 1 2"/></default>
</default>
<asset><mesh name="t" class="c" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
<hfield name="h" size="1 1 1 1" nrow="2" ncol="2" elevation="0 1 2 3"/>
<material name="red" rgba="1 0 0 1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><geom type="hfield" hfield="h"/>
<body name="a" pos="0 0 1" euler="0.1 0.2 0.3" childclass="c" gravcomp="1">
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1" quat="1 0 0 0"/>
  <joint name="j" range="-1 1" axis="0 1 0" pos="0 0 0.1" ref="0.1" solreflimit="0.1 1"/>
  <joint name="k" type="slide"/>
  <geom name="g"/><geom type="mesh" mesh="t" material="red"/><site name="s"/>
  <frame pos="1 0 0" zaxis="1 1 0"><geom type="capsule" fromto="0 0 0 1 0 0"/>
    <body name="b"><joint name="l" type="ball"/><geom name="i"/><site name="u"/></body></frame>
  <replicate count="3" offset="0 1 0" euler="0 0 0.1"><body name="r"><joint name="rj"/>
    <geom name="rg"/><site name="rs"/></body></replicate>
</body>
<body name="f"><freejoint name="ff"/><geom name="fg"/></body></worldbody>
<contact><pair geom1="g" geom2="i"/><exclude body1="a" body2="b"/></contact>
<tendon><fixed name="x" range="0 1"><joint joint="j" coef="1"/></fixed>
<spatial name="y"><site site="s"/><geom geom="i" sidesite="u"/><site site="u"/></spatial></tendon>
<equality><joint joint1="j" joint2="k" polycoef="0 1"/><weld body1="a" body2="b"/></equality>
<actuator><position name="p" joint="j" ctrlrange="-1 1"/><motor name="m" tendon="x" gear="3"/>
<general joint="rj" gainprm="1" biastype="affine" biasprm="0 -1"/></actuator>
<sensor><jointpos joint="j"/><framepos objtype="site" objname="rs"/></sensor>
<keyframe><key name="home" ctrl="1 2 3 4 5"/></keyframe>
</mujoco>"""

_ABSURD = (
    "",
    " ",
    "nan",
    "inf",
    "-1",
    "1e308",
    "1e999",
    "x",
    "0",
    "true",
    "1 2 3 4 5 6 7 8 9",
    "${x}",
)


def _survives(text: str) -> None:
    issues = Issues()
    robot = formats.read_bytes(text.encode(), "robot.xml", issues).robot
    if robot is not None:
        with np.errstate(all="ignore"):  # masses beyond all numbers
            compiled_model(robot, issues=issues)


def test_the_whole_is_fine() -> None:
    robot, issues = read(WHOLE)
    assert [str(issue) for issue in issues] == []
    assert len(robot.links) == 7
    _survives(WHOLE)


def test_the_whole_goes_through_json_and_back() -> None:
    robot, _ = read(WHOLE)
    assert Robot.from_json(json.loads(json.dumps(robot.to_json()))) == robot


ATTRIBUTES = [match.span(1) for match in re.finditer(r'="([^"]*)"', WHOLE)]


@pytest.mark.parametrize("number", range(len(ATTRIBUTES)))
def test_every_attribute_made_absurd(number: int) -> None:
    start, end = ATTRIBUTES[number]
    for value in _ABSURD:
        _survives(WHOLE[:start] + value + WHOLE[end:])


def test_every_attribute_left_out() -> None:
    for match in re.finditer(r' [a-z0-9]+="[^"]*"', WHOLE):
        _survives(WHOLE[: match.start()] + WHOLE[match.end() :])


def test_every_element_left_out_or_doubled() -> None:
    for match in re.finditer(r"<[a-z]+[^<>]*/>", WHOLE):
        _survives(WHOLE[: match.start()] + WHOLE[match.end() :])
        _survives(WHOLE[: match.end()] + match.group() + WHOLE[match.end() :])


def test_elements_in_the_wrong_place() -> None:
    elements = [match.group() for match in re.finditer(r"<[a-z]+[^<>]*/>", WHOLE)]
    places = [match.end() for match in re.finditer(r"<[a-z]+[^<>/]*>", WHOLE)]
    choose = random.Random(5)
    for _ in range(150):
        place = choose.choice(places)
        _survives(WHOLE[:place] + choose.choice(elements) + WHOLE[place:])


def test_files_that_end_early() -> None:
    for end in range(0, len(WHOLE), 23):
        _survives(WHOLE[:end])


@pytest.mark.parametrize("depth", [100, 480])
@pytest.mark.parametrize("tag", ["body", "frame", "replicate", "default"])
def test_deep_nesting(tag: str, depth: int) -> None:
    attributes = {"replicate": ' count="1"', "default": ' class="c{}"'}.get(tag, "")
    opened = "".join(f"<{tag}{attributes.format(number)}>" for number in range(depth))
    inside = opened + f"</{tag}>" * depth
    section = f"<default>{inside}</default>" if tag == "default" else None
    _survives(f"<mujoco>{section or f'<worldbody>{inside}</worldbody>'}</mujoco>")


def test_a_chain_of_includes(tmp_path: Path) -> None:
    for number in range(200):
        text = f'<mujocoinclude><include file="{number + 1}.xml"/></mujocoinclude>'
        (tmp_path / f"{number}.xml").write_text(text)
    (tmp_path / "200.xml").write_text('<mujoco><worldbody><body name="end"/></worldbody></mujoco>')
    (tmp_path / "main.xml").write_text('<mujoco><include file="0.xml"/></mujoco>')
    issues = Issues()
    robot = formats.read(str(tmp_path / "main.xml"), issues).robot
    assert robot is not None
    assert [link.name for link in robot] == ["world", "end"]


def test_too_many_includes_are_refused(tmp_path: Path) -> None:
    for number in range(1100):
        text = f'<mujocoinclude><include file="{number + 1}.xml"/></mujocoinclude>'
        (tmp_path / f"{number}.xml").write_text(text)
    (tmp_path / "main.xml").write_text('<mujoco><include file="0.xml"/></mujoco>')
    issues = Issues()
    formats.read(str(tmp_path / "main.xml"), issues)
    assert [issue.code.id for issue in issues] == ["X019"]
    assert "more than 1000 files" in next(iter(issues)).message
