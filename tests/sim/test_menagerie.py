"""The scenes of real robots run, or say what they leave out: a list that may only get shorter."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from phyzctl.api import load
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.sim.control import Constant
from phyzctl.sim.engine import Engine
from phyzctl.sim.massless import massless_issues
from phyzctl.sim.run import Run, joined
from phyzctl.sim.start import initial_start
from phyzctl.sim.unsupported import unsupported_issues
from tests.corpus import SHARED_CORPUS

SCENES = sorted((SHARED_CORPUS / "menagerie").glob("*/scene.xml"))

# What scenes leave out, by the words of the Issues; all others are computed whole.
LEFT_OUT = {
    "bitcraze_crazyflie_2": {"forces of the medium"},
    "dynamixel_2r": {"noslip"},
    "flybody": {"forces of the medium", "body transmission", "noslip"},
    "hello_robot_stretch_3": {"noslip"},
    "iit_softfoot": {"spatial tendons"},
    "robotiq_2f85": {"forces of the medium", "spatial tendons"},
    "robotiq_2f85_v4": {"forces of the medium", "spatial tendons"},
    "shadow_dexee": {"user law", "plugin", "instance", "noslip"},
    "skydio_x2": {"forces of the medium"},
    "umi_gripper": {"noslip"},
}
# Where the solver gives up on the way; see the events of the run.
BROKEN = {"apptronik_apollo"}

pytestmark = pytest.mark.slow
every_scene = pytest.mark.parametrize("path", SCENES, ids=lambda path: path.parent.name)


@cache
def scene(path: Path) -> Model:
    issues = Issues()
    return compile_model(load(path, issues=issues), issues=issues)


@every_scene
def test_a_scene_runs_from_its_first_keyframe(path: Path) -> None:
    subject = scene(path)
    engine = Engine(subject)
    assert massless_issues(engine) == []
    key = next((each.name for each in subject.keyframes if each.name), None)
    start = initial_start(subject, key=key)
    run = Run(engine, Constant(start.state.ctrl), start, 200, 50)
    block = joined(run.blocks())
    assert np.isfinite(block.values["q"]).all()
    if path.parent.name not in BROKEN:
        assert run.divergence is None
        assert run.made == 200


@every_scene
def test_what_a_scene_leaves_out_is_told_and_nothing_else(path: Path) -> None:
    told = [issue.message for issue in unsupported_issues(scene(path))]
    expected = LEFT_OUT.get(path.parent.name, set())
    for words in expected:
        assert any(words in message for message in told), (
            f"{words} is computed now: shorten the list"
        )
    for message in told:
        assert any(words in message for words in expected), message
