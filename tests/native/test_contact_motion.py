"""Hulls that touch along MuJoCo's own motion of real robots."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

from tests.corpus import SHARED_CORPUS
from tests.native.contacts import Array, GeomPair, Points, Twin

spatial = pytest.importorskip("scipy.spatial")
PLANE, MESH = 0, 7


def states(twin: Twin, steps: int, every: int) -> Iterator[Array]:
    mujoco.mj_resetData(twin.theirs, twin.data)
    if twin.theirs.nkey:
        mujoco.mj_resetDataKeyframe(twin.theirs, twin.data, 0)
    moving = twin.data
    twin.data = mujoco.MjData(twin.theirs)
    for step in range(steps):
        mujoco.mj_step(twin.theirs, moving)
        if step % every == 0:
            yield moving.qpos.copy()


def hulls(points: dict[GeomPair, Points], twin: Twin) -> dict[GeomPair, Points]:
    """Those of a mesh and what has edges or is round, but no plane."""
    kinds = {pair: twin.types(pair) for pair in points}
    return {pair: points[pair] for pair, (a, b) in kinds.items() if a > PLANE and b == MESH}


def twin_of(name: str) -> Twin:
    path = SHARED_CORPUS / "menagerie" / name
    if not path.is_file():
        pytest.skip("the menagerie is not here")
    return Twin.of_file(str(path))


# A hand's meshes rest on each other; what is one face of theirs must be one of ours.
@pytest.mark.parametrize(
    ("name", "share"),
    [("unitree_g1/scene_with_hands.xml", 0.99), ("trossen_wxai/scene.xml", 0.98)],
)
def test_same_points(name: str, share: float) -> None:
    twin, alike = twin_of(name), []
    for q in states(twin, 240, 12):
        theirs, ours = hulls(twin.their_points(q), twin), hulls(twin.our_points(q), twin)
        for pair in sorted({*theirs, *ours}):
            same = pair in theirs and pair in ours and len(theirs[pair]) == len(ours[pair])
            alike.append(same and bool(theirs[pair].differences(ours[pair]).max() < 1e-4))
    assert len(alike) >= 15
    assert np.mean(alike) >= share


def vertices(twin: Twin, geom: int) -> Array:
    """Of a mesh's hull, in the world."""
    mesh = twin.theirs.geom_dataid[geom]
    first, count = twin.theirs.mesh_vertadr[mesh], twin.theirs.mesh_vertnum[mesh]
    points = twin.theirs.mesh_vert[first : first + count].astype(np.float64)
    points = points[spatial.ConvexHull(points).vertices]
    turned = points @ twin.data.geom_xmat[geom].reshape(3, 3).T
    return np.asarray(turned + twin.data.geom_xpos[geom])


def test_normals_are_those_of_the_least_depth() -> None:
    """An edge lies along two faces: the one counts that the hulls come apart across soonest."""
    twin, turned = twin_of("pal_talos/scene_motor.xml"), []
    for q in states(twin, 300, 1):
        for pair, points in hulls(twin.our_points(q), twin).items():
            assert twin.types(pair)[0] == MESH
            twin.collide(q)
            a, b = (vertices(twin, geom) for geom in pair)
            difference = (a[:, None] - b[None]).reshape(-1, 3)
            faces = spatial.ConvexHull(difference).equations
            normal = faces[np.argmax(faces[:, 3]), :3]
            turned.append(np.degrees(np.arccos(min(1.0, points.frame[0, 0] @ normal))))
    assert len(turned) >= 4
    assert max(turned) < 1.0
