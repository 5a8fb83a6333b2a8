"""Rules for names and what refers to them: N302 to N305, A701, X007, X013."""

from __future__ import annotations

import pytest

from phyzctl.config import Config
from phyzctl.issues import Issue, Severity
from tests.lint.support import AXIS, LIMIT, joint, judge


def found(code: str, text: str) -> list[Issue]:
    return judge(text, Config(select=(code,)))


def with_end(text: str) -> str:
    return joint().replace("</robot>", f"{text}\n</robot>")


def pair(first: str, second: str) -> str:
    """A robot whose two links have these names."""
    text = joint().replace('"base"', '"{first}"').replace('"arm"', '"{second}"')
    return text.format(first=first, second=second)


ALIKE = {
    "unlike": ("left", "right", False),
    "case": ("Left", "left", True),
    "case of letters beyond ASCII": ("Größe", "GRÖSSE", True),
    "full-width letters": ("arm", "\uff41rm", True),
    "a ligature": ("\ufb01nger", "finger", True),
    "Cyrillic": ("arm", "\u0430rm", True),
    "Greek": ("motor", "m\u03bftor", True),
    "digits and letters": ("link_l", "link_1", False),
    "dash and underscore": ("arm-1", "arm_1", False),
}


@pytest.mark.parametrize(("first", "second", "alike"), ALIKE.values(), ids=ALIKE)
def test_names_that_look_alike(first: str, second: str, *, alike: bool) -> None:
    issues = found("N304", pair(first, second))
    assert len(issues) == alike
    for issue in issues:
        assert first in issue.message
        assert issue.related[0].source is not None


def test_a_link_and_a_joint_may_differ_in_case() -> None:
    assert found("N304", pair("base", "Hinge")) == []


def test_a_joint_with_a_links_name_says_where_the_link_is() -> None:
    (issue,) = found("N302", pair("base", "hinge"))
    assert issue.subject == "joint 'hinge'"
    assert issue.related[0].source is not None
    assert issue.related[0].source.line == 3


REFERENCES = {
    "a link": ('<gazebo reference="arm"/>', None),
    "a joint": ('<gazebo reference="hinge"/>', None),
    "the world": ('<gazebo reference="world"/>', None),
    "the robot": ("<gazebo/>", None),
    "nothing": ('<gazebo reference=""/>', None),
    "a slip": (
        '<gazebo reference="arn"/>',
        "no link or joint is called 'arn'; did you mean 'arm'?",
    ),
    "anything": ('<gazebo reference="zebra"/>', "no link or joint is called 'zebra'"),
    "a sensor on a link": ('<sensor name="s"><parent link="arm"/></sensor>', None),
    "a sensor on a slip": (
        '<sensor name="s"><parent link="arn"/></sensor>',
        "no link is called 'arn'; did you mean 'arm'?",
    ),
}


@pytest.mark.parametrize(("text", "message"), REFERENCES.values(), ids=REFERENCES)
def test_references_of_extensions(text: str, message: str | None) -> None:
    issues = found("N305", with_end(text))
    assert [issue.message for issue in issues] == ([message] if message else [])
    for issue in issues:
        severe = Severity.ERROR if "sensor" in text else Severity.WARNING
        assert issue.severity is severe


def test_a_name_that_is_wrong_in_many_places_is_said_once() -> None:
    (issue,) = found("N305", with_end('<gazebo reference="arn"/>\n' * 3))
    assert len(issue.related) == 2
    assert issue.fix is not None
    assert [edit.text for edit in issue.fix.edits] == ["arm"] * 3


def test_what_could_not_stand_in_the_tree_is_defined_all_the_same() -> None:
    text = with_end('<link name="spare"/><gazebo reference="spare"/>')
    assert found("N305", text) == []


def test_a_file_of_nothing_but_unknown_names_is_read_in_bounded_time() -> None:
    many = "".join(f'<link name="link_{n}"/><gazebo reference="lnk_{n}"/>' for n in range(2000))
    issues = found("N305", with_end(many))
    assert len(issues) == 2000
    assert sum("did you mean" in issue.message for issue in issues) < 50


CONTROL = {
    "known": ('<ros2_control name="s"><joint name="hinge"/></ros2_control>', []),
    "unknown": ('<ros2_control name="s"><joint name="hnge"/></ros2_control>', [Severity.ERROR]),
    "transmission within": (
        '<ros2_control><transmission><joint name="hnge"/></transmission></ros2_control>',
        [Severity.WARNING],
    ),
    "transmission": (
        '<transmission name="t"><joint name="hnge"/></transmission>',
        [Severity.WARNING],
    ),
    "a sensor is no joint": (
        '<ros2_control name="s"><sensor name="imu"/><gpio name="io"/></ros2_control>',
        [],
    ),
}


@pytest.mark.parametrize(("text", "severities"), CONTROL.values(), ids=CONTROL)
def test_joints_of_controllers(text: str, severities: list[Severity]) -> None:
    issues = found("A701", with_end(text))
    assert [issue.severity for issue in issues] == severities
    assert all("'hnge'" in issue.message and "'hinge'" in issue.message for issue in issues)


PLACEHOLDERS = {
    "a name": ("arm", "{side}_arm", [Severity.ERROR]),
    "in the middle": ("arm", "arm_{i}_link", [Severity.ERROR]),
    "a field": ("arm", "arm_{robot.side}", [Severity.ERROR]),
    "braces of something else": ("arm", "arm{}", []),
    "a set": ("arm", "{1,2}", []),
}


@pytest.mark.parametrize(("old", "new", "severities"), PLACEHOLDERS.values(), ids=PLACEHOLDERS)
def test_placeholders(old: str, new: str, severities: list[Severity]) -> None:
    text = joint().replace(f'"{old}"', f'"{new}"')
    assert [issue.severity for issue in found("X013", text)] == severities


def test_a_placeholder_in_a_reference_is_not_also_an_unknown_name() -> None:
    text = with_end(
        '<gazebo reference="{side}_arm"/>\n'
        '<transmission name="t"><joint name="{side}_hinge"/></transmission>'
    )
    issues = judge(text, Config(ignore=("I",)))
    assert [issue.code.id for issue in issues] == ["X013", "X013"]
    assert {issue.severity for issue in issues} == {Severity.WARNING}


INERTIA = (
    '<inertial><mass value="1"/><inertia ixx="1" ixy="{}" ixz="0" iyy="1" iyz="0" izz="1" {}/>'
    "</inertial>"
)
REDUNDANT = {
    "none": ("0", "", None, True),
    "one": ("0", 'iyx="0"', "iyx repeats", True),
    "all": ("0", 'iyx="0" izx="0" izy="0"', "iyx, izx, izy repeat the", True),
    "spelt in another way": ("0.10", 'iyx="1e-1"', "iyx repeats", True),
    "another number": ("0.1", 'iyx="-0.1"', 'iyx="-0.1" differs from ixy="0.1"', False),
    "no number": ("0", 'iyx="x"', "differs", False),
}


@pytest.mark.parametrize(("ixy", "more", "message", "safe"), REDUNDANT.values(), ids=REDUNDANT)
def test_the_other_half_of_a_tensor(
    ixy: str, more: str, message: str | None, *, safe: bool
) -> None:
    link = f'<link name="arm">{INERTIA.format(ixy, more)}</link>'
    issues = found("X007", joint(AXIS + LIMIT).replace('<link name="arm"/>', link))
    assert len(issues) == (message is not None)
    for issue in issues:
        assert str(message) in issue.message
        assert issue.fix is not None
        assert issue.fix.safe is safe
