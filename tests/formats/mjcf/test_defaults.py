"""Default classes: who speaks for an element that says nothing, number by number."""

from __future__ import annotations

from typing import Any

import pytest

from phyzctl.robot.robot import Robot
from tests.formats.mjcf.reading import clean, compiled, only, read

CLASSES = """<default>
  <geom size="0.1" group="1" friction="0.9 0.8 0.7"/>
  <joint damping="1" armature="2"/>
  <default class="arm">
    <geom group="2" friction="0.5"/>
    <joint damping="3"/>
    <default class="hand"><geom contype="8"/></default>
  </default>
  <default class="leg"><geom size="0.4"/></default>
</default>"""

# What is written, and the size, group, friction and contype that come of it.
CASES = {
    "<geom/>": (0.1, 1, (0.9, 0.8, 0.7), None),
    '<geom class="arm"/>': (0.1, 2, (0.5, 0.8, 0.7), None),
    '<geom class="hand"/>': (0.1, 2, (0.5, 0.8, 0.7), 8),
    '<geom class="leg"/>': (0.4, 1, (0.9, 0.8, 0.7), None),
    '<geom class="main"/>': (0.1, 1, (0.9, 0.8, 0.7), None),
    '<geom class="hand" group="5" size="2"/>': (2.0, 5, (0.5, 0.8, 0.7), 8),
    '<geom class="hand" friction="0.1 0.2"/>': (0.1, 2, (0.1, 0.2, 0.7), 8),
}


def _said(robot: Robot) -> tuple[Any, ...]:
    geom = robot.structure.root.geoms[0]
    assert geom.surface is not None
    size = getattr(geom.shape, "radius", None)
    return size, geom.group, geom.surface.friction, geom.surface.contype


@pytest.mark.parametrize("text", CASES)
def test_resolution(text: str) -> None:
    whole = f"{CLASSES}<worldbody>{text}</worldbody>"
    assert _said(clean(whole)) == CASES[text]
    theirs = compiled(whole)
    size, group, friction, contype = CASES[text]
    assert theirs.geom_size[0][0] == size
    assert theirs.geom_group[0] == group
    assert tuple(theirs.geom_friction[0]) == friction
    assert theirs.geom_contype[0] == (1 if contype is None else contype)


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ('<body childclass="arm">{}</body>', 2),
        ('<body childclass="arm"><body>{}</body></body>', 2),
        ('<body childclass="arm"><body childclass="leg">{}</body></body>', 1),
        ('<body><frame childclass="arm">{}</frame></body>', 2),
        ('<frame childclass="arm"><body>{}</body></frame>', 2),
        ('<body childclass="arm"><frame childclass="leg"><frame>{}</frame></frame></body>', 1),
        ('<replicate count="1" childclass="arm"><body>{}</body></replicate>', 2),
        ('<body childclass="arm"><frame>{}</frame></body>', 2),
    ],
)
def test_childclass_is_inherited(text: str, group: int) -> None:
    whole = f"{CLASSES}<worldbody>{text.format('<geom/>')}</worldbody>"
    robot = clean(whole)
    shown = [geom.group for link in robot for geom in link.geoms]
    assert shown == [group]
    assert compiled(whole).geom_group.tolist() == [group]


def test_a_class_wins_over_childclass() -> None:
    text = f'{CLASSES}<worldbody><body childclass="arm"><geom class="leg"/></body></worldbody>'
    geom = list(clean(text))[1].geoms[0]
    assert (geom.group, getattr(geom.shape, "radius", None)) == (1, 0.4)


def test_a_freejoint_takes_no_defaults() -> None:
    text = f"{CLASSES}<worldbody><body><freejoint/><geom/></body></worldbody>"
    joint = clean(text).joints[0]
    assert joint.dynamics is None
    assert compiled(text).dof_damping.max() == 0.0
    text = text.replace("<freejoint/>", '<joint type="free"/>')
    dynamics = clean(text).joints[0].dynamics
    assert dynamics is not None
    assert dynamics.damping == compiled(text).dof_damping[0] == 1.0


def test_later_default_sections_add_to_main_but_not_to_classes_made_before() -> None:
    text = """<default><geom size="0.7"/><default class="old"/></default>
    <default><geom contype="4"/><default class="new"/></default>
    <worldbody><geom class="old"/><geom class="new"/><geom/></worldbody>"""
    masks = [geom.surface and geom.surface.contype for geom in clean(text).structure.root.geoms]
    assert masks == [None, 4, 4]
    assert compiled(text).geom_contype.tolist() == [1, 4, 4]


def test_a_fault_in_a_class_is_one_issue_at_the_class() -> None:
    text = """<default><geom size="x"/></default>
    <worldbody><geom/><geom/><geom/></worldbody>"""
    issue = only(text)
    assert issue.code.id == "X010"
    assert issue.source is not None
    assert issue.source.element == "/mujoco/default/geom"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ('<worldbody><geom size="1" class="zz"/></worldbody>', "M013", "'zz'"),
        ('<worldbody><body childclass="zz"/></worldbody>', "M013", "'zz'"),
        ('<worldbody><frame childclass="zz"/></worldbody>', "M013", "'zz'"),
        ('<default class="other"/>', "M013", "always 'main'"),
        ("<default><default/></default>", "X006", "needs a name"),
        (
            '<default><default class="a"/><default class="a"/></default>',
            "N301",
            "defined twice",
        ),
    ],
)
def test_faults_of_classes(text: str, code: str, words: str) -> None:
    issue = only(text)
    assert (issue.code.id, issue.fatal) == (code, True)
    assert words in issue.message
    with pytest.raises(ValueError, match=r"."):
        compiled(text)


def test_the_nearest_class_is_suggested() -> None:
    text = """<default><default class="visual"/></default>
    <worldbody><geom size="1" class="visuel"/></worldbody>"""
    assert "did you mean 'visual'?" in only(text).message


def test_an_unknown_class_falls_back_to_the_inherited_one() -> None:
    text = f'{CLASSES}<worldbody><body childclass="arm"><geom class="zz"/></body></worldbody>'
    robot, issues = read(text)
    assert [issue.code.id for issue in issues] == ["M013"]
    assert list(robot)[1].geoms[0].group == 2


@pytest.mark.parametrize(
    ("section", "element", "default"),
    [
        ("tendon", '<fixed><joint joint="j" coef="1"/></fixed>', '<tendon stiffness="7"/>'),
        ("equality", '<joint joint1="j"/>', '<equality solref="0.3 1"/>'),
        ("contact", '<pair geom1="g" geom2="h"/>', '<pair condim="6"/>'),
    ],
)
def test_defaults_of_other_kinds(section: str, element: str, default: str) -> None:
    text = f"""<default>{default}</default><worldbody><geom name="g" size="1"/>
    <body><joint name="j"/><geom name="h" size="1"/></body></worldbody>
    <{section}>{element}</{section}>"""
    robot = clean(text)
    if section == "tendon":
        assert robot.tendons[0].stiffness == 7.0
    elif section == "equality":
        assert robot.equalities[0].solref == (0.3, 1.0)
    else:
        assert robot.pairs[0].condim == 6


def test_materials_of_a_class() -> None:
    text = """<default><material rgba="1 0 0 1"/><default class="b"><material rgba="0 0 1 1"/>
    </default></default><asset><material name="m"/><material name="n" class="b"/></asset>"""
    assert [m.rgba for m in clean(text).materials] == [(1, 0, 0, 1), (0, 0, 1, 1)]
