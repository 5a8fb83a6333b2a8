"""Rules for SRDFs, on their boundaries: C920, C921, K708, N301, N305 to N307, T410, T411."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.config import Config
from phyzctl.formats import ReadOptions, read_bytes
from phyzctl.issues import Issue, Issues, Severity
from phyzctl.lint.engine import lint

URDF = Path(__file__).parents[1] / "robots" / "semantic.urdf"
ARM = '<group name="arm"><chain base_link="base" tip_link="hand"/></group>'


def judge(*parts: str, name: str = "semantic", urdf: str | None = str(URDF)) -> list[Issue]:
    text = f'<robot name="{name}">{"".join(parts)}</robot>'
    issues = Issues()
    reading = read_bytes(text.encode(), "robot.srdf", issues, ReadOptions(urdf=urdf))
    return lint(reading, issues, Config(pedantic=True))


def codes(*parts: str) -> list[str]:
    return [issue.code.id for issue in judge(*parts)]


def state(name: str, value: object) -> str:
    return f'<group_state name="s" group="arm"><joint name="{name}" value="{value}"/></group_state>'


VALUES = {
    # of the shoulder, which goes from -1 to 1
    0: None,
    1: None,
    1.0019: None,
    1.0021: Severity.ERROR,
    -1.5: Severity.ERROR,
    "x": None,  # X010's
    "": None,
}


@pytest.mark.parametrize("value", VALUES)
def test_values_of_states(value: object) -> None:
    found = [issue for issue in judge(ARM, state("shoulder", value)) if issue.code.id == "K708"]
    wanted = VALUES[value]
    assert [issue.severity for issue in found] == [wanted] * (wanted is not None)


JOINTS = {
    "shoulder": None,
    "left": None,
    "right": None,  # follows, so its value isn't looked at
    "wrist": Severity.WARNING,  # fixed
    "sholder": Severity.ERROR,
}


@pytest.mark.parametrize("name", JOINTS)
def test_joints_of_states(name: str) -> None:
    found = [issue for issue in judge(ARM, state(name, 0.01)) if issue.code.id == "K708"]
    wanted = JOINTS[name]
    assert [issue.severity for issue in found] == [wanted] * (wanted is not None)


def test_the_nearest_joint_is_offered() -> None:
    (issue,) = judge(ARM, state("sholder", 0))
    assert issue.message == "no joint is called 'sholder'; did you mean 'shoulder'?"
    assert issue.subject == "group_state 's'"


def test_virtual_joints_count_as_joints() -> None:
    stand = '<virtual_joint name="stand" type="fixed" parent_frame="map" child_link="base"/>'
    group = '<group name="g"><joint name="left"/></group>'
    assert codes(stand, group, '<passive_joint name="stand"/>') == []
    assert codes(group, '<passive_joint name="stand"/>') == ["N305"]


REFERENCES = {
    "a link of a group": '<group name="g"><link name="{}"/></group>',
    "the base of a chain": '<group name="g"><chain base_link="{}" tip_link="hand"/></group>',
    "the tip of a chain": '<group name="g"><chain base_link="base" tip_link="{}"/></group>',
    "the parent of an end effector": '<end_effector name="e" group="arm" parent_link="{}"/>',
    "a virtual joint": '<virtual_joint name="v" type="fixed" parent_frame="m" child_link="{}"/>',
    "a link of its own": '<disable_default_collisions link="{}"/>',
}


@pytest.mark.parametrize("text", REFERENCES.values(), ids=REFERENCES)
def test_references_to_links(text: str) -> None:
    assert codes(ARM, text.format("base")) == []
    (issue,) = judge(ARM, text.format("bsae"))
    assert (issue.code.id, issue.severity) == ("N305", Severity.ERROR)
    assert issue.message == "no link is called 'bsae'; did you mean 'base'?"


GROUPS = {
    "a group within": '<group name="g"><group name="{}"/></group>',
    "a state's group": state("left", 0).replace("arm", "{}"),
    "an end effector's": '<end_effector name="e" group="{}" parent_link="hand"/>',
    "its parent's": '<end_effector name="e" group="arm" parent_group="{}" parent_link="arm"/>',
}


@pytest.mark.parametrize("text", GROUPS.values(), ids=GROUPS)
def test_references_to_groups(text: str) -> None:
    assert codes(ARM, text.format("arm")) == []
    assert codes(ARM, text.format("amr")) == ["N305"]


CHAINS = {
    ("base", "hand"): True,
    ("base", "base"): True,
    ("arm", "left_finger"): True,
    ("hand", "base"): False,
    ("left_finger", "right_finger"): False,
}


@pytest.mark.parametrize("ends", CHAINS)
def test_chains(ends: tuple[str, str]) -> None:
    base, tip = ends
    text = f'<group name="g"><chain base_link="{base}" tip_link="{tip}"/></group>'
    assert codes(text) == ([] if CHAINS[ends] else ["T410"])
    assert all(("the wrong way round" in issue.message) == (tip == "base") for issue in judge(text))


CIRCLES = {
    "alone": ('<group name="a"/>', ["T411"]),
    "itself": ('<group name="a"><group name="a"/></group>', ["T411"]),
    "two": (
        '<group name="a"><group name="b"/></group><group name="b"><group name="a"/></group>',
        ["T411", "T411"],
    ),
    "a line": ('<group name="a"><group name="b"/></group><group name="b"/>', ["T411"]),
    "on the way to a circle": (
        '<group name="c"><group name="a"/></group><group name="a"><group name="a"/></group>',
        ["T411"],
    ),
}


@pytest.mark.parametrize(("text", "found"), CIRCLES.values(), ids=CIRCLES)
def test_groups_of_nothing(text: str, found: list[str]) -> None:
    assert codes(text) == found


PAIR = '<disable_collisions link1="{}" link2="{}" reason="{}"/>'


def test_pairs() -> None:
    once, again = PAIR.format("base", "hand", "Never"), PAIR.format("hand", "base", "Adjacent")
    assert codes(once) == []
    (issue,) = judge(once, again)
    assert (issue.code.id, issue.severity) == ("C921", Severity.INFO)
    assert issue.fix is not None
    assert issue.fix.safe
    (issue,) = judge(PAIR.format("base", "camera", "User"))
    assert (issue.code.id, issue.severity) == ("C920", Severity.WARNING)
    assert codes('<enable_collisions link1="base" link2="camera"/>') == ["C920"]


def test_names_of_states_are_each_groups_own() -> None:
    other = ARM.replace('"arm"', '"other"')
    here, there = state("left", 0), state("left", 0).replace('"arm"', '"other"')
    assert codes(ARM, other, here, there) == []
    (issue,) = judge(ARM, other, here, here)
    assert issue.code.id == "N301"
    assert issue.related


def test_the_robots_name() -> None:
    (issue,) = judge(ARM, name="other")
    assert (issue.code.id, issue.severity) == ("N306", Severity.WARNING)
    assert issue.message == "is for robot 'other', the URDF is of 'semantic'"


def test_alone_only_what_it_says_itself_is_judged() -> None:
    wrong = '<group name="g"><link name="bsae"/></group><group name="g"/>'
    found = judge(wrong, state("sholder", 9), name="unheard", urdf=None)
    assert sorted(issue.code.id for issue in found) == ["N301", "N305", "N307", "T411"]
    (group,) = (issue for issue in found if issue.code.id == "N305")
    assert group.message == "no group is called 'arm'"


def test_the_urdfs_own_faults_are_not_the_srdfs() -> None:
    broken = URDF.parents[1] / "cases" / "J201.bad.urdf"
    assert [issue.code.id for issue in judge(ARM, urdf=str(broken), name="case")] != ["J201"]
