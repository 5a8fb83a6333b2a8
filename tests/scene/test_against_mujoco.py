"""Self-collisions of the sample robots against MuJoCo's contacts: the same geoms touch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl.api import load
from phyzctl.model import compiler
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.scene.environment import CollisionEnv
from phyzctl.spatial import Array
from tests.corpus import SAMPLES

mujoco = pytest.importorskip("mujoco")

ROBOTS = sorted(SAMPLES.glob("*.xml"))
CLEAR = 1e-4  # [m] what is nearer to touching is left out
CONFIGURATIONS = 200


def configurations(model: Model, count: int) -> Array:
    """Within the limits, or a turn; free and ball joints turned at random near the reference."""
    rng = np.random.default_rng(7)
    q = np.tile(model.arrays.q_reference, (count, 1))
    for index, joint in enumerate(model.joints):
        place = model.q_slice(index)
        if joint.nq == 1:
            low, high = np.clip(joint.range, -3.0, 3.0)
            q[:, place] = rng.uniform(low, high, (count, 1))
        elif joint.type in (JointType.BALL, JointType.FREE):
            turns = rng.normal(size=(count, 4))
            q[:, place.stop - 4 : place.stop] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return q


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_the_same_geoms_touch(path: Path) -> None:
    model = compiler.compile(load(path))
    theirs = mujoco.MjModel.from_xml_path(str(path))
    theirs.geom_margin[:] = 0.0
    data = mujoco.MjData(theirs)
    assert theirs.ngeom == model.ngeom

    for q in configurations(model, CONFIGURATIONS):
        data.qpos[:] = q
        mujoco.mj_kinematics(theirs, data)
        mujoco.mj_comPos(theirs, data)
        mujoco.mj_collision(theirs, data)
        found = {frozenset(map(int, contact.geom)) for contact in data.contact}
        report = CollisionEnv.EMPTY.check(model, q, margin=CLEAR)
        near = {frozenset((c.a.index, c.b.index)) for c in report.contacts}
        deep = {frozenset((c.a.index, c.b.index)) for c in report.contacts if c.gap < -CLEAR}
        assert deep <= found <= near
