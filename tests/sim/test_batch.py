"""Batches: the same runs wherever they are made, and all of them whatever happens."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from phyzctl.errors import NotFoundError
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.sim.batch import Batch, make_run, run_batch
from phyzctl.sim.driving import Driving
from phyzctl.sim.randomize import Ranges, displaced, load_ranges, varied
from tests.sim.robots import EXPLODING, MIXED, model

RANGES = b"""\
[mass]
tip = [0.5, 1.5]
"b*" = [0.9, 1.1]
[damping]
"*" = [0.5, 2.0]
[gain]
push = [0.8, 1.2]
[q]
slide = [-0.01, 0.01]
[v]
"S*" = [-1.0, 1.0]
"""


def ranges(text: bytes = RANGES) -> Ranges:
    found = load_ranges(text, "r.toml", Issues())
    assert found is not None
    return found


def batch(**changes: Any) -> Batch:
    values: dict[str, Any] = {
        "robot": model(MIXED).robot,
        "steps": 60,
        "every": 7,
        "key": "driven",
        "driving": Driving(sines=("push=0.05,3",)),
        "ranges": ranges(),
        "seed": 5,
        "extras": ("effort",),
    }
    return Batch(**(values | changes))


def digests(traces: Iterator[Any]) -> list[str]:
    return [trace.header.digest for trace in traces]


@pytest.fixture(scope="module")
def alone() -> list[str]:
    """The digests of six runs, made one after the other."""
    return digests(run_batch(batch(), 6))


def test_every_run_is_another(alone: list[str]) -> None:
    assert len(set(alone)) == 6
    assert digests(run_batch(batch(seed=6), 2)) != alone[:2]


def test_without_ranges_all_runs_are_one() -> None:
    assert len(set(digests(run_batch(batch(ranges=None), 3)))) == 1


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_make_the_same(alone: list[str], workers: int) -> None:
    with ThreadPoolExecutor(workers) as threads:
        assert digests(run_batch(batch(), 6, threads)) == alone


@pytest.mark.slow
def test_processes_make_the_same(alone: list[str]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert digests(run_batch(batch(), 6, processes)) == alone


def test_a_batch_and_its_traces_travel() -> None:
    there = pickle.loads(pickle.dumps(batch()))
    back = pickle.loads(pickle.dumps(make_run(there, 3)))
    assert back.header == make_run(batch(), 3).header
    assert back.is_intact()


def test_the_header_says_what_was_drawn() -> None:
    header = make_run(batch(), 4).header
    drawn = header.options["drawn"]
    assert header.seed == 5
    assert header.options["run"] == 4
    assert drawn == ranges().draw(model(MIXED), 5, 4)
    assert {name: sorted(each) for name, each in drawn.items()} == {
        "mass": ["base", "tip"],
        "damping": ["Shoulder-1", "root", "slide"],
        "gain": ["push"],
        "q": ["slide"],
        "v": ["Shoulder-1"],
    }


def test_runs_that_break_are_runs_too() -> None:
    broken = Batch(model(EXPLODING).robot, 1000, q={"elbow": 0.1})
    traces = list(run_batch(broken, 2))
    assert [trace.header.complete for trace in traces] == [False, False]
    assert len(traces[0]) > 1


# Drawing


def test_draws_lie_in_their_ranges_and_fill_them() -> None:
    subject = model(MIXED)
    drawn = [ranges().draw(subject, 0, run)["mass"]["tip"] for run in range(200)]
    assert 0.5 <= min(drawn) < 0.55
    assert 1.45 < max(drawn) <= 1.5


def test_parameters_become_what_was_drawn() -> None:
    drawn = {"mass": {"tip": 2.0}, "damping": {"slide": 0.5}, "gain": {"push": 3.0}}
    before = model(MIXED)
    after = compile_model(varied(before.robot, drawn))
    tip = before.body_index("tip")
    slide = before.joint_index("slide")
    assert tip is not None
    assert slide is not None
    assert after.bodies[tip].mass == 2.0 * before.bodies[tip].mass
    assert after.bodies[tip].inertia == pytest.approx(2.0 * before.bodies[tip].inertia)
    assert after.joints[slide].damping == 0.5 * before.joints[slide].damping
    ctrl, q, v = [0.0, 0.1], np.zeros(9), np.zeros(8)
    q[3] = 1.0
    pulled = after.actuator_forces_at(ctrl, q, v)
    assert pulled == pytest.approx(3.0 * before.actuator_forces_at(ctrl, q, v))


@pytest.mark.parametrize("stated", ["", 'mass="3"', 'density="200"'])
def test_masses_from_geoms_are_scaled_too(stated: str) -> None:
    geom = f'<geom size="0.1" {stated}/>'
    text = f'<mujoco><worldbody><body name="b"><joint/>{geom}</body></worldbody></mujoco>'
    before = model(text)
    after = compile_model(varied(before.robot, {"mass": {"b": 1.5}}))
    assert after.bodies[0].mass == pytest.approx(1.5 * before.bodies[0].mass)


def test_states_are_moved() -> None:
    subject = model(MIXED)
    state = subject.default_state()
    moved = displaced(subject, state, {"q": {"slide": 0.1}, "v": {"Shoulder-1": -2.0}})
    assert (moved.q[8], moved.v[6]) == (0.1, -2.0)
    assert not state.v.any()


def test_names_that_are_not_there() -> None:
    with pytest.raises(NotFoundError, match=r"mass: nothing is called 'tipp'; did you mean 'tip'"):
        ranges(b"[mass]\ntipp = [1, 2]\n").draw(model(MIXED), 0, 0)


FAULTS = {
    "[mass]\ntip = [2, 1]\n": "r.toml:2:1: error[E005] 'tip' must be a range, not 2 to 1",
    "[mass]\ntip = 2\n": "E004",
    "[mass]\ntip = [1, nan]\n": "E005",
    "[masses]\ntip = [1, 2]\n": "unknown key 'masses'; did you mean 'mass'?",
    "mass": "E001",
}


@pytest.mark.parametrize(("text", "told"), FAULTS.items())
def test_faulty_ranges_are_told_with_their_places(text: str, told: str) -> None:
    issues = Issues()
    assert load_ranges(text.encode(), "r.toml", issues) is None
    assert any(told in str(issue) for issue in issues)


# Dask


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as made,
        distributed.Client(made) as client,
    ):
        yield client


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_makes_the_same(alone: list[str], cluster: Any) -> None:
    assert digests(run_batch(batch(), 6, cluster)) == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_lost_worker_loses_no_result(alone: list[str], cluster: Any) -> None:
    made = run_batch(batch(), 6, cluster)
    first = next(made).header.digest
    victim = next(iter(cluster.run(os.getpid).values()))
    os.kill(victim, signal.SIGKILL)
    assert [first, *digests(made)] == alone
