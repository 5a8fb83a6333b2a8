"""Rules for limits, on their boundaries: J202 to J204, J207, J208, J213, J214."""

from __future__ import annotations

import math

import pytest

from phyzctl.config import Config
from phyzctl.issues import Issue, Severity
from tests.lint.support import AXIS, joint, judge


def found(code: str, rest: str, kind: str = "revolute") -> list[Issue]:
    return judge(joint(AXIS + rest, kind), Config(select=(code,)))


def limit(bounds: str, rates: str = 'effort="1" velocity="1"') -> str:
    return f"<limit {bounds} {rates}/>"


LOCKED = {
    "apart": ('lower="0" upper="1"', None),
    "equal": ('lower="0.5" upper="0.5"', "locked at 0.5"),
    "equal but for rounding": ('lower="0.5" upper="0.5000000001"', "locked at 0.5"),
    "a hair apart": ('lower="0" upper="1e-8"', None),
    "left out": ("", "left out and count as 0"),
    "one left out, the other 0": ('upper="0"', "locked at 0"),
    "one left out": ('upper="1"', None),
}


@pytest.mark.parametrize(("bounds", "message"), LOCKED.values(), ids=LOCKED)
def test_locked(bounds: str, message: str | None) -> None:
    for kind in ("revolute", "prismatic"):
        issues = found("J202", limit(bounds), kind)
        assert len(issues) == (message is not None)
        assert all(str(message) in issue.message for issue in issues)
    assert found("J202", limit(bounds), "continuous") == []


RATES = {
    # effort and velocity of one joint: message and severity
    ("1", "1"): None,
    ("0", "1"): ("effort limit is 0", "effort"),
    ("1", "0"): ("velocity limit is 0", "velocity"),
    ("0", "0"): ("effort and velocity limits are 0", "effort"),
    ("-5", "1"): ("effort limit -5 is negative", "effort"),
    ("1e-9", "1"): None,
}


@pytest.mark.parametrize("rates", RATES)
def test_rates_of_a_joint_alone(rates: tuple[str, str]) -> None:
    effort, velocity = rates
    text = limit('lower="0" upper="1"', f'effort="{effort}" velocity="{velocity}"')
    issues = found("J203", text)
    wanted = RATES[rates]
    assert [issue.message for issue in issues] == ([wanted[0]] if wanted else [])
    for issue in issues:
        assert issue.severity is Severity.WARNING
        assert issue.source is not None
        line = joint(AXIS + text).splitlines()[(issue.source.line or 0) - 1]
        assert wanted is not None
        assert line[(issue.source.column or 0) - 1 :].startswith(f"{wanted[1]}=")


def chain(*efforts: str) -> str:
    """A chain of joints, each with its effort limit."""
    links = "".join(f'<link name="l{n}"/>' for n in range(len(efforts) + 1))
    joints = "".join(
        f'<joint name="j{n}" type="revolute"><parent link="l{n}"/><child link="l{n + 1}"/>'
        f'{AXIS}<limit lower="0" upper="1" effort="{effort}" velocity="1"/></joint>\n'
        for n, effort in enumerate(efforts)
    )
    return f'<robot name="r">{links}\n{joints}</robot>'


def rates(*efforts: str) -> list[tuple[Severity, str]]:
    return [(i.severity, i.message) for i in judge(chain(*efforts), Config(select=("J203",)))]


def test_zero_on_every_joint_means_unknown_and_is_said_once() -> None:
    (only,) = rates("0", "0", "0")
    assert only == (Severity.INFO, "effort limit is 0 on every joint; likewise 2 more: j1, j2")


def test_zero_on_some_joints_is_a_warning_for_them() -> None:
    (only,) = rates("0", "5", "0")
    assert only == (Severity.WARNING, "effort limit is 0; likewise 1 more: j2")


def test_negative_ones_are_never_merged() -> None:
    assert rates("-1", "-1") == [(Severity.WARNING, "effort limit -1 is negative")] * 2


DEGREES = {
    "radians": ('lower="-3" upper="3"', False),
    "just below two turns": (f'lower="0" upper="{4 * math.pi - 0.01}"', False),
    "degrees": ('lower="-90" upper="90"', True),
    "one bound": ('lower="0" upper="170"', True),
    "negative": ('lower="-170" upper="0"', True),
    "two full turns in degrees": ('lower="-360" upper="720"', True),
    "beyond": ('lower="0" upper="721"', False),
    "a multiple of pi": (f'lower="0" upper="{10 * math.pi}"', False),
    "a rounded multiple of pi": ('lower="0" upper="31.416"', False),
    "near one": ('lower="0" upper="31.42"', True),
}


@pytest.mark.parametrize(("bounds", "wrong"), DEGREES.values(), ids=DEGREES)
def test_degrees(bounds: str, *, wrong: bool) -> None:
    assert len(found("J204", limit(bounds))) == wrong
    for kind in ("prismatic", "continuous"):
        assert found("J204", limit(bounds), kind) == []


def test_degrees_are_said_in_turns_and_radians() -> None:
    (issue,) = found("J204", limit('lower="-90" upper="360"'))
    assert "360 rad is 57.3 turns" in issue.message
    assert "6.283 rad" in issue.message


PAST_PI = {
    "pi to four digits": ('lower="0" upper="3.1416"', "7.3e-06 rad beyond pi"),
    "negative": ('lower="-3.1416" upper="0"', "beyond -pi"),
    "half": ('lower="0" upper="1.571"', "0.0002 rad beyond pi/2"),
    "three halves": ('lower="0" upper="4.7124"', "beyond 3pi/2"),
    "two": ('lower="0" upper="6.2832"', "beyond 2pi"),
    "four": ('lower="0" upper="12.567"', "beyond 4pi"),
    "short of pi": ('lower="0" upper="3.1415"', None),
    "pi itself": (f'lower="0" upper="{math.pi!r}"', None),
    "eleven digits": ('lower="0" upper="3.1415926536"', None),
    "a round number": ('lower="0" upper="3.15"', None),
    "five": ('lower="0" upper="15.708"', None),
    "nothing": ('lower="0" upper="0.001"', None),
}


@pytest.mark.parametrize(("bounds", "message"), PAST_PI.values(), ids=PAST_PI)
def test_past_pi(bounds: str, message: str | None) -> None:
    issues = found("J207", limit(bounds))
    assert len(issues) == (message is not None)
    assert all(str(message) in issue.message for issue in issues)
    assert found("J207", limit(bounds), "prismatic") == []


def test_both_bounds_past_pi_are_one_issue_with_one_fix() -> None:
    (issue,) = found("J207", limit('lower="-3.1416" upper="1.5708"'))
    assert issue.fix is not None
    assert [edit.text for edit in issue.fix.edits] == ["-3.141592653589793", "1.570796326794896"]


SAFETY = '<safety_controller soft_lower_limit="{}" soft_upper_limit="{}" k_position="1" {}/>'


@pytest.mark.parametrize(
    ("lower", "upper", "gain", "count"),
    [
        ("-0.5", "0.5", 'k_velocity="1"', 0),
        ("-2", "0.5", 'k_velocity="1"', 1),
        ("-2", "2", 'k_velocity="1"', 2),
        ("-0.5", "0.5", 'k_velocity="0"', 1),
        ("-2", "0.5", 'k_velocity="0"', 2),
    ],
)
def test_soft_limits(lower: str, upper: str, gain: str, count: int) -> None:
    rest = limit('lower="-1" upper="1"') + SAFETY.format(lower, upper, gain)
    assert len(found("J208", rest)) == count


def test_a_missing_gain_is_the_readers_to_report() -> None:
    rest = limit('lower="-1" upper="1"') + SAFETY.format("-0.5", "0.5", "")
    issues = judge(joint(AXIS + rest), Config(ignore=("I",)))
    assert [issue.code.id for issue in issues] == ["X006"]


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ("", None),
        ('lower="0"', "lower is ignored"),
        ('upper="1"', "upper is ignored"),
        ('lower="0" upper="0"', "lower and upper are ignored"),
    ],
)
def test_bounds_of_a_wheel(bounds: str, message: str | None) -> None:
    issues = found("J213", limit(bounds), "continuous")
    assert len(issues) == (message is not None)
    assert all(str(message) in issue.message for issue in issues)


def test_what_a_fixed_joint_has_no_use_for() -> None:
    rest = limit('lower="0" upper="1"') + '<dynamics damping="1"/>'
    (issue,) = found("J214", rest, "fixed")
    assert "nothing reads its <limit> and <dynamics>" in issue.message
    assert found("J214", "", "fixed") == []
    assert found("J214", rest, "revolute") == []
