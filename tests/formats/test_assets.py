"""From URIs to files, in small trees built for each question."""

from __future__ import annotations

import socket
from pathlib import Path

import mujoco
import pytest

from phyzctl.formats.assets import AssetDirs, Oddity, Resolved
from tests.formats.trees import found, resolver, tree

# What lies on disk, the robot's folder, the URI, the file it means.
LAYOUTS = {
    "relative": (["r/urdf/a.stl"], "r/urdf", "a.stl", "r/urdf/a.stl"),
    "relative upwards": (["r/m/a.stl", "r/urdf/r"], "r/urdf", "../m/a.stl", "r/m/a.stl"),
    "padded": (["r/a.stl"], "r", "  a.stl\n", "r/a.stl"),
    "manifest above": (
        ["ws/folder/package.xml:arm", "ws/folder/m/a.stl", "ws/folder/urdf/r"],
        "ws/folder/urdf",
        "package://arm/m/a.stl",
        "ws/folder/m/a.stl",
    ),
    "folder above": (["arm/m/a.stl", "arm/u/r"], "arm/u", "package://arm/m/a.stl", "arm/m/a.stl"),
    "folder beside": (["arm/m/a.stl", "b/u/r"], "b/u", "package://arm/m/a.stl", "arm/m/a.stl"),
    "manifest wins over the name of a folder": (
        ["arm/pkg/package.xml:arm", "arm/pkg/m/a.stl", "arm/m/a.stl", "arm/pkg/u/r"],
        "arm/pkg/u",
        "package://arm/m/a.stl",
        "arm/pkg/m/a.stl",
    ),
    "next root if the file is not in the first": (
        ["arm/pkg/package.xml:arm", "arm/m/a.stl", "arm/pkg/u/r"],
        "arm/pkg/u",
        "package://arm/m/a.stl",
        "arm/m/a.stl",
    ),
    "elsewhere in the repository": (
        [".git/HEAD", "x/y/z/package.xml:arm", "x/y/z/a.stl", "u/r"],
        "u",
        "package://arm/a.stl",
        "x/y/z/a.stl",
    ),
    "shallowest in the repository": (
        [".git/HEAD", "a/b/package.xml:arm", "a/b/a.stl", "z/package.xml:arm", "z/a.stl", "u/r"],
        "u",
        "package://arm/a.stl",
        "z/a.stl",
    ),
    "another repository of the workspace": (
        ["src/one/.git/HEAD", "src/two/d/package.xml:arm", "src/two/d/a.stl", "src/one/u/r"],
        "src/one/u",
        "package://arm/a.stl",
        "src/two/d/a.stl",
    ),
    "package:// used as relative": (["r/m/a.stl"], "r", "package://m/a.stl", "r/m/a.stl"),
    "model": (["arm/m/a.dae", "b/r"], "b", "model://arm/m/a.dae", "arm/m/a.dae"),
    "percent": (["arm/a b.stl", "b/r"], "b", "package://arm/a%20b.stl", "arm/a b.stl"),
    "percent taken literally": (
        ["arm/a%20b.stl"],
        "arm",
        "package://arm/a%20b.stl",
        "arm/a%20b.stl",
    ),
    "double slash": (["arm/m/a.stl"], "arm", "package://arm//m//a.stl", "arm/m/a.stl"),
    "scheme in capitals": (["arm/a.stl"], "arm", "PACKAGE://arm/a.stl", "arm/a.stl"),
    "non-ASCII": (["arm/ü/手.stl"], "arm", "package://arm/ü/手.stl", "arm/ü/手.stl"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_are_found(layout: str, tmp_path: Path) -> None:
    paths, base, uri, expected = LAYOUTS[layout]
    tree(tmp_path, *paths)
    resolved = resolver(tmp_path / base).resolve(uri)
    assert found(resolved, tmp_path) == expected
    assert (resolved.note, resolved.oddity, resolved.suggestion) == (None, None, None)
    assert resolved.looked_in[-1] == resolved.path
    assert not resolved.absolute


def test_a_file_of_an_unknown_package_may_be_guessed(tmp_path: Path) -> None:
    tree(tmp_path, "r/meshes/a.stl", "r/urdf/x")
    resolved = resolver(tmp_path / "r/urdf").resolve("package://arm/meshes/a.stl")
    assert found(resolved, tmp_path) == "r/meshes/a.stl"
    assert resolved.package_missing
    assert resolved.oddity is Oddity.GUESSED
    assert resolved.note == f"package 'arm' was not found; its file was, in {tmp_path / 'r'}"


# The URI as written, what it should be: the file is arm/Meshes/Base.STL, the robot in arm/u.
WRONG_CASE = {
    "../meshes/base.stl": "../Meshes/Base.STL",
    "../Meshes/Base.stl": "../Meshes/Base.STL",
    "package://arm/meshes/Base.STL": "package://arm/Meshes/Base.STL",
    "package://arm/Meshes/base.stl": "package://arm/Meshes/Base.STL",
}


@pytest.mark.parametrize("uri", WRONG_CASE)
def test_wrong_letter_case_is_told(uri: str, tmp_path: Path) -> None:
    tree(tmp_path, "arm/Meshes/Base.STL", "arm/u/r")
    if (tmp_path / "ARM").exists():
        pytest.skip("this file system does not tell letter case")
    resolved = resolver(tmp_path / "arm/u").resolve(uri)
    assert (resolved.path, resolved.oddity) == (None, Oddity.LETTER_CASE)
    actual = tmp_path / "arm/Meshes/Base.STL"
    assert resolved.note == f"only the case of letters differs from {actual}"
    assert resolved.suggestion == WRONG_CASE[uri]


@pytest.mark.parametrize(
    ("uri", "suggestion"),
    [
        ("..\\m\\a.stl", "../m/a.stl"),
        ("package://arm\\m\\a.stl", "package://arm/m/a.stl"),
        ("package://arm/m\\a.stl", "package://arm/m/a.stl"),
    ],
)
def test_backslashes_are_understood_and_told(uri: str, suggestion: str, tmp_path: Path) -> None:
    tree(tmp_path, "arm/m/a.stl", "arm/u/r")
    resolved = resolver(tmp_path / "arm/u").resolve(uri)
    assert found(resolved, tmp_path) == "arm/m/a.stl"
    assert (resolved.oddity, resolved.suggestion) == (Oddity.BACKSLASH, suggestion)


def test_leaving_the_package_is_told(tmp_path: Path) -> None:
    tree(tmp_path, "arm/u/r", "leg/a.stl", "arm/m/a.stl")
    ours = resolver(tmp_path / "arm/u")
    out = ours.resolve("package://arm/../leg/a.stl")
    assert (found(out, tmp_path), out.oddity) == ("leg/a.stl", Oddity.LEAVES_PACKAGE)
    assert out.note == "the path leads out of package 'arm'"
    inside = ours.resolve("package://arm/u/../m/a.stl")
    assert (found(inside, tmp_path), inside.oddity) == ("arm/m/a.stl", None)


def test_absolute_paths_and_file_uris_are_marked(tmp_path: Path) -> None:
    tree(tmp_path, "a b.stl")
    path = (tmp_path / "a b.stl").as_posix()
    ours = resolver(tmp_path)
    for uri in (
        path,
        f"file://{path}",
        f"file://localhost{path}",
        f"file://{path}".replace(" ", "%20"),
    ):
        resolved = ours.resolve(uri)
        assert (found(resolved, tmp_path), resolved.absolute) == ("a b.stl", True)
    assert ours.resolve("/no/such.stl") == Resolved(None, ("/no/such.stl",), absolute=True)


@pytest.mark.parametrize("uri", ["C:\\robot\\a.stl", "c:/robot/a.stl", "file:///C:/robot/a.stl"])
def test_windows_drives_are_absolute_everywhere(uri: str, tmp_path: Path) -> None:
    resolved = resolver(tmp_path).resolve(uri)
    assert (resolved.path, resolved.absolute) == (None, True)
    assert "robot" in resolved.looked_in[0]


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    resolved = resolver(tmp_path).resolve("https://example.org/a.stl")
    assert (resolved.path, resolved.looked_in, resolved.oddity) == (None, (), Oddity.NOT_LOCAL)


STRANGE = ["", " ", "/", ".", "..", "package://", "package:///a", "package://../a", "package://./a"]
STRANGE += [
    "package://arm",
    "package://arm/",
    "a\0b",
    "x" * 10_000,
    "package://a\0b/c",
    "://x",
    "%",
]
STRANGE += [
    "package://" + "x" * 10_000 + "/a",
    "file://",
    "$(find arm)/a.stl",
    "model:arm",
    "\\\\h\\s",
]


@pytest.mark.parametrize("uri", STRANGE, ids=lambda uri: repr(uri)[:20])
def test_strange_uris_are_survived(uri: str, tmp_path: Path) -> None:
    tree(tmp_path, "arm/r")
    assert resolver(tmp_path / "arm").resolve(uri).path is None
    AssetDirs(str(tmp_path)).mesh(uri)


def test_a_base_that_does_not_exist_is_survived(tmp_path: Path) -> None:
    assert resolver(tmp_path / "absent").resolve("package://arm/a.stl").package_missing


# MJCF

DIRS = {
    "beside the main file": (AssetDirs("m"), "a.stl", "m/a.stl"),
    "in a folder": (AssetDirs("m"), "x/a.stl", "m/x/a.stl"),
    "meshdir": (AssetDirs("m", meshdir="x"), "a.stl", "m/x/a.stl"),
    "meshdir and a folder": (AssetDirs("m", meshdir="x"), "y/a.stl", "m/x/y/a.stl"),
    "meshdir upwards": (AssetDirs("m", meshdir="../n/"), "a.stl", "n/a.stl"),
    "meshdir absolute": (AssetDirs("m", meshdir="{top}/n"), "a.stl", "n/a.stl"),
    "file absolute": (AssetDirs("m", meshdir="x"), "{top}/n/a.stl", "n/a.stl"),
    "strippath": (AssetDirs("m", strippath=True), "x/y/a.stl", "m/a.stl"),
    "strippath, absolute": (AssetDirs("m", meshdir="x", strippath=True), "/z/a.stl", "m/x/a.stl"),
    "strippath, backslashes": (AssetDirs("m", strippath=True), "C:\\z\\a.stl", "m/a.stl"),
    "assetdir": (AssetDirs("m", assetdir="x"), "a.stl", "m/x/a.stl"),
    "meshdir over assetdir": (AssetDirs("m", meshdir="x", assetdir="y"), "a.stl", "m/x/a.stl"),
    "empty meshdir over assetdir": (AssetDirs("m", meshdir="", assetdir="x"), "a.stl", "m/a.stl"),
    "texturedir is not for meshes": (AssetDirs("m", texturedir="x"), "a.stl", "m/a.stl"),
}


@pytest.mark.parametrize("case", DIRS)
def test_mjcf_folders(case: str, tmp_path: Path) -> None:
    dirs, file, expected = DIRS[case]
    tree(tmp_path, "m/a.stl", "m/x/a.stl", "m/x/y/a.stl", "n/a.stl")
    top = tmp_path.as_posix()
    ours = AssetDirs(
        str(tmp_path / dirs.base_dir),
        meshdir=dirs.meshdir and dirs.meshdir.format(top=top),
        texturedir=dirs.texturedir,
        assetdir=dirs.assetdir,
        strippath=dirs.strippath,
    )
    assert found(ours.mesh(file.format(top=top)), tmp_path) == expected


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n"


@pytest.mark.parametrize("case", DIRS)
def test_mujoco_reads_the_same_file(case: str, tmp_path: Path) -> None:
    dirs, file, expected = DIRS[case]
    path = (tmp_path / expected).with_suffix(".obj")
    path.parent.mkdir(parents=True)
    path.write_text(TETRAHEDRON, encoding="utf-8")
    written = {"meshdir": dirs.meshdir, "texturedir": dirs.texturedir, "assetdir": dirs.assetdir}
    compiler = " ".join(f'{key}="{each}"' for key, each in written.items() if each is not None)
    xml = f"""
    <mujoco><compiler {compiler} strippath="{str(dirs.strippath).lower()}"/>
      <asset><mesh name="m" file="{file.replace(".stl", ".obj")}"/></asset>
      <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    main = tmp_path / dirs.base_dir / "main.xml"
    main.parent.mkdir(exist_ok=True)
    main.write_text(xml.replace("{top}", tmp_path.as_posix()), encoding="utf-8")
    assert mujoco.MjModel.from_xml_path(str(main)).nmesh == 1


def test_textures_have_their_own_folder(tmp_path: Path) -> None:
    tree(tmp_path, "t/a.png", "m/a.png")
    ours = AssetDirs(str(tmp_path), meshdir="m", texturedir="t")
    assert found(ours.texture("a.png"), tmp_path) == "t/a.png"
    assert found(AssetDirs(str(tmp_path), assetdir="m").texture("a.png"), tmp_path) == "m/a.png"
    assert ours.texture("b.png").looked_in == (str(tmp_path / "t/b.png"),)


def test_mjcf_backslashes_are_understood_and_told(tmp_path: Path) -> None:
    tree(tmp_path, "m/x/a.stl")
    resolved = AssetDirs(str(tmp_path), meshdir="m\\").mesh("x\\a.stl")
    assert (found(resolved, tmp_path), resolved.oddity) == ("m/x/a.stl", Oddity.BACKSLASH)
