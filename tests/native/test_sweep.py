"""Sweeps: the same facts as asking pair by pair, and as MuJoCo finds on real robots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phyzctl import native
from tests.native.posed import PLANE, SHAPES, Array, Posable, box, shapes_of, sphere
from tests.native.robots import Case, chain, free_bodies, load_case

N = 400
TYPES = [*SHAPES.values()]


def bushy() -> tuple[native.System, native.Shapes, NDArray[np.int32]]:
    """Two arms of six links, each a shape of another type, over a floor; every pair."""
    system = chain(arms=2, links=6, geoms_on_world=1)
    shapes = shapes_of([PLANE, *TYPES, *TYPES[::-1]])
    pairs = [[i, j] for i in range(13) for j in range(i + 1, 13)]
    return system, shapes, np.array(pairs, dtype=np.int32)


def configurations(system: native.System, count: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, system.nq))


def test_a_sweep_is_every_pair_asked_alone() -> None:
    system, shapes, pairs = bushy()
    q = configurations(system, N)
    poses = native.kinematics(system, q).geoms
    distance = native.distances(shapes, poses, pairs).distance
    hit = native.overlaps(shapes, poses, pairs)
    found = native.sweep(system, shapes, q, pairs, depth=True, clearance=True)
    np.testing.assert_array_equal(found.hits, hit.sum(axis=0))
    assert (found.hits > 0).sum() > 20
    np.testing.assert_array_equal(
        found.first_hit, np.where(hit.any(axis=0), hit.argmax(axis=0), -1)
    )
    depth = np.where(hit, -distance, 0.0)
    gap = np.where(hit, np.inf, distance)
    assert found.deepest is not None
    assert found.clearance is not None
    np.testing.assert_allclose(found.deepest, depth.max(axis=0), rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.clearance, gap.min(axis=0), rtol=0, atol=1e-9)
    columns = np.arange(len(pairs))
    assert found.deepest_at is not None
    assert found.clearance_at is not None
    deep = found.deepest_at >= 0
    np.testing.assert_array_equal(deep, hit.any(axis=0))
    np.testing.assert_allclose(
        depth[found.deepest_at[deep], columns[deep]], found.deepest[deep], rtol=0, atol=1e-9
    )
    clear = found.clearance_at >= 0
    np.testing.assert_array_equal(clear, ~hit.all(axis=0))
    np.testing.assert_allclose(
        gap[found.clearance_at[clear], columns[clear]], found.clearance[clear], rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_bounds_lose_nothing_however_far_from_the_origin(offset: float) -> None:
    """Bodies' spheres of 0.2 m come just within reach, at coordinates that float32 rounds."""
    system = free_bodies(offsets=[0.0, 0.1, 0.2, 0.3])
    shapes = shapes_of([sphere(0.05)] * 8)
    pairs = np.array([[i, j] for i in range(4) for j in range(4, 8)], dtype=np.int32)
    rng = np.random.default_rng(3)
    q = rng.normal(size=(500, 14))
    q[:, :3] = offset
    # One end against the other: touching within a millimetre, more or less.
    q[:, 7:10] = offset
    q[:, 7] += 0.4 + rng.uniform(-1e-3, 1e-3, 500)
    q[:, 3:7] = q[:, 10:14] = [1.0, 0.0, 0.0, 0.0]
    hit = native.overlaps(shapes, native.kinematics(system, q).geoms, pairs).sum(axis=0)
    assert 200 < hit.sum() < 300
    np.testing.assert_array_equal(native.sweep(system, shapes, q, pairs).hits, hit)


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 333])
def test_threads_change_nothing(count: int) -> None:
    system, shapes, pairs = bushy()
    q = configurations(system, count, seed=1)
    alone = native.sweep(system, shapes, q, pairs, depth=True, clearance=True)
    for threads in (2, 3, 8, 100):
        together = native.sweep(
            system, shapes, q, pairs, depth=True, clearance=True, threads=threads
        )
        for one, other in zip(alone, together, strict=True):
            assert one is not None
            assert other is not None
            np.testing.assert_array_equal(one, other)


def test_what_is_asked_besides_changes_no_hits() -> None:
    system, shapes, pairs = bushy()
    q = configurations(system, N, seed=2)
    plain = native.sweep(system, shapes, q, pairs)
    assert list(plain[2:]) == [None] * 4
    for depth, clearance in ((True, False), (False, True)):
        asked = native.sweep(system, shapes, q, pairs, depth=depth, clearance=clearance)
        np.testing.assert_array_equal(asked.hits, plain.hits)
        np.testing.assert_array_equal(asked.first_hit, plain.first_hit)
        assert (asked.deepest is None) == (not depth)
        assert (asked.clearance is None) == (not clearance)


def test_the_first_of_equal_configurations_counts() -> None:
    system, shapes, pairs = bushy()
    few = configurations(system, 20, seed=3)
    once = native.sweep(system, shapes, few, pairs, depth=True, clearance=True)
    often = native.sweep(
        system, shapes, np.tile(few, (9, 1)), pairs, depth=True, clearance=True, threads=3
    )
    np.testing.assert_array_equal(often.hits, 9 * once.hits)
    for name in ("first_hit", "deepest", "deepest_at", "clearance", "clearance_at"):
        np.testing.assert_array_equal(getattr(often, name), getattr(once, name), err_msg=name)


def test_configurations_that_are_not_numbers_meet_nothing() -> None:
    system, shapes, pairs = bushy()
    pairs = pairs[pairs[:, 0] > 0]  # the floor is everywhere
    q = configurations(system, 40, seed=4)
    q[::2] = np.nan
    found = native.sweep(system, shapes, q, pairs, clearance=True)
    expected = native.sweep(system, shapes, np.ascontiguousarray(q[1::2]), pairs, clearance=True)
    np.testing.assert_array_equal(found.hits, expected.hits)
    assert found.clearance is not None
    assert expected.clearance is not None
    np.testing.assert_array_equal(found.clearance, expected.clearance)


def test_no_configurations_and_no_pairs() -> None:
    system, shapes, pairs = bushy()
    nothing = native.sweep(system, shapes, configurations(system, 0), pairs, depth=True)
    assert not nothing.hits.any()
    assert (nothing.first_hit == -1).all()
    none = native.sweep(system, shapes, configurations(system, 5), pairs[:0], clearance=True)
    assert len(none.hits) == 0


# What the door refuses

GOOD: dict[str, Any] = {"types": [2, 6], "sizes": [[0.1, 0, 0], [0.1, 0.2, 0.3]]}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"types": [2, 9]}, r"types\[1\] is none of 0 to 8"),
        ({"types": [-1, 2]}, r"types\[0\] is none of 0 to 8"),
        ({"sizes": [[0.1, 0, 0], [0.1, -0.2, 0.3]]}, r"sizes\[1\] has a number that is negative"),
        ({"sizes": [[np.nan, 0, 0], [0.1, 0.2, 0.3]]}, r"sizes\[0\] has a number"),
        ({"padding": [0.0, -1.0]}, r"padding\[1\] is negative or not finite"),
        ({"types": [2, 7], "hull": [0, 0]}, r"hull\[1\] names no hull"),
        ({"types": [2, 7], "hull": [-2, -2]}, r"hull\[1\] names no hull"),
        ({"sizes": [[0.1, 0, 0]]}, r"sizes must have shape \(2, 3\)"),
    ],
)
def test_shapes_that_are_refused(change: dict[str, Any], fault: str) -> None:
    given = {**GOOD, **change}
    arrays = {key: np.array(rows, dtype=np.float64) for key, rows in given.items()}
    for key in ("types", "hull"):
        if key in arrays:
            arrays[key] = arrays[key].astype(np.int32)
    with pytest.raises(ValueError, match=fault):
        native.Shapes(arrays.pop("types"), arrays.pop("sizes"), **arrays)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("vertices", "start", "ends", "fault"),
    [
        (np.empty((0, 3)), [0], [], r"hulls\[0\] has no vertices"),
        (np.array([[0.0, np.inf, 0.0]]), [0, 0], [], "vertex 0 of all is not finite"),
        (np.zeros((2, 3)), [0, 1, 2], [1, 2], "neighbours of vertex 1 of all are not within"),
        (np.zeros((2, 3)), [0, 1, 2], [-1, 0], "neighbours of vertex 0 of all are not within"),
        (np.zeros((2, 3)), [0, 3, 2], [1, 0], "neighbours of vertex 0 of all are not within"),
    ],
)
def test_hulls_that_are_refused(
    vertices: Array, start: list[int], ends: list[int], fault: str
) -> None:
    hull = native.HullArrays(
        vertices, np.array(start, dtype=np.int32), np.array(ends, dtype=np.int32)
    )
    with pytest.raises(ValueError, match=fault):
        shapes_of([Posable(7, hull=hull)])


@pytest.mark.parametrize(
    ("pair", "fault"),
    [
        ([0, 4], r"pairs\[0\] names a shape that isn't there"),
        ([-1, 0], r"pairs\[0\] names a shape that isn't there"),
        ([0, 3], r"pairs\[0\] names a shape that is not known to be convex"),
        ([1, 2], r"pairs\[0\] is one of two half-spaces"),
    ],
)
def test_pairs_that_are_refused(pair: list[int], fault: str) -> None:
    shapes = shapes_of([sphere(0.1), PLANE, PLANE, Posable(8)])
    poses = np.zeros((1, 4, 7))
    pairs = np.array([pair], dtype=np.int32)
    for question in (native.distances, native.overlaps):
        with pytest.raises(ValueError, match=fault):
            question(shapes, poses, pairs)


def test_sweeps_that_are_refused() -> None:
    system, shapes, pairs = bushy()
    q = configurations(system, 3)
    with pytest.raises(ValueError, match="threads must be at least 1, not 0"):
        native.sweep(system, shapes, q, pairs, threads=0)
    with pytest.raises(ValueError, match="shapes must be the 13 geoms, not 1"):
        native.sweep(system, shapes_of([box(1, 1, 1)]), q, pairs)
    with pytest.raises(ValueError, match=r"q must have shape \(n, 12\)"):
        native.sweep(system, shapes, q[:, :5].copy(), pairs)
    for margin in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="margin must be finite and not negative"):
            native.overlaps(shapes, np.zeros((1, 13, 7)), pairs, margin=margin)


# Real robots

ROBOTS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "panda": "menagerie/franka_emika_panda/panda_nohand.xml",
    "go1": "menagerie/unitree_go1/go1.xml",
    "shadow hand": "menagerie/shadow_hand/right_hand.xml",
}


def mujoco_hits(case: Case, q: Array) -> tuple[dict[tuple[int, int], int], set[tuple[int, int]]]:
    """How often each pair of geoms overlaps, and which of them once are within 1e-6 of touching."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(case.path))
    model.geom_margin[:] = 1e-6
    data = mujoco.MjData(model)
    hits: dict[tuple[int, int], int] = {}
    close: set[tuple[int, int]] = set()
    for row in q:
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        least: dict[tuple[int, int], float] = {}
        for geoms, distance in zip(
            data.contact.geom.tolist(), data.contact.dist.tolist(), strict=True
        ):
            pair = (min(geoms), max(geoms))
            least[pair] = min(distance, least.get(pair, np.inf))
        for pair, distance in least.items():
            hits[pair] = hits.get(pair, 0) + (distance < 0.0)
            if abs(distance) < 1e-6:
                close.add(pair)
    return hits, close


def compare_with_mujoco(path: Path, count: int) -> None:
    case = load_case(path)
    q = case.random_q(count, seed=5)
    hits, close = mujoco_hits(case, q)
    found = native.sweep(case.model.system, case.shapes, q, case.pairs).hits
    ours = {(i, j): int(n) for (i, j), n in zip(case.pairs.tolist(), found, strict=True) if n}
    assert sum(ours.values()) > 20
    for pair in {*ours, *hits}:
        if pair not in close:
            assert ours.get(pair, 0) == hits.get(pair, 0), pair


@pytest.mark.parametrize("name", ROBOTS)
def test_hits_are_those_of_mujoco(name: str, shared_corpus: Path) -> None:
    compare_with_mujoco(shared_corpus / ROBOTS[name], 500)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_hits_are_those_of_mujoco_at_length(name: str, shared_corpus: Path) -> None:
    compare_with_mujoco(shared_corpus / ROBOTS[name], 10_000)
