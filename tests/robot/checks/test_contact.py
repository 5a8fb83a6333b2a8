"""Contact: masks, excludes and parameters, with MuJoCo's contacts as the judge of the first two."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import mujoco
import pytest

from phyzctl.formats import read_bytes
from phyzctl.geometry.shapes import Plane, Sphere
from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks import contact
from phyzctl.robot.elements import Geom, Joint, JointKind, JointSolver, Link, Surface
from phyzctl.robot.mechanism import (
    ContactPair,
    Equality,
    EqualityKind,
    Exclude,
    Option,
    Tendon,
)
from phyzctl.robot.robot import Robot

BALL = Geom(Sphere(0.1), "ball")
FLOOR = Geom(Plane(), "floor")


def scene(floor: Surface | None, ball: Surface | None, **changes: Any) -> Robot:
    """A free ball above a floor."""
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    builder.joint(Joint("free", changes.pop("kind", JointKind.FLOATING), "world", "body"))
    builder.geom("world", replace(FLOOR, surface=floor))
    builder.geom("body", replace(BALL, surface=ball))
    return replace(builder.build(Issues()), **changes)


MASKS = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (4, 2)]


@pytest.mark.parametrize("floor", MASKS)
@pytest.mark.parametrize("ball", MASKS)
def test_masks_that_never_meet_are_found_where_mujoco_makes_no_contact(
    floor: tuple[int, int], ball: tuple[int, int]
) -> None:
    xml = f"""<mujoco><worldbody>
      <geom type="plane" size="1 1 1" contype="{floor[0]}" conaffinity="{floor[1]}"/>
      <body><freejoint/><geom size="0.1" contype="{ball[0]}" conaffinity="{ball[1]}"/></body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    robot = scene(Surface(*floor), Surface(*ball))
    found = list(contact.nothing_collides(robot))
    if not found:  # two geoms of one kind, such as two balls, may still meet
        assert data.ncon or any(a & b for a, b in (floor, ball))
    else:
        assert data.ncon == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": JointKind.FIXED},
        {"kind": JointKind.CONTINUOUS},
        {"pairs": (ContactPair("floor", "ball"),)},
        {"dialect": "urdf"},
    ],
    ids=["fixed", "hinge", "pair", "urdf"],
)
def test_nothing_needs_to_collide_where_nothing_can_fall(changes: dict[str, Any]) -> None:
    silent = Surface(0, 0)
    assert list(contact.nothing_collides(scene(silent, silent)))
    assert not list(contact.nothing_collides(scene(silent, silent, **changes)))


BODIES = """
    <body name="a" pos="0 0 1"><freejoint/><geom size="0.1" mass="1"/>
      <body name="b"><joint axis="0 1 0"/><geom size="0.1" mass="1"/>
        <body name="c"><geom size="0.1" mass="1"/>
          <body name="d"><joint axis="0 1 0"/><geom size="0.1" mass="1"/></body>
        </body>
      </body>
      <body name="e"><joint axis="0 1 0"/><geom size="0.1" mass="1"/></body>
    </body>
    <body name="post" pos="0 0 1"><geom size="0.1" mass="1"/>
      <body name="lever"><joint axis="0 1 0"/><geom size="0.1" mass="1"/></body>
    </body>"""
NAMES = ("a", "b", "c", "d", "e", "post", "lever")


@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_redundant_excludes_are_those_of_pairs_that_mujoco_never_tests(flag: str) -> None:
    """All bodies stand in one place, so every pair that is tested is in contact."""
    option = f'<option><flag filterparent="{flag}"/></option>'
    world = f"<worldbody>{BODIES}</worldbody>"
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}{world}</mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    body_of = model.geom_bodyid
    touching = {frozenset(model.body(body_of[i]).name for i in pair) for pair in data.contact.geom}
    pairs = list(combinations(NAMES, 2))
    excludes = "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in pairs)
    text = f"<mujoco>{option}{world}<contact>{excludes}</contact></mujoco>"
    robot = read_bytes(text.encode(), "r.xml", Issues()).robot
    assert robot is not None
    found = {
        frozenset((finding.element.first, finding.element.second))
        for finding in contact.exclude_redundant(robot)
    }
    assert found == {frozenset(pair) for pair in pairs} - touching


def test_a_second_exclude_and_one_of_a_body_with_itself() -> None:
    robot = replace(
        scene(None, None),
        excludes=(
            Exclude("world", "body"),
            Exclude("body", "world"),
            Exclude("body", "body"),
        ),
    )
    again, itself = contact.exclude_redundant(robot)
    assert again.element is robot.excludes[1]
    assert "already" in again.message
    assert [related.message for related in again.related] == ["first excluded here"]
    assert "itself" in itself.message


SURFACES = {
    "nothing stated": (Surface(), []),
    "frictionless": (Surface(friction=(0.0, 0.0, 0.0)), []),
    "negative friction": (Surface(friction=(-1.0,)), ["friction"]),
    "negative rolling": (Surface(friction=(1.0, 0.005, -0.1)), ["friction"]),
    "negative margin": (Surface(margin=-0.001), ["margin"]),
    "standard solref": (Surface(solref=(0.02, 1.0)), []),
    "direct solref": (Surface(solref=(-1000.0, -10.0)), []),
    "direct without damping": (Surface(solref=(-1000.0, 0.0)), []),
    "mixed signs": (Surface(solref=(0.02, -1.0)), ["solref"]),
    "short solref": (Surface(solref=(0.02,)), []),
    "solimp": (Surface(solimp=(0.0, 1.0, 0.001, 0.5, 1.0)), []),
    "short solimp": (Surface(solimp=(0.9,)), []),
    "impedance above 1": (Surface(solimp=(2.0, 1.0, 0.01)), ["solimp"]),
    "negative width": (Surface(solimp=(0.9, 0.95, -0.001)), ["solimp"]),
    "flat power": (Surface(solimp=(0.9, 0.95, 0.001, 0.5, 0.5)), ["solimp"]),
}


@pytest.mark.parametrize(("surface", "places"), SURFACES.values(), ids=SURFACES)
def test_what_no_contact_can_have(surface: Surface, places: list[str]) -> None:
    found = list(contact.contact_parameter(scene(None, surface)))
    assert [finding.attribute for finding in found] == places


WRONG, IMPOSSIBLE = (0.02, -1.0), (2.0, 1.0)
HOLDERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "pair": (
        {
            "pairs": (
                ContactPair("floor", "ball", friction=(-1.0,), solref=WRONG, solreffriction=WRONG),
            )
        },
        ["friction", "solref", "solreffriction"],
    ),
    "pair without friction softness": (
        {"pairs": (ContactPair("floor", "ball", solreffriction=(0.0, 0.0)),)},
        [],
    ),
    "equality": (
        {"equalities": (Equality(EqualityKind.WELD, "body", solref=WRONG, solimp=IMPOSSIBLE),)},
        ["solref", "solimp"],
    ),
    "tendon": (
        {"tendons": (Tendon("t", False, solref_limit=WRONG, solref_friction=WRONG),)},
        ["solreflimit", "solreffriction"],
    ),
    "joint": (
        {
            "joints": (
                Joint(
                    "free",
                    JointKind.FLOATING,
                    "world",
                    "body",
                    solver=JointSolver(solref_limit=WRONG, solimp_friction=IMPOSSIBLE),
                ),
            )
        },
        ["solreflimit", "solimpfriction"],
    ),
}


@pytest.mark.parametrize(("changes", "places"), HOLDERS.values(), ids=HOLDERS)
def test_softness_is_judged_wherever_it_is_stated(
    changes: dict[str, Any], places: list[str]
) -> None:
    found = list(contact.contact_parameter(scene(None, None, **changes)))
    assert [finding.attribute for finding in found] == places


@pytest.mark.parametrize(
    ("solref", "option", "stiff"),
    [
        ((0.0039, 1.0), Option(), True),
        ((0.004, 1.0), Option(), False),  # two steps of MJCF's 2 ms
        ((0.004, 1.0), Option(timestep=0.0025), True),
        ((-1000.0, -10.0), Option(), False),
        ((0.0, 0.0), Option(), False),
        ((0.001, 1.0), Option(flags=(("refsafe", False),)), False),
        ((0.001, 1.0), Option(timestep=0.0), False),  # M017 says enough
    ],
)
def test_a_time_constant_below_two_steps(
    solref: tuple[float, float], option: Option, stiff: bool
) -> None:
    found = list(contact.contact_stiff(scene(None, Surface(solref=solref), option=option)))
    assert [finding.attribute for finding in found] == ["solref"] * stiff
    assert all(finding.subject == "geom 'ball'" for finding in found)
