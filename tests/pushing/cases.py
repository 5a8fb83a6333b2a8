"""Random pushes, and the square's geometry told face by face, as the tests' own yardstick."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from phyzctl.pushing.command import ContactMode, PusherCommand
from phyzctl.pushing.params import PusherSliderParams

Array = NDArray[np.float64]

SEPARATED, STICK, UP, DOWN, JAMMED = ContactMode
DEFAULT = PusherSliderParams()
NORMALS = np.array([(1, 0), (0, -1), (-1, 0), (0, 1)])
TANGENTS = np.array([(0, 1), (1, 0), (0, -1), (-1, 0)])


def points(half: float, faces: Array, offsets: Array) -> Array:
    """Contact points in the body frame (n, 2), each face written out."""
    b, s = np.full_like(offsets, half), offsets
    x = np.choose(faces.astype(int), [-b, s, b, -s])
    y = np.choose(faces.astype(int), [s, b, -s, -b])
    return np.stack([x, y], axis=-1)


def blocks(
    seed: int, count: int = 25, size: int = 800
) -> Iterator[tuple[PusherSliderParams, Array]]:
    """`count` random sliders, each with `size` random pushes (face, offset, vn > 0, vt)."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        half = 10 ** rng.uniform(-2, 0)
        params = PusherSliderParams(
            half, half * rng.uniform(0.2, 2), rng.choice([0, 0.1, 0.3, 1, 5])
        )
        yield params, pushes(rng, params, size)


def pushes(rng: np.random.Generator, params: PusherSliderParams, size: int) -> Array:
    speed = 10 ** rng.uniform(-3, 1, size)
    return np.stack(
        [
            rng.integers(0, 4, size).astype(float),
            rng.uniform(-params.half_extent, params.half_extent, size),
            speed * rng.uniform(1e-3, 1, size),
            speed * rng.normal(0, 1, size),
        ],
        axis=-1,
    )


def commands(rows: Array) -> list[PusherCommand]:
    return [PusherCommand(int(f), float(s), float(vn), float(vt)) for f, s, vn, vt in rows]


def contact_velocity(params: PusherSliderParams, rows: Array, twists: Array) -> tuple[Array, Array]:
    """The velocity of the slider's contact points along normal and tangent, (n,) each."""
    faces = rows[:, 0].astype(int)
    p = points(params.half_extent, rows[:, 0], rows[:, 1])
    v = twists[:, :2] + twists[:, 2:] * np.stack([-p[:, 1], p[:, 0]], axis=-1)
    return (v * NORMALS[faces]).sum(-1), (v * TANGENTS[faces]).sum(-1)


def contact_forces(params: PusherSliderParams, rows: Array, twists: Array) -> tuple[Array, Array]:
    """The forces that the limit surface says belong to twists, along normal and tangent.

    The moment must be that of a force at the contact point, which is asserted.
    """
    faces = rows[:, 0].astype(int)
    p = points(params.half_extent, rows[:, 0], rows[:, 1])
    force, moment = twists[:, :2], params.char_len**2 * twists[:, 2]
    lever = p[:, 0] * force[:, 1] - p[:, 1] * force[:, 0]
    scale = params.half_extent * np.linalg.norm(force, axis=1)
    assert (np.abs(lever - moment) <= 1e-12 * scale).all()
    return (force * NORMALS[faces]).sum(-1), (force * TANGENTS[faces]).sum(-1)


def mirrored(rows: Array) -> Array:
    """The pushes seen in a mirror that swaps +y and -y."""
    face = np.array([0, 3, 2, 1])[rows[:, 0].astype(int)]
    return np.stack([face, -rows[:, 1], rows[:, 2], -rows[:, 3]], axis=-1)


MIRRORED_TWIST = np.array([1, -1, -1])
MIRRORED_MODE = np.array([SEPARATED, STICK, DOWN, UP, JAMMED])
