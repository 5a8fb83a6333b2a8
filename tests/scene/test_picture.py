"""Pictures: well-formed, everything within its frame, contacts where they are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import numpy as np
import pytest

from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from phyzctl.scene.contact import Contact
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.items import SceneShape
from phyzctl.scene.picture import Subject, draw
from tests.scene.robots import at, on, seven_axis_arm, slider_rail

SVG = "{http://www.w3.org/2000/svg}"
RED = "#d1242f"
RAIL = slider_rail(2)
PAIR = re.compile(r"(-?[\d.]+),(-?[\d.]+)")
SHAPES: dict[str, SceneShape] = {
    "sphere": Sphere(0.2),
    "capsule": Capsule(0.1, 0.4),
    "cylinder": Cylinder(0.2, 0.3),
    "box": Box((0.3, 0.4, 0.5)),
    "ellipsoid": Ellipsoid((0.3, 0.2, 0.1)),
    "half-space": Plane(),
    "hull": convex_hull(np.random.default_rng(3).normal(size=(20, 3)) * 0.2),
}


def drawn(env: CollisionEnv, *q: float, ghosts: Sequence[float] = ()) -> ET.Element:
    prepared = env.prepare(RAIL)
    poses = prepared.place(np.array(q))
    contacts = env.check(RAIL, q).contacts
    others = [prepared.place(np.array([each])) for each in ghosts]
    return ET.fromstring(draw(Subject("a <b> & c", prepared, poses, contacts, others)))


def frames(root: ET.Element) -> list[list[float]]:
    rects = [each for each in root.iter(f"{SVG}rect") if each.get("class") == "frame"]
    return [[float(each.get(key, "")) for key in ("x", "y", "width", "height")] for each in rects]


def polygons(view: ET.Element, role: str | None = None) -> list[np.ndarray]:
    return [
        np.array([[float(x), float(y)] for x, y in PAIR.findall(each.get("points", ""))])
        for each in view.iter(f"{SVG}polygon")
        if each.get("class") == role
    ]


@pytest.mark.parametrize("name", SHAPES)
def test_every_kind_of_shape_in_every_view(name: str) -> None:
    root = drawn(CollisionEnv([at(SHAPES[name], 0.9, 0, 1)]), 0.0)
    views = list(root.iter(f"{SVG}g"))
    assert len(views) == len(frames(root)) == 3
    for view, (x, y, wide, high) in zip(views, frames(root), strict=True):
        outlines = polygons(view)
        assert len(outlines) == 3
        assert all(len(each) >= (2 if name == "half-space" else 3) for each in outlines)
        if name != "half-space":
            points = np.concatenate(outlines)
            assert (points >= [x - 1, y - 1]).all()
            assert (points <= [x + wide + 1, y + high + 1]).all()


def test_a_ball_is_a_circle_of_its_size() -> None:
    root = drawn(CollisionEnv([at(Sphere(0.2), 1, 0, 0)]), 0.0)
    for view in root.iter(f"{SVG}g"):
        sizes = [np.ptp(each, axis=0) for each in polygons(view)]
        ratio = max(size[0] for size in sizes) / min(size[0] for size in sizes)
        assert ratio == pytest.approx(2.0, abs=0.03)
        for size in sizes:
            assert size[0] == pytest.approx(size[1], abs=0.3)


def test_contacts_are_marked_listed_and_red() -> None:
    env = CollisionEnv([at(Sphere(0.1), 0.15, 0, 1), at(Sphere(0.1), 2)])
    root = drawn(env, 0.0)
    for view in root.iter(f"{SVG}g"):
        dots = [each for each in view.iter(f"{SVG}circle") if each.get("class") == "contact"]
        assert len(dots) == 1
        red = [each for each in view.iter(f"{SVG}polygon") if each.get("stroke") == RED]
        assert len(red) == 2
    said = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert "1  link 'l1' (l1) overlaps obstacle 0 by 50 mm" in said
    assert "a <b> & c" in said


def test_nothing_touches() -> None:
    said = ["".join(each.itertext()) for each in drawn(CollisionEnv.EMPTY, 0.0).iter(f"{SVG}text")]
    assert "nothing touches" in said


def test_many_contacts_are_not_all_listed() -> None:
    root = drawn(CollisionEnv([at(Sphere(0.1), 0, 0, 1) for _ in range(15)]), 0.0)
    said = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert "and 3 more" in said


def test_ghosts_and_carried_things() -> None:
    env = CollisionEnv.EMPTY.with_attached([on(Sphere(0.1), "l1", 0.3)])
    root = drawn(env, 0.0, ghosts=[0.5, 1.0])
    (first, *_) = root.iter(f"{SVG}g")
    assert len(polygons(first, "ghost")) == 6
    assert len(polygons(first)) == 3


def test_an_arm() -> None:
    arm = seven_axis_arm()
    env = CollisionEnv([at(Plane(), 0, 0, -0.1)])
    prepared = env.prepare(arm)
    contacts: list[Contact] = []
    text = draw(Subject("arm", prepared, prepared.place(np.full(7, 0.4)), contacts))
    assert len(list(ET.fromstring(text).iter(f"{SVG}polygon"))) == 3 * 9
