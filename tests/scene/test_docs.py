"""The page on scenes: its program runs, its sample does what is said, its codes and files exist."""

from __future__ import annotations

import re

import numpy as np
import pytest

from phyzctl import codes
from phyzctl.api import load
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.scene.file import load_scene
from phyzctl.scene.motionfile import load_motion
from tests.corpus import ROOT, SAMPLES

PAGE = (ROOT / "docs" / "scene.md").read_text("utf-8")


def test_the_program_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "docs/scene.md", "exec"), {})


def test_the_sample_way_touches_only_between_its_way_points() -> None:
    model = compiler.compile(load(SAMPLES / "six_axis_arm.urdf"))
    issues = Issues()
    scene = load_scene(str(SAMPLES / "scenes" / "table.toml"), issues)
    motion = load_motion(str(SAMPLES / "scenes" / "reach.csv"), model, issues)
    assert list(issues) == []
    assert scene is not None
    assert motion is not None
    assert not scene.env().check_batch(model, motion.q).collides.any()
    report = scene.env().check_trajectory(model, motion.q, motion.times)
    assert report.hits[0].contact.a.id == "mug"
    assert report.hits[0].contact.b.id == "lamp"
    # A fine walk finds the same.
    steps = np.linspace(0.0, 1.0, 2001)[:, None]
    walk = motion.q[0] + steps * (motion.q[1] - motion.q[0])
    first = int(scene.env().check_batch(model, walk).collides.argmax())
    assert report.hits[0].time == pytest.approx(steps[first, 0], abs=6e-4)


def test_codes() -> None:
    for code in (codes.TOML_MALFORMED, codes.SCENE_TEXT_MALFORMED):
        assert code.id in PAGE
    for code in (codes.SELF_COLLISION, codes.ENVIRONMENT_COLLISION):
        assert code.id in PAGE


def test_files_that_are_named_are_there() -> None:
    for name in re.findall(r"(?:sample_robots|tests|scene)/[\w./]+\.\w+", PAGE):
        assert (ROOT / name).exists() or (ROOT / "docs" / name).exists(), name
