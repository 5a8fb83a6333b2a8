"""The artefact score against its formula, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.exclude.artefact import Judge
from phyzctl.exclude.pairs import body_pairs
from phyzctl.exclude.shapes import outlines
from tests.exclude.robots import ball, joint, mjcf, model_of


def score(text: str) -> float:
    """Of the last pair of bodies, in the reference pose."""
    model = model_of(mjcf(text))
    found = outlines(model)
    judge = Judge(model, found.shapes, found.radii)
    return judge.score(body_pairs(model)[-1], model.arrays.q_reference)


def neighbours(depth: float, lever: float) -> str:
    """Spheres of 0.1 m that overlap by `depth`, `lever` from the hinge between them."""
    inner = f'<body pos="{0.2 - depth} 0 0">{joint("j", pos=f"{-0.1 + 0.5 * depth} {lever} 0")}'
    return f"<body>{ball()}{inner}{ball()}</body></body>"


@pytest.mark.parametrize(
    ("depth", "lever", "expected"),
    [
        (0.0, 0.0, 1.0),
        (0.02, 0.0, 0.8),
        (0.02, 0.1, 0.8 * 0.5),
        (0.1, 0.0, 0.0),
        (0.02, 0.3, 0.0),
    ],
    ids=["touching", "shallow", "off the axis", "as deep as it is thick", "far away"],
)
def test_depth_and_distance_count(depth: float, lever: float, expected: float) -> None:
    assert score(neighbours(depth, lever)) == pytest.approx(expected, abs=1e-9)


def test_every_joint_beyond_the_first_halves_it() -> None:
    between = "".join(joint(name) for name in "jkl")
    text = f'<body>{ball()}<body pos="0.18 0 0">{between}{ball()}</body></body>'
    one = text.replace(between, joint("j"))
    assert score(text) == pytest.approx(0.25 * score(one))


def test_the_nearest_axis_counts_and_slides_count_by_their_anchor() -> None:
    far, near = joint("j", pos="0 0.5 0"), joint("k", "slide", pos="-0.09 0 0", range="0 1")
    text = f'<body>{ball()}<body pos="0.18 0 0">{far}{near}{ball()}</body></body>'
    assert score(text) == pytest.approx(0.8 * 0.5)


def test_welded_parts_have_no_axis_to_be_far_from() -> None:
    text = f'<body>{ball()}<body pos="0.18 0 0">{ball()}</body></body>'
    assert score(text) == pytest.approx(0.8)


def test_the_deepest_of_several_geoms_is_judged() -> None:
    more = ball(0.1, "0 0.15 0")
    inner = f'<body pos="0.18 0 0">{joint("j", pos="-0.09 0 0")}{ball()}</body>'
    text = f"<body>{ball()}{more}{inner}</body>"
    assert score(text) == pytest.approx(0.8)


def test_turned_bodies_carry_their_axes() -> None:
    half = np.sqrt(0.5)
    text = (
        f'<body quat="{half} 0 0 {half}">{ball()}<body pos="0 -0.18 0">'
        f"{joint('j', axis='0 0 1', pos='0 0.09 0.4')}{ball()}</body></body>"
    )
    assert score(text) == pytest.approx(0.8)
