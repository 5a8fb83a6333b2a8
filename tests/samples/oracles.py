"""One robot in two formats, as MuJoCo (MJCF) and Pinocchio (URDF) see it."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_robots"
Array = Any
Inertia = tuple[float, Array, Array]


def check_urdf(path: Path, seconds: float = 20) -> subprocess.CompletedProcess[str]:
    """Run check_urdf, which never returns on some loops: hence the time limit."""
    beside = Path(sys.executable).with_name("check_urdf")
    program = str(beside) if beside.exists() else shutil.which("check_urdf")
    if program is None:
        pytest.skip("check_urdf is not installed (pip install cmeel-urdfdom)")
    command = [program, str(path)]
    options: dict[str, Any] = {"capture_output": True, "text": True, "errors": "replace"}
    return subprocess.run(command, check=False, timeout=seconds, **options)


def mimic_pairs(path: Path) -> dict[str, tuple[str, float, float]]:
    """Follower to (leader, multiplier, offset), as a URDF states them."""
    pairs = {}
    for joint in ET.parse(path).iterfind("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            factor, offset = (
                float(mimic.get(key, d)) for key, d in (("multiplier", 1), ("offset", 0))
            )
            pairs[joint.attrib["name"]] = (mimic.attrib["joint"], factor, offset)
    return pairs


@functools.cache
def twin(name: str) -> Twin:
    """The sample of that name, loaded once."""
    return Twin(name)


class Twin:
    """Both halves of a sample; poses are 4x4 in the world, inertias mass, COM, tensor about it."""

    def __init__(self, name: str) -> None:
        self._mujoco = pytest.importorskip("mujoco")
        self._pin = pytest.importorskip("pinocchio")
        self.xml, self.urdf = SAMPLES / f"{name}.xml", SAMPLES / f"{name}.urdf"
        self.mj = self._mujoco.MjModel.from_xml_path(str(self.xml))
        self.data = self._mujoco.MjData(self.mj)
        self._tree = ET.parse(self.urdf).getroot()
        self.floats = bool((self.mj.jnt_type == 0).any())
        base = [self._pin.JointModelFreeFlyer()] if self.floats else []
        self.pin = self._pin.buildModelFromUrdf(str(self.urdf), *base)
        self.pin_data = self.pin.createData()
        kinds = (self._pin.VISUAL, self._pin.COLLISION)
        self._geoms = [
            self._pin.buildGeomFromUrdf(self.pin, str(self.urdf), kind) for kind in kinds
        ]
        self._q = self._pin.neutral(self.pin)

    def urdf_links(self) -> list[str]:
        """Link names in document order, without the world."""
        names = [link.attrib["name"] for link in self._tree.iterfind("link")]
        return [name for name in names if name != "world"]

    def urdf_roots(self) -> set[str]:
        """Links that are nobody's child."""
        children = {child.attrib["link"] for child in self._tree.iterfind("joint/child")}
        return {link.attrib["name"] for link in self._tree.iterfind("link")} - children

    def urdf_joints(self) -> list[str]:
        """Movable joints in document order."""
        joints = self._tree.iterfind("joint")
        return [joint.attrib["name"] for joint in joints if joint.get("type") != "fixed"]

    def urdf_geoms(self) -> list[str]:
        """Visuals and collisions in document order."""
        parts = (part for link in self._tree.iterfind("link") for part in link)
        return [part.attrib["name"] for part in parts if part.tag in ("visual", "collision")]

    def mjcf_bodies(self) -> list[str]:
        """Body names in MuJoCo's order, without the world."""
        return [self.mj.body(index).name for index in range(1, self.mj.nbody)]

    def mjcf_joints(self) -> list[str]:
        """Joint names in MuJoCo's order, without the free joint."""
        joints = (self.mj.joint(index) for index in range(self.mj.njnt))
        return [joint.name for joint in joints if joint.type[0] != 0]

    def mjcf_geoms(self) -> list[str]:
        """Geom names in MuJoCo's order."""
        return [self.mj.geom(index).name for index in range(self.mj.ngeom)]

    def mjcf_inertia(self, name: str) -> Inertia:
        """Mass, COM and tensor of a body in its own frame."""
        return self._compiled_inertia(self.mj, name)

    def _compiled_inertia(self, model: Any, name: str) -> Inertia:
        body = model.body(name)
        axes = self._rotation(body.iquat)
        return body.mass[0], body.ipos.copy(), axes @ np.diag(body.inertia) @ axes.T

    def _rotation(self, quat: Array) -> Array:
        matrix = np.zeros(9)
        self._mujoco.mju_quat2Mat(matrix, np.asarray(quat, float))
        return matrix.reshape(3, 3)

    def urdf_inertia(self, name: str) -> Inertia:
        """The same of a link, from the URDF's text; zero for a frame."""
        link = next(link for link in self._tree.iterfind("link") if link.get("name") == name)
        inertial = link.find("inertial")
        if inertial is None:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        written = {key: text for part in inertial for key, text in part.attrib.items()}
        com = np.array([float(x) for x in written.get("xyz", "0 0 0").split()])
        tensor = [[float(written["i" + "".join(sorted(r + c))]) for c in "xyz"] for r in "xyz"]
        return float(written["value"]), com, np.array(tensor)

    def rigid_groups(self) -> Iterator[tuple[str, Inertia, Inertia]]:
        """The first body of each moving group with the group's inertia in MuJoCo and Pinocchio."""
        roots = self.mj.body_weldid
        for root in sorted({int(root) for root in roots if root}):
            members = [self.mj.body(int(index)).name for index in np.flatnonzero(roots == root)]
            joint = self.pin.frames[self.pin.getFrameId(members[0], self._pin.BODY)].parentJoint
            whole = self.pin.inertias[joint]
            yield members[0], self._sum(members), (whole.mass, whole.lever, whole.inertia)

    def _sum(self, members: list[str]) -> Inertia:
        into = np.linalg.inv(self.mjcf_pose(members[0]))[:3]
        parts = [self.world_inertia(name) for name in members]
        mass = sum(part[0] for part in parts)
        com = sum(part[0] * part[1] for part in parts) / mass
        offsets = [part[1] - com for part in parts]
        steiner = sum(
            part[0] * (d @ d * np.eye(3) - np.outer(d, d))
            for part, d in zip(parts, offsets, strict=True)
        )
        tensor = sum(part[2] for part in parts) + steiner
        turn = into[:, :3]
        return mass, turn @ com + into[:, 3], turn @ tensor @ turn.T

    def inertias_from_shapes(self) -> dict[str, Inertia]:
        """What MuJoCo computes from the collision shapes at 1000 kg/m³, where there are any."""
        spec = self._mujoco.MjSpec.from_file(str(self.xml))
        spec.compiler.inertiafromgeom = 1
        for geom in spec.geoms:
            if geom.name.endswith("_visual"):
                geom.mass = 0
        model = spec.compile()
        shaped = [name for name in self.mjcf_bodies() if self.mj.body(name).geomnum[0]]
        return {name: self._compiled_inertia(model, name) for name in shaped}

    def world_inertia(self, name: str) -> Inertia:
        """Mass, COM and tensor of a body in world axes, at the present configuration."""
        mass, com, tensor = self.mjcf_inertia(name)
        pose = self.mjcf_pose(name)
        turn = pose[:3, :3]
        return mass, turn @ com + pose[:3, 3], turn @ tensor @ turn.T

    def set_configuration(self, rng: np.random.Generator) -> None:
        """Put both halves into one random configuration; mimic joints are left free."""
        self._q = self._pin.neutral(self.pin)
        self.data.qpos[:] = self.mj.qpos0
        if self.floats:
            position, quat = rng.normal(size=3), rng.normal(size=4)
            quat /= np.linalg.norm(quat)
            self._q[:7] = [*position, *quat[1:], quat[0]]
            self.data.qpos[:7] = [*position, *quat]
        for name in self.mjcf_joints():
            angle = rng.uniform(-1.5, 1.5)
            self.data.joint(name).qpos[0] = angle
            joint = self.pin.joints[self.pin.getJointId(name)]
            unbounded = joint.nq == 2
            value = [np.cos(angle), np.sin(angle)] if unbounded else [angle]
            self._q[joint.idx_q : joint.idx_q + joint.nq] = value
        self.forward()
        self._pin.framesForwardKinematics(self.pin, self.pin_data, self._q)

    def mjcf_pose(self, name: str) -> Array:
        """A body in the world."""
        body = self.data.body(name)
        return _pose(body.xpos, body.xmat)

    def urdf_pose(self, name: str) -> Array:
        """A link in the world."""
        return self.pin_data.oMf[self.pin.getFrameId(name, self._pin.BODY)].homogeneous

    def mjcf_geom_pose(self, name: str) -> Array:
        """A geom in the world."""
        geom = self.data.geom(name)
        return _pose(geom.xpos, geom.xmat)

    def _urdf_geom(self, name: str) -> Any:
        """Pinocchio names geoms after their link and number, in document order."""
        link, kind = self._owner(name)
        siblings = [part.attrib["name"] for part in link.iterfind(kind)]
        geoms = self._geoms[("visual", "collision").index(kind)]
        number = siblings.index(name)
        return geoms.geometryObjects[geoms.getGeometryId(f"{link.attrib['name']}_{number}")]

    def _owner(self, name: str) -> tuple[ET.Element, str]:
        for link in self._tree.iterfind("link"):
            for part in link:
                if part.get("name") == name:
                    return link, part.tag
        raise AssertionError(f"no geom {name}")

    def urdf_geom_pose(self, name: str) -> Array:
        """A visual or collision in the world."""
        geom = self._urdf_geom(name)
        return (self.pin_data.oMi[geom.parentJoint] * geom.placement).homogeneous

    def mjcf_size(self, name: str) -> list[float]:
        """Kind-dependent sizes: half edges, or radius and half length."""
        geom = self.mj.geom(name)
        count = {2: 1, 3: 2, 5: 2, 6: 3}[int(geom.type[0])]
        return list(geom.size[:count])

    def urdf_size(self, name: str) -> list[float]:
        """The same from the URDF's text."""
        link, _ = self._owner(name)
        part = next(part for part in link if part.get("name") == name)
        shape = part.find("geometry")[0]  # type: ignore[index]
        if shape.tag == "box":
            return [float(edge) / 2 for edge in shape.attrib["size"].split()]
        halves = [float(shape.attrib["length"]) / 2] if "length" in shape.attrib else []
        return [float(shape.attrib["radius"]), *halves]

    def mjcf_limits(self, name: str) -> list[float]:
        """Lower, upper, effort, damping, friction; infinite where there is no bound."""
        joint = self.mj.joint(name)
        dof = joint.dofadr[0]
        low, high = joint.range if self.mj.jnt_limited[joint.id] else (-np.inf, np.inf)
        bounded = self.mj.jnt_actfrclimited[joint.id]
        effort = self.mj.jnt_actfrcrange[joint.id][1] if bounded else np.inf
        return [low, high, effort, self.mj.dof_damping[dof], self.mj.dof_frictionloss[dof]]

    def urdf_limits(self, name: str) -> list[float]:
        """The same from the URDF's text."""
        joint = next(j for j in self._tree.iterfind("joint") if j.get("name") == name)
        limit, dynamics = joint.find("limit"), joint.find("dynamics")
        bounds = {} if limit is None else limit.attrib
        losses = {} if dynamics is None else dynamics.attrib
        low, high = float(bounds.get("lower", "-inf")), float(bounds.get("upper", "inf"))
        rest = [float(losses.get(key, 0)) for key in ("damping", "friction")]
        return [low, high, float(bounds.get("effort", "inf")), *rest]

    def reset(self, key: int | None = None) -> None:
        """Go to the rest pose or a keyframe."""
        if key is None:
            self._mujoco.mj_resetData(self.mj, self.data)
        else:
            self._mujoco.mj_resetDataKeyframe(self.mj, self.data, key)
        self.forward()

    def forward(self) -> None:
        """Bring MuJoCo's derived quantities up to date."""
        self._mujoco.mj_forward(self.mj, self.data)

    def step(self, count: int) -> None:
        """Simulate."""
        for _ in range(count):
            self._mujoco.mj_step(self.mj, self.data)

    def warnings(self) -> int:
        """How many warnings MuJoCo has counted since the last reset."""
        return sum(int(warning.number) for warning in self.data.warning)

    def touching(self) -> list[tuple[str, str]]:
        """The geoms in contact, in pairs."""
        pairs = (contact.geom for contact in self.data.contact)
        return [(self.mj.geom(one).name, self.mj.geom(two).name) for one, two in pairs]

    def lowest_point(self) -> float:
        """Height of the lowest collision sphere or corner of a bounding box [m]."""
        lows = []
        for index in np.flatnonzero(self.mj.geom_contype):
            centre, half = self.mj.geom_aabb[index].reshape(2, 3)
            turn = self.data.geom_xmat[index].reshape(3, 3)
            middle = self.data.geom_xpos[index] + turn @ centre
            is_sphere = self.mj.geom_type[index] == 2
            lows.append(middle[2] - (half[2] if is_sphere else np.abs(turn[2]) @ half))
        return float(min(lows))


def _pose(position: Array, rotation: Array) -> Array:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.reshape(rotation, (3, 3)), position
    return pose
