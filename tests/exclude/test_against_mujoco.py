"""MuJoCo as the oracle: which configurations hit, and what a written exclude removes."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from phyzctl import formats
from phyzctl.exclude.mjcf import rewritten_mjcf
from phyzctl.exclude.pairs import BodyPair, body_name, body_pairs
from phyzctl.exclude.sample import Sampler
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from phyzctl.formats.xmltree import parse
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.spatial import Array
from tests.corpus import SAMPLES, SHARED_CORPUS

Hits = dict[frozenset[str], int]
TOUCHING = 1e-6  # [m] from a contact that this shallow the two may differ


def model_at(path: Path) -> Model:
    robot = formats.read(str(path), Issues()).robot
    assert robot is not None
    return compiler.compile(robot)


def contacts(oracle: mujoco.MjModel, q: Array) -> list[frozenset[str]]:
    """The pairs of bodies with an overlap in the configuration q."""
    data = mujoco.MjData(oracle)
    data.qpos[:] = q
    mujoco.mj_kinematics(oracle, data)
    mujoco.mj_collision(oracle, data)
    found = set()
    for contact in data.contact[: data.ncon]:
        if contact.dist < 0.0:
            bodies = (oracle.geom_bodyid[geom] for geom in contact.geom)
            found.add(frozenset(oracle.body(body).name for body in bodies))
    return sorted(found, key=sorted)


def oracle_at(path: Path) -> mujoco.MjModel:
    """MuJoCo's model with no softness in the way: no margins, all contacts of a configuration."""
    oracle = mujoco.MjModel.from_xml_path(str(path))
    oracle.geom_margin[:] = 0.0
    return oracle


def count(oracle: mujoco.MjModel, configurations: Array) -> Hits:
    hits: Hits = {}
    for q in configurations:
        for pair in contacts(oracle, q):
            hits[pair] = hits.get(pair, 0) + 1
    return hits


def free_pairs(model: Model) -> list[BodyPair]:
    return [pair for pair in body_pairs(model) if pair.free]


@pytest.mark.parametrize(
    "name", ["humanoid", "arm_gripper", "quadruped", "three_finger_hand", "diff_drive", "four_bar"]
)
def test_hits_of_samples_are_mujocos(name: str) -> None:
    path = SAMPLES / f"{name}.xml"
    same_hits(path, 1000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "franka_emika_panda/panda.xml",
        "unitree_go1/go1.xml",
        "shadow_hand/right_hand.xml",
        "unitree_h1/h1.xml",
        "agilex_piper/piper.xml",
        "wonik_allegro/right_hand.xml",
        "universal_robots_ur5e/ur5e.xml",
        "trs_so_arm100/so_arm100.xml",
        "unitree_a1/a1.xml",
    ],
)
def test_hits_of_published_robots_are_mujocos(name: str) -> None:
    path = SHARED_CORPUS / "menagerie" / name
    if not path.is_file():
        pytest.skip(f"the shared corpus has no {name}")
    same_hits(path, 10_000)


def same_hits(path: Path, samples: int) -> None:
    """Equal counts, but for configurations in which the two are within `TOUCHING` of touching."""
    model, oracle = model_at(path), oracle_at(path)
    space, pairs = space_of(model), free_pairs(model)
    sampler = Sampler(space, outlines(model).shapes, pairs)
    q = space.points(range(samples))
    distances = sampler.distances(q)
    theirs = count(oracle, q)
    for number, pair in enumerate(pairs):
        names = frozenset(body_name(model, body) for body in (pair.first, pair.second))
        column = distances[:, number]
        doubtful = int((np.abs(column) <= TOUCHING).sum())
        mine = int((column < 0.0).sum())
        assert abs(mine - theirs.pop(names, 0)) <= doubtful, sorted(names)
    assert not {pair for pair in theirs if "world" not in pair}
    assert [int(hits) for hits in sampler.sweep(range(samples)).hits] == pytest.approx(
        [int((column < 0.0).sum()) for column in distances.T], abs=1
    )


@pytest.mark.parametrize("name", ["arm_gripper", "humanoid"])
def test_written_excludes_remove_those_contacts_and_no_other(name: str, tmp_path: Path) -> None:
    """Of the pairs that touch, every other one is excluded in the file."""
    path = SAMPLES / f"{name}.xml"
    model = model_at(path)
    q = space_of(model).points(range(1500))
    before = count(oracle_at(path), q)
    touching = [
        (body_name(model, pair.first), body_name(model, pair.second)) for pair in free_pairs(model)
    ]
    chosen = [pair for pair in touching if frozenset(pair) in before][::2]
    assert len(chosen) >= 5
    issues = Issues()
    document = parse(path.read_bytes(), str(path), issues)
    changed = tmp_path / f"{name}.xml"
    changed.write_bytes(rewritten_mjcf(document, chosen))
    after = count(oracle_at(changed), q)
    removed = {frozenset(pair) for pair in chosen}
    assert after == {pair: hits for pair, hits in before.items() if pair not in removed}
