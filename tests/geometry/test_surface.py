"""phyzctl.geometry.surface: edges and volumes of shapes whose figures are known."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl.geometry.mesh import load_mesh
from phyzctl.geometry.meshdata import MeshData
from phyzctl.geometry.surface import surface_facts

# A box of sides 1, 2, 3: two triangles a side, wound outwards.
CORNERS = np.array(list(itertools.product((0.0, 1.0), (0.0, 2.0), (0.0, 3.0))))
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array(
    [triangle for a, b, c, d in SIDES for triangle in ((a, b, c), (a, c, d))], dtype=np.int32
)


def box(faces: np.ndarray = FACES) -> MeshData:
    return MeshData(CORNERS, np.ascontiguousarray(faces))


def test_a_closed_box() -> None:
    facts = surface_facts(box())
    assert (facts.faces, facts.edges) == (12, 18)  # Euler: 8 - 18 + 12 = 2
    assert (facts.open_edges, facts.turned_edges) == (0, 0)
    assert facts.volume == pytest.approx(6.0, rel=1e-12)
    assert facts.box_volume == pytest.approx(6.0, rel=1e-12)


def test_inside_out_the_volume_is_negative() -> None:
    facts = surface_facts(box(FACES[:, ::-1]))
    assert facts.volume == pytest.approx(-6.0, rel=1e-12)
    assert (facts.open_edges, facts.turned_edges) == (0, 0)


def test_a_missing_face_leaves_three_open_edges() -> None:
    facts = surface_facts(box(FACES[1:]))
    assert (facts.open_edges, facts.turned_edges) == (3, 0)


def test_a_face_that_is_turned_disagrees_along_its_three_edges() -> None:
    faces = FACES.copy()
    faces[0] = faces[0, ::-1]
    facts = surface_facts(box(faces))
    assert (facts.open_edges, facts.turned_edges) == (0, 3)


def test_vertices_of_equal_coordinates_are_one() -> None:
    corners = box().corners.reshape(-1, 3)
    loose = MeshData(corners, np.arange(len(corners), dtype=np.int32).reshape(-1, 3))
    assert surface_facts(loose) == surface_facts(box())


def test_faces_without_area_don_t_count() -> None:
    degenerate = np.vstack([FACES, [[0, 0, 1], [2, 2, 2]]]).astype(np.int32)
    assert surface_facts(box(degenerate)) == surface_facts(box())


def test_only_faces_without_area() -> None:
    facts = surface_facts(box(np.array([[0, 0, 1]], dtype=np.int32)))
    assert (facts.faces, facts.edges, facts.open_edges, facts.turned_edges) == (0, 0, 0, 0)
    assert facts.volume == 0.0


@settings(deadline=None)
@given(
    st.tuples(*[st.floats(-10, 10)] * 3),
    st.floats(0.01, 100),
    st.lists(st.integers(0, 11), max_size=6, unique=True),
)
def test_where_it_stands_and_its_size_change_no_count(
    shift: tuple[float, float, float], scale: float, turned: list[int]
) -> None:
    faces = FACES.copy()
    faces[turned] = faces[turned][:, ::-1]
    here = surface_facts(box(faces))
    moved = MeshData(scale * (CORNERS + np.array(shift)), faces)
    there = surface_facts(moved)
    assert (here.edges, here.open_edges, here.turned_edges) == (
        there.edges,
        there.open_edges,
        there.turned_edges,
    )
    assert math.isclose(there.volume, here.volume * scale**3, rel_tol=1e-6, abs_tol=1e-5 * scale**3)


CASES = Path(__file__).parents[1] / "lint" / "cases"


@pytest.mark.parametrize(
    ("name", "edges", "open_edges", "turned", "volume"),
    [
        ("tetrahedron.obj", 6, 0, 0, 0.1 * 0.1 * 0.2 / 6),
        ("inside_out.obj", 6, 0, 0, -0.1 * 0.1 * 0.2 / 6),
        ("turned.obj", 6, 0, 3, None),
        ("open.obj", 6, 3, 0, None),
        ("cup.obj", 42, 0, 0, 0.1**3 - 0.08**2 * 0.09),
    ],
)
def test_the_meshes_of_the_cases_are_what_their_names_say(
    name: str, edges: int, open_edges: int, turned: int, volume: float | None
) -> None:
    facts = surface_facts(load_mesh(CASES / name))
    assert (facts.edges, facts.open_edges, facts.turned_edges) == (edges, open_edges, turned)
    if volume is not None:
        assert facts.volume == pytest.approx(volume, rel=1e-9)
