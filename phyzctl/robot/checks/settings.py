"""Settings of the simulation."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.robot.robot import Robot

_TIMESTEP = {"mjcf": 0.002}  # [s] what a file means that states none
_OTHER_TIMESTEP = 0.001


def timestep(robot: Robot) -> float:
    """The time step [s] that the robot is simulated with."""
    stated = robot.option.timestep
    return _TIMESTEP.get(robot.dialect or "", _OTHER_TIMESTEP) if stated is None else stated


def flag(robot: Robot, name: str, *, default: bool) -> bool:
    """Whether a flag of MJCF's `<option>` is on."""
    return dict(robot.option.flags).get(name, default)


def timestep_not_positive(robot: Robot) -> Iterator[Finding]:
    """M017: a time step that time can't advance by."""
    stated = robot.option.timestep
    if stated is not None and stated <= 0.0:
        message = f"the time step {stated:g} s is not positive"
        yield Finding(robot.option, message, "timestep", subject="option")


CHECKS = ((codes.TIMESTEP_NOT_POSITIVE, timestep_not_positive),)
