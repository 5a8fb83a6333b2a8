"""Sizes, masses and densities of rigid groups, and which factor of a unit repairs them."""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
from pathlib import Path

import pytest

from phyzctl.formats import read_bytes
from phyzctl.geometry.shapes import (
    Box as BoxShape,
)
from phyzctl.geometry.shapes import (
    Capsule,
    Cylinder,
    MeshShape,
    Plane,
    Sphere,
    Vec3,
)
from phyzctl.issues import Issues
from phyzctl.lint.extents import Extents
from phyzctl.lint.facts import Facts, GroupFacts, Part
from phyzctl.lint.plausibility import (
    is_gyration_off,
    is_placeholder,
    is_round,
    mass_factor,
    tensor_factor,
)
from phyzctl.lint.poses import Box, Pose
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, Link, Mesh

CUBE = "v 0 0 0\nv 2 0 0\nv 0 4 0\nv 0 0 6\nf 1 2 3\n"
HALF = math.sqrt(0.5)


@pytest.fixture
def cube(tmp_path: Path) -> str:
    path = tmp_path / "cube.obj"
    path.write_text(CUBE)
    return str(path)


def boxes(*geoms: Geom, meshes: tuple[Mesh, ...] = ()) -> list[Box] | None:
    return Extents(meshes).boxes(Link("arm", geoms=geoms), Pose())


@pytest.mark.parametrize(
    ("shape", "half"),
    [
        (Sphere(0.5), (0.5, 0.5, 0.5)),
        (BoxShape((1.0, 2.0, 3.0)), (0.5, 1.0, 1.5)),
        (Cylinder(0.5, 3.0), (0.5, 0.5, 1.5)),
        (Capsule(0.5, 3.0), (0.5, 0.5, 2.0)),
    ],
)
def test_primitives_are_measured_in_closed_form(shape: BoxShape, half: Vec3) -> None:
    x, y, z = half
    assert boxes(Geom(shape)) == [Box((-x, -y, -z), half)]


@pytest.mark.parametrize(
    "geom",
    [
        Geom(None),
        Geom(Sphere(None)),
        Geom(Sphere(0.0)),
        Geom(Sphere(-1.0)),
        Geom(Sphere(math.nan)),
        Geom(Sphere(0.5), xyz=None),
        Geom(MeshShape("missing")),
        Geom(MeshShape("part")),
    ],
)
def test_one_shape_that_is_not_known_makes_all_unknown(geom: Geom) -> None:
    assert boxes(Geom(Sphere(0.5)), geom, meshes=(Mesh("part", file=None),)) is None


def test_what_has_no_bounds_is_left_out() -> None:
    assert boxes(Geom(Plane())) == []
    assert len(boxes(Geom(Plane()), Geom(Sphere(1.0))) or []) == 1


def test_a_mesh_is_measured_in_its_file_and_scaled(cube: str) -> None:
    plain = Mesh("part", file=cube)
    assert boxes(Geom(MeshShape("part")), meshes=(plain,)) == [Box((0, 0, 0), (2, 4, 6))]
    scaled = Mesh("part", file=cube, scale=(0.001, -0.5, 1.0))
    (box,) = boxes(Geom(MeshShape("part")), meshes=(scaled,)) or []
    assert box == Box((0.0, -2.0, 0.0), (0.002, 0.0, 6.0))


def test_a_mesh_is_taken_out_of_its_frame_before_it_is_scaled(cube: str) -> None:
    """The frame stands at (0, 4, 0), turned by 90 degrees about z: its x is the file's y."""
    mesh = Mesh("part", file=cube, refpos=(0.0, 4.0, 0.0), refquat=(HALF, 0.0, 0.0, HALF))
    (box,) = boxes(Geom(MeshShape("part")), meshes=(mesh,)) or []
    assert box.low == pytest.approx((-4.0, -2.0, 0.0), abs=1e-12)
    assert box.high == pytest.approx((0.0, 0.0, 6.0), abs=1e-12)


def test_a_mesh_written_out_and_a_primitive_fitted_to_one() -> None:
    mesh = Mesh("part", vertices=((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)))
    expected = [Box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))]
    assert boxes(Geom(MeshShape("part")), meshes=(mesh,)) == expected
    assert boxes(Geom(Sphere(None), fit_mesh="part"), meshes=(mesh,)) == expected


def test_a_broken_mesh_is_remembered_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "broken.stl"
    path.write_bytes(b"cut off")
    extents = Extents((Mesh("part", file=str(path)),))
    assert extents.mesh_box("part") is None
    assert "too short" in extents.broken["part"]


def test_numpy_is_loaded_for_meshes_only() -> None:
    code = (
        "import sys; from phyzctl.formats import read_bytes; from phyzctl.issues import Issues;"
        "from phyzctl.lint.facts import Facts;"
        'robot = read_bytes(b\'<robot name="r"><link name="a"><visual><geometry>'
        "<sphere radius=\"1\"/></geometry></visual></link></robot>', 'r.urdf', Issues()).robot;"
        "print(Facts(robot).groups[0].box, 'numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip().endswith("False"), run.stdout + run.stderr


TENSOR = Inertia(0.0042, 0.0, 0.0, 0.0042, 0.0, 0.0017)


def groups(**inertials: Inertial) -> tuple[GroupFacts, ...]:
    """A base; an arm on a hinge, 0.2 m tall; a sensor welded 1 m above, turned on its side."""
    builder = RobotBuilder("r", dialect="urdf").link(Link("base"))
    builder.joint(Joint("hinge", JointKind.CONTINUOUS, "base", "arm"))
    quarter = (0.0, math.pi / 2, 0.0)
    weld = Joint("mount", JointKind.FIXED, "arm", "sensor", xyz=(0.0, 0.0, 1.0), rpy=quarter)
    builder.joint(weld)
    builder.visual("arm", Geom(BoxShape((0.1, 0.1, 0.2)), xyz=(0.0, 0.0, 0.1)))
    builder.collision("sensor", Geom(BoxShape((0.02, 0.04, 0.06))))
    for link, inertial in inertials.items():
        builder.inertial(link, inertial)
    return Facts(builder.build(Issues())).groups


def test_a_group_is_measured_in_the_frame_of_its_first_link() -> None:
    _, arm = groups()
    assert arm.box is not None
    assert arm.box.low == pytest.approx((-0.05, -0.05, 0.0))
    assert arm.box.high == pytest.approx((0.05, 0.05, 1.01))  # the sensor's x is along z


def test_a_part_knows_its_mass_its_centre_and_its_own_box() -> None:
    _, arm = groups(
        arm=Inertial(2.0, TENSOR),
        sensor=Inertial(0.1, Inertia(1e-5, 0.0, 0.0, 1e-5, 0.0, 1e-5), xyz=(0.01, 0.0, 0.0)),
    )
    body, sensor = arm.parts
    assert arm.mass == pytest.approx(2.1)
    assert body.gyration == pytest.approx(math.sqrt(0.0042 / 2.0))
    assert (body.bearing, sensor.bearing) == (True, False)
    assert sensor.com == pytest.approx((0.0, 0.0, 0.99))
    assert sensor.box is not None
    assert sensor.box.sides == pytest.approx((0.06, 0.04, 0.02))
    assert (body.is_isotropic, sensor.is_isotropic) == (False, True)


@pytest.mark.parametrize(
    "inertial",
    [
        Inertial(None, TENSOR),
        Inertial(0.0, TENSOR),
        Inertial(-1.0, TENSOR),
        Inertial(1e-5, TENSOR),
        Inertial(math.nan, TENSOR),
        Inertial(1.0, None),
        Inertial(1.0, Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
        Inertial(1.0, Inertia(-1.0, 0.0, 0.0, 1.0, 0.0, 1.0)),
        Inertial(1.0, Inertia(math.nan, 0.0, 0.0, 1.0, 0.0, 1.0)),
    ],
)
def test_what_other_rules_refuse_is_no_part(inertial: Inertial) -> None:
    assert groups(arm=inertial)[1].parts == ()


def test_a_link_without_shapes_is_held_against_its_group() -> None:
    builder = RobotBuilder("r", dialect="urdf").link(Link("arm"))
    builder.joint(Joint("mount", JointKind.FIXED, "arm", "frame"))
    builder.visual("arm", Geom(Sphere(0.1))).inertial("frame", Inertial(1.0, TENSOR))
    (group,) = Facts(builder.build(Issues())).groups
    assert group.parts[0].box == group.box


def test_an_mjcf_body_that_is_weighed_by_its_geoms_has_no_authored_mass() -> None:
    text = b"<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    robot = read_bytes(text, "r.xml", Issues()).robot
    assert robot is not None
    (group,) = Facts(robot).groups
    assert group.mass is None
    assert group.density is None


def group_of(mass: float | None, side: float = 0.1) -> GroupFacts:
    box = Box((0.0, 0.0, 0.0), (side, side, side))
    return GroupFacts((Link("a"),), box, (), mass)


@pytest.mark.parametrize(
    ("mass", "factor"),
    [
        (1.0, None),  # 1000 kg/m³
        (0.0011, None),  # foam and air
        (20.0, None),  # lead comes to 11
        (1000.0, 0.001),
        (0.0005, 1000.0),
        (1e9, None),  # no factor of 1000 helps
        (None, None),
        (0.0, None),
    ],
)
def test_which_factor_repairs_a_mass(mass: float | None, factor: float | None) -> None:
    assert mass_factor(group_of(mass)) == factor


def test_a_shape_that_only_marks_a_place_weighs_nothing() -> None:
    assert mass_factor(group_of(0.05, side=0.005)) is None


def part_of(gyration: float, longest: float | None, isotropic: bool = False) -> Part:
    high = gyration**2
    low = high if isotropic else 0.6 * high
    box = None if longest is None else Box((0.0, 0.0, 0.0), (longest / 2, longest / 2, longest))
    tensor = Inertia(low, 0.0, 0.0, high, 0.0, high)
    return Part(Link("a"), 1.0, tensor, (low, high, high), None, box, True)


@pytest.mark.parametrize(
    ("gyration", "longest", "off"),
    [
        (0.3, 1.0, False),
        (4.9, 1.0, True),  # nothing that large fits in 1 m
        (0.49, 0.1, False),
        (0.51, 0.1, True),
        (2.5, 6.0, False),  # a vehicle
        (0.011, 1.0, False),
        (0.009, 1.0, True),
        (0.0001, 0.003, False),  # a tiny part
        (1.9, None, False),
        (2.1, None, True),
        (0.0004, None, True),
    ],
)
def test_whether_a_radius_of_gyration_fits(
    gyration: float, longest: float | None, off: bool
) -> None:
    assert is_gyration_off(part_of(gyration, longest)) is off


@pytest.mark.parametrize(
    ("error", "factor"),
    [(1e6, 1e-6), (1e9, 1e-9), (1e3, 1e-3), (1e-6, 1e6), (30.0, None), (3e4, None), (5e3, 1e-3)],
)
def test_which_factor_repairs_a_tensor(error: float, factor: float | None) -> None:
    right = part_of(1.0, 1.0).box
    assert right is not None
    wrong = part_of(right.gyration * math.sqrt(error), 1.0)
    assert tensor_factor(wrong) == factor


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, True), (0.001, True), (2e-5, True), (0.3, True), (0.0042, False), (4.16667e-6, False)],
)
def test_a_round_number_has_one_digit(value: float, expected: bool) -> None:
    assert is_round(value) is expected


def test_equal_moments_are_a_placeholder_unless_they_are_measured_in_another_unit() -> None:
    assert is_placeholder(part_of(math.sqrt(0.001), 0.2, isotropic=True))
    assert is_placeholder(part_of(math.sqrt(0.0042), 0.2, isotropic=True))
    assert not is_placeholder(part_of(math.sqrt(4200.0), 0.2, isotropic=True))
    assert not is_placeholder(part_of(0.05, 0.2))


def test_the_lazy_import_names_a_module_that_is_there() -> None:
    assert importlib.import_module("phyzctl.geometry.mesh").mesh_extent
