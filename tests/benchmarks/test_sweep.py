"""Sweeps against the shortest loop over MuJoCo's kinematics and collision, one thread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from phyzctl import native
from tests.native.robots import load_case

pytestmark = pytest.mark.benchmark

COUNT = 10_000
ROUNDS = 7
# Robot: file, and how many times faster than MuJoCo the sweep must be.
ROBOTS = {
    "humanoid": ("mujoco/humanoid/humanoid.xml", 5.0),
    "go1": ("menagerie/unitree_go1/go1.xml", 5.0),
    "panda hulls": ("menagerie/franka_emika_panda/panda_nohand.xml", 3.0),
    "shadow hand": ("menagerie/shadow_hand/right_hand.xml", 3.0),
}


def cpu_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.parametrize("name", ROBOTS)
def test_faster_than_mujoco(name: str, shared_corpus: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    path, wanted = ROBOTS[name]
    case = load_case(shared_corpus / path)
    q = case.random_q(COUNT, seed=0)
    model = mujoco.MjModel.from_xml_path(str(case.path))
    data = mujoco.MjData(model)

    def theirs() -> None:
        for row in q:
            data.qpos[:] = row
            mujoco.mj_kinematics(model, data)
            mujoco.mj_collision(model, data)

    def ours() -> None:
        native.sweep(case.model.system, case.shapes, q, case.pairs)

    times = [(cpu_time(theirs), cpu_time(ours)) for _ in range(ROUNDS)]
    ratios = sorted(mujoco_time / our_time for mujoco_time, our_time in times)
    each = [1e6 * statistics.median(column) / COUNT for column in zip(*times, strict=True)]
    print(
        f"\n{name}: {len(case.pairs)} pairs, MuJoCo {each[0]:.1f} and sweep {each[1]:.2f} us a "
        f"configuration, {statistics.median(ratios):.1f} times as fast "
        f"({ratios[0]:.1f} to {ratios[-1]:.1f})"
    )
    assert statistics.median(ratios) >= wanted


@pytest.mark.parametrize("name", ROBOTS)
def test_what_depth_and_clearance_cost(name: str, shared_corpus: Path) -> None:
    case = load_case(shared_corpus / ROBOTS[name][0])
    q = case.random_q(COUNT, seed=0)
    questions: dict[str, dict[str, bool]] = {
        "hits": {},
        "depth": {"depth": True},
        "clearance": {"clearance": True},
    }
    costs = {
        question: min(
            cpu_time(
                lambda asked=asked: native.sweep(  # type: ignore[misc]
                    case.model.system, case.shapes, q, case.pairs, **asked
                )
            )
            for _ in range(3)
        )
        for question, asked in questions.items()
    }
    told = ", ".join(f"{question} {1e6 * cost / COUNT:.2f}" for question, cost in costs.items())
    print(f"\n{name}: {told} us a configuration")
    assert costs["clearance"] < 50.0 * costs["hits"]
