"""A step with constraints and contacts beside MuJoCo's, as CPU time of one thread in the same run.

What all robots of the menagerie and the samples come to stands in docs/simulation_figures.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.race import race
from tests.corpus import corpus_dir

pytestmark = pytest.mark.benchmark

ROBOTS = {
    "aloha/scene.xml": 2.0,
    "universal_robots_ur5e/scene.xml": 2.0,
    "franka_emika_panda/scene.xml": 2.0,
    "kuka_iiwa_14/scene.xml": 2.0,
    "trs_so_arm100/scene.xml": 2.0,
    "unitree_go1/scene.xml": 2.0,
    "unitree_go2/scene.xml": 2.0,
    "unitree_a1/scene.xml": 2.0,
    "anybotics_anymal_c/scene.xml": 2.0,
    "unitree_h1/scene.xml": 1.2,
    "unitree_g1/scene.xml": 1.2,
    "agility_cassie/scene.xml": 1.2,
    "toddlerbot_2xc/scene_pos.xml": 1.2,
    "pal_talos/scene_position.xml": 1.2,
    "shadow_hand/scene_right.xml": 1.2,
    "wonik_allegro/scene_right.xml": 1.2,
}


PLANE = '<geom type="plane" size="9 9 1"/>'
# Loose bodies: names, bodies, and how many times MuJoCo's time it must at least be.
CROWDS = {
    "27 capsules": (
        "".join(
            f'<body pos="{0.25 * i} {0.25 * j} {0.2 + 0.25 * k}" '
            f'euler="{37 * i} {23 * k} {11 * j}"><freejoint/>'
            '<geom type="capsule" size=".05 .1"/></body>'
            for i in range(3)
            for j in range(3)
            for k in range(3)
        ),
        1.2,
    ),
    "a stack of 8 boxes": (
        "".join(
            f'<body pos="0 0 {0.1 + 0.2 * k}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
            for k in range(8)
        ),
        1.2,
    ),
    "100 balls": (
        "".join(
            f'<body pos="{0.21 * (n % 5) + 0.003 * (n % 7)} {0.21 * (n // 5 % 5)} '
            f'{0.1 + 0.2 * (n // 25)}"><freejoint/><geom size=".1"/></body>'
            for n in range(100)
        ),
        1.2,
    ),
}


@pytest.mark.parametrize(("file", "gate"), ROBOTS.items())
def test_step(file: str, gate: float) -> None:
    times = race(Path(corpus_dir("shared") / "menagerie" / file))
    print(f"{file}: {1e6 * times.ours:.1f} us a step, MuJoCo {times.ratio:.1f} times that")
    assert times.ratio >= gate


@pytest.mark.parametrize("name", CROWDS)
def test_crowds(name: str, tmp_path: Path) -> None:
    bodies, gate = CROWDS[name]
    path = tmp_path / "crowd.xml"
    path.write_text(f"<mujoco><worldbody>{PLANE}{bodies}</worldbody></mujoco>")
    times = race(path)
    print(f"{name}: {1e6 * times.ours:.1f} us a step, MuJoCo {times.ratio:.1f} times that")
    assert times.ratio >= gate
