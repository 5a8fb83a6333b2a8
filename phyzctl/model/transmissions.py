"""What actuators pull on: lengths, and how velocities change them, by the native kernel."""

from __future__ import annotations

import numpy as np

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.model.joint import Joint, JointType
from phyzctl.spatial import Array


def transmissions(model: CompiledModel, q: Array) -> tuple[Array, Array]:
    """Lengths (nu,) at `q` (nq,), gears included, and their derivatives by v (nu, nv).

    Raises PhyzctlError for a free joint on anything but the world.
    """
    refuse_floating_parts(model)
    dynamics = native.Dynamics(model.system, **dynamics_arrays(model))
    lengths, moments = native.transmissions(dynamics, np.ascontiguousarray(q)[np.newaxis])
    return lengths[0], moments[0]


def refuse_floating_parts(model: CompiledModel) -> None:
    """A free joint's coordinates are those of the world: nothing may carry it."""
    joint = floating_part(model)
    if joint is not None:
        raise PhyzctlError(
            f"joint {joint.name!r} floats on a body that moves or has other joints: that is not "
            "simulated"
        )


def floating_part(model: CompiledModel) -> Joint | None:
    """The first free joint that something carries (T407), if there is one."""
    for body in model.bodies:
        for joint in (model.joints[index] for index in body.joints):
            if joint.type is JointType.FREE and (body.parent >= 0 or len(body.joints) > 1):
                return joint
    return None
