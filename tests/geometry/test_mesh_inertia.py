"""Mass properties of meshes against MuJoCo's compiler and closed forms."""

from __future__ import annotations

import itertools
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.mesh import MeshData, MeshError
from phyzctl.geometry.mesh_inertia import INERTIA_MODES, mesh_inertia
from phyzctl.geometry.obj import read_obj
from phyzctl.geometry.primitives import unit_inertia
from phyzctl.geometry.shapes import Box, Sphere
from phyzctl.spatial import RigidInertia, principal_moments

Outline = list[tuple[float, float]]

SHAPES: dict[str, Outline] = {
    "tilted": [(0.25, 0.125), (1.125, -0.375), (1.25, 1.0), (0.125, 0.75)],
    "L": [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)],
    "U": [(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)],
}
# Cut of each outline's floor into triangles: corner numbers.
FLOORS = {
    "tilted": [(0, 1, 2), (0, 2, 3)],
    "L": [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)],
    "U": [(0, 1, 4), (1, 2, 3), (1, 3, 4), (0, 4, 5), (0, 5, 7), (5, 6, 7)],
}


def prism(name: str, height: float = 0.75) -> str:
    """An OBJ of an upright prism over the outline, turned and pushed off the origin."""
    outline, floor = SHAPES[name], FLOORS[name]
    count = len(outline)
    points = [(x, y, z) for z in (-0.25, height) for x, y in outline]
    faces = [(c, b, a) for a, b, c in floor]
    faces += [(a + count, b + count, c + count) for a, b, c in floor]
    for here in range(count):
        there = (here + 1) % count
        faces += [(here, there, there + count), (here, there + count, here + count)]
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    return "\n".join(lines) + "\n"


def compiled(obj: str, mesh_attributes: str) -> RigidInertia:
    """What MuJoCo makes of one body of that mesh at density 1."""
    xml = f"""
    <mujoco><asset><mesh name="m" file="m.obj" {mesh_attributes}/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="m" density="1"/></body></worldbody>
    </mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml, {"m.obj": obj.encode()})
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, model.body_iquat[1])
    axes = R.reshape(3, 3)
    inertia = axes @ np.diag(model.body_inertia[1]) @ axes.T
    return RigidInertia(float(model.body_mass[1]), model.body_ipos[1].copy(), inertia)


def assert_equal(ours: RigidInertia, theirs: RigidInertia) -> None:
    assert ours.mass == pytest.approx(theirs.mass, rel=1e-9)
    np.testing.assert_allclose(ours.com, theirs.com, atol=1e-9)
    np.testing.assert_allclose(ours.inertia, theirs.inertia, atol=1e-9 * theirs.inertia.max())


def mesh_of(obj: str) -> MeshData:
    return read_obj(Path("m.obj"), obj.encode())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mode", INERTIA_MODES)
def test_every_mode_equals_mujoco(shape: str, mode: str) -> None:
    obj = prism(shape)
    assert_equal(mesh_inertia(mesh_of(obj), mode), compiled(obj, f'inertia="{mode}"'))


def test_mujoco_keeps_vertices_in_single_precision() -> None:
    obj = prism("U", height=0.7)
    ours = mesh_inertia(mesh_of(obj).single_precision(), "exact")
    assert_equal(ours, compiled(obj, 'inertia="exact"'))
    assert mesh_inertia(mesh_of(obj), "exact").mass == pytest.approx(5 * 0.95, rel=1e-14)


PLACEMENTS: dict[str, dict[str, tuple[float, ...]]] = {
    "scale": {"scale": (2.0, 0.5, 3.0)},
    "mirror": {"scale": (-1.0, 2.0, 1.0)},
    "turned inside out": {"scale": (-1.0, -2.0, -0.5)},
    "refpos": {"refpos": (0.3, -0.2, 0.9)},
    "refquat": {"refquat": (0.8, 0.2, -0.5, 0.3)},
    "all": {"scale": (1.0, -2.0, 0.5), "refpos": (1.0, 2.0, 3.0), "refquat": (0.3, 0.9, 0.1, -2.0)},
}
NOWHERE = {"scale": (1.0, 1.0, 1.0), "refpos": (0.0, 0.0, 0.0), "refquat": (1.0, 0.0, 0.0, 0.0)}


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("mode", ["legacy", "exact", "shell"])
def test_scale_and_reference_frame_equal_mujoco(placement: str, mode: str) -> None:
    written = PLACEMENTS[placement]
    attributes = " ".join(f'{key}="{" ".join(map(repr, v))}"' for key, v in written.items())
    obj = prism("U")
    mesh = mesh_of(obj).placed(**{**NOWHERE, **written})
    assert_equal(mesh_inertia(mesh, mode), compiled(obj, f'inertia="{mode}" {attributes}'))


def test_only_the_first_object_counts_in_mujoco() -> None:
    two = prism("L") + "o second\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf -4 -2 -3\nf -4 -3 -1\n"
    two += "f -4 -1 -2\nf -3 -2 -1\n"
    first = read_obj(Path("m.obj"), two.encode(), first_object=True)
    assert_equal(mesh_inertia(first, "exact"), compiled(two, 'inertia="exact"'))
    both = mesh_inertia(mesh_of(two), "exact")
    assert both.mass == pytest.approx(mesh_inertia(first, "exact").mass + 1 / 6, rel=1e-12)


def box(size: NDArray[np.float64]) -> MeshData:
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return MeshData(corners, np.array(faces, dtype=np.int32))


@pytest.mark.parametrize("mode", ["legacy", "exact", "convex"])
def test_a_box_has_the_closed_form(mode: str) -> None:
    size = np.array([0.3, 1.7, 0.9])
    ours = mesh_inertia(box(size), mode)
    moments = np.array(unit_inertia(Box((0.3, 1.7, 0.9))))
    assert ours.mass == pytest.approx(size.prod(), rel=1e-13)
    np.testing.assert_allclose(ours.com, 0.0, atol=1e-14)
    np.testing.assert_allclose(np.diag(ours.inertia), moments * ours.mass, rtol=1e-12)


def test_a_thin_shell_of_a_ball_has_the_closed_form() -> None:
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=5, radius=2.0)
    ours = mesh_inertia(MeshData(ball.vertices, ball.faces.astype(np.int32)), "shell")
    assert ours.mass == pytest.approx(4 * np.pi * 4.0, rel=2e-3)
    np.testing.assert_allclose(np.diag(ours.inertia) / ours.mass, 2 / 3 * 4.0, rtol=2e-3)


def test_a_fine_ball_has_the_solid_closed_form() -> None:
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=5)
    ours = mesh_inertia(MeshData(ball.vertices, ball.faces.astype(np.int32)), "exact")
    expected = np.array(unit_inertia(Sphere(1.0)))
    np.testing.assert_allclose(principal_moments(ours.inertia) / ours.mass, expected, rtol=3e-3)


def test_inside_out_has_negative_mass_when_exact_and_positive_as_legacy() -> None:
    mesh = box(np.ones(3))
    turned = MeshData(mesh.vertices, np.ascontiguousarray(mesh.faces[:, ::-1]))
    assert mesh_inertia(turned, "exact").mass == pytest.approx(-1.0)
    assert mesh_inertia(turned, "legacy").mass == pytest.approx(1.0)


def test_a_cloud_of_points_is_its_hull() -> None:
    points = "".join(line + "\n" for line in prism("L").splitlines() if line[0] == "v")
    cloud = mesh_of(points)
    assert cloud.is_cloud
    assert_equal(mesh_inertia(cloud, "legacy"), compiled(points, ""))


def test_a_hull_is_wound_outwards() -> None:
    cloud = MeshData(np.random.default_rng(3).normal(size=(50, 3)), np.zeros((0, 3), np.int32))
    hull = convex_hull(cloud.vertices)
    solid = MeshData(hull.vertices, hull.faces)
    assert mesh_inertia(solid, "exact").mass > 0.0
    assert mesh_inertia(solid, "exact").mass == pytest.approx(mesh_inertia(cloud, "convex").mass)


def test_flat_points_have_no_hull() -> None:
    flat = MeshData(
        np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]), np.zeros((0, 3), np.int32)
    )
    with pytest.raises(MeshError, match="span no volume"):
        mesh_inertia(flat, "convex")


def test_an_empty_volume_is_zero_not_nan() -> None:
    flat = MeshData(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]], np.int32))
    for mode in ("legacy", "exact"):
        ours = mesh_inertia(flat, mode)
        assert ours.mass == 0.0
        np.testing.assert_allclose(ours.com, [1 / 3, 1 / 3, 0.0])
        assert np.isfinite(ours.inertia).all()


def test_an_unknown_mode_names_the_known_ones() -> None:
    with pytest.raises(PhyzctlError, match="choose one of legacy, exact, convex, shell"):
        mesh_inertia(box(np.ones(3)), "solid")
