"""Structural faults: each is reported once, under its code, and what stands is one tree."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl.issues import BuildError, Issues, Source
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.robot.robot import Robot

# Links, (joint, parent, child) triples, expected (code, subject) pairs, links that remain.
Case = tuple[list[str], list[tuple[str, str, str]], list[tuple[str, str | None]], list[str]]
CASES: dict[str, Case] = {
    "a chain": (
        ["a", "b", "c"],
        [("j", "a", "b"), ("k", "b", "c")],
        [],
        ["a", "b", "c"],
    ),
    "two joints in series move one link": (
        ["a", "b"],
        [("j", "a", "b"), ("k", "a", "b")],
        [],
        ["a", "b"],
    ),
    "a link stated twice": (
        ["a", "b", "b"],
        [("j", "a", "b")],
        [("N301", "link 'b'")],
        ["a", "b"],
    ),
    "a joint stated twice condemns what only the second holds": (
        ["a", "b", "c", "d"],
        [("j", "a", "b"), ("j", "b", "c"), ("k", "c", "d")],
        [("N301", "joint 'j'")],
        ["a", "b"],
    ),
    "an empty name": ([""], [], [("N303", None)], [""]),
    "a padded name": ([" a"], [], [("N303", "link ' a'")], [" a"]),
    "no links": ([], [], [("T401", None)], []),
    "two roots: the larger tree stays": (
        ["x", "a", "b"],
        [("j", "a", "b")],
        [("T401", "link 'x'")],
        ["a", "b"],
    ),
    "several orphans are one Issue": (
        ["a", "b", "x", "y"],
        [("j", "a", "b")],
        [("T401", "link 'x'")],
        ["a", "b"],
    ),
    "an unknown parent cuts off all below, silently": (
        ["a", "b", "c", "d"],
        [("j", "a", "b"), ("k", "nobody", "c"), ("l", "c", "d")],
        [("T404", "joint 'k'")],
        ["a", "b"],
    ),
    "an unknown child": (
        ["a"],
        [("j", "a", "nobody")],
        [("T404", "joint 'j'")],
        ["a"],
    ),
    "one unknown link that two joints name is one Issue": (
        ["a", "c"],
        [("j", "a", "nobody"), ("k", "nobody", "c")],
        [("T404", "joint 'j'")],
        ["a"],
    ),
    "a misspelt child is not also an orphan": (
        ["base", "forearm"],
        [("j", "base", "fore_arm")],
        [("T404", "joint 'j'")],
        ["base"],
    ),
    "a joint that joins a link to itself": (
        ["a", "b"],
        [("j", "b", "b")],
        [("T402", "joint 'j'")],
        ["a"],
    ),
    "a self-joint beside a proper one": (
        ["a", "b"],
        [("k", "b", "b"), ("j", "a", "b")],
        [("T402", "joint 'k'")],
        ["a", "b"],
    ),
    "a loop is one Issue, what hangs on it none": (
        ["a", "b", "c", "d", "e"],
        [("j", "d", "b"), ("k", "b", "c"), ("l", "c", "d"), ("m", "d", "e")],
        [("T402", "joint 'k'")],
        ["a"],
    ),
    "two separate loops are two Issues": (
        ["a", "b", "c", "d", "e"],
        [("j", "b", "c"), ("k", "c", "b"), ("l", "d", "e"), ("m", "e", "d")],
        [("T402", "joint 'j'"), ("T402", "joint 'l'")],
        ["a"],
    ),
    "a second parent": (
        ["a", "b", "c"],
        [("j", "a", "b"), ("k", "a", "c"), ("l", "b", "c")],
        [("T403", "joint 'l'")],
        ["a", "b", "c"],
    ),
}


def assembled(links: list[str], joints: list[tuple[str, str, str]]) -> tuple[Robot, Issues]:
    builder = RobotBuilder("robot", implicit_links=False)
    for link in links:
        builder.link(Link(link), replace_earlier=False)
    for name, parent, child in joints:
        builder.joint(Joint(name, JointKind.REVOLUTE, parent, child))
    issues = Issues()
    return builder.build(issues), issues


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_faults_and_what_remains(case: Case) -> None:
    links, joints, expected, remaining = case
    robot, issues = assembled(links, joints)
    assert [(issue.code.id, issue.subject) for issue in issues] == expected
    assert [link.name for link in robot] == remaining


def test_related_places_point_at_the_other_side() -> None:
    builder = RobotBuilder("robot", implicit_links=False)
    for name, line in (("a", 1), ("b", 2), ("b", 3)):
        builder.link(Link(name, source=Source("r.urdf", line)), replace_earlier=False)
    builder.joint(Joint("j", parent="a", child="b"))
    issues = Issues()
    builder.build(issues)
    (issue,) = issues
    assert issue.source == Source("r.urdf", 3)
    assert issue.related[0].source == Source("r.urdf", 2)


def test_a_missing_end_that_a_reader_reported_is_not_reported_again() -> None:
    builder = RobotBuilder("robot", implicit_links=False)
    builder.link(Link("a")).link(Link("b"))
    builder.joint(Joint("j", parent="a", child="", source=Source("r.urdf", 4)))
    issues = Issues()
    robot = builder.build(issues)
    assert not list(issues)
    assert [link.name for link in robot] == ["a"]


def test_an_empty_end_of_a_joint_made_in_code_is_reported() -> None:
    _, issues = assembled(["a"], [("j", "", "a")])
    assert [issue.code.id for issue in issues] == ["T404"]


@pytest.mark.parametrize("closed", [False, True], ids=["chain", "circle"])
def test_a_hundred_thousand_links_end_in_bounded_time(closed: bool) -> None:
    count = 100_000
    links = [str(index) for index in range(count)]
    joints = [(f"j{index}", str(index), str(index + 1)) for index in range(count - 1)]
    if closed:
        joints.append(("last", str(count - 1), "0"))
    start = time.process_time()
    robot, issues = assembled(links, joints)
    # Quadratic work would take hours; linear work takes about a second.
    assert time.process_time() - start < 60
    assert len(robot.links) == (0 if closed else count)
    assert len(issues) == closed


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from("abcde"), max_size=7),
    st.lists(
        st.tuples(st.sampled_from("jklmn"), st.sampled_from("abcdef"), st.sampled_from("abcdef")),
        max_size=8,
    ),
)
def test_whatever_is_stated_what_remains_is_one_tree(
    links: list[str], joints: list[tuple[str, str, str]]
) -> None:
    robot, issues = assembled(links, joints)
    names = [link.name for link in robot]
    assert sorted(names) == sorted(link.name for link in robot.links)
    assert len(names) == len(set(names))
    for joint in robot.joints:
        assert names.index(joint.parent) < names.index(joint.child)
    movers = {joint.child for joint in robot.joints}
    assert len(movers) == max(0, len(names) - 1)
    lost = set(links) - set(names) or {j[0] for j in joints} - {j.name for j in robot.joints}
    assert bool(issues) or not lost


def test_what_is_left_out_never_goes_unsaid() -> None:
    """A robot built without a list raises all structural faults together."""
    builder = RobotBuilder("robot", implicit_links=False)
    builder.link(Link("a")).link(Link("x"))
    builder.joint(Joint("j", parent="a", child="ghost"))
    with pytest.raises(BuildError, match=r"and 1 more") as raised:
        builder.build()
    assert {issue.code.id for issue in raised.value.issues} == {"T401", "T404"}
