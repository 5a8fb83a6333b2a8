"""State: all that changes while a Model moves, enough for a bitwise restart."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from phyzctl.spatial import Array


@dataclass(slots=True, eq=False)
class State:
    """Positions, velocities, controls, and what a step carries over to the next.

    `q` (nq,) and `v` (nv,) follow the Model's offsets, quaternions w x y z; a free joint's v is
    the linear velocity of the body's origin in world axes, then the angular one in body axes.
    `ctrl` (nu,) or, without actuators, (nv,); `act` (na,) activations; `time` [s]. External
    forces, which stay until changed: `qfrc_applied` (nv,) [N m or N] on the degrees of freedom,
    `xfrc_applied` (nbody, 6) force [N] at the centre of mass and torque [N m], world axes.
    `qacc_warmstart` (nv,) starts the solver; `eq_active` (neq,) says which equalities hold.
    """

    q: Array
    v: Array
    ctrl: Array
    act: Array
    qfrc_applied: Array
    xfrc_applied: Array
    qacc_warmstart: Array
    eq_active: NDArray[np.bool_]
    time: float = 0.0

    def copy(self) -> State:
        """A State that shares nothing with this one."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        time = values.pop("time")
        return State(**{name: value.copy() for name, value in values.items()}, time=time)

    def identical(self, other: State) -> bool:
        """True when every number has the same bits: NaN equals itself, 0.0 is not -0.0."""
        for item in fields(self):
            mine, theirs = np.asarray(getattr(self, item.name)), getattr(other, item.name)
            theirs = np.asarray(theirs)
            if mine.shape != theirs.shape or mine.tobytes() != theirs.tobytes():
                return False
        return True
