"""Proofs on robots whose clearance is known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.exclude.facts import Certificate, Outcome
from phyzctl.exclude.pairs import body_pairs
from phyzctl.exclude.prove import certify, is_bounded, prepare
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from phyzctl.model.model import Model
from tests.exclude.robots import ball, joint, mjcf, model_of

WORK = 2e8


def searched(
    model: Model, *, always: bool = False, inflate: bool = False, work: float = WORK
) -> Certificate:
    """Of the model's last pair of bodies."""
    space, pair = space_of(model, inflate=inflate), body_pairs(model)[-1]
    proof = prepare(space, outlines(model).shapes, pair, always=always)
    return certify([proof], work=work)[0]


def two_arms(gap: float, range_: str = "-1.2 1.2") -> Model:
    """Two fingers of 1 m, 2 m apart at their hinges, whose tips come within `gap` at +-1 rad.

    Each tip is at sin(q) from its hinge towards the other, and as far forward.
    """
    apart = 2.0 * np.sin(1.0) + 0.2 + gap
    tip = ball(0.1, "0 1 0")
    left = f'<body name="l">{joint("a", range=range_)}{tip}</body>'
    right = f'<body name="r" pos="{apart} 0 0">{joint("b", range=range_)}{tip}</body>'
    return model_of(mjcf(left + right))


@pytest.mark.parametrize(
    ("gap", "outcome"),
    [
        (0.01, Outcome.NEVER),
        (1e-4, Outcome.NEVER),
        (5e-6, Outcome.GRAZES),
        (-1e-4, Outcome.REFUTED),
        (-0.05, Outcome.REFUTED),
    ],
)
def test_tips_that_just_miss_or_just_meet(gap: float, outcome: Outcome) -> None:
    found = searched(two_arms(gap, "-1 1"))
    assert found.outcome is outcome
    if outcome is not Outcome.NEVER:
        assert found.witness is not None
        distance = 2 * np.sin(1.0) + 0.2 + gap - np.sin(-found.witness.q[0])
        tips = np.array([distance - np.sin(found.witness.q[1]), np.cos(found.witness.q[1])])
        tips[1] -= np.cos(found.witness.q[0])
        assert found.witness.distance == pytest.approx(np.hypot(*tips) - 0.2, abs=1e-9)


def test_limits_that_give_make_it_collide() -> None:
    model = two_arms(0.01, "-1 1")
    assert searched(model).outcome is Outcome.NEVER
    assert searched(model, inflate=True).outcome is Outcome.REFUTED


def test_a_continuous_joint_has_a_whole_turn() -> None:
    near, far = (
        model_of(
            mjcf(
                f"<body>{joint('a')}{ball(0.1, '0 1 0')}</body>"
                f'<body pos="0 {-1.2 - gap} 0">{ball(0.1)}{joint("b")}</body>'
            )
        )
        for gap in (-0.01, 0.01)
    )
    assert searched(near).outcome is Outcome.REFUTED
    assert searched(far).outcome is Outcome.NEVER


@pytest.mark.parametrize(("gap", "outcome"), [(0.002, Outcome.NEVER), (-0.002, Outcome.REFUTED)])
def test_slides(gap: float, outcome: Outcome) -> None:
    slides = (
        f"<body>{joint('a', 'slide', axis='1 0 0', range='0 0.5')}{ball()}</body>"
        f'<body pos="{1.0 + 0.2 + gap} 0 0">'
        f"{joint('b', 'slide', axis='-1 0 0', range='0 0.5')}{ball()}</body>"
    )
    assert searched(model_of(mjcf(slides))).outcome is outcome


@pytest.mark.parametrize(("gap", "outcome"), [(0.02, Outcome.NEVER), (-0.02, Outcome.REFUTED)])
def test_a_ball_joint(gap: float, outcome: Outcome) -> None:
    """A stick of 0.5 m that swings within 0.6 rad of straight up, and a ball it just reaches."""
    reach = 0.5 * np.sin(0.6) + 0.1 + 0.05 + gap
    text = (
        f'<body name="stick">{joint("a", "ball", range="0 0.6")}{ball(0.05, "0 0 0.5")}</body>'
        f'<body name="post" pos="{reach} 0 {0.5 * np.cos(0.6)}">{joint("b")}{ball(0.1)}</body>'
    )
    # The box of rotation vectors has corners beyond the cone: allow for their angle.
    wider = text.replace('range="0 0.6"', f'range="0 {0.6 / np.sqrt(3.0)}"')
    if outcome is Outcome.NEVER:
        assert searched(model_of(mjcf(wider))).outcome is Outcome.NEVER
    else:
        assert searched(model_of(mjcf(text))).outcome is Outcome.REFUTED


def test_followers_move_with_their_leader() -> None:
    """Alone, the two fingers could meet; b turns as a does, so that they stay parallel."""
    model = two_arms(-0.5, "-1 1")
    assert searched(model).outcome is Outcome.REFUTED
    text = mjcf(
        f'<body name="l">{joint("a", range="-1 1")}{ball(0.1, "0 1 0")}</body>'
        f'<body name="r" pos="0.5 0 0">{joint("b", range="-3 3")}{ball(0.1, "0 1 0")}</body>',
        '<equality><joint joint1="b" joint2="a"/></equality>',
    )
    assert searched(model_of(text)).outcome is Outcome.NEVER


def test_what_has_no_bounds_can_not_be_searched() -> None:
    text = (
        f'<body>{joint("a", "slide")}{ball()}</body><body pos="9 0 0">{joint("b")}{ball()}</body>'
    )
    model = model_of(mjcf(text))
    assert not is_bounded(space_of(model), body_pairs(model)[-1])


def test_always_is_proved_or_refuted() -> None:
    def turning(offset: float) -> Model:
        box = '<geom type="box" size="0.2 0.2 0.2"/>'
        arm = f'<body name="arm">{joint("a", range="-1 1")}{ball(0.1, f"{offset} 0 0")}</body>'
        return model_of(mjcf(f'<body name="base">{box}{arm}</body>'))

    assert searched(turning(0.25), always=True).outcome is Outcome.ALWAYS
    apart = searched(turning(0.35), always=True)
    assert apart.outcome is Outcome.REFUTED
    assert apart.witness is not None
    assert apart.witness.distance > 0.0


def test_welded_bodies_are_one_cell() -> None:
    text = f'<body name="a">{ball()}<body name="b" pos="0.3 0 0">{ball()}</body></body>'
    found = searched(model_of(mjcf(text)))
    assert (found.outcome, found.cells, found.fraction) == (Outcome.NEVER, 1, 1.0)


def test_out_of_work_says_how_far_it_came() -> None:
    found = searched(two_arms(1e-4, "-1 1"), work=1e4)
    assert found.outcome is Outcome.UNDECIDED
    assert 0.0 <= found.fraction < 1.0
    assert found.cells > 0


def test_jobs_change_nothing() -> None:
    model = two_arms(1e-4, "-1 1")
    space, pairs, shapes = space_of(model), body_pairs(model), outlines(model).shapes

    def run(jobs: int) -> list[Certificate]:
        return certify([prepare(space, shapes, pair) for pair in pairs * 3], work=5e6, jobs=jobs)

    assert run(1) == run(4)


def test_descent_finds_the_nearest_pose() -> None:
    model = two_arms(0.01, "-1 1")
    proof = prepare(space_of(model), outlines(model).shapes, body_pairs(model)[-1])
    found = proof.refined(np.array([0.3, -0.2]))
    assert found.distance == pytest.approx(0.01, abs=1e-6)
    assert found.q == pytest.approx((-1.0, 1.0), abs=1e-3)
