"""Keyframes as complete States."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phyzctl.model.compiled import CompiledModel
from phyzctl.model.joint import JointType
from phyzctl.model.passes.values import number
from phyzctl.model.state import State
from phyzctl.robot import mechanism
from phyzctl.spatial import Array


def state_of(model: CompiledModel, keyframe: mechanism.Keyframe) -> State:
    """The default State with what the keyframe states written over it.

    A vector of the wrong length (K703) counts as far as it goes. Quaternions get unit length.
    """
    state = model.default_state()
    state.time = number(keyframe.time)
    _write(state.q, keyframe.qpos)
    _write(state.v, keyframe.qvel)
    _write(state.act, keyframe.act)
    _write(state.ctrl, keyframe.ctrl)
    _normalize(model, state.q)
    return state


def _write(vector: Array, stated: Sequence[float | None] | None) -> None:
    for place, value in enumerate((stated or ())[: len(vector)]):
        if value is not None:
            vector[place] = value


def _normalize(model: CompiledModel, q: Array) -> None:
    for index, joint in enumerate(model.joints):
        if joint.type in (JointType.BALL, JointType.FREE):
            quat = q[model.q_slice(index)][-4:]
            length = np.linalg.norm(quat)
            quat[:] = quat / length if length > 1e-15 else (1.0, 0.0, 0.0, 0.0)
