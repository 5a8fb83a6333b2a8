"""Files of as many elements as are allowed, each all of one kind: what is judged by comparing
everything with everything takes longer than the limits allow.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from phyzctl.formats.xmltree import MAX_ELEMENTS
from tests.hostile.conftest import Bounded

MOST = MAX_ELEMENTS - 100
Each = Callable[[int], str]


def urdf(per: int, each: Each, before: str = "") -> Callable[[], str]:
    """A URDF of pieces, each of `per` elements."""

    def make() -> str:
        pieces = "\n".join(each(n) for n in range(MOST // per))
        return f'<robot name="r">{before}{pieces}</robot>'

    return make


def mjcf(per: int, each: Each, more: str = "", again: Each | None = None) -> Callable[[], str]:
    """An MJCF of bodies in the world, and of pieces `again` in the section `more`."""

    def make() -> str:
        count = MOST // per
        bodies = "\n".join(each(n) for n in range(count))
        rest = "" if again is None else "\n".join(again(n) for n in range(count))
        section = f"<{more}>{rest}</{more}>" if more else ""
        return f"<mujoco><worldbody>{bodies}</worldbody>{section}</mujoco>"

    return make


def body(n: int) -> str:
    return f'<body name="b{n}"><joint name="j{n}" range="-1 1"/><geom size="0.1"/></body>'


def jointed(n: int) -> str:
    """A link by a joint on the one before."""
    return (
        f'<link name="l{n}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
        f'ixz="0" iyz="0"/></inertial><collision><geometry><box size="1 1 1"/></geometry>'
        f'</collision></link><joint name="j{n}" type="revolute"><parent link="l{max(n - 1, 0)}"/>'
        f'<child link="l{n}"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>'
    )


def split(first: int, end: int) -> str:
    """A balanced tree of bodies."""
    if first >= end:
        return ""
    middle = (first + 1 + end) // 2
    below = split(first + 1, middle) + split(middle, end)
    return f'<body name="b{first}"><joint/><geom size="0.1"/>{below}</body>\n'


LARGEST: dict[str, Callable[[], str]] = {
    "links that nothing joins": urdf(1, lambda n: f'<link name="l{n}"/>'),
    "a chain of links": urdf(11, jointed),
    "links of one name": urdf(1, lambda _: '<link name="l"/>'),
    "joints onto one link": urdf(
        3,
        lambda n: f'<joint name="j{n}" type="fixed"><parent link="l"/><child link="m"/></joint>',
        '<link name="l"/><link name="m"/>',
    ),
    "names that differ in case": urdf(
        2, lambda n: f'<link name="link_{n}"/><link name="LINK_{n}"/>'
    ),
    "references to nothing": urdf(
        2, lambda n: f'<gazebo reference="x{n}"><x/></gazebo>', '<link name="l"/>'
    ),
    "comments that suppress": urdf(1, lambda _: '<!-- phyzctl: ignore[N301] a --><link name="l"/>'),
    "comments that mean no rule": urdf(
        1, lambda n: f'<!-- phyzctl: ignore[rule-{n}] --><link name="l{n}"/>'
    ),
    "bodies in the world": mjcf(3, body),
    "a tree of bodies": lambda: f"<mujoco><worldbody>{split(0, MOST // 3)}</worldbody></mujoco>",
    "geoms of the world": mjcf(1, lambda _: '<geom size="1"/>'),
    "masks that meet nothing": mjcf(
        3, lambda n: f'<body><joint/><geom size="1" contype="{n}" conaffinity="0"/></body>'
    ),
    "servos": mjcf(
        4, body, "actuator", lambda n: f'<position joint="j{n}" kp="9" ctrlrange="-1 1"/>'
    ),
    "servos by damping ratio": mjcf(
        4, body, "actuator", lambda n: f'<position joint="j{n}" kp="9" dampratio="1"/>'
    ),
    "keyframes that state nothing": mjcf(4, body, "keyframe", lambda n: f'<key name="k{n}"/>'),
    "excludes": mjcf(4, body, "contact", lambda n: f'<exclude body1="b{n}" body2="b{n // 2}"/>'),
    "classes that aren't there": mjcf(1, lambda n: f'<geom class="c{n}" size="1"/>'),
    "attachments of nothing": mjcf(1, lambda n: f'<attach body="x{n}" prefix="p{n}"/>'),
    "attachments of themselves": mjcf(
        3,
        lambda n: f'<body name="b{n}"><geom size="1"/></body><attach body="b{n}" prefix="p{n}"/>',
    ),
    "replicates": mjcf(
        2, lambda _: '<replicate count="2" offset="1 0 0"><geom size="1"/></replicate>'
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_file_is_judged_within_limits(
    name: str, bounded: Bounded, tmp_path: Path
) -> None:
    text = LARGEST[name]()
    assert MOST - 200 < text.count("<") - text.count("</") - text.count("<!--") <= MAX_ELEMENTS
    path = tmp_path / ("r.xml" if text.startswith("<mujoco") else "r.urdf")
    path.write_text(text, encoding="utf-8")
    ending = bounded("validate", "--no-cache", "--quiet", path.name)
    assert ending.code in {0, 1}, ending.err[-500:]
    assert not ending.err
