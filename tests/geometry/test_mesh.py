"""Reading mesh files: what is right, what is broken, and what is hostile."""

from __future__ import annotations

import random
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.geometry import mesh as mesh_module
from phyzctl.geometry.mesh import MeshData, MeshError, load_mesh, mesh_extent
from phyzctl.geometry.msh import read_msh
from phyzctl.geometry.obj import obj_extent, read_obj
from phyzctl.geometry.stl import read_stl

TETRAHEDRON = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]])
TETRAHEDRON_FACES = np.array([[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]], dtype=np.int32)
HERE = Path("m")


def stl(corners: NDArray[np.float64], header: bytes = b"", count: int | None = None) -> bytes:
    """A binary STL of (faces, 3, 3) corners; `count` is what the file says, if not the truth."""
    facets = b"".join(
        struct.pack("<12fH", 0.0, 0.0, 0.0, *face.ravel().tolist(), 0) for face in corners
    )
    said = len(corners) if count is None else count
    return header.ljust(80, b"\0")[:80] + struct.pack("<I", said) + facets


def ascii_stl(corners: NDArray[np.float64]) -> bytes:
    lines = ["solid thing"]
    for face in corners:
        lines += ["facet normal 0 0 1", " outer loop"]
        lines += [f"  vertex {x!r} {y!r} {z!r}" for x, y, z in face.tolist()]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, "endsolid thing", ""]).encode()


def msh(counts: tuple[int, int, int, int], *numbers: float, faces: tuple[int, ...] = ()) -> bytes:
    return (
        struct.pack("<4i", *counts)
        + struct.pack(f"<{len(numbers)}f", *numbers)
        + struct.pack(f"<{len(faces)}i", *faces)
    )


CORNERS = TETRAHEDRON[TETRAHEDRON_FACES]
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON.tolist())
OBJ += "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in TETRAHEDRON_FACES.tolist())
MSH = msh(
    (4, 4, 1, 4),
    *TETRAHEDRON.ravel().tolist(),
    *([0.5] * 14),
    faces=tuple(TETRAHEDRON_FACES.ravel().tolist()),
)

SAME_MESH = {
    "binary.stl": stl(CORNERS),
    "capital.STL": stl(CORNERS),
    "begins_with_solid.stl": stl(CORNERS, b"solid exported"),
    "bytes_behind.stl": stl(CORNERS) + b"\r\n some text",
    "solid_and_bytes_behind.stl": stl(CORNERS, b"solid x") + b"\0" * 10,
    "ascii.stl": ascii_stl(CORNERS),
    "ascii_upper.stl": ascii_stl(CORNERS).upper(),
    "ascii_crlf.stl": ascii_stl(CORNERS).replace(b"\n", b"\r\n"),
    "ascii_one_line.stl": ascii_stl(CORNERS).replace(b"\n", b" "),
    "ascii_blank_first.stl": b"\n  " + ascii_stl(CORNERS),
    "ascii_named.stl": ascii_stl(CORNERS).replace(b"thing", b"vertex of facet"),
    "plain.obj": OBJ.encode(),
    "crlf.obj": OBJ.replace("\n", "\r\n").encode(),
    "old_mac.obj": OBJ.replace("\n", "\r").encode(),
    "tabs.obj": OBJ.replace(" ", "\t").encode(),
    "indented.obj": ("  " + OBJ.replace("\n", "\n  ")).encode(),
    "colours.obj": OBJ.replace("\nv", " 0.5 0.5 0.5\nv").encode(),
    "weights.obj": OBJ.replace("\nv", " 1.0\nv").encode(),
    "continued.obj": OBJ.replace("f 1", "f \\\n 1").encode(),
    "continued_crlf.obj": OBJ.replace("f 1", "f \\\n 1").replace("\n", "\r\n").encode(),
    "comments.obj": f"# v 9 9 9\nmtllib a.mtl\no a\ns off\n{OBJ}l 1 2\np 1\n".encode(),
    "latin.obj": b"# caf\xe9\n" + OBJ.encode(),
    "plain.msh": MSH,
    "plain.MSH": MSH,
}


def triangles(mesh: MeshData) -> list[list[list[float]]]:
    corners: list[list[list[float]]] = mesh.corners.tolist()
    return corners


@pytest.mark.parametrize("name", SAME_MESH)
def test_every_spelling_gives_the_same_triangles(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(SAME_MESH[name])
    mesh = load_mesh(str(path))
    assert (mesh.vertices.dtype.name, mesh.faces.dtype.name) == ("float64", "int32")
    assert triangles(mesh) == CORNERS.tolist()
    for low_or_high, of_mesh, expected in zip(
        mesh_extent(path), mesh.extent, ([0, 0, 0], [1, 2, 0.5]), strict=True
    ):
        assert low_or_high.tolist() == of_mesh.tolist() == expected


VERTICES = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0.5 0\n"
FACES = {
    "textures": ("f 1/1 2/2 3/3", [[0, 1, 2]]),
    "normals": ("f 1//1 2//1 3//1", [[0, 1, 2]]),
    "both": ("f 1/4/1 2/5/1 3/6/1", [[0, 1, 2]]),
    "square": ("f 1 2 3 4", [[1, 2, 3], [1, 3, 0]]),
    "kite": ("v 3 3 0\nf 1 2 6 4", [[1, 5, 3], [1, 3, 0]]),
    "turned kite": ("v 3 3 0\nf 2 6 4 1", [[1, 5, 3], [1, 3, 0]]),
    "mixed": (
        "f 1 2 3\nf 1 2 3 4 5\nf 3 4 5",
        [[0, 1, 2], [0, 1, 2], [0, 2, 3], [0, 3, 4], [2, 3, 4]],
    ),
    "negative": ("f -5 -4 -3/-1/-1", [[0, 1, 2]]),
    "negative before more": ("f -5 -4 -3\nv 9 9 9\nf -1 1 2", [[0, 1, 2], [5, 0, 1]]),
    "vertices after": ("f 1 2 6\nv 9 9 9", [[0, 1, 5]]),
    "plus sign": ("f +1 2 3", [[0, 1, 2]]),
}


@pytest.mark.parametrize("name", FACES)
def test_faces_of_obj(name: str) -> None:
    text, expected = FACES[name]
    assert read_obj(HERE, (VERTICES + text).encode()).faces.tolist() == expected


WORDS = {
    "+1.5": 1.5,
    "-.5e-3": -0.0005,
    "5.": 5.0,
    "1E5": 1e5,
    "1e-999": 0.0,
    "-0.0000e-400": -0.0,
    "0." + "0" * 400 + "1": 0.0,
    "4.9406564584124654e-324": 5e-324,
    "17976931348623157" + "0" * 292: 1.7976931348623157e308,
    "0.1000000000000000055511151231257827021181583404541015625": 0.1,
}


@pytest.mark.parametrize("word", WORDS)
def test_words_that_are_numbers(word: str) -> None:
    """As Python reads them; among the last digits the nearest double counts."""
    found = read_obj(HERE, f"v 0 {word} 1\n".encode()).vertices
    assert found.tolist() == [[0.0, WORDS[word], 1.0]]
    assert float(word) == WORDS[word]


@pytest.mark.parametrize("word", ["1d3", "0x10", "1_0", "--1", "+-1", "+", "1,5", "1e", "1/2"])
def test_words_that_are_no_numbers(word: str) -> None:
    for read in (read_obj, obj_extent):
        with pytest.raises(MeshError, match="a vertex that is no number: "):
            read(HERE, f"v 0 {word} 1\n".encode())


@pytest.mark.parametrize("word", ["nan", "-NaN", "inf", "+Infinity", "1e309", "9" * 400])
def test_numbers_that_are_not_finite(word: str) -> None:
    for place in (f"v 0 {word} 1\nv 0 0 0\n", f"v 0 0 0\nv 0 {word} 1\nv 1 1 1\n"):
        for read in (read_obj, obj_extent):
            with pytest.raises(MeshError, match="not a finite number"):
                read(HERE, place.encode())


def test_objects_are_one_mesh_or_only_the_first() -> None:
    text = f"o empty\n{VERTICES}o a\ng left\nf 1 2 3\nf 1 3 4\ng right\nf 1 4 5\no b\nf 3 4 5\n"
    assert len(read_obj(HERE, text.encode()).faces) == 4
    assert read_obj(HERE, text.encode(), first_object=True).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


BROKEN = {
    "empty.stl": (b"", "is empty"),
    "empty.obj": (b"", "is empty"),
    "short.stl": (b"abc", "too short for an STL file: 3 bytes"),
    "cut.stl": (stl(CORNERS)[:-1], "announces 4 triangles in 284 bytes but holds 283"),
    "giga.stl": (stl(CORNERS, count=0xFFFFFFFF), "announces 4294967295 triangles"),
    "giga_solid.stl": (stl(CORNERS, b"solid", count=1 << 31), "announces 2147483648 triangles"),
    "none.stl": (stl(np.zeros((0, 3, 3))), "has no faces"),
    "nan.stl": (stl(np.full((1, 3, 3), np.nan)), "not a finite number"),
    "inf.stl": (stl(np.full((1, 3, 3), np.inf)), "not a finite number"),
    "cut_ascii.stl": (ascii_stl(CORNERS)[:-30], "cut off or broken: 12 vertices in 3 whole"),
    "empty_ascii.stl": (b"solid a\nendsolid a\n" + b" " * 99, "has no faces"),
    "word_ascii.stl": (ascii_stl(CORNERS).replace(b"0.5", b"0.5x"), "no number"),
    "quad_ascii.stl": (ascii_stl(CORNERS).replace(b"0.5\n", b"0.5\n vertex 1 1 1\n"), "broken"),
    "nan_ascii.stl": (ascii_stl(CORNERS).replace(b"0.5", b"nan"), "not a finite number"),
    "text.stl": (b"<robot/>" * 50, "announces"),
    "no_vertices.obj": (b"f 1 2 3\n", "outside its 0 vertices"),
    "comment_only.obj": (b"# nothing\n", "has no vertices"),
    "nan.obj": (b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not a finite number"),
    "overflow.obj": (b"v 0 0 1e999\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not a finite number"),
    "word.obj": (b"v 0 zero 0\n", "no number"),
    "two.obj": (b"v 0 0\nv 1 2\n", "fewer than three numbers"),
    "two_and_four.obj": (b"v 0 0\nv 1 2 3 4\n", "fewer than three numbers"),
    "zero.obj": ((VERTICES + "f 0 1 2\n").encode(), "vertices count from 1"),
    "outside.obj": ((VERTICES + "f 1 2 6\n").encode(), "outside its 5 vertices"),
    "far_back.obj": ((VERTICES + "f -6 1 2\n").encode(), "outside its 5 vertices"),
    "huge.obj": ((VERTICES + f"f 1 2 {1 << 40}\n").encode(), "outside its 5 vertices"),
    "enormous.obj": ((VERTICES + f"f 1 2 {1 << 80}\n").encode(), "no vertex number"),
    "no_integer.obj": ((VERTICES + "f 1 2 3.5\n").encode(), "no vertex number"),
    "line.obj": ((VERTICES + "f 1 2\n").encode(), "fewer than three corners"),
    "short.msh": (b"12345", "too short for an MSH file"),
    "cut.msh": (MSH[:-4], "bytes of mesh but holds"),
    "giga.msh": (msh((4, 0, 0, 2**31 - 1)) + MSH[16:], "bytes of mesh but holds"),
    "negative.msh": (msh((4, 0, 0, -1)) + MSH[16:], "negative number"),
    "outside.msh": (msh((1, 0, 0, 1), 0, 0, 0, faces=(0, 0, 1)), "outside its 1 vertices"),
    "below.msh": (msh((1, 0, 0, 1), 0, 0, 0, faces=(0, 0, -1)), "outside its 1 vertices"),
    "nan.msh": (msh((1, 0, 0, 0), 0, 0, float("nan")), "not a finite number"),
    "none.msh": (msh((0, 0, 0, 0)), "has no vertices"),
    "model.step": (b"ISO-10303-21;", "not known; known are .3mf, .dae, .glb"),
    "none": (b"?", "not known"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_raise_one_sentence(name: str, tmp_path: Path) -> None:
    content, expected = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(MeshError) as caught:
        load_mesh(path)
    message = str(caught.value)
    assert expected in message
    assert message.startswith(str(path))
    assert "\n" not in message
    assert isinstance(caught.value, PhyzctlError)


EXTENT_READS_NO_FACES = {"zero.obj", "outside.obj", "far_back.obj", "huge.obj", "enormous.obj"}
EXTENT_READS_NO_FACES |= {"no_integer.obj", "line.obj", "outside.msh", "below.msh"}


@pytest.mark.parametrize("name", sorted(BROKEN.keys() - EXTENT_READS_NO_FACES))
def test_the_extent_of_a_broken_file_raises_too(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(BROKEN[name][0])
    with pytest.raises(MeshError):
        mesh_extent(path)


def test_a_missing_file_a_folder_and_a_strange_name_are_errors(tmp_path: Path) -> None:
    (tmp_path / "folder.stl").mkdir()
    for name in ("absent.stl", "folder.stl", "nul\0.stl", "x" * 5000 + ".stl", "absent.dae"):
        for read in (load_mesh, mesh_extent):
            with pytest.raises(MeshError):
                read(tmp_path / name)


def test_files_beyond_the_cap_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.stl"
    path.write_bytes(stl(CORNERS))
    monkeypatch.setattr(mesh_module, "MAX_BYTES", 100)
    with pytest.raises(MeshError, match="284 bytes, more than the 100"):
        load_mesh(path)


@settings(max_examples=300)
@given(st.sampled_from(sorted(SAME_MESH)), st.randoms(use_true_random=False))
def test_damaged_files_load_or_raise_mesh_error(name: str, rng: random.Random) -> None:
    content = bytearray(SAME_MESH[name])
    for _ in range(rng.randint(1, 6)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    content = content[: rng.randint(0, 2 * len(content))]
    readers = {".stl": read_stl, ".obj": read_obj, ".msh": read_msh}
    try:
        mesh = readers[Path(name).suffix.lower()](HERE, bytes(content))
    except MeshError:
        return
    assert np.isfinite(mesh.vertices).all()
    assert mesh.is_cloud or 0 <= mesh.faces.min() <= mesh.faces.max() < len(mesh.vertices)


@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 3), min_size=1, max_size=20))
def test_obj_coordinates_come_back_exactly(points: list[tuple[float, float, float]]) -> None:
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points).encode()
    assert read_obj(HERE, text).vertices.tolist() == [list(point) for point in points]
    low, high = obj_extent(HERE, text)
    assert (low.tolist(), high.tolist()) == (np.min(points, 0).tolist(), np.max(points, 0).tolist())


def test_merging_joins_equal_vertices_and_moves_no_triangle() -> None:
    corners = CORNERS.copy()
    corners[::2][corners[::2] == 0.0] = -0.0
    soup = read_stl(HERE, stl(corners))
    merged = soup.merged()
    assert (len(soup.vertices), len(merged.vertices)) == (12, 4)
    assert triangles(merged) == CORNERS.tolist()


def test_placing_mirrors_without_turning_inside_out() -> None:
    mesh = MeshData(TETRAHEDRON, TETRAHEDRON_FACES)
    placed = mesh.placed((-1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    assert placed.vertices.tolist() == (TETRAHEDRON * [-1, 1, 1]).tolist()
    assert placed.faces.tolist() == TETRAHEDRON_FACES[:, ::-1].tolist()
    assert placed.faces.flags.c_contiguous


# Formats that trimesh reads

DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{asset}</asset>
<library_geometries><geometry id="g"><mesh>
 <source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 2 0 0 0 0.5</float_array>
 <technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
 <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
 <p>0 2 1 0 3 2 0 1 3 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">
 <node><translate>10 0 0</translate><instance_geometry url="#g"/></node>
 <node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""

# The highest corner of the file's own axes is (11, 2, 0.5); up is what the asset says.
ASSETS = {
    "": (11.0, 0.0, 2.0),
    "<up_axis>Y_UP</up_axis>": (11.0, 0.0, 2.0),
    "<up_axis>Z_UP</up_axis>": (11.0, 2.0, 0.5),
    "<up_axis> X_UP </up_axis>": (0.0, 0.0, 11.0),
    '<unit name="mm" meter="0.001"/><up_axis>Z_UP</up_axis>': (0.011, 0.002, 0.0005),
    "<unit meter='0.5' name='x'/><up_axis>Z_UP</up_axis>": (5.5, 1.0, 0.25),
}


@pytest.mark.parametrize("asset", ASSETS)
def test_collada_unit_and_up_axis_are_applied(asset: str, tmp_path: Path) -> None:
    pytest.importorskip("collada")
    path = tmp_path / "m.dae"
    path.write_text(DAE.format(asset=asset), encoding="utf-8")
    mesh = load_mesh(path)
    assert len(mesh.faces) == 8
    assert mesh.extent[1] == pytest.approx(ASSETS[asset])
    assert mesh_extent(path)[1] == pytest.approx(ASSETS[asset])


@pytest.mark.parametrize("suffix", ["ply", "off", "glb"])
def test_other_formats_load_through_trimesh(suffix: str, tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / f"m.{suffix}"
    trimesh.Trimesh(TETRAHEDRON, TETRAHEDRON_FACES, process=False).export(path)
    assert triangles(load_mesh(path)) == pytest.approx(CORNERS)


FOREIGN_BROKEN = {
    "junk.glb": b"glTF" + b"\xff" * 40,
    "junk.ply": b"ply\nformat ascii 1.0\nelement vertex 99999999999\n",
    "junk.off": b"OFF\n3 1\n",
    "junk.gltf": b"{",
    "junk.3mf": b"PK\x03\x04",
    "junk.dae": b"<COLLADA><mesh>",
    "other.dae": b"<robot name='x'/>",
    "unit.dae": DAE.format(asset='<unit meter="one"/>').encode(),
    "encoded.dae": b"<?xml version='1.0' encoding='Scene'?><a/>",
    "vast.dae": DAE.format(asset="").replace("0 0 0.5<", "0 0 1e999<").encode(),
    "zero.off": b"OFF\n0 0 0\n",
}


@pytest.mark.parametrize("name", FOREIGN_BROKEN)
def test_broken_foreign_files_raise_mesh_error(name: str, tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    path = tmp_path / name
    path.write_bytes(FOREIGN_BROKEN[name])
    with pytest.raises(MeshError, match=name):
        load_mesh(path)


def test_without_trimesh_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.glb"
    path.write_bytes(b"glTF")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MeshError, match="needs the extra 'mesh'"):
        load_mesh(path)
