"""Every reader with files that end too early, hold NaN, are rubbish, or in another encoding.

Each gets Issues or one sentence, soon, and never anything else. The ordinary run takes steps, a
slow one (`-m slow`) looks at every place.
"""

from __future__ import annotations

import random
import re
import signal
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.mesh import MeshError, load_mesh
from tests.hostile.readers import READERS, lay_out
from tests.soak.seeds import tetrahedra

CPU_SECONDS = 10.0
LONGEST = 1000  # letters of what is said
XML = ("urdf", "mjcf", "srdf", "xacro", "dae")
JSON = ("json", "baseline", "trace csv.meta.json")
BINARY = ("stl", "msh", "trace mcap", "trace npz", "controls npz", "motion npz")
TEXT = sorted(READERS.keys() - set(BINARY))
BY_PEOPLE = (
    *("urdf", "mjcf", "json", "srdf", "xacro", "scene", "scenario", "configuration", "baseline"),
    *("controls csv", "motion csv", "ranges"),
)
FEW, ALL = 12, 10_000_000

# These say nothing of a file that holds nothing: a configuration need not state anything.
SILENT_WHEN_EMPTY = {"configuration", "ranges", "scene"}

_NUMBER = re.compile(rb"(?<![\w.#])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![\w.])")
_NOT_FINITE = (b"nan", b"inf", b"-inf", b"1e999")
_NOT_FINITE_BITS = (0x7FC00000, 0x7F800000, 0xFF800000, 0x7F800001)


def steps(count: int, most: int) -> range:
    """Places up to `count`, at most so many, the first and the one before the last among them."""
    return range(0, count, max(1, count // most))


def seldom_and_all(*names: str) -> list[ParameterSet]:
    """Each reader with a few places, and slowly with all of them."""
    few = [pytest.param(name, FEW, id=name) for name in names]
    return few + [
        pytest.param(name, ALL, id=f"{name}, everywhere", marks=pytest.mark.slow) for name in names
    ]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail when more is computed."""

    def stop(*_: object) -> None:
        raise AssertionError(f"more than {seconds} s of computing")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def told(name: str, data: bytes, folder: Path) -> list[str]:
    """What is said of a file; nothing but Issues and sentences may come of it."""
    path = lay_out(name, data, folder)
    with within(CPU_SECONDS):
        try:
            said = [issue.message for issue in READERS[name].read(path)]
        except PhyzctlError as error:
            said = [str(error)]
    for message in said:
        assert message
        assert "\n" not in message
        assert len(message) < LONGEST
    return said


@pytest.mark.parametrize("name", READERS)
def test_the_whole_file_is_read(name: str, tmp_path: Path) -> None:
    assert told(name, READERS[name].whole, tmp_path) == []


@pytest.mark.parametrize(("name", "most"), seldom_and_all(*READERS))
def test_files_that_end_too_early(name: str, most: int, tmp_path: Path) -> None:
    whole = READERS[name].whole
    end = len(whole.rstrip())
    for length in steps(end, most):
        said = told(name, whole[:length], tmp_path)
        if name in (*XML, *JSON) or name in BINARY:
            assert said, length


@pytest.mark.parametrize(("name", "most"), seldom_and_all(*TEXT))
def test_numbers_that_are_none(name: str, most: int, tmp_path: Path) -> None:
    whole = READERS[name].whole
    spans = [match.span() for match in _NUMBER.finditer(whole)]
    for number in steps(len(spans), most):
        start, end = spans[number]
        for word in _NOT_FINITE:
            told(name, whole[:start] + word + whole[end:], tmp_path)


@pytest.mark.parametrize(("name", "most"), seldom_and_all(*BINARY))
def test_bits_that_are_no_number(name: str, most: int, tmp_path: Path) -> None:
    whole = READERS[name].whole
    for start in steps(len(whole) - 8, 4 * most):
        for bits in _NOT_FINITE_BITS:
            told(name, whole[:start] + struct.pack("<I", bits) + whole[start + 4 :], tmp_path)
        double = struct.pack("<d", float("nan"))
        told(name, whole[:start] + double + whole[start + 8 :], tmp_path)


@pytest.mark.parametrize("name", READERS)
def test_rubbish_is_told_in_a_few_words(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    rubbish = [bytes(4096), b"\xff" * 4096, b"\0", b"\x89PNG\r\n\x1a\n" + rng.randbytes(500)]
    rubbish += [rng.randbytes(size) for size in (1, 3, 16, 100, 4096, 100_000)]
    rubbish += [] if name in SILENT_WHEN_EMPTY else [b""]
    for data in rubbish:
        assert 1 <= len(told(name, data, tmp_path)) <= 4, data[:16]


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32", "cp037", "utf-7"])
def test_other_encodings(name: str, encoding: str, tmp_path: Path) -> None:
    text = READERS[name].whole.decode()
    told(name, text.encode(encoding, "replace"), tmp_path)
    told(name, ("é" + text).encode("latin-1", "replace"), tmp_path)
    told(name, text.encode("utf-8") + b"\xff\xfe\xc3", tmp_path)


@pytest.mark.parametrize("name", BY_PEOPLE)
def test_a_byte_order_mark_is_no_fault(name: str, tmp_path: Path) -> None:
    assert told(name, b"\xef\xbb\xbf" + READERS[name].whole, tmp_path) == []


@pytest.mark.parametrize("name", READERS)
def test_files_of_all_other_kinds(name: str, tmp_path: Path) -> None:
    for other in READERS.values():
        told(name, other.whole, tmp_path)


@pytest.mark.parametrize(
    "header", [b"solid", b"solid of CAD", b"SOLID\n facet", b" solid vertex 1 2 3 endfacet"]
)
def test_a_binary_stl_may_begin_with_solid(header: bytes, tmp_path: Path) -> None:
    files = tetrahedra()
    binary = header.ljust(80) + files[".stl"][80:]
    for path, data in ((tmp_path / "b.stl", binary), (tmp_path / "a.stl", files[".STL"])):
        path.write_bytes(data)
    found, expected = load_mesh(tmp_path / "b.stl"), load_mesh(tmp_path / "a.stl")
    np.testing.assert_allclose(found.corners, expected.corners, atol=1e-8)
    for cut in range(1, 50):
        (tmp_path / "b.stl").write_bytes(binary[:-cut])
        with pytest.raises(MeshError, match=r"announces 4 triangles|cut off or broken"):
            load_mesh(tmp_path / "b.stl")


def test_an_ascii_stl_of_a_name_that_lies(tmp_path: Path) -> None:
    text = tetrahedra()[".STL"].replace(b"solid t\n", b"solid vertex facet endsolid\n", 1)
    (tmp_path / "a.stl").write_bytes(text)
    assert len(load_mesh(tmp_path / "a.stl").faces) == 4
