"""Files that mean harm, each through the command under limits of time and memory.

Every case says how the command ends and what it says: one Issue, or one sentence.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from tests.corpus import SAMPLES
from tests.hostile.conftest import Bounded

Content = bytes | str | Callable[[], bytes]

ROBOT = (SAMPLES / "double_pendulum.urdf").read_bytes()
DRIVEN = (SAMPLES / "cart_pole.xml").read_bytes()
BOMB = (
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9))
    + "]>"
)
OUTSIDE = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@dataclass(frozen=True)
class Case:
    """Arguments, files by name, the exit code, and a piece of the one thing that is said.

    A callable makes a large file, in `special` what a name stands for is made by a function of
    its path. `lines` is how many lines at most are said.
    """

    argv: str
    files: Mapping[str, Content]
    code: int
    says: str
    special: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)
    lines: int = 1


def lots(count: int, piece: str, before: str = "", after: str = "") -> Callable[[], bytes]:
    return (before + piece * count + after).encode


def numbered(count: int, piece: str, before: str, after: str) -> Callable[[], bytes]:
    return (before + "".join(piece.format(n) for n in range(count)) + after).encode


def urdf(mesh: str) -> str:
    return (
        '<robot name="r"><link name="a"><collision><geometry>'
        f'<mesh filename="{mesh}"/></geometry></collision></link></robot>'
    )


def mjcf(mesh: str) -> str:
    return (
        f'<mujoco><asset><mesh name="m" file="{mesh}"/></asset><worldbody>'
        '<geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )


def attaching(file: str) -> str:
    return (
        f'<mujoco><asset><model name="m" file="{file}"/></asset><worldbody>'
        '<attach model="m" prefix="x"/></worldbody></mujoco>'
    )


def including(file: str) -> str:
    return f'<mujoco><include file="{file}"/></mujoco>'


def doubling(number: int) -> str:
    """A body that attaches the one before it twice."""
    before = f'<attach body="a{number - 1}" prefix="{{}}"/>'
    return f'<body name="a{number}">{before.format("p")}{before.format("q")}</body>'


def npy_bomb() -> bytes:
    """A megabyte that would grow to more than a gigabyte."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (75_000_000, 2)}
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("q.npy", head.getvalue() + bytes(1_200_000_000))
    return packed.getvalue()


def npy_of_nothing() -> bytes:
    """An archive that announces 160 GB and holds none of it."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (10_000_000_000, 2)}
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("q.npy", head.getvalue())
    return packed.getvalue()


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def pipe(path: Path) -> None:
    os.mkfifo(path)


XML = {
    "entity bomb": Case("validate r.urdf", {"r.urdf": BOMB + '<robot name="&j;"/>'}, 1, "X017"),
    "entity bomb in MJCF": Case("validate r.xml", {"r.xml": BOMB + "<mujoco/>"}, 1, "X017"),
    "entity from outside": Case(
        "validate r.urdf", {"r.urdf": OUTSIDE + '<robot name="r">&a;</robot>'}, 1, "X017"
    ),
    "deep nesting": Case(
        "validate r.urdf", {"r.urdf": lots(100_000, "<link>", "<robot>")}, 1, "more than 512 levels"
    ),
    "deep bodies": Case(
        "validate r.xml", {"r.xml": lots(100_000, "<body>", "<mujoco><worldbody>")}, 1, "X018"
    ),
    "a million links": Case(
        "validate r.urdf",
        {"r.urdf": numbered(1_000_000, '<link name="l{}"/>', '<robot name="r">', "</robot>")},
        1,
        "more than 100000 elements",
    ),
    "replicated without end": Case(
        "validate r.xml",
        {
            "r.xml": "<mujoco><worldbody>"
            '<replicate count="1000000"><geom size="1"/></replicate></worldbody></mujoco>'
        },
        1,
        "<replicate> is left out with all macros that follow: together they would make",
    ),
    "bodies that attach the one before twice": Case(
        "validate --quiet --select X018 r.xml",
        {
            "r.xml": '<mujoco><worldbody><body name="a0"><geom size="1"/></body>'
            + "".join(map(doubling, range(1, 40)))
            + "</worldbody></mujoco>"
        },
        1,
        "<attach> is left out with all macros that follow: together they would make",
    ),
    "a million comments": Case(
        "validate r.urdf",
        {"r.urdf": lots(1_000_000, "<!-- a -->", '<robot name="r">', "</robot>")},
        1,
        "more than 100000 comments",
    ),
    "two million attributes": Case(
        "validate r.urdf",
        {"r.urdf": numbered(2_000_001, ' a{}=""', "<robot", "/>")},
        1,
        "more than 2000000 attributes",
    ),
    "a file that never ends": Case("validate /dev/zero", {}, 1, "at most 64 are read"),
    "ten million numbers": Case(
        "validate r.xml",
        {
            "r.xml": lots(
                10_000_000, "1 ", '<mujoco><worldbody><geom size="', '"/></worldbody></mujoco>'
            )
        },
        1,
        "more than 16 MiB of text",
    ),
    "UTF-16 without its mark": Case(
        "validate r.urdf", {"r.urdf": ROBOT.decode().encode("utf-16-le")}, 1, "X015"
    ),
    "UTF-32": Case("validate r.urdf", {"r.urdf": ROBOT.decode().encode("utf-32")}, 1, "X015"),
    "Latin-1 that doesn't say so": Case(
        "validate r.urdf",
        {"r.urdf": '<robot name="é"><link name="l"/></robot>'.encode("latin-1")},
        1,
        "the first is 0xe9",
    ),
    "an encoding that isn't": Case(
        "validate r.urdf",
        {
            "r.urdf": '<?xml version="1.0" encoding="klingon"?>'
            '<robot name="r"><link name="l"/></robot>'
        },
        1,
        "'klingon'",
    ),
    "a picture": Case(
        "validate r.urdf",
        {"r.urdf": b"\x89PNG\r\n\x1a\n" + bytes(99) + bytes(range(128, 256)) * 99},
        1,
        "",
        lines=2,
    ),
    "zeros": Case("validate r.urdf", {"r.urdf": bytes(10_000)}, 1, "X001"),
    "nothing": Case("validate r.urdf", {"r.urdf": b""}, 1, "the file is empty"),
}
PLACES = {
    "a folder": Case("info .", {}, 2, "there is no robot below"),
    "links in a ring": Case(
        "validate a.urdf",
        {},
        3,
        "symbolic links",
        {"a.urdf": link_to("b.urdf"), "b.urdf": link_to("a.urdf")},
    ),
    "folders in a ring": Case(
        "validate --quiet .", {"r.urdf": ROBOT}, 0, "", {"up": link_to(".")}, lines=0
    ),
    "a pipe in a folder": Case(
        "validate --quiet .", {"r.urdf": ROBOT}, 0, "", {"p.urdf": pipe}, lines=0
    ),
    "an include of itself": Case("validate r.xml", {"r.xml": including("r.xml")}, 1, "X019"),
    "includes in a ring": Case(
        "validate r.xml", {"r.xml": including("s.xml"), "s.xml": including("r.xml")}, 1, "X019"
    ),
    "an include from outside": Case(
        "validate r.xml", {"r.xml": including("../../../../../../etc/passwd")}, 1, "X0"
    ),
    "an included pipe": Case(
        "validate r.xml", {"r.xml": including("p.xml")}, 1, "X019", {"p.xml": pipe}
    ),
    "an included device": Case("validate r.xml", {"r.xml": including("/dev/zero")}, 1, "X019"),
    "an attached pipe": Case(
        "validate r.xml", {"r.xml": attaching("p.xml")}, 1, "there is no file", {"p.xml": pipe}
    ),
    "an attached device": Case(
        "validate r.xml", {"r.xml": attaching("/dev/zero")}, 1, "there is no file"
    ),
    "a model that attaches itself": Case(
        "validate r.xml", {"r.xml": attaching("r.xml")}, 1, "attaches itself"
    ),
    "a mesh that is a pipe": Case(
        "validate r.urdf",
        {"r.urdf": urdf("m.stl")},
        1,
        "there is no file 'm.stl'; looked",
        {"m.stl": pipe},
    ),
    "a mesh that is a folder": Case(
        "validate r.xml", {"r.xml": mjcf(".")}, 1, "there is no file '.'; looked"
    ),
    "a mesh outside of its package": Case(
        "validate r.urdf", {"r.urdf": urdf("package://p/../../../../../etc/passwd")}, 0, "F600"
    ),
}
MESHES = {
    "an STL of a thousand million triangles": Case(
        "validate r.urdf",
        {"r.urdf": urdf("m.stl"), "m.stl": bytes(80) + struct.pack("<I", 10**9) + bytes(50)},
        1,
        "announces 1000000000 triangles",
    ),
    "an MSH of fewer than no vertices": Case(
        "validate r.xml",
        {"r.xml": mjcf("m.msh"), "m.msh": struct.pack("<4i", -4, 0, 0, -4)},
        1,
        "a negative number",
    ),
    "an MSH of all there can be": Case(
        "validate r.xml",
        {"r.xml": mjcf("m.msh"), "m.msh": struct.pack("<4i", *(2**31 - 1,) * 4) + bytes(99)},
        1,
        "announces 94489280484 bytes",
    ),
    "an OBJ of huge numbers": Case(
        "exclude suggest r.urdf",
        {"r.urdf": urdf("m.obj"), "m.obj": f"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 {10**30}\n"},
        0,
        "has a face whose corner is no vertex number",
        lines=9,
    ),
    **{
        f"a COLLADA file: {name}": Case(
            "exclude suggest r.urdf",
            {"r.urdf": urdf("m.dae"), "m.dae": text},
            0,
            "could not be read",
            lines=9,
        )
        for name, text in dict[str, Content](
            {
                "entity bomb": BOMB + "<COLLADA>&j;</COLLADA>",
                "deep nodes": lots(200_000, "<node>", "<COLLADA>"),
            }
        ).items()
    },
}
DOCUMENTS = {
    **{
        f"{verb} {name}": Case(argv, {"r.urdf": ROBOT, "f": text}, code, says)
        for verb, argv, code in (
            ("scene", "check r.urdf --scene f", 3),
            ("scenario", "push f", 3),
            ("configuration", "validate r.urdf --config f", 2),
        )
        for name, text, says in (
            ("of deep arrays", "x = " + "[" * 100_000, "nested too deeply"),
            ("of a deep key", ".".join(["a"] * 50_000) + " = 1", "nested too deeply"),
            ("of a deep header", "[" + ".".join(["a"] * 50_000) + "]", "nested too deeply"),
            ("of a huge number", "x = " + "9" * 100_000, "limit (4300 digits)"),
            ("in UTF-16", "x = 1".encode("utf-16"), ""),
            ("with a zero byte", 'x = "\0"', "not TOML"),
        )
    },
    **{
        f"{name} that never ends": Case(argv, {"r.urdf": ROBOT}, 3, "more than 16 MiB")
        for name, argv in (
            ("a scene", "check r.urdf --scene /dev/zero"),
            ("a scenario", "push /dev/zero"),
            ("a configuration", "validate r.urdf --config /dev/zero"),
            ("a baseline", "validate r.urdf --baseline /dev/zero"),
        )
    },
    **{
        f"a baseline {name}": Case(
            "validate r.urdf --baseline f", {"r.urdf": ROBOT, "f": text}, 2, "is no baseline"
        )
        for name, text in (
            ("of deep lists", "[" * 200_000),
            ("of a huge number", '{"schema": ' + "9" * 100_000 + "}"),
            ("of NaN", '{"schema": NaN}'),
            ("in UTF-16", "{}".encode("utf-16")),
            ("of nothing", ""),
        )
    },
    "an SRDF bomb": Case(
        "exclude lint r.urdf --srdf f", {"r.urdf": ROBOT, "f": BOMB + "<robot/>"}, 3, "X017"
    ),
    "a deep SRDF": Case(
        "exclude lint r.urdf --srdf f",
        {"r.urdf": ROBOT, "f": lots(9_999, "<group>", "<robot>")},
        3,
        "X018",
    ),
    "a robot of deep JSON": Case(
        "info f", {"f": '{"schema": "phyzctl.robot/1", "links": ' + "[" * 100_000}, 3, "64 deep"
    ),
}
MOTIONS = {
    name: Case(f"check r.urdf --trajectory {file}", {"r.urdf": ROBOT, file: text}, code, says)
    for name, file, text, code, says in (
        ("a bomb", "t.npz", npy_bomb, 3, "would grow to"),
        ("an array that isn't there", "t.npz", npy_of_nothing, 3, "this is no npz"),
        ("no archive", "t.npz", b"PK\3\4" + bytes(99), 3, "this is no npz"),
        ("a long cell", "t.csv", "time\n" + "1" * 200_000, 3, "field limit"),
        ("UTF-16", "t.csv", "time,elbow\n0,0\n".encode("utf-16"), 3, "can't decode"),
        ("infinity", "t.csv", "time,elbow\n0,inf\n", 3, "a finite number"),
        ("deep JSON", "t.jsonl", "[" * 200_000, 2, "this is no trace"),
        ("no magic", "t.mcap", b"\x89MCAP0\r\n" + b"\x8d" * 99, 2, "this is no trace"),
    )
}
CONTROLS = {
    name: Case(
        f"simulate r.xml -n 3 --ctrl {file}",
        {"r.xml": DRIVEN} | ({} if text is None else {file: text}),
        3,
        says,
        {} if text is not None else {file: link_to("/dev/zero")},
    )
    for name, file, text, says in (
        ("a bomb of controls", "c.npz", npy_bomb, "would grow to"),
        ("controls that never end", "c.csv", None, "c.csv: is not a file"),
        ("controls that are text", "c.npz", b"time,push\n0,1\n", "this is no npz"),
    )
}
CASES = CONTROLS | XML | PLACES | MESHES | DOCUMENTS | MOTIONS


@pytest.mark.parametrize("name", CASES)
def test_what_means_harm_is_told_and_done_with(name: str, bounded: Bounded, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / ".git").mkdir()  # no configuration from further up
    for file, content in case.files.items():
        data = content() if callable(content) else content
        (tmp_path / file).write_bytes(data if isinstance(data, bytes) else data.encode())
    for file, make in case.special.items():
        make(tmp_path / file)
    ending = bounded(*case.argv.split())
    said = ending.out + ending.err
    assert (ending.code, "bug in phyzctl" in said) == (case.code, False), said[-2000:]
    assert case.says in said
    told = [line for line in ending.said if not line.startswith("  fix:")]
    assert len(told) <= case.lines
    assert all(len(line) < 1000 for line in told)
    assert "root:" not in said  # nothing of a file outside is shown
