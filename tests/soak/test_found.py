"""What soaking has found so far, in files as small as they came to be; none may come back."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.exclude.pairs import MAX_PAIRS, body_pairs
from phyzctl.formats import read_bytes
from phyzctl.geometry.mesh import MeshError, load_mesh, mesh_extent
from phyzctl.issues import Issues
from phyzctl.lint import sweep
from phyzctl.model.compiler import compile as compiled
from phyzctl.robot.robot import Robot
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.prepared import MAX_SHAPES
from tests.corpus import SAMPLES
from tests.soak.cases import Case
from tests.soak.worker import Worker

SIGNALLING_NAN = struct.pack("<I", 0x7F800001)
ROBOT = (SAMPLES / "double_pendulum.urdf").read_bytes()
ARM = (SAMPLES / "six_axis_arm.urdf").read_bytes()
GRIPPER = (SAMPLES / "arm_gripper.urdf").read_bytes()
MESH = (
    b'<robot name="r"><link name="a"><collision><geometry><mesh filename="m.obj"/></geometry>'
    b'</collision></link><link name="b"><collision><geometry><sphere radius="1"/></geometry>'
    b'</collision></link><joint name="j" type="floating"><parent link="a"/><child link="b"/>'
    b"</joint></robot>"
)
FAR = b"""schema = "phyzctl.scene/1"
[[obstacles]]
id = "wall"
shape = "half-space"
xyz = [0, 0, -9]
[[attached]]
id = "can"
frame = "lower_arm"
shape = "capsule"
radius = 0.008
length = 0.04
xyz = [-1e308, 0, 0.06]
"""
PLACEHOLDER = MESH.replace(
    b'<link name="a">',
    b'<link name="a"><inertial><mass value="1"/>'
    b'<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>',
)
VAST = b'[[obstacles]]\nid = "n"\nshape = "box"\nsize = [0.2, 1e308, 4]\n'
SLID = b"""[[pushes]]
duration = 1.0
contacts = [{ face = 3, contact = 0.0, push_speed = 0, tangent_speed = SPEED }]
"""
TWICE = b"""<mujoco><worldbody><body><joint/>
  <inertial pos="0 0 0" mass="2" diaginertia="1 12 0"/>
  <inertial pos="0 0 0" mass="9" diaginertia="7 010 0.3"/>
</body></worldbody></mujoco>"""
CROWD = b"""<mujoco><worldbody><replicate count="200" offset="0.25 0 0"><body>
  <joint/><geom size="0.1"/><body pos="0.1 0 0"><joint/><joint axis="0 1 0"/></body>
</body></replicate></worldbody></mujoco>"""
META = b"""{"schema": "phyzctl.trace/1", "kind": "simulate", "dt": 1, "integrator": "best",
"origin": {"path": "", "sha256": ""},
"channels": [{"name": "q", "columns": ["a"], "units": ["m"]}]}"""
VAST_CAPSULE = b"""<mujoco><worldbody><body><body>
<geom type="capsule" fromto="0 0 0 0 1 0" size="1e99"/></body></body></worldbody></mujoco>"""
PAIRED = b"""<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
<geom name="ball" size="0.5"/><body pos="0 0 1"><freejoint/>
<geom name="foot" type="mesh" mesh="m" contype="0" conaffinity="0"/></body></worldbody>
<contact><pair geom1="ball" geom2="foot"/></contact></mujoco>"""
EVEN_RANGE = b"""<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
<actuator><motor joint="j" ctrlrange="1. 1"/></actuator></mujoco>"""
TETRAHEDRON = b"v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
CARRIED = b"""<mujoco><actuator><position joint="j" dampratio="1"/></actuator><worldbody><body>
<joint name="j"/><geom size="1"/><body><freejoint/><geom size="1"/></body></body></worldbody>
</mujoco>"""
SWALLOWED = b"""<mujoco><worldbody><body><body><geom size="9e298"/><body><joint/>
<geom type="capsule" fromto="0 0 0 0 0.01 4" size="6"/></body></body></body></worldbody></mujoco>"""
HEAVY = b"""<robot name="r"><link name="world"/>
<link name="a"><inertial><mass value="1"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="b"><inertial><origin xyz="1 0 0"/><mass value="1e200"/>
  <inertia ixx="1e190" ixy="0" ixz="0" iyy="1e190" iyz="0" izz="1e190"/></inertial></link>
<joint name="i" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="j" type="continuous"><origin xyz="0 1 0"/><parent link="a"/><child link="b"/></joint>
</robot>"""
TINY = MESH.replace(
    b'<link name="a">',
    b'<link name="a"><inertial><mass value="1e308"/>'
    b'<inertia ixx="1e-308" ixy="0" ixz="0" iyy="1e-308" iyz="0" izz="2e-308"/></inertial>',
).replace(b'<mesh filename="m.obj"/>', b'<box size="1 1 1"/>')
OVERFLOWING = b"""{"schema": "phyzctl.robot/1", "name": "r", "joints": [], "links": [
    {"name": "a", "inertial": {"mass": 1, "inertia": [1, 0, -1e308, 1, 0, 1]}}]}"""


@dataclass(frozen=True)
class Found:
    """How a run should have ended, and what it should have said."""

    argv: tuple[str, ...]
    files: dict[str, bytes]
    codes: frozenset[int]


FOUND = {
    "info of a robot without links": Found(
        ("info", "r.urdf"), {"r.urdf": b'<robot name="x"/>'}, frozenset({3})
    ),
    "a body that is named like the world": Found(
        ("validate", "r.xml"),
        {"r.xml": b'<mujoco><worldbody><body><body name="world"/></body></worldbody></mujoco>'},
        frozenset({1}),
    ),
    "a picture of what is very far away": Found(
        ("check", "r.urdf", "--scene", "s.toml", "--picture", "p.svg"),
        {"r.urdf": ROBOT, "s.toml": FAR},
        frozenset({0, 1, 2, 3}),
    ),
    "bounds that are one number, differently written": Found(
        ("validate", "r.xml", "--unsafe-fixes", "--diff"), {"r.xml": EVEN_RANGE}, frozenset({1})
    ),
    "a ratio of damping, and a free joint that is carried": Found(
        ("info", "r.xml"), {"r.xml": CARRIED}, frozenset({0})
    ),
    "a mesh that is scaled beyond all numbers": Found(
        ("exclude", "suggest", "r.urdf", "--samples", "1", "--no-prove"),
        {
            "r.urdf": MESH.replace(b'"m.obj"', b'"m.obj" scale="1e308 -1e308 1"'),
            "m.obj": TETRAHEDRON,
        },
        frozenset({0, 1, 3}),
    ),
    "a shape of 9e298 m around a joint": Found(
        ("exclude", "suggest", "r.xml", "--samples", "0", "--no-prove"),
        {"r.xml": SWALLOWED},
        frozenset({0, 1, 3}),
    ),
    "masses whose products overflow": Found(
        ("smoke", "r.urdf", "--duration", "0.01", "--base", "fixed"),
        {"r.urdf": HEAVY},
        frozenset({0, 1, 3}),
    ),
    "a tensor of a shape without end": Found(
        ("validate", "r.urdf", "--deep", "--pedantic"),
        {"r.urdf": PLACEHOLDER, "m.obj": b"v 2 0 0\nv 1e308 0 0"},
        frozenset({1}),
    ),
    "a contact that is very far away": Found(
        ("check", "r.urdf", "--scene", "s.toml"),
        {"r.urdf": ARM, "s.toml": VAST},
        frozenset({1}),
    ),
    "a tensor that overflows when it is turned": Found(
        ("check", "r.json"), {"r.json": OVERFLOWING}, frozenset({2})
    ),
    "a header whose fixed frames are a word": Found(
        ("check", "r.urdf", "--trajectory", "t.csv"),
        {
            "r.urdf": ROBOT,
            "t.csv": b"time,q\n0,0\n",
            "t.csv.meta.json": b"""{"channels": [],
         "schema": "phyzctl.trace/1", "origin": {"path": "", "sha256": ""}, "fixed_frames": ""}""",
        },
        frozenset({2}),
    ),
    "a pusher at 1e308 m/s": Found(
        ("push", "s.toml", "-o", "t.npz", "--picture", "p.svg"),
        {"s.toml": SLID.replace(b"SPEED", b"1e308")},
        frozenset({3}),
    ),
    "a push of more than an hour": Found(
        ("push", "s.toml", "-o", "t.npz"),
        {"s.toml": SLID.replace(b"SPEED", b"0").replace(b"1.0", b"4000.0")},
        frozenset({3}),
    ),
    "a tensor that is stated twice, the later one impossible": Found(
        ("validate", "r.xml", "--unsafe-fixes", "--diff"),
        {"r.xml": TWICE},
        frozenset({1}),
    ),
    "an angle of 2^31 rad": Found(
        ("validate", "r.urdf", "--unsafe-fixes", "--diff"),
        {"r.urdf": ROBOT.replace(b'xyz="0 0 1"', b'xyz="0 0 1" rpy="0 2147483648 0"')},
        frozenset({0}),
    ),
    "the pairs of two hundred bodies that come close to each other": Found(
        ("validate", "r.xml", "--deep", "--pedantic", "--no-cache"),
        {"r.xml": CROWD},
        frozenset({0, 1}),
    ),
    "a follower that goes 1e308 times as far": Found(
        ("validate", "r.urdf", "--deep", "--pedantic"),
        {
            "r.urdf": GRIPPER.replace(b'multiplier="1"', b'multiplier="1e308"').replace(
                b'upper="0.04"', b'upper="40"'
            )
        },
        frozenset({0, 1}),
    ),
    "a trace that goes on at infinity": Found(
        ("trace", "plot", "t.csv", "-o", "p.svg"),
        {"t.csv": b"time,q.a\n0,0\ninf,1\n", "t.csv.meta.json": META},
        frozenset({2}),
    ),
    "a capsule of 1e99 m": Found(
        ("simulate", "r.xml", "-n", "5", "-o", "out.npz"),
        {"r.xml": VAST_CAPSULE},
        frozenset({1, 2, 3}),
    ),
    "a mesh that touches by an explicit pair alone": Found(
        ("exclude", "suggest", "r.xml", "--samples", "5", "--no-prove"),
        {"r.xml": PAIRED},
        frozenset({0}),
    ),
    "a mesh that touches so, simulated": Found(
        ("simulate", "r.xml", "-n", "5", "-o", "out.npz"), {"r.xml": PAIRED}, frozenset({0})
    ),
    "a tensor of a mass whose moments are too small for numbers": Found(
        ("validate", "r.urdf", "--unsafe-fixes", "--diff"),
        {"r.urdf": TINY},
        frozenset({0, 1}),
    ),
    "a mesh that is very large": Found(
        ("exclude", "suggest", "r.urdf", "--samples", "5"),
        {"r.urdf": MESH, "m.obj": b"v 1e308 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"},
        frozenset({0}),
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_it_does_not_come_back(name: str, tmp_path: Path) -> None:
    found = FOUND[name]
    first = next(iter(found.files))
    runner = Worker(tmp_path / "case")
    ending = runner.run(Case(name, found.argv, found.files, first, "found", None, found.codes))
    runner.stop()
    assert (ending.kind, ending.where) == ("", ""), ending.details


@pytest.mark.parametrize("suffix", [".stl", ".msh"])
def test_a_signalling_nan_is_an_error_without_a_warning(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"m{suffix}"
    if suffix == ".stl":
        path.write_bytes(bytes(80) + struct.pack("<I", 1) + SIGNALLING_NAN * 12 + bytes(2))
    else:
        path.write_bytes(struct.pack("<4i", 1, 0, 0, 1) + SIGNALLING_NAN * 3 + bytes(12))
    for read in (load_mesh, mesh_extent):
        with pytest.raises(MeshError, match="not a finite number"):
            read(path)


def replicated(count: int) -> Robot:
    """Two bodies of that many balls each."""
    body = (
        f'<body pos="0 0 1"><freejoint/><replicate count="{count}" offset="0 0.1 0">'
        '<geom size="0.01"/></replicate></body>'
    )
    text = f"<mujoco><worldbody>{2 * body}</worldbody></mujoco>"
    robot = read_bytes(text.encode(), "r.xml", Issues()).robot
    assert robot is not None
    return robot


def test_very_many_shapes_are_looked_at_in_fewer_configurations() -> None:
    report = sweep.pairs_of(replicated(200)).report
    assert report is not None
    assert report.samples == sweep.TESTS // 200**2
    small = sweep.pairs_of(replicated(3)).report
    assert small is not None
    assert small.samples == sweep.SAMPLES


def test_too_many_shapes_are_refused() -> None:
    count = 1500
    model = compiled(replicated(count), issues=Issues())
    assert count**2 > MAX_PAIRS
    with pytest.raises(PhyzctlError, match=f"of their {count**2} pairs at most {MAX_PAIRS}"):
        body_pairs(model)
    assert 2 * count > MAX_SHAPES
    with pytest.raises(PhyzctlError, match=f"{2 * count} shapes, at most {MAX_SHAPES}"):
        CollisionEnv.EMPTY.prepare(model)
