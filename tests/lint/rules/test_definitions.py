"""Rules on what files define, on ranges and masks: C911, J205, J23x, M014, M015, T408, T409."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.config import Config
from phyzctl.formats import read
from phyzctl.issues import Issue, Issues, Severity
from phyzctl.lint.engine import lint
from tests.lint.mjcf import found, pendulum
from tests.lint.support import AXIS, applied, joint, judge

SPEEDS = {
    # velocity and bounds of a revolute joint: how bad
    ("49.9", "-1", "1"): None,
    ("50", "-1", "1"): Severity.INFO,
    ("180", "-3", "3"): Severity.INFO,
    ("180", "-90", "90"): Severity.WARNING,
    ("180", "0", "1000"): None,
    ("1000", "-1", "1"): None,
}


@pytest.mark.parametrize("stated", SPEEDS)
def test_speeds_in_degrees(stated: tuple[str, str, str]) -> None:
    speed, lower, upper = stated
    limit = f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="{speed}"/>'
    issues = judge(joint(AXIS + limit), Config(select=("J205",)))
    wanted = SPEEDS[stated]
    assert [issue.severity for issue in issues] == [wanted] * (wanted is not None)
    for kind in ("continuous", "prismatic"):
        assert judge(joint(AXIS + limit, kind), Config(select=("J205",))) == []


CLASS = "<default><joint {}/></default>"
RANGES = {
    # what the class says, what the joint says: how many findings
    "all is well": ("", 'range="-1 1"', 0),
    "limited": ("", 'range="-1 1" limited="true"', 0),
    "switched off beside it": ("", 'range="-1 1" limited="false"', 1),
    "switched off by the class": ('limited="false"', 'range="-1 1"', 1),
    "switched on again": ('limited="false"', 'range="-1 1" limited="true"', 0),
    "the class's is switched off": ('range="-1 1"', 'limited="false"', 0),
    "both in the class": ('range="-1 1" limited="false"', "", 1),
    "an empty range": ("", 'range="0 0" limited="false"', 0),
    "no range": ("", 'limited="false"', 0),
}


@pytest.mark.parametrize(("default", "stated", "count"), RANGES.values(), ids=RANGES)
@pytest.mark.parametrize("kind", ["hinge", "slide"])
def test_ranges_without_effect(default: str, stated: str, count: int, kind: str) -> None:
    text = pendulum(head=CLASS.format(default), joint=f'type="{kind}" {stated}')
    issues = found("J230", text)
    assert len(issues) == count
    for issue in issues:
        assert issue.source is not None
        line = text.splitlines()[(issue.source.line or 0) - 1]
        assert line[(issue.source.column or 0) - 1 :].startswith("range=")


def test_a_range_without_limited_is_the_readers_to_refuse_when_autolimits_is_off() -> None:
    text = pendulum(head='<compiler autolimits="false"/>', joint='range="-1 1"')
    assert found("J230", text) == []
    assert len(found("X006", text)) == 1


SPRINGS = {
    'stiffness="1" range="-1 1"': False,
    'stiffness="1" range="0.5 1"': True,
    'stiffness="1" range="0.5 1" springref="0.5"': False,
    'stiffness="1" range="0.5 1" springref="1.1"': True,
    'stiffness="0" range="0.5 1"': False,
    'stiffness="1"': False,
}


@pytest.mark.parametrize("stated", SPRINGS)
def test_springs_outside_ranges(stated: str) -> None:
    assert len(found("J231", pendulum(joint=stated))) == SPRINGS[stated]


SCENE = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="a"><freejoint/><geom size="0.1" {a}/></body>
    <body name="b"><freejoint/><geom size="0.1" {b}/></body>
  </worldbody>
  {tail}
</mujoco>
"""
MASK = 'contype="{}" conaffinity="{}"'
MASKS = {
    # of b, while a has the default ones
    (1, 1): False,
    (0, 1): False,
    (1, 0): False,
    (3, 4): False,
    (0, 0): False,
    (2, 0): True,
    (2, 2): True,
    (0, 6): True,
}


@pytest.mark.parametrize("masks", MASKS)
def test_masks_that_meet_nothing(masks: tuple[int, int]) -> None:
    text = SCENE.format(a="", b=MASK.format(*masks), tail="")
    assert [issue.subject for issue in found("C911", text)] == ["link 'b'"] * MASKS[masks]


def test_two_may_meet_each_other_alone() -> None:
    text = SCENE.format(a=MASK.format(2, 2), b=MASK.format(4, 2), tail="")
    assert found("C911", text) == []


def test_chosen_contacts_need_no_masks() -> None:
    pair = '<contact><pair geom1="x" geom2="y"/></contact>'
    text = SCENE.format(a='name="x"', b='name="y" ' + MASK.format(2, 0), tail=pair)
    assert found("C911", text) == []


ASSETS = """<mujoco>
  <default>
    <default class="outer"><default class="inner"><geom density="1"/></default></default>
  </default>
  <asset>
    <texture name="tex" type="2d" builtin="flat" width="1" height="1"/>
    <material name="mat" texture="tex"/>
    <mesh file="folder/part.stl" name=""/>
  </asset>
  <worldbody>
    <body>{geoms}</body>
  </worldbody>
</mujoco>
"""
ALL = {"'outer'", "'inner'", "'mat'", "'part'"}
USES = {
    "nothing": ("", ALL),
    "a class within another": ('<geom class="inner" size="1"/>', {"'mat'", "'part'"}),
    "the outer class": ('<geom class="outer" size="1"/>', ALL - {"'outer'"}),
    "the material": ('<geom material="mat" size="1"/>', ALL - {"'mat'"}),
    "the mesh by its file": ('<geom type="mesh" mesh="part"/>', ALL - {"'part'"}),
    "a childclass": ('<body childclass="inner"/>', {"'mat'", "'part'"}),
    "an unknown class": ('<geom class="iner" size="1"/>', set()),
}


@pytest.mark.parametrize(("geoms", "unused"), USES.values(), ids=USES)
def test_definitions_that_nothing_uses(geoms: str, unused: set[str]) -> None:
    issues = found("M014", ASSETS.format(geoms=geoms))
    assert {str(issue.subject).split()[-1] for issue in issues} == unused
    assert all(issue.fix and issue.fix.safe for issue in issues)


def test_removing_leaves_the_rest_as_it_was() -> None:
    text = ASSETS.format(geoms='<geom class="inner" size="1" type="mesh" mesh="part"/>')
    (issue,) = found("M014", text)
    assert issue.fix is not None
    line = '    <material name="mat" texture="tex"/>\n'
    assert applied(text, issue.fix.edits) == text.replace(line, "")


def test_a_part_without_bodies_is_used_elsewhere() -> None:
    text = ASSETS.format(geoms="").replace("<body></body>", "")
    assert found("M014", text) == []


PART = """<mujoco>
  <asset><material name="red"/></asset>
  <default><default class="{cls}"/></default>
  <worldbody><camera name="eye"/><body name="{body}"><joint name="{joint}"/></body></worldbody>
</mujoco>
"""
CLASHES = {
    # what a second file calls its class, body and joint: codes and places
    "a material and a camera": (("c2", "b2", "j2"), 2),
    "and a class": (("c", "b2", "j2"), 3),
    "and a body": (("c2", "b", "j2"), 3),
    "and a joint": (("c2", "b2", "j"), 3),
}


@pytest.mark.parametrize(("names", "count"), CLASHES.values(), ids=CLASHES)
def test_names_that_two_files_give(names: tuple[str, str, str], count: int, tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text(PART.format(cls="c", body="b", joint="j"))
    cls, body, own = names
    (tmp_path / "two.xml").write_text(PART.format(cls=cls, body=body, joint=own))
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><include file="one.xml"/><include file="two.xml"/></mujoco>')
    issues = issues_of(main)
    assert len(issues) == count
    for issue in issues:
        assert issue.source is not None
        assert issue.source.path.endswith("two.xml")
        (related,) = issue.related
        assert related.source is not None
        assert related.source.path.endswith("one.xml")


def issues_of(path: Path) -> list[Issue]:
    issues = Issues()
    found = lint(read(str(path), issues), issues, Config(select=("M015", "N301")))
    assert {issue.code.id for issue in found} == {"M015"}
    return found


BASE = """<robot name="r">
  <link name="{root}">{mass}</link>
  <link name="{part}"/>
  <joint name="j" type="{kind}"><parent link="{root}"/><child link="{part}"/>{axis}</joint>
</robot>
"""
MASS = """<inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
MOVES = "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/>"
BASES = {
    # root, part and kind of the joint: what is said to be there
    ("base", "left_wheel", "continuous"): "wheels",
    ("base", "WheelFL", "continuous"): "wheels",
    ("base", "l_foot", "revolute"): "legs",
    ("base", "LeftThigh", "revolute"): "legs",
    ("base", "left_wheel", "fixed"): None,
    ("base", "elbow", "revolute"): None,
    ("base", "legend", "revolute"): None,
    ("base", "l_foot", "floating"): None,
    ("world", "left_wheel", "continuous"): None,
}


@pytest.mark.parametrize("robot", BASES)
def test_bases_that_may_be_free(robot: tuple[str, str, str]) -> None:
    root, part, kind = robot
    text = BASE.format(root=root, part=part, kind=kind, mass=MASS, axis=MOVES)
    issues = judge(text, Config(select=("T408",)))
    organ = BASES[robot]
    assert len(issues) == (organ is not None)
    assert all(issue.message.startswith(f"has {organ}") for issue in issues)
    assert judge(text.replace(MASS, ""), Config(select=("T408",))) == []
    assert "T408" not in {issue.code.id for issue in judge(text)}
    assert len(judge(text, Config(target=("mujoco",), ignore=("I",)))) >= len(issues)


def frames(count: int, more: str = "") -> str:
    """A chain of fixed frames on a link that moves."""
    text = '<link name="base"/><link name="arm"/>'
    text += (
        f'<joint name="j" type="revolute"><parent link="base"/><child link="arm"/>{MOVES}</joint>'
    )
    above = "arm"
    for n in range(count):
        text += f'<link name="f{n}"/><joint name="fj{n}" type="fixed">'
        text += f'<parent link="{above}"/><child link="f{n}"/></joint>'
        above = f"f{n}"
    return f'<robot name="r">{text}{more}</robot>'


@pytest.mark.parametrize(("count", "wrong"), [(0, False), (1, False), (2, True), (3, True)])
def test_frames_on_frames(count: int, *, wrong: bool) -> None:
    chosen = Config(select=("T409",))
    issues = judge(frames(count), chosen)
    assert [issue.subject for issue in issues] == [f"link 'f{count - 1}'"] * wrong
    for more in (
        '<gazebo reference="f{}"/>',
        "<gazebo><plugin><frame>f{}</frame></plugin></gazebo>",
    ):
        assert judge(frames(count, more.format(count - 1)), chosen) == []
