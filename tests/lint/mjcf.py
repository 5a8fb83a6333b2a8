"""MJCF models for tests of rules: a pendulum with what a test is about."""

from __future__ import annotations

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.issues import Issue, Issues
from phyzctl.lint.context import Context
from phyzctl.lint.engine import lint, rules
from phyzctl.robot.robot import Robot

PATH = "model.xml"

PENDULUM = """<mujoco>
  <compiler angle="radian"/>
  <option {option}/>
  {head}
  <worldbody>
    {world}
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" {joint}/>
      <inertial pos="{com}" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>
      {body}
    </body>
  </worldbody>
  <actuator>
    {actuators}
  </actuator>
  {tail}
</mujoco>
"""


def pendulum(**parts: object) -> str:
    """A hinge with 1 kg and 0.1 kg m² about its own centre, and whatever is given."""
    usual = {"option": "", "head": "", "world": "", "joint": "", "com": "0 0 0", "mass": 1}
    return PENDULUM.format(
        **{**usual, "inertia": 0.1, "body": "", "actuators": "", "tail": "", **parts}
    )


def robot_of(text: str) -> Robot:
    robot = read_bytes(text.encode(), PATH, Issues()).robot
    assert robot is not None
    return robot


def context_of(text: str, config: Config | None = None) -> Context:
    reading = read_bytes(text.encode(), PATH, Issues())
    assert reading.robot is not None
    defaults = {name: value for rule in rules().values() for name, value in rule.tolerances.items()}
    return Context(reading.robot, reading, config or Config(), defaults)


def found(code: str, text: str, **config: object) -> list[Issue]:
    """The Issues of one code."""
    issues = Issues()
    reading = read_bytes(text.encode(), PATH, issues)
    chosen = Config(select=(code,), deep=True, **config)  # type: ignore[arg-type]
    return lint(reading, issues, chosen)
