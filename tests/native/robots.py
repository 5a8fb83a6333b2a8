"""Robots to sweep: a made one from plain arrays, and real ones compiled from their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.api import load
from phyzctl.exclude.shapes import outlines
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.filter import ContactFilter
from phyzctl.model.geom import GeomType
from phyzctl.model.model import Model

Array = NDArray[np.float64]


def chain(*, arms: int, links: int, geoms_on_world: int = 0) -> native.System:
    """Arms of hinges about changing axes, 0.3 m a link, side by side; a geom on every body."""
    bodies = arms * links
    number = np.arange(bodies)
    first = number % links == 0
    position = np.zeros((bodies, 3))
    position[:, 2] = 0.3
    position[first, 0] = 0.5 * (number[first] // links)
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (bodies + geoms_on_world, 1))
    geoms = np.concatenate([np.full(geoms_on_world, -1), number])
    return native.System(
        nq=bodies,
        body_parent=np.where(first, -1, number - 1).astype(np.int32),
        body_pos=position,
        body_quat=identity[:bodies],
        joint_start=np.arange(bodies + 1, dtype=np.int32),
        joint_type=np.full(bodies, 3, dtype=np.int32),
        joint_axis=np.eye(3)[number % 3],
        joint_anchor=np.zeros((bodies, 3)),
        joint_ref=np.zeros(bodies),
        q_offset=number.astype(np.int32),
        geom_body=geoms.astype(np.int32),
        geom_pos=np.zeros((len(geoms), 3)),
        geom_quat=identity,
    )


def free_bodies(*, offsets: Sequence[float] = (0.0,)) -> native.System:
    """Two free bodies with geoms at these places along x [m]."""
    each = len(offsets)
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (2 * each, 1))
    places = np.zeros((2 * each, 3))
    places[:, 0] = np.tile(offsets, 2)
    return native.System(
        nq=14,
        body_parent=np.array([-1, -1], dtype=np.int32),
        body_pos=np.zeros((2, 3)),
        body_quat=np.tile([1.0, 0.0, 0.0, 0.0], (2, 1)),
        joint_start=np.array([0, 1, 2], dtype=np.int32),
        joint_type=np.zeros(2, dtype=np.int32),
        joint_axis=np.zeros((2, 3)),
        joint_anchor=np.zeros((2, 3)),
        joint_ref=np.zeros(2),
        q_offset=np.array([0, 7], dtype=np.int32),
        geom_body=np.repeat(np.arange(2, dtype=np.int32), each),
        geom_pos=places,
        geom_quat=quaternion,
    )


@dataclass(frozen=True, eq=False)
class Case:
    """A robot, its shapes, and the pairs of geoms that can meet."""

    path: Path
    model: Model
    shapes: native.Shapes
    pairs: NDArray[np.int32]

    def random_q(self, count: int, seed: int) -> Array:
        """(count, nq): hinges and slides anywhere in their ranges, all else as authored."""
        rng = np.random.default_rng(seed)
        q = np.tile(self.model.arrays.q_reference, (count, 1))
        for joint, start in zip(self.model.joints, self.model.q_offsets, strict=True):
            if joint.nq == 1:
                low, high = np.clip(joint.range, -np.pi, np.pi)
                q[:, start] = rng.uniform(low, high, count)
        return q


def load_case(path: Path) -> Case:
    """Read and compile a file."""
    model = compile_model(load(path, issues=Issues()), issues=Issues())
    rules = ContactFilter.of(model)
    geoms = model.geoms
    pairs = [
        (i, j)
        for i in range(model.ngeom)
        for j in range(i + 1, model.ngeom)
        if geoms[i].body != geoms[j].body
        and rules.geoms_may_collide(geoms[i], geoms[j])
        and not (geoms[i].type is GeomType.PLANE and geoms[j].type is GeomType.PLANE)
    ]
    return Case(path, model, outlines(model).shapes, np.array(pairs, dtype=np.int32).reshape(-1, 2))
