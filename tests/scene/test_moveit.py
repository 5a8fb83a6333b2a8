"""MoveIt's scene text: both versions of it, and every fault with its place."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.geometry.hull import ConvexHull
from phyzctl.geometry.shapes import Box, Cylinder, Plane, Sphere
from phyzctl.issues import Issues
from phyzctl.scene.file import Scene, parse_scene
from phyzctl.spatial import pose

OLD = """\
(noname)+
* table
1
box
1.2 0.8 0.04
0.6 0 0.4
0 0 0 1
0 0 0 0
* two things
2
sphere
0.1
1 2 3
0 0 0 1
0 0 0 0
cylinder
0.05 0.3
0 0 1
0 0 0.7071067811865476 0.7071067811865476
1 0.5 0 1
.
"""

NEW = """\
kitchen
* shelf
1 0 0
0 0 0.7071067811865476 0.7071067811865476
1
mesh
4 2
0 0 0
1 0 0
0 1 0
0 0 2
0 1 2
0 1 3
0.5 0 0
0 0 0 1
0 0 0 0
1
handle
0 0 1
0 0 0 1
* floor
0 0 0
0 0 0 1
1
plane
0 0 2 1
0 0 0
0 0 0 1
0 0 0 0
0
.
"""


def parse(text: str | bytes) -> tuple[Scene | None, list[str]]:
    issues = Issues()
    data = text.encode() if isinstance(text, str) else text
    return parse_scene(data, "s.scene", issues), [str(issue) for issue in issues]


def test_the_older_format() -> None:
    scene, said = parse(OLD)
    assert said == []
    assert scene is not None
    assert scene.name == "(noname)+"
    assert scene.planning.obstacle_ids == ["table", "two things", "two things"]
    table, ball, can = scene.planning.obstacles
    assert (table.shape, ball.shape) == (Box((1.2, 0.8, 0.04)), Sphere(0.1))
    assert can.shape == Cylinder(0.05, 0.3)
    np.testing.assert_allclose(table.X_WO, pose(xyz=(0.6, 0, 0.4)))
    np.testing.assert_allclose(can.X_WO, pose(xyz=(0, 0, 1), rpy=(0, 0, np.pi / 2)), atol=1e-15)
    assert [source.line for source in scene.obstacle_sources] == [2, 9, 9]


def test_the_newer_format_with_poses_and_subframes() -> None:
    scene, said = parse(NEW)
    assert said == ["s.scene:25:1: warning[U001] a plane is read as the half-space below it"]
    assert scene is not None
    shelf, floor = scene.planning.obstacles
    assert isinstance(shelf.shape, ConvexHull)
    assert shelf.shape.volume == pytest.approx(2.0 / 6.0)
    # Half a metre along the shape's x is half a metre along y of the world.
    np.testing.assert_allclose(shelf.X_WO[:3, 3], [1, 0.5, 0], atol=1e-15)
    assert floor.shape == Plane()
    np.testing.assert_allclose(floor.X_WO, pose(xyz=(0, 0, -0.5)))


def test_a_tilted_plane() -> None:
    scene, _ = parse(NEW.replace("0 0 2 1", "3 0 4 -10"))
    assert scene is not None
    X = scene.planning.obstacles[1].X_WO
    np.testing.assert_allclose(X[:3, 2], [0.6, 0, 0.8], atol=1e-15)
    assert 3 * X[0, 3] + 4 * X[2, 3] == pytest.approx(10)
    np.testing.assert_allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-15)


def test_no_objects() -> None:
    scene, said = parse("empty\n.\n")
    assert said == []
    assert scene is not None
    assert len(scene.planning.obstacles) == 0


FAULTY: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "1:1: error[E011] the text ends where '*' before an object, or '.' at the end"),
    "no full stop": (OLD[:-2], "20:10: error[E011] the text ends where '*' before an object"),
    "no star": (OLD.replace("* table", "table"), "2:1: error[E011] expected '*' or '.', not 'ta"),
    "no id": (OLD.replace("* table", "*"), "2:1: error[E011] the object has no id"),
    "id twice": (OLD.replace("two things", "table"), "9:1: error[E007] there is an object 'table'"),
    "no shapes": (OLD.replace("table\n1", "table\n0"), "3:1: error[E011] expected the number of"),
    "count": (OLD.replace("table\n1", "table\nx"), "3:1: error[E011] expected the number of shap"),
    "kind": (
        OLD.replace("box", "torus"),
        "4:1: error[E011] unknown shape 'torus'; there are sphere, box, cylinder, plane, mesh",
    ),
    "size": (OLD.replace("1.2 0.8", "1.2 O.8"), "5:5: error[E011] expected a number of the sizes"),
    "size 0": (
        OLD.replace("1.2 0.8", "1.2 0"),
        "4:1: error[E011] the sizes of a box must be",
    ),
    "nan": (OLD.replace("0.6 0 0.4", "nan 0 0.4"), "6:1: error[E011] a number of a position must"),
    "short": (OLD.replace("0.6 0 0.4\n", "0.6 0\n"), "9:1: error[E011] expected a number of a col"),
    "quaternion": (
        OLD.replace("0.6 0 0.4\n0 0 0 1", "0.6 0 0.4\n0 0 0 0"),
        "6:1: error[E011] a quaternion must not be all 0",
    ),
    "vertex": (NEW.replace("0 1 3", "0 1 4"), "6:1: error[E011] a triangle names a vertex that"),
    "normal": (NEW.replace("0 0 2 1", "0 0 0 1"), "25:1: error[E011] a plane's normal must not be"),
    "not text": (b"x\n\xff", "2:1: error[E011] this is not UTF-8: "),
}


@pytest.mark.parametrize("name", FAULTY)
def test_each_fault_gives_one_issue_at_its_place(name: str) -> None:
    text, expected = FAULTY[name]
    scene, said = parse(text)
    assert scene is None
    (only,) = said
    assert only.startswith(f"s.scene:{expected}")
