"""Sliders, states and commands: what they refuse, and what follows from them."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import phyzctl
from phyzctl.errors import PhyzctlError
from phyzctl.pushing.checks import ParameterError
from phyzctl.pushing.command import ContactMode, PusherCommand, legacy_faces
from phyzctl.pushing.params import UNIFORM_PRESSURE, PusherSliderParams, char_len_of_supports
from phyzctl.pushing.plane import SliderState, Twist
from tests.pushing.cases import DEFAULT, NORMALS, points

NAN, INF = math.nan, math.inf

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "half zero": (lambda: PusherSliderParams(half_extent=0), "half_extent"),
    "half negative": (lambda: PusherSliderParams(-0.05), "half_extent"),
    "half nan": (lambda: PusherSliderParams(NAN), "half_extent"),
    "half infinite": (lambda: PusherSliderParams(INF), "half_extent"),
    "half text": (lambda: PusherSliderParams("0.05"), "half_extent"),  # type: ignore[arg-type]
    "length zero": (lambda: PusherSliderParams(char_len=0), "char_len"),
    "length nan": (lambda: PusherSliderParams(char_len=NAN), "char_len"),
    "friction negative": (lambda: PusherSliderParams(pusher_friction=-0.1), "pusher_friction"),
    "friction nan": (lambda: PusherSliderParams(pusher_friction=NAN), "pusher_friction"),
    "friction infinite": (lambda: PusherSliderParams(pusher_friction=INF), "pusher_friction"),
    "force zero": (lambda: PusherSliderParams(f_max=0), "f_max"),
    "by replacement": (lambda: dataclasses.replace(DEFAULT, char_len=-1), "char_len"),
    "face": (lambda: PusherCommand(4, 0, 1), "face"),
    "face negative": (lambda: PusherCommand(-1, 0, 1), "face"),
    "face half": (lambda: PusherCommand(0.5, 0, 1), "face"),  # type: ignore[arg-type]
    "face true": (lambda: PusherCommand(True, 0, 1), "face"),
    "offset": (lambda: PusherCommand(0, NAN, 1), "contact"),
    "push speed": (lambda: PusherCommand(0, 0, INF), "push_speed"),
    "tangent speed": (lambda: PusherCommand(0, 0, 1, NAN), "tangent_speed"),
    "x": (lambda: SliderState(x=NAN), "x"),
    "y": (lambda: SliderState(y=INF), "y"),
    "theta": (lambda: SliderState(theta=NAN), "theta"),
    "dt": (lambda: DEFAULT.step(SliderState(), PusherCommand(0, 0, 1), -0.1), "dt"),
    "dt nan": (lambda: DEFAULT.step(SliderState(), PusherCommand(0, 0, 1), NAN), "dt"),
    "cone": (lambda: DEFAULT.motion_cone(NAN), "contact"),
    "no force": (lambda: DEFAULT.contact_force(PusherCommand(0, 0, 1)), "f_max"),
    "supports": (lambda: char_len_of_supports([]), "points"),
    "weightless": (lambda: char_len_of_supports([(0, 0)], [0]), "points"),
    "weights": (lambda: char_len_of_supports([(0, 0)], [1, 1]), "weights"),
    "negative weight": (lambda: char_len_of_supports([(0, 0), (1, 0)], [2, -1]), "weights"),
    "support nan": (lambda: char_len_of_supports([(0, NAN)]), "points"),
}


@pytest.mark.parametrize(("make", "field"), REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_refused_by_name(make: Callable[[], Any], field: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field} ")
    assert isinstance(caught.value, PhyzctlError)
    assert isinstance(caught.value, ValueError)


def test_defaults() -> None:
    assert (DEFAULT.half_extent, DEFAULT.char_len, DEFAULT.pusher_friction) == (0.05, 0.03, 0.3)
    assert PusherSliderParams(0.1, None).char_len == pytest.approx(UNIFORM_PRESSURE * 0.1)
    assert PusherSliderParams(1, 2, 0).f_max is None


@pytest.mark.parametrize("thing", [DEFAULT, SliderState(), PusherCommand(0, 0, 1)])
def test_nothing_can_be_changed_behind_the_checks(thing: Any) -> None:
    for field in dataclasses.fields(thing):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, field.name, -1.0)


@pytest.mark.parametrize("thing", [PusherSliderParams(f_max=2), SliderState(1, 2, 3)])
def test_copies_are_equal(thing: Any) -> None:
    assert pickle.loads(pickle.dumps(thing)) == thing
    assert copy.deepcopy(thing) == thing
    assert hash(copy.copy(thing)) == hash(thing)
    assert dataclasses.replace(thing) == thing


def test_public_names() -> None:
    assert phyzctl.PusherSliderParams is PusherSliderParams
    assert phyzctl.SliderState is SliderState
    assert phyzctl.PusherCommand is PusherCommand
    assert phyzctl.ContactMode is ContactMode


def test_even_pressure_by_adding_up() -> None:
    """The mean distance of the points of a square from its middle, by a fine grid."""
    count = 2000
    line = (np.arange(count) + 0.5) / count
    x, y = np.meshgrid(line, line)
    assert np.hypot(x, y).mean() == pytest.approx(UNIFORM_PRESSURE, rel=1e-6)


def test_supports() -> None:
    feet = [(0.04, 0.03), (-0.04, 0.03), (-0.04, -0.03), (0.04, -0.03)]
    assert char_len_of_supports(feet) == pytest.approx(0.05)
    assert char_len_of_supports(feet, [2, 2, 2, 2]) == pytest.approx(0.05)
    moved = [(x + 1, y - 2) for x, y in feet]
    assert char_len_of_supports(moved) == pytest.approx(0.05)
    assert char_len_of_supports([(0, 0), (3, 0)], [2, 1]) == pytest.approx((2 * 1 + 1 * 2) / 3)


def test_legacy_faces_there_and_back() -> None:
    for face in range(4):
        command = PusherCommand(face, 0.01, 0.2, 0.3)
        there = legacy_faces(command)
        assert legacy_faces(there) == command
        assert there.contact == (0.01 if face < 2 else -0.01)
        assert (there.face, there.push_speed, there.tangent_speed) == (face, 0.2, 0.3)


@pytest.mark.parametrize("face", range(4))
@pytest.mark.parametrize("offset", [-1.0, -0.05, -0.02, 0.0, 0.03, 0.05, 2.0])
def test_contact_points(face: int, offset: float) -> None:
    state = SliderState(1.0, -2.0, 0.7)
    clamped = np.array([np.clip(offset, -0.05, 0.05)])
    (p,) = points(0.05, np.array([face]), clamped)
    turn = np.array([(math.cos(0.7), -math.sin(0.7)), (math.sin(0.7), math.cos(0.7))])
    expected = (turn @ p + (1.0, -2.0)).tolist()
    found = DEFAULT.contact_point(state, PusherCommand(face, offset, 1.0))
    assert found == pytest.approx(expected, abs=1e-15)


def test_offsets_of_pushes_end_where_the_face_does() -> None:
    beyond, at_end = PusherCommand(2, -7, 0.1, 0.01), PusherCommand(2, -0.05, 0.1, 0.01)
    assert DEFAULT.contact_twist(beyond) == DEFAULT.contact_twist(at_end)
    assert DEFAULT.motion_cone(-7) == DEFAULT.motion_cone(-0.05)


def test_without_a_push_the_state_itself_comes_back() -> None:
    state = SliderState(1, 2, 3)
    for speed in (0.0, -1.0):
        after, mode = DEFAULT.step(state, PusherCommand(1, 0.01, speed, 5.0), 0.1)
        assert after is state
        assert mode is ContactMode.SEPARATED


def test_no_time_no_motion() -> None:
    state = SliderState(1, 2, 3)
    assert DEFAULT.step(state, PusherCommand(1, 0.01, 1.0), 0.0)[0] == state


@pytest.mark.parametrize("omega", [0.0, 1e-12, 1e-5, -0.3, 2.0, 8.0])
def test_the_exponential_against_a_power_series(omega: float) -> None:
    twist, dt = Twist(0.3, -0.2, omega), 0.7
    generator = dt * np.array([(0, -omega, twist.vx), (omega, 0, twist.vy), (0, 0, 0)])
    total, term = np.eye(3), np.eye(3)
    for n in range(1, 60):
        term = term @ generator / n
        total = total + term
    start = SliderState(0.5, 1.0, 0.9)
    c, s = math.cos(0.9), math.sin(0.9)
    pose = np.array([(c, -s, 0.5), (s, c, 1.0), (0, 0, 1)]) @ total
    end = start.moved(twist, dt)
    assert (end.x, end.y) == pytest.approx(pose[:2, 2].tolist(), abs=1e-13)
    assert end.theta == 0.9 + omega * dt


def test_many_small_steps_are_one_large_step() -> None:
    command, one = PusherCommand(3, 0.02, 0.1, 0.05), SliderState()
    many = one
    for _ in range(1000):
        many, _ = DEFAULT.step(many, command, 0.01)
    one, _ = DEFAULT.step(one, command, 10.0)
    assert (many.x, many.y) == pytest.approx((one.x, one.y), abs=1e-12)
    assert many.theta == pytest.approx(one.theta, rel=1e-12)


def test_forces_lie_on_the_limit_surface() -> None:
    """(fx/f_max)^2 + (fy/f_max)^2 + (m/(c f_max))^2 = 1 whenever the slider moves."""
    params = PusherSliderParams(f_max=2.0)
    for face in range(4):
        for offset, slip in ((0.0, 0.0), (0.02, 0.1), (-0.04, -0.3)):
            command = PusherCommand(face, offset, 0.05, slip)
            normal, tangential = params.contact_force(command)
            moment = -0.05 * tangential - offset * normal
            surface = (normal**2 + tangential**2 + (moment / 0.03) ** 2) / 4.0
            assert surface == pytest.approx(1.0)


def test_a_straight_push_takes_all_of_the_friction_force() -> None:
    params = PusherSliderParams(f_max=3.0)
    assert params.contact_force(PusherCommand(0, 0, 0.1)) == pytest.approx((3.0, 0.0))
    assert params.contact_force(PusherCommand(0, 0, 0.0)) == (0.0, 0.0)


def test_a_jam_has_no_force_to_speak_of() -> None:
    params = PusherSliderParams(f_max=3.0)
    pair = PusherCommand(0, 0, 0.1), PusherCommand(2, 0, 0.1)
    assert params.two_contact_forces(*pair) == ((0, 0), (0, 0))


def test_normals_are_those_of_the_faces() -> None:
    for face in range(4):
        assert PusherCommand(face, 0, 1).normal == tuple(NORMALS[face])


def test_words_for_modes() -> None:
    words = [mode.label for mode in ContactMode]
    assert words == ["separated", "stick", "slide up", "slide down", "jammed"]
