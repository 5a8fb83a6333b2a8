"""What moves so fast that one step may take it through what it should hit.

Contacts are looked for where a step begins, so that what is thin and fast can be on the other side
by the next. A geom that covers more than a quarter of its own half thickness and its partner's in
a step is told (`S966`). Parts of one tree are left aside: their joints hold them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phyzctl import native
from phyzctl.geometry.hull import ConvexHull
from phyzctl.issues import Finding
from phyzctl.model.body import WORLD
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.robot.subject import describe
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Block
from phyzctl.spatial import Array, quat_from_axis_angle, quat_multiply

_SHARE = 0.25
_POINT = 1e-9  # [m] nothing is thinner
_MOMENTS = 64  # that are looked at, at most
_SIZES = {  # how many sizes of a geom are half thicknesses
    GeomType.SPHERE: 1,
    GeomType.CAPSULE: 1,
    GeomType.ELLIPSOID: 3,
    GeomType.CYLINDER: 2,
    GeomType.BOX: 3,
}


class Fastest:
    """Of each degree of freedom the sample in which it was fastest."""

    def __init__(self, model: Model) -> None:
        self.speed = np.zeros(model.nv)
        """(nv,) [m/s or rad/s]."""
        self.time = np.zeros(model.nv)
        """(nv,) [s]."""
        self.q = np.zeros((model.nv, model.nq))
        self.v = np.zeros((model.nv, model.nv))

    def see(self, block: Block) -> None:
        """Take note of a block's extremes."""
        q, v = block.values["q"], block.values["v"]
        speed = np.abs(v)
        rows = speed.argmax(axis=0)
        most = speed[rows, np.arange(speed.shape[1])]
        later = most > self.speed
        rows = rows[later]
        self.speed[later], self.time[later] = most[later], block.times[rows]
        self.q[later], self.v[later] = q[rows], v[rows]


def passing(engine: Engine, fastest: Fastest) -> Iterator[Finding]:
    """Per body the geom that covers most of what it may in a step, where it is too much."""
    model = engine.model
    if not len(engine.pairs):
        return
    chosen = np.argsort(-fastest.speed, kind="stable")[:_MOMENTS]
    covered = _covered(engine, fastest.q[chosen], fastest.v[chosen])
    half = np.array([_half_thickness(model, i) for i in range(model.ngeom)])
    partner = _thinnest_partners(engine, half)
    room = _SHARE * (half + half[partner])
    share = np.where(partner >= 0, covered / np.maximum(room, _POINT), 0.0)
    told: set[int] = set()
    for number in np.argsort(-share.max(axis=0), kind="stable").tolist():
        moment = int(share[:, number].argmax())
        body = model.geoms[number].body
        if share[moment, number] <= 1.0:
            return
        if body in told:
            continue
        told.add(body)
        geom, other = model.geoms[number], model.geoms[int(partner[number])]
        message = (
            f"moves {covered[moment, number]:.3g} m in a step at "
            f"{fastest.time[chosen[moment]]:.4g} s: it may pass through "
            f"{_name(model, other)} unnoticed, from {room[number]:.3g} m on"
        )
        yield Finding(geom.element, message, subject=_name(model, geom))


def _name(model: Model, geom: Geom) -> str:
    """What people call a geom, or the link that it belongs to."""
    if geom.body == WORLD:
        return describe(geom.element) or "the world"
    return describe(geom.element) or f"link {model.bodies[geom.body].name!r}"


def _covered(engine: Engine, q: Array, v: Array) -> Array:
    """How far the middle of each geom comes in one step from each of n states, (n, ngeom) [m]."""
    system, after = engine.model.system, _moved(engine.model, q, v * engine.dt)
    here, there = (native.kinematics(system, each).geoms[:, :, :3] for each in (q, after))
    found: Array = np.linalg.norm(there - here, axis=2)
    return found


def _moved(model: Model, q: Array, way: Array) -> Array:
    """Configurations (n, nq) after a way (n, nv) each."""
    moved = q.copy()
    for number, joint in enumerate(model.joints):
        at, by = model.q_slice(number), model.v_slice(number)
        if joint.type in (JointType.BALL, JointType.FREE):
            moved[:, at.start : at.stop - 4] += way[:, by.start : by.stop - 3]
            for here, turn in zip(moved[:, at], way[:, by], strict=True):
                here[-4:] = _turned(here[-4:], turn[-3:])
        else:
            moved[:, at] += way[:, by]
    return moved


def _turned(quat: Array, turn: Array) -> Array:
    """A quaternion after a turn [rad] about an axis of the body, both in one vector (3,)."""
    angle = float(np.linalg.norm(turn))
    return quat if angle == 0.0 else quat_multiply(quat, quat_from_axis_angle(turn, angle))


def _thinnest_partners(engine: Engine, half: Array) -> Array:
    """Per geom the thinnest of another tree that it may touch, -1: none with a far side."""
    trees = _trees(engine.model)[engine.pairs]
    apart = (trees[:, 0] != trees[:, 1]) & np.isfinite(half[engine.pairs]).all(axis=1)
    pairs = engine.pairs[apart].astype(np.int64)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(-half[both[:, 1]], kind="stable")]
    partner = np.full(len(half), -1)
    partner[both[:, 0]] = both[:, 1]  # the last one stays
    return partner


def _trees(model: Model) -> Array:
    """Per geom the body that its tree begins with, -1 for the world's."""
    roots: list[int] = []
    for index, body in enumerate(model.bodies):
        roots.append(index if body.parent == WORLD else roots[body.parent])
    return np.array([WORLD if geom.body == WORLD else roots[geom.body] for geom in model.geoms])


def _half_thickness(model: Model, number: int) -> float:
    """[m]; infinite for what has no far side."""
    geom = model.geoms[number]
    if geom.type is GeomType.MESH:
        hull = int(model.hulls.index[number])
        return _half_width(model.hulls.hulls[hull]) if hull >= 0 else np.inf
    sizes = geom.size[: _SIZES.get(geom.type, 0)]
    return min(sizes, default=np.inf)


def _half_width(hull: ConvexHull) -> float:
    """Half the least extent of a hull along the principal axes of its corners."""
    around = hull.vertices - hull.vertices.mean(axis=0)
    axes = np.linalg.eigh(around.T @ around)[1]
    return 0.5 * float(np.ptp(around @ axes, axis=0).min())
