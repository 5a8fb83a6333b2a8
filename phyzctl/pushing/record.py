"""The trace of a scenario: the slider, its twist, and each contact's place, mode and force."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phyzctl.pushing.rollout import Array, Event, Rollout
from phyzctl.pushing.scenario import Scenario
from phyzctl.trace.header import Channel, TraceHeader, origin_of, versions
from phyzctl.trace.trace import Trace, make_trace

WORLD, SLIDER = "world", "slider"


def record(scenario: Scenario, rollouts: Sequence[Rollout]) -> Trace:
    """The rollouts of a scenario's pushes as one trace.

    A push after another goes on from that one's last sample. Contacts that a push doesn't have
    are NaN.
    """
    parts = [_part(scenario, index, each) for index, each in enumerate(rollouts)]
    joined = {
        name: np.concatenate([part[name][index > 0 :] for index, part in enumerate(parts)])
        for name in parts[0]
    }
    header = TraceHeader(
        kind="push",
        origin=origin_of(scenario.path, scenario.data),
        dt=scenario.dt,
        integrator="rk4",
        channels=tuple(_channels(scenario)),
        options=_options(scenario),
        initial_state=dataclasses.asdict(scenario.start),
        events=tuple(all_events(scenario, rollouts)),
        versions=versions(),
    )
    return make_trace(header, joined.pop("time"), joined, description=_urdf(scenario))


def all_events(scenario: Scenario, rollouts: Sequence[Rollout]) -> Iterator[tuple[float, str]]:
    """The events of all pushes: the time from the start of the scenario [s], and what happened."""
    for start, each in zip(_starts(scenario), rollouts, strict=True):
        for event in each.events:
            yield start + event.time, _event_text(event)


def _event_text(event: Event) -> str:
    if event.left_face:
        return f"contact {event.contact} leaves its face"
    return f"contact {event.contact}: {event.before.label} to {event.after.label}"


def _channels(scenario: Scenario) -> Iterator[Channel]:
    pose = ("x", "y", "theta")
    yield Channel(SLIDER, pose, ("m", "m", "rad"), WORLD, state=True, body=SLIDER)
    yield Channel("twist", ("vx", "vy", "omega"), ("m/s", "m/s", "rad/s"), SLIDER)
    yield Channel("push", ("index",), ("1",))
    for index in range(_contact_count(scenario)):
        name = f"contact_{index}"
        yield Channel(name, ("offset", "gap", "mode"), ("m", "m", "1"), state=True)
        yield Channel(f"{name}_point", ("x", "y"), ("m", "m"), WORLD, body=f"pusher_{index}")
        if scenario.params.f_max is not None:
            yield Channel(f"{name}_force", ("normal", "tangential"), ("N", "N"))


def _part(scenario: Scenario, number: int, rollout: Rollout) -> dict[str, Array]:
    """One push's samples by channel, and their times."""
    count = len(rollout.times)
    part = {
        "time": _starts(scenario)[number] + rollout.times,
        SLIDER: rollout.poses,
        "twist": rollout.twists,
        "push": np.full((count, 1), float(number)),
    }
    points = pusher_points(scenario.params.half_extent, rollout)
    for index in range(_contact_count(scenario)):
        known = index < len(rollout.commands)
        place, point, force = (np.full((count, width), np.nan) for width in (3, 2, 2))
        if known:
            columns = (rollout.offsets, rollout.gaps, rollout.modes)
            place = np.stack([each[:, index] for each in columns], axis=-1)
            point = points[:, index]
        if known and rollout.forces is not None:
            force = rollout.forces[:, index]
        name = f"contact_{index}"
        part |= {name: place, f"{name}_point": point, f"{name}_force": force}
    return part


def pusher_points(half_extent: float, rollout: Rollout) -> Array:
    """Where the pushers are, in the world frame, (n, k, 2) [m]."""
    normals = np.array([each.normal for each in rollout.commands])
    tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=-1)
    depth = half_extent + rollout.gaps
    in_body = rollout.offsets[..., None] * tangents - depth[..., None] * normals
    theta = rollout.poses[:, 2]
    cosine, sine = np.cos(theta)[:, None], np.sin(theta)[:, None]
    x, y = in_body[..., 0], in_body[..., 1]
    turned = np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)
    points: Array = rollout.poses[:, None, :2] + turned
    return points


def _starts(scenario: Scenario) -> list[float]:
    """When each push begins."""
    durations = [push.duration for push in scenario.pushes]
    return list(itertools.accumulate(durations[:-1], initial=0.0))


def _contact_count(scenario: Scenario) -> int:
    return max(len(push.commands) for push in scenario.pushes)


def _options(scenario: Scenario) -> dict[str, Any]:
    """All that the scenario says besides its start, defaults and conversions applied."""
    params = scenario.params
    return {
        "name": scenario.name,
        "half_extent": params.half_extent,
        "char_len": params.char_len,
        "pusher_friction": params.pusher_friction,
        "f_max": params.f_max,
        "pushes": [dataclasses.asdict(push) for push in scenario.pushes],
    }


def _urdf(scenario: Scenario) -> str:
    """The slider as a robot of one link, for viewers."""
    side = 2.0 * scenario.params.half_extent
    box = f'<box size="{side!r} {side!r} {side / 2!r}"/>'
    visual = f"<visual><geometry>{box}</geometry></visual>"
    return f'<robot name="slider"><link name="{SLIDER}">{visual}</link></robot>\n'
