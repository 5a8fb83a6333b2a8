"""Fixes of tensors: what they write, that MuJoCo takes it, and that no other byte changes."""

from __future__ import annotations

import mujoco
import pytest

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.issues import Issue, Issues
from phyzctl.lint.engine import lint
from tests.lint.support import applied

URDF = """<robot name="r"><link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia {tensor}/></inertial>
    <visual><geometry><box size="0.2 0.2 0.01"/></geometry></visual></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""
MJCF = """<mujoco><worldbody><body name="arm"><joint name="j"/>
  <inertial pos="0 0 0" mass="1" {tensor}/><geom type="box" size=".1 .1 .005"/>
</body></worldbody></mujoco>"""


def issue_of(text: str, code: str) -> Issue:
    issues = Issues()
    reading = read_bytes(text.encode(), "r.xml", issues)
    (issue,) = lint(reading, issues, Config(select=(code,)))
    return issue


def urdf(ixx: str, iyy: str, izz: str, ixy: str = "0") -> str:
    return f'ixx="{ixx}" ixy="{ixy}" ixz="0" iyy="{iyy}" iyz="0" izz="{izz}"'


# code, file, and the tensor before and after
FIXES = {
    "the last digit": (
        ("I105", URDF),
        urdf("0.0045", "0.0045", "0.00901"),
        urdf("0.00451", "0.00451", "0.00901"),
    ),
    "few digits": (
        ("I105", URDF),
        urdf("0.0001", "0.0001", "0.0003"),
        urdf("0.0002", "0.0002", "0.0003"),
    ),
    "exponents": (
        ("I105", URDF),
        urdf("4.5e-8", "4.5e-8", "9.01e-8"),
        urdf("4.51e-8", "4.51e-8", "9.01e-8"),
    ),
    "a list": (
        ("I105", MJCF),
        'diaginertia="0.00901 0.0045 0.0045"',
        'diaginertia="0.00901 0.00451 0.00451"',
    ),
    "a lost point": (
        ("I101", URDF),
        urdf("0.0021", "0.0024", "1.7"),
        urdf("0.0021", "0.0024", "0.0017"),
    ),
    "a lost point in a list": (
        ("I101", MJCF),
        'diaginertia="0.0021 0.0024 1.7"',
        'diaginertia="0.0021 0.0024 0.0017"',
    ),
    "square millimetres": (
        ("I110", URDF),
        urdf("4100", "3900", "7900", "12.5"),
        urdf("0.0041", "0.0039", "0.0079", "0.0000125"),
    ),
    "square millimetres in a list": (
        ("I110", MJCF),
        'fullinertia="4100 3900 7900 0 0 25"',
        'fullinertia="0.0041 0.0039 0.0079 0 0 0.000025"',
    ),
}


@pytest.mark.parametrize(("where", "before", "after"), FIXES.values(), ids=FIXES)
def test_what_a_fix_writes(where: tuple[str, str], before: str, after: str) -> None:
    code, template = where
    text = template.format(tensor=before)
    fix = issue_of(text, code).fix
    assert fix is not None
    assert applied(text, fix.edits) == template.format(tensor=after)
    assert fix.safe is (code == "I105")


def test_mujoco_takes_what_was_rounded_once_it_is_fixed() -> None:
    text = MJCF.format(tensor='fullinertia="0.0045 0.0045 0.00901 0.0001 0 0"')
    with pytest.raises(ValueError, match=r"A \+ B >= C"):
        mujoco.MjModel.from_xml_string(text)
    fix = issue_of(text, "I105").fix
    assert fix is not None
    mujoco.MjModel.from_xml_string(applied(text, fix.edits))


def test_no_fix_is_offered_where_there_are_two_ways() -> None:
    issue = issue_of(URDF.format(tensor=urdf("0.0042", "0.0042", "0.084")), "I101")
    assert issue.fix is None


def test_a_robot_without_a_file_gets_no_edits() -> None:
    issues = Issues()
    reading = read_bytes(
        URDF.format(tensor=urdf("0.0045", "0.0045", "0.00901")).encode(), "r", issues
    )
    assert reading.robot is not None
    bare = type(reading)(reading.robot)
    (issue,) = lint(bare, Issues(), Config(select=("I105",)))
    assert issue.fix is None
