"""Every MJCF that MuJoCo loads compiles to the same model.

Equal: counts, names, excludes; masses, centres of mass and inertias; the reference position and
keyframes; world poses of bodies and geoms there, at keyframes and at random configurations; joint
ranges and passive parameters; actuator gears, laws and ranges; which bodies may collide; and the
forces of actuators. `EXCEPTIONS` says what isn't, and why; `pytest -rs` prints what is skipped.
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
from phyzctl.model.geom import GeomType
from phyzctl.model.joint import INFINITY, JointType
from phyzctl.model.model import Model
from phyzctl.robot.mechanism import TransmissionKind
from phyzctl.spatial import Array, pose
from tests.corpus import SAMPLES, files_with_root, robot_params

mujoco = pytest.importorskip("mujoco")

EXACT = 1e-9
MESH = 5e-6  # where single precision, in which MuJoCo keeps meshes, decides
FRAME = 5e-6  # MuJoCo takes quaternions that differ by less than 1e-6 for the same
CONFIGURATIONS = 20

# Part of a path to the comparisons that are left out, and why.
EXCEPTIONS = {
    "broken/mjcf/": ("all", "one defect each; what MuJoCo makes of them is another test"),
    "100_humanoids.xml": ("nkey", "keyframes of attached models are not attached"),
    "22_humanoids.xml": ("nkey", "keyframes of attached models are not attached"),
    "humanoid100.xml": ("nkey", "keyframes of attached models are not attached"),
    "shadow_dexee/": ("na", "its plugins' states"),
    "hello_robot_stretch_3/": ("masses", "one mesh of open shells: 3e-4 of its inertia"),
}


def left_out(path: Path) -> str:
    return next((what for part, (what, _) in EXCEPTIONS.items() if part in path.as_posix()), "")


class Pair:
    """One file, as both read it."""

    def __init__(self, path: Path) -> None:
        self.skipped = left_out(path)
        if self.skipped == "all":
            pytest.skip(EXCEPTIONS["broken/mjcf/"][1])
        try:
            self.theirs = mujoco.MjModel.from_xml_path(str(path))
        except ValueError as refusal:
            pytest.skip(f"MuJoCo refuses it: {str(refusal)[:80]}")
        robot = read(str(path), Issues()).robot
        assert robot is not None
        self.ours: Model = compiler.compile(robot)
        self.data = mujoco.MjData(self.theirs)
        self.moving = [joint for joint in self.ours.joints if joint.type is not JointType.FIXED]

    def configurations(self) -> Array:
        """The reference, every keyframe, and random ones."""
        theirs, rng = self.theirs, np.random.default_rng(20)
        rows = [theirs.qpos0, *theirs.key_qpos]
        for _ in range(CONFIGURATIONS):
            q = theirs.qpos0.copy()
            mujoco.mj_integratePos(theirs, q, rng.uniform(-2.0, 2.0, theirs.nv), 1.0)
            rows.append(q)
        return np.array(rows).reshape(len(rows), theirs.nq)


def compare(path: Path) -> None:
    pair = Pair(path)
    compare_counts(pair)
    if pair.skipped != "masses":
        compare_masses(pair)
    compare_keyframes(pair)
    compare_poses(pair)
    compare_joints(pair)
    compare_actuators(pair)
    compare_filter(pair)
    compare_forces(pair)


def compare_counts(pair: Pair) -> None:
    ours, theirs = pair.ours, pair.theirs
    counts = {
        "nq": (ours.nq, theirs.nq),
        "nv": (ours.nv, theirs.nv),
        "nu": (ours.nu(), theirs.nu),
        "na": (ours.na, theirs.na),
        "nbody": (ours.nbodies() + 1, theirs.nbody),
        "njnt": (len(pair.moving), theirs.njnt),
        "ngeom": (ours.ngeom, theirs.ngeom),
        "nsite": (len(ours.sites), theirs.nsite),
        "neq": (ours.neq, theirs.neq),
        "ntendon": (ours.ntendon, theirs.ntendon),
        "nkey": (ours.nkey, theirs.nkey),
    }
    assert {name: both for name, both in counts.items() if both[0] != both[1]}.keys() <= {
        pair.skipped
    }
    for number, body in enumerate(ours.bodies, start=1):
        name = theirs.body(number).name
        assert name in ("", body.name)
        assert body.parent == theirs.body_parentid[number] - 1
    signatures = theirs.exclude_signature
    assert {tuple(sorted((s >> 16, s & 0xFFFF))) for s in signatures.tolist()} == {
        (i + 1, j + 1) for i, j in ours.contact_exclude
    }


def compare_masses(pair: Pair) -> None:
    theirs = pair.theirs
    for number, body in enumerate(pair.ours.bodies, start=1):
        tolerance = MESH if any(g.type is GeomType.MESH for g in body.geoms) else EXACT
        mass, moments = theirs.body_mass[number], theirs.body_inertia[number]
        assert_allclose(body.mass, mass, rtol=tolerance, atol=1e-15)
        if not (mass and (body.link.inertial or body.geoms)):
            continue  # MuJoCo gives a body of nothing the centre `pos`, as seen from itself
        R = pose(quat=theirs.body_iquat[number])[:3, :3]
        inertia = R @ np.diag(moments) @ R.T
        assert_allclose(body.com, theirs.body_ipos[number], atol=tolerance, err_msg=body.name)
        assert_allclose(
            body.inertia, inertia, atol=tolerance * float(moments.max()), err_msg=body.name
        )


def compare_keyframes(pair: Pair) -> None:
    ours, theirs = pair.ours, pair.theirs
    assert_allclose(ours.default_state().q, theirs.qpos0, atol=EXACT)
    for number, keyframe in enumerate(ours.keyframes):
        state = keyframe.state
        assert_allclose(state.q, theirs.key_qpos[number], atol=EXACT)
        assert_allclose(state.v, theirs.key_qvel[number], atol=EXACT)
        if theirs.nu:
            assert_allclose(state.ctrl, theirs.key_ctrl[number], atol=EXACT)


def compare_poses(pair: Pair) -> None:
    ours, theirs, data = pair.ours, pair.theirs, pair.data
    rows = pair.configurations()
    placed = ours.kinematics(rows)
    X_GM = [mesh_frame(pair, geom) for geom in range(theirs.ngeom)]
    for q, X_WB, X_WG in zip(rows, placed.bodies, placed.geoms, strict=True):
        data.qpos[:] = q
        mujoco.mj_kinematics(theirs, data)
        size = max(1.0, float(np.abs(data.xpos).max()))
        assert_allclose(X_WB[:, :3, 3], data.xpos[1:], atol=EXACT * size)
        rotations = data.xmat[1:].reshape(-1, 3, 3)
        assert_allclose(X_WB[:, :3, :3], rotations, atol=EXACT)
        for number, geom in enumerate(ours.geoms):
            X = X_WG[number] @ X_GM[number]
            tolerance = EXACT if X_GM[number] is IDENTITY else MESH
            tolerance = max(tolerance, FRAME if theirs.geom_sameframe[number] else 0.0)
            assert_allclose(X[:3, 3], data.geom_xpos[number], atol=tolerance * size)
            if not geom.element.fit_mesh:  # whose axes are only known up to half turns
                rotation = data.geom_xmat[number].reshape(3, 3)
                assert_allclose(X[:3, :3], rotation, atol=tolerance)


IDENTITY = np.eye(4)


def mesh_frame(pair: Pair, geom: int) -> Array:
    """MuJoCo moves a mesh's frame into its centre of mass and turns it to its principal axes."""
    theirs = pair.theirs
    if theirs.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
        fitted = pair.ours.geoms[geom].element.fit_mesh is not None
        return np.eye(4) if fitted else IDENTITY
    mesh = theirs.geom_dataid[geom]
    return pose(theirs.mesh_pos[mesh], quat=theirs.mesh_quat[mesh])


def compare_joints(pair: Pair) -> None:
    theirs = pair.theirs
    for number, joint in enumerate(pair.moving):
        assert joint.limited == bool(theirs.jnt_limited[number]), joint.name
        if joint.limited:
            bounds = [0.0 if end == -INFINITY else end for end in joint.range]
            assert_allclose(bounds, theirs.jnt_range[number], atol=EXACT)
        dof = theirs.jnt_dofadr[number]
        passive = {
            "damping": (joint.damping, theirs.dof_damping[dof]),
            "armature": (joint.armature, theirs.dof_armature[dof]),
            "friction": (joint.friction, theirs.dof_frictionloss[dof]),
            "stiffness": (joint.stiffness, theirs.jnt_stiffness[number]),
        }
        for name, (mine, wanted) in passive.items():
            assert_allclose(mine, wanted, rtol=MESH, atol=EXACT, err_msg=f"{joint.name} {name}")


def compare_actuators(pair: Pair) -> None:
    theirs = pair.theirs
    for number, actuator in enumerate(pair.ours.actuators):
        assert_allclose(actuator.gear, theirs.actuator_gear[number], rtol=EXACT)
        if theirs.actuator_ctrllimited[number]:
            assert_allclose(actuator.ctrl_range, theirs.actuator_ctrlrange[number], rtol=EXACT)
        if theirs.actuator_forcelimited[number]:
            assert_allclose(actuator.force_range, theirs.actuator_forcerange[number], rtol=EXACT)
        if not actuator.computed:
            continue
        gain, bias = theirs.actuator_gainprm[number], theirs.actuator_biasprm[number]
        assert_allclose(actuator.gain, gain[:3], rtol=EXACT)
        if theirs.actuator_biastype[number] == mujoco.mjtBias.mjBIAS_AFFINE:
            # A damping ratio becomes a gain through the inertia, so through meshes.
            assert_allclose(actuator.bias, bias[:3], rtol=MESH)


def compare_filter(pair: Pair) -> None:
    ours, theirs = pair.ours, pair.theirs
    welds = ours.weld_groups()
    assert [group + 1 for group in welds] == theirs.body_weldid[1:].tolist()
    expected = admissible(theirs)
    for i in range(theirs.nbody):
        for j in range(i, theirs.nbody):
            assert ours.may_collide(i - 1, j - 1) == ((i, j) in expected), (i, j)


def admissible(theirs: Any) -> set[tuple[int, int]]:
    """The pairs of bodies that MuJoCo's documented filter lets through, by its own arrays."""
    body_of = theirs.geom_bodyid.tolist()
    pairs = zip(theirs.pair_geom1.tolist(), theirs.pair_geom2.tolist(), strict=True)
    found = {tuple(sorted((body_of[a], body_of[b]))) for a, b in pairs}
    excluded = {tuple(sorted((s >> 16, s & 0xFFFF))) for s in theirs.exclude_signature.tolist()}
    keeps_parents = bool(theirs.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT)
    weld = theirs.body_weldid.tolist()
    above = [weld[theirs.body_parentid[group]] for group in weld]
    masks = list(zip(theirs.geom_contype.tolist(), theirs.geom_conaffinity.tolist(), strict=True))
    met: set[tuple[int, int]] = set()
    for a, (type_a, to_a) in enumerate(masks):
        for b, (type_b, to_b) in enumerate(masks[:a]):
            if type_a & to_b or type_b & to_a:
                met.add((min(body_of[a], body_of[b]), max(body_of[a], body_of[b])))
    for i, j in met - excluded:
        if weld[i] == weld[j]:
            continue
        related = weld[i] == above[j] or weld[j] == above[i]
        if keeps_parents or not related or not (weld[i] and weld[j]):
            found.add((i, j))
    return {(int(i), int(j)) for i, j in found}


def compare_forces(pair: Pair) -> None:
    """Joint and fixed-tendon transmissions without activation; gravity compensation included."""
    ours, theirs, data = pair.ours, pair.theirs, pair.data
    if not (theirs.nu and computable(ours)):
        return
    rng = np.random.default_rng(20)
    for q in pair.configurations()[-6:]:
        data.qpos[:] = q
        data.qvel[:] = rng.uniform(-3.0, 3.0, theirs.nv)
        data.ctrl[:] = rng.uniform(-3.0, 3.0, theirs.nu)
        mujoco.mj_forward(theirs, data)
        forces = ours.actuator_forces_at(data.ctrl, data.qpos, data.qvel)
        size = max(1.0, float(np.abs(data.qfrc_actuator).max()))
        assert_allclose(forces, data.qfrc_actuator, atol=1e-12 * size)


def computable(model: Model) -> bool:
    """True when every force follows from joints and fixed tendons."""
    known = (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT, TransmissionKind.TENDON)
    if model.na or any(tendon.element.spatial for tendon in model.tendons):
        return False
    return all(a.computed and a.transmission in known for a in model.actuators)


@pytest.mark.parametrize("path", files_with_root(SAMPLES, "mujoco"), ids=lambda path: path.name)
def test_samples(path: Path) -> None:
    compare(path)


@pytest.mark.parametrize("path", robot_params("s", "mujoco"))
def test_tier_s(path: Path) -> None:
    compare(path)


@pytest.mark.corpus_m
@pytest.mark.parametrize("path", robot_params("m", "mujoco"))
def test_tier_m(path: Path) -> None:
    compare(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", robot_params("shared", "mujoco"))
def test_shared_corpus(path: Path) -> None:
    if "lint_cases" in path.parts:
        pytest.skip("a defect each")
    compare(path)
