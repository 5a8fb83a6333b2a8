"""The sampler's figures against all distances of the same configurations."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.exclude.pairs import body_pairs
from phyzctl.exclude.sample import Sampler
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from phyzctl.spatial import Array
from tests.exclude.trees import random_model


def sampler_of(seed: int, *, size: float = 1.5, jobs: int = 1) -> Sampler:
    model = random_model(seed, size=size)
    pairs = body_pairs(model)
    return Sampler(space_of(model), outlines(model).shapes, pairs, jobs=jobs)


@pytest.mark.parametrize("seed", range(5))
def test_all_figures_are_those_of_the_distances(seed: int) -> None:
    sampler = sampler_of(seed)
    points = range(800)
    distances = sampler.distances(sampler.configurations(points, 3))
    found = sampler.sweep(points, seed=3)
    assert np.array_equal(found.hits, (distances <= 0.0).sum(axis=0))
    hit = found.hits > 0
    assert found.deepest[hit] == pytest.approx(-distances.min(axis=0)[hit], abs=1e-9)
    assert found.clearance[~hit] == pytest.approx(distances.min(axis=0)[~hit], abs=1e-9)
    assert hit.any()
    assert not hit.all()


@pytest.mark.parametrize("seed", range(3))
def test_witnesses_show_what_they_claim(seed: int) -> None:
    sampler = sampler_of(seed)
    found = sampler.sweep(range(500))
    for number, hits in enumerate(found.hits):
        rows, value = (found.deepest_q, -found.deepest) if hits else _nearest(found)
        distance = sampler.distances(rows[number][None])[0, number]
        assert distance == pytest.approx(value[number], abs=1e-9)


def _nearest(found: object) -> tuple[Array, Array]:
    return found.clearance_q, found.clearance  # type: ignore[attr-defined]


def test_depths_of_one_configuration() -> None:
    sampler = sampler_of(1)
    q = sampler.configurations(range(1), 0)
    distances = sampler.distances(q)[0]
    depths = sampler.depths(q[0])
    assert np.isnan(depths[distances > 0.0]).all()
    touching = distances <= 0.0
    assert depths[touching] == pytest.approx(-distances[touching], abs=1e-12)


def test_blocks_and_jobs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sampler_of(2).sweep(range(700))
    monkeypatch.setattr("phyzctl.exclude.sample._BLOCK", 64)
    parts = sampler_of(2, jobs=3).sweep(range(700))
    for name in ("hits", "deepest", "clearance"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
    for name in ("deepest_q", "clearance_q"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name), equal_nan=True)


def test_no_configuration_shows_nothing() -> None:
    found = sampler_of(0).sweep(range(0))
    assert found.hits.sum() == 0
    assert np.isinf(found.clearance).all()
    assert np.isnan(found.deepest_q).all()
