"""Every mesh of real robots loads; a sample is compared with trimesh."""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest
import trimesh

from phyzctl.geometry.mesh import MeshError, load_mesh, mesh_extent
from phyzctl.geometry.mesh_inertia import mesh_inertia
from phyzctl.native import mesh_mass_properties
from phyzctl.spatial import principal_moments
from tests.corpus import corpus_dir

OURS = {".stl", ".obj", ".msh"}
# Files that no reader can load, and why.
UNREADABLE = {
    "kinova_robot_model/meshes/collision/end_effector_link.STL": "a header and nothing else"
}

TIERS = ["s", pytest.param("m", marks=pytest.mark.corpus_m), "shared"]


def meshes(tier: str, suffixes: set[str]) -> list[Path]:
    """The mesh files of a tier, sorted; those whose content is kept elsewhere are left out."""
    files = (path for path in corpus_dir(tier).rglob("*") if path.suffix.lower() in suffixes)
    return sorted(path for path in files if path.is_file())


@pytest.mark.parametrize("tier", TIERS)
def test_every_mesh_loads_and_its_extent_agrees(tier: str) -> None:
    failed = []
    for path in meshes(tier, OURS):
        try:
            mesh = load_mesh(path)
        except MeshError as error:
            failed.append(str(error))
            continue
        low, high = mesh_extent(path)
        assert low.tolist() == mesh.vertices.min(axis=0).tolist(), path
        assert high.tolist() == mesh.vertices.max(axis=0).tolist(), path
    assert [each for each in failed if not any(known in each for known in UNREADABLE)] == []


@pytest.mark.parametrize("tier", TIERS)
def test_a_sample_equals_trimesh(tier: str) -> None:
    compared = 0
    for path in meshes(tier, {".stl", ".obj"})[::25]:
        try:
            mesh = load_mesh(path)
        except MeshError:
            continue
        theirs = trimesh.load_mesh(path, process=False)
        assert len(mesh.faces) == len(theirs.faces), path
        np.testing.assert_allclose(mesh.extent, theirs.bounds, rtol=1e-6, atol=1e-7)
        theirs.merge_vertices()
        if theirs.is_volume:  # else the volume depends on where the holes are closed
            volume = mesh_mass_properties(mesh.vertices, mesh.faces).volume
            box = float(np.prod(theirs.extents))
            assert volume == pytest.approx(theirs.volume, rel=1e-6, abs=1e-6 * box), path
        compared += 1
    assert compared > 0


@pytest.mark.parametrize("tier", TIERS)
def test_mass_properties_of_a_sample_equal_mujoco(tier: str) -> None:
    """Mass, com and principal moments; MuJoCo finds the principal axes to seven digits only."""
    compared = 0
    for path in meshes(tier, OURS)[::40]:
        for mode in ("legacy", "exact", "shell"):
            xml = f"""
            <mujoco><asset><mesh name="m" file="{path}" inertia="{mode}"/></asset><worldbody>
              <body><freejoint/><geom type="mesh" mesh="m" density="1e9"/></body>
            </worldbody></mujoco>"""
            try:
                model = mujoco.MjModel.from_xml_string(xml)
            except ValueError:  # a mesh that is open, flat, or beyond MuJoCo's count of faces
                continue
            mesh = load_mesh(path, first_object=True).single_precision()
            ours = mesh_inertia(mesh, mode).scaled(1e9)
            assert ours.mass == pytest.approx(model.body_mass[1], rel=1e-9), path
            span = float(np.ptp(mesh.extent, axis=0).max())
            np.testing.assert_allclose(ours.com, model.body_ipos[1], atol=1e-9 * span)
            moments = np.sort(model.body_inertia[1])
            assert principal_moments(ours.inertia) == pytest.approx(moments, rel=1e-7), path
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("tier", TIERS)
def test_merging_equals_trimesh(tier: str) -> None:
    for path in meshes(tier, {".stl"})[::100]:
        theirs = trimesh.load_mesh(path, process=False)
        unique = np.unique(theirs.vertices, axis=0)
        assert len(load_mesh(path).merged().vertices) == len(unique), path


def test_binary_files_that_begin_with_solid_are_read_as_binary() -> None:
    """They are common, and a reader that goes by the first word fails on them."""
    found = 0
    for tier in ("s", "shared"):
        for path in meshes(tier, {".stl"}):
            content = path.read_bytes()
            count = struct.unpack_from("<I", content, 80)[0] if len(content) >= 84 else 0
            if content.startswith(b"solid") and len(content) == 84 + 50 * count:
                assert len(load_mesh(path).faces) == count
                found += 1
    assert found > 0


@pytest.mark.corpus_m
def test_foreign_formats_load_in_metres() -> None:
    pytest.importorskip("collada")
    for path in meshes("m", {".dae", ".glb"})[::15]:
        low, high = load_mesh(path).extent
        theirs = trimesh.load_scene(path, process=False).extents * unit_of(path)
        assert sorted(high - low) == pytest.approx(sorted(theirs), rel=1e-5), path


def unit_of(path: Path) -> float:
    """Metres per unit, which trimesh leaves alone, out of a COLLADA file's XML."""
    if path.suffix.lower() != ".dae":
        return 1.0
    unit = ET.parse(path).find("{*}asset/{*}unit")
    return float(unit.get("meter", "1")) if unit is not None else 1.0
