"""What a fix does to a file: the Issue is gone, nothing new appears, no other byte changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.issues import Edit, Issue, Issues
from phyzctl.lint.engine import lint
from tests.lint.support import AXIS, LIMIT, fixed, joint
from tests.lint.test_cases import cases, config_of, issues_of

BAD = [path for path in cases("bad") if path.suffix == ".urdf"]


def apply(data: bytes, edits: tuple[Edit, ...]) -> bytes:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data


def judge(data: bytes, path: Path) -> list[Issue]:
    issues = Issues()
    return lint(read_bytes(data, str(path), issues), issues, config_of(path))


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_what_a_fix_mends_is_gone_and_nothing_new_appears(path: Path) -> None:
    data = path.read_bytes()
    before = issues_of(path)
    for issue in before:
        if issue.fix is None or not issue.fix.edits:
            continue
        after = judge(apply(data, issue.fix.edits), path)
        remaining = [(other.code.id, other.message) for other in after]
        assert (issue.code.id, issue.message) not in remaining
        assert {code for code, _ in remaining} <= {other.code.id for other in before}


def limited(bounds: str) -> str:
    return joint(f'{AXIS}<limit {bounds} effort="1" velocity="1"/>')


# code: text, and what the fix makes of it
FIXES = {
    "J201": (limited('lower="1e0" upper="-1"'), limited('lower="-1" upper="1e0"')),
    "J204": (
        limited('lower="-90" upper="180"'),
        limited('lower="-1.5707963267948966" upper="3.141592653589793"'),
    ),
    "J207": (
        limited('lower="-3.1416" upper="3.1416"'),
        limited('lower="-3.141592653589793" upper="3.141592653589793"'),
    ),
    "J210": (
        joint(f'<axis xyz="0 -0.01 0"/>{LIMIT}'),
        joint(f'<axis xyz="0 -1 0"/>{LIMIT}'),
    ),
    "J212": (joint(LIMIT), joint(f'{LIMIT}\n    <axis xyz="1 0 0"/>')),
    "J213": (
        joint(f"{AXIS}{LIMIT}", "continuous"),
        joint(f'{AXIS}<limit effort="1" velocity="1"/>', "continuous"),
    ),
    "J214": (
        joint(f'{AXIS}\n    {LIMIT}\n    <dynamics damping="1"/>', "fixed"),
        joint(AXIS, "fixed"),
    ),
    "J206": (
        joint(f'{AXIS}{LIMIT}<origin rpy="0 0 90"/>'),
        joint(f'{AXIS}{LIMIT}<origin rpy="0 0 1.5707963267948966"/>'),
    ),
    "A701": (
        joint().replace("</robot>", '<ros2_control><joint name="hinges"/></ros2_control></robot>'),
        joint().replace("</robot>", '<ros2_control><joint name="hinge"/></ros2_control></robot>'),
    ),
}


@pytest.mark.parametrize("code", FIXES)
def test_a_fix_writes_what_it_says_and_leaves_every_other_byte(code: str) -> None:
    text, wanted = FIXES[code]
    assert fixed(text, code) == wanted


SAFE = {"J207", "J210", "J212", "J213", "J214", "X007"}
UNSAFE = {"J201", "J204", "J206", "J209", "N305", "A701"}


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_only_what_every_consumer_reads_alike_is_safe(path: Path) -> None:
    for issue in issues_of(path):
        if issue.fix is not None and issue.code.id in SAFE | UNSAFE:
            differs = issue.code.id == "X007" and "differs" in issue.message
            assert issue.fix.safe is (issue.code.id in SAFE and not differs)


def test_no_fix_is_guessed_between_two_names() -> None:
    text = joint().replace('name="base"', 'name="arn"').replace('link="base"', 'link="arn"')
    text = text.replace("</robot>", '<gazebo reference="ar"/></robot>')
    issues = Issues()
    (found,) = lint(read_bytes(text.encode(), "a.urdf", issues), issues, Config(select=("N305",)))
    assert found.fix is None
