"""Where the search sees the bodies, against the kernel's kinematics and distances."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl import native
from phyzctl.exclude.pairs import body_pairs
from phyzctl.exclude.prove import prepare
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from tests.exclude.robots import ball, joint, mjcf, model_of
from tests.exclude.trees import random_model


@pytest.mark.parametrize("seed", range(20))
def test_distances_are_those_of_the_whole_robot(seed: int) -> None:
    model = random_model(seed)
    space, shapes = space_of(model), outlines(model).shapes
    random = np.random.default_rng(seed)
    x = space.lower + random.uniform(0.0, 1.0, (5, space.dimensions)) * (space.upper - space.lower)
    poses = native.kinematics(model.system, space.positions(x)).geoms
    for pair in body_pairs(model):
        search = prepare(space, shapes, pair).search
        geoms = np.array(pair.geoms, dtype=np.int32)
        expected = native.distances(shapes, poses, geoms).distance.min(axis=1)
        found = [search.distance_at(row) for row in x]
        assert found == pytest.approx(expected, abs=1e-9)


def test_held_joints_stand_at_their_reference() -> None:
    """A ball joint, a free body and a slide that are held, each between the two."""
    text = mjcf(
        f'<body name="a" pos="1 2 3" quat="0.5 0.5 0.5 0.5"><freejoint name="f"/>{ball()}'
        f'<body name="b" pos="0 0.5 0">{joint("s", "slide", pos="0.1 0 0")}{ball()}'
        f'<body name="c" pos="0 0.5 0">{joint("h", range="-1 1")}{ball(0.1, "0.3 0 0")}'
        "</body></body></body>"
    )
    model = model_of(text)
    space, shapes = space_of(model), outlines(model).shapes
    assert space.dimensions == 1
    for turn in (-0.7, 0.0, 0.9):
        x = np.array([turn])
        poses = native.kinematics(model.system, space.positions(x[None])).geoms
        for pair in body_pairs(model):
            expected = native.distances(shapes, poses, np.array(pair.geoms, dtype=np.int32))
            found = prepare(space, shapes, pair).search.distance_at(x)
            assert found == pytest.approx(expected.distance.min(), abs=1e-12)


@pytest.mark.parametrize("multiplier", [1.0, -3.0, 0.25])
def test_a_follower_turns_as_wide_as_its_multiplier(multiplier: float) -> None:
    """The cell of a follower is claimed as that of the same hinge with the wider range."""

    def cells(range_: str, rest: str = "") -> int:
        text = mjcf(
            f'<body name="lead">{joint("a", range="-0.4 0.4")}'
            f'<geom size="0.01" pos="0 0 5"/></body>'
            f'<body name="arm" pos="1 0 0">{joint("b", range=range_)}{ball(0.1, "0 1 0")}</body>'
            f'<body name="post" pos="-0.35 0.9 0">{joint("c", range="0 0.1")}{ball(0.1)}</body>',
            rest,
        )
        model = model_of(text)
        pair = next(each for each in body_pairs(model) if (each.first, each.second) == (1, 2))
        return prepare(space_of(model), outlines(model).shapes, pair).search.advance(1e8).cells

    wide = 0.4 * abs(multiplier)
    equality = f'<equality><joint joint1="b" joint2="a" polycoef="0 {multiplier}"/></equality>'
    assert cells("-9 9", equality) == cells(f"{-wide} {wide}")
