"""Finding contacts beside MuJoCo's `mj_collision`, as CPU time of one thread in the same run.

Both see the same configurations around a keyframe. Ours come with kinematics, which MuJoCo is not
asked for within the time: the ratio is a little worse than that of collision alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl import native
from tests.benchmarks.test_kinematics import least_seconds
from tests.corpus import corpus_dir
from tests.native.contacts import Array, Twin

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.benchmark

COUNT = 100
# What it must at least be. Dense meshes deep in each other cost both the same.
ROBOTS = {
    "menagerie/unitree_go1/scene.xml": 1.2,
    "menagerie/unitree_a1/scene.xml": 1.2,
    "menagerie/franka_emika_panda/scene.xml": 1.2,
    "menagerie/kuka_iiwa_14/scene.xml": 1.5,
    "menagerie/universal_robots_ur5e/scene.xml": 1.2,
    "menagerie/shadow_hand/scene_right.xml": 0.8,
    "mujoco/humanoid/humanoid.xml": 1.2,
}


def around(twin: Twin) -> Array:
    """Configurations near the first keyframe, or the reference."""
    theirs, rng = twin.theirs, np.random.default_rng(1)
    start = theirs.key_qpos[0] if theirs.nkey else theirs.qpos0
    rows = []
    for _ in range(COUNT):
        q, v = start.copy(), rng.normal(0.0, 0.3, theirs.nv)
        if theirs.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
            v[:3] *= 0.05
            v[3:6] *= 0.2
        mujoco.mj_integratePos(theirs, q, v, 1.0)
        rows.append(q)
    return np.ascontiguousarray(rows)


@pytest.mark.parametrize(("file", "gate"), ROBOTS.items())
def test_contacts(file: str, gate: float) -> None:
    twin = Twin.of_file(str(Path(corpus_dir("shared") / file)))
    theirs, data, q, world = twin.theirs, twin.data, around(twin), twin.ours.contact_world

    def ours() -> native.Contacts:
        return native.contacts(world, q)

    def whole() -> None:
        for row in q:
            data.qpos[:] = row
            mujoco.mj_kinematics(theirs, data)
            mujoco.mj_collision(theirs, data)

    def without() -> None:
        for row in q:
            data.qpos[:] = row
            mujoco.mj_kinematics(theirs, data)
            mujoco.mj_getTotalmass(theirs)

    mine, all_of_it, rest = least_seconds(ours, whole, without)
    ratio = (all_of_it - rest) / mine
    each = 1e6 / COUNT
    print(
        f"{file}: {len(ours().pair) / COUNT:.1f} contacts of {world.npair} pairs, "
        f"{mine * each:.1f} us, MuJoCo {(all_of_it - rest) * each:.1f} us: {ratio:.2f} times"
    )
    assert ratio >= gate
