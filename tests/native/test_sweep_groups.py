"""Groups in a sweep: their hits add up to how often any of the group overlaps."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl import native
from phyzctl.exclude.pairs import body_pairs
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from tests.exclude.trees import random_model


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_hits_add_up_to_the_groups(seed: int, threads: int) -> None:
    model = random_model(seed, size=2.0)
    shapes, q = outlines(model).shapes, space_of(model).points(range(333))
    pairs = body_pairs(model)
    geoms = np.array([each for pair in pairs for each in pair.geoms], dtype=np.int32)
    groups = np.repeat(np.arange(len(pairs)), [len(pair.geoms) for pair in pairs]).astype(np.int32)
    found = native.sweep(model.system, shapes, q, geoms, groups=groups, threads=threads).hits
    poses = native.kinematics(model.system, q).geoms
    overlap = native.overlaps(shapes, poses, geoms)
    for number in range(len(pairs)):
        expected = int(overlap[:, groups == number].any(axis=1).sum())
        assert found[groups == number].sum() == expected


def test_groups_tell_overlap_only() -> None:
    model = random_model(0)
    shapes, q = outlines(model).shapes, np.zeros((1, model.nq))
    geoms = np.array([[0, 1]], dtype=np.int32)
    groups = np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="groups tell overlap only"):
        native.sweep(model.system, shapes, q, geoms, groups=groups, depth=True)
    with pytest.raises(ValueError, match="groups must have shape"):
        native.sweep(model.system, shapes, q, geoms, groups=np.zeros(2, dtype=np.int32))
