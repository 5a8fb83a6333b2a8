"""Questions to the disk: answered as the standard library would, and noted while watched."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from phyzctl import disk
from phyzctl.disk import Question, answer, watched
from phyzctl.formats import ReadOptions, read
from phyzctl.geometry.mesh import load_mesh, mesh_extent
from phyzctl.issues import Issues
from tests.cli.conftest import GOOD


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/b").mkdir()
    (tmp_path / "folder/a.txt").write_bytes(b"hello")
    (tmp_path / "file").write_bytes(b"hello")
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "dangling").symlink_to("nowhere")
    return tmp_path


KINDS = {
    "file": "file",
    "folder": "folder",
    "link": "folder",
    "dangling": "nothing",
    "no": "nothing",
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_kinds(place: Path, name: str, kind: str) -> None:
    assert disk.kind(place / name) == kind
    assert disk.is_file(place / name) == (kind == "file")
    assert disk.is_folder(str(place / name)) == (kind == "folder")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_impossible_names_are_nothing(place: Path, name: str) -> None:
    assert disk.kind(place / name) == "nothing"
    assert not disk.is_file(place / name)


def test_contents(place: Path) -> None:
    assert disk.read_bytes(place / "file") == b"hello"
    assert disk.read_bytes(str(place / "file"), 2) == b"he"
    assert disk.size(place / "file") == 5
    assert disk.names_in(place / "folder") == ["a.txt", "b"]
    assert disk.names_in(place) == ["dangling", "file", "folder", "link"]
    assert disk.folders_in(place) == ["folder"]


@pytest.mark.parametrize("ask", [disk.size, disk.read_bytes, disk.names_in, disk.folders_in])
def test_failures_are_the_operating_systems(place: Path, ask: Callable[[Path], object]) -> None:
    with pytest.raises(FileNotFoundError):
        ask(place / "no")
    with watched() as witness, pytest.raises(FileNotFoundError):
        ask(place / "no")
    assert set(witness.answers.values()) == {"unreadable"}


# Witnesses

ASKS: dict[str, Callable[[Path], object]] = {
    "kind": disk.kind,
    "is_file": disk.is_file,
    "is_folder": disk.is_folder,
    "size": disk.size,
    "names": disk.names_in,
    "folders": disk.folders_in,
    "bytes": disk.read_bytes,
    "first bytes": lambda path: disk.read_bytes(path, 2),
    "note": disk.note,
}


def changed(path: Path) -> None:
    """Put something else of another size in the place of a file or folder."""
    if path.is_dir():
        (path / "new").write_text("x")
    else:
        path.write_bytes(b"other content")


# What a change must be noticed by; a file is no folder before and after, so its names stay none.
NOTICED = {
    "file": {"size", "bytes", "first bytes", "note"},
    "folder": {"names"},
    "no": {"kind", "is_file", "is_folder", "size", "bytes", "first bytes", "note"},
}


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", NOTICED)
def test_an_answer_is_the_same_until_the_disk_is_not(place: Path, name: str, ask: str) -> None:
    with watched() as witness, suppress(OSError):
        ASKS[ask](place / name)
    ((question, noted),) = witness.answers.items()
    assert question.path == str(place / name)
    assert answer(question) == noted
    changed(place / name)
    assert (answer(question) != noted) == (ask in NOTICED[name])


def test_what_appears_is_noticed(place: Path) -> None:
    question = Question("kind", str(place / "no"))
    assert answer(question) == "nothing"
    (place / "no").mkdir()
    assert answer(question) == "folder"


def test_relative_paths_are_noted_as_absolute(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    with watched() as witness:
        disk.is_file("folder/../file")
    monkeypatch.chdir("/")
    assert list(witness.answers) == [Question("kind", str(place / "file"))]
    assert answer(Question("kind", str(place / "file"))) == "file"


def test_names_that_are_no_unicode(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff")).write_text("")
    with watched() as witness:
        disk.names_in(tmp_path)
    assert len(witness.answers) == 1


def test_variables(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLACE", "here")
    with watched() as witness:
        assert disk.variable("PLACE") == "here"
        assert disk.variable("NO_SUCH_PLACE") == ""
    assert witness.answers == {
        Question("variable", "PLACE"): "here",
        Question("variable", "NO_SUCH_PLACE"): "",
    }
    monkeypatch.setenv("PLACE", "there")
    assert answer(Question("variable", "PLACE")) == "there"


def test_watching_ends_and_nests(place: Path) -> None:
    with watched() as outer:
        disk.is_file(place / "file")
        with watched() as inner:
            disk.is_file(place / "no")
        disk.is_folder(place / "folder")
    disk.is_file(place / "dangling")
    assert [Path(question.path).name for question in outer.answers] == ["file", "folder"]
    assert [Path(question.path).name for question in inner.answers] == ["no"]


def test_unwatched_notes_read_nothing(place: Path) -> None:
    disk.note(place / "no")
    disk.note_unnamed()
    with watched() as witness:
        disk.note_unnamed()
    assert witness.blind


# What readers ask


def asked(path: Path) -> dict[str, set[str]]:
    """The questions of reading a description, by the name of the file in its folder."""
    with watched() as witness:
        read(str(path), Issues(), ReadOptions())
    found: dict[str, set[str]] = {}
    for question in witness.answers:
        if question.path.startswith(str(path.parent) + os.sep):
            found.setdefault(os.path.relpath(question.path, path.parent), set()).add(question.what)
    return found


def test_a_urdf_asks_for_itself_and_its_meshes(tmp_path: Path) -> None:
    mesh = "<visual><geometry><mesh filename='{}'/></geometry></visual>"
    meshes = mesh.format("parts/a.stl") + mesh.format("parts/no.stl")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/a.stl").write_bytes(b"")
    (tmp_path / "arm.urdf").write_text(GOOD.replace("/>\n</", f">{meshes}</link>\n</"))
    found = asked(tmp_path / "arm.urdf")
    assert found["arm.urdf"] == {"bytes"}
    assert found["parts/a.stl"] == {"kind"}
    assert found["parts/no.stl"] == {"kind"}
    assert found["parts"] == {"kind", "names"}  # is there one in other letter case?


def test_a_package_asks_for_its_manifest(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    mesh = "<visual><geometry><mesh filename='package://p/a.stl'/></geometry></visual>"
    (tmp_path / "p/arm.urdf").write_text(GOOD.replace("/>\n</", f">{mesh}</link>\n</"))
    assert asked(tmp_path / "p/arm.urdf")["package.xml"] == {"bytes"}


def test_an_mjcf_asks_for_what_it_includes_and_attaches(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(
        "<mujoco><include file='part.xml'/><include file='no.xml'/>"
        "<asset><model file='hand.xml'/></asset></mujoco>"
    )
    (tmp_path / "part.xml").write_text("<mujoco><worldbody><body/></worldbody></mujoco>")
    (tmp_path / "hand.xml").write_text("<mujoco model='hand'/>")
    found = asked(tmp_path / "arm.xml")
    assert found["part.xml"] == {"kind", "bytes"}
    assert found["no.xml"] == {"kind"}


TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"


@pytest.mark.parametrize("ask", [load_mesh, mesh_extent])
def test_a_mesh_is_asked_for_its_bytes(tmp_path: Path, ask: Callable[[Path], object]) -> None:
    path = tmp_path / "a.obj"
    path.write_bytes(TRIANGLE)
    with watched() as witness:
        ask(path)
    assert Question("bytes", str(path)) in witness.answers


def test_a_mesh_that_others_read_is_noted_all_the_same(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    path = tmp_path / "a.off"
    path.write_bytes(b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    with watched() as witness:
        load_mesh(path)
    assert Question("bytes", str(path)) in witness.answers
