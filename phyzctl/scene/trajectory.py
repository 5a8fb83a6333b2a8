"""When things first touch on the way through several configurations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.scene.contact import Contact
from phyzctl.scene.prepared import Prepared
from phyzctl.spatial import Array


@dataclass(frozen=True, eq=False)
class Hit:
    """The first contact of a pair: at `time`, in the configuration `q` (nq,).

    `waypoint` counts from 0: it is the last one that has been passed, and `fraction` how far the
    way to the next has been made.
    """

    time: float
    waypoint: int
    fraction: float
    q: Array
    contact: Contact


@dataclass(frozen=True, eq=False)
class TrajectoryReport:
    """The first contact of every pair that touches on the way, by time, then (kind, a, b).

    `checked` counts pairs, `waypoints` configurations; `nearest` is the least gap at any
    way-point, None without pairs: between them it can be less.
    """

    hits: tuple[Hit, ...]
    checked: int
    waypoints: int
    nearest: Contact | None

    @property
    def collides(self) -> bool:
        """True when anything comes within the margin."""
        return bool(self.hits)


def trajectory(prepared: Prepared, q: Array, times: Array, margin: float) -> TrajectoryReport:
    """Follow the way through `q` (n, nq) with way-points at `times` (n,)."""
    model = prepared.model
    arguments = (prepared.system, prepared.shapes, q, prepared.pair_array)
    found = native.first_contacts(*arguments, margin=margin)
    hits = []
    for index in np.flatnonzero(found >= 0.0).tolist():
        waypoint = min(int(found[index]), len(q) - 1)
        fraction = float(found[index]) - waypoint
        following = min(waypoint + 1, len(q) - 1)
        where = between(model, q[waypoint], q[following], fraction)
        span = float(times[following] - times[waypoint])
        when = float(times[waypoint]) + (fraction * span if fraction else 0.0)
        (contact,), _ = prepared.near([prepared.pairs[index]], prepared.place(where), np.inf)
        hits.append(Hit(when, waypoint, fraction, where, contact))
    hits.sort(key=lambda hit: (hit.time, hit.contact.sort_key()))
    return TrajectoryReport(tuple(hits), len(prepared.pairs), len(q), _nearest(prepared, q))


def _nearest(prepared: Prepared, q: Array) -> Contact | None:
    if not prepared.pairs:
        return None
    distance, pair = native.nearest_pairs(prepared.system, prepared.shapes, q, prepared.pair_array)
    least = int(distance.argmin())
    chosen = [prepared.pairs[int(pair[least])]]
    return prepared.near(chosen, prepared.place(q[least]), np.inf)[1]


def way_times(times: Sequence[float] | Array | None, count: int) -> Array:
    """The times of way-points (n,), their numbers if there are none. Raises PhyzctlError."""
    if times is None:
        return np.arange(count, dtype=np.float64)
    found = np.asarray(times, dtype=np.float64)
    if found.shape != (count,):
        raise PhyzctlError(f"times must have shape ({count},), not {found.shape}")
    if not np.isfinite(found).all() or (np.diff(found) < 0.0).any():
        raise PhyzctlError("times must be finite and must not go back")
    return found


def between(model: Model, start: Array, end: Array, fraction: float) -> Array:
    """The configuration (nq,) at a fraction of the way, as `native.first_contacts` goes it."""
    q = start + fraction * (end - start)
    for index, joint in enumerate(model.joints):
        if joint.type in (JointType.BALL, JointType.FREE):
            last = model.q_slice(index).stop
            q[last - 4 : last] = _turned(start[last - 4 : last], end[last - 4 : last], fraction)
    return q


def _turned(start: Array, end: Array, fraction: float) -> Array:
    """Between two quaternions, the shorter way round."""
    a, b = (each / (np.linalg.norm(each) or 1.0) for each in (start, end))
    cosine = float(a @ b)
    if cosine < 0.0:
        b, cosine = -b, -cosine
    angle = float(np.arctan2(np.linalg.norm(b - cosine * a), cosine))
    if angle < 1e-12:
        return a
    turned: Array = (np.sin((1.0 - fraction) * angle) * a + np.sin(fraction * angle) * b) / np.sin(
        angle
    )
    return turned
