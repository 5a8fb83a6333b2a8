"""The kernel's mesh integrals against closed forms, against trimesh, and under rigid motion."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from phyzctl.native import mesh_mass_properties

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

BOX_QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
BOX_FACES: Ints = np.array(
    [triangle for a, b, c, d in BOX_QUADS for triangle in ((a, b, c), (a, c, d))], dtype=np.int32
)
TETRAHEDRON: Floats = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
TETRAHEDRON_FACES: Ints = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)


def box(size: tuple[float, float, float]) -> Floats:
    """Corners of a box about the origin; bit 0, 1, 2 of the index is the side in x, y, z."""
    bits = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)], dtype=np.float64)
    return np.ascontiguousarray((bits - 0.5) * np.array(size))


def sphere(subdivisions: int) -> trimesh.Trimesh:
    return trimesh.creation.icosphere(subdivisions=subdivisions, radius=1.0)


def arrays(mesh: trimesh.Trimesh) -> tuple[Floats, Ints]:
    vertices = np.ascontiguousarray(mesh.vertices, dtype=np.float64)
    return vertices, np.ascontiguousarray(mesh.faces, dtype=np.int32)


def rotation(quaternion: tuple[float, float, float, float]) -> Floats:
    w, x, y, z = np.array(quaternion) / math.hypot(*quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.mark.parametrize("size", [(1.0, 1.0, 1.0), (0.2, 3.0, 0.01), (1e-3, 2e-3, 3e-3)])
def test_box(size: tuple[float, float, float]) -> None:
    a, b, c = size
    volume, com, inertia, area = mesh_mass_properties(box(size), BOX_FACES)
    assert volume == pytest.approx(a * b * c, rel=1e-14)
    assert area == pytest.approx(2 * (a * b + b * c + c * a), rel=1e-14)
    assert_allclose(com, 0.0, atol=1e-15 * max(size))
    moments = np.array([b * b + c * c, a * a + c * c, a * a + b * b]) * volume / 12
    assert_allclose(inertia, np.diag(moments), rtol=1e-13, atol=1e-15 * moments.max())


def test_corner_tetrahedron() -> None:
    """Integrals of the unit simplex: V = 1/6, x = 1/4, xx - V/16 = 1/160, xy - V/16 = -1/480."""
    volume, com, inertia, area = mesh_mass_properties(TETRAHEDRON, TETRAHEDRON_FACES)
    assert volume == pytest.approx(1 / 6, rel=1e-15)
    assert area == pytest.approx(1.5 + math.sqrt(3) / 2, rel=1e-15)
    assert_allclose(com, 0.25, rtol=1e-15)
    assert_allclose(inertia, (2 / 160 - 1 / 480) * np.eye(3) + 1 / 480, rtol=1e-14)


def test_sphere_converges_to_the_closed_form_with_the_square_of_the_edge() -> None:
    exact = np.array([4 / 3 * math.pi, 8 / 15 * math.pi, 4 * math.pi])
    errors = []
    for subdivisions in (1, 2, 3, 4):
        volume, com, inertia, area = mesh_mass_properties(*arrays(sphere(subdivisions)))
        assert_allclose(com, 0.0, atol=1e-14)
        assert_allclose(inertia, np.eye(3) * inertia[0, 0], atol=1e-13)
        errors.append(exact - [volume, inertia[0, 0], area])
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert np.all(np.array(errors) > 0.0), "an inscribed mesh is smaller than its sphere"
    assert_allclose(ratios[-1], 4.0, rtol=0.02)


@pytest.mark.parametrize(
    "mesh",
    [
        trimesh.creation.icosphere(subdivisions=2, radius=0.3),
        trimesh.creation.torus(major_radius=0.5, minor_radius=0.1),
        trimesh.creation.annulus(r_min=0.1, r_max=0.4, height=0.2),
        trimesh.creation.capsule(height=0.7, radius=0.05),
    ],
    ids=["sphere", "torus", "annulus", "capsule"],
)
def test_agrees_with_trimesh(mesh: trimesh.Trimesh) -> None:
    turn = trimesh.transformations.euler_matrix(0.4, -1.1, 2.3)
    mesh = mesh.copy().apply_transform(turn).apply_translation([0.3, -0.2, 0.9])
    volume, com, inertia, area = mesh_mass_properties(*arrays(mesh))
    assert volume == pytest.approx(mesh.volume, rel=1e-12)
    assert area == pytest.approx(mesh.area, rel=1e-12)
    assert_allclose(com, mesh.center_mass, rtol=1e-12, atol=1e-13)
    assert_allclose(inertia, mesh.moment_inertia, rtol=1e-10, atol=1e-12 * np.trace(inertia))


coordinate = st.floats(-100.0, 100.0)
part = st.floats(0.1, 1.0)
length = st.floats(0.01, 10.0)


@given(
    st.tuples(length, length, length),
    st.tuples(coordinate, coordinate, coordinate),
    st.tuples(part, part, part, part),
)
def test_moves_with_the_mesh(
    size: tuple[float, float, float],
    offset: tuple[float, float, float],
    quaternion: tuple[float, float, float, float],
) -> None:
    here = mesh_mass_properties(box(size), BOX_FACES)
    turn = rotation(quaternion)
    moved = np.ascontiguousarray(box(size) @ turn.T + np.array(offset))
    there = mesh_mass_properties(moved, BOX_FACES)
    # Moving rounds the vertices by about 1e-14 m, which counts most for the thinnest box.
    slack = 1e-12 / min(size) + 1e-12
    assert there.volume == pytest.approx(here.volume, rel=slack)
    assert there.area == pytest.approx(here.area, rel=slack)
    assert_allclose(there.com, offset, atol=1e-11)
    expected = turn @ here.inertia @ turn.T
    assert_allclose(there.inertia, expected, atol=slack * np.trace(expected))


@given(st.floats(1e-3, 1e3))
def test_scales_by_the_powers_of_length(scale: float) -> None:
    one = mesh_mass_properties(TETRAHEDRON, TETRAHEDRON_FACES)
    many = mesh_mass_properties(TETRAHEDRON * scale, TETRAHEDRON_FACES)
    assert many.volume == pytest.approx(one.volume * scale**3, rel=1e-13)
    assert many.area == pytest.approx(one.area * scale**2, rel=1e-13)
    assert_allclose(many.inertia, one.inertia * scale**5, rtol=1e-12)


def test_inward_faces_give_negative_volume_and_the_same_centre() -> None:
    outward = mesh_mass_properties(TETRAHEDRON, TETRAHEDRON_FACES)
    inward = mesh_mass_properties(TETRAHEDRON, np.ascontiguousarray(TETRAHEDRON_FACES[:, ::-1]))
    assert inward.volume == pytest.approx(-outward.volume, rel=1e-15)
    assert inward.area == pytest.approx(outward.area, rel=1e-15)
    assert_allclose(inward.com, outward.com, rtol=1e-15)
    assert_allclose(inward.inertia, -outward.inertia, rtol=1e-14)


def test_flat_mesh_has_the_centroid_of_its_surface() -> None:
    square = np.array([[1.0, 1, 2], [3, 1, 2], [3, 2, 2], [1, 2, 2]])
    faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
    volume, com, inertia, area = mesh_mass_properties(square, faces)
    assert (volume, area) == (0.0, 2.0)
    assert_allclose(com, [2.0, 1.5, 2.0], rtol=1e-15)
    assert not inertia.any()


@pytest.mark.parametrize("vertices", [np.empty((0, 3)), np.full((4, 3), 7.0)])
def test_nothing_and_a_point_are_no_fault(vertices: Floats) -> None:
    faces = TETRAHEDRON_FACES[: len(vertices)]
    volume, com, inertia, area = mesh_mass_properties(vertices, faces)
    assert (volume, area) == (0.0, 0.0)
    assert_allclose(com, 7.0 if len(vertices) else 0.0)
    assert not inertia.any()


def spoilt(value: float) -> Floats:
    vertices = TETRAHEDRON.copy()
    vertices[2, 1] = value
    return vertices


REFUSED: dict[str, tuple[Any, Any, str]] = {
    "NaN": (spoilt(math.nan), TETRAHEDRON_FACES, r"vertices\[2\] is not finite"),
    "infinity": (spoilt(-math.inf), TETRAHEDRON_FACES, r"vertices\[2\] is not finite"),
    "overflow": (TETRAHEDRON * 1e200, TETRAHEDRON_FACES, "too large"),
    "index too high": (TETRAHEDRON[:3], TETRAHEDRON_FACES, r"faces\[1\] names a vertex"),
    "index negative": (TETRAHEDRON, TETRAHEDRON_FACES - 1, r"faces\[0\] names a vertex"),
    "no vertices": (np.empty((0, 3)), TETRAHEDRON_FACES, r"faces\[0\] names a vertex"),
    "float32": (
        TETRAHEDRON.astype(np.float32),
        TETRAHEDRON_FACES,
        "vertices must have dtype float64, not float32",
    ),
    "int64": (
        TETRAHEDRON,
        TETRAHEDRON_FACES.astype(np.int64),
        "faces must have dtype int32, not int64",
    ),
    "a list": (
        TETRAHEDRON.tolist(),
        TETRAHEDRON_FACES,
        "vertices must have dtype float64, not list",
    ),
    "flat": (TETRAHEDRON.ravel(), TETRAHEDRON_FACES, r"shape \(n, 3\), not \(12,\)"),
    "quads": (TETRAHEDRON, np.zeros((2, 4), np.int32), r"shape \(n, 3\), not \(2, 4\)"),
    "Fortran order": (np.asfortranarray(TETRAHEDRON), TETRAHEDRON_FACES, "C-contiguous"),
    "strided": (np.repeat(TETRAHEDRON, 2, axis=0)[::2], TETRAHEDRON_FACES, "C-contiguous"),
}


@pytest.mark.parametrize(("vertices", "faces", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses(vertices: Any, faces: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mesh_mass_properties(vertices, faces)


def test_read_only_arrays_are_taken_and_left_alone() -> None:
    vertices, faces = TETRAHEDRON.copy(), TETRAHEDRON_FACES.copy()
    vertices.flags.writeable = faces.flags.writeable = False
    assert mesh_mass_properties(vertices, faces).volume == pytest.approx(1 / 6)
    assert np.array_equal(vertices, TETRAHEDRON)


def test_other_threads_run_meanwhile() -> None:
    """The loop over a large mesh releases the interpreter lock: another thread makes progress."""
    faces = np.tile(BOX_FACES, (400_000, 1))
    done = threading.Event()
    ticks = 0

    def work() -> None:
        mesh_mass_properties(box((1.0, 1.0, 1.0)), faces)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 1
