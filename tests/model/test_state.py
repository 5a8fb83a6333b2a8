"""State: copies share nothing, and identical means the same bits."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

from phyzctl.model import compiler
from phyzctl.model.state import State
from phyzctl.robot.elements import JointKind
from phyzctl.robot.mechanism import Activation, Actuator, Equality, EqualityKind
from tests.model.robots import chain

ARRAYS = [item.name for item in fields(State) if item.name != "time"]


def state() -> State:
    builder = chain(JointKind.CONTINUOUS, JointKind.SPHERICAL)
    builder.actuator(Actuator("a", "j1", dynamics=Activation.FILTER))
    builder.equality(Equality(EqualityKind.WELD, "l0", "l2", active=False))
    return compiler.compile(builder.build()).default_state()


def test_the_default_state_rests_in_the_reference_pose() -> None:
    rest = state()
    assert rest.q.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]
    shapes = {name: getattr(rest, name).shape for name in ARRAYS}
    assert shapes == {
        "q": (12,),
        "v": (10,),
        "ctrl": (1,),
        "act": (1,),
        "qfrc_applied": (10,),
        "xfrc_applied": (3, 6),
        "qacc_warmstart": (10,),
        "eq_active": (1,),
    }
    assert not rest.eq_active[0]
    assert rest.time == 0.0


def test_without_actuators_there_is_a_control_per_degree_of_freedom() -> None:
    model = compiler.compile(chain(JointKind.CONTINUOUS).build(), base="floating")
    assert model.default_state().ctrl.shape == (7,)


@pytest.mark.parametrize("name", ARRAYS)
def test_a_copy_shares_nothing(name: str) -> None:
    one = state()
    other = one.copy()
    assert one.identical(other)
    array = getattr(other, name)
    array.flat[0] = not array.flat[0] if name == "eq_active" else 7.5
    assert not one.identical(other)


def test_time_counts_too() -> None:
    one, other = state(), state()
    other.time = 1.0
    assert not one.identical(other)


def test_identical_is_about_bits() -> None:
    one, other = state(), state()
    one.v[0] = other.v[0] = math.nan
    assert one.identical(other)
    one.v[1], other.v[1] = 0.0, -0.0
    assert not one.identical(other)


def test_another_size_is_not_identical() -> None:
    one, other = state(), state()
    other.q = np.zeros(3)
    assert not one.identical(other)
