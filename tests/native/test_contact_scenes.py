"""Scenes of real robots beside MuJoCo, at their keyframes and around.

The same pairs with the same laws, in the same order; where both have a formula, the same points.
Elsewhere the share of pairs with as many contacts is printed (`pytest -s`). Meshes of thousands of
triangles, deep in each other, are left: what is one face of their hulls is a matter of rounding.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.corpus import SAMPLES, corpus_dir
from tests.native.contacts import FORMULAS, GeomPair, Twin

mujoco = pytest.importorskip("mujoco")

SCENES = [
    "agility_cassie",
    "anybotics_anymal_c",
    "apptronik_apollo",
    "bitcraze_crazyflie_2",
    "flybody",
    "franka_emika_panda",
    "hello_robot_stretch_3",
    "i2rt_yam",
    "iit_softfoot",
    "kinova_gen3",
    "kuka_iiwa_14",
    "robotis_op3",
    "skydio_x2",
    "toddlerbot_2xc",
    "trossen_wxai",
    "unitree_a1",
    "unitree_g1",
    "unitree_go1",
    "unitree_h1",
    "universal_robots_ur10e",
]
EXACT = 1e-9
FRAME = 1e-6  # quaternions of geoms are known to this
EVEN = 1e-12  # contacts at this distance or less come and go by rounding


def compare_laws(twin: Twin, q: np.ndarray) -> None:
    """Of all contacts that MuJoCo has."""
    theirs, table = twin.collide(q), twin.table
    rows = {(int(a), int(b)): row for row, (a, b) in enumerate(table.pair_geoms)}
    at = [rows[int(a), int(b)] for a, b in theirs.geom]
    law = table.pair_law[at]
    assert_allclose(theirs.dim, table.law_dim[law])
    for name, values in {
        "friction": table.law_friction,
        "solref": table.law_solref,
        "solreffriction": table.law_solref_friction,
        "solimp": table.law_solimp,
        "includemargin": table.law_margin,
    }.items():
        assert_allclose(getattr(theirs, name), values[law], rtol=1e-12, atol=1e-14, err_msg=name)
    # The order of MuJoCo, except where its tree of boxes finds an explicit pair late.
    explicit = len(twin.ours.robot.pairs)
    assert explicit or at == sorted(at)


def compare_points(twin: Twin, q: np.ndarray) -> list[bool]:
    """Where a formula decides; the result is, for the other pairs, who has as many contacts."""
    theirs, ours = twin.their_points(q), twin.our_points(q)
    counts = []
    for pair in sorted({*theirs, *ours}):
        points, mine = theirs.get(pair), ours.get(pair)
        same = points is not None and mine is not None and len(points) == len(mine)
        if twin.types(pair) not in FORMULAS:
            counts.append(same)
        elif not same:
            assert touches_barely(pair, twin, q), pair
        elif points is not None and mine is not None and np.abs(mine.distance).max() > EVEN:
            distance, position, frame = points.differences(mine)
            assert distance < FRAME
            assert position < FRAME
            assert frame < FRAME or turned_over(pair, twin), pair
    return counts


def touches_barely(pair: GeomPair, twin: Twin, q: np.ndarray) -> bool:
    found = [*twin.their_points(q).items(), *twin.our_points(q).items()]
    return all(np.abs(points.distance).max() < EVEN for names, points in found if names == pair)


def turned_over(pair: GeomPair, twin: Twin) -> bool:
    """A capsule fitted to a mesh may point either way along its axis, and so its tangents."""
    return bool(twin.ours.geoms[pair[1]].element.fit_mesh)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_scene(name: str) -> None:
    path = corpus_dir("shared") / "menagerie" / name / "scene.xml"
    if not path.is_file():
        pytest.skip(f"{name} is absent")
    compare(path, spread=0.6)


@pytest.mark.parametrize("name", ["quadruped", "arm_gripper", "three_finger_hand", "humanoid"])
def test_sample(name: str) -> None:
    path = SAMPLES / f"{name}.xml"
    compare(path, spread=0.3)


def compare(path: Path, spread: float) -> None:
    twin, counts = Twin.of_file(str(path)), []
    for q in twin.positions(5, seed=0, spread=spread):
        compare_laws(twin, q)
        counts += compare_points(twin, q)
    if counts:
        print(f"{path.parent.name}: as many contacts in {sum(counts)} of {len(counts)} pairs")
    assert sum(counts) >= 0.65 * len(counts)  # the least is that of cylinders deep in boxes
