"""Controls from a file: .csv with a column per actuator, or .npz; a trace's own files will do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError, shortened
from phyzctl.model.model import Model
from phyzctl.sim.control import Table, control_names, control_number
from phyzctl.spatial import Array
from phyzctl.trace.npz import DAMAGE, refuse_bomb

_TIMES = ("time", "t")
_PREFIX = "ctrl."


def load_controls(path: str, model: Model, base: Array, *, linear: bool = False) -> Table:
    """The controls in a file; actuators that it doesn't name keep those of `base` (nctrl,).

    A .csv states `time` [s] and actuators in its first row, which may be called `ctrl.NAME`, as
    in a trace; other columns of a trace are not read. A .npz holds `time` (n,) and `ctrl`
    (n, nctrl), or an array (n,) an actuator. Raises NotFoundError for no such file or actuator,
    UnreadableError, with the line, for what can't be read.
    """
    source = Path(path)
    if not source.exists():
        raise NotFoundError(f"there is no file of controls {path!r}")
    if not source.is_file():  # a device would be read without end
        raise UnreadableError(f"{path}: is not a file")
    match source.suffix.lower():
        case ".csv":
            times, columns = _csv(source)
        case ".npz":
            times, columns = _npz(source, model)
        case _:
            raise PhyzctlError(f"controls are .csv or .npz, not {source.name!r}")
    if len(times) == 0 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise UnreadableError(f"{path}: its times must be numbers that grow, at least one")
    rows = np.tile(base, (len(times), 1))
    for name, column in columns.items():
        rows[:, control_number(model, name)] = column
    if not np.isfinite(rows).all():
        raise UnreadableError(f"{path}: a control is not finite")
    return Table(times, rows, linear, {"path": source.as_posix()})


def _csv(source: Path) -> tuple[Array, dict[str, Array]]:
    import csv

    try:
        with source.open(encoding="utf-8-sig", newline="") as stream:
            names, *lines = list(csv.reader(stream)) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableError(f"{source}: {error}") from error
    names = [name.strip() for name in names]
    time = next((name for name in _TIMES if name in names), None)
    if time is None:
        raise UnreadableError(f"{source}:1: no column is called time")
    lines = [line for line in lines if line]
    for number, line in enumerate(lines, 2):
        if len(line) != len(names):
            _refuse(source, number, f"{len(line)} numbers for {len(names)} columns")
    if any(name.startswith(_PREFIX) for name in names):
        wanted = {name: name.removeprefix(_PREFIX) for name in names if name.startswith(_PREFIX)}
    else:
        wanted = {name: name for name in names if name != time}
    table = {name: _numbers(source, names.index(name), lines) for name in (time, *wanted)}
    return table[time], {known: table[name] for name, known in wanted.items()}


def _numbers(source: Path, column: int, lines: Sequence[Sequence[str]]) -> Array:
    found = np.zeros(len(lines))
    for row, line in enumerate(lines):
        try:
            found[row] = float(line[column])
        except ValueError:
            _refuse(source, row + 2, f"{line[column]!r} is no number")
        if not math.isfinite(found[row]):
            _refuse(source, row + 2, f"{line[column]!r} is not finite")
    return found


def _refuse(source: Path, line: int, what: str) -> NoReturn:
    raise UnreadableError(f"{source}:{line}: {what}")


def _npz(source: Path, model: Model) -> tuple[Array, dict[str, Array]]:
    try:
        refuse_bomb(source)
        with np.load(source, allow_pickle=False) as arrays:
            held = {name: arrays[name] for name in arrays.files}
        time = next((name for name in _TIMES if name in held), None)
        if time is None:
            raise UnreadableError(f"{source}: no array is called time")
        times: Array = np.asarray(held.pop(time), np.float64)
        if "ctrl" in held:
            names = control_names(model)
            table = np.asarray(held["ctrl"], np.float64).reshape(len(times), -1)
            if table.shape[1] != len(names):
                message = f"ctrl has {table.shape[1]} columns for {len(names)} controls"
                raise UnreadableError(f"{source}: {message}")
            return times, dict(zip(names, table.T, strict=True))
        return times, {
            name: np.asarray(held[name], np.float64).reshape(times.shape) for name in held
        }
    except (*DAMAGE, OSError) as error:
        raise UnreadableError(f"{source}: this is no npz: {shortened(str(error))}") from error
