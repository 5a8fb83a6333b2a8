"""Rules for actuators and transmissions, on their boundaries: A702 to A704, A711 to A722, S950."""

from __future__ import annotations

import math

import pytest

from phyzctl.config import Config
from phyzctl.issues import Issue, Severity
from tests.lint.mjcf import found, pendulum
from tests.lint.support import AXIS, LIMIT, applied, joint, judge

RANGE = 'range="-1 1"'
POSITION = '<position name="drive" joint="hinge" kp="{kp}" kv="{kv}" {more}/>'


def servo(kp: float = 1.0, kv: float = 0.5, more: str = "") -> str:
    return POSITION.format(kp=kp, kv=kv, more=more)


def wheels(*names: str, more: str = "") -> str:
    """A URDF of joints side by side."""
    links = "".join(f'<link name="{name}_link"/>' for name in names)
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent link="base"/>'
        f'<child link="{name}_link"/>{AXIS}{LIMIT}</joint>\n'
        for name in names
    )
    return f'<robot name="r"><link name="base"/>{links}\n{joints}{more}</robot>'


def of(code: str, text: str) -> list[Issue]:
    return judge(text, Config(select=(code,)))


CONTROL_A = '<ros2_control><joint name="a"/></ros2_control>'
TRANSMIT_B = '<transmission><joint name="b"/></transmission>'
PLUGIN_B = "<gazebo><plugin><wheel>b</wheel></plugin></gazebo>"
NAMED = {
    "all by ros2_control": ('<ros2_control><joint name="a"/><joint name="b"/></ros2_control>', []),
    "one by ros2_control": (CONTROL_A, ["b"]),
    "one by a transmission": (TRANSMIT_B, ["a"]),
    "one each": (TRANSMIT_B + CONTROL_A, []),
    "none": ("", []),
    "none that exists": ('<ros2_control><joint name="x"/></ros2_control>', []),
    "one by a plugin": (CONTROL_A + PLUGIN_B, []),
    "only by a plugin": (PLUGIN_B, []),
}


@pytest.mark.parametrize(("more", "missing"), NAMED.values(), ids=NAMED)
def test_joints_that_nothing_commands(more: str, missing: list[str]) -> None:
    issues = of("A702", wheels("a", "b", more=more))
    assert [issue.subject for issue in issues] == [f"joint {name!r}" for name in missing]


def test_followers_need_no_command() -> None:
    text = wheels("a", "b", more=CONTROL_A)
    assert len(of("A702", text)) == 1
    follows = f'{LIMIT}<mimic joint="a"/></joint>\n<ros2'
    assert of("A702", text.replace(f"{LIMIT}</joint>\n<ros2", follows)) == []


TYPE = "<type>transmission_interface/SimpleTransmission</type>"
GOOD = "<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>"
BARE = "<hardwareInterface>EffortJointInterface</hardwareInterface>"
OLD = {
    "as it should be": (TYPE, GOOD, GOOD, None),
    "in the actuator only": (TYPE, "", GOOD, "in the actuator only"),
    "without its package": (TYPE, BARE, "", "'EffortJointInterface' lacks its package"),
    "of no type": ("", GOOD, "", "the type is an element"),
    "without any interface": (TYPE, "", "", None),
    "a mere note": ("", "", "", None),
}


@pytest.mark.parametrize(("kind", "own", "motor", "message"), OLD.values(), ids=OLD)
def test_transmissions(kind: str, own: str, motor: str, message: str | None) -> None:
    text = wheels(
        "a",
        more=f'<transmission name="t">{kind}<joint name="a">{own}</joint>'
        f'<actuator name="m">{motor}</actuator></transmission>',
    )
    issues = of("A703", text)
    assert len(issues) == (message is not None)
    assert all(str(message) in issue.message for issue in issues)
    assert all(issue.subject == "transmission 't'" for issue in issues)


def test_the_type_as_an_attribute_is_of_old() -> None:
    text = wheels("a", more='<transmission name="t" type="Simple"><joint name="a"/></transmission>')
    (issue,) = of("A703", text)
    assert "since ROS Groovy" in issue.message


PAIRS = {
    "two positions": ("position", "position", "", True),
    "two velocities": ("velocity", "velocity", "", True),
    "one of each": ("position", "velocity", "", False),
    "of two groups": ("position", "position", 'group="2"', False),
    "a motor beside": ("position", "motor", "", False),
}


@pytest.mark.parametrize(("first", "second", "more", "wrong"), PAIRS.values(), ids=PAIRS)
def test_servos_on_one_joint(first: str, second: str, more: str, *, wrong: bool) -> None:
    actuators = f'<{first} name="a" joint="hinge"/><{second} name="b" joint="hinge" {more}/>'
    issues = found("A704", pendulum(actuators=actuators))
    assert [issue.subject for issue in issues] == ["actuator 'b'"] * wrong
    assert all(issue.related for issue in issues)


EXCESS = {
    # controls of a joint that goes from -1 to 1: how bad
    "-1 1": None,
    "-1.09 1.09": None,
    "-1.11 1": Severity.INFO,
    "-1 2.9": Severity.INFO,
    "-1 3.1": Severity.WARNING,
    "-90 90": None,  # A715's
}


@pytest.mark.parametrize("controls", EXCESS)
def test_targets_past_the_range(controls: str) -> None:
    text = pendulum(joint=RANGE, actuators=servo(more=f'ctrlrange="{controls}"'))
    wanted = EXCESS[controls]
    assert [issue.severity for issue in found("A711", text)] == [wanted] * (wanted is not None)
    assert len(found("A715", text)) == (controls == "-90 90")


def test_the_range_is_the_fix() -> None:
    text = pendulum(joint=RANGE, actuators=servo(more='ctrlrange="-1 3.1"'))
    (issue,) = found("A711", text)
    assert issue.fix is not None
    assert not issue.fix.safe
    assert 'ctrlrange="-1 1"' in applied(text, issue.fix.edits)


def test_degrees_are_the_fix() -> None:
    text = pendulum(joint=RANGE, actuators=servo(more='ctrlrange="-90 45"'))
    (issue,) = found("A715", text)
    assert issue.fix is not None
    assert issue.message.startswith("its controls ask for -90 rad, 14.3 turns")
    written = applied(text, issue.fix.edits).partition('ctrlrange="')[2].partition('"')[0]
    assert [float(word) for word in written.split()] == pytest.approx([-math.pi / 2, math.pi / 4])


BOUNDS = {
    "motor": ("<motor {}/>", "", "nothing bounds what it is told"),
    "motor, told": ('<motor {} ctrlrange="-1 1"/>', "", None),
    "motor, of bounded force": ('<motor {} forcerange="-1 1"/>', "", None),
    "motor on a bounded joint": ("<motor {}/>", 'actuatorfrcrange="-1 1"', None),
    "servo": ("<position {}/>", "", "nothing bounds what it is told"),
    "servo, told": ('<position {} ctrlrange="-1 1"/>', "", "nothing bounds the force with which"),
    "servo, inheriting": (
        '<position {} inheritrange="1"/>',
        RANGE,
        "nothing bounds the force with which",
    ),
    "servo of bounded force": ('<position {} forcerange="-1 1"/>', "", None),
    "muscle": ('<muscle {} lengthrange="0 1"/>', "", None),
}


@pytest.mark.parametrize(("actuator", "more", "message"), BOUNDS.values(), ids=BOUNDS)
def test_forces_without_bounds(actuator: str, more: str, message: str | None) -> None:
    drive = actuator.format('name="drive" joint="hinge"')
    issues = found("A712", pendulum(joint=more, actuators=drive))
    assert len(issues) == (message is not None)
    assert all(issue.message.startswith(str(message)) for issue in issues)


def test_a_tendon_may_bound_its_actuators() -> None:
    cord = '<tendon><fixed name="cord" {}><joint joint="hinge" coef="1"/></fixed></tendon>'
    for bound, wrong in (('actuatorfrcrange="-1 1"', False), ("", True)):
        text = pendulum(actuators='<motor name="m" tendon="cord"/>', tail=cord.format(bound))
        assert len(found("A712", text)) == wrong


# kp 10 on 0.1 kg m² is critically damped by 2.
RATIOS = {0.0: True, 0.19: True, 0.21: False, 2.0: False}


@pytest.mark.parametrize("damping", RATIOS)
@pytest.mark.parametrize("place", ["servo", "joint"])
def test_damping_ratios(damping: float, place: str) -> None:
    own = f'damping="{damping}"' if place == "joint" else ""
    kv = damping if place == "servo" else 0.0
    issues = found("A720", pendulum(joint=own, actuators=servo(10.0, kv)))
    assert len(issues) == RATIOS[damping]


def test_dry_friction_damps_too_and_the_threshold_can_be_set() -> None:
    ringing = pendulum(actuators=servo(10.0, 0.1))
    assert len(found("A720", ringing)) == 1
    assert found("A720", ringing, tolerances={"damping-ratio": 0.04}) == []
    dry = pendulum(joint='frictionloss="0.01"', actuators=servo(10.0, 0.1))
    assert found("A720", dry) == []


# √(kp / 0.1) times 0.002 s
SPEEDS = {
    # kp: for Euler and for implicitfast
    24_000.0: (None, None),
    26_000.0: ("A721", None),
    99_000.0: ("A721", None),
    101_000.0: ("S950", "S950"),
}


@pytest.mark.parametrize("kp", SPEEDS)
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_stiff_servos(kp: float, integrator: str) -> None:
    text = pendulum(option=f'integrator="{integrator}"', actuators=servo(kp, 1e-6))
    wanted = SPEEDS[kp][integrator != "Euler"]
    for code in ("A721", "S950"):
        assert len(found(code, text)) == (code == wanted)
    # What explodes isn't also said to ring.
    assert len(found("A720", text)) == (wanted != "S950")


def test_what_would_do_is_said() -> None:
    (issue,) = found("S950", pendulum(actuators=servo(1e6, 1.0)))
    assert "the time step of 0.002 s makes joint 'hinge' unstable" in issue.message
    assert issue.message.endswith("below 0.00032 s it is resolved")


BARE_JOINTS = {
    "": True,
    'armature="0.1"': False,
    'damping="0.1"': False,
    'frictionloss="0.1"': False,
    'stiffness="0.1"': True,
    'springdamper="0.1 1"': False,
}


@pytest.mark.parametrize("stated", BARE_JOINTS)
def test_bare_joints(stated: str) -> None:
    driven = pendulum(joint=stated, actuators='<motor joint="hinge"/>')
    assert len(found("A722", driven)) == BARE_JOINTS[stated]
    assert found("A722", pendulum(joint=stated)) == []


def test_a_urdf_has_no_servos() -> None:
    for code in ("A704", "A711", "A712", "A715", "A720", "A721", "A722", "S950"):
        assert of(code, joint()) == []
