"""Traces of scenarios: every channel against what the rollouts say."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from phyzctl.issues import Issues
from phyzctl.pushing.record import all_events, pusher_points, record
from phyzctl.pushing.rollout import Rollout
from phyzctl.pushing.scenario import Scenario, parse_scenario, roll_out
from phyzctl.trace.trace import Trace
from tests.pushing.cases import SEPARATED, STICK, UP

TEXT = b"""\
name = "recorded"
dt = 0.1
[slider]
half_extent = 0.04
f_max = 2.0
[start]
x = 1.0
[[pushes]]
duration = 1.0
contacts = [{ face = 0, contact = 0.0, push_speed = 0.1 }]
[[pushes]]
duration = 0.5
contacts = [
  { face = 0, contact = 0.03, push_speed = 0.1, tangent_speed = 0.5 },
  { face = 3, contact = 0.0, push_speed = -0.1 },
]
"""


def run(text: bytes = TEXT) -> tuple[Scenario, tuple[Rollout, ...], Trace]:
    scenario = parse_scenario(text, "folder/s.toml", Issues())
    assert scenario is not None
    rollouts = roll_out(scenario)
    return scenario, rollouts, record(scenario, rollouts)


def test_samples_are_those_of_the_rollouts_one_after_the_other() -> None:
    _, (first, second), trace = run()
    assert trace.times.tolist() == pytest.approx([n / 10 for n in range(16)])
    assert len(trace) == 16
    slider = trace.values["slider"]
    assert (slider[:11] == first.poses).all()
    assert (slider[11:] == second.poses[1:]).all()
    assert (trace.values["twist"][11:] == second.twists[1:]).all()
    assert trace.values["push"].ravel().tolist() == [0] * 11 + [1] * 5


def test_contacts() -> None:
    _, (first, second), trace = run()
    one, other = trace.values["contact_0"], trace.values["contact_1"]
    assert (one[:11, 0] == first.offsets[:, 0]).all()
    assert (one[:11, 2] == STICK).all()
    assert one[11, 2] == SEPARATED  # past the end of its face by then
    assert second.modes[0, 0] == UP
    assert np.isnan(other[:11]).all()
    assert other[11:, 1].tolist() == pytest.approx(second.gaps[1:, 1].tolist())
    assert trace.values["contact_0_force"][0].tolist() == pytest.approx([2.0, 0.0])
    assert np.isnan(trace.values["contact_1_force"][:11]).all()
    assert (trace.values["contact_1_force"][11:] == 0).all()
    assert trace.values["contact_0_point"][0].tolist() == pytest.approx([0.96, 0.0])


def test_forces_only_with_f_max() -> None:
    _, _, trace = run(TEXT.replace(b"f_max = 2.0", b""))
    assert [each.name for each in trace.header.channels if each.name.endswith("force")] == []


def test_points_are_at_the_faces_of_the_turned_slider() -> None:
    scenario, (_, second), _ = run()
    points = pusher_points(0.04, second)
    for pose, offsets, gaps, places in zip(
        second.poses, second.offsets, second.gaps, points, strict=True
    ):
        cosine, sine = math.cos(pose[2]), math.sin(pose[2])
        for (px, py), place in zip(
            [(-0.04 - gaps[0], offsets[0]), (-offsets[1], -0.04 - gaps[1])], places, strict=True
        ):
            expected = pose[0] + cosine * px - sine * py, pose[1] + sine * px + cosine * py
            assert place.tolist() == pytest.approx(expected, abs=1e-14)
    assert scenario.params.half_extent == 0.04


def test_the_header_says_what_was_run() -> None:
    scenario, rollouts, trace = run()
    header = trace.header
    assert (header.kind, header.integrator, header.dt) == ("push", "rk4", 0.1)
    assert header.origin.path == "folder/s.toml"
    assert header.initial_state == {"x": 1.0, "y": 0.0, "theta": 0.0}
    assert header.options["half_extent"] == 0.04
    assert header.options["pushes"][1]["commands"][0]["tangent_speed"] == 0.5
    assert header.complete
    assert header.steps == 16
    assert trace.is_intact()
    ((time, text),) = header.events
    assert (time, text) == next(all_events(scenario, rollouts))
    assert text == "contact 0 leaves its face"
    assert 1.0 < time < 1.1


def test_the_same_run_makes_the_same_digest_and_another_another() -> None:
    _, _, trace = run()
    _, _, again = run()
    assert trace.header == again.header
    _, _, other = run(TEXT.replace(b"duration = 0.5", b"duration = 0.4"))
    assert other.header.digest != trace.header.digest
    assert other.header.origin.sha256 != trace.header.origin.sha256


def test_viewers_get_a_box_that_is_called_like_the_frame() -> None:
    _, _, trace = run()
    robot = ET.fromstring(trace.description)
    (link,) = robot.findall("link")
    assert link.get("name") == trace.header.channels[0].body == "slider"
    box = link.find("visual/geometry/box")
    assert box is not None
    assert box.get("size") == "0.08 0.08 0.04"
