"""The files that mutation starts from: the samples, the rules' cases, what corpora are there."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from phyzctl import formats
from phyzctl.cli.app import run
from phyzctl.issues import Issues
from phyzctl.trace.files import SUFFIXES, write_trace
from phyzctl.trace.header import Channel, Origin, TraceHeader
from phyzctl.trace.trace import make_trace
from tests.corpus import ROOT, SAMPLES, SHARED_CORPUS, files_with_root

_LARGEST = 48_000  # bytes; larger files only take longer to say the same
_LARGEST_MESH = 20_000
RULE_CASES = ROOT / "tests" / "lint" / "cases"
TRACES = tuple(suffix for suffix in SUFFIXES if suffix != ".parquet")  # which is pyarrow's to read
ROBOT = "double_pendulum.urdf"  # small, with two joints and shapes that can meet

SRDF = b"""<?xml version="1.0"?>
<robot name="six_axis_arm">
  <group name="arm"><chain base_link="base" tip_link="tool"/></group>
  <group_state name="ready" group="arm"><joint name="elbow" value="1.2"/></group_state>
  <virtual_joint name="w" type="fixed" parent_frame="world" child_link="base"/>
  <end_effector name="e" parent_link="tool" group="arm"/>
  <passive_joint name="wrist_2"/>
  <disable_collisions link1="base" link2="shoulder" reason="Adjacent"/>
  <disable_collisions link1="upper_arm" link2="tool" reason="Never"/>
</robot>
"""

CONFIG = b"""extend-select = ["G"]
ignore = ["J202", "I"]
fail-on = "warning"
deep = false
meshes = true

[severity]
J201 = "warning"

[tolerances]

[package-path]
arm = "here"
"""

_TRIANGLES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
_CORNERS = ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))
_DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">{numbers}
</float_array><technique_common><accessor source="#a" count="4" stride="3"><param name="X"
type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n">
<translate>0 0 1</translate><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


def robots(tag: str) -> tuple[Path, ...]:
    """Descriptions whose root is `robot` or `mujoco`, of a size that is read in no time."""
    folders = [SAMPLES, RULE_CASES, SHARED_CORPUS]
    folders += [ROOT / ".corpus" / tier for tier in ("s", "m", "l")]
    found = [path for each in folders if each.is_dir() for path in files_with_root(each, tag)]
    return tuple(path for path in found if path.stat().st_size <= _LARGEST)


def files(suffix: str, largest: int = _LARGEST) -> tuple[Path, ...]:
    """Corpus files with a suffix."""
    folders = [ROOT / ".corpus" / tier for tier in ("s", "m", "l")]
    found = (path for each in folders for path in sorted(each.glob(f"**/*{suffix}")))
    return tuple(path for path in found if path.is_file() and path.stat().st_size <= largest)


@functools.cache
def as_json(path: Path) -> bytes:
    """A robot description as a JSON one."""
    robot = formats.read(str(path), Issues()).robot
    if robot is None:
        raise ValueError(f"{path} is no robot")
    return formats.write(robot, "json").text.encode()


@functools.cache
def meshes() -> Mapping[str, tuple[bytes, ...]]:
    """Mesh files by suffix: a tetrahedron in each format, and small ones of the corpora."""
    found = {suffix: [data] for suffix, data in tetrahedra().items()}
    for suffix, contents in found.items():
        contents += [path.read_bytes() for path in files(suffix, _LARGEST_MESH)[:40]]
    return {suffix: tuple(contents) for suffix, contents in found.items()}


def tetrahedra() -> dict[str, bytes]:
    """One tetrahedron in every mesh format that is read without another package, and COLLADA."""
    facets = [[_CORNERS[corner] for corner in face] for face in _TRIANGLES]
    binary = b"".join(struct.pack("<12fH", 0, 0, 0, *sum(each, ()), 0) for each in facets)
    vertices = "".join("v {} {} {}\n".format(*corner) for corner in _CORNERS)
    faces = "".join("f {} {} {}\n".format(*(c + 1 for c in face)) for face in _TRIANGLES)
    numbers = " ".join(str(n) for corner in _CORNERS for n in corner)
    indices = " ".join(str(n) for face in _TRIANGLES for n in face)
    msh = struct.pack("<4i", 4, 0, 0, 4)
    msh += np.array(_CORNERS, "<f4").tobytes() + np.array(_TRIANGLES, "<i4").tobytes()
    return {
        ".stl": bytes(80) + struct.pack("<I", 4) + binary,
        ".STL": _ascii_stl(facets).encode(),
        ".obj": (vertices + faces).encode(),
        ".msh": msh,
        ".dae": _DAE.format(numbers=numbers, indices=indices).encode(),
    }


def _ascii_stl(facets: list[list[tuple[float, float, float]]]) -> str:
    lines = ["solid t"]
    for facet in facets:
        corners = [f"vertex {x} {y} {z}" for x, y, z in facet]
        lines += ["facet normal 0 0 0", "outer loop", *corners, "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid t", ""])


@functools.cache
def traces() -> Mapping[str, bytes]:
    """A trace of `ROBOT` by suffix; that of .csv is followed by its header's `.csv.meta.json`."""
    channel = Channel("q", ("shoulder", "elbow"), ("rad", "rad"), state=True)
    origin = Origin(ROBOT, "00")
    header = TraceHeader("test", origin, 0.1, "rk4", (channel,), events=((0.1, "bump"),))
    values = np.linspace(0.0, 0.3, 16).reshape(8, 2)
    trace = make_trace(header, np.linspace(0.0, 0.7, 8), {"q": values}, description="<robot/>")
    with tempfile.TemporaryDirectory() as folder:
        for suffix in TRACES:
            write_trace(trace, Path(folder, f"t{suffix}"))
        return {path.name[1:]: path.read_bytes() for path in sorted(Path(folder).iterdir())}


@functools.cache
def runs() -> Mapping[str, bytes]:
    """What `simulate` writes of `ROBOT` by suffix, so that it can be run again."""
    found: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        here = Path.cwd()
        os.chdir(folder)  # the header names the robot as the command was given it
        try:
            Path(ROBOT).write_bytes((SAMPLES / ROBOT).read_bytes())
            for suffix in TRACES:
                with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
                    run(["simulate", ROBOT, "-n", "8", "-o", f"t{suffix}"])
            for path in sorted(Path().glob("t.*")):
                found[path.name[1:]] = path.read_bytes()
        finally:
            os.chdir(here)
    return found


XACRO = b"""<?xml version="1.0"?>
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="side" default="left"/>
  <xacro:include filename="parts.xacro"/>
  <xacro:property name="size" value="${0.1 * factor}"/>
  <xacro:ball name="base" radius="${size}"><origin rpy="0 0 0"/></xacro:ball>
  <xacro:if value="${'$(arg side)' == 'left'}">
    <xacro:ball name="tip"><origin xyz="0 0 ${2 * size}"/></xacro:ball>
  </xacro:if>
  <xacro:unless value="${'$(arg side)' == 'left'}"><link name="tip"/></xacro:unless>
  <joint name="j" type="revolute"><parent link="base"/><child link="tip"/>
    <limit lower="${-pi/2}" upper="${radians(90)}" effort="1" velocity="1"/></joint>
</robot>
"""
XACRO_LIBRARY = b"""<?xml version="1.0"?>
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="factor" value="1.5"/>
  <xacro:macro name="ball" params="name radius:=0.2 *origin">
    <link name="${name}"><inertial><mass value="${4/3*pi*radius**3}"/>
      <inertia ixx="${0.4*radius}" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
      <collision><xacro:insert_block name="origin"/>
        <geometry><sphere radius="${radius}"/></geometry></collision></link>
  </xacro:macro>
</robot>
"""

BASELINE = json.dumps(
    {
        "schema": "phyzctl.baseline/1",
        "findings": [
            {"code": "J201", "file": "robot.urdf", "element": "/robot/joint", "count": 2},
            {"code": "I101", "file": "", "subject": "link 'a'"},
        ],
    },
    indent=1,
).encode()
