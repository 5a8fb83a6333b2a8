"""MuJoCo's contacts beside ours, for one file and many positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from phyzctl.formats import read, read_bytes
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.contacts import ContactTable, contact_table
from phyzctl.model.model import Model

Array = NDArray[np.float64]
GeomPair = tuple[int, int]
# Pairs of types that both decide by formula: the points must be the same.
ROUND = {(2, 2), (2, 3), (3, 3), (2, 5), (2, 6), (3, 6)}
FORMULAS = ROUND | {(0, kind) for kind in range(2, 7)} | {(6, 6)}


@dataclass(frozen=True)
class Points:
    """The contacts of one pair, one a row."""

    distance: Array
    position: Array
    frame: Array

    def __len__(self) -> int:
        return len(self.distance)

    def differences(self, other: Points) -> Array:
        """The largest of distance, position and frame, each point by its nearest."""
        rows, left = [], list(range(len(other)))
        for index in range(len(self)):
            apart = [
                np.abs(self.position[index] - other.position[j]).max()
                + abs(self.distance[index] - other.distance[j])
                for j in left
            ]
            j = left.pop(int(np.argmin(apart)))
            rows.append(
                (
                    abs(self.distance[index] - other.distance[j]),
                    np.abs(self.position[index] - other.position[j]).max(),
                    np.abs(self.frame[index] - other.frame[j]).max(),
                )
            )
        return np.asarray(np.array(rows).max(axis=0))


class Twin:
    """One model, as both read it. Geoms have the same numbers."""

    def __init__(self, theirs: Any, ours: Model) -> None:
        self.theirs, self.ours = theirs, ours
        self.data = mujoco.MjData(theirs)
        self.table: ContactTable = contact_table(ours)

    @classmethod
    def of_text(cls, text: str) -> Twin:
        theirs = mujoco.MjModel.from_xml_string(text)
        robot = read_bytes(text.encode(), "twin.xml", Issues()).robot
        assert robot is not None
        return cls(theirs, compiler.compile(robot))

    @classmethod
    def of_file(cls, path: str) -> Twin:
        theirs = mujoco.MjModel.from_xml_path(path)
        robot = read(path, Issues()).robot
        assert robot is not None
        return cls(theirs, compiler.compile(robot))

    def collide(self, q: Array) -> Any:
        """MuJoCo's contacts."""
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.theirs, self.data)
        mujoco.mj_comPos(self.theirs, self.data)
        mujoco.mj_collision(self.theirs, self.data)
        return self.data.contact

    def their_points(self, q: Array) -> dict[GeomPair, Points]:
        found = self.collide(q)
        geoms = [(int(a), int(b)) for a, b in found.geom]
        frame = found.frame.reshape(-1, 3, 3)
        return _grouped(geoms, found.dist, found.pos, frame)

    def our_points(self, q: Array) -> dict[GeomPair, Points]:
        found = self.ours.contacts(q)
        rows = self.table.pair_geoms[found.pair]
        geoms = [(int(a), int(b)) for a, b in rows]
        return _grouped(geoms, found.distance, found.position, found.frame)

    def types(self, pair: GeomPair) -> tuple[int, int]:
        kinds = self.theirs.geom_type
        return int(kinds[pair[0]]), int(kinds[pair[1]])

    def positions(self, count: int, seed: int, spread: float = 1.0) -> Iterator[Array]:
        """The reference, every keyframe, and random ones."""
        rng = np.random.default_rng(seed)
        yield self.theirs.qpos0.copy()
        yield from (q.copy() for q in self.theirs.key_qpos)
        for _ in range(count):
            q = self.theirs.qpos0.copy()
            mujoco.mj_integratePos(self.theirs, q, rng.normal(0, spread, self.theirs.nv), 1.0)
            yield q


def _grouped(
    geoms: Iterable[GeomPair], distance: Array, position: Array, frame: Array
) -> dict[GeomPair, Points]:
    rows: dict[GeomPair, list[int]] = {}
    for row, pair in enumerate(geoms):
        rows.setdefault(pair, []).append(row)
    return {
        pair: Points(distance[at].copy(), position[at].copy(), frame[at].copy())
        for pair, at in rows.items()
    }
