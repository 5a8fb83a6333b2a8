"""Mesh files to triangles: STL, OBJ and MSH by ourselves, other formats through trimesh.

Whatever is wrong with a file, the only error is a MeshError of one sentence. Sizes announced in
a file are held against its real size before anything is allocated.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from phyzctl import disk
from phyzctl.geometry.dae_extent import UnusualError, dae_extent
from phyzctl.geometry.foreign import FOREIGN_SUFFIXES, read_foreign
from phyzctl.geometry.meshdata import Extent, Faces, MeshData, MeshError, Vertices
from phyzctl.geometry.msh import msh_extent, read_msh
from phyzctl.geometry.obj import obj_extent, read_obj
from phyzctl.geometry.stl import read_stl, stl_extent

__all__ = ["Extent", "Faces", "MeshData", "MeshError", "Vertices", "load_mesh", "mesh_extent"]

MAX_BYTES = 1 << 30
MAX_FOREIGN_BYTES = 1 << 26  # other readers take up to forty times the size in memory
MAX_TAGS = 1_000_000  # in a COLLADA file: start tags, end tags and what looks like one

_READERS: dict[str, Callable[[Path, bytes], MeshData]] = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".msh": read_msh,
}
_EXTENTS: dict[str, Callable[[Path, bytes], Extent]] = {
    ".stl": stl_extent,
    ".obj": obj_extent,
    ".msh": msh_extent,
    ".dae": dae_extent,
}


def load_mesh(path: str | Path, *, first_object: bool = False) -> MeshData:
    """The triangles of a mesh file, in the file's own axes and units (COLLADA: metres, z up).

    The format is told by the suffix, in any letter case. All objects of an OBJ file are read as
    one, or only the first, as MuJoCo does, with `first_object`. Raises MeshError.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".obj":
        return read_obj(path, _content(path), first_object=first_object)
    reader = _READERS.get(suffix)
    if reader is not None:
        return reader(path, _content(path))
    _check_foreign(path)
    _check_size(path)
    if suffix == ".dae":
        with suppress(UnusualError):  # trimesh drops vertices that are not finite, silently
            dae_extent(path, _content(path))
    if suffix == ".gltf":  # may refer to files beside it
        disk.note_unnamed()
    disk.note(path)
    return read_foreign(path)


def mesh_extent(path: str | Path) -> Extent:
    """The lowest and the highest corner (3,) of the box around a mesh file's vertices.

    Cheaper than `load_mesh`: faces are not built. Raises MeshError.
    """
    path = Path(path)
    extent = _EXTENTS.get(path.suffix.lower())
    if extent is None:
        return load_mesh(path).extent
    try:
        return extent(path, _content(path))
    except UnusualError:
        return load_mesh(path).extent


def _check_foreign(path: Path) -> None:
    if path.suffix.lower() not in FOREIGN_SUFFIXES:
        known = ", ".join(sorted((*_READERS, *FOREIGN_SUFFIXES)))
        raise MeshError(f"{path} has a format that is not known; known are {known}")


def _check_size(path: Path) -> None:
    try:
        size = disk.size(path)
    except (OSError, ValueError) as error:
        raise MeshError(f"{path} can't be read: {_reason(error)}") from None
    if not disk.is_file(path):
        raise MeshError(f"{path} is not a file")
    if size == 0:
        raise MeshError(f"{path} is empty")
    most = MAX_FOREIGN_BYTES if path.suffix.lower() in FOREIGN_SUFFIXES else MAX_BYTES
    if size > most:
        raise MeshError(f"{path} has {size} bytes, more than the {most} that are read")


def _content(path: Path) -> bytes:
    _check_size(path)
    try:
        data = disk.read_bytes(path)
    except OSError as error:
        raise MeshError(f"{path} can't be read: {_reason(error)}") from None
    if path.suffix.lower() == ".dae" and data.count(b"<") > MAX_TAGS:
        raise MeshError(f"{path} has more than {MAX_TAGS} tags")
    return data


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
