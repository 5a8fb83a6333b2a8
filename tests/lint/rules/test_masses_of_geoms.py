"""Rules for what MuJoCo weighs and repairs, on their boundaries: I114, I130, I131, I133."""

from __future__ import annotations

import pytest

from phyzctl.config import Config
from tests.lint.mjcf import found, pendulum
from tests.lint.support import judge

BODY = """<mujoco>
  {head}
  <worldbody>
    <body name="arm">
      <joint name="hinge"/>
      {geoms}
    </body>
  </worldbody>
</mujoco>
"""
SEEN = 'contype="0" conaffinity="0" group="2"'
UNTOUCHED = 'contype="0" conaffinity="0"'
INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def body(*geoms: str, head: str = "") -> str:
    return BODY.format(geoms="".join(f"<geom {geom}/>" for geom in geoms), head=head)


def cube(side: float, more: str = "") -> str:
    half = side / 2
    return f'type="box" size="{half} {half} {half}" {more}'


SHARES = {
    # of 1 kg of collision geom (a cube of 0.1 m), the visual's share and whether it is too much
    "a tenth": ((cube(0.1), cube(0.048, SEEN)), False),
    "29 %": ((cube(0.1), cube(0.0742, SEEN)), False),
    "31 %": ((cube(0.1), cube(0.0766, SEEN)), True),
    "as much": ((cube(0.1), cube(0.1, SEEN)), True),
    "massless by statement": ((cube(0.1), cube(0.1, f'{SEEN} mass="0"')), False),
    "stated": ((cube(0.1), cube(0.1, f'{SEEN} mass="1"')), False),
    "of a stated density": ((cube(0.1), cube(0.1, f'{SEEN} density="500"')), False),
    "all of it, on purpose": ((cube(0.1, 'mass="0"'), cube(0.1, SEEN)), False),
    "nothing else is there": ((cube(0.1, SEEN),), False),
    "a part that meets nothing": ((cube(0.1), cube(0.1, UNTOUCHED)), False),
    "everything collides": ((cube(0.1), cube(0.1)), False),
}


@pytest.mark.parametrize(("geoms", "wrong"), SHARES.values(), ids=SHARES)
def test_visual_geoms_that_weigh(geoms: tuple[str, ...], *, wrong: bool) -> None:
    issues = found("I130", body(*geoms))
    assert [issue.subject for issue in issues] == ["link 'arm'"] * wrong


def test_half_of_it_is_said() -> None:
    (issue,) = found("I130", body(cube(0.1), cube(0.1, SEEN)))
    assert issue.message.startswith("visual geoms make up 50 % of its 2 kg")


def test_geoms_are_not_weighed_where_an_inertial_is_stated() -> None:
    text = body(cube(0.1), cube(0.1, SEEN)).replace("<geom", f"{INERTIAL}<geom", 1)
    assert found("I130", text) == []
    ignored = text.replace("<worldbody>", '<compiler inertiafromgeom="true"/><worldbody>')
    assert len(found("I130", ignored)) == 1


def test_the_share_can_be_set() -> None:
    text = body(cube(0.1), cube(0.1, SEEN))
    assert found("I130", text, tolerances={"visual-share": 0.6}) == []


WELDED = '<body name="pad">{}<geom {}/></body>'
PADS = {
    # on a body of 1 kg
    "4 %": (cube(0.034), "", False),
    "6 %": (cube(0.04), "", True),
    "a stated mass": (cube(0.1, 'mass="1"'), "", False),
    "a stated density": (cube(0.1, 'density="1000"'), "", False),
    "a stated inertial": (cube(0.1), INERTIAL, False),
    "a joint": (cube(0.1), "<joint/>", False),
}


@pytest.mark.parametrize(("geom", "more", "wrong"), PADS.values(), ids=PADS)
def test_welded_geoms_that_weigh(geom: str, more: str, *, wrong: bool) -> None:
    issues = found("I131", pendulum(body=WELDED.format(more, geom)))
    assert [issue.subject for issue in issues] == ["link 'pad'"] * wrong


def test_what_is_welded_to_weighed_geoms_may_be_weighed() -> None:
    text = body(cube(0.1)).replace("</body>", f"{WELDED.format('', cube(0.1))}</body>")
    assert found("I131", text) == []


def test_a_mass_that_is_added_is_said() -> None:
    (issue,) = found("I131", pendulum(body=WELDED.format("", cube(0.1)), mass=2))
    assert "add 1 kg at the density of water to 'arm', which states 2 kg" in issue.message


REPAIRS = {
    # settings of the compiler, and which of them changes 1 kg with moments 0.1, 0.1, 0.1
    "": None,
    'boundmass="1.09"': None,
    'boundmass="1.2"': "boundmass",
    'boundinertia="0.109"': None,
    'boundinertia="0.12"': "boundinertia",
    'balanceinertia="true"': None,
    'balanceinertia="true" boundmass="1"': None,
}


@pytest.mark.parametrize("settings", REPAIRS)
def test_what_the_compiler_repairs(settings: str) -> None:
    text = pendulum(head=f"<compiler {settings}/>")
    issues = found("I133", text)
    name = REPAIRS[settings]
    assert len(issues) == (name is not None)
    assert all(f"the compiler's {name} changes" in issue.message for issue in issues)


@pytest.mark.parametrize(("high", "wrong"), [(0.19, False), (0.25, True)])
def test_impossible_tensors_are_balanced(high: float, *, wrong: bool) -> None:
    text = pendulum(head='<compiler balanceinertia="true"/>')
    text = text.replace('diaginertia="0.1 0.1 0.1"', f'diaginertia="0.1 0.1 {high}"')
    assert len(found("I133", text)) == wrong


def test_one_finding_names_all_that_are_repaired() -> None:
    arm = f'<body name="b"><joint/>{INERTIAL}</body><body name="c"><joint/>{INERTIAL}</body>'
    text = f'<mujoco><compiler boundmass="2"/><worldbody>{arm}</worldbody></mujoco>'
    (issue,) = found("I133", text)
    assert issue.message.endswith("likewise 1 more: c")


URDF = """<robot name="r"><link name="base"/><link name="arm">
  <inertial><mass value="1"/>
    <inertia ixx="{0}" ixy="0" ixz="0" iyy="{1}" iyz="0" izz="{2}"/></inertial>
  <visual><geometry><box size="0.3 0.4 0.5"/></geometry></visual>
</link><joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>
"""
# The box has a radius of gyration of √((0.16 + 0.25) / 12) = 0.185 m.
GYRATIONS = {0.185: False, 0.019: False, 0.018: True, 0.006: True, 1.8: False, 1.9: True}


@pytest.mark.parametrize("gyration", GYRATIONS)
def test_tensors_against_shapes(gyration: float) -> None:
    high = gyration**2
    text = URDF.format(0.8 * high, 0.9 * high, high)
    assert len(judge(text, Config(select=("I114",)))) == GYRATIONS[gyration]
