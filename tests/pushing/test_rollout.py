"""Rollouts: order of accuracy, events, contacts that come off and touch again."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from phyzctl.pushing.checks import ParameterError
from phyzctl.pushing.command import PusherCommand
from phyzctl.pushing.params import PusherSliderParams
from phyzctl.pushing.plane import SliderState
from phyzctl.pushing.record import pusher_points
from phyzctl.pushing.rollout import Rollout, rollout
from tests.pushing.cases import DEFAULT, DOWN, JAMMED, SEPARATED, STICK, UP

START = SliderState(0.3, -0.2, 1.1)


def end_of(found: Rollout) -> tuple[float, float, float, float]:
    state = found.state
    return state.x, state.y, state.theta, float(found.offsets[-1, 0])


def test_order_four() -> None:
    """Halving dt divides the error by 16: sliding in one mode from beginning to end."""
    command = PusherCommand(1, -0.01, 0.05, -0.4)
    ends = [
        np.array(end_of(rollout(DEFAULT, START, command, 0.08, dt=0.08 / n))) for n in (4, 8, 512)
    ]
    errors = [np.abs(end - ends[-1]).max() for end in ends[:2]]
    assert 12 < errors[0] / errors[1] < 20


def test_sticking_is_the_exact_arc() -> None:
    command = PusherCommand(2, 0.01, 0.05, 0.01)
    found = rollout(DEFAULT, START, command, 3.0, dt=0.01)
    state, mode = DEFAULT.step(START, command, 3.0)
    assert mode is STICK
    assert (found.modes == STICK).all()
    assert (found.offsets == 0.01).all()
    assert end_of(found)[:3] == pytest.approx((state.x, state.y, state.theta), abs=1e-10)


def test_the_offset_moves_with_the_slip() -> None:
    """s' = vt - t . v: the pusher's own way is that of its two speeds, seen from the slider."""
    command = PusherCommand(0, -0.02, 0.05, 0.15)
    found = rollout(DEFAULT, SliderState(), command, 0.3, dt=0.001)
    rates = np.diff(found.offsets[:, 0]) / np.diff(found.times)
    middle = 0.5 * (found.offsets[1:, 0] + found.offsets[:-1, 0])
    for rate, offset in zip(rates[::50], middle[::50], strict=True):
        twist, mode = DEFAULT.contact_twist(dataclasses.replace(command, contact=float(offset)))
        assert mode is UP
        assert rate == pytest.approx(0.15 - (twist.vy - 0.05 * twist.omega), rel=1e-5)


def test_samples_at_every_dt_and_at_the_end() -> None:
    command = PusherCommand(0, 0.0, 0.1)
    found = rollout(DEFAULT, SliderState(), command, 0.25, dt=0.1)
    assert found.times.tolist() == pytest.approx([0, 0.1, 0.2, 0.25])
    assert found.poses[:, 0].tolist() == pytest.approx([0, 0.01, 0.02, 0.025])
    assert found.twists[:, 0].tolist() == pytest.approx([0.1] * 4)
    assert rollout(DEFAULT, SliderState(), command, 0.3, dt=0.1).times.tolist()[-1] == 0.3
    assert len(rollout(DEFAULT, SliderState(), command, 0.3, dt=0.1).times) == 4
    assert len(rollout(DEFAULT, SliderState(), command, 0.0).times) == 1


def test_shapes() -> None:
    params = PusherSliderParams(f_max=1.0)
    pair = PusherCommand(0, 0.03, 0.05), PusherCommand(0, -0.03, 0.05)
    found = rollout(params, SliderState(), pair, 0.1, dt=0.05)
    assert (found.poses.shape, found.twists.shape) == ((3, 3), (3, 3))
    assert (found.offsets.shape, found.gaps.shape, found.modes.shape) == ((3, 2),) * 3
    assert found.forces is not None
    assert found.forces.shape == (3, 2, 2)
    assert found.forces[:, :, 0].ravel().tolist() == pytest.approx([0.5] * 6)
    assert rollout(DEFAULT, SliderState(), pair, 0.1).forces is None
    assert found.commands == pair


def test_a_pusher_past_the_end_is_lost_and_the_slider_rests() -> None:
    command = PusherCommand(0, 0.03, 0.05, 0.1)
    found = rollout(DEFAULT, SliderState(), command, 1.0, dt=0.05)
    (event,) = found.events
    assert (event.contact, event.before, event.after, event.left_face) == (0, UP, SEPARATED, True)
    after = found.times > event.time
    assert (found.modes[after] == SEPARATED).all()
    assert (found.twists[after] == 0).all()
    assert (found.poses[after] == found.poses[-1]).all()
    on_face = found.offsets[~after]
    assert (on_face <= 0.05).all()


def test_the_moment_of_leaving_does_not_depend_on_dt() -> None:
    command = PusherCommand(3, -0.03, 0.05, -0.1)
    times = [rollout(DEFAULT, START, command, 1.0, dt=dt).events[0].time for dt in (0.003, 0.001)]
    assert times[0] == pytest.approx(times[1], abs=1e-10)
    assert times[0] == pytest.approx(0.393604862, abs=1e-8)


def test_from_sliding_to_sticking() -> None:
    """A pusher that moves across the face as it turns away ends inside the motion cone."""
    params = PusherSliderParams(pusher_friction=0.5)
    command = PusherCommand(0, 0.05, 0.05, 0.0)
    found = rollout(params, SliderState(), command, 8.0, dt=0.02)
    limit = 0.5 * (0.03**2 + 0.05**2) / 0.05
    assert found.offsets[-1, 0] == pytest.approx(limit, abs=1e-6)
    assert (np.diff(found.offsets[:, 0]) <= 0).all()


def test_a_slower_pusher_is_left_behind() -> None:
    """Its gap is the difference of two ways: its own, and that of the face in front of it."""
    pair = PusherCommand(0, 0.0, 0.05), PusherCommand(0, 0.02, 0.02)
    found = rollout(DEFAULT, SliderState(), pair, 1.0, dt=0.1)
    assert (found.modes[:, 0] == STICK).all()
    assert (found.modes[:, 1] == SEPARATED).all()
    assert found.gaps[:, 1].tolist() == pytest.approx((0.03 * found.times).tolist(), abs=1e-12)
    assert (found.gaps[:, 0] == 0).all()


RETOUCH = PusherCommand(0, -0.018, 0.05, -0.18), PusherCommand(1, -0.039, 0.041, 0.04)


def test_a_pusher_that_comes_off_touches_again() -> None:
    """The slider turns away from the second pusher and, when the first has passed, back to it."""
    found = rollout(DEFAULT, SliderState(), RETOUCH, 0.25, dt=0.01)
    (event,) = found.events
    assert (event.contact, event.before, event.after) == (1, SEPARATED, UP)
    before = found.times < event.time
    assert found.gaps[before, 1].max() > 1e-4
    assert (found.gaps[before, 1][1:] > 0).all()
    assert (found.gaps[~before, 1] == 0).all()
    assert (found.modes[~before, 1] == UP).all()
    finer = rollout(DEFAULT, SliderState(), RETOUCH, 0.25, dt=0.0025)
    assert finer.events[0].time == pytest.approx(event.time, abs=1e-6)


MOVES = {
    "sticks": (PusherCommand(1, 0.01, 0.05, 0.01),),
    "slides": (PusherCommand(2, 0.03, 0.05, -0.2),),
    "leads away": (PusherCommand(3, 0.03, -0.05, 0.1),),
    "touches again": RETOUCH,
    "runs past": (PusherCommand(0, 0.04, 0.05, 0.2),),
    "left behind": (PusherCommand(0, 0.0, 0.05), PusherCommand(3, 0.02, 0.01, 0.01)),
}


@pytest.mark.parametrize("pushers", MOVES.values(), ids=MOVES)
def test_pushers_move_in_the_world_as_they_are_told(pushers: tuple[PusherCommand, ...]) -> None:
    """Whatever the contact does: p' = R(theta) (vn n + vt t), by differences of the samples."""
    found = rollout(DEFAULT, START, pushers, 0.24, dt=0.001)
    places = pusher_points(0.05, found)
    velocities = (places[2:] - places[:-2]) / 0.002
    theta = found.poses[1:-1, 2]
    for index, pusher in enumerate(pushers):
        nx, ny = pusher.normal
        told = pusher.push_speed, pusher.tangent_speed
        vx, vy = told[0] * nx - told[1] * ny, told[0] * ny + told[1] * nx
        expected = np.stack(
            [np.cos(theta) * vx - np.sin(theta) * vy, np.sin(theta) * vx + np.cos(theta) * vy], -1
        )
        error = np.abs(velocities[:, index] - expected).max(axis=1)
        calm = np.ones(len(error), dtype=bool)
        for event in found.events:  # where rates jump, a difference over the jump says nothing
            calm &= np.abs(found.times[1:-1] - event.time) > 0.0015
        assert error[calm].max() < 2e-5


def test_opposed_pushers_slide_inwards_and_jam() -> None:
    pair = PusherCommand(0, 0.035, 0.05), PusherCommand(2, 0.035, 0.05)
    found = rollout(DEFAULT, SliderState(), pair, 0.3, dt=0.005)
    assert found.modes[0].tolist() == [DOWN, DOWN]
    assert found.modes[-1].tolist() == [JAMMED, JAMMED]
    assert found.offsets[-1].tolist() == pytest.approx([0.3 * 0.05] * 2, abs=1e-7)
    assert {each.after for each in found.events} == {JAMMED}
    assert len(found.events) == 2
    # It turns on the spot at omega = -v/s, so that s' = omega b: s^2 falls evenly.
    time = (0.035**2 - 0.015**2) / (2 * 0.05 * 0.05)
    assert found.events[0].time == pytest.approx(time, rel=1e-6)
    still = found.times > found.events[0].time
    assert (found.poses[still] == found.poses[-1]).all()


def test_a_lost_pusher_leaves_the_other_alone() -> None:
    pair = PusherCommand(0, 0.0, 0.05), PusherCommand(1, 0.049, 0.01, 1.0)
    found = rollout(DEFAULT, SliderState(), pair, 0.5, dt=0.01)
    lost = [each for each in found.events if each.left_face]
    assert [each.contact for each in lost] == [1]
    later = found.times > lost[0].time
    assert (found.modes[later, 1] == SEPARATED).all()
    assert (found.modes[later, 0] == STICK).all()
    assert np.allclose(found.twists[later], (0.05, 0, 0))


def test_rollouts_mirror() -> None:
    command = PusherCommand(0, 0.03, 0.05, 0.1)
    mirror = PusherCommand(0, -0.03, 0.05, -0.1)
    one = rollout(DEFAULT, SliderState(), command, 0.6, dt=0.01)
    two = rollout(DEFAULT, SliderState(), mirror, 0.6, dt=0.01)
    assert np.allclose(one.poses * (1, -1, -1), two.poses, rtol=0, atol=1e-14)
    assert one.events[0].time == pytest.approx(two.events[0].time, rel=1e-12)


def test_rollouts_start_anywhere() -> None:
    command = PusherCommand(0, 0.03, 0.05, 0.1)
    here = rollout(DEFAULT, SliderState(), command, 0.3, dt=0.01).state
    there = rollout(DEFAULT, START, command, 0.3, dt=0.01).state
    assert START.point(here.x, here.y) == pytest.approx((there.x, there.y), abs=1e-13)
    assert there.theta - START.theta == pytest.approx(here.theta, rel=1e-12)


def test_a_pusher_that_leads_away() -> None:
    found = rollout(DEFAULT, START, PusherCommand(0, 0.01, -0.05, 0.02), 1.0, dt=0.1)
    assert (found.modes == SEPARATED).all()
    assert found.gaps[-1, 0] == pytest.approx(0.05)
    assert found.offsets[-1, 0] == pytest.approx(0.03)
    assert found.state == START
    assert found.events == ()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"commands": ()}, "commands"),
        ({"commands": [PusherCommand(0, 0, 1)] * 3}, "commands"),
        ({"duration": -1.0}, "duration"),
        ({"duration": math.nan}, "duration"),
        ({"dt": 0.0}, "dt"),
        ({"dt": math.inf}, "dt"),
    ],
)
def test_what_is_refused(arguments: dict[str, object], field: str) -> None:
    given = {"commands": PusherCommand(0, 0, 1), "duration": 1.0, "dt": 0.1} | arguments
    with pytest.raises(ParameterError) as caught:
        rollout(DEFAULT, SliderState(), **given)  # type: ignore[arg-type]
    assert caught.value.field == field
