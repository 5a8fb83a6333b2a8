"""Convex hulls against closed forms and scipy's Qhull; the cache against what can go wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.cachedir import VARIABLE, cache_dir
from phyzctl.geometry import hull as hull_module
from phyzctl.geometry.hull import ConvexHull, convex_hull, volume_ratio
from phyzctl.geometry.mesh import load_mesh
from phyzctl.geometry.meshdata import MeshData
from tests.corpus import corpus_dir

Array = NDArray[np.float64]
CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
NO_FACES = np.empty((0, 3), dtype=np.int32)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))


def turned(points: Array, seed: int = 0) -> Array:
    """The points in axes that none of their planes is parallel to."""
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return np.asarray(points @ turn)


def outside(hull: ConvexHull, points: Array) -> float:
    """How far the farthest point is outside, over all planes of faces that have an area."""
    corners = hull.vertices[hull.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    solid = areas > 1e-9 * areas.max()
    normals = normals[solid] / areas[solid, None]
    offsets = np.einsum("ij,ij->i", normals, corners[solid, 0])
    return float((points @ normals.T - offsets).max())


def check_closed(hull: ConvexHull) -> None:
    """Every edge has one face on either side, and Euler's count holds."""
    edges = hull.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    ways = {(int(a), int(b)) for a, b in edges}
    assert len(ways) == len(edges)
    assert ways == {(b, a) for a, b in ways}
    assert len(hull.faces) == 2 * len(hull.vertices) - 4


def test_a_cube_with_points_all_over() -> None:
    grid = np.linspace(0.0, 1.0, 6)
    points = np.array([[x, y, z] for x in grid for y in grid for z in grid])
    hull = convex_hull(points)
    assert sorted(map(tuple, hull.vertices.tolist())) == sorted(map(tuple, CUBE.tolist()))
    assert hull.volume == pytest.approx(1.0, rel=1e-12)
    check_closed(hull)


@pytest.mark.parametrize("seed", range(5))
def test_a_turned_cube_with_points_all_over(seed: int) -> None:
    grid = np.linspace(0.0, 1.0, 6)
    points = turned(np.array([[x, y, z] for x in grid for y in grid for z in grid]), seed)
    hull = convex_hull(points)
    assert hull.volume == pytest.approx(1.0, rel=1e-9)
    assert outside(hull, points) < 1e-9
    check_closed(hull)


def test_neighbours_are_the_ends_of_edges() -> None:
    hull = convex_hull(CUBE)
    start, ends = hull.arrays.neighbour_start, hull.arrays.neighbours
    assert len(ends) == 2 * 18  # twelve edges and six diagonals, both ways
    for i in range(8):
        mine = ends[start[i] : start[i + 1]]
        assert i not in mine
        assert list(mine) == sorted(set(mine.tolist()))
        for j in mine:
            assert i in ends[start[j] : start[j + 1]]
            apart = np.abs(hull.vertices[i] - hull.vertices[j])
            assert apart.sum() <= 2.0  # never through the inside


@pytest.mark.parametrize("count", [4, 10, 100, 3000])
def test_points_on_a_ball_are_all_corners(count: int) -> None:
    points = np.random.default_rng(count).normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    hull = convex_hull(points)
    assert len(hull.vertices) == count
    check_closed(hull)


def test_a_point() -> None:
    hull = convex_hull(np.full((7, 3), 0.3))
    np.testing.assert_array_equal(hull.vertices, [[0.3, 0.3, 0.3]])
    assert hull.faces.shape == (0, 3)
    assert hull.volume == 0.0
    assert list(hull.arrays.neighbour_start) == [0, 0]


def test_a_segment() -> None:
    points = np.outer([0.25, 0.0, 1.0, 0.5], [1.0, 2.0, -3.0])
    hull = convex_hull(points)
    assert sorted(map(tuple, hull.vertices.tolist())) == [(0.0, 0.0, 0.0), (1.0, 2.0, -3.0)]
    assert len(hull.faces) == 0


def test_a_flat_figure_has_faces_on_both_sides() -> None:
    xy = np.random.default_rng(3).uniform(size=(50, 2))
    ring = np.array([[-1.0, -1.0], [2.0, -1.0], [2.0, 2.0], [-1.0, 2.0]])
    points = np.column_stack([np.concatenate([xy, ring]), np.zeros(54)])
    hull = convex_hull(points)
    assert sorted(map(tuple, hull.vertices[:, :2].tolist())) == sorted(map(tuple, ring.tolist()))
    assert hull.volume == 0.0
    corners = hull.vertices[hull.faces]
    z = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    assert z[z > 0].sum() / 2 == pytest.approx(9.0)
    assert z[z < 0].sum() / 2 == pytest.approx(-9.0)


@pytest.mark.parametrize("thickness", [1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4])
def test_thin_clouds_keep_their_outline(thickness: float) -> None:
    rng = np.random.default_rng(1)
    for seed in range(20):
        points = np.column_stack([rng.normal(size=(50, 2)), thickness * rng.normal(size=50)])
        points = turned(points, seed)
        hull = convex_hull(points)
        left = np.max([points @ d for d in np.eye(3)], axis=1)
        kept = np.max([hull.vertices @ d for d in np.eye(3)], axis=1)
        np.testing.assert_allclose(kept, left, rtol=0, atol=1e-8)
        directions = rng.normal(size=(3, 200))
        directions /= np.linalg.norm(directions, axis=0)
        lost = (points @ directions).max(axis=0) - (hull.vertices @ directions).max(axis=0)
        assert lost.max() < 2e-8


def test_extents_beyond_all_measure() -> None:
    for scale in (1e-300, 1e-30, 1e30, 1e300):
        hull = convex_hull(CUBE * scale)
        assert len(hull.vertices) == 8
    assert len(convex_hull((CUBE * 2.0 - 1.0) * 1.5e308).vertices) == 8
    assert len(convex_hull(CUBE * [1.0, 1e-20, 1e20]).vertices) == 8


@settings(max_examples=200)
@given(arrays(np.float64, st.tuples(st.integers(1, 30), st.just(3)), elements=st.integers(-3, 3)))
def test_small_grids_full_of_coincidence(points: Array) -> None:
    hull = convex_hull(points)
    kept = set(map(tuple, points.tolist()))
    assert set(map(tuple, hull.vertices.tolist())) <= kept
    assert len(set(map(tuple, hull.vertices.tolist()))) == len(hull.vertices)
    rank = int(np.linalg.matrix_rank(points - points[0]))
    assert len(hull.vertices) == rank + 1 if rank < 2 else len(hull.vertices) >= rank + 1
    assert (hull.volume > 1e-3) == (rank == 3)
    if rank == 3:
        check_closed(hull)
        assert outside(hull, points) < 1e-8


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        (np.empty((0, 3)), "points must be at least one"),
        (np.array([[0.0, np.nan, 0.0]]), "points must be finite"),
        (np.array([[0.0, np.inf, 0.0]]), "points must be finite"),
        (np.zeros((4, 2)), "points must have shape"),
    ],
)
def test_what_has_no_hull(points: Array, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        convex_hull(points)


def test_meshes_of_real_robots() -> None:
    spatial = pytest.importorskip("scipy.spatial")
    files = sorted(
        path
        for path in corpus_dir("shared").rglob("*")
        if path.suffix.lower() in {".stl", ".obj"} and path.is_file()
    )
    for number, path in enumerate(files[::25]):
        points = turned(load_mesh(path).vertices, number)
        hull = convex_hull(points, cache=False)
        check_closed(hull)
        assert hull.volume == pytest.approx(spatial.ConvexHull(points).volume, rel=1e-7), path


# Volume ratio


def test_volume_ratio_of_a_corner() -> None:
    # Three of the four quarters of a block: the hull adds half of the fourth.
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=np.float64)
    bottom = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4]]
    top = [[c + 6 for c in reversed(face)] for face in bottom]
    sides = [
        face
        for i in range(6)
        for face in ([i, (i + 1) % 6, (i + 1) % 6 + 6], [i, (i + 1) % 6 + 6, i + 6])
    ]
    vertices = np.concatenate([np.column_stack([outline, np.full(6, z)]) for z in (0.0, 1.0)])
    mesh = MeshData(vertices, np.array(bottom + top + sides, dtype=np.int32))
    assert native.mesh_mass_properties(mesh.vertices, mesh.faces).volume == pytest.approx(3.0)
    assert volume_ratio(convex_hull(vertices), mesh) == pytest.approx(3.5 / 3.0)


def test_volume_ratio_of_what_encloses_nothing() -> None:
    assert volume_ratio(convex_hull(CUBE), MeshData(CUBE, NO_FACES)) is None
    flat = MeshData(CUBE, np.array([[0, 1, 2]], dtype=np.int32))
    assert volume_ratio(convex_hull(CUBE), MeshData(flat.vertices[:3], flat.faces)) is None


# Cache


@pytest.fixture
def many() -> Array:
    return np.random.default_rng(0).normal(size=(hull_module.WORTH_KEEPING, 3))


def kept() -> list[Path]:
    return sorted((cache_dir() / "hulls").glob("*"))


def same(a: ConvexHull, b: ConvexHull) -> bool:
    return np.array_equal(a.vertices, b.vertices) and np.array_equal(a.faces, b.faces)


def test_the_second_hull_comes_from_the_cache(many: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    first = convex_hull(many)
    assert len(kept()) == 1
    monkeypatch.delattr(native, "quickhull")
    assert same(convex_hull(many), first)


def test_other_points_have_another_file(many: Array) -> None:
    convex_hull(many)
    many[0] += 1e-12
    convex_hull(many)
    assert len(kept()) == 2


def test_few_points_and_those_who_say_no_are_not_kept(many: Array) -> None:
    convex_hull(many[:-1])
    convex_hull(many, cache=False)
    assert kept() == []


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"PK\x03\x04 and no more", id="no archive"),
        pytest.param(None, id="cut in half"),
    ],
)
def test_a_damaged_file_is_replaced(many: Array, damage: bytes | None) -> None:
    first = convex_hull(many)
    (path,) = kept()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert same(convex_hull(many), first)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content",
    [
        {"vertices": CUBE},
        {"vertices": CUBE, "faces": np.array([[0, 1, 8]], dtype=np.int32)},
        {"vertices": CUBE, "faces": np.array([[0, 1, -1]], dtype=np.int32)},
        {"vertices": CUBE, "faces": np.array([[0, 1, 2]])},
        {"vertices": CUBE.astype(np.float32), "faces": NO_FACES},
        {"vertices": CUBE[0], "faces": NO_FACES},
        {"vertices": np.full((4, 3), np.nan), "faces": NO_FACES},
        {"vertices": np.empty((0, 3)), "faces": NO_FACES},
        {"vertices": np.array([None], dtype=object), "faces": NO_FACES},
    ],
)
def test_a_file_of_something_else_is_replaced(many: Array, content: dict[str, Array]) -> None:
    first = convex_hull(many)
    (path,) = kept()
    np.savez(path, **content)  # type: ignore[arg-type]
    assert same(convex_hull(many), first)
    assert same(convex_hull(many), first)


def test_a_folder_that_can_not_be_made_does_no_harm(
    many: Array, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    assert convex_hull(many).volume > 0.0


def test_nothing_half_written_stays(many: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    assert convex_hull(many).volume > 0.0
    assert kept() == []
