"""No proof is wrong: what the search claims of a cell holds in every configuration tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl import formats
from phyzctl.errors import PhyzctlError
from phyzctl.exclude.sample import Sampler
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from phyzctl.exclude.survey import Effort, survey
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from tests.corpus import SAMPLES, SHARED_CORPUS, robot_params
from tests.exclude.cells import Tally, tally
from tests.exclude.trees import random_model

ROBOTS = (
    "franka_emika_panda/panda.xml",
    "unitree_go1/go1.xml",
    "unitree_h1/h1.xml",
    "shadow_hand/right_hand.xml",
    "agilex_piper/piper.xml",
    "ufactory_xarm7/xarm7.xml",
    "unitree_g1/g1.xml",
    "aloha/aloha.xml",
    "kinova_gen3/gen3.xml",
    "google_barkour_vb/barkour_vb.xml",
)


@pytest.mark.parametrize("seed", range(10))
def test_cells_that_are_only_just_claimed_free_are_free(seed: int) -> None:
    found = tally(random_model(seed), 60, seed=seed, largest=True)
    assert found.claimed > 15
    assert found.worst < 0.0


@pytest.mark.parametrize("seed", range(5))
def test_cells_that_are_only_just_claimed_covered_overlap(seed: int) -> None:
    model = random_model(seed, bodies=4, size=4.0)
    found = tally(model, 60, seed=seed, always=True, largest=True)
    assert found.claimed > 5
    assert found.worst < 0.0


@pytest.mark.parametrize(
    "name", ["arm_gripper.urdf", "humanoid.xml", "quadruped.xml", "three_finger_hand.xml"]
)
def test_no_sample_hits_what_is_proved_never_to_touch(name: str) -> None:
    assert hits_of_proved(SAMPLES / name, 20_000) == {}


@pytest.mark.soak
@pytest.mark.parametrize(
    "path",
    [
        each
        for tier in ("shared", "s", "m")
        for tag in ("robot", "mujoco")
        for each in robot_params(tier, tag)
    ],
)
def test_no_million_samples_hit_what_is_proved_never_to_touch(path: Path) -> None:
    assert hits_of_proved(path, 1_000_000) == {}


def hits_of_proved(path: Path, samples: int) -> dict[tuple[str, str], int]:
    """The hits of the pairs that are proved never to touch, by samples of another seed."""
    try:
        model = model_at(path)
        report = survey(model, Effort(samples=1000, work=2_000_000_000))
    except PhyzctlError as error:
        pytest.skip(str(error))
    proved = [facts for facts in report.pairs if facts.proved_never]
    if not proved:
        return {}
    pairs = [facts.pair for facts in proved]
    sampler = Sampler(space_of(model), outlines(model).shapes, pairs)
    hits = sampler.sweep(range(samples), seed=99).hits
    return {facts.names: int(count) for facts, count in zip(proved, hits, strict=True) if count}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_cells_of_a_published_robot(name: str) -> None:
    path = SHARED_CORPUS / "menagerie" / name
    if not path.is_file():
        pytest.skip(f"the shared corpus has no {name}")
    found = tally(model_at(path), 1000, seed=1, largest=True)
    assert found.claimed > 300
    assert found.worst < 0.0


@pytest.mark.slow
def test_a_hundred_thousand_cells_of_random_robots() -> None:
    total = Tally()
    for seed in range(200):
        total += tally(random_model(1000 + seed), 500, seed=seed)
    assert total.cells == 100_000
    assert total.claimed > 20_000
    assert total.worst < 0.0


def model_at(path: Path) -> Model:
    robot = formats.read(str(path), Issues()).robot
    if robot is None:
        pytest.skip(f"{path.name} is no whole robot")
    return compiler.compile(robot)
