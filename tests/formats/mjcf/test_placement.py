"""Orientations in every spelling, and frames: MuJoCo is asked about the same text."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl import spatial
from tests.formats.mjcf.reading import clean, compiled, only, read, refused

SPELLINGS = [
    'quat="1 0 0 0"',
    'quat="0.5 0.1 -0.2 0.9"',
    'quat="3 4 0 0"',
    'quat="-1 0 0 0.1"',
    'axisangle="0 0 1 30"',
    'axisangle="1 2 3 -200"',
    'xyaxes="0 1 0 -1 0 0"',
    'xyaxes="1 1 0 -1 3 0.5"',
    'zaxis="0 0 1"',
    'zaxis="0 0 -1"',
    'zaxis="1 2 -3"',
    'zaxis="0 1e-3 -1"',
    'euler="10 20 30"',
    'euler="-170 89 300"',
]


def _geom_turn(text: str) -> tuple[np.ndarray, np.ndarray]:
    """The rotation that we read, and MuJoCo's."""
    geom = clean(text).structure.root.geoms[0]
    mine = spatial.rotation_from_quat(geom.quat or (1.0, 0.0, 0.0, 0.0))
    return mine, spatial.rotation_from_quat(compiled(text).geom_quat[0])


@pytest.mark.parametrize("unit", ["degree", "radian"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings(spelling: str, unit: str) -> None:
    text = f"""<compiler angle="{unit}"/>
    <worldbody><geom type="box" size="1 2 3" {spelling}/></worldbody>"""
    mine, theirs = _geom_turn(text)
    assert mine == pytest.approx(theirs, abs=1e-14)


@pytest.mark.parametrize("sequence", ["".join(s) for s in itertools.product("xyzXYZ", repeat=3)])
def test_every_euler_sequence(sequence: str) -> None:
    text = f"""<compiler eulerseq="{sequence}"/>
    <worldbody><geom type="box" size="1 2 3" euler="17 -23 71"/></worldbody>"""
    mine, theirs = _geom_turn(text)
    assert mine == pytest.approx(theirs, abs=1e-14)


INERTIAL = "<inertial pos='0 0 0' mass='1' diaginertia='1 1.1 1.2'"


@pytest.mark.parametrize("element", ["body", "frame", "site", "inertial"])
@pytest.mark.parametrize("spelling", SPELLINGS[1:])
def test_every_element_knows_every_spelling(element: str, spelling: str) -> None:
    inside = {
        "body": f"<body><body {spelling}><geom size='1'/></body></body>",
        "frame": f"<body><frame {spelling}><body><geom size='1'/></body></frame></body>",
        "site": f"<body><geom size='1'/><site {spelling}/></body>",
        "inertial": f"<body>{INERTIAL} {spelling}/></body>",
    }[element]
    text = f"<worldbody>{inside}</worldbody>"
    robot, theirs = clean(text), compiled(text)
    links = list(robot)
    if element == "site":
        mine, quat = links[1].sites[0].quat, theirs.site_quat[0]
    elif element == "inertial":
        assert links[1].inertial is not None
        mine, quat = links[1].inertial.quat, theirs.body_iquat[1]
    else:
        mine, quat = robot.structure.inbound(links[2].name)[0].quat, theirs.body_quat[2]
    R_mine = spatial.rotation_from_quat(mine or (1.0, 0.0, 0.0, 0.0))
    R_theirs = spatial.rotation_from_quat(quat)
    if element == "inertial":  # MuJoCo may name the principal axes in another order
        moments = np.diag([1, 1.1, 1.2])
        R_theirs = R_theirs @ np.diag(theirs.body_inertia[1]) @ R_theirs.T
        R_mine = R_mine @ moments @ R_mine.T
    assert R_mine == pytest.approx(R_theirs, abs=1e-14)


@pytest.mark.parametrize("kind", ["capsule", "cylinder", "box", "ellipsoid"])
@pytest.mark.parametrize("points", ["0 0 0 1 2 3", "0 0 1 0 0 3", "0 0 3 0 0 1", "1 1 0 -1 1 0"])
def test_from_one_point_to_another(kind: str, points: str) -> None:
    text = f'<worldbody><geom type="{kind}" size="0.1" fromto="{points}"/></worldbody>'
    mine, theirs = _geom_turn(text)
    assert mine == pytest.approx(theirs, abs=1e-14)
    assert clean(text).structure.root.geoms[0].xyz == pytest.approx(compiled(text).geom_pos[0])


@pytest.mark.parametrize(
    ("default", "own"),
    [
        ('euler="90 0 0"', 'quat="0 1 0 0"'),
        ('quat="0 1 0 0"', 'euler="90 0 0"'),
        ('zaxis="1 0 0"', 'euler="10 0 0"'),
        ('axisangle="1 0 0 20"', ""),
    ],
)
def test_the_element_overrules_its_class_in_another_spelling(default: str, own: str) -> None:
    text = f"""<default><geom {default}/></default>
    <worldbody><geom type="box" size="1 2 3" {own}/></worldbody>"""
    mine, theirs = _geom_turn(text)
    assert mine == pytest.approx(theirs, abs=1e-14)


_NUMBERS = st.floats(-3, 3).filter(lambda value: abs(value) > 1e-3)


@settings(max_examples=60)
@given(st.lists(_NUMBERS, min_size=6, max_size=6), st.lists(_NUMBERS, min_size=3, max_size=3))
def test_frames_add_up(pos: list[float], euler: list[float]) -> None:
    outer, inner = " ".join(map(repr, pos[:3])), " ".join(map(repr, pos[3:]))
    turn = " ".join(map(repr, euler))
    text = f"""<compiler angle="radian"/><worldbody><body name="b">
    <frame pos="{outer}" euler="{turn}"><frame pos="{inner}" euler="{turn}">
      <joint name="j" pos="1 2 3" axis="1 1 0"/>
      <geom name="g" type="box" size="1 2 3" pos="0 1 0" quat="0 1 0 1"/>
      <site name="s" pos="0 1 0"/>
      <inertial pos="0 0 1" mass="1" diaginertia="1 1.1 1.2"/>
      <body name="c" pos="3 2 1" euler="{turn}"><geom size="1"/></body>
    </frame></frame></body></worldbody>"""
    robot, theirs = clean(text), compiled(text)
    link = robot.structure.link("b")
    joint = robot.structure.inbound("b")[0]
    assert joint.anchor == pytest.approx(theirs.jnt_pos[0], abs=1e-13)
    assert joint.axis == pytest.approx(theirs.jnt_axis[0], abs=1e-13)
    assert link.geoms[0].xyz == pytest.approx(theirs.geom_pos[0], abs=1e-13)
    assert link.sites[0].xyz == pytest.approx(theirs.site_pos[0], abs=1e-13)
    assert link.inertial is not None
    assert link.inertial.xyz == pytest.approx(theirs.body_ipos[1], abs=1e-13)
    child = robot.structure.inbound("c")[0]
    assert child.xyz == pytest.approx(theirs.body_pos[2], abs=1e-13)
    assert child.quat is not None
    mine = spatial.rotation_from_quat(child.quat)
    assert mine == pytest.approx(spatial.rotation_from_quat(theirs.body_quat[2]), abs=1e-13)
    geom = link.geoms[0]
    assert geom.quat is not None
    mine = spatial.rotation_from_quat(geom.quat)
    assert mine == pytest.approx(spatial.rotation_from_quat(theirs.geom_quat[0]), abs=1e-13)


def test_an_upright_element_states_no_quaternion() -> None:
    robot = clean('<worldbody><geom size="1" quat="1 0 0 0"/><geom size="1"/></worldbody>')
    assert [geom.quat for geom in robot.structure.root.geoms] == [None, None]


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ('quat="0 0 0 0"', "J211"),
        ('axisangle="0 0 0 30"', "J211"),
        ('zaxis="0 0 0"', "J211"),
        ('xyaxes="1 0 0 2 0 0"', "J211"),
        ('xyaxes="0 0 0 0 1 0"', "J211"),
        ('quat="1 0 0 0" euler="0 0 0"', "X005"),
        ('zaxis="1 0 0" euler="0 0 0"', "X005"),
    ],
)
def test_no_orientation(spelling: str, code: str) -> None:
    text = f'<worldbody><geom size="1" {spelling}/></worldbody>'
    issue = only(text)
    assert (issue.code.id, issue.fatal) == (code, True)


def test_an_unreadable_orientation_is_none_and_not_upright() -> None:
    robot, issues = read(
        '<worldbody><body name="b" euler="x 0 0"><geom size="1"/></body></worldbody>'
    )
    assert [issue.code.id for issue in issues] == ["X010"]
    joint = robot.structure.inbound("b")[0]
    assert (joint.quat, joint.rpy) == (None, None)


@pytest.mark.parametrize("sequence", ["xy", "xyzx", "abc", ""])
def test_a_wrong_euler_sequence(sequence: str) -> None:
    text = f'<compiler eulerseq="{sequence}"/><worldbody><geom size="1" euler="1 2 3"/></worldbody>'
    assert [issue.code.id for issue in read(text)[1]] == ["X008"]
    assert refused(text)
