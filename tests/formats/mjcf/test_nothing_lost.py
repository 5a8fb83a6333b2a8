"""Shown by mutation: no number of a file is lost; each one changed changes the Robot."""

from __future__ import annotations

import re

import pytest

from phyzctl import formats
from phyzctl.issues import Issues
from phyzctl.robot.robot import Robot
from tests.formats.mjcf.test_robustness import WHOLE

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_MORE = """
<option magnetic="0 0.5 0" sdf_iterations="11" o_margin="0.1"/>
<visual><map znear="0.1"/></visual><statistic extent="3"/>
<default><site size="0.02"/><mesh maxhullvert="32"/><tendon width="0.01"/><pair condim="4"/>
<equality solref="0.03 1"/><material shininess="0.4"/></default>
<asset><mesh name="m2" vertex="0 0 0 1 0 0 0 1 0 0 0 1" refpos="1 2 3" refquat="0 1 0 0"/></asset>
<worldbody><site name="plain" group="1"/><camera pos="1 2 3" fovy="40"/><light pos="0 0 4"/>
<body name="more" user="3 4"><joint name="mj" group="2" user="1" stiffness="3 2 1" armature="0.1"
 frictionloss="0.2" springref="0.3" margin="0.01" actuatorfrcrange="-3 4" springdamper="0.1 1"
 solimplimit="0.8 0.9 0.01" solreffriction="0.1 1" solimpfriction="0.7 0.8 0.01"/>
<geom contype="2" conaffinity="3" condim="4" group="2" priority="1" solmix="2" solref="0.1 1"
 solimp="0.8 0.9 0.01" margin="0.1" gap="0.05" mass="2" density="500" rgba="1 0 0 1" user="5"
 fluidcoef="0.4 0.2 1.4 1 1" size="0.3"/>
<geom type="box" mesh="t" fitscale="0.7"/></body></worldbody>
<tendon><fixed name="z" stiffness="1 2" damping="2 3" frictionloss="0.1" springlength="0.1 0.2"
 margin="0.1" armature="0.2" group="2" actuatorfrcrange="-1 1" solreflimit="0.1 1"
 solimplimit="0.8 0.9 0.01" user="7"><joint joint="mj" coef="2"/></fixed></tendon>
<equality><connect body1="a" body2="more" anchor="1 2 3" solimp="0.8 0.9 0.01"/>
<weld body1="a" body2="b" relpose="1 2 3 1 0 0 0" torquescale="2" anchor="3 4 5"/></equality>
<actuator><muscle tendon="z" timeconst="0.02 0.05" tausmooth="0.01" range="0.7 1.1" force="5"
 scale="210" lmin="0.4" lmax="1.7" vmax="1.6" fpmax="1.4" fvmax="1.3" lengthrange="0.1 0.9"/>
<cylinder joint="mj" timeconst="0.3" area="2" bias="1 2 3" group="3"/>
<general joint="mj" dyntype="filter" dynprm="0.2" actrange="-2 2" forcerange="-5 6" actdim="1"
 armature="0.3" damping="0.4"/><position joint="mj" timeconst="0.4" inheritrange="0.9"/></actuator>
<sensor><gyro site="s" cutoff="3" noise="0.2" nsample="4"/></sensor>
<keyframe><key name="k2" time="2" mpos="1 2 3" act="1 2"/></keyframe>
<custom><numeric name="n" data="1 2 3"/></custom>
</mujoco>"""
TEXT = WHOLE.replace("</mujoco>", _MORE)

# What changes only the length of a vector whose direction counts.
LENGTHS = {('quat="1 0 0 0"', 0), ('axis="0 1 0"', 1)}


def _read(text: str) -> tuple[Robot | None, list[str]]:
    issues = Issues()
    robot = formats.read_bytes(text.encode(), "robot.xml", issues).robot
    return robot, sorted(str(issue) for issue in issues)


ORIGINAL = _read(TEXT)
VALUES = [
    match
    for match in re.finditer(r'([a-z0-9_]+)="([^"]*)"', TEXT)
    if _NUMBER.fullmatch(match.group(2).split()[0]) and match.group(1) not in ("name", "class")
]


def _changed(number: str) -> str:
    if re.fullmatch(r"-?\d+", number):
        return str(int(number) + 1)
    return repr(float(number) * 1.25)


@pytest.mark.parametrize("match", VALUES, ids=lambda match: f"{match.group(1)}@{match.start()}")
def test_every_number_counts(match: re.Match[str]) -> None:
    for index, number in enumerate(_NUMBER.finditer(match.group(2))):
        if (match.group(), index) in LENGTHS:
            continue
        start = match.start(2) + number.start()
        end = match.start(2) + number.end()
        changed = TEXT[:start] + _changed(number.group()) + TEXT[end:]
        assert _read(changed) != ORIGINAL, f"{match.group()}: {number.group()} is lost"


def test_the_original_has_no_faults() -> None:
    robot, issues = ORIGINAL
    assert issues == []
    assert robot is not None
