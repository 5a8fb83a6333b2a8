"""Published values: single pushes, motion cones, two contacts, integration, rollouts."""

from __future__ import annotations

import math

import pytest

from phyzctl.pushing.command import ContactMode, PusherCommand, legacy_faces
from phyzctl.pushing.params import PusherSliderParams
from phyzctl.pushing.plane import SliderState
from phyzctl.pushing.rollout import rollout
from tests.pushing.cases import DEFAULT, DOWN, JAMMED, SEPARATED, STICK, UP

DIGITS = 0.5000001e-9  # the table states nine decimals

# offset, tangent speed, mode, (vx, vy, omega); face 0, push speed 0.05
SINGLE = [
    (0, 0, STICK, (0.05, 0, 0)),
    (0.01, 0, STICK, (0.048571429, -0.007142857, -0.142857143)),
    (0.02, 0, STICK, (0.044736842, -0.013157895, -0.263157895)),
    (0.03, 0, DOWN, (0.033333333, -0.01, -0.555555556)),
    (0.04, 0, DOWN, (0.023684211, -0.007105263, -0.657894737)),
    (0.05, 0, DOWN, (0.016981132, -0.005094340, -0.660377358)),
    (0, 0.05, STICK, (0.05, 0.013235294, -0.735294118)),
    (0, 0.1, UP, (0.05, 0.015, -0.833333333)),
    (0.03, 0.05, STICK, (0.022093023, 0.003488372, -0.930232558)),
    (0.03, 0.1, UP, (0.02, 0.006, -1.0)),
    (0.03, 0.12, UP, (0.02, 0.006, -1.0)),
    (0.03, 1.0, UP, (0.02, 0.006, -1.0)),
    (0.03, -1.0, DOWN, (0.033333333, -0.01, -0.555555556)),
]


@pytest.mark.parametrize(("offset", "slip", "mode", "twist"), SINGLE)
def test_single_pushes(
    offset: float, slip: float, mode: ContactMode, twist: tuple[float, float, float]
) -> None:
    found = DEFAULT.contact_twist(PusherCommand(0, offset, 0.05, slip))
    assert found[1] is mode
    assert found[0] == pytest.approx(twist, abs=DIGITS, rel=0)


@pytest.mark.parametrize(
    ("offset", "low", "high"),
    [
        (0, -1.133333, 1.133333),
        (0.01, -0.611765, 1.321739),
        (0.03, 0.355556, 1.12),
        (0.05, 0.558491, 0.848193),
    ],
)
def test_motion_cones(offset: float, low: float, high: float) -> None:
    assert DEFAULT.motion_cone(offset) == pytest.approx((low, high), abs=0.5e-6, rel=0)


def test_even_pressure() -> None:
    params = PusherSliderParams(0.05, None)
    assert params.char_len == pytest.approx(0.765196 * 0.05, rel=1e-6)
    assert params.char_len == pytest.approx(0.03826, abs=5e-6)


def push(face: int, offset: float, speed: float, slip: float = 0.0) -> PusherCommand:
    """A command as the original counts offsets."""
    return legacy_faces(PusherCommand(face, offset, speed, slip))


ALONE = (0.033333333, -0.01, -0.555555556)
OMEGA = 0.5
PAIRS = {
    "both": (push(0, 0.03, 0.05), push(0, -0.03, 0.05), (0.05, 0, 0), (STICK, STICK)),
    "couple": (
        push(0, 0.035, 0.05),
        push(2, -0.035, 0.05),
        (0, 0, -1.428571429),
        (DOWN, DOWN),
    ),
    "idle": (push(0, 0.03, 0.05), push(0, -0.03, 0.0), ALONE, (DOWN, SEPARATED)),
    "slow": (push(0, 0.03, 0.05), push(0, -0.03, 0.01), ALONE, (DOWN, SEPARATED)),
    "slower": (push(0, 0.03, 0.05), push(0, -0.03, 0.02), (0.035, -0.0105, -0.5), (DOWN, DOWN)),
    "coincident": (push(0, 0.03, 0.05), push(0, 0.03, 0.05), ALONE, (DOWN, DOWN)),
    "squeeze": (push(0, 0, 0.05), push(2, 0, 0.05), (0, 0, 0), (JAMMED, JAMMED)),
    "corner": (push(0, 0, 0.05), push(3, 0, 0.05), (0.05, 0.05, 0), (DOWN, UP)),
    "rigid": (
        push(0, 0.03, 0.05 - OMEGA * 0.03, -OMEGA * 0.05),
        push(0, -0.03, 0.05 + OMEGA * 0.03, -OMEGA * 0.05),
        (0.05, 0, OMEGA),
        (STICK, STICK),
    ),
}


@pytest.mark.parametrize(("first", "second", "twist", "modes"), PAIRS.values(), ids=PAIRS)
def test_two_contacts(
    first: PusherCommand,
    second: PusherCommand,
    twist: tuple[float, float, float],
    modes: tuple[ContactMode, ContactMode],
) -> None:
    found = DEFAULT.two_contact_twist(first, second)
    assert found[0] == pytest.approx(twist, abs=DIGITS, rel=0)
    assert found[1] == modes
    assert not found.ambiguous
    found = DEFAULT.two_contact_twist(second, first)
    assert found[0] == pytest.approx(twist, abs=DIGITS, rel=0)
    assert found[1] == modes[::-1]


def test_the_couple_under_our_own_orientation() -> None:
    assert push(2, -0.035, 0.05) == PusherCommand(2, 0.035, 0.05)


def test_two_that_push_alike_share_the_force() -> None:
    params = PusherSliderParams(f_max=0.05)  # then a slider at 0.05 m/s bears 0.05 N
    first, second, *_ = PAIRS["both"]
    ((n1, t1), (n2, t2)) = params.two_contact_forces(first, second)
    assert (n1, n2) == pytest.approx((0.025, 0.025), rel=1e-12)
    assert (t1, t2) == pytest.approx((0, 0), abs=1e-12)


def test_several_motions_and_the_one_of_least_power() -> None:
    first = push(3, 0.0073942, 0.0681866, -0.0686682)
    second = push(3, 0.0135259, 0.069022, 0.0519038)
    found = DEFAULT.two_contact_twist(first, second)
    assert found.ambiguous
    assert found[0] == pytest.approx((-0.01458, 0.06718, 0.13625), abs=1e-5)


def test_forty_steps() -> None:
    state, command = SliderState(), PusherCommand(0, 0.03, 0.05)
    for _ in range(40):
        state, _ = DEFAULT.step(state, command, 0.1)
    found = (state.x, state.y, math.degrees(state.theta))
    assert found[:2] == pytest.approx((0.018799427, -0.110693216), abs=DIGITS, rel=0)
    assert found[2] == pytest.approx(-127.323954, abs=0.6e-6, rel=0)


def test_forty_steps_of_two_points() -> None:
    state = SliderState()
    pair = PusherCommand(0, 0.03, 0.05), PusherCommand(0, -0.03, 0.05)
    for _ in range(40):
        state, _ = DEFAULT.two_contact_step(state, *pair, 0.1)
    assert (state.x, state.y, state.theta) == pytest.approx((0.2, 0, 0), abs=1e-12)


def test_a_couple_turns_on_the_spot() -> None:
    state = SliderState()
    for _ in range(34):
        state, _ = DEFAULT.two_contact_step(state, push(0, 0.035, 0.05), push(2, -0.035, 0.05), 0.1)
    assert math.degrees(state.theta) == pytest.approx(-278.29, abs=0.005)
    assert math.hypot(state.x, state.y) < 1e-12


def test_a_contact_that_slides_until_it_sticks() -> None:
    found = rollout(DEFAULT, SliderState(), PusherCommand(0, 0.03, 0.05), 4.0, dt=0.005)
    end = found.state
    assert (end.x, end.y) == pytest.approx((0.094752773, -0.142373829), abs=DIGITS, rel=0)
    assert math.degrees(end.theta) == pytest.approx(-70.457735, abs=0.5e-6, rel=0)
    assert found.offsets[-1, 0] == pytest.approx(0.020400645, abs=DIGITS, rel=0)
    limit = 0.3 * (0.03**2 + 0.05**2) / 0.05
    assert limit < found.offsets[-1, 0] < limit + 1e-6


def test_a_contact_that_slides_off() -> None:
    command = PusherCommand(0, 0.03, 0.05, 0.1)
    found = rollout(DEFAULT, SliderState(), command, 1.0, dt=0.002)
    (event,) = found.events
    assert event.time == pytest.approx(0.393604862, abs=DIGITS, rel=0)
    assert event.left_face
    end = found.state
    expected = (0.006092753, 0.000773809, -0.351732618)
    assert (end.x, end.y, end.theta) == pytest.approx(expected, abs=DIGITS, rel=0)
    assert found.modes[-1, 0] == SEPARATED
