"""What mesh files take in memory, and how those are refused that would take too much."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from phyzctl.geometry import mesh as mesh_module
from phyzctl.geometry.mesh import MeshError, load_mesh, mesh_extent
from phyzctl.geometry.meshdata import Extent, MeshData
from phyzctl.geometry.obj import read_obj
from phyzctl.geometry.stl import read_stl, stl_extent
from tests.geometry.test_mesh import SAME_MESH

HERE = Path("m")
OBJ_FILES = sorted(name for name in SAME_MESH if name.endswith(".obj"))
GROUPS = (
    b"v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\nv 0 0 1\nf -1 -2 -3\ng b\nf 1 3 4\no c\nf 4 3 2\n"
)
CORNERS = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"
FACET = (
    b"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
)
COUNT = 20_000

# Texts of the fewest letters, the readers of them, and how many times their size they may take
# besides some blocks: a vertex of eight letters is 24 bytes, once in a block and once in all.
DENSE: dict[str, tuple[bytes, Callable[[Path, bytes], MeshData | Extent], float]] = {
    "ascii stl": (b"solid a\n" + FACET * COUNT, read_stl, 4.0),
    "ascii stl extent": (b"solid a\n" + FACET * COUNT, stl_extent, 4.0),
}


@pytest.mark.parametrize("name", DENSE)
def test_reading_takes_a_small_multiple_of_the_file(name: str) -> None:
    data, read, most = DENSE[name]
    tracemalloc.start()
    read(HERE, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < most * len(data) + (1 << 18)


# The same of what the kernel reads, whose memory only the process knows: of a vertex of eight
# letters 24 bytes, of a triangle of eight 28.
MEASURED = """
import resource, sys
from pathlib import Path
from phyzctl.geometry.obj import obj_extent, read_obj
data = eval(sys.argv[1]) * 4
held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
eval(sys.argv[2])(Path("m"), data)
taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held
print(1024 * taken / len(data))
"""
DENSE_OBJ = {
    "vertices": ("b'v 0 0 0\\n' * 500_000", "read_obj", 5.0),
    "faces": ("b'v 0 0 0\\n' * 3 + b'f 1 2 3\\n' * 500_000", "read_obj", 6.0),
    "polygons": ("b'v 0 0 0\\n' * 3 + (b'f' + b' 1 2 3' * 100 + b'\\n') * 7000", "read_obj", 14.0),
    "extent": ("b'v 0 0 0\\n' * 500_000", "obj_extent", 0.2),
    "empty lines": ("b'v 0 0 0\\n' + b'\\n' * 4_000_000", "read_obj", 0.2),
    "one line": ("b'v 0 0 0\\n' + b'#' * 4_000_000", "read_obj", 0.2),
}


@pytest.mark.parametrize("name", DENSE_OBJ)
def test_reading_obj_takes_a_small_multiple_of_the_file(name: str) -> None:
    text, reader, most = DENSE_OBJ[name]
    command = [sys.executable, "-P", "-c", MEASURED, text, reader]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 0.0 <= float(shown.stdout) < most


def test_the_groups_above_are_told_apart() -> None:
    assert len(read_obj(HERE, GROUPS).faces) == 4
    assert read_obj(HERE, GROUPS, first_object=True).faces.tolist() == [[0, 1, 2], [3, 2, 1]]


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".msh", ".dae", ".glb", ".ply"])
def test_gigabytes_are_refused_unread(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"m{suffix}"
    with path.open("wb") as file:
        file.truncate(3 << 30)  # of which the disk holds nothing
    for read in (load_mesh, mesh_extent):
        with pytest.raises(MeshError, match=f"has {3 << 30} bytes, more than the"):
            read(path)


def test_formats_of_other_readers_have_a_lower_cap(tmp_path: Path) -> None:
    path = tmp_path / "m.dae"
    path.write_bytes(b" " * (mesh_module.MAX_FOREIGN_BYTES + 1))
    for read in (load_mesh, mesh_extent):
        with pytest.raises(MeshError, match=f"more than the {1 << 26} that are read"):
            read(path)


def test_a_collada_file_of_nothing_but_tags_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.dae"
    path.write_bytes(b"<COLLADA>" + b"<a/>" * mesh_module.MAX_TAGS + b"</COLLADA>")
    for read in (load_mesh, mesh_extent):
        with pytest.raises(MeshError, match="has more than 1000000 tags"):
            read(path)
