"""No proof is wrong: what the search claims of a cell holds in every configuration tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl import formats
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from tests.corpus import SHARED_CORPUS
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


@pytest.mark.parametrize("seed", range(12))
def test_cells_claimed_free_are_free(seed: int) -> None:
    found = tally(random_model(seed), 150, seed=seed)
    assert found.claimed > 20
    assert found.worst < 0.0


@pytest.mark.parametrize("seed", range(6))
def test_cells_claimed_covered_overlap(seed: int) -> None:
    found = tally(random_model(seed, bodies=4, size=4.0), 150, seed=seed, always=True)
    assert found.claimed > 5
    assert found.worst < 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_ten_thousand_cells_of_a_published_robot(name: str) -> None:
    path = SHARED_CORPUS / "menagerie" / name
    if not path.is_file():
        pytest.skip(f"the shared corpus has no {name}")
    found = tally(model_at(path), 10_000, seed=1)
    assert found.claimed > 1000
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
    assert robot is not None
    return compiler.compile(robot)
