"""Many pushes at once, as numpy arrays: the same law as `PusherSliderParams`, push by push.

A batch of states is (n, 3): x, y [m], theta [rad]; one of commands is (n, 4): face, contact [m],
push speed, tangent speed [m/s]. Either may have one row, which then serves all of the other's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phyzctl.pushing.checks import ParameterError, require_not_negative
from phyzctl.pushing.command import NORMALS, ContactMode, PusherCommand
from phyzctl.pushing.params import PusherSliderParams
from phyzctl.pushing.plane import SliderState

Array = NDArray[np.float64]
ModeArray = NDArray[np.int8]

_CHUNK = 8192  # rows whose intermediate results stay in the processor's cache
_NORMALS = np.array(NORMALS)


def states_array(states: Iterable[SliderState]) -> Array:
    """States as a batch, (n, 3)."""
    return np.array([(each.x, each.y, each.theta) for each in states]).reshape(-1, 3)


def commands_array(commands: Iterable[PusherCommand]) -> Array:
    """Commands as a batch, (n, 4)."""
    rows = [(each.face, each.contact, each.push_speed, each.tangent_speed) for each in commands]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def step_batch(
    params: PusherSliderParams, states: ArrayLike, commands: ArrayLike, dt: float
) -> tuple[Array, ModeArray]:
    """The states (n, 3) after `dt` [s] of one push each, and the contacts' modes (n,).

    Modes are values of `ContactMode`. `ParameterError` for arrays of another shape, and for what
    is not finite or no face.
    """
    require_not_negative("dt", dt)
    before, told = _states(states), _commands(commands)
    count = _count(before, told)
    after, modes = np.empty((count, 3)), np.empty(count, dtype=np.int8)
    for part in _chunks(count):
        twists, modes[part] = _twists(params, _rows(told, part))
        _move(_rows(before, part), twists, dt, after[part])
    return after, modes


def twist_batch(params: PusherSliderParams, commands: ArrayLike) -> tuple[Array, ModeArray]:
    """The body twists (n, 3) under one push each: vx, vy [m/s], omega [rad/s]; and the modes."""
    told = _commands(commands)
    twists, modes = np.empty((len(told), 3)), np.empty(len(told), dtype=np.int8)
    for part in _chunks(len(told)):
        columns, modes[part] = _twists(params, told[part])
        twists[part] = np.stack(columns, axis=-1)
    return twists, modes


def contact_point_batch(
    params: PusherSliderParams, states: ArrayLike, commands: ArrayLike
) -> Array:
    """Where the pushers touch, in the world frame (n, 2) [m]."""
    before, told = _states(states), _commands(commands)
    _count(before, told)
    offset = np.clip(told[:, 1], -params.half_extent, params.half_extent)
    nx, ny = _normals(told)
    px, py = -params.half_extent * nx - offset * ny, -params.half_extent * ny + offset * nx
    cosine, sine = np.cos(before[:, 2]), np.sin(before[:, 2])
    x, y = before[:, 0], before[:, 1]
    return np.stack([x + cosine * px - sine * py, y + sine * px + cosine * py], axis=-1)


Columns = tuple[Array, Array, Array]


def _twists(params: PusherSliderParams, commands: Array) -> tuple[Columns, ModeArray]:
    """The twists as columns. See `phyzctl.pushing.contact` for the formulas."""
    length, friction = params.char_len, params.pusher_friction
    beta = params.half_extent / length
    push, slip = commands[:, 2], commands[:, 3]
    sigma = np.clip(commands[:, 1], -params.half_extent, params.half_extent) / length
    m_nn, m_nt, m_tt = 1.0 + sigma * sigma, beta * sigma, 1.0 + beta * beta
    determinant = m_nn + beta * beta
    normal = (m_tt * push - m_nt * slip) / determinant
    tangential = (m_nn * slip - m_nt * push) / determinant
    pushing = push > 0.0
    slides = (np.abs(tangential) > friction * normal) & pushing
    sliding = np.where(tangential > 0.0, ContactMode.SLIDE_UP, ContactMode.SLIDE_DOWN)
    slope = np.copysign(friction, tangential)
    with np.errstate(all="ignore"):  # where it does not slide the edge's force means nothing
        edge = push / (m_nn + slope * m_nt)
    normal = np.where(slides, edge, normal) * pushing
    tangential = np.where(slides, slope * edge, tangential) * pushing
    closed = np.where(slides, sliding, ContactMode.STICK)
    modes = np.where(pushing, closed, ContactMode.SEPARATED)
    nx, ny = _normals(commands)
    columns = (
        nx * normal - ny * tangential,
        ny * normal + nx * tangential,
        -(beta * tangential + sigma * normal) / length + 0.0,
    )
    return columns, modes.astype(np.int8)


def _move(states: Array, twists: Columns, dt: float, out: Array) -> None:
    """The SE(2) exponential: `phyzctl.pushing.plane.SliderState.moved` for many."""
    vx, vy, omega = twists
    turn = omega * dt
    half = 0.5 * turn
    sinc = np.sinc(half / np.pi)  # sin(a/2)/(a/2): the chord of an arc of unit length
    heading = states[:, 2] + half
    along, across = np.cos(heading), np.sin(heading)
    reach = sinc * dt
    out[:, 0] = states[:, 0] + reach * (along * vx - across * vy)
    out[:, 1] = states[:, 1] + reach * (across * vx + along * vy)
    out[:, 2] = states[:, 2] + turn


def _normals(commands: Array) -> tuple[Array, Array]:
    faces = commands[:, 0].astype(np.intp)
    return _NORMALS[faces, 0], _NORMALS[faces, 1]


def _states(states: ArrayLike) -> Array:
    return _matrix("states", states, 3)


def _commands(commands: ArrayLike) -> Array:
    told = _matrix("commands", commands, 4)
    faces = told[:, 0]
    known = (faces == 0) | (faces == 1) | (faces == 2) | (faces == 3)
    if not known.all():
        row = int(np.argmin(known))
        raise ParameterError("commands", f"row {row}: there is no face {faces[row]:g}, only 0 to 3")
    return told


def _matrix(field: str, values: ArrayLike, width: int) -> Array:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] != width:
        raise ParameterError(field, f"must have the shape (n, {width}), not {matrix.shape}")
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ParameterError(field, f"row {row}: {matrix[row].tolist()} is not finite")
    return matrix


def _count(states: Array, commands: Array) -> int:
    if len(states) != len(commands) and 1 not in (len(states), len(commands)):
        raise ParameterError(
            "commands", f"must be as many as the states or one: {len(commands)} for {len(states)}"
        )
    return 0 if 0 in (len(states), len(commands)) else max(len(states), len(commands))


def _chunks(count: int) -> Iterator[slice]:
    for start in range(0, count, _CHUNK):
        yield slice(start, min(start + _CHUNK, count))


def _rows(matrix: Array, part: slice) -> Array:
    return matrix if len(matrix) == 1 else matrix[part]
