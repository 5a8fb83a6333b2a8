"""What the tests of the engine share: descriptions written inline, read and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.formats.format import Reading
from phyzctl.issues import Edit, Finding, Issue, Issues
from phyzctl.lint.context import Context
from phyzctl.lint.engine import lint
from phyzctl.lint.rule import Rule

PATH = "arm.urdf"

JOINT = """<robot name="r">
  <link name="base"/>
  <link name="arm"/>
  <joint name="hinge" type="{type}">
    <parent link="base"/>
    <child link="arm"/>
    {rest}
  </joint>
</robot>
"""
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
AXIS = '<axis xyz="0 0 1"/>'


def joint(rest: str = AXIS + LIMIT, kind: str = "revolute") -> str:
    """A robot of one joint, with what stands in it."""
    return JOINT.format(type=kind, rest=rest)


def read_text(text: str) -> tuple[Reading, Issues]:
    issues = Issues()
    return read_bytes(text.encode(), PATH, issues), issues


def judge(text: str, config: Config | None = None) -> list[Issue]:
    """All Issues of a description, kinematics-only models being welcome here."""
    reading, issues = read_text(text)
    return lint(reading, issues, config or Config(ignore=("I",)))


def codes_of(text: str, config: Config | None = None) -> list[str]:
    return [issue.code.id for issue in judge(text, config)]


def context_of(text: str, config: Config | None = None) -> Context:
    reading, _ = read_text(text)
    assert reading.robot is not None
    return Context(reading.robot, reading, config or Config())


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    """The text after byte edits, which must not overlap."""
    data = text.encode()
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data.decode()


def fixed(text: str, code: str) -> str:
    """The text after the fix of its one Issue of that code."""
    (issue,) = (issue for issue in judge(text, Config(select=(code,))))
    assert issue.fix is not None
    assert issue.fix.edits
    return applied(text, issue.fix.edits)


def rule_that(check: Callable[[Context], Iterator[Finding]], rule: Rule) -> Rule:
    """The rule with another check."""
    return Rule(rule.code, rule.module, check=check)
