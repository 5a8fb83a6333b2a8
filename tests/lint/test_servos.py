"""Servos are recognised by their law, and where they drive is worked out of it."""

from __future__ import annotations

import math

import pytest

from phyzctl.lint.servos import driven_joint, looks_like_degrees, range_of, servos
from phyzctl.robot.elements import Joint, JointKind, JointLimit
from tests.lint.mjcf import pendulum, robot_of

JOINT = 'joint="hinge"'

LAWS = {
    # an actuator: what it holds, kp and kv
    "position": (f'<position {JOINT} kp="5" kv="2"/>', ("position", 5.0, 2.0)),
    "position, kp by default": (f"<position {JOINT}/>", ("position", 1.0, 0.0)),
    "velocity": (f'<velocity {JOINT} kv="3"/>', ("velocity", 0.0, 3.0)),
    "general": (
        f'<general {JOINT} biastype="affine" gainprm="7" biasprm="0 -7 -1"/>',
        ("position", 7.0, 1.0),
    ),
    "filtered": (f'<position {JOINT} kp="5" timeconst="0.1"/>', ("position", 5.0, 0.0)),
    "in the parent's frame": ('<position jointinparent="hinge" kp="5"/>', ("position", 5.0, 0.0)),
    "motor": (f"<motor {JOINT}/>", None),
    "integrator": (f'<intvelocity {JOINT} kp="5" actrange="-1 1"/>', None),
    "muscle": (f'<muscle {JOINT} lengthrange="0 1"/>', None),
    "no gear": (f'<position {JOINT} kp="5" gear="0"/>', None),
    "drives away": (f'<position {JOINT} kp="-5"/>', None),
}


@pytest.mark.parametrize(("actuator", "law"), LAWS.values(), ids=LAWS)
def test_servos_are_known_by_their_law(actuator: str, law: tuple[str, float, float] | None) -> None:
    found = [(s.holds, s.kp, s.kv) for s in servos(robot_of(pendulum(actuators=actuator)))]
    assert found == ([law] if law else [])


TARGETS = {
    # position = (gain u + bias0) / kp / gear
    "as commanded": ('<position {} kp="5" ctrlrange="-1 2"/>', (-1.0, 2.0)),
    "geared": ('<position {} kp="5" gear="4" ctrlrange="-1 2"/>', (-0.25, 0.5)),
    "turned round": ('<position {} kp="5" gear="-1" ctrlrange="-1 2"/>', (-2.0, 1.0)),
    "scaled": (
        '<general {} biastype="affine" gainprm="0.02" biasprm="1 -10 0" ctrlrange="0 255"/>',
        (0.1, 0.61),
    ),
    "not bounded": ('<position {} kp="5"/>', None),
    "a velocity": ('<velocity {} kv="5" ctrlrange="-1 1"/>', None),
}


@pytest.mark.parametrize(("actuator", "targets"), TARGETS.values(), ids=TARGETS)
def test_where_a_servo_may_be_told_to_go(
    actuator: str, targets: tuple[float, float] | None
) -> None:
    (servo,) = servos(robot_of(pendulum(actuators=actuator.format(JOINT))))
    assert servo.targets == (None if targets is None else pytest.approx(targets))


DEGREES = {
    "degrees": ("-90 90", True),
    "radians": ("-1.57 1.57", False),
    "two turns": (f"0 {4 * math.pi - 0.01}", False),
    "counted turns": (f"0 {10 * math.pi}", False),
    "more than two turns in degrees": ("0 721", False),
    "one side": ("0 57", True),
}


@pytest.mark.parametrize(("controls", "wrong"), DEGREES.values(), ids=DEGREES)
@pytest.mark.parametrize("stops", ['range="-1 1"', ""])
def test_controls_in_degrees(controls: str, stops: str, *, wrong: bool) -> None:
    text = pendulum(joint=stops, actuators=f'<position {JOINT} kp="5" ctrlrange="{controls}"/>')
    (servo,) = servos(robot_of(text))
    assert looks_like_degrees(servo) is (wrong and bool(stops))


RANGES: dict[tuple[JointKind, float | None, float | None], tuple[float, float] | None] = {
    (JointKind.REVOLUTE, -1.0, 1.0): (-1.0, 1.0),
    (JointKind.PRISMATIC, 0.0, 0.1): (0.0, 0.1),
    (JointKind.CONTINUOUS, -1.0, 1.0): None,
    (JointKind.REVOLUTE, 1.0, -1.0): None,
    (JointKind.REVOLUTE, 1.0, 1.0): None,
    (JointKind.REVOLUTE, None, 1.0): None,
    (JointKind.REVOLUTE, math.nan, 1.0): None,
    (JointKind.REVOLUTE, -math.inf, math.inf): None,
}


@pytest.mark.parametrize("stated", RANGES)
def test_a_range_holds_where_it_leaves_room(
    stated: tuple[JointKind, float | None, float | None],
) -> None:
    kind, lower, upper = stated
    assert range_of(Joint("j", kind, limit=JointLimit(lower, upper))) == RANGES[stated]


def test_what_an_actuator_drives() -> None:
    tendon = '<tendon><fixed name="cord"><joint joint="hinge" coef="1"/></fixed></tendon>'
    text = pendulum(
        actuators=f'<motor name="a" {JOINT}/><motor name="b" tendon="cord"/>', tail=tendon
    )
    robot = robot_of(text)
    assert [getattr(driven_joint(robot, a), "name", None) for a in robot.actuators] == [
        "hinge",
        None,
    ]
