"""What `exclude lint` says of an SRDF, and what an SRDF adds to a model."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.exclude.review import review
from phyzctl.exclude.semantics import foreign_excludes, pair_of, postures
from phyzctl.exclude.survey import Effort, survey
from phyzctl.exclude.verdict import Policy
from phyzctl.formats.srdf import Srdf, parse_srdf
from phyzctl.issues import Issue, Issues
from phyzctl.model.model import Model
from tests.exclude.robots import ball, joint, mjcf, model_of

# `a` and `b` swing into each other now and then, `shell` never leaves `core`, `far` is far away.
ROBOT = mjcf(
    f'<body name="core"><freejoint name="f"/>{ball(0.05)}'
    f'<body name="a" pos="-0.3 0 0">{joint("ja", range="-1.5 1.5")}{ball(0.1, "0 0.4 0")}</body>'
    f'<body name="b" pos="0.3 0 0">{joint("jb", range="-1.5 1.5")}{ball(0.1, "0 0.4 0")}</body>'
    f'<body name="arm">{joint("jc", range="-1 1")}<geom size="0.01" pos="0 0 0.5"/>'
    f'<body name="shell">{joint("jd", range="-1 1")}{ball(0.08)}</body></body>'
    f'<body name="far" pos="0 0 5">{joint("je", range="-1 1")}{ball()}</body></body>'
)


def srdf_of(*lines: str) -> Srdf:
    text = "\n".join(['<robot name="r">', *lines, "</robot>"])
    srdf = parse_srdf(text.encode(), "r.srdf", Issues())
    assert srdf is not None
    return srdf


def pair(first: str, second: str, reason: str) -> str:
    return f'<disable_collisions link1="{first}" link2="{second}" reason="{reason}"/>'


@pytest.fixture(scope="module")
def model() -> Model:
    return model_of(ROBOT)


def found(model: Model, *lines: str) -> list[Issue]:
    report = survey(model, Effort(samples=2000, prove=False))
    covered = pair("core", "shell", "Always")
    return list(review(report, srdf_of(covered, *lines), Policy()))


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (pair("a", "b", "Never"), "C905", '"Never", but they overlap in'),
        (pair("a", "b", "Always"), "C905", '"Always", but they overlap in'),
        (pair("a", "b", "Default"), "C905", "apart in the reference pose"),
        (pair("a", "b", "Adjacent"), "C905", "2 joints and other links"),
        (pair("a", "b", "User"), "C904", "hides a real collision"),
        (pair("shell", "core", "Always"), "C921", "the other way round, in line 2"),
        (pair("core", "shell", "Always"), "C921", "disabled already, in line 2"),
        (pair("a", "bb", "User"), "C920", "there is no link 'bb'"),
        (pair("a", "a", "User"), "C921", "never collides with itself"),
    ],
)
def test_each_fault_is_found(model: Model, line: str, code: str, words: str) -> None:
    issues = found(model, line)
    assert [issue.code.id for issue in issues] == [code]
    assert words in issues[0].message
    assert issues[0].source is not None
    assert issues[0].source.line == 3


@pytest.mark.parametrize(
    "line", [pair("core", "a", "Adjacent"), pair("a", "far", "Never"), pair("a", "far", "User")]
)
def test_what_is_right_is_left_alone(model: Model, line: str) -> None:
    assert found(model, line) == []


def test_a_pair_that_always_touches_is_missed(model: Model) -> None:
    report = survey(model, Effort(samples=500, prove=False))
    issues = list(review(report, srdf_of(), Policy()))
    assert [issue.code.id for issue in issues] == ["C903"]
    assert "'core' and 'shell' overlap in 100% of samples" in issues[0].message


def test_a_default_covers_what_would_be_missed(model: Model) -> None:
    report = survey(model, Effort(samples=500, prove=False))
    assert (
        list(review(report, srdf_of('<disable_default_collisions link="shell"/>'), Policy())) == []
    )


def test_excludes_of_other_hands() -> None:
    rest = (
        '<contact><exclude body1="b" body2="a"/>'
        '<exclude name="phyzctl:a:far" body1="a" body2="far"/></contact>'
    )
    model = model_of(ROBOT.replace("</mujoco>", f"{rest}</mujoco>"))
    srdf = srdf_of(pair("far", "b", "User"), pair("core", "far", "Never"), pair("x", "b", "User"))
    names = [
        tuple(model.bodies[body].name for body in each) for each in foreign_excludes(model, srdf)
    ]
    assert names == [("a", "b"), ("b", "far")]


def test_pairs_by_name(model: Model) -> None:
    assert pair_of(model, "b", "a") == (1, 2)
    assert pair_of(model, "world", "a") == (-1, 1)
    assert pair_of(model, "a", "a") is None
    assert pair_of(model, "a", "nobody") is None


def test_group_states_are_postures(model: Model) -> None:
    state = '<group_state name="up" group="g"><joint name="ja" value="0.7"/></group_state>'
    stranger = '<group_state name="no" group="g"><joint name="zz" value="1"/></group_state>'
    known = dict(postures(model, srdf_of(state, stranger)))
    assert list(known) == ["g up"]
    expected = model.arrays.q_reference.copy()
    expected[model.q_slice("ja")] = 0.7
    assert np.array_equal(known["g up"], expected)
