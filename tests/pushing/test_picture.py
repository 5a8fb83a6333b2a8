"""Pictures: well-formed, everything within the frame, colours as the modes say."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from phyzctl.issues import Issues
from phyzctl.pushing import picture
from phyzctl.pushing.picture import draw
from phyzctl.pushing.scenario import parse_scenario, roll_out
from tests.corpus import SAMPLES

SVG = "{http://www.w3.org/2000/svg}"
SCENARIOS = sorted((SAMPLES / "push").glob("*.toml"))
_PAIR = re.compile(r"(-?[\d.]+),(-?[\d.]+)")

SHORT = b"""\
name = "a <b> & c"
dt = 0.1
[[pushes]]
duration = 1.0
contacts = [{ face = 0, contact = 0.0, push_speed = 0.1 }]
"""


def drawn(data: bytes) -> ET.Element:
    scenario = parse_scenario(data, "s.toml", Issues())
    assert scenario is not None
    return ET.fromstring(draw(scenario, roll_out(scenario)))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in root.iter() if each.get("class") == name]


def spots(element: ET.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in _PAIR.findall(element.get("points", ""))]


def all_spots(root: ET.Element) -> Iterator[tuple[float, float]]:
    for element in root.iter():
        yield from spots(element)
        if element.tag == f"{SVG}circle":
            yield float(element.get("cx", "nan")), float(element.get("cy", "nan"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_everything_is_in_the_frame(path: Path) -> None:
    root = drawn(path.read_bytes())
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    found = list(all_spots(root))
    assert len(found) > 500
    for x, y in found:
        assert 50 <= x <= width - 50
        assert 50 <= y <= height - 50


def test_the_slider_is_a_square_at_its_pose() -> None:
    root = drawn(SHORT)
    (start,), (end,) = of_class(root, "start"), of_class(root, "end")
    first, last = np.array(spots(start)), np.array(spots(end))
    for square in (first, last):
        sides = np.linalg.norm(square - np.roll(square, 1, axis=0), axis=1)
        assert sides == pytest.approx([sides[0]] * 4, abs=0.02)
    moved = (last - first).mean(axis=0)
    side = float(np.linalg.norm(first[0] - first[1]))
    assert moved == pytest.approx([side, 0], abs=0.02)  # 0.1 m, which is one side


def test_up_is_up() -> None:
    root = drawn(SHORT.replace(b"face = 0", b"face = 3"))
    (start,), (end,) = of_class(root, "start"), of_class(root, "end")
    assert np.array(spots(end))[:, 1].mean() < np.array(spots(start))[:, 1].mean()


def test_the_swept_area_covers_every_pose() -> None:
    root = drawn(SCENARIOS[0].read_bytes())
    (group,) = of_class(root, "swept")
    swept = np.array([spot for each in group for spot in spots(each)])
    for ghost in of_class(root, "ghost"):
        for x, y in spots(ghost):
            assert np.abs(swept - (x, y)).max(axis=1).min() < 2


def test_pushers_have_the_colours_of_their_modes_and_the_legend_names_them() -> None:
    root = drawn((SAMPLES / "push" / "two_fingers.toml").read_bytes())
    ways = [each for each in of_class(root, "pusher") if each.tag == f"{SVG}polyline"]
    colours = {each.get("stroke") for each in ways}
    words = [each.text for each in root.iter(f"{SVG}text")]
    for mode, colour in picture._COLOURS.items():
        assert (mode.label in words) == (colour in colours)
    assert len(colours) == 4


def test_names_are_only_text() -> None:
    root = drawn(SHORT)
    (title,) = of_class(root, "title")
    assert title.text == "a <b> & c"


def test_a_slider_that_stays_can_be_drawn() -> None:
    root = drawn(SHORT.replace(b"push_speed = 0.1", b"push_speed = 0.0"))
    assert len(of_class(root, "end")) == 1


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_ticks_are_round_and_few_at_any_scale(scale: float) -> None:
    text = SHORT.decode().replace(
        "[[pushes]]", f"[slider]\nhalf_extent = {0.05 * scale}\n[[pushes]]"
    )
    root = drawn(text.replace("0.1 }", f"{0.1 * scale} }}").encode())
    lines = of_class(root, "grid")
    assert 6 <= len(lines) <= 24
    numbers = [float(each.text or "") for each in root.iter(f"{SVG}text") if is_number(each.text)]
    assert len(numbers) == len(lines)


def is_number(text: str | None) -> bool:
    return re.fullmatch(r"-?[\d.]+", text or "") is not None
