"""Bounding boxes of COLLADA files: those of the complete reader, or left to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl.geometry.dae_extent import UnusualError, dae_extent
from phyzctl.geometry.mesh import load_mesh, mesh_extent
from phyzctl.geometry.meshdata import MeshError
from tests.corpus import corpus_dir

FILE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><created>2026-01-01T00:00:00</created><modified>2026-01-01T00:00:00</modified>
    <unit meter="{meter}"/><up_axis>{up}</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="{count}">{positions}</float_array>
      <technique_common><accessor source="#a" count="4" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
      <p>0 2 1 0 1 3 1 2 3 2 0 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n">{placing}
    <node id="i">{inner}<instance_geometry url="#g"/></node></node></visual_scene>
  </library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""
POSITIONS = "0 0 0 1 0 0 0 2 0 0 0 3"


def write(folder: Path, **changes: str) -> Path:
    words = {"meter": "1", "up": "Z_UP", "positions": POSITIONS, "placing": "", "inner": ""}
    words |= changes
    path = folder / "part.dae"
    path.write_text(FILE.format(count=len(words["positions"].split()), **words), encoding="utf-8")
    return path


PLACINGS = {
    "nothing": {},
    "millimetres": {"meter": "0.001"},
    "y up": {"up": "Y_UP"},
    "x up": {"up": "X_UP"},
    "moved": {"placing": "<translate>1 2 3</translate>"},
    "turned": {"placing": "<rotate>0 0 1 30</rotate><rotate>1 0 0 45</rotate>"},
    "scaled": {"placing": "<scale>1 -2 0.5</scale>"},
    "by a matrix": {"placing": "<matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>"},
    "in two nodes": {
        "placing": "<translate>1 0 0</translate><rotate>0 0 1 90</rotate>",
        "inner": "<scale>2 2 2</scale><translate>0 1 0</translate>",
    },
}


@pytest.mark.parametrize("changes", PLACINGS.values(), ids=PLACINGS)
def test_the_box_is_that_of_the_complete_reader(tmp_path: Path, changes: dict[str, str]) -> None:
    path = write(tmp_path, **changes)
    low, high = dae_extent(path, path.read_bytes())
    expected = load_mesh(path).extent
    np.testing.assert_allclose(low, expected[0], atol=1e-6)
    np.testing.assert_allclose(high, expected[1], atol=1e-6)


UNUSUAL = {
    "look-at": {"placing": "<lookat>0 0 0 1 0 0 0 0 1</lookat>"},
    "short matrix": {"placing": "<matrix>1 0 0</matrix>"},
    "no axis": {"placing": "<rotate>0 0 0 90</rotate>"},
    "words": {"positions": "0 0 zero"},
    "pairs": {"positions": "0 0 0 1"},
}


@pytest.mark.parametrize("changes", UNUSUAL.values(), ids=UNUSUAL)
def test_what_is_unusual_is_left_to_the_complete_reader(
    tmp_path: Path, changes: dict[str, str]
) -> None:
    path = write(tmp_path, **changes)
    with pytest.raises(UnusualError):
        dae_extent(path, path.read_bytes())


def test_what_that_one_can_read_is_measured_all_the_same(tmp_path: Path) -> None:
    path = write(tmp_path, placing="<lookat>0 0 0 0 0 -1 0 1 0</lookat>")
    assert np.isfinite(mesh_extent(path)).all()


@pytest.mark.parametrize("positions", ["nan 0 0 1 0 0 0 2 0 0 0 3", "1e308 0 0 1 0 0 0 2 0 0 0 3"])
def test_numbers_that_are_not_finite_are_an_error(tmp_path: Path, positions: str) -> None:
    path = write(tmp_path, positions=positions, placing="<scale>1e10 1 1</scale>")
    with pytest.raises(MeshError):
        dae_extent(path, path.read_bytes())


@pytest.mark.parametrize("data", [b"", b"<COLLADA>", b"<a/>", b"not xml"])
def test_what_is_no_collada_is_unusual(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UnusualError):
        dae_extent(tmp_path / "a.dae", data)


@pytest.mark.slow
def test_published_meshes_have_the_box_of_the_complete_reader() -> None:
    """Vertices that no face uses are the one difference."""
    files = sorted(corpus_dir("l").rglob("*.dae"))[::12]
    same = 0
    for path in files:
        ours, theirs = mesh_extent(path), load_mesh(path).extent
        size = np.ptp(theirs, axis=0).max()
        assert (ours[0] <= theirs[0] + 1e-6 * size).all()
        assert (ours[1] >= theirs[1] - 1e-6 * size).all()
        same += np.allclose(ours, theirs, rtol=0.0, atol=1e-6 * size)
    assert same > 0.9 * len(files)
