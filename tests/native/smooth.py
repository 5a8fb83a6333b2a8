"""One MJCF as MuJoCo and the kernel's dynamics read it, both without constraints."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.dynamics import dynamics_arrays, unsupported
from phyzctl.spatial import Array, rotation_from_quat
from tests.corpus import SAMPLES, SHARED_CORPUS, files_with_root

mujoco = pytest.importorskip("mujoco")

STATES = 10
QUICK_MODELS = (
    "car/car.xml",
    "humanoid/humanoid.xml",
    "replicate/newton_cradle.xml",
    "slider_crank/slider_crank.xml",
    "tendon_arm/arm26.xml",
)
QUICK_SCENES = (
    "franka_emika_panda",
    "unitree_go1",
    "universal_robots_ur5e",
    "unitree_h1",
    "shadow_hand",
)
MANY = 150  # degrees of freedom: more are crowds of the same, which only take time
DISABLED = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
INTEGRATORS = {
    "euler": mujoco.mjtIntegrator.mjINT_EULER,
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "rk4": mujoco.mjtIntegrator.mjINT_RK4,
}


class Twins:
    """`ours` (Dynamics) and `theirs` (MjModel, with `data`), equal up to rounding.

    Masses, and what is stated relative to them of springs and servos, come from MuJoCo: it weighs
    meshes in single precision, and that is compared elsewhere. So does the inertia of a medium that
    ellipsoids move, which it integrates by a rule.
    """

    def __init__(self, theirs: Any, robot: Any) -> None:
        self.theirs = theirs
        theirs.opt.disableflags |= DISABLED
        self.data = mujoco.MjData(theirs)
        self.model = compiler.compile(robot)
        missing = list(unsupported(self.model))
        if missing:
            pytest.skip(missing[0].message)
        arrays = dynamics_arrays(self.model)
        turns = [rotation_from_quat(quat) for quat in theirs.body_iquat[1:]]
        inertias = [
            R @ np.diag(moments) @ R.T
            for R, moments in zip(turns, theirs.body_inertia[1:], strict=True)
        ]
        arrays["body_mass"] = theirs.body_mass[1:].copy()
        arrays["body_com"] = theirs.body_ipos[1:].copy()
        arrays["body_inertia"] = np.array(inertias).reshape(-1, 3, 3)
        arrays["body_axes"] = theirs.body_iquat[1:].copy()
        for number, joint in enumerate(self.model.joints):
            if joint.element and joint.element.dynamics and joint.element.dynamics.spring_damper:
                at = self.model.v_slice(number)
                arrays["joint_stiffness"][number] = theirs.jnt_stiffness[theirs.dof_jntid[at.start]]
                arrays["damping"][at] = theirs.dof_damping[at]
        affine = theirs.actuator_biastype == mujoco.mjtBias.mjBIAS_AFFINE
        arrays["actuator_bias"] = affine[:, None] * theirs.actuator_biasprm[:, :3]
        fluid = theirs.geom_fluid[(theirs.geom_fluid[:, 0] > 0) & (theirs.geom_bodyid > 0)]
        if len(fluid) == len(arrays["shapes"]):
            arrays["shapes"][:, 15:] = fluid[:, 6:]
        self.ours = native.Dynamics(self.model.system, **arrays)

    def states(self, count: int = STATES) -> Iterator[tuple[Array, Array, Array]]:
        """Random q (1, nq), v (1, nv) and ctrl (1, nctrl); MuJoCo is put there."""
        rng = np.random.default_rng(20)
        for _ in range(count):
            q = self.theirs.qpos0.copy()
            mujoco.mj_integratePos(self.theirs, q, rng.uniform(-1.0, 1.0, self.theirs.nv), 1.0)
            v, ctrl = rng.normal(size=self.theirs.nv), rng.normal(size=self.ours.nctrl)
            mujoco.mj_resetData(self.theirs, self.data)
            self.data.qpos[:], self.data.qvel[:] = q, v
            if self.theirs.nu:
                self.data.ctrl[:] = ctrl
            else:
                self.data.qfrc_applied[:] = ctrl
            mujoco.mj_forward(self.theirs, self.data)
            yield q[None], v[None], ctrl[None]

    def mass_matrix(self) -> Array:
        """MuJoCo's at the state it was put to."""
        M = np.zeros((self.theirs.nv, self.theirs.nv))
        mujoco.mj_fullM(self.theirs, self.data, M)
        return M

    def step(self, integrator: str) -> tuple[Array, Array]:
        """MuJoCo's q and v one step later."""
        self.theirs.opt.integrator = INTEGRATORS[integrator]
        mujoco.mj_step(self.theirs, self.data)
        return self.data.qpos.copy(), self.data.qvel.copy()


@functools.lru_cache(maxsize=4)
def twins(path: Path) -> Twins:
    """The twins of a file that MuJoCo loads and the kernel covers; skips the test otherwise."""
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as refusal:
        pytest.skip(f"MuJoCo refuses it: {str(refusal)[:80]}")
    if not 0 < theirs.nv <= MANY:
        pytest.skip(f"{theirs.nv} degrees of freedom")
    robot = read(str(path), Issues()).robot
    assert robot is not None
    return Twins(theirs, robot)


def twins_of(text: str, tmp_path: Path) -> Twins:
    """The twins of a model that is written in a test."""
    path = tmp_path / "model.xml"
    path.write_text(text)
    return twins(path)


def quick_files() -> list[Any]:
    """Samples, the small shared models and some robots of several kinds."""
    files = [path for path in files_with_root(SAMPLES, "mujoco") if "broken" not in path.parts]
    if SHARED_CORPUS.is_dir():
        files += [SHARED_CORPUS / "mujoco" / name for name in QUICK_MODELS]
        for name in QUICK_SCENES:
            files += scenes(SHARED_CORPUS / "menagerie" / name)
    return [pytest.param(path, id=f"{path.parent.name}/{path.name}") for path in files]


def scenes(folder: Path) -> list[Path]:
    """The scenes of a robot."""
    return sorted(folder.glob("scene*.xml"))


def all_scenes() -> list[Any]:
    """Every scene of every robot, and every small model."""
    if not SHARED_CORPUS.is_dir():
        return []
    found = [
        path for robot in sorted((SHARED_CORPUS / "menagerie").iterdir()) for path in scenes(robot)
    ]
    found += files_with_root(SHARED_CORPUS / "mujoco", "mujoco")
    return [pytest.param(path, id=f"{path.parent.name}/{path.name}") for path in found]
