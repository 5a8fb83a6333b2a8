"""The scenes of real robots run, or list what they leave out: lists that may only get shorter."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from phyzctl.api import load
from phyzctl.issues import Issues, Severity
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.sim.control import Constant
from phyzctl.sim.engine import Engine
from phyzctl.sim.massless import massless_issues
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from phyzctl.sim.unsupported import left_out
from phyzctl.sim.watch import Watch
from tests.corpus import SAMPLES, SHARED_CORPUS
from tests.sim.stages import STAGES, stage

# By the robot's folder what its default scene leaves out, and how many elements of it that
# concerns; what is not listed is computed whole. `covered` counts, stage by stage, the scenes that
# need no later one and leave out nothing.
GOLDEN = json.loads(Path(__file__).with_name("menagerie_left_out.json").read_text())
STEPS = 100


def default_scene(folder: Path) -> Path:
    """`scene.xml`, of hands and the like the first of several."""
    scenes = sorted(folder.glob("scene*.xml"))
    return folder / "scene.xml" if folder / "scene.xml" in scenes else scenes[0]


MENAGERIE = SHARED_CORPUS / "menagerie"
FOLDERS = (
    sorted(path for path in MENAGERIE.iterdir() if path.is_dir()) if MENAGERIE.is_dir() else []
)
SCENES = [default_scene(folder) for folder in FOLDERS]
SAMPLE_FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix in (".urdf", ".xml"))

pytestmark = pytest.mark.slow
every_scene = pytest.mark.parametrize("path", SCENES, ids=lambda path: path.parent.name)


@cache
def scene(path: Path) -> Model:
    issues = Issues()
    return compile_model(load(path, issues=issues), issues=issues)


def check_run(subject: Model) -> None:
    """Some steps from the first keyframe, without anything to warn of."""
    engine = Engine(subject)
    assert massless_issues(engine) == []
    key = next((each.name for each in subject.keyframes if each.name), None)
    start = initial_start(subject, key=key)
    run, watch = Run(engine, Constant(start.state.ctrl), start, STEPS), Watch(engine)
    block = run.whole()
    watch.see(block)
    assert run.divergence is None
    assert run.made == STEPS
    assert np.isfinite(block.values["q"]).all()
    assert [each for each in watch.issues(run) if each.severity > Severity.INFO] == []


@every_scene
def test_a_scene_runs_from_its_first_keyframe(path: Path) -> None:
    check_run(scene(path))


@every_scene
def test_what_a_scene_leaves_out_is_told_and_nothing_else(path: Path) -> None:
    told = {message: len(elements) for message, elements in left_out(scene(path)).items()}
    listed = GOLDEN["left_out"].get(path.parent.name, {})
    for message, count in told.items():
        assert count <= listed.get(message, 0), f"left out now: {count} times {message}"
    assert told == listed, "less is left out now: shorten the list"


@pytest.mark.parametrize("path", SAMPLE_FILES, ids=lambda path: path.name)
def test_samples_run_whole(path: Path) -> None:
    assert left_out(scene(path)) == {}
    check_run(scene(path))


@pytest.mark.skipif(not SCENES, reason="the menagerie is not here")
def test_stages_cover_as_many_scenes_as_they_did() -> None:
    """Printed with `pytest -s`: per stage the scenes that need no more, and those run whole."""
    needed = {path: stage(scene(path)) for path in SCENES}
    whole = {path for path in SCENES if not left_out(scene(path))}
    covered = {}
    for number, title in STAGES.items():
        within = [path for path in SCENES if needed[path] <= number]
        covered[f"S{number}"] = sum(path in whole for path in within)
        print(f"S{number} {covered[f'S{number}']:3d} of {len(within):2d} scenes  {title}")
    assert all(covered[name] >= count for name, count in GOLDEN["covered"].items())
    assert covered == GOLDEN["covered"], "more is covered now: raise the counts"
