"""phyzctl.lint.meshuse and phyzctl.lint.surfaces: which meshes are used, and read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.geometry.meshdata import MeshData
from phyzctl.geometry.surface import SurfaceFacts, surface_facts
from phyzctl.lint import surfaces
from phyzctl.lint.meshuse import mesh_uses, place
from phyzctl.lint.surfaces import Surfaces
from phyzctl.robot.elements import Mesh
from tests.lint.support import context_of

CASES = Path(__file__).parent / "cases"

TEXT = """<robot name="r"><link name="a">
  <visual><geometry><mesh filename="a/SHELL.STL"/></geometry></visual>
  <visual><geometry><mesh filename="package://p/hull.obj"/></geometry></visual>
  <collision><geometry><mesh filename="package://p/hull.obj"/></geometry></collision>
</link></robot>"""


def test_a_mesh_knows_its_geoms_and_its_suffix() -> None:
    context = context_of(TEXT)
    shell, hull = mesh_uses(context.robot)
    assert (shell.suffix, shell.collides, len(shell.geoms)) == (".stl", False, 1)
    assert (hull.suffix, hull.collides, len(hull.geoms)) == (".obj", True, 2)
    assert {link.name for link, _ in hull.geoms} == {"a"}
    assert hull.path == "package://p/hull.obj"
    assert place(context.robot, "file") == "filename"
    assert place(context.robot, "scale") == "scale"


def test_a_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def counted(mesh: MeshData) -> SurfaceFacts:
        read.append(mesh)
        return surface_facts(mesh)

    monkeypatch.setattr(surfaces, "surface_facts", counted)
    found = Surfaces()
    mesh = Mesh("part", file=str(CASES / "tetrahedron.obj"))
    assert found.of(mesh) == found.of(mesh)
    assert len(read) == 1


@pytest.mark.parametrize("file", [None, "absent.stl", "unit.dae", "broken.stl", "part.step"])
def test_what_can_t_be_read_has_no_facts(file: str | None) -> None:
    mesh = Mesh("part", file=file and str(CASES / file))
    assert Surfaces().of(mesh) is None
    assert Surfaces().hull_volume(mesh) is None


def test_the_hull_of_a_cup_is_the_cube_around_it() -> None:
    volume = Surfaces().hull_volume(Mesh("cup", file=str(CASES / "cup.obj")))
    assert volume == pytest.approx(0.001, rel=1e-9)
