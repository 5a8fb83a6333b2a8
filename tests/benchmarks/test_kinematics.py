"""Batched forward kinematics beside MuJoCo's, on the humanoid, as CPU time in the same run.

Both leave the poses of all bodies and geoms in arrays. MuJoCo's own work is the loop without
copies and without what calling it costs, measured by a call that does next to nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from tests.corpus import corpus_dir

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.benchmark

CONFIGURATIONS = 10_000
ROUNDS = 9
Work = Callable[[], object]


def humanoid() -> Path:
    return corpus_dir("shared") / "mujoco/humanoid/humanoid.xml"


def least_seconds(*works: Work) -> list[float]:
    """Per piece of work the least CPU time of several runs, taken in turn."""
    times = np.full((ROUNDS, len(works)), np.inf)
    for row in times:
        for number, work in enumerate(works):
            start = time.thread_time()
            work()
            row[number] = time.thread_time() - start
    return [float(seconds) for seconds in times.min(axis=0)]


def test_humanoid() -> None:
    theirs = mujoco.MjModel.from_xml_path(str(humanoid()))
    robot = read(str(humanoid()), Issues()).robot
    assert robot is not None
    system = compiler.compile(robot).system
    data, rng = mujoco.MjData(theirs), np.random.default_rng(20)
    q = np.empty((CONFIGURATIONS, theirs.nq))
    for row in q:
        row[:] = theirs.qpos0
        mujoco.mj_integratePos(theirs, row, rng.uniform(-1.0, 1.0, theirs.nv), 1.0)
    shapes = {"xpos": (theirs.nbody, 3), "xquat": (theirs.nbody, 4)}
    shapes |= {"geom_xpos": (theirs.ngeom, 3), "geom_xmat": (theirs.ngeom, 9)}
    results = {name: np.empty((CONFIGURATIONS, *shape)) for name, shape in shapes.items()}

    def batched() -> native.Poses:
        return native.kinematics(system, q)

    def loop() -> None:
        for number, row in enumerate(q):
            data.qpos[:] = row
            mujoco.mj_kinematics(theirs, data)
            for name, result in results.items():
                result[number] = getattr(data, name)

    def bare_loop() -> None:
        for _ in range(CONFIGURATIONS):
            mujoco.mj_kinematics(theirs, data)

    def calls() -> None:
        for _ in range(CONFIGURATIONS):
            mujoco.mj_getTotalmass(theirs)

    loop()
    np.testing.assert_allclose(batched().bodies[..., :3], results["xpos"][:, 1:], atol=1e-12)
    ours, whole, bare, overhead = least_seconds(batched, loop, bare_loop, calls)
    inside = bare - overhead
    print(
        f"{ours / CONFIGURATIONS * 1e6:.2f} us a configuration; a loop over MuJoCo takes "
        f"{whole / ours:.1f} times as long, MuJoCo inside it {inside / ours:.1f} times"
    )
    assert whole / ours >= 5.0
    assert inside / ours >= 1.5
