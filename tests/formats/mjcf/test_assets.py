"""Meshes, height fields, materials: names, files, numbers written out."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from tests.formats.mjcf.reading import clean, codes_of, only, read, read_file, refused, write_files

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
VERTICES = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'


@pytest.mark.parametrize(
    ("compiler", "file", "place"),
    [
        ("", "m.obj", "m.obj"),
        ("", "a/m.obj", "a/m.obj"),
        ('meshdir="a"', "m.obj", "a/m.obj"),
        ('meshdir="a/"', "b/m.obj", "a/b/m.obj"),
        ('assetdir="a"', "m.obj", "a/m.obj"),
        ('assetdir="a" meshdir="b"', "m.obj", "b/m.obj"),
        ('meshdir="../up"', "m.obj", "../up/m.obj"),
        ('strippath="true"', "a/b/m.obj", "m.obj"),
        ('strippath="true" meshdir="a"', "b/m.obj", "a/m.obj"),
    ],
)
def test_where_meshes_are_looked_for(tmp_path: Path, compiler: str, file: str, place: str) -> None:
    main = f"""<mujoco><compiler {compiler}/><asset><mesh file="{file}"/></asset>
    <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    path = write_files(tmp_path, {"robot/main.xml": main, f"robot/{place}": TETRAHEDRON})
    robot, issues = read_file(path)
    assert issues == []
    assert robot.meshes[0].file == str((tmp_path / "robot" / place).resolve())
    assert mujoco.MjModel.from_xml_path(str(path)).nmesh == 1


def test_the_last_of_several_compilers_counts(tmp_path: Path) -> None:
    main = """<mujoco><compiler meshdir="a"/><compiler meshdir="b" angle="radian"/>
    <asset><mesh file="m.obj"/></asset></mujoco>"""
    path = write_files(tmp_path, {"main.xml": main, "b/m.obj": TETRAHEDRON})
    robot, issues = read_file(path)
    assert issues == []
    assert robot.meshes[0].file == str(tmp_path / "b/m.obj")


@pytest.mark.parametrize("file", ["m.obj", "a/m.obj", "a\\\\m.obj", "m.tar.obj"])
def test_a_mesh_is_named_after_its_file(file: str) -> None:
    robot, _ = read(f'<asset><mesh file="{file}"/></asset>')
    expected = "m.tar" if "tar" in file else "m"
    assert (robot.meshes[0].name, robot.meshes[0].name_stated) == (expected, False)


def test_a_missing_file_is_said_with_where_it_was_looked_for(tmp_path: Path) -> None:
    main = '<mujoco><compiler meshdir="a"/><asset><mesh file="m.obj"/></asset></mujoco>'
    path = write_files(tmp_path, {"main.xml": main})
    _, issues = read_file(path)
    assert [issue.code.id for issue in issues] == ["F601"]
    assert str(tmp_path / "a/m.obj") in issues[0].message
    with pytest.raises(ValueError, match=r"m\.obj"):
        mujoco.MjModel.from_xml_path(str(path))


def test_the_case_of_letters_is_suggested(tmp_path: Path) -> None:
    main = '<mujoco><asset><mesh file="M.obj"/></asset></mujoco>'
    path = write_files(tmp_path, {"main.xml": main, "m.obj": TETRAHEDRON})
    _, issues = read_file(path)
    fix = issues[0].fix
    assert fix is not None
    assert [edit.text for edit in fix.edits] == ["m.obj"]
    assert main[fix.edits[0].start : fix.edits[0].end] == "M.obj"


def test_an_absolute_path_is_of_one_machine(tmp_path: Path) -> None:
    mesh = tmp_path / "m.obj"
    main = f'<mujoco><asset><mesh file="{mesh}"/></asset></mujoco>'
    robot, issues = read_file(write_files(tmp_path, {"main.xml": main, "m.obj": TETRAHEDRON}))
    assert [issue.code.id for issue in issues] == ["F602"]
    assert robot.meshes[0].file == str(mesh)


def test_vertices_written_out() -> None:
    text = f'<asset><mesh name="m" {VERTICES} face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>'
    mesh = clean(text).meshes[0]
    assert mesh.vertices == ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert mesh.faces == ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def test_attributes_of_a_mesh() -> None:
    text = f"""<asset><mesh name="m" {VERTICES} scale="1 2 3" refpos="4 5 6"
    refquat="0 1 0 0" inertia="convex" maxhullvert="10" smoothnormal="true"/></asset>"""
    mesh = clean(text).meshes[0]
    assert (mesh.scale, mesh.refpos, mesh.refquat) == ((1, 2, 3), (4, 5, 6), (0, 1, 0, 0))
    assert mesh.inertia_mode == "convex"
    assert {item.tag for item in mesh.extensions} == {"@maxhullvert", "@smoothnormal"}


@pytest.mark.parametrize(
    ("asset", "code"),
    [
        ('<mesh name="m"/>', "G513"),
        ('<mesh name="m" vertex="0 0 0 1"/>', "X010"),
        (f'<mesh name="m" {VERTICES} face="0 1"/>', "X010"),
        (f'<mesh name="m" {VERTICES} face="0 1 9"/>', "X010"),
        (f'<mesh name="m" {VERTICES} face="0 1 -1"/>', "X010"),
        (f'<mesh name="m" {VERTICES} face="0 1 1.5"/>', "X010"),
        (f"<mesh {VERTICES}/>", "X006"),
        (f'<mesh name="m" {VERTICES} inertia="best"/>', "X008"),
        ('<hfield name="h" nrow="2" ncol="2"/>', "X006"),
        ('<hfield name="h" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3"/>', "X010"),
    ],
)
def test_faults(asset: str, code: str) -> None:
    text = f"<asset>{asset}</asset>"
    assert code in codes_of(text)


def test_a_built_in_mesh_is_said_to_be_missing() -> None:
    text = """<asset><mesh name="m" builtin="sphere" params="2"/></asset>
    <worldbody><geom type="mesh" mesh="m"/></worldbody>"""
    assert only(text).code.id == "U001"
    assert not refused(text)


def test_a_height_field_written_out() -> None:
    text = """<asset><hfield name="h" size="1 2 3 4" nrow="2" ncol="3"
    elevation="1 2 3 4 5 6"/></asset>"""
    field = clean(text).heightfields[0]
    assert (field.size, field.rows, field.columns) == ((1, 2, 3, 4), 2, 3)
    assert field.elevation == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)


def test_a_height_field_is_named_after_its_file(tmp_path: Path) -> None:
    main = '<mujoco><asset><hfield file="hills.png" size="1 1 1 1"/></asset></mujoco>'
    robot, issues = read_file(write_files(tmp_path, {"main.xml": main, "hills.png": "x"}))
    assert issues == []
    field = robot.heightfields[0]
    assert (field.name, field.name_stated) == ("hills", False)
    assert field.file == str(tmp_path / "hills.png")


def test_textures_and_materials_are_kept() -> None:
    text = """<asset><texture name="t" builtin="flat" width="1" height="1"/>
    <material name="m" texture="t" rgba="1 0 0 1" shininess="0.3"/>
    <material name="n"><layer texture="t" role="rgb"/></material></asset>"""
    robot = clean(text)
    first, second = robot.materials
    assert (first.texture, first.rgba) == ("t", (1, 0, 0, 1))
    assert [(item.tag, item.text) for item in first.extensions] == [("@shininess", "0.3")]
    assert [item.tag for item in second.extensions] == ["layer"]
    assert [item.tag for item in robot.extensions] == ["texture"]
