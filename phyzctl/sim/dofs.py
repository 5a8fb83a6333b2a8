"""Which joint a degree of freedom belongs to, and what it is measured in."""

from __future__ import annotations

from phyzctl.model.joint import Joint, JointType
from phyzctl.model.model import Model


def joint_at(model: Model, dof: int) -> Joint:
    """The joint that a place in v belongs to."""
    places = (model.v_slice(index) for index in range(len(model.joints)))
    return next(j for j, place in zip(model.joints, places, strict=True) if dof < place.stop)


def unit_at(model: Model, dof: int) -> str:
    """`m` or `rad`."""
    first = next(i for i, joint in enumerate(model.joints) if joint is joint_at(model, dof))
    joint, place = model.joints[first], model.v_slice(first)
    linear = joint.type is JointType.FREE and dof - place.start < 3
    return "m" if linear or joint.type is JointType.SLIDE else "rad"
