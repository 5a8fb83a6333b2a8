"""Drawn that way, or a real event? A score for an overlap from where it is and how deep.

Shapes of neighbours overlap around the joint they share because housings are drawn round and
whole: shallow against the size of the parts, close to a joint's axis, with one joint between
them. A hand in the chest is deep, or far from every axis, or many joints away. The score is the
product of three terms between 0 and 1:

* shallow: 1 - depth / r, r the radius of the smaller shape's bounding sphere;
* close: 1 - d / s, d the distance of the overlap from the nearest axis between the two, s the
  size of the larger shape (the diameter of its bounding sphere);
* near in the tree: 1 for at most one joint between, 1/2 for two, 1/4 for three, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from phyzctl import native
from phyzctl.exclude.pairs import BodyPair
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.spatial import Array


class Judge:
    """Scores overlaps of a model's pairs."""

    def __init__(self, model: Model, shapes: native.Shapes, radii: Array) -> None:
        self._model = model
        self._shapes = shapes
        self._radii = radii

    def score(self, pair: BodyPair, q: Array) -> float:
        """The score of the deepest overlap of `pair` in the configuration q (nq,)."""
        poses = native.kinematics(self._model.system, np.ascontiguousarray(q[None]))
        geoms = np.array(pair.geoms, dtype=np.int32)
        found = native.distances(self._shapes, poses.geoms, geoms)
        at = int(np.argmin(found.distance[0]))
        depth = max(0.0, -float(found.distance[0, at]))
        middle = 0.5 * (found.a[0, at] + found.b[0, at])
        first, second = (float(self._radii[geom]) for geom in geoms[at])
        shallow = 1.0 - depth / min(first, second) if min(first, second) > 0.0 else 0.0
        away = self._distance_to_axes(pair.joints, poses.bodies[0], middle)
        close = 1.0 - away / (2.0 * max(first, second))
        near = 0.5 ** max(0, len(pair.joints) - 1)
        return float(np.clip(shallow, 0.0, 1.0) * np.clip(close, 0.0, 1.0) * near)

    def _distance_to_axes(self, joints: Sequence[int], bodies: Array, point: Array) -> float:
        """The distance [m] of a world point from the nearest joint; 0 when there is none.

        A joint's axis and anchor are taken in the body that it moves: exact for a body's last
        joint, and for those whose axes meet.
        """
        if not joints:
            return 0.0
        distances = []
        moved = [self._model.joints[index].body for index in joints]
        for index, pose in zip(joints, native.pose_matrices(bodies[moved]), strict=True):
            joint = self._model.joints[index]
            offset = point - (pose[:3, :3] @ joint.anchor + pose[:3, 3])
            if joint.type is JointType.HINGE:
                axis = pose[:3, :3] @ joint.axis
                offset = offset - axis * (axis @ offset)
            distances.append(math.hypot(*offset.tolist()))  # squares may overflow
        return min(distances)
