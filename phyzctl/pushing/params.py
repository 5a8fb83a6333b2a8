"""PusherSliderParams: the slider, and what single steps of pushing it come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from phyzctl.pushing.checks import (
    ParameterError,
    require_finite,
    require_not_negative,
    require_positive,
)
from phyzctl.pushing.command import ContactMode, PusherCommand
from phyzctl.pushing.contact import Surface, contact_force, motion_cone, twist_of_force
from phyzctl.pushing.plane import SliderState, Twist
from phyzctl.pushing.twocontact import Motion, two_contact_forces, two_contact_motion

Modes = tuple[ContactMode, ContactMode]

# c/b of a square that presses evenly: the mean distance of its points from its centre.
UNIFORM_PRESSURE = (math.sqrt(2.0) + math.asinh(1.0)) / 3.0


class TwoContactTwist(tuple[Twist, Modes]):  # noqa: SLOT001 - tuples take no slots
    """The pair (twist, modes), which knows more besides.

    `ambiguous` says that other twists are consistent as well, of no less power.
    """

    ambiguous: bool

    @classmethod
    def of(cls, motion: Motion) -> TwoContactTwist:
        """From a Motion."""
        made = cls((motion.twist, motion.modes))
        made.ambiguous = motion.ambiguous
        return made


@dataclass(frozen=True, slots=True, init=False)
class PusherSliderParams:
    """A square slider of half side `half_extent` b [m] on a plane, and its pusher's friction.

    `char_len` c [m] is the greatest friction moment over the greatest friction force; None takes
    that of evenly spread pressure, 0.765196 b. `pusher_friction` is mu. `f_max` [N] is the
    greatest friction force on the plane, mu_plane m g; it is needed for forces only.
    `ParameterError` names what makes no sense.
    """

    half_extent: float
    char_len: float
    pusher_friction: float
    f_max: float | None

    def __init__(
        self,
        half_extent: float = 0.05,
        char_len: float | None = 0.03,
        pusher_friction: float = 0.3,
        *,
        f_max: float | None = None,
    ) -> None:
        require_positive("half_extent", half_extent)
        if char_len is None:
            char_len = UNIFORM_PRESSURE * half_extent
        require_positive("char_len", char_len)
        require_not_negative("pusher_friction", pusher_friction)
        if f_max is not None:
            require_positive("f_max", f_max)
            f_max = float(f_max)
        object.__setattr__(self, "half_extent", float(half_extent))
        object.__setattr__(self, "char_len", float(char_len))
        object.__setattr__(self, "pusher_friction", float(pusher_friction))
        object.__setattr__(self, "f_max", f_max)

    @property
    def surface(self) -> Surface:
        """The three numbers that the contact law needs."""
        return Surface(self.half_extent, self.char_len, self.pusher_friction)

    def contact_point(self, state: SliderState, command: PusherCommand) -> tuple[float, float]:
        """Where the pusher touches, in the world frame [m]; offsets end at the face's ends."""
        nx, ny = command.normal
        offset = self._clamped(command.contact)
        bound = self.half_extent
        return state.point(-bound * nx - offset * ny, -bound * ny + offset * nx)

    def contact_twist(self, command: PusherCommand) -> tuple[Twist, ContactMode]:
        """The body twist under one pusher, and what its contact does."""
        surface, offset = self.surface, self._clamped(command.contact)
        normal, tangential, mode = contact_force(
            surface, offset, command.push_speed, command.tangent_speed
        )
        return twist_of_force(surface, int(command.face), offset, normal, tangential), mode

    def step(
        self, state: SliderState, command: PusherCommand, dt: float
    ) -> tuple[SliderState, ContactMode]:
        """The state after `dt` [s] of one push whose offset stays, and what its contact does."""
        require_not_negative("dt", dt)
        twist, mode = self.contact_twist(command)
        return (state if mode is ContactMode.SEPARATED else state.moved(twist, dt)), mode

    def two_contact_twist(self, first: PusherCommand, second: PusherCommand) -> TwoContactTwist:
        """The body twist under two pushers, and what each contact does.

        Push speeds count with their sign: a pusher may lead away. Of several consistent twists
        the one of least power is taken, and `ambiguous` set. When there is none, the slider stays
        and both contacts are JAMMED. That takes opposite faces, or adjacent ones with a friction
        of more than 1: pushers jam when the line between them is in both friction cones.
        """
        return TwoContactTwist.of(two_contact_motion(self.surface, first, second))

    def two_contact_step(
        self, state: SliderState, first: PusherCommand, second: PusherCommand, dt: float
    ) -> tuple[SliderState, Modes]:
        """The state after `dt` [s] of two pushes whose offsets stay, and what each contact does."""
        require_not_negative("dt", dt)
        twist, modes = self.two_contact_twist(first, second)
        return state.moved(twist, dt), modes

    def contact_force(self, command: PusherCommand) -> tuple[float, float]:
        """The pusher's force along normal and tangent [N]; it takes `f_max`."""
        offset = self._clamped(command.contact)
        normal, tangential, _ = contact_force(
            self.surface, offset, command.push_speed, command.tangent_speed
        )
        scale = self._newtons(self.contact_twist(command)[0])
        return scale * normal, scale * tangential

    def two_contact_forces(
        self, first: PusherCommand, second: PusherCommand
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Both pushers' forces along normal and tangent [N], of least norm; it takes `f_max`.

        Squeezing that moves nothing is not part of them.
        """
        motion = two_contact_motion(self.surface, first, second)
        scale = self._newtons(motion.twist)
        (n1, t1), (n2, t2) = two_contact_forces(self.surface, motion, first, second)
        return (scale * n1, scale * t1), (scale * n2, scale * t2)

    def motion_cone(self, contact: float) -> tuple[float, float]:
        """The least and greatest tangent speed over push speed at which a pusher there sticks."""
        require_finite("contact", contact)
        return motion_cone(self.surface, self._clamped(contact))

    def _clamped(self, offset: float) -> float:
        return min(max(offset, -self.half_extent), self.half_extent)

    def _newtons(self, twist: Twist) -> float:
        """Newtons a m/s of force: a moving slider's wrench is on the limit surface."""
        if self.f_max is None:
            raise ParameterError("f_max", "must be given for forces in newtons")
        speed = math.hypot(twist.vx, twist.vy, self.char_len * twist.omega)
        return self.f_max / speed if speed > 0.0 else 0.0


def char_len_of_supports(
    points: Sequence[tuple[float, float]], weights: Sequence[float] | None = None
) -> float:
    """The characteristic length [m] of a slider that stands on points, each with its load.

    It is the mean distance of the load from its centre, which is what the slider turns about;
    loads are equal when not given, and only their ratios count.
    """
    loads = [1.0] * len(points) if weights is None else list(weights)
    if len(loads) != len(points):
        raise ParameterError("weights", f"must be {len(points)} numbers, one a point")
    for x, y in points:
        require_finite("points", x)
        require_finite("points", y)
    for load in loads:
        require_not_negative("weights", load)
    total = math.fsum(loads)
    if total <= 0.0:
        raise ParameterError("points", "must bear some load")
    x, y = (
        math.fsum(load * point[axis] for load, point in zip(loads, points, strict=True)) / total
        for axis in (0, 1)
    )
    arms = (load * math.dist((x, y), point) for load, point in zip(loads, points, strict=True))
    return math.fsum(arms) / total
