"""Reading URDF: every element lands where it belongs, with its place; nothing is lost."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from phyzctl import formats
from phyzctl.formats.format import Reading
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, MeshShape, Sphere
from phyzctl.issues import Issues, Severity
from phyzctl.robot.elements import (
    Calibration,
    Dynamics,
    Geom,
    GeomRole,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Material,
    Mimic,
    Safety,
    TransmissionEnd,
)
from phyzctl.robot.robot import Robot

WHOLE = """<?xml version="1.0"?>
<robot name="whole" version="1.2">
  <material name="red"><color rgba="1 0 0 1"/><texture filename="red.png"/></material>
  <link name="base">
    <inertial>
      <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
      <mass value="4.5"/>
      <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"/>
    </inertial>
    <visual name="hull">
      <origin xyz="0 0 .5"/>
      <geometry><box size="1 2 3"/></geometry>
      <material name="red"/>
    </visual>
    <collision><geometry><cylinder radius="0.1" length="+2e-1"/></geometry></collision>
    <collision name="ball"><geometry><sphere radius="1."/></geometry></collision>
    <self_collision_checking>off</self_collision_checking>
  </link>
  <link name="arm">
    <visual>
      <origin quat_xyzw="0 0 0.6 0.8"/>
      <geometry><capsule radius="0.1" length="0.4"/></geometry>
      <material name=""><color rgba="0 0 1 1"/></material>
    </visual>
  </link>
  <link name="finger"/>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 1" rpy="0 1.5 0"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <calibration rising="0.1" falling="-0.1"/>
    <dynamics damping="0.5" friction="0.25"/>
    <limit lower="-1" upper="2" effort="30" velocity="inf" acceleration="4" jerk="5"/>
    <safety_controller soft_lower_limit="-.9" soft_upper_limit="1.9" k_position="10"
      k_velocity="3"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="arm"/>
    <child link="finger"/>
    <limit effort="1" velocity="2"/>
    <mimic joint="hinge" multiplier="-2"/>
  </joint>
  <transmission name="drive">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="hinge"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
    <actuator name="motor"><mechanicalReduction>50</mechanicalReduction></actuator>
  </transmission>
  <gazebo reference="base"><mu1>0.9</mu1></gazebo>
</robot>
"""


def read(text: str, path: str = "robot.urdf") -> tuple[Reading, Issues]:
    issues = Issues()
    return formats.read_bytes(text.encode(), path, issues), issues


def robot_of(body: str) -> tuple[Robot, Issues]:
    reading, issues = read(f'<robot name="r">{body}</robot>')
    assert reading.robot is not None
    return reading.robot, issues


@pytest.fixture(scope="module")
def whole() -> Robot:
    reading, issues = read(WHOLE)
    assert not list(issues)
    assert reading.robot is not None
    return reading.robot


def test_the_robot(whole: Robot) -> None:
    assert (whole.name, whole.version, whole.dialect) == ("whole", "1.2", "urdf")
    assert [link.name for link in whole] == ["base", "arm", "finger"]
    assert whole.materials == (Material("red", (1.0, 0.0, 0.0, 1.0), "red.png"),)


def test_a_link_with_everything(whole: Robot) -> None:
    link = whole.structure.link("base")
    assert link.inertial == Inertial(
        4.5, Inertia(1.0, 0.1, 0.2, 2.0, 0.3, 2.5), (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
    )
    assert link.geoms == (
        Geom(
            Box((1.0, 2.0, 3.0)),
            "hull",
            GeomRole.VISUAL,
            (0.0, 0.0, 0.5),
            material=Material("red"),
        ),
        Geom(Cylinder(0.1, 0.2), role=GeomRole.COLLISION),
        Geom(Sphere(1.0), "ball", GeomRole.COLLISION),
    )
    (extension,) = link.extensions
    assert extension.text == "<self_collision_checking>off</self_collision_checking>"


def test_what_urdf_1_1_adds(whole: Robot) -> None:
    (geom,) = whole.structure.link("arm").geoms
    assert geom.shape == Capsule(0.1, 0.4)
    assert geom.quat == (0.8, 0.0, 0.0, 0.6)
    assert geom.material == Material("", (0.0, 0.0, 1.0, 1.0))


def test_a_joint_with_everything(whole: Robot) -> None:
    assert whole.structure.joint("hinge") == Joint(
        "hinge",
        JointKind.REVOLUTE,
        "base",
        "arm",
        (0.0, 0.0, 1.0),
        (0.0, 1.5, 0.0),
        (0.0, 1.0, 0.0),
        limit=JointLimit(-1.0, 2.0, 30.0, math.inf, acceleration=4.0, jerk=5.0),
        calibration=Calibration(0.1, -0.1),
        dynamics=Dynamics(0.5, 0.25),
        safety=Safety(-0.9, 1.9, 10.0, 3.0),
    )


def test_what_is_not_written_stays_unknown_and_the_axis_is_urdfs(whole: Robot) -> None:
    assert whole.structure.joint("grip") == Joint(
        "grip",
        JointKind.PRISMATIC,
        "arm",
        "finger",
        axis=(1.0, 0.0, 0.0),
        limit=JointLimit(effort=1.0, velocity=2.0),
        mimic=Mimic("hinge", -2.0, 0.0),
    )


def test_a_transmission_is_understood_and_kept_verbatim(whole: Robot) -> None:
    (transmission,) = whole.transmissions
    assert transmission.kind == "transmission_interface/SimpleTransmission"
    assert transmission.joints == (TransmissionEnd("hinge", ("EffortJointInterface",)),)
    assert transmission.actuators == (TransmissionEnd("motor", (), 50.0),)
    assert transmission.extensions[0].text.startswith('<transmission name="drive">')


def test_pr2_style_transmission() -> None:
    robot, _ = robot_of(
        '<link name="a"/><transmission type="pr2/Simple" name="t"><actuator name="m"/>'
        "<mechanicalReduction>3</mechanicalReduction></transmission>"
    )
    assert robot.transmissions[0].kind == "pr2/Simple"
    assert [end.name for end in robot.transmissions[0].actuators] == ["m"]


def test_what_is_not_urdf_is_kept_verbatim(whole: Robot) -> None:
    assert [extension.tag for extension in whole.extensions] == ["gazebo"]
    assert whole.extensions[0].text == '<gazebo reference="base"><mu1>0.9</mu1></gazebo>'


def test_every_element_knows_its_place(whole: Robot) -> None:
    lines = WHOLE.splitlines()
    hinge = whole.structure.joint("hinge")
    placed: list[Any] = [whole, *whole.links, *whole.joints, *whole.materials]
    placed += [geom for link in whole.links for geom in link.geoms]
    placed += [hinge.limit, hinge.dynamics, hinge.calibration, hinge.safety]
    placed += [whole.links[0].inertial, whole.transmissions[0].joints[0]]
    for element in placed:
        source = element.source
        assert source.path == "robot.urdf"
        assert lines[source.line - 1][source.column - 1] == "<"
    assert hinge.limit.source is not None
    assert lines[(hinge.limit.source.line or 0) - 1].lstrip().startswith("<limit ")
    assert hinge.limit.source.element == "/robot/joint[@name='hinge']/limit"


@pytest.mark.parametrize(
    ("xml", "shape"),
    [
        ('<drake:capsule radius="1" length="2"/>', Capsule(1.0, 2.0)),
        ('<drake:ellipsoid a="1" b="2" c="3"/>', Ellipsoid((1.0, 2.0, 3.0))),
        ('<box size="-1 0 1"/>', Box((-1.0, 0.0, 1.0))),
    ],
)
def test_shapes(xml: str, shape: Any) -> None:
    robot, _ = robot_of(f'<link name="a"><collision><geometry>{xml}</geometry></collision></link>')
    assert robot.links[0].geoms[0].shape == shape


# Each: what stands in <robot>, the expected (code, what the column points at) pairs.
FAULTS = {
    "a number that is none": (
        (
            '<link name="a"><inertial><mass value="1,5"/><inertia ixx="1" ixy="0" ixz="0" iyy="1"'
            ' iyz="0" izz="1"/></inertial></link>'
        ),
        [("X011", "value=")],
    ),
    "an unreadable entry leaves no tensor": (
        (
            '<link name="a"><inertial><mass value="1"/><inertia ixx="x" ixy="0" ixz="0" iyy="1"'
            ' iyz="0" izz="1"/></inertial></link>'
        ),
        [("X010", "ixx=")],
    ),
    "not a number": (
        '<link name="a"><collision><geometry><sphere radius="nan"/></geometry></collision></link>',
        [("X012", "radius=")],
    ),
    "an empty geometry": (
        '<link name="a"><collision><geometry/></collision></link>',
        [("G513", "<geometry/>")],
    ),
    "a shape of somebody else's": (
        '<link name="a"><collision><geometry><plane/></geometry></collision></link>',
        [("G513", "<geometry>")],
    ),
    "two shapes": (
        (
            '<link name="a"><collision><geometry><box size="1 1 1"/><sphere radius="1"/></geometry>'
            "</collision></link>"
        ),
        [("X005", "<sphere")],
    ),
    "a joint type in capitals": (
        (
            '<link name="a"/><link name="b"/><joint name="j" type="Fixed"><parent link="a"/>'
            '<child link="b"/></joint>'
        ),
        [("T405", "type=")],
    ),
    "a ball joint": (
        (
            '<link name="a"/><link name="b"/><joint name="j" type="ball"><parent link="a"/>'
            '<child link="b"/></joint>'
        ),
        [("T405", "type=")],
    ),
    "a joint without parent": (
        '<link name="a"/><link name="b"/><joint name="j" type="fixed"><child link="b"/></joint>',
        [("X006", "<joint")],
    ),
    "a joint without child": (
        '<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/></joint>',
        [("X006", "<joint")],
    ),
    "a joint without name": (
        (
            '<link name="a"/><link name="b"/><joint type="fixed"><parent link="a"/>'
            '<child link="b"/></joint>'
        ),
        [("X006", "<joint")],
    ),
    "a link without name": ('<link name="a"/><link/>', [("X006", "<link/>")]),
    "a link stated twice": ('<link name="a"/><link name="a"/>', [("N301", "<link")]),
    "a macro left over": ('<link name="${prefix}a"/>', [("X013", "name=")]),
    "a mesh that is nowhere": (
        '<link name="a"><visual><geometry><mesh filename="no.stl"/></geometry></visual></link>',
        [("F601", "filename=")],
    ),
    "a package that is nowhere": (
        (
            '<link name="a"><visual><geometry><mesh filename="package://no_such_pkg/a.stl"/>'
            "</geometry></visual></link>"
        ),
        [("F600", "filename=")],
    ),
    "a path of one machine": (
        (
            '<link name="a"><visual><geometry><mesh filename="/home/me/a.stl"/></geometry></visual>'
            "</link>"
        ),
        [("F602", "filename=")],
    ),
}


@pytest.mark.parametrize(("body", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_issue_at_its_place(body: str, expected: list[tuple[str, str]]) -> None:
    text = f'<robot name="r">{body}</robot>'
    reading, issues = read(text)
    assert reading.robot is not None
    assert [issue.code.id for issue in issues] == [code for code, _ in expected]
    for issue, (_, pointed_at) in zip(issues, expected, strict=True):
        assert issue.source is not None
        assert issue.source.column is not None
        assert text[issue.source.column - 1 :].startswith(pointed_at)


def test_unreadable_numbers_are_unknown_not_zero() -> None:
    robot, _ = robot_of(
        '<link name="a"><inertial><mass value="x"/></inertial>'
        '<visual><origin xyz="1 2"/><geometry><box size="1 1"/></geometry></visual></link>'
    )
    link = robot.links[0]
    assert link.inertial == Inertial()
    assert link.geoms == (Geom(Box(None), role=GeomRole.VISUAL, xyz=None),)


def test_one_issue_per_missing_package_with_all_its_uses() -> None:
    meshes = "".join(
        f'<visual><geometry><mesh filename="package://no_such_pkg/{name}.stl"/></geometry></visual>'
        for name in "abc"
    )
    _, issues = robot_of(f'<link name="l">{meshes}</link>')
    (issue,) = issues
    assert issue.severity is Severity.WARNING
    assert "3 mesh files" in issue.message
    assert len(issue.related) == 2


def test_meshes_are_found_beside_the_file_and_shared(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "a.stl").write_bytes(bytes(84))
    mesh = '<geometry><mesh filename="meshes/a.stl"{}/></geometry>'
    scaled = mesh.format(' scale="2 2 2"')
    body = (
        f'<robot name="r"><link name="l"><visual>{mesh.format("")}</visual>'
        f"<collision>{mesh.format('')}</collision><collision>{scaled}</collision></link></robot>"
    )
    reading, issues = read(body, str(tmp_path / "r.urdf"))
    assert not list(issues)
    assert reading.robot is not None
    plain, doubled = reading.robot.meshes
    assert (plain.name, plain.scale, doubled.name, doubled.scale) == (
        "a",
        (1.0, 1.0, 1.0),
        "a_2",
        (2.0, 2.0, 2.0),
    )
    assert plain.file == str(tmp_path / "meshes" / "a.stl")
    shapes = [geom.shape for geom in reading.robot.links[0].geoms]
    assert shapes == [MeshShape("a"), MeshShape("a"), MeshShape("a_2")]


def test_wrong_letter_case_is_mended_safely(tmp_path: Path) -> None:
    (tmp_path / "Part.STL").write_bytes(bytes(84))
    text = (
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="part.stl"/></geometry>'
        "</visual></link></robot>"
    )
    _, issues = read(text, str(tmp_path / "r.urdf"))
    (issue,) = issues
    assert issue.code.id == "F601"
    assert issue.fix is not None
    assert issue.fix.safe
    (edit,) = issue.fix.edits
    assert text[: edit.start] + edit.text + text[edit.end :] == text.replace("part.stl", "Part.STL")


@pytest.mark.parametrize(
    "text", ["", "<robot", "<robots/>", "\x00\x01\x02", "<robot name='r'><link></robot>"]
)
def test_what_is_no_urdf_gives_an_error_and_no_robot(text: str) -> None:
    reading, issues = read(text)
    assert reading.robot is None
    assert any(issue.severity is Severity.ERROR for issue in issues)


def test_an_empty_robot_has_no_links() -> None:
    reading, issues = read('<robot name="r"/>')
    assert reading.robot == Robot("r", (), (), dialect="urdf")
    assert [issue.code.id for issue in issues] == ["T401"]


def test_links_of_a_world(whole: Robot) -> None:
    robot, issues = robot_of(
        '<link name="world"/><link name="base"/><joint name="weld" type="fixed">'
        '<parent link="world"/><child link="base"/></joint>'
    )
    assert not list(issues)
    assert robot.structure.root == Link("world")
