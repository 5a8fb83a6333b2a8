"""Rules for mimic joints: J220 to J225."""

from __future__ import annotations

import pytest

from phyzctl.config import Config
from phyzctl.issues import Issue, Severity
from tests.lint.support import AXIS, judge

LEADER = 'lower="-1" upper="2"'


def hand(
    mimic: str,
    own: str = 'lower="-10" upper="10"',
    kinds: tuple[str, str] = ("revolute", "revolute"),
    leader: str = LEADER,
) -> str:
    """A palm with a thumb, which leads from -1 to 2, and a finger that follows it."""
    lead, follow = kinds
    return f"""<robot name="hand">
  <link name="palm"/><link name="thumb"/><link name="finger"/>
  <joint name="lead" type="{lead}">
    <parent link="palm"/><child link="thumb"/>{AXIS}
    <limit {leader} effort="1" velocity="1"/>
  </joint>
  <joint name="follow" type="{follow}">
    <parent link="palm"/><child link="finger"/>{AXIS}
    <limit {own} effort="1" velocity="1"/>
    <mimic {mimic}/>
  </joint>
</robot>
"""


def found(code: str, text: str) -> list[Issue]:
    return judge(text, Config(select=(code,)))


# mimic, own limits: what the follower is driven to, and how serious that is
DRIVEN = {
    "fits": ('joint="lead"', 'lower="-1" upper="2"', None),
    "doubled": ('joint="lead" multiplier="2"', 'lower="-2" upper="4"', None),
    "turned round": ('joint="lead" multiplier="-1"', 'lower="-2" upper="1"', None),
    "moved": ('joint="lead" offset="1"', 'lower="0" upper="3"', None),
    "half a percent beyond": ('joint="lead"', 'lower="-1" upper="1.985"', None),
    "two percent beyond": ('joint="lead"', 'lower="-1" upper="1.94"', Severity.INFO),
    "far beyond": ('joint="lead" multiplier="2"', 'lower="-1" upper="2"', Severity.WARNING),
    "wrong sign": ('joint="lead" multiplier="-1"', 'lower="-1" upper="2"', Severity.WARNING),
    "wrong offset": ('joint="lead" offset="3"', 'lower="-1" upper="2"', Severity.WARNING),
    "never moves": ('joint="lead" multiplier="0"', 'lower="1" upper="2"', None),
    "locked": ('joint="lead"', 'lower="0" upper="0"', None),
    "no limits written": ('joint="lead"', "", None),
}


@pytest.mark.parametrize(("mimic", "own", "severity"), DRIVEN.values(), ids=DRIVEN)
def test_driven_past_its_limits(mimic: str, own: str, severity: Severity | None) -> None:
    severities = [issue.severity for issue in found("J224", hand(mimic, own))]
    assert severities == ([severity] if severity is not None else [])


def test_the_message_says_where_it_is_driven() -> None:
    (issue,) = found("J224", hand('joint="lead" multiplier="-2" offset="1"', 'lower="0" upper="1"'))
    assert issue.message == "is driven from -3 to 3, its own limits are 0 to 1"


def test_a_wheel_has_no_limits_to_be_driven_past() -> None:
    bounds = 'lower="0" upper="1"'
    assert found("J224", hand('joint="lead"', bounds, ("revolute", "continuous"))) == []
    assert found("J224", hand('joint="lead"', bounds, ("continuous", "revolute"))) == []


def test_of_two_fixed_sides_one_is_worse() -> None:
    for kinds, severity in (
        (("fixed", "revolute"), Severity.ERROR),
        (("revolute", "fixed"), Severity.WARNING),
        (("fixed", "fixed"), Severity.WARNING),
    ):
        (issue,) = found("J222", hand('joint="lead"', kinds=kinds))
        assert issue.severity is severity
    assert found("J222", hand('joint="lead"')) == []


@pytest.mark.parametrize(("multiplier", "count"), [("0", 1), ("-0.0", 1), ("1e-9", 0), ("1", 0)])
def test_multiplier_zero(multiplier: str, count: int) -> None:
    issues = found("J223", hand(f'joint="lead" multiplier="{multiplier}"'))
    assert len(issues) == count


def test_a_multiplier_that_nobody_can_read_is_not_zero() -> None:
    issues = judge(hand('joint="lead" multiplier="O"'), Config(ignore=("I",)))
    assert [issue.code.id for issue in issues] == ["X010"]


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        (("revolute", "revolute"), 0),
        (("revolute", "continuous"), 1),
        (("continuous", "revolute"), 1),
        (("continuous", "continuous"), 0),
        (("revolute", "prismatic"), 0),
    ],
)
def test_types_of_a_pair(kinds: tuple[str, str], count: int) -> None:
    assert len(found("J225", hand('joint="lead"', kinds=kinds))) == count


def test_an_unknown_leader_is_one_issue_at_its_name() -> None:
    (issue,) = judge(hand('joint="laed" multiplier="0"'), Config(ignore=("I",)))
    assert issue.code.id == "J220"
    assert "did you mean 'lead'" in issue.message
    assert issue.source is not None
    assert (issue.source.line, issue.source.column) == (10, 12)


def test_a_circle_is_one_issue_and_its_joints_are_judged_by_no_other_rule() -> None:
    (issue,) = judge(hand('joint="follow"'), Config(ignore=("I",)))
    assert issue.code.id == "J221"
    assert "follow -> follow" in issue.message
