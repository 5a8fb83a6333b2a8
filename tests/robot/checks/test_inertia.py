"""Tensors: what no body can have, by principal moments, with MuJoCo as the judge of it."""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from phyzctl.issues import Finding, Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks import inertia
from phyzctl.robot.elements import Inertia, Inertial, Joint, JointKind, Link
from phyzctl.robot.mechanism import CompilerSettings
from phyzctl.robot.robot import Robot

BOX = Inertia(0.0042, 0.0, 0.0, 0.0042, 0.0, 0.0017)
ROD = Inertia(0.0042, 0.0, 0.0, 0.0042, 0.0, 0.0)
NEGATIVE = Inertia(0.0042, 0.01, 0.0, 0.0042, 0.0, 0.0017)
HINGE = Joint("hinge", JointKind.CONTINUOUS, "base", "arm")


def arm(tensor: Inertia | None, mass: float | None = 1.0, dialect: str | None = "urdf") -> Robot:
    builder = RobotBuilder("r", dialect=dialect).link(Link("base")).joint(HINGE)
    return builder.inertial("arm", Inertial(mass, tensor)).build(Issues())


def with_sensor(tensor: Inertia, mass: float = 0.1, dialect: str | None = "urdf") -> Robot:
    """An arm of 1 kg, and a sensor welded to it."""
    builder = RobotBuilder("r", dialect=dialect).link(Link("base")).joint(HINGE)
    builder.joint(Joint("mount", JointKind.FIXED, "arm", "sensor"))
    builder.inertial("arm", Inertial(1.0, BOX)).inertial("sensor", Inertial(mass, tensor))
    return builder.build(Issues())


def turned(moments: tuple[float, float, float], quat: tuple[float, ...]) -> Inertia:
    """A tensor of these principal moments, turned."""
    w, x, y, z = np.array(quat) / np.linalg.norm(quat)
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    M = R @ np.diag(moments) @ R.T
    return Inertia(*(float(M[i]) for i in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))


def severities(found: list[Finding]) -> list[str]:
    return ["error" if f.severity is None else f.severity.label for f in found]


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (BOX, []),
        (NEGATIVE, ["error"]),
        (Inertia(-0.001, 0.0, 0.0, 0.0042, 0.0, 0.0042), ["error"]),
        (ROD, ["warning"]),
        (Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.003), ["error"]),
        (Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), []),
        (Inertia(1e-20, 0.0, 0.0, -1e-20, 0.0, 1e-20), []),
        (Inertia(math.nan, 0.0, 0.0, 1.0, 0.0, 1.0), []),
        (None, []),
    ],
    ids=["box", "product", "diagonal", "rod", "one moment", "zero", "noise", "NaN", "unknown"],
)
def test_a_moment_that_is_not_positive(tensor: Inertia | None, expected: list[str]) -> None:
    assert severities(list(inertia.inertia_not_positive(arm(tensor)))) == expected


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6])
def test_zero_is_relative_to_the_largest_moment(scale: float) -> None:
    thin = Inertia(scale, 0.0, 0.0, scale, 0.0, 1e-10 * scale)
    assert not list(inertia.inertia_not_positive(arm(thin, mass=scale)))
    thinner = thin._replace(izz=1e-13 * scale)
    assert len(list(inertia.inertia_not_positive(arm(thinner, mass=scale)))) == 1


def test_what_is_built_may_be_a_rod_but_not_negative_even_when_welded() -> None:
    assert severities(list(inertia.inertia_not_positive(arm(ROD, dialect=None)))) == ["warning"]
    welded = with_sensor(NEGATIVE, dialect=None)
    assert severities(list(inertia.inertia_not_positive(welded))) == ["error"]


CHECKS = {
    "negative": (inertia.inertia_not_positive, NEGATIVE, "warning"),
    "triangle": (inertia.inertia_triangle, Inertia(1e-5, 0.0, 0.0, 1e-5, 0.0, 1e-4), "warning"),
    "zero": (inertia.inertia_zero, Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), "info"),
}


@pytest.mark.parametrize(("check", "tensor", "expected"), CHECKS.values(), ids=CHECKS)
def test_a_welded_link_weighs_less(check: object, tensor: Inertia, expected: str) -> None:
    assert severities(list(check(with_sensor(tensor)))) == [expected]  # type: ignore[operator]
    assert severities(list(check(arm(tensor)))) == ["error"]  # type: ignore[operator]


def test_a_welded_link_that_is_heavier_than_the_first_counts_in_full() -> None:
    heavy = with_sensor(NEGATIVE, mass=3.0)
    assert severities(list(inertia.inertia_not_positive(heavy))) == ["error"]


def test_a_frame_that_weighs_next_to_nothing_does_not_count_though_it_is_first() -> None:
    builder = RobotBuilder("r", dialect="urdf").link(Link("frame"))
    builder.joint(Joint("fix", JointKind.FIXED, "frame", "trunk"))
    builder.inertial("frame", Inertial(0.001, NEGATIVE)).inertial("trunk", Inertial(9.0, BOX))
    found = list(inertia.inertia_not_positive(builder.build(Issues())))
    assert severities(found) == ["warning"]


def test_what_is_fixed_to_the_world_is_a_warning() -> None:
    builder = RobotBuilder("r", dialect="urdf").link(Link("world"))
    builder.joint(Joint("fix", JointKind.FIXED, "world", "pedestal"))
    robot = builder.inertial("pedestal", Inertial(50.0, NEGATIVE)).build(Issues())
    assert severities(list(inertia.inertia_not_positive(robot))) == ["warning"]


@pytest.mark.parametrize(
    ("izz", "code"),
    [
        (0.0084, None),  # a plate: exactly the sum
        (0.00841, "I105"),  # 0.1 % more
        (0.00845, "I101"),  # 0.6 % more, five units of the last digit
        (0.085, "I101"),
    ],
)
def test_rounding_is_told_from_the_impossible(izz: float, code: str | None) -> None:
    robot = arm(BOX._replace(izz=izz))
    found = {
        "I101": list(inertia.inertia_triangle(robot)),
        "I105": list(inertia.inertia_rounded(robot)),
    }
    assert [name for name, findings in found.items() if findings] == ([code] if code else [])


def test_one_unit_of_the_last_digit_is_rounding_however_few_digits_there_are() -> None:
    coarse = Inertia(0.0001, 0.0, 0.0, 0.0001, 0.0, 0.0003)
    assert len(list(inertia.inertia_rounded(arm(coarse)))) == 1
    assert not list(inertia.inertia_triangle(arm(coarse)))
    two_units = coarse._replace(izz=0.0004)
    assert len(list(inertia.inertia_triangle(arm(two_units)))) == 1


@pytest.mark.parametrize(
    ("tensor", "slip"),
    [
        (Inertia(0.0021, 0.0, 0.0, 0.0024, 0.0, 1.7), ("izz", -3)),
        (Inertia(0.0042, 0.0, 0.0, 0.0042, 0.0, 0.084), None),  # -1 and -2 would both do
        (Inertia(0.00664, 0.0, 0.0, 0.00669, 0.0, 0.000664), None),  # possible as it is
        (Inertia(4.76593, 0.0, 0.0, 0.0035, 0.0, 0.0042), ("ixx", -3)),
    ],
)
def test_a_lost_decimal_point_is_named_when_there_is_one_way(
    tensor: Inertia, slip: tuple[str, int] | None
) -> None:
    found = None if not list(inertia.inertia_triangle(arm(tensor))) else tensor
    assert (inertia.slip_of_the_point(tensor) if found else None) == slip


def test_the_message_says_what_the_entry_would_be() -> None:
    (found,) = inertia.inertia_triangle(arm(Inertia(0.0021, 0.0, 0.0, 0.0024, 0.0, 1.7)))
    assert "izz 1.7 would fit as 0.0017" in found.message


def test_a_point_mass_that_carries_inertia_is_a_warning() -> None:
    builder = RobotBuilder("r", dialect="urdf").link(Link("base")).joint(HINGE)
    builder.joint(Joint("wrist", JointKind.CONTINUOUS, "arm", "hand"))
    zero = Inertial(1.0, Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    builder.inertial("arm", zero).inertial("hand", Inertial(1.0, BOX))
    (found,) = inertia.inertia_zero(builder.build(Issues()))
    assert (found.element.name, severities([found])) == ("arm", ["warning"])
    (last,) = inertia.inertia_zero(
        builder.inertial("arm", Inertial(1.0, BOX)).inertial("hand", zero).build(Issues())
    )
    assert (last.element.name, severities([last])) == ("hand", ["error"])


@pytest.mark.parametrize("mass", [None, 0.0, 1e-5, -1.0])
def test_only_mass_needs_a_tensor(mass: float | None) -> None:
    zero = Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert not list(inertia.inertia_zero(arm(zero, mass)))


def test_what_the_compiler_ignores_or_repairs_is_judged_so() -> None:
    impossible = BOX._replace(izz=0.5)
    robot = arm(impossible, dialect="mjcf")
    ignored = replace(robot, settings=CompilerSettings(inertia_from_geom=True))
    assert not list(inertia.inertia_triangle(ignored))
    balanced = replace(robot, settings=CompilerSettings(balance_inertia=True))
    assert severities(list(inertia.inertia_triangle(balanced))) == ["warning"]


def test_places_are_those_of_the_format() -> None:
    assert inertia.tensor_place(arm(BOX), BOX) == "inertial/inertia@"
    assert inertia.tensor_place(arm(BOX, dialect="mjcf"), BOX) == "inertial@diaginertia"
    assert inertia.tensor_place(arm(BOX, dialect="mjcf"), NEGATIVE) == "inertial@fullinertia"


def _mujoco_refuses(tensor: Inertia) -> bool:
    numbers = (tensor.ixx, tensor.iyy, tensor.izz, tensor.ixy, tensor.ixz, tensor.iyz)
    text = " ".join(repr(float(number)) for number in numbers)
    xml = f"""<mujoco><worldbody><body><joint/>
      <inertial pos="0 0 0" mass="1" fullinertia="{text}"/></body></worldbody></mujoco>"""
    try:
        mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return True
    return False


MOMENT = st.floats(0.001, 1.0)
QUAT = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)


@settings(max_examples=60)
@given(moments=st.tuples(st.floats(-0.5, 1.0), MOMENT, MOMENT), quat=QUAT)
def test_mujoco_refuses_what_is_found_and_nothing_else(
    moments: tuple[float, float, float], quat: tuple[float, ...]
) -> None:
    low, middle, high = sorted(moments)
    assume(abs(low) > 1e-4)
    assume(abs(high - middle - low) > 1e-6)
    robot = arm(turned(moments, quat))
    checks = (
        inertia.inertia_not_positive,
        inertia.inertia_triangle,
        inertia.inertia_rounded,
    )
    found = [finding for check in checks for finding in check(robot)]
    assert len(found) <= 1
    assert bool(found) == _mujoco_refuses(turned(moments, quat))
    assert bool(found) == (low < 0.0 or high > low + middle)
