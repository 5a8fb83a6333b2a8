"""Masses, judged by rigid groups: frames need none, what moves does."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import pytest

from phyzctl.geometry.shapes import Sphere
from phyzctl.issues import Finding, Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks import groups, masses
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, Link, Mimic
from phyzctl.robot.mechanism import CompilerSettings
from phyzctl.robot.robot import Robot

TENSOR = Inertia(0.0042, 0.0, 0.0, 0.0042, 0.0, 0.0017)
WEIGHT = Inertial(1.0, TENSOR)
TURN, WELD = JointKind.CONTINUOUS, JointKind.FIXED

# name, kind of the joint above it, and mass; each hangs on the one before
Chain = list[tuple[str, JointKind, float | None]]


def chain(links: Chain, dialect: str | None = "urdf", root: str = "base") -> Robot:
    builder = RobotBuilder("r", dialect=dialect).link(Link(root))
    parent = root
    for name, kind, mass in links:
        builder.joint(Joint(f"to_{name}", kind, parent, name))
        if mass is not None:
            builder.inertial(name, replace(WEIGHT, mass=mass))
        parent = name
    return builder.build(Issues())


def found(findings: object) -> list[tuple[str, str]]:
    listed: list[Finding] = list(findings)  # type: ignore[call-overload]
    return [
        (finding.element.name, "error" if finding.severity is None else finding.severity.label)
        for finding in listed
    ]


MASSLESS: dict[str, tuple[Chain, list[tuple[str, str]]]] = {
    "all have mass": ([("arm", TURN, 1.0), ("hand", TURN, 0.5)], []),
    "the last has none": ([("arm", TURN, 1.0), ("hand", TURN, None)], [("hand", "error")]),
    "zero is none": ([("arm", TURN, 1.0), ("hand", TURN, 0.0)], [("hand", "error")]),
    "a welded link has it": (
        [("arm", TURN, 1.0), ("flange", TURN, None), ("hand", WELD, 0.5)],
        [],
    ),
    "a frame at the end": ([("arm", TURN, 1.0), ("tool", WELD, None)], []),
    "in between": ([("yaw", TURN, None), ("arm", TURN, 1.0)], [("yaw", "warning")]),
    "nobody has any": ([("arm", TURN, None), ("hand", TURN, None)], []),
    "negative is another fault": ([("arm", TURN, 1.0), ("hand", TURN, -0.5)], []),
}


@pytest.mark.parametrize(("links", "expected"), MASSLESS.values(), ids=MASSLESS)
def test_a_moving_group_needs_mass(links: Chain, expected: list[tuple[str, str]]) -> None:
    assert found(masses.group_massless(chain(links))) == expected


def test_mujoco_refuses_the_massless_groups() -> None:
    """Also the one in between, which is why that is at least a warning."""
    for below in ("", "<body><joint/><geom size='.1'/></body>"):
        text = f"<mujoco><worldbody><body><joint/>{below}</body></worldbody></mujoco>"
        with pytest.raises(ValueError, match="mass and inertia of moving bodies"):
            mujoco.MjModel.from_xml_string(text)


def test_mjcf_weighs_geoms_so_bodies_without_inertial_are_fine() -> None:
    links: Chain = [("arm", TURN, 1.0), ("hand", TURN, None)]
    assert not list(masses.group_massless(chain(links, dialect="mjcf")))


@pytest.mark.parametrize(("led_mass", "expected"), [(1.0, "warning"), (None, "error")])
def test_a_follower_without_mass(led_mass: float | None, expected: str) -> None:
    builder = RobotBuilder("r", dialect="urdf").inertial("base", WEIGHT).link(Link("base"))
    builder.joint(Joint("lead", TURN, "base", "thumb"))
    builder.joint(Joint("follow", TURN, "base", "finger", mimic=Mimic("lead")))
    builder.inertial("thumb", replace(WEIGHT, mass=led_mass or 0.0))
    findings = found(masses.group_massless(builder.build(Issues())))
    assert ("finger", expected) in findings


def test_welded_frames_are_named() -> None:
    links: Chain = [("arm", TURN, 1.0), ("hand", TURN, None), ("palm", WELD, None)]
    (finding,) = masses.group_massless(chain(links))
    assert "palm" in finding.message


@pytest.mark.parametrize(
    ("links", "count"),
    [
        ([("arm", TURN, None)], 1),
        ([("arm", TURN, 0.0)], 1),
        ([("arm", TURN, 1.0)], 0),
        ([("arm", WELD, None)], 0),
    ],
)
def test_a_model_for_kinematics_is_said_once(links: Chain, count: int) -> None:
    robot = chain(links)
    findings = list(masses.kinematics_only(robot))
    assert [finding.element for finding in findings] == [robot] * count
    assert not list(masses.kinematics_only(chain(links, dialect="mjcf")))


TINY: dict[str, tuple[Chain, list[tuple[str, str]]]] = {
    "99 mg": ([("arm", TURN, 0.000099)], [("arm", "error")]),
    "100 mg": ([("arm", TURN, 0.0001)], []),
    "a light sensor on an arm": ([("arm", TURN, 1.0), ("imu", WELD, 1e-7)], []),
    "a group of light ones": ([("arm", TURN, 1e-6), ("imu", WELD, 2e-6)], [("imu", "error")]),
    "on the base": ([("imu", WELD, 1e-7)], []),
}


@pytest.mark.parametrize(("links", "expected"), TINY.values(), ids=TINY)
def test_a_moving_group_that_is_too_light(links: Chain, expected: list[tuple[str, str]]) -> None:
    assert found(masses.mass_tiny(chain(links))) == expected  # "error" is the code's own here


def test_a_body_whose_geoms_are_weighed_is_not_too_light() -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    builder.joint(Joint("j", TURN, "world", "arm")).joint(Joint("w", WELD, "arm", "imu"))
    builder.geom("arm", Geom(Sphere(0.1))).inertial("imu", replace(WEIGHT, mass=1e-6))
    assert not list(masses.mass_tiny(builder.build(Issues())))


def test_negative_masses_of_links_and_geoms() -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    builder.joint(Joint("j", TURN, "world", "arm")).inertial("arm", replace(WEIGHT, mass=-1.0))
    builder.geom("arm", Geom(Sphere(0.1), mass=-1.0)).geom("arm", Geom(Sphere(0.1), density=-1.0))
    findings = list(masses.mass_negative(builder.build(Issues())))
    assert [finding.attribute for finding in findings] == ["inertial@mass", "mass", "density"]


def test_an_inertial_is_ignored_when_geoms_are_weighed() -> None:
    robot = chain([("arm", TURN, 1.0), ("hand", TURN, None)], dialect="mjcf")
    assert not list(masses.inertial_ignored(robot))
    weighing = replace(robot, settings=CompilerSettings(inertia_from_geom=True))
    (finding,) = masses.inertial_ignored(weighing)
    assert finding.subject == "inertial of link 'arm'"


def test_the_world_is_no_moving_group() -> None:
    robot = chain([("stand", WELD, 9.0), ("arm", TURN, 1.0)], root="world")
    assert [group[0].name for group in groups.moving_groups(robot)] == ["arm"]
    assert [group[0].name for group in groups.driven_groups(robot)] == ["arm"]
    floating = chain([("arm", TURN, 1.0)])
    assert [group[0].name for group in groups.moving_groups(floating)] == ["base", "arm"]


BEARING: dict[str, tuple[Chain, set[str]]] = {
    "the first": ([("arm", TURN, 1.0), ("imu", WELD, 0.1)], {"arm"}),
    "both halves": ([("arm", TURN, 1.0), ("hand", WELD, 1.2)], {"arm", "hand"}),
    "a light frame in front": ([("frame", TURN, 0.001), ("hand", WELD, 1.2)], {"hand"}),
    "no mass at all": ([("arm", TURN, None)], {"arm"}),
}


@pytest.mark.parametrize(("links", "expected"), BEARING.values(), ids=BEARING)
def test_which_links_decide_how_a_group_moves(links: Chain, expected: set[str]) -> None:
    assert groups.bearing_links(chain(links)) - {"base"} == expected
