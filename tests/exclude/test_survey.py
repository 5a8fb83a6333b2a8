"""The survey: facts of robots that can be worked out by hand, and that nothing changes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import phyzctl
from phyzctl import formats
from phyzctl.errors import PhyzctlError
from phyzctl.exclude.facts import Outcome, PairFacts, Witness, wilson
from phyzctl.exclude.survey import Effort, survey
from tests.exclude.robots import ball, joint, mjcf, model_of
from tests.exclude.trees import random_model

FEW = Effort(samples=500)
FAR = Witness(np.inf, ())

# A tip that goes around a post, and overlaps it in a sixth of a turn: the chord of 0.5 m at
# 30 degrees is what their radii add up to.
ORBIT = mjcf(
    f'<body name="post" pos="0.5 0 0">{joint("spin", range="-1 1")}'
    f"{ball(2 * 0.5 * np.sin(np.radians(30)) - 0.1)}</body>"
    f'<body name="arm">{joint("turn")}<body name="tip" pos="0 0.5 0">{ball(0.1)}</body></body>'
)


def facts_of(text: str, effort: Effort = FEW) -> dict[tuple[str, str], PairFacts]:
    return {facts.names: facts for facts in survey(model_of(text), effort).pairs}


def test_hits_are_the_share_of_the_circle() -> None:
    facts = facts_of(ORBIT, Effort(samples=6000))["post", "tip"]
    assert facts.share == pytest.approx(1 / 3, abs=0.01)
    lower, upper = facts.interval
    assert lower < 1 / 3 < upper
    assert upper - lower == pytest.approx(2 * 1.96 * np.sqrt(2 / 9 / 6000), rel=0.01)


def test_the_deepest_overlap_has_its_pose() -> None:
    facts = facts_of(ORBIT, Effort(samples=6000))["post", "tip"]
    assert facts.deepest is not None
    turn = facts.deepest.q[1]
    expected = 2 * 0.5 * np.abs(np.sin(0.5 * (turn + np.pi / 2))) - 0.5
    assert facts.deepest.distance == pytest.approx(expected, abs=1e-9)
    assert facts.deepest.distance < -0.495
    assert facts.clearance is None


def test_reference_pose_and_keyframes() -> None:
    keys = '<keyframe><key name="in" qpos="0 -1.5"/><key name="out" qpos="0 1"/></keyframe>'
    facts = facts_of(ORBIT.replace("</mujoco>", f"{keys}</mujoco>"))["post", "tip"]
    depth = 0.5 - 2 * 0.5 * np.sin(0.5 * (np.pi / 2 - 1.5))
    assert facts.default_depth is None
    assert facts.keyframes == {"in": pytest.approx(depth)}
    still = facts_of(ORBIT.replace('name="turn"', 'name="turn" ref="1.5"'))["post", "tip"]
    assert still.default_depth is None


def orbit(gap: float) -> str:
    """The tip passes the post at this distance."""
    return mjcf(
        f'<body name="post" pos="0.7 0 0">{joint("spin", range="-1 1")}{ball(0.1 - gap)}</body>'
        f'<body name="arm">{joint("turn")}<body name="tip" pos="0 0.5 0">{ball(0.1)}</body></body>'
    )


def test_more_samples_where_doubt_is_left() -> None:
    """1 cm apart at the nearest: without a proof that is worth a second look."""
    proved = facts_of(orbit(0.01))["post", "tip"]
    assert proved.proved_never
    assert proved.samples == 500
    doubtful = facts_of(orbit(0.01), replace(FEW, prove=False))["post", "tip"]
    assert (doubtful.samples, doubtful.hits) == (2500, 0)
    far = facts_of(orbit(0.05), replace(FEW, prove=False))["post", "tip"]
    assert far.samples == 500


def test_a_second_look_may_find_an_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lasts for 0.02 rad of the turn: 40 samples miss it, and 200 don't."""
    monkeypatch.setattr("phyzctl.exclude.prove.Proof.refined", lambda *_: FAR)
    gap = -(np.sqrt(0.7**2 + 0.5**2 - 2 * 0.7 * 0.5 * np.cos(0.01)) - 0.2)
    effort = Effort(samples=40, prove=False)
    facts = facts_of(orbit(gap), effort)["post", "tip"]
    assert facts.samples == 200
    assert facts.hits > 0
    assert facts.deepest is not None
    assert facts.deepest.distance < 0.0
    assert facts.clearance is None
    assert facts.certificate is None


CHAIN = mjcf(
    f'<body name="a">{joint("j1", range="-1 1")}{ball()}'
    f'<body name="b" pos="0 0 0.3">{joint("j2", range="-1 1")}{ball(0.1, "0 0.25 0")}'
    f'<body name="c" pos="0 0 0.3">{joint("j3", range="-1 1")}{ball()}</body></body></body>'
)


def test_what_never_touches_is_proved_with_its_clearance() -> None:
    facts = facts_of(CHAIN)["a", "c"]
    assert (facts.hits, facts.interval) == (0, (0.0, 3 / 500))
    assert facts.clearance is not None
    assert facts.clearance.distance == pytest.approx(0.4, abs=1e-9)
    assert facts.proved_never
    assert not facts.overlaps


def test_without_proofs_there_are_no_certificates() -> None:
    facts = facts_of(CHAIN, replace(FEW, prove=False))["a", "c"]
    assert facts.certificate is None
    assert facts.clearance is not None


def test_a_collision_that_samples_miss_is_found_downhill() -> None:
    """It takes both joints within 1 % of their ends: one sample in ten thousand."""
    gap = 2.0 * np.sin(0.99) + 0.2
    text = mjcf(
        f'<body name="l">{joint("a", range="-1 1")}{ball(0.1, "0 1 0")}</body>'
        f'<body name="r" pos="{gap} 0 0">{joint("b", range="-1 1")}{ball(0.1, "0 1 0")}</body>'
    )
    facts = facts_of(text)["l", "r"]
    assert facts.hits == 0
    assert facts.overlaps
    assert facts.certificate_is(Outcome.REFUTED)
    assert facts.certificate is not None
    assert facts.certificate.witness is not None
    q = facts.certificate.witness.q
    assert q[0] < -0.95
    assert q[1] > 0.95


def test_welded_bodies_need_one_look() -> None:
    text = mjcf(
        f'<body name="a">{ball()}<body name="b" pos="0 0 0.15">{ball()}</body>'
        f'<body name="c" pos="0 0 0.5">{ball()}</body></body>'
    )
    facts = facts_of(text)
    assert facts["a", "b"].hits == 500
    assert facts["a", "b"].default_depth == pytest.approx(0.05)
    assert facts["a", "c"].hits == 0
    assert facts["a", "c"].default_depth is None
    assert facts["a", "b"].proved_always
    assert facts["a", "c"].proved_never


def test_what_flies_is_told_and_not_proved() -> None:
    text = mjcf(
        f'<body name="a"><freejoint name="f"/>{ball()}</body><geom size="0.1" pos="1 0 0"/>'
    )
    report = survey(model_of(text), FEW)
    assert report.pairs[0].certificate_is(Outcome.IMPOSSIBLE)
    assert report.notes[1:] == ("joints without bounds stay in the reference pose: f",)


def test_a_mesh_that_is_missing_is_told() -> None:
    text = """<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry>
    </collision></link><link name="b"><collision><geometry><mesh filename="gone.stl"/></geometry>
    </collision></link><joint name="j" type="continuous"><parent link="a"/><child link="b"/>
    <axis xyz="0 0 1"/></joint></robot>"""
    issues = phyzctl.Issues()
    robot = formats.read_bytes(text.encode(), "r.urdf", issues).robot
    assert robot is not None
    report = survey(phyzctl.compile(robot), FEW)
    assert report.pairs == ()
    assert report.notes[1].startswith("geom of body 'b' is left out: ")


def test_hulls_are_told_with_what_they_invent() -> None:
    """A cube with a pyramid cut out of its top down to the middle has 5/6 of its hull."""
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)] + [(0.5, 0.5, 0.5)]
    sides = [(0, 2, 6, 4), (0, 4, 5, 1), (4, 6, 7, 5), (6, 2, 3, 7), (2, 0, 1, 3)]
    triangles = [corner for a, b, c, d in sides for corner in (a, b, c, a, c, d)]
    triangles += [1, 5, 8, 5, 7, 8, 7, 3, 8, 3, 1, 8]
    vertices = " ".join(str(number) for point in corners for number in point)
    faces = " ".join(str(number) for number in triangles)
    text = mjcf(
        f'<body name="a">{joint("j")}<geom type="mesh" mesh="m"/></body>'
        f'<body name="b" pos="9 0 0">{joint("k")}{ball()}</body>',
        f'<asset><mesh name="m" vertex="{vertices}" face="{faces}"/></asset>',
    )
    hull = survey(model_of(text), FEW).hulls[0]
    assert (hull.body, hull.mesh) == ("a", "m")
    assert hull.ratio == pytest.approx(6 / 5)


@pytest.mark.parametrize("seed", range(3))
def test_jobs_change_nothing(seed: int) -> None:
    model = random_model(seed)
    effort = Effort(samples=300, work=20_000_000)
    one, four = (survey(model, replace(effort, jobs=jobs)) for jobs in (1, 4))
    assert one.pairs == four.pairs


def test_the_seed_changes_samples_and_not_truths() -> None:
    one, other = (survey(model_of(ORBIT), Effort(samples=300, seed=seed)) for seed in (0, 1))
    assert one.pairs[0].deepest != other.pairs[0].deepest
    assert one.suggested == other.suggested


def test_only_some_pairs() -> None:
    report = survey(model_of(CHAIN), FEW, only={(0, 2)})
    assert [facts.names for facts in report.pairs] == [("a", "c")]
    assert report.find("c", "a") is report.pairs[0]
    assert report.find("a", "b") is None


def test_proofs_say_what_they_hold_for_and_can_go_beyond_the_limits() -> None:
    """Apart by 10 mm at the limits: 0.02 rad more on both sides makes them meet."""
    reach = 2.0 * np.sin(1.0) + 0.2 + 0.01
    text = mjcf(
        f'<body name="l">{joint("a", range="-1 1")}{ball(0.1, "0 1 0")}</body>'
        f'<body name="r" pos="{reach} 0 0">{joint("b", range="-1 1")}{ball(0.1, "0 1 0")}</body>'
    )
    plain, wider = (survey(model_of(text), replace(FEW, inflate=each)) for each in (False, True))
    assert plain.pairs[0].proved_never
    assert "within the limits, for hulls" in plain.notes[0]
    assert wider.pairs[0].certificate_is(Outcome.REFUTED)
    assert "0.02 rad and 2 mm beyond the limits" in wider.notes[0]


def test_no_samples_say_nothing() -> None:
    facts = facts_of(CHAIN, Effort(samples=0, prove=False))["a", "c"]
    assert (facts.share, facts.interval, facts.clearance) == (0.0, (0.0, 1.0), None)


def test_the_public_name() -> None:
    report = phyzctl.suggest_excludes(model_of(CHAIN), samples=100, prove=False)
    assert isinstance(report, phyzctl.ExcludeReport)
    assert report.samples == 100


@pytest.mark.parametrize(
    ("hits", "samples", "lower", "upper"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)],
)
def test_wilsons_interval(hits: int, samples: int, lower: float, upper: float) -> None:
    """Against Newcombe, R. G. (1998), Two-sided confidence intervals, method 3."""
    assert wilson(hits, samples) == pytest.approx((lower, upper), abs=5e-5)


def test_more_pairs_than_memory_holds_are_refused() -> None:
    """400 free balls: 79,800 pairs with 2,800 coordinates each."""
    balls = "".join(f'<body pos="{n} 0 0"><freejoint/>{ball(0.1)}</body>' for n in range(400))
    with pytest.raises(PhyzctlError, match="79800 pairs of bodies in 2800 coordinates"):
        survey(model_of(mjcf(balls)), FEW)
