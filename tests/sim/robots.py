"""Small models for runs."""

from __future__ import annotations

from pathlib import Path

from phyzctl.formats import read_bytes
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.model.passes.tree import BaseChoice
from tests.corpus import SAMPLES

# A bob of 1 kg on a massless rod of 1 m, which starts level.
PENDULUM = """\
<mujoco model="pendulum">
  <option timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body name="rod" pos="0 0 2">
      <joint name="hinge" axis="0 1 0"/>
      <inertial pos="1 0 0" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
    </body>
  </worldbody>
  <keyframe><key name="low" time="0.25" qpos="1.2" qvel="-0.5"/></keyframe>
</mujoco>
"""

# A free body with an arm that a motor turns, and a slide on a servo.
MIXED = """\
<mujoco model="mixed">
  <option timestep="0.002"/>
  <worldbody>
    <body name="base" pos="0 0 1">
      <freejoint name="root"/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.3"/>
      <body name="arm" pos="0.2 0 0">
        <joint name="Shoulder-1" axis="0 1 0" damping="0.1"/>
        <inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.02 0.02"/>
        <body name="tip" pos="0.2 0 0">
          <inertial pos="0 0 0" mass="0.1" diaginertia="0.001 0.001 0.001"/>
        </body>
      </body>
      <body name="drawer">
        <joint name="slide" type="slide" axis="1 0 0" damping="1"/>
        <inertial pos="0 0 0" mass="0.3" diaginertia="0.01 0.01 0.01"/>
      </body>
    </body>
    <body name="shelf" pos="1 0 0"/>
  </worldbody>
  <actuator>
    <motor name="turn" joint="Shoulder-1"/>
    <position name="push" joint="slide" kp="20"/>
  </actuator>
  <keyframe><key name="driven" qpos="0 0 1 1 0 0 0 0.3 0.05" ctrl="0.2 0.1"/></keyframe>
</mujoco>
"""

# A servo far too stiff for its time step, on a joint that stands in line 5.
EXPLODING = """\
<mujoco model="exploding">
  <option timestep="0.05" integrator="Euler"/>
  <worldbody>
    <body name="arm">
      <joint name="elbow" axis="0 1 0"/>
      <inertial pos="0.5 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="elbow" kp="1e6"/></actuator>
</mujoco>
"""


# A heavy box on a light one; `softness` is that of their contacts.
SQUEEZED = """<mujoco><option timestep=".002"/>
<default><geom {softness}/></default><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
<body pos="0 0 .297"><freejoint/><geom type="box" size=".1 .1 .1" mass="9"/></body>
</worldbody></mujoco>"""

OWN_LAWS = """<mujoco model="laws"><worldbody><body name="arm"><joint name="elbow"/>
  <geom size=".1"/></body></worldbody><actuator>
  <general name="flexor" joint="elbow" biastype="user"/>
  <general name="extensor" joint="elbow" biastype="user"/></actuator></mujoco>"""
"""Two actuators whose law is not computed."""


def model(text: str, base: BaseChoice = "auto") -> Model:
    """The model of an MJCF or URDF."""
    issues = Issues()
    robot = read_bytes(text.encode(), "robot.xml", issues).robot
    assert robot is not None
    assert [str(issue) for issue in issues] == []
    return compile_model(robot, base=base)


def sample(name: str) -> Model:
    """The model of a sample robot."""
    path = Path(SAMPLES / name)
    robot = read_bytes(path.read_bytes(), str(path), Issues()).robot
    assert robot is not None
    return compile_model(robot)
