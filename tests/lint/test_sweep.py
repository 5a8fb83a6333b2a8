"""The survey that rules share: made once, only when asked for, and never in the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from phyzctl.config import Config
from phyzctl.formats import read, read_bytes
from phyzctl.formats.format import Reading
from phyzctl.issues import Issue, Issues
from phyzctl.lint import sweep
from phyzctl.lint.context import Context
from phyzctl.lint.engine import lint
from tests.corpus import SAMPLES

DEEP = Config(deep=True)
ROBOTS = sorted([*SAMPLES.glob("*.urdf"), *SAMPLES.glob("*.xml")])
SWEPT = {"C901", "C902", "C903", "C904", "C906"}


def reading_of(text: str) -> Reading:
    return read_bytes(text.encode(), "robot.xml", Issues())


def swept(reading: Reading, config: Config = DEEP) -> list[Issue]:
    return [issue for issue in lint(reading, [], config) if issue.code.id in SWEPT]


def test_it_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = vars(sweep)["survey"]

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return original(*arguments, **options)

    monkeypatch.setattr(sweep, "survey", counted)
    swept(read(str(SAMPLES / "arm_gripper.xml"), Issues()))
    assert len(calls) == 1


def test_without_deep_nothing_is_sampled() -> None:
    """In a process of its own: numpy and the kernel stay unloaded."""
    code = (
        "import sys; from phyzctl import validate; validate(sys.argv[1]); "
        "sys.exit('phyzctl.exclude.survey' in sys.modules)"
    )
    path = str(SAMPLES / "double_pendulum.urdf")
    assert subprocess.run([sys.executable, "-c", code, path], check=False).returncode == 0


@pytest.mark.parametrize(
    "path",
    sorted(SAMPLES.glob("*.urdf")) + sorted(SAMPLES.glob("*.xml")),
    ids=lambda path: path.name,
)
def test_the_samples_are_clean(path: Path) -> None:
    assert swept(read(str(path), Issues())) == []


@pytest.mark.parametrize(
    "inside",
    [
        "",
        '<body><geom size="nan"/></body>',
        '<geom type="plane" size="1 1 1"/>',
        '<body><geom type="mesh" mesh="none"/></body>',
        '<body><joint range="nan 1"/><geom size="1"/><body><geom size="1"/></body></body>',
    ],
)
def test_what_is_broken_or_bare_is_survived(inside: str) -> None:
    reading = reading_of(f"<mujoco><worldbody>{inside}</worldbody></mujoco>")
    if reading.robot is not None:
        Context(reading.robot, reading, DEEP).pairs  # noqa: B018
    swept(reading)


STACK = """<mujoco><compiler angle="radian"/><worldbody><body name="a"><freejoint/>
<geom type="box" size="0.1 0.1 0.1"/><body name="b" pos="0 0 0.3"><joint range="-1 1"/>
<geom size="0.01"/><body name="c" pos="0 0 {}"><joint axis="1 0 0" range="-0.1 0.1"/>
<geom type="box" size="0.1 0.1 0.1"/></body></body></body></worldbody>
<keyframe>{}</keyframe></mujoco>"""


@pytest.mark.parametrize(
    ("depth", "severity"), [(0.005, None), (0.015, "warning"), (0.025, "error")]
)
def test_depth_makes_the_severity(depth: float, severity: str | None) -> None:
    found = [
        issue
        for issue in swept(reading_of(STACK.format(-0.1 - depth, "")))
        if issue.code.id == "C901"
    ]
    assert [issue.severity.label for issue in found] == ([severity] if severity else [])
    if found:
        assert f"by {1000 * depth:g} mm in the reference pose" in found[0].message


def test_a_keyframe_is_the_start_pose() -> None:
    """Turned by 0.1 rad, the corner is 10 mm lower: 5 mm become 15."""
    text = STACK.format(-0.105, '<key name="home" qpos="0 0 0 1 0 0 0 0 0.1"/>')
    found = [issue for issue in swept(reading_of(text)) if issue.code.id == "C901"]
    assert len(found) == 1
    assert "in keyframe 'home'" in found[0].message


def test_tolerances_can_be_set() -> None:
    text = STACK.format(-0.105, "")
    strict = Config(deep=True, tolerances={"overlap-depth": 0.001})
    assert [issue.code.id for issue in swept(reading_of(text), strict)] == ["C901"]
