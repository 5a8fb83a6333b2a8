"""What a compiled Model does, compared with MuJoCo's: keyframes, which bodies meet, forces.

Yields sentences about what differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from phyzctl.model.model import Model
from phyzctl.robot.mechanism import TransmissionKind

TOLERANCE = 1e-9
FORCE_TOLERANCE = 1e-12
STATES = 6

Differences = Iterator[str]


def law_differences(model: Model, theirs: Any) -> Differences:
    """All that differs, of models of equal sizes."""
    yield from _keyframes(model, theirs)
    yield from _filter(model, theirs)
    yield from _forces(model, theirs)


def _keyframes(model: Model, theirs: Any) -> Differences:
    if not np.allclose(model.default_state().q, theirs.qpos0, rtol=0, atol=TOLERANCE):
        yield "the reference position differs"
    for number, keyframe in enumerate(model.keyframes):
        state = keyframe.state
        vectors = {"qpos": state.q, "qvel": state.v, "act": state.act}
        vectors |= {"ctrl": state.ctrl} if theirs.nu else {}
        for name, mine in vectors.items():
            wanted = getattr(theirs, f"key_{name}")[number]
            if len(mine) == len(wanted) and not np.allclose(mine, wanted, rtol=0, atol=TOLERANCE):
                yield f"{name} of keyframe {number} is {mine.tolist()}, not {wanted.tolist()}"


def _filter(model: Model, theirs: Any) -> Differences:
    welds = [group + 1 for group in model.weld_groups()]
    if welds != theirs.body_weldid[1:].tolist():
        yield f"weld groups are {welds}, not {theirs.body_weldid[1:].tolist()}"
    expected = admissible(theirs)
    for i in range(theirs.nbody):
        for j in range(i, theirs.nbody):
            if model.may_collide(i - 1, j - 1) != ((i, j) in expected):
                yield f"bodies {i} and {j} may collide in one of both only"


def admissible(theirs: Any) -> set[tuple[int, int]]:
    """The pairs of bodies that MuJoCo's documented filter lets through, by its own arrays."""
    body_of = theirs.geom_bodyid.tolist()
    pairs = zip(theirs.pair_geom1.tolist(), theirs.pair_geom2.tolist(), strict=True)
    found = {tuple(sorted((body_of[a], body_of[b]))) for a, b in pairs}
    excluded = {tuple(sorted((s >> 16, s & 0xFFFF))) for s in theirs.exclude_signature.tolist()}
    keeps_parents = bool(theirs.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT)
    weld = theirs.body_weldid.tolist()
    above = [weld[theirs.body_parentid[group]] for group in weld]
    masks = list(zip(theirs.geom_contype.tolist(), theirs.geom_conaffinity.tolist(), strict=True))
    met: set[tuple[int, int]] = set()
    for a, (type_a, to_a) in enumerate(masks):
        for b, (type_b, to_b) in enumerate(masks[:a]):
            if type_a & to_b or type_b & to_a:
                met.add((min(body_of[a], body_of[b]), max(body_of[a], body_of[b])))
    for i, j in met - excluded:
        if weld[i] == weld[j]:
            continue
        related = weld[i] == above[j] or weld[j] == above[i]
        if keeps_parents or not related or not (weld[i] and weld[j]):
            found.add((i, j))
    return {(int(i), int(j)) for i, j in found}


def _forces(model: Model, theirs: Any) -> Differences:
    """Without activations, muscles, and what looks at contacts; gravity compensation included."""
    if not theirs.nu or model.na or not all(map(_computable, model.actuators)):
        return
    rng, data = np.random.default_rng(20), mujoco.MjData(theirs)
    for _ in range(STATES):
        q = theirs.qpos0.copy()
        mujoco.mj_integratePos(theirs, q, rng.uniform(-2.0, 2.0, theirs.nv), 1.0)
        data.qpos[:] = q
        data.qvel[:] = rng.uniform(-3.0, 3.0, theirs.nv)
        data.ctrl[:] = rng.uniform(-3.0, 3.0, theirs.nu)
        mujoco.mj_forward(theirs, data)
        forces = model.actuator_forces_at(data.ctrl, data.qpos, data.qvel)
        size = max(1.0, float(np.abs(data.qfrc_actuator).max()))
        worst = float(np.abs(forces - data.qfrc_actuator).max())
        if not worst <= FORCE_TOLERANCE * size:
            yield f"forces of actuators are off by {worst / size:.1e}"


def _computable(actuator: Any) -> bool:
    return bool(actuator.affine and actuator.transmission is not TransmissionKind.BODY)
