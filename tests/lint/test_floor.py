"""How deep shapes stand in a floor, against MuJoCo's contacts and closed forms."""

from __future__ import annotations

import math

import mujoco
import pytest

from phyzctl.lint.compiled import compiled
from phyzctl.lint.floor import Sunken
from tests.lint.mjcf import found, robot_of

FLOOR = '<geom name="floor" type="plane" size="5 5 0.1" {}/>'
MODEL = """<mujoco>
  <compiler angle="radian"/>
  <asset>
    <mesh name="wedge" vertex="-0.1 -0.1 -0.1  0.3 -0.1 -0.1  -0.1 0.3 -0.1  -0.1 -0.1 0.3"/>
  </asset>
  <worldbody>
    {floor}
    <body name="part" pos="0 0 {height}" euler="{turn}">
      <freejoint/>
      <geom name="shape" {shape}/>
    </body>
  </worldbody>
  {tail}
</mujoco>
"""


def text(
    shape: str,
    height: float = 0.0,
    turn: str = "0.4 0.3 0",
    *,
    floor: str = FLOOR.format(""),
    tail: str = "",
) -> str:
    return MODEL.format(floor=floor, tail=tail, shape=shape, height=height, turn=turn)


def sunken(model: str) -> tuple[Sunken, ...]:
    made = compiled(robot_of(model))
    assert made is not None
    return made.sunken


def deepest(model: str) -> float:
    """The largest depth that MuJoCo finds."""
    mj = mujoco.MjModel.from_xml_string(model)
    data = mujoco.MjData(mj)
    mujoco.mj_forward(mj, data)
    return max((-float(contact.dist) for contact in data.contact), default=0.0)


SHAPES = {
    "sphere": 'type="sphere" size="0.2"',
    "capsule": 'type="capsule" size="0.1 0.2"',
    "cylinder": 'type="cylinder" size="0.1 0.2"',
    "box": 'type="box" size="0.1 0.2 0.3"',
    "ellipsoid": 'type="ellipsoid" size="0.1 0.2 0.3"',
    "mesh": 'type="mesh" mesh="wedge"',
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("turn", ["0 0 0", "0.4 0.3 0", "1.2 -0.5 2"])
@pytest.mark.parametrize("height", [0.0, 0.05])
def test_depths_are_mujocos(shape: str, turn: str, height: float) -> None:
    model = text(shape, height, turn)
    (only,) = sunken(model)
    assert only.depth == pytest.approx(deepest(model), rel=1e-6)
    assert only.body == "part"


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_what_stands_above_is_not_in_it(shape: str) -> None:
    assert sunken(text(shape, 0.6)) == ()


def test_thickness_is_across_the_floor() -> None:
    (only,) = sunken(text('type="cylinder" size="0.1 0.2"', turn=f"{math.pi / 2} 0 0"))
    assert only.thickness == pytest.approx(0.2)
    assert only.depth == pytest.approx(0.1)


def test_a_tilted_floor() -> None:
    slope = FLOOR.format('zaxis="1 0 1" pos="0 0 0.1"')
    model = text('type="sphere" size="0.2"', floor=slope)
    (only,) = sunken(model)
    assert only.depth == pytest.approx(0.2 + 0.1 / math.sqrt(2.0))
    assert only.depth == pytest.approx(deepest(model))


UNTOUCHED = {
    "no floor": {"floor": ""},
    "a floor of other masks": {"floor": FLOOR.format('contype="2" conaffinity="2"')},
    "a floor that is drawn": {"floor": FLOOR.format('contype="0" conaffinity="0"')},
    "an exclude": {"tail": '<contact><exclude body1="world" body2="part"/></contact>'},
}


@pytest.mark.parametrize("parts", UNTOUCHED.values(), ids=UNTOUCHED)
def test_floors_that_nothing_meets(parts: dict[str, str]) -> None:
    floor, tail = parts.get("floor", FLOOR.format("")), parts.get("tail", "")
    assert sunken(text('type="sphere" size="0.2"', floor=floor, tail=tail)) == ()


START = '<keyframe><key qpos="0 0 {} 1 0 0 0"/><key qpos="0 0 0 1 0 0 0"/></keyframe>'
DEPTHS = {
    # height of a ball of 0.2 m, and a keyframe's: whether K707 says something
    "deep": (0.1, None, True),
    "just deep enough": (0.119, None, True),
    "a fifth of its thickness": (0.121, None, False),
    "a millimetre": (0.199, None, False),
    "lifted by the first keyframe": (0.0, 0.2, False),
    "pressed down by it": (1.0, 0.05, True),
}


@pytest.mark.parametrize(("height", "key", "wrong"), DEPTHS.values(), ids=DEPTHS)
def test_start_in_the_floor(height: float, key: float | None, *, wrong: bool) -> None:
    tail = "" if key is None else START.format(key)
    issues = found("K707", text('type="sphere" size="0.2"', height, "0 0 0", tail=tail))
    assert len(issues) == wrong
    for issue in issues:
        assert ("keyframe" in issue.message) is (key is not None)


def test_small_things_may_be_deeper_than_their_share() -> None:
    shape = 'type="sphere" size="0.02"'
    assert found("K707", text(shape, 0.0, "0 0 0")) == []
    (issue,) = found("K707", text(shape, -0.01, "0 0 0"))
    assert "30 mm into the floor" in issue.message
    assert found("K707", text(shape, -0.01, "0 0 0"), tolerances={"floor-depth": 0.05}) == []


def test_the_deepest_stands_for_the_others() -> None:
    bodies = "".join(
        f'<body name="b{n}" pos="{n} 0 {-0.01 * n}"><freejoint/><geom size="0.1"/></body>'
        for n in range(3)
    )
    world = f"<mujoco><worldbody>{FLOOR.format('')}{bodies}</worldbody></mujoco>"
    (issue,) = found("K707", world)
    assert issue.subject == "link 'b2'"
    assert "reaches 120 mm into the floor, and 2 more of its bodies" in issue.message
