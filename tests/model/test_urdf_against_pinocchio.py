"""Every URDF that Pinocchio loads with a fixed base compiles to the same tree.

Equal, within 1e-9: degrees of freedom, the place of every link at random configurations, and per
rigid group the mass, centre of mass and inertia. Pinocchio merges what fixed joints hold into the
inertia of the joint above, turns a continuous joint by its cosine and sine, and ignores mimic.
Files that Pinocchio refuses are not compared. `EXCEPTIONS` says which others are not, and why;
`pytest -rs` prints the table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.body import WORLD
from phyzctl.model.model import Model
from phyzctl.spatial import Array, RigidInertia, inverse
from tests.corpus import files_with_root, robot_params

pin = pytest.importorskip("pinocchio")

SAMPLES = Path(__file__).resolve().parents[2] / "sample_robots"
TOLERANCE = 1e-9
CONFIGURATIONS = 5

# File name to reason. All are samples with one defect each, that Pinocchio reads over.
EXCEPTIONS = {
    "I107_mass_negative.urdf": "a total mass of zero has no centre",
    "J211_axis_zero.urdf": "an axis without direction: Pinocchio does not turn, phyzctl takes z",
    "X011_decimal_comma.urdf": "0,8 is no number: Pinocchio drops the inertial, phyzctl the mass",
    "X012_not_a_number.urdf": "a word is no number: Pinocchio drops the inertial, phyzctl the mass",
    "X013_macro_left.urdf": "${…} is no number: Pinocchio drops the inertial, phyzctl the mass",
    "X017_doctype.urdf": "phyzctl refuses document type declarations",
}


def load(path: Path) -> Any:
    """Pinocchio's model; skips what it refuses, on the ground that there is nothing to compare."""
    try:
        return pin.buildModelFromUrdf(str(path))
    except (ValueError, RuntimeError, IndexError) as refusal:
        pytest.skip(f"Pinocchio refuses it: {str(refusal)[:80]}")


def compile_fixed(path: Path) -> Model:
    robot = read(str(path), Issues()).robot
    assert robot is not None
    return compiler.compile(robot, base="fixed")


def compare(path: Path) -> None:
    if path.name in EXCEPTIONS:
        pytest.skip(EXCEPTIONS[path.name])
    reference, model = load(path), compile_fixed(path)
    assert model.nv == reference.nv
    compare_poses(model, reference)
    compare_inertias(model, reference)


def compare_poses(model: Model, reference: Any) -> None:
    data, rng = reference.createData(), np.random.default_rng(20)
    frames = {
        model.body_index(frame.name): number
        for number, frame in enumerate(reference.frames)
        if frame.type == pin.FrameType.BODY
    }
    assert set(range(model.nbodies())) <= set(frames)
    for _ in range(CONFIGURATIONS):
        ours, theirs = random_configuration(model, reference, rng)
        pin.framesForwardKinematics(reference, data, theirs)
        placed = model.kinematics(ours).bodies
        expected = np.array([data.oMf[frames[body]].homogeneous for body in range(model.nbodies())])
        assert_allclose(placed, expected.reshape(placed.shape), atol=TOLERANCE, rtol=TOLERANCE)


def random_configuration(
    model: Model, reference: Any, rng: np.random.Generator
) -> tuple[Array, Array]:
    """The same configuration in both orders and conventions."""
    ours, theirs = model.default_state().q, pin.neutral(reference)
    for name, joint in list(zip(reference.names, reference.joints, strict=True))[1:]:
        place, kind = model.q_slice(name), joint.shortname()
        x, y, angle = rng.uniform(-3.0, 3.0, 3)
        values: Any
        if "FreeFlyer" in kind:
            ours[place], values = free_pose(model, name)
        elif "Planar" in kind:
            ours[place.start - 2 : place.stop] = x, y, angle
            values = [x, y, np.cos(angle), np.sin(angle)]
        else:
            ours[place] = angle
            values = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
        theirs[joint.idx_q : joint.idx_q + joint.nq] = values
    return ours, theirs


def free_pose(model: Model, name: str) -> tuple[list[float], Array]:
    """A pose in the parent (w first), and the same from where the joint stands (w last)."""
    offset = pin.SE3.Random()
    number = model.joint_index(name)
    assert number is not None
    X_PB = model.bodies[model.joints[number].body].X_PB @ offset.homogeneous
    x, y, z, i, j, k, w = pin.SE3ToXYZQUAT(pin.SE3(X_PB))
    return [x, y, z, w, i, j, k], pin.SE3ToXYZQUAT(offset)


def compare_inertias(model: Model, reference: Any) -> None:
    X_WB = model.kinematics(model.default_state().q).bodies
    groups = model.weld_groups()
    for name, inertia in zip(reference.names, reference.inertias, strict=True):
        number = model.joint_index(name)
        group = WORLD if number is None else model.joints[number].body
        X_GW = np.eye(4) if group == WORLD else inverse(X_WB[group])
        members = [body for body, mine in enumerate(groups) if mine == group]
        total = RigidInertia.combined(
            inertia_of(model, body).transformed(X_GW @ X_WB[body]) for body in members
        )
        assert_allclose(total.mass, inertia.mass, rtol=TOLERANCE, atol=TOLERANCE)
        if total.mass:
            assert_allclose(total.com, inertia.lever, rtol=TOLERANCE, atol=TOLERANCE)
            scale = max(1.0, float(np.abs(total.inertia).max()))
            assert_allclose(total.inertia, inertia.inertia, atol=TOLERANCE * scale)


def inertia_of(model: Model, body: int) -> RigidInertia:
    part = model.bodies[body]
    return RigidInertia(part.mass, part.com, part.inertia)


@pytest.mark.parametrize("path", robot_params("s", "robot"))
def test_tier_s(path: Path) -> None:
    compare(path)


@pytest.mark.corpus_m
@pytest.mark.parametrize("path", robot_params("m", "robot"))
def test_tier_m(path: Path) -> None:
    compare(path)


@pytest.mark.parametrize("path", files_with_root(SAMPLES, "robot"), ids=lambda path: path.name)
def test_samples(path: Path) -> None:
    compare(path)


KINDS = """
<robot name="kinds">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="part"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><mass value="2"/>
    <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial></link>
  <link name="tip"/>
  <joint name="joint" type="{kind}"><parent link="base"/><child link="part"/>
    <origin xyz="1 2 3" rpy="0.3 -0.2 0.9"/><axis xyz="{axis}"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="weld" type="fixed"><parent link="part"/><child link="tip"/>
    <origin xyz="0.5 0 0" rpy="1.5 0.7 0"/></joint>
</robot>
"""


@pytest.mark.parametrize("axis", ["1 0 0", "0 0 1", "0 -1 0", "1 2 -3"])
@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "fixed", "floating"])
def test_kinds_of_joints(tmp_path: Path, kind: str, axis: str) -> None:
    path = tmp_path / "kinds.urdf"
    path.write_text(KINDS.format(kind=kind, axis=axis))
    compare(path)


def test_a_planar_joint_in_the_plane_that_pinocchio_knows(tmp_path: Path) -> None:
    path = tmp_path / "kinds.urdf"
    path.write_text(KINDS.format(kind="planar", axis="0 0 1"))
    compare(path)


def test_exceptions_are_files_that_exist() -> None:
    names = {path.name for path in files_with_root(SAMPLES, "robot")}
    assert set(EXCEPTIONS) <= names
