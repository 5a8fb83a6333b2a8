"""Configurations by the names of joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean, shortened
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.joint import Mimic
from phyzctl.spatial import Array

Stated = Mapping[str, float | Sequence[float]]


def configuration(model: CompiledModel, stated: Stated, q: Array | None = None) -> Array:
    """The configuration (nq,) with joints at the `stated` positions, the others as in `q`.

    Without `q` these stand in the reference pose. A joint that mimics one that is stated follows
    it unless it is stated itself. Raises `NotFoundError` for a joint that isn't there and
    `PhyzctlError` for the wrong count of numbers, or one that is not finite.
    """
    found = np.array(model.arrays.q_reference if q is None else q, dtype=np.float64)
    for name, position in stated.items():
        place = joint_slice(model, name)
        numbers = [float(each) for each in np.atleast_1d(np.asarray(position, dtype=np.float64))]
        width = place.stop - place.start
        if len(numbers) != width:
            count = "1 number" if width == 1 else f"{width} numbers"
            raise PhyzctlError(f"the joint {name!r} takes {count}, not {len(numbers)}")
        if not all(map(math.isfinite, numbers)):
            raise PhyzctlError(f"the position of the joint {name!r} must be finite")
        found[place] = numbers
    follow(model, found[np.newaxis], stated)
    return found


def joint_slice(model: CompiledModel, name: str) -> slice:
    """Where a joint that can move stands in q. Raises `NotFoundError`."""
    moving = [joint.name for joint in model.joints if joint.nq]
    if name not in moving:
        hint = did_you_mean(name, moving) or f"; there are {', '.join(moving) or 'none'}"
        raise NotFoundError(f"no joint {shortened(name)!r} that can move{hint}")
    return model.q_slice(name)


def follow(model: CompiledModel, q: Array, stated: Mapping[str, object]) -> None:
    """Let the joints that mimic a stated one follow it, in the rows of `q` (n, nq), in place."""
    settled = {index for index, joint in enumerate(model.joints) if joint.name in stated}
    waiting = {
        index: joint.mimic
        for index, joint in enumerate(model.joints)
        if joint.mimic is not None and joint.nq == 1 and index not in settled
    }
    while ready := {i: mimic for i, mimic in waiting.items() if mimic.joint in settled}:
        for index, mimic in ready.items():
            q[:, model.q_offsets[index]] = _followed(model, q, mimic)
            del waiting[index]
        settled |= ready.keys()


def _followed(model: CompiledModel, q: Array, mimic: Mimic) -> Array:
    leader: Array = q[:, model.q_offsets[mimic.joint]]
    return mimic.multiplier * leader + mimic.offset
