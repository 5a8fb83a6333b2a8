"""Rules that compare left with right, on their boundaries: I115, I120 to I122."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from phyzctl.config import Config
from phyzctl.issues import Issue, Severity
from tests.lint.support import judge

LINK = """
  <link name="{name}">
    <inertial>
      <origin xyz="{com}" rpy="{rpy}"/>
      <mass value="{mass}"/>
      <inertia ixx="{t[0]}" ixy="{t[1]}" ixz="{t[2]}" iyy="{t[3]}" iyz="{t[4]}" izz="{t[5]}"/>
    </inertial>
    {visual}
  </link>"""
HIP = """
  <joint name="{name}_hip" type="{kind}">
    <origin xyz="0 {y} 0"/>
    <parent link="trunk"/>
    <child link="{name}"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>"""
TENSOR = (0.04, 0.0, 0.0, 0.05, 0.0, 0.03)
USUAL = {"com": "0 0 0.1", "rpy": "0 0 0", "mass": 1, "t": TENSOR, "visual": ""}
NAMES = ("left_leg", "right_leg")


def robot(left: Mapping[str, object], right: Mapping[str, object], kind: str = "revolute") -> str:
    """A trunk of 10 kg with two legs, which state what is given."""
    trunk = LINK.format(**{**USUAL, "name": "trunk", "mass": 10})
    parts = [trunk]
    for name, y, stated in zip(NAMES, (0.2, -0.2), (left, right), strict=True):
        parts.append(LINK.format(**{**USUAL, **stated, "name": name}))
        parts.append(HIP.format(name=name, y=y, kind=kind))
    return f'<robot name="r">{"".join(parts)}\n</robot>'


def found(
    code: str, left: Mapping[str, object], right: Mapping[str, object], **more: str
) -> list[Issue]:
    return judge(robot(left, right, **more), Config(select=(code,)))


def tensor(**entries: float) -> Mapping[str, object]:
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    usual = dict(zip(names, TENSOR, strict=True))
    return {"t": tuple({**usual, **entries}.values())}


MOMENTS = {
    "equal": (tensor(), tensor(), False),
    "a little apart": (tensor(), tensor(ixx=0.0424, iyy=0.0512), False),
    "apart": (tensor(ixx=0.0401), tensor(ixx=0.0441), True),
    "other axes": (tensor(), tensor(ixx=0.03, izz=0.04), False),
    "rounded": (tensor(), tensor(iyy=0.06), False),
    "off by more digits than were written": (tensor(), tensor(iyy=0.08, ixx=0.07), True),
    "not of one mass": (tensor(), {**tensor(ixx=0.0451), "mass": 1.1}, False),
}


@pytest.mark.parametrize(("left", "right", "wrong"), MOMENTS.values(), ids=MOMENTS)
def test_moments_of_twins(
    left: Mapping[str, object], right: Mapping[str, object], *, wrong: bool
) -> None:
    issues = found("I120", left, right)
    assert [issue.subject for issue in issues] == ["link 'right_leg'"] * wrong
    assert all(issue.severity is Severity.WARNING for issue in issues)
    assert all(issue.related for issue in issues)


def test_welded_twins_matter_less() -> None:
    (issue,) = found("I120", tensor(ixx=0.0401), tensor(ixx=0.0441), kind="fixed")
    assert issue.severity is Severity.INFO


CENTRES = {
    # centre of mass, left and right
    "mirrored": ("0.01 0.03 0.1", "0.01 -0.03 0.1", False),
    "copied": ("0.01 0.03 0.1", "0.01 0.03 0.1", True),
    "4 mm off": ("0.01 0.03 0.1", "0.01 -0.026 0.1", False),
    "6 mm off": ("0.01 0.03 0.1", "0.01 -0.024 0.1", True),
    "in the plane": ("0.01 0 0.1", "0.01 0 0.1", False),
    "mirrored in another plane": ("0.01 0.03 0.1", "-0.01 0.03 0.1", True),
}


@pytest.mark.parametrize(("left", "right", "wrong"), CENTRES.values(), ids=CENTRES)
def test_centres_of_twins(left: str, right: str, *, wrong: bool) -> None:
    issues = found("I121", {"com": left}, {"com": right})
    assert len(issues) == wrong
    assert all("mirror image of its twin 'left_leg'" in issue.message for issue in issues)
    for issue in issues:
        assert issue.source is not None
        line = robot({"com": left}, {"com": right}).splitlines()[(issue.source.line or 0) - 1]
        assert f'xyz="{right}"' in line


def test_large_parts_may_differ_more() -> None:
    box = '<visual><geometry><box size="0.1 0.1 {}"/></geometry></visual>'
    for height, wrong in ((0.1, True), (2.0, False)):
        left = {"com": "0 0.03 0.1", "visual": box.format(height)}
        right = {"com": "0 0 0.1", "visual": box.format(height)}
        assert len(found("I121", left, right)) == wrong


MASSES = {(1.0, 1.0): False, (1.0, 0.81): False, (1.0, 0.79): True, (0.79, 1.0): True}


@pytest.mark.parametrize("masses", MASSES)
def test_masses_of_twins(masses: tuple[float, float]) -> None:
    left, right = masses
    issues = found("I122", {"mass": left}, {"mass": right})
    assert len(issues) == MASSES[masses]
    for issue in issues:
        assert issue.message == f"weighs {right:g} kg, its twin 'left_leg' {left:g} kg"


PRODUCTS = {
    "mirrored": (tensor(ixy=0.004, iyz=0.003), tensor(ixy=-0.004, iyz=-0.003), None),
    "copied": (tensor(ixy=0.004, iyz=0.003), tensor(ixy=0.004, iyz=0.003), "ixy and iyz"),
    "one copied": (tensor(ixy=0.004, iyz=0.003), tensor(ixy=-0.004, iyz=0.003), "iyz"),
    "in the plane": (tensor(ixz=0.004), tensor(ixz=0.004), None),
    "turned round": (tensor(ixz=0.004), tensor(ixz=-0.004), "ixz"),
    "small": (tensor(ixy=0.0009), tensor(ixy=0.0009), None),
    "of other size": (tensor(ixy=0.004), tensor(ixy=0.005), None),
    "of other moments": (tensor(ixy=0.004), tensor(ixy=0.004, ixx=0.042), None),
}


@pytest.mark.parametrize(("left", "right", "names"), PRODUCTS.values(), ids=PRODUCTS)
def test_products_of_twins(
    left: Mapping[str, object], right: Mapping[str, object], names: str | None
) -> None:
    issues = found("I115", left, right)
    assert len(issues) == (names is not None)
    for issue in issues:
        assert issue.message.startswith(f"{names} should have the other sign")


def test_products_are_compared_in_the_frames_of_links() -> None:
    half = "3.141592653589793 0 0"
    left, right = tensor(ixy=0.004), {**tensor(ixy=0.004), "rpy": half}
    assert found("I115", left, right) == []  # half a turn about x changes the sign
    assert len(found("I115", {**left, "rpy": half}, right)) == 1


def test_twins_that_cannot_be_read_are_left_alone() -> None:
    for code in ("I115", "I120", "I121", "I122"):
        for wrong in ({"mass": "x"}, {"com": "0 nan 0"}, {"t": ("nan",) * 6}, {"rpy": "1 2"}):
            assert found(code, {}, wrong) == []
