"""One MJCF as MuJoCo and the kernel read it, with constraints, at MuJoCo's own contacts."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model.constraints import constraint_arrays
from phyzctl.spatial import Array
from tests.native.smooth import MANY, Twins

mujoco = pytest.importorskip("mujoco")

CONES = {"pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL, "elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC}


class Held(Twins):
    """Twins with constraints; the cone can be either."""

    def __init__(self, theirs: Any, robot: Any) -> None:
        flags = theirs.opt.disableflags
        super().__init__(theirs, robot)
        theirs.opt.disableflags = flags
        theirs.opt.tolerance, theirs.opt.ls_tolerance, theirs.opt.iterations = 0.0, 1e-6, 200
        theirs.opt.ls_iterations = 50
        theirs.opt.ccd_tolerance, theirs.opt.ccd_iterations = 1e-14, 1000
        self.arrays = constraint_arrays(self.model)
        self.held: dict[str, native.Constraints] = {}

    def with_cone(self, cone: str) -> native.Constraints:
        """The constraints with that cone, on both sides."""
        self.theirs.opt.cone = CONES[cone]
        if cone not in self.held:
            self.held[cone] = native.Constraints(self.ours, **self.arrays | {"cone": cone})
        return self.held[cone]

    def near_states(self, count: int, seed: int = 3) -> Iterator[tuple[Array, Array, Array]]:
        """q (nq,), v (nv,), ctrl (nctrl,) around the first keyframe; MuJoCo is put there."""
        rng = np.random.default_rng(seed)
        theirs, data = self.theirs, self.data
        for number in range(count):
            mujoco.mj_resetData(theirs, data)
            if theirs.nkey:
                mujoco.mj_resetDataKeyframe(theirs, data, 0)
            size = 0.3 if number % 2 else 0.02
            mujoco.mj_integratePos(theirs, data.qpos, rng.normal(0.0, size, theirs.nv), 1.0)
            data.qvel[:] = rng.normal(0.0, 0.5, theirs.nv)
            ctrl = data.ctrl if theirs.nu else data.qfrc_applied
            ctrl[:] = rng.normal(0.0, 0.5, len(ctrl))
            mujoco.mj_forward(theirs, data)
            yield data.qpos.copy(), data.qvel.copy(), ctrl.copy()

    def contacts(self) -> native.ContactRows:
        """Those that MuJoCo found, near ones that don't push included."""
        found = [contact for contact in self.data.contact if contact.exclude < 2]
        body = self.theirs.geom_bodyid - 1
        target = [(each.dim, body[each.geom[0]], body[each.geom[1]]) for each in found]
        laws = [
            (
                *each.friction,
                *each.solref,
                *each.solreffriction,
                *each.solimp,
                each.includemargin,
                math.inf,  # those beyond their gaps are not found
                each.adhesion,
            )
            for each in found
        ]
        places = [(each.dist, *each.pos, *each.frame) for each in found]
        return native.ContactRows(
            np.array(target, np.int32).reshape(-1, 3),
            np.array(laws, np.float64).reshape(-1, 17),
            np.array(places, np.float64).reshape(-1, 13),
        )

    def jacobian(self) -> Array:
        """MuJoCo's, in full."""
        theirs, data = self.theirs, self.data
        if not mujoco.mj_isSparse(theirs):
            return np.array(data.efc_J).reshape(data.nefc, theirs.nv)
        J = np.zeros((data.nefc, theirs.nv))
        for row in range(data.nefc):
            start, count = data.efc_J_rowadr[row], data.efc_J_rownnz[row]
            J[row, data.efc_J_colind[start : start + count]] = data.efc_J[start : start + count]
        return J


@functools.lru_cache(maxsize=4)
def held(path: Path) -> Held:
    """The twins of a file that MuJoCo loads and the kernel covers; skips the test otherwise."""
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as refusal:
        pytest.skip(f"MuJoCo refuses it: {str(refusal)[:80]}")
    if not 0 < theirs.nv <= MANY:
        pytest.skip(f"{theirs.nv} degrees of freedom")
    robot = read(str(path), Issues()).robot
    assert robot is not None
    return Held(theirs, robot)


def written(text: str, tmp_path: Path) -> Held:
    """The twins of a model that is written in a test."""
    tmp_path.mkdir(exist_ok=True)
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco>{text}</mujoco>")
    return held(path)
