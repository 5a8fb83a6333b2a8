"""Motions from files: way-points as CSV or npz, or a trace of ours in any of its formats.

A CSV has a row of names (`time` and joints, in any order; what it leaves out stands in the
reference pose) or, without names, all coordinates of q in every row. A joint with several
coordinates has a column each: `name.0`, `name.1`, … An npz holds `q` (n, nq) and perhaps `time`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from phyzctl import codes
from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError, did_you_mean, shortened
from phyzctl.issues import Issues, Source
from phyzctl.model.model import Model
from phyzctl.model.positions import follow
from phyzctl.records import dataclass
from phyzctl.spatial import Array
from phyzctl.trace.files import SUFFIXES, read_trace
from phyzctl.trace.npz import DAMAGE, refuse_bomb

_TIME = "time"
_POSITIONS = ("q", "qpos")  # what a trace may call them


@dataclass(frozen=True, eq=False)
class MotionFile:
    """Way-points `q` (n, nq), and their `times` (n,) [s] where the file has them."""

    q: Array
    times: Array | None


def load_motion(path: str, model: Model, issues: Issues) -> MotionFile | None:
    """The motion in a file. Faults of a CSV go to `issues`; None when there are any.

    `NotFoundError` and `UnreadableError` for the file, `PhyzctlError` when it holds no motion of
    this robot.
    """
    source = Path(path)
    if source.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise PhyzctlError(f"can't tell what motion {path!r} is; the suffixes are {known}")
    if not source.is_file():
        raise NotFoundError(f"there is no motion {path!r}")
    suffix = source.suffix.lower()
    if suffix == ".csv" and not source.with_name(f"{source.name}.meta.json").exists():
        return _csv(source, path, model, issues)
    if suffix == ".npz":
        plain = _npz(source, path)
        if plain is not None:
            return MotionFile(_fitting(plain.q, path, model), plain.times)
    trace = read_trace(path)
    for name in _POSITIONS:
        if name in trace.values:
            return MotionFile(_fitting(trace.values[name], path, model), trace.times)
    channels = ", ".join(trace.values)
    raise PhyzctlError(f"{path}: the trace has no positions q; its channels are {channels}")


def _fitting(q: Array, path: str, model: Model) -> Array:
    if q.ndim != 2 or q.shape[1] != model.nq or len(q) == 0:
        shape = "x".join(str(size) for size in q.shape)
        raise PhyzctlError(f"{path}: the robot's q has {model.nq} columns; this is {shape}")
    if not np.isfinite(q).all():
        raise PhyzctlError(f"{path}: a number of q is not finite")
    return np.ascontiguousarray(q, dtype=np.float64)


def _npz(source: Path, path: str) -> MotionFile | None:
    """The arrays `q` and `time` of an npz; None when it holds a trace of ours."""
    try:
        refuse_bomb(source)
        with source.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            if "header" in arrays:
                return None
            if "q" not in arrays:
                names = ", ".join(arrays) or "none"
                raise PhyzctlError(f"{path}: there is no array 'q'; there are: {names}")
            times = np.asarray(arrays[_TIME], np.float64) if _TIME in arrays else None
            return MotionFile(np.asarray(arrays["q"], np.float64), times)
    except (*DAMAGE, OSError) as error:
        raise UnreadableError(f"{path}: this is no npz: {shortened(str(error))}") from error


def _csv(source: Path, path: str, model: Model, issues: Issues) -> MotionFile | None:
    faults = Issues()
    try:
        with source.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream)
            rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableError(f"{path}: {error}") from error
    motion = _Table(path, model, faults).motion(rows)
    issues.extend(faults)
    return None if faults.errors else motion


class _Table:
    """Rows of cells with their line numbers, as way-points of a robot."""

    def __init__(self, path: str, model: Model, faults: Issues) -> None:
        self.path = path
        self.model = model
        self.faults = faults

    def motion(self, rows: Sequence[tuple[int, list[str]]]) -> MotionFile | None:
        """The way-points; what is wrong with them is reported."""
        columns: list[int | None] = list(range(self.model.nq))
        stated: Mapping[str, object] = {joint.name: None for joint in self.model.joints}
        if rows and not all(_is_number(cell) for cell in rows[0][1]):
            names = [cell.strip() for cell in rows[0][1]]
            columns = [self._column(rows[0][0], name) for name in names]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                self._fault(rows[0][0], f"there are two columns {twice!r}")
            stated = dict.fromkeys(name.rpartition(".")[0] or name for name in names)
            stated = {**stated, **dict.fromkeys(names)}
            rows = rows[1:]
        if not rows:
            self._fault(1, "there is no way-point")
        numbers = [self._numbers(line, row, len(columns)) for line, row in rows]
        if self.faults.errors:
            return None
        table = np.array(numbers, dtype=np.float64)
        q = np.tile(self.model.arrays.q_reference, (len(table), 1))
        times: Array | None = None
        for number, place in enumerate(columns):
            if place is None:
                times = table[:, number]
                self._require_order(rows, times)
            else:
                q[:, place] = table[:, number]
        follow(self.model, q, stated)
        return MotionFile(q, times)

    def _column(self, line: int, name: str) -> int | None:
        """Where a column goes in q; None for the time."""
        if name == _TIME:
            return None
        known = self._known()
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {_TIME}, {', '.join(known)}"
            self._fault(line, f"no joint {shortened(name)!r} that can move{hint}")
            return 0
        return known[name]

    def _known(self) -> dict[str, int]:
        known: dict[str, int] = {}
        for index, joint in enumerate(self.model.joints):
            start = int(self.model.q_offsets[index])
            names = [f"{joint.name}.{k}" for k in range(joint.nq)] if joint.nq > 1 else [joint.name]
            known |= {name: start + k for k, name in enumerate(names[: joint.nq])}
        return known

    def _numbers(self, line: int, row: list[str], width: int) -> list[float]:
        if len(row) != width:
            self._fault(line, f"there must be {width} numbers, not {len(row)}")
            return []
        for cell in row:
            if not (_is_number(cell) and np.isfinite(float(cell))):
                self._fault(line, f"expected a finite number, not {cell.strip()!r}")
                return []
        return [float(cell) for cell in row]

    def _require_order(self, rows: Sequence[tuple[int, list[str]]], times: Array) -> None:
        back = np.flatnonzero(np.diff(times) < 0.0)
        if len(back):
            self._fault(rows[int(back[0]) + 1][0], "the time goes back")

    def _fault(self, line: int, message: str) -> None:
        self.faults.add(codes.MOTION_UNUSABLE, message, source=Source(self.path, line, 1))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
