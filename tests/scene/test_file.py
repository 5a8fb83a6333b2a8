"""Scene files: what they mean, every fault with its place, and the schema in step."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, UnreadableError
from phyzctl.geometry.hull import ConvexHull
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from phyzctl.issues import Issues
from phyzctl.scene.exclusions import AttachedId, ObstacleId, RobotShape
from phyzctl.scene.file import load_scene
from phyzctl.spatial import pose
from tests.corpus import SAMPLES
from tests.scene.robots import slider_rail
from tests.scene.scenefiles import FULL, accepts, obstacle, sound

SCENES = sorted((SAMPLES / "scenes").glob("*.toml"))


def test_all_keys(folder: Path) -> None:
    scene = sound(FULL, folder)
    assert (scene.name, scene.margin) == ("all keys", 0.01)
    ids = ["ball", "pill", "can", "crate", "egg", "ground", "wedge", "swing", "swing"]
    assert scene.planning.obstacle_ids == ids
    obstacles = scene.planning.obstacles
    assert [each.shape for each in obstacles[:6]] == [
        Sphere(0.1),
        Capsule(0.1, 0.3),
        Cylinder(0.1, 0.3),
        Box((1.0, 2.0, 3.0)),
        Ellipsoid((1.0, 2.0, 3.0)),
        Plane(),
    ]
    np.testing.assert_allclose(obstacles[0].X_WO, pose(xyz=(1, 2, 3)))
    np.testing.assert_allclose(obstacles[1].X_WO, pose(rpy=(0, 0, 1)))
    np.testing.assert_allclose(obstacles[2].X_WO, np.eye(4))
    assert [each.padding for each in obstacles[:2]] == [0.05, 0.0]
    wedge = obstacles[6].shape
    assert isinstance(wedge, ConvexHull)
    assert wedge.vertices[:, 2].min() == -2.0
    assert scene.attached[0].frame == "l1"
    assert scene.attached[0].touch_links == ("l1", "l0")
    assert scene.attached[0].padding == 0.002
    assert scene.attached[1].frame is None
    partners = [pair.partner for pair in scene.exclusions]
    assert partners == [ObstacleId("ball"), RobotShape("l1"), RobotShape(0), AttachedId("lid")]
    lines = [source.line for source in scene.obstacle_sources]
    assert lines == [5, 12, 19, 26, 31, 36, 41, 47, 47]
    assert [source.line for source in scene.attached_sources] == [53, 62]


def test_robots_as_obstacles(folder: Path) -> None:
    scene = sound(FULL, folder)
    ball, mesh = scene.planning.obstacles[-2:]
    assert ball.shape == Sphere(0.2)
    assert isinstance(mesh.shape, ConvexHull)
    assert (ball.label, mesh.label) == ("arm", "arm")
    np.testing.assert_allclose(ball.X_WO[:3, 3], [0, 1, 7], atol=1e-12)
    np.testing.assert_allclose(mesh.X_WO[:3, 3], [0, 2, 7], atol=1e-12)


def test_the_scene_as_an_environment(folder: Path) -> None:
    scene = sound(FULL, folder)
    issues = Issues()
    assert scene.fit(slider_rail(2), issues)
    report = scene.env().check(slider_rail(2), [0.0])
    things = {f"obstacle '{name}'" for name in ("pill", "can", "crate", "egg", "wedge")}
    assert {str(contact.b) for contact in report.contacts} == {*things, "link 'l0' (l0)"}


def test_an_empty_scene(tmp_path: Path) -> None:
    scene = sound("", tmp_path)
    assert (scene.name, len(scene.env().obstacles)) == ("s", 0)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no scene"):
        load_scene(str(tmp_path / "none.toml"), Issues())
    with pytest.raises(UnreadableError):
        load_scene(str(tmp_path), Issues())


# The schema


def test_the_schema_takes_what_the_reader_takes(folder: Path) -> None:
    assert accepts(FULL)
    assert accepts("")
    for path in SCENES:
        assert accepts(path.read_text("utf-8")), path


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_samples_are_sound(path: Path) -> None:
    issues = Issues()
    assert load_scene(str(path), issues) is not None
    assert list(issues) == []


def test_scenes_are_read_from_where_they_lie(folder: Path) -> None:
    deeper = folder / "deep"
    deeper.mkdir()
    shutil.move(folder / "wedge.obj", deeper / "wedge.obj")
    (deeper / "s.toml").write_text(obstacle('shape = "mesh"\nfile = "wedge.obj"'))
    scene = load_scene(str(deeper / "s.toml"), Issues())
    assert scene is not None
    assert math.isclose(scene.env().obstacles[0].X_WO[0, 0], 1.0)
