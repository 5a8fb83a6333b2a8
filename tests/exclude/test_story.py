"""`exclude explain`: the pose, the spread of distances, and what a proof would take."""

from __future__ import annotations

import re

import pytest

from phyzctl.exclude.document import coordinates
from phyzctl.exclude.story import story
from phyzctl.exclude.survey import Effort, survey
from phyzctl.exclude.verdict import Policy
from tests.exclude.robots import ball, joint, mjcf, model_of


def told(text: str, first: str, second: str, *, prove: bool = True, work: int = 10**9) -> str:
    report = survey(model_of(text), Effort(samples=500, prove=prove, work=work))
    facts = report.find(first, second)
    assert facts is not None
    return story(report, facts, Policy())


def fingers(gap: float, kind: str = "hinge", range_: str = "-1 1") -> str:
    tip = ball(0.1, "0 0.5 0")
    return mjcf(
        f'<body name="l">{joint("a", kind, range=range_)}{tip}</body>'
        f'<body name="r" pos="{gap} 0 0">{joint("b", range="-1 1")}{tip}</body>'
    )


def test_a_pair_that_can_collide() -> None:
    text = told(fingers(0.6), "l", "r")
    assert "  label       none: they must be tested\n" in text
    assert "  suggestion  keep\n" in text
    assert "  between     a, b\n" in text
    pose = re.search(
        r"deepest overlap seen:\n  overlap  (\S+) mm\n  a  (\S+) rad\n  b  (\S+) rad", text
    )
    assert pose is not None
    assert float(pose[2]) < 0.0 < float(pose[3])
    assert text.endswith("They overlap in some samples, so no proof of never is possible.\n")


def test_the_histogram_has_every_configuration_once() -> None:
    lines = told(fingers(0.6), "l", "r").splitlines()
    start = lines.index("distances in 2000 configurations:")
    bins = lines[start + 1 : start + 13]
    counts = [int(re.split(r" mm\s+", line)[-1].split()[0]) for line in bins]
    assert sum(counts) == 2000
    longest = max(len(line.partition("#")[1] + line.partition("#")[2]) for line in bins)
    assert longest == 40


def test_a_pair_that_is_proved_apart() -> None:
    text = told(fingers(1.5), "l", "r")
    assert "nearest pose seen:\n  distance  " in text
    assert "Proved: for hulls, within the joint limits, beyond the contact margin." in text


def test_a_pair_that_the_search_refutes() -> None:
    text = told(fingers(2 * 0.5 * 0.8414 + 0.199), "l", "r")
    assert "pose that the search found:\n  overlap  " in text
    assert text.endswith("The pose above refutes that they never touch.\n")


def test_a_proof_that_needs_bounds_says_of_which_joint() -> None:
    text = told(fingers(9.0, "slide", "-inf inf").replace('range="-inf inf"', ""), "l", "r")
    assert text.endswith("A proof needs bounds for: a.\n")


def test_a_search_that_ran_out_says_how_far_it_came() -> None:
    text = told(fingers(2 * 0.5 * 0.84147 + 0.20002), "l", "r", work=10_000)
    assert re.search(
        r"The search ended after \d+ boxes; more effort or tighter limits decide.", text
    )


def test_without_a_search_it_says_so() -> None:
    assert told(fingers(1.5), "l", "r", prove=False).endswith("No proof was tried.\n")


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (joint("h"), ["h"]),
        (joint("s", "slide"), ["s"]),
        (joint("b", "ball"), ["b.qw", "b.qx", "b.qy", "b.qz"]),
        (
            '<freejoint name="f"/>',
            ["f.x", "f.y", "f.z", "f.qw", "f.qx", "f.qy", "f.qz"],
        ),
    ],
)
def test_every_coordinate_has_a_name(written: str, names: list[str]) -> None:
    model = model_of(mjcf(f"<body>{written}{ball()}</body>"))
    assert list(coordinates(model)) == names
    assert len(names) == model.nq
