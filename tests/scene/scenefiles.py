"""A scene file with every key, what it names, and ways to read such files."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema

from phyzctl.issues import Issues
from phyzctl.scene.file import Scene, parse_scene
from tests.corpus import ROOT

BALL = 'shape = "sphere"\nradius = 0.1\n'

FULL = """\
schema = "phyzctl.scene/1"
name = "all keys"
margin = 0.01

[[obstacles]]
id = "ball"
shape = "sphere"
radius = 0.1
xyz = [1, 2, 3]
padding = 0.05

[[obstacles]]
id = "pill"
shape = "capsule"
radius = 0.1
length = 0.3
rpy = [0, 0, 1]

[[obstacles]]
id = "can"
shape = "cylinder"
radius = 0.1
length = 0.3
quat = [2, 0, 0, 0]

[[obstacles]]
id = "crate"
shape = "box"
size = [1, 2, 3]

[[obstacles]]
id = "egg"
shape = "ellipsoid"
radii = [1, 2, 3]

[[obstacles]]
id = "ground"
shape = "half-space"
xyz = [0, 0, -5]

[[obstacles]]
id = "wedge"
shape = "mesh"
file = "wedge.obj"
scale = [1, 1, -2]

[[obstacles]]
id = "swing"
robot = "swing.urdf"
positions = { turn = 1.5707963267948966 }
xyz = [0, 0, 7]

[[attached]]
id = "cup"
frame = "l1"
shape = "box"
size = [0.1, 0.1, 0.1]
xyz = [0, 0, 0.5]
padding = 0.002
touch_links = ["l1", "l0"]

[[attached]]
id = "lid"
shape = "sphere"
radius = 0.01

[[exclusions]]
attached = "cup"
obstacle = "ball"

[[exclusions]]
attached = "cup"
link = "l1"

[[exclusions]]
attached = "cup"
robot_shape = 0

[[exclusions]]
attached = "cup"
other = "lid"
"""

WEDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
SWING = """\
<robot name="swing">
  <link name="post"/>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><sphere radius="9"/></geometry></visual>
    <collision><origin xyz="1 0 0"/><geometry><sphere radius="0.2"/></geometry></collision>
    <collision><origin xyz="2 0 0"/><geometry><mesh filename="wedge.obj"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="post"/><child link="arm"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"""


def parse(text: str, folder: Path) -> tuple[Scene | None, list[str]]:
    issues = Issues()
    scene = parse_scene(text.encode(), str(folder / "s.toml"), issues)
    return scene, [str(issue).replace(f"{folder}/", "") for issue in issues]


def sound(text: str, folder: Path) -> Scene:
    scene, said = parse(text, folder)
    assert said == []
    assert scene is not None
    return scene


def schema() -> dict[str, Any]:
    document = json.loads((ROOT / "schemas/scene.schema.json").read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def accepts(text: str) -> bool:
    return jsonschema.Draft202012Validator(schema()).is_valid(tomllib.loads(text))


def obstacle(text: str) -> str:
    return f'[[obstacles]]\nid = "a"\n{text}\n'


def attached(text: str) -> str:
    return f"[[attached]]\n{BALL}{text}\n"


def exclusion(text: str) -> str:
    return f"[[exclusions]]\n{text}\n"
