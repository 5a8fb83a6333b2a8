"""Every reader with a small file that it reads: what the tests spoil.

A reader is a function of a path, in the folder of a whole set of files; it returns the Issues
that it found, or raises a `PhyzctlError`.
"""

from __future__ import annotations

import functools
import io
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import phyzctl
from phyzctl import formats
from phyzctl.cli.batching import ranges_in
from phyzctl.config import read_config
from phyzctl.geometry.mesh import load_mesh, mesh_extent
from phyzctl.issues import Issue, Issues
from phyzctl.lint.baseline import read_baseline
from phyzctl.model.model import Model
from phyzctl.pushing.scenario import load_scenario
from phyzctl.scene.file import load_scene
from phyzctl.scene.motionfile import load_motion
from phyzctl.sim.controlfile import load_controls
from phyzctl.trace.files import read_trace
from tests.corpus import SAMPLES
from tests.soak import seeds

Read = Callable[[Path], list[Issue]]

ROBOT = SAMPLES / seeds.ROBOT
DRIVEN = SAMPLES / "cart_pole.xml"


@dataclass(frozen=True)
class Reader:
    """How a kind of file is read: its name there, one that is whole, and the function."""

    name: str
    whole: bytes
    read: Read


@functools.cache
def model_of(path: Path) -> Model:
    return phyzctl.compile(phyzctl.load(path))


def robot(path: Path) -> list[Issue]:
    issues = Issues()
    formats.read(str(path), issues)
    return list(issues)


def mesh(path: Path) -> list[Issue]:
    mesh_extent(path)
    load_mesh(path)
    return []


def scene(path: Path) -> list[Issue]:
    issues = Issues()
    load_scene(str(path), issues)
    return list(issues)


def scenario(path: Path) -> list[Issue]:
    issues = Issues()
    load_scenario(str(path), issues)
    return list(issues)


def configuration(path: Path) -> list[Issue]:
    read_config(path)
    return []


def baseline(path: Path) -> list[Issue]:
    read_baseline(str(path))
    return []


def trace(path: Path) -> list[Issue]:
    read_trace(path).is_intact()
    return []


def controls(path: Path) -> list[Issue]:
    model = model_of(DRIVEN)
    load_controls(str(path), model, np.zeros(len(model.actuators)))
    return []


def ranges(path: Path) -> list[Issue]:
    ranges_in(str(path))
    return []


def motion(path: Path) -> list[Issue]:
    issues = Issues()
    load_motion(str(path), model_of(ROBOT), issues)
    return list(issues)


def npz(**arrays: list[float] | list[list[float]]) -> bytes:
    held = io.BytesIO()
    stated: dict[str, Any] = {name: np.array(values) for name, values in arrays.items()}
    np.savez(held, **stated)
    return held.getvalue()


XACRO = b"""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="size" value="0.1"/>
  <xacro:macro name="ball" params="name radius:=${2*size}">
    <link name="${name}"><visual><geometry><sphere radius="${radius}"/></geometry></visual></link>
  </xacro:macro>
  <xacro:ball name="a"/>
  <xacro:if value="${size &lt; 1}"><xacro:ball name="b" radius="0.5"/></xacro:if>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
</robot>
"""
CONFIG = b"""ignore = ["J202"]
fail-on = "warning"
[severity]
J201 = "warning"
[tolerances]
overlap-depth = 0.01
[[override]]
files = ["*.urdf"]
deep = true
"""
RANGES = b"""[mass]
"*" = [0.9, 1.1]
[q]
shoulder = [-0.1, 0.1]
"""
MOVEIT = b"""(noname)+
* box
1
box
0.1 0.2 0.3
0 0 1
0 0 0 1
0 0 0 0
.
"""


def _readers() -> dict[str, Reader]:
    tetrahedra, traces = seeds.tetrahedra(), seeds.traces()
    found = {
        "urdf": Reader("t.urdf", ROBOT.read_bytes(), robot),
        "mjcf": Reader("t.xml", DRIVEN.read_bytes(), robot),
        "json": Reader("t.json", seeds.as_json(ROBOT), robot),
        "srdf": Reader("t.srdf", seeds.SRDF, robot),
        "xacro": Reader("t.urdf.xacro", XACRO, robot),
        "scene": Reader("t.toml", (SAMPLES / "scenes/table.toml").read_bytes(), scene),
        "moveit scene": Reader("t.scene", MOVEIT, scene),
        "scenario": Reader("t.toml", (SAMPLES / "push/wipe.toml").read_bytes(), scenario),
        "configuration": Reader("t.toml", CONFIG, configuration),
        "baseline": Reader("t.json", seeds.BASELINE, baseline),
        "controls csv": Reader("t.csv", b"time,push\n0,1\n0.5,-1\n", controls),
        "controls npz": Reader("t.npz", npz(time=[0.0, 1.0], push=[1.0, 2.0]), controls),
        "ranges": Reader("t.toml", RANGES, ranges),
        "motion csv": Reader("t.csv", b"time,shoulder,elbow\n0,0,0\n1,0.5,-0.5\n", motion),
        "motion npz": Reader("t.npz", npz(time=[0.0, 1.0], q=[[0.0, 0.0], [1.0, 0.0]]), motion),
    }
    for suffix, data in tetrahedra.items():
        kind = "ascii stl" if suffix == ".STL" else suffix[1:]
        found[kind] = Reader(f"t{suffix}", data, mesh)
    for suffix, data in traces.items():
        found[f"trace {suffix[1:]}"] = Reader(f"t{suffix}", data, _trace_reader(suffix))
    return found


def _trace_reader(suffix: str) -> Read:
    if suffix.endswith(".meta.json"):
        return lambda path: trace(path.with_name(path.name.removesuffix(".meta.json")))
    return trace


def beside(name: str) -> Mapping[str, bytes]:
    """The other files that a reader's file stands beside: of a trace in CSV, the other half."""
    if not name.startswith("trace csv"):
        return {}
    return {f"t{suffix}": data for suffix, data in seeds.traces().items() if ".csv" in suffix}


READERS = _readers()


def lay_out(name: str, data: bytes, folder: Path) -> Path:
    """Write a spoiled file of a reader, with what stands beside it; its path."""
    for other, content in beside(name).items():
        (folder / other).write_bytes(content)
    path = folder / READERS[name].name
    path.write_bytes(data)
    return path


def scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="phyzctl-")
