"""Rules for where joints stand and how they point: J206, J209 to J212, T406."""

from __future__ import annotations

import math

import pytest

from phyzctl.config import Config
from phyzctl.issues import Issue
from tests.lint.support import AXIS, LIMIT, joint, judge


def found(code: str, text: str, **tolerances: float) -> list[Issue]:
    return judge(text, Config(select=(code,), tolerances=tolerances))


def chain(second: str, kind: str = "revolute", bounds: str = 'lower="-1" upper="1"') -> str:
    """base - (hinge) upper, 0.4 m - (what is given) lower."""
    return f"""<robot name="r">
  <link name="base"/><link name="upper"/><link name="lower"/>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 0.4"/><parent link="base"/><child link="upper"/>{AXIS}{LIMIT}
  </joint>
  <joint name="second" type="{kind}">
    {second}
    <parent link="upper"/><child link="lower"/>{AXIS}
    <limit {bounds} effort="1" velocity="1"/>
  </joint>
</robot>
"""


RPY = {
    "none": ("0 0 0", False),
    "half a turn": ("3.1416 0 0", False),
    "a full turn": (f"0 0 {math.tau}", False),
    "a rounded turn": ("0 -6.29 0", False),
    "more than a turn": ("0 0 6.3", True),
    "degrees": ("0 0 90", True),
    "negative degrees": ("-90 0 0", True),
    "small degrees look like radians": ("0 0 5", False),
}


@pytest.mark.parametrize(("rpy", "wrong"), RPY.values(), ids=RPY)
def test_orientation_of_joints(rpy: str, *, wrong: bool) -> None:
    text = joint(f'{AXIS}{LIMIT}\n<origin rpy="{rpy}"/>')
    issues = found("J206", text)
    assert len(issues) == wrong
    assert all(issue.source and issue.source.line == 8 for issue in issues)


PARTS = {
    "inertial": '<inertial>\n<origin rpy="0 0 90"/><mass value="1"/><inertia ixx="1" ixy="0" '
    'ixz="0" iyy="1" iyz="0" izz="1"/></inertial>',
    "visual": '<visual>\n<origin rpy="0 0 90"/><geometry><sphere radius="1"/></geometry></visual>',
    "collision": '<collision>\n<origin rpy="0 0 90"/><geometry><sphere radius="1"/></geometry>'
    "</collision>",
}


@pytest.mark.parametrize("part", PARTS)
def test_orientation_of_parts(part: str) -> None:
    text = joint().replace('<link name="arm"/>', f'<link name="arm">{PARTS[part]}</link>')
    (issue,) = found("J206", text)
    assert issue.subject == "link 'arm'"
    assert issue.source is not None
    assert issue.source.line == 4
    assert issue.fix is not None
    assert issue.fix.edits[0].text == f"0 0 {math.pi / 2!r}"


OFFSETS = {"plausible": (0.3, 0), "a long arm": (4.9, 0), "millimetres": (300.0, 1)}


@pytest.mark.parametrize(("offset", "count"), OFFSETS.values(), ids=OFFSETS)
def test_offsets(offset: float, count: int) -> None:
    issues = found("J209", chain(f'<origin xyz="0 0 {offset}"/>'))
    assert len(issues) == count
    for issue in issues:
        assert issue.fix is not None
        assert issue.fix.edits[0].text == "0 0 0.3"
        assert not issue.fix.safe


def test_where_the_robot_stands_is_no_offset_within_it() -> None:
    assert found("J209", joint(f'{AXIS}{LIMIT}<origin xyz="70 0 0"/>')) == []


TRAVEL = {
    "plausible": ('lower="0" upper="0.5"', None),
    "a rail of five metres": ('lower="-2.5" upper="2.5"', None),
    "millimetres": ('lower="0" upper="500"', "travels 500 m"),
    "symmetric": ('lower="-300" upper="300"', "travels 600 m"),
}


@pytest.mark.parametrize(("bounds", "message"), TRAVEL.values(), ids=TRAVEL)
def test_travel(bounds: str, message: str | None) -> None:
    issues = found("J209", chain("", "prismatic", bounds))
    assert len(issues) == (message is not None)
    assert all(str(message) in issue.message for issue in issues)
    assert found("J209", chain("", "revolute", bounds)) == []


def test_a_large_machine_travels_far() -> None:
    bounds = 'lower="0" upper="13"'
    assert found("J209", chain('<origin xyz="0 0 0.1"/>', "prismatic", bounds))
    assert found("J209", chain('<origin xyz="0 0 4.5"/>', "prismatic", bounds)) == []


def test_the_plausible_length_can_be_configured() -> None:
    text = chain('<origin xyz="0 0 20"/>')
    assert len(found("J209", text)) == 1
    assert found("J209", text, **{"length-plausible": 25.0}) == []


AXES = {
    "unit": ("0 0 1", None),
    "rounded": ("0.7071 0.7071 0", None),
    "rounded to three digits": ("0.577 0.577 0.577", None),
    "two": ("0 0 2", "length 2,"),
    "a diagonal": ("1 1 0", "length 1.41421,"),
    "tiny": ("0 1e-6 0", "length 1e-06,"),
    "zero is J211's": ("0 0 0", None),
}


@pytest.mark.parametrize(("axis", "message"), AXES.values(), ids=AXES)
def test_length_of_the_axis(axis: str, message: str | None) -> None:
    issues = found("J210", joint(f'<axis xyz="{axis}"/>{LIMIT}'))
    assert len(issues) == (message is not None)
    assert all(str(message) in issue.message for issue in issues)


@pytest.mark.parametrize("axis", ["3 0 4", "-0.2 0 0", "1 1 1"])
def test_the_normalised_axis_points_the_same_way(axis: str) -> None:
    (issue,) = found("J210", joint(f'<axis xyz="{axis}"/>{LIMIT}'))
    assert issue.fix is not None
    unit = [float(part) for part in issue.fix.edits[0].text.split()]
    given = [float(part) for part in axis.split()]
    assert math.hypot(*unit) == pytest.approx(1.0, abs=1e-15)
    length = math.hypot(*given)
    assert [length * part for part in unit] == pytest.approx(given)
    assert "-0 " not in f"{issue.fix.edits[0].text} ".replace("-0.", "")


MOVES = {"revolute": 1, "continuous": 1, "prismatic": 1, "planar": 1, "floating": 0, "fixed": 0}


@pytest.mark.parametrize("kind", MOVES)
def test_only_a_joint_with_an_axis_is_asked_for_it(kind: str) -> None:
    assert len(found("J212", joint(LIMIT, kind))) == MOVES[kind]
    assert found("J212", joint(AXIS + LIMIT, kind)) == []
    assert len(found("J210", joint(f'<axis xyz="0 0 2"/>{LIMIT}', kind))) == MOVES[kind]


def test_an_axis_without_numbers_is_not_missing() -> None:
    assert found("J212", joint(f"<axis/>{LIMIT}")) == []


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_a_free_joint_belongs_to_the_base(kind: str) -> None:
    assert found("T406", joint("", kind)) == []
    (issue,) = found("T406", chain("", kind))
    assert f"a {kind} joint on 'upper'" in issue.message


def test_what_is_welded_to_the_root_is_the_base_too() -> None:
    text = chain("", "floating").replace(
        'name="hinge" type="revolute"', 'name="hinge" type="fixed"'
    )
    assert found("T406", text) == []
