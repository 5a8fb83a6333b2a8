"""Pushing over time: contacts move along their faces, come off, and touch again.

The pusher's place in the slider's frame is integrated along with the slider's pose (RK4). What a
contact does is looked at after every step; when that has changed, or a contact has run past the
end of its face, bisection finds the moment and the step ends there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phyzctl.pushing.checks import ParameterError, require_not_negative, require_positive
from phyzctl.pushing.command import ContactMode, PusherCommand
from phyzctl.pushing.params import PusherSliderParams
from phyzctl.pushing.plane import AT_REST, SliderState, Twist
from phyzctl.records import dataclass

Array = NDArray[np.float64]

_BISECTIONS = 52
_TOUCHING = 1e-12  # of the half side: a gap that rounding alone has opened
_EVENTS_A_STEP = 100


class Event(NamedTuple):
    """At `time` [s], the contact of that index went from one mode to another.

    `left_face` says that it ran past the end of its face; such a contact is lost for good.
    """

    time: float
    contact: int
    before: ContactMode
    after: ContactMode
    left_face: bool


@dataclass(frozen=True)
class Rollout:
    """What a rollout saw, at n times and for k contacts.

    `times` (n,) [s]; `poses` (n, 3) x, y [m], theta [rad]; `twists` (n, 3) in the body frame;
    `offsets` and `gaps` (n, k) [m], along the face's tangent and out from it, which is below 0 for
    a pusher that passes beside the slider; `modes` (n, k);
    `forces` (n, k, 2) along normal and tangent [N], None without `f_max`; `commands`, the k
    pushers as they were told to move.
    """

    times: Array
    poses: Array
    twists: Array
    offsets: Array
    gaps: Array
    modes: NDArray[np.int8]
    forces: Array | None
    events: tuple[Event, ...]
    commands: tuple[PusherCommand, ...]

    @property
    def state(self) -> SliderState:
        """The slider at the end."""
        return SliderState(*(float(each) for each in self.poses[-1]))


def rollout(
    params: PusherSliderParams,
    state: SliderState,
    commands: PusherCommand | Sequence[PusherCommand],
    duration: float,
    *,
    dt: float = 0.01,
) -> Rollout:
    """Push for `duration` [s] with one or two pushers; samples every `dt` [s] and at the end.

    A pusher's offset changes as it slides: s' = vt - t . v at the contact. One that comes off
    the slider keeps moving and may touch it again; one that runs past the end of its face does
    not. Where two pushers jam, slider and offsets stay.
    """
    pushers = (commands,) if isinstance(commands, PusherCommand) else tuple(commands)
    if len(pushers) not in (1, 2):
        raise ParameterError("commands", f"must be one or two pushers, not {len(pushers)}")
    require_not_negative("duration", duration)
    require_positive("dt", dt)
    run = _Run(params, pushers, state)
    run.sample()
    for index in range(1, math.ceil(duration / dt - 1e-9) + 1):
        run.advance(min(index * dt, duration))
        run.sample()
    return run.result()


class _Place(NamedTuple):
    """Where a pusher is on its face; `lost` when it has run past the end."""

    offset: float
    gap: float
    lost: bool


class _Motion(NamedTuple):
    twist: Twist
    modes: tuple[ContactMode, ...]


class _Trial(NamedTuple):
    """What there would be after a time."""

    span: float
    state: SliderState
    places: tuple[_Place, ...]
    motion: _Motion


class _Run:
    """A rollout under way."""

    def __init__(
        self, params: PusherSliderParams, pushers: tuple[PusherCommand, ...], state: SliderState
    ) -> None:
        self.params = params
        self.pushers = pushers
        self.time = 0.0
        self.state = state
        bound = params.half_extent
        self.places = tuple(
            _Place(min(max(each.contact, -bound), bound), 0.0, lost=False) for each in pushers
        )
        self.motion = self._motion(self.places)
        self.samples: list[tuple[float, SliderState, tuple[_Place, ...], _Motion]] = []
        self.events: list[Event] = []

    def sample(self) -> None:
        """Keep what is the case now."""
        self.samples.append((self.time, self.state, self.places, self.motion))

    def advance(self, until: float) -> None:
        """Go on to a time, from event to event."""
        for _ in range(_EVENTS_A_STEP):
            trial = self._tried(until - self.time)
            if self._is_same(trial):
                break
            trial = self._first_change(trial)
            self._take(trial)
        else:
            trial = self._tried(until - self.time)
        self._take(trial)
        self.time = until

    def _first_change(self, changed: _Trial) -> _Trial:
        """The least time, within rounding, after which something has changed."""
        same = 0.0
        for _ in range(_BISECTIONS):
            middle = 0.5 * (same + changed.span)
            if not same < middle < changed.span:
                break
            trial = self._tried(middle)
            if self._is_same(trial):
                same = middle
            else:
                changed = trial
        return changed

    def _tried(self, span: float) -> _Trial:
        state, places = self._integrated(span)
        places = self._settled(places)
        return _Trial(span, state, places, self._motion(places))

    def _is_same(self, trial: _Trial) -> bool:
        lost = [place.lost for place in trial.places] != [place.lost for place in self.places]
        return not lost and trial.motion.modes == self.motion.modes

    def _take(self, trial: _Trial) -> None:
        """Move on, and note what has changed."""
        before, were = self.motion.modes, self.places
        self.time += trial.span
        _, self.state, self.places, self.motion = trial
        for index, (old, new) in enumerate(zip(before, self.motion.modes, strict=True)):
            left = self.places[index].lost and not were[index].lost
            if old is not new or left:
                self.events.append(Event(self.time, index, old, new, left))

    def _settled(self, places: tuple[_Place, ...]) -> tuple[_Place, ...]:
        """Places with contacts closed that touch, and lost that have left their face."""
        bound = self.params.half_extent
        settled = []
        for place in places:
            if place.lost:  # it may move on beside the slider, behind the line of the face
                settled.append(place)
                continue
            gap = 0.0 if place.gap <= _TOUCHING * bound else place.gap
            settled.append(_Place(place.offset, gap, gap == 0.0 and abs(place.offset) > bound))
        return tuple(settled)

    def _motion(self, places: tuple[_Place, ...]) -> _Motion:
        """What the pushers that touch do to the slider."""
        touching = [
            index for index, place in enumerate(places) if place.gap == 0.0 and not place.lost
        ]
        found: tuple[ContactMode, ...]
        twist, found = AT_REST, ()
        told = [replace(self.pushers[index], contact=places[index].offset) for index in touching]
        if len(told) == 1:
            twist, mode = self.params.contact_twist(told[0])
            found = (mode,)
        elif told:
            twist, found = self.params.two_contact_twist(*told)
        modes = [ContactMode.SEPARATED] * len(places)
        for index, mode in zip(touching, found, strict=True):
            modes[index] = mode
        return _Motion(twist, tuple(modes))

    def _integrated(self, span: float) -> tuple[SliderState, tuple[_Place, ...]]:
        """State and places after a time: RK4 with the contacts that are closed now."""
        y = self._packed()
        k1 = self._rates(y)
        k2 = self._rates(_along(y, k1, 0.5 * span))
        k3 = self._rates(_along(y, k2, 0.5 * span))
        k4 = self._rates(_along(y, k3, span))
        total = [a + 2.0 * b + 2.0 * c + d for a, b, c, d in zip(k1, k2, k3, k4, strict=True)]
        end = _along(y, total, span / 6.0)
        return SliderState(*end[:3]), self._unpacked(end)

    def _packed(self) -> list[float]:
        state = self.state
        y = [state.x, state.y, state.theta]
        for place in self.places:
            y += [place.offset, place.gap]
        return y

    def _unpacked(self, y: list[float]) -> tuple[_Place, ...]:
        return tuple(
            _Place(y[3 + 2 * index], y[4 + 2 * index], place.lost)
            for index, place in enumerate(self.places)
        )

    def _rates(self, y: list[float]) -> list[float]:
        """The time derivative of pose, offsets and gaps."""
        places = self._unpacked(y)
        held = tuple(  # a contact that is closed at the start of the step counts as closed
            there._replace(gap=there.gap if place.gap > 0.0 else 0.0)
            for there, place in zip(places, self.places, strict=True)
        )
        twist, modes = self._motion(held)
        cosine, sine = math.cos(y[2]), math.sin(y[2])
        rates = [
            cosine * twist.vx - sine * twist.vy,
            sine * twist.vx + cosine * twist.vy,
            twist.omega,
        ]
        jammed = ContactMode.JAMMED in modes
        for pusher, place, mode in zip(self.pushers, places, modes, strict=True):
            rates += (0.0, 0.0) if jammed else self._drift(pusher, place, mode, twist)
        return rates

    def _drift(
        self, pusher: PusherCommand, place: _Place, mode: ContactMode, twist: Twist
    ) -> tuple[float, float]:
        """How offset and gap of one pusher change, seen from the slider."""
        if mode is ContactMode.STICK:
            return 0.0, 0.0
        nx, ny = pusher.normal
        depth = self.params.half_extent + place.gap
        along = ny * -twist.vx + nx * twist.vy - twist.omega * depth
        inward = nx * twist.vx + ny * twist.vy - twist.omega * place.offset
        apart = mode is ContactMode.SEPARATED
        return pusher.tangent_speed - along, (inward - pusher.push_speed) * apart

    def result(self) -> Rollout:
        """The samples as arrays."""
        times, states, places, motions = zip(*self.samples, strict=True)
        return Rollout(
            times=np.array(times),
            poses=np.array([(each.x, each.y, each.theta) for each in states]),
            twists=np.array([motion.twist for motion in motions]),
            offsets=np.array([[place.offset for place in each] for each in places]),
            gaps=np.array([[place.gap for place in each] for each in places]),
            modes=np.array([motion.modes for motion in motions], dtype=np.int8),
            forces=self._forces() if self.params.f_max is not None else None,
            events=tuple(self.events),
            commands=self.pushers,
        )

    def _forces(self) -> Array:
        forces = np.zeros((len(self.samples), len(self.pushers), 2))
        for row, (_, _, places, motion) in enumerate(self.samples):
            pushing = [i for i, mode in enumerate(motion.modes) if mode in _PUSHING]
            told = [replace(self.pushers[i], contact=places[i].offset) for i in pushing]
            if len(told) == 1:
                forces[row, pushing] = self.params.contact_force(told[0])
            elif told:
                forces[row, pushing] = self.params.two_contact_forces(*told)
        return forces


_PUSHING = frozenset({ContactMode.STICK, ContactMode.SLIDE_UP, ContactMode.SLIDE_DOWN})


def _along(y: list[float], rates: Sequence[float], span: float) -> list[float]:
    return [value + span * rate for value, rate in zip(y, rates, strict=True)]
