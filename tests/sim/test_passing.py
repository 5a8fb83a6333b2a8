"""What moves through things in a step is told, and MuJoCo's ball goes through where it is."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phyzctl.formats import read_bytes
from phyzctl.geometry.hull import convex_hull
from phyzctl.issues import Issue, Issues
from phyzctl.model import compiler
from phyzctl.sim.control import Constant
from phyzctl.sim.engine import Engine
from phyzctl.sim.passing import _half_width
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from phyzctl.sim.watch import Watch

PLATE = '<geom name="plate" type="box" size="1 1 .005"/>'
FLOOR = '<geom name="floor" type="plane" size="1 1 1"/>'
BALL = """<mujoco><option timestep=".002" gravity="0 0 0"/><worldbody>{obstacle}
<body name="shot" pos="0 0 .2"><freejoint/><geom name="ball" size=".01"/>{more}</body></worldbody>
<keyframe><key name="k" qpos="0 0 .2 1 0 0 0" qvel="0 0 {speed} 0 0 {spin}"/></keyframe></mujoco>"""


def watched(text: str, steps: int = 20) -> list[Issue]:
    robot = read_bytes(text.encode(), "robot.xml", Issues()).robot
    assert robot is not None
    engine = Engine(compiler.compile(robot))
    start = initial_start(engine.model, key="k")
    run, watch = Run(engine, Constant(start.state.ctrl), start, steps), Watch(engine)
    for block in run.blocks():
        watch.see(block)
    return [each for each in watch.issues(run) if each.code.id == "S966"]


@pytest.mark.parametrize("speed", [-1.0, -5.0])
def test_a_ball_that_a_thin_plate_may_not_stop(speed: float) -> None:
    """At 5 m/s it covers a centimetre in a step, and MuJoCo's ball passes; at 1 m/s it stops."""
    text = BALL.format(obstacle=PLATE, speed=speed, spin=0, more="")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, 200)
    passed = data.qpos[2] < 0.0
    found = watched(text)
    assert bool(found) == passed == (speed == -5.0)
    for issue in found:
        assert issue.subject == "geom 'ball'"
        assert "moves 0.01 m in a step" in issue.message
        assert "through geom 'plate' unnoticed, from 0.00375 m on" in issue.message  # .015 / 4
        assert issue.source is not None
        assert issue.source.line == 2


def test_a_half_space_has_no_far_side() -> None:
    assert watched(BALL.format(obstacle=FLOOR, speed=-50, spin=0, more="")) == []


def test_what_diverges_is_told_alone() -> None:
    spring = '<joint type="slide" axis="1 0 0" stiffness="4e7"/>'
    text = BALL.format(obstacle=PLATE, speed=1, spin=0, more="").replace("<freejoint/>", spring)
    key = text[text.index("<keyframe>") :]
    assert (
        watched(text.replace(key, '<keyframe><key name="k" qpos="1"/></keyframe></mujoco>')) == []
    )


def test_what_turns_moves_too() -> None:
    """A ball on an arm of half a metre, at 10 rad/s about the vertical."""
    arm = '<geom name="far" pos=".5 0 0" size=".01"/>'
    (issue,) = watched(BALL.format(obstacle=PLATE, speed=0, spin=10, more=arm))
    assert issue.subject == "geom 'far'"
    covered = 2 * 0.5 * np.sin(0.5 * 10 * 0.002)
    assert f"moves {covered:.3g} m in a step" in issue.message


def test_parts_of_one_tree_hold_each_other() -> None:
    text = BALL.format(obstacle="", speed=-50, spin=0, more="")
    child = '<body pos="0 0 .1"><joint axis="1 0 0" pos="0 .3 0"/><geom size=".001"/></body>'
    assert watched(text.replace("</body></worldbody>", f"{child}</body></worldbody>")) == []


@pytest.mark.parametrize("turn", [np.eye(3), np.linalg.qr(np.arange(9.0).reshape(3, 3) ** 2)[0]])
def test_hulls_are_as_thick_as_boxes(turn: np.ndarray) -> None:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-0.3, 0.3) for z in (-0.02, 0.02)])
    assert _half_width(convex_hull(corners @ turn.T)) == pytest.approx(0.02)
