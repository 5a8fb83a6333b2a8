"""Keyframes as complete States."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.testing import assert_allclose

from phyzctl.errors import NotFoundError
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.elements import JointKind
from phyzctl.robot.mechanism import Actuator, Keyframe
from tests.model.robots import chain


def model_with(*keyframes: Keyframe) -> Model:
    """A ball and a hinge: q has 5 numbers, v 4, ctrl 1."""
    builder = chain(JointKind.SPHERICAL, JointKind.CONTINUOUS, dialect="mjcf")
    builder.actuator(Actuator("a", "j2"))
    for keyframe in keyframes:
        builder.keyframe(keyframe)
    return compiler.compile(builder.build(), base="fixed")


def test_what_is_written_replaces_the_default() -> None:
    home = Keyframe("home", 2.5, (0.0, 1.0, 0.0, 0.0, 0.5), (1, 2, 3, 4), ctrl=(7.0,))
    state = model_with(home).keyframe_state("home")
    assert state.q.tolist() == [0.0, 1.0, 0.0, 0.0, 0.5]
    assert state.v.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert (state.ctrl.tolist(), state.time) == ([7.0], 2.5)


def test_what_is_not_written_is_the_default() -> None:
    model = model_with(Keyframe("home"))
    assert model.keyframe_state("home").identical(model.default_state())


def test_quaternions_get_unit_length_and_zero_ones_no_turn() -> None:
    model = model_with(
        Keyframe("long", qpos=(0.0, 3.0, 0.0, 4.0, 9.0)), Keyframe("none", qpos=(0.0,) * 5)
    )
    assert_allclose(model.keyframe_state("long").q, [0.0, 0.6, 0.0, 0.8, 9.0])
    assert model.keyframe_state("none").q.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("qpos", "expected"),
    [
        ((0.0, 1.0, 0.0, 0.0), [0.0, 1.0, 0.0, 0.0, 0.0]),
        ((0.0, 1.0, 0.0, 0.0, 5.0, 6.0, 7.0), [0.0, 1.0, 0.0, 0.0, 5.0]),
        ((1.0, 0.0, 0.0, 0.0, None), [1.0, 0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_a_vector_of_the_wrong_length_counts_as_far_as_it_goes(
    qpos: Any, expected: list[float]
) -> None:
    assert model_with(Keyframe("k", qpos=qpos)).keyframe_state("k").q.tolist() == expected


def test_a_keyframes_state_is_a_copy() -> None:
    model = model_with(Keyframe("home"))
    model.keyframe_state("home").q[:] = 9.0
    assert model.keyframe_state("home").identical(model.default_state())


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotFoundError, match=r"there are: home, rest; did you mean 'home'"):
        model_with(Keyframe("home"), Keyframe("rest")).keyframe_state("hom")
