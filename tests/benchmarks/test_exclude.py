"""Sweeps, proofs and the whole of `exclude suggest` beside MuJoCo, as ratios in the same run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from phyzctl import formats, native
from phyzctl.exclude.facts import Outcome
from phyzctl.exclude.pairs import body_pairs
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from phyzctl.exclude.survey import Effort, survey
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from tests.benchmarks.processes import PHYZCTL, cpu_seconds
from tests.corpus import corpus_dir

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.benchmark

CONFIGURATIONS = 10_000
ROUNDS = 5

HUMANOID = "mujoco/humanoid/humanoid.xml"
GO1 = "menagerie/unitree_go1/go1.xml"
PANDA = "menagerie/franka_emika_panda/panda_nohand.xml"

# What a person would write: how many contacts does each pair of bodies have in 10,000 samples?
SCRIPT = """
import sys, numpy as np, mujoco
m = mujoco.MjModel.from_xml_path(sys.argv[1]); d = mujoco.MjData(m)
low, high = m.jnt_range.T; rng = np.random.default_rng(0)
slots = [(m.jnt_qposadr[j], low[j], high[j]) for j in range(m.njnt) if m.jnt_type[j] > 1]
at, low, high = (np.array(x) for x in zip(*slots)); hits = {}
for _ in range(10000):
    d.qpos[at] = rng.uniform(low, high); mujoco.mj_kinematics(m, d); mujoco.mj_collision(m, d)
    for pair in set(map(tuple, m.geom_bodyid[d.contact.geom])): hits[pair] = hits.get(pair, 0) + 1
print(hits)
"""


def model_at(path: Path) -> Model:
    robot = formats.read(str(path), Issues()).robot
    assert robot is not None
    return compiler.compile(robot)


def seconds(*works: Callable[[], object]) -> list[list[float]]:
    """Per piece of work its CPU times in several rounds, taken in turn."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for row, work in zip(times, works, strict=True):
            start = time.thread_time()
            work()
            row.append(time.thread_time() - start)
    return times


def told(name: str, ours: list[float], theirs: list[float]) -> float:
    """The ratio of the least times, printed with the spread over the rounds."""
    ratios = sorted(b / a for a, b in zip(ours, theirs, strict=True))
    best = min(theirs) / min(ours)
    print(
        f"{name}: {min(ours) / CONFIGURATIONS * 1e6:.2f} us a configuration, MuJoCo "
        f"{min(theirs) / CONFIGURATIONS * 1e6:.2f} us, {best:.1f} times "
        f"(rounds {ratios[0]:.1f} to {ratios[-1]:.1f})"
    )
    return best


@pytest.mark.parametrize(("robot", "least"), [(HUMANOID, 5.0), (GO1, 5.0), (PANDA, 3.0)])
def test_a_sweep_beside_mujocos_loop(robot: str, least: float) -> None:
    path = corpus_dir("shared") / robot
    model, theirs = model_at(path), mujoco.MjModel.from_xml_path(str(path))
    data, shapes, q = mujoco.MjData(theirs), outlines(model).shapes, _configurations(model)
    pairs = [pair for pair in body_pairs(model) if pair.free]
    geoms = np.array([each for pair in pairs for each in pair.geoms], dtype=np.int32)
    counts = [len(pair.geoms) for pair in pairs]
    groups = np.repeat(np.arange(len(pairs), dtype=np.int32), counts)

    def sweep() -> object:
        return native.sweep(model.system, shapes, q, geoms, groups=groups)

    def loop() -> None:
        for row in q:
            data.qpos[:] = row
            mujoco.mj_kinematics(theirs, data)
            mujoco.mj_collision(theirs, data)

    assert told(robot, *seconds(sweep, loop)) >= least


def _configurations(model: Model) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return space_of(model).points(range(CONFIGURATIONS))


@pytest.mark.parametrize("robot", [HUMANOID, GO1, PANDA])
def test_the_whole_process_beside_a_script(robot: str) -> None:
    """`exclude suggest` without proofs: it also reads, hulls, labels and prints."""
    path = str(corpus_dir("shared") / robot)
    ours = [*PHYZCTL, "exclude", "suggest", path]
    ours += ["--jobs", "1", "--no-prove", "-q"]
    theirs = [sys.executable, "-c", SCRIPT, path]
    times: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for row, command in zip(times, (ours, theirs), strict=True):
            row.append(cpu_seconds(command, codes=(0,)))
    ratio = min(times[1]) / min(times[0])
    print(f"{robot}: {min(times[0]):.3f} s, the script {min(times[1]):.3f} s, {ratio:.1f} times")
    assert ratio >= 0.9  # both spend most of it on starting Python and its libraries


@pytest.mark.parametrize("robot", [PANDA, GO1, "menagerie/unitree_h1/h1.xml"])
def test_everything_is_decided_in_ten_seconds(robot: str) -> None:
    model = model_at(corpus_dir("shared") / robot)
    start = time.process_time()
    report = survey(model, Effort())
    spent = time.process_time() - start
    never = [facts for facts in report.pairs if facts.hits == 0 and facts.certificate]
    undecided = [facts for facts in never if facts.certificate_is(Outcome.UNDECIDED)]
    print(f"{robot}: {len(never)} pairs never hit, {len(undecided)} undecided, {spent:.1f} s")
    assert not undecided
    assert spent < 10.0
