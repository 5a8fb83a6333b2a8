"""Expressions compute; none of them gets at Python behind the values."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.formats.xacro.guard import RefusedError, evaluate
from tests.formats.xacro.expanding import reading, robot, told

FINE = {
    "1 + 2 * 3": 7,
    "'a' + str(2)": "a2",
    "[x * 2 for x in (1, 2, 3) if x != 2]": [2, 6],
    "max(1, 5) if True else 0": 5,
    "{'a': 1}['a']": 1,
    "'left_{}'.format(3)": "left_3",
    "2 ** 10": 1024,
    "name.upper()": "ARM",
    "name.split('r')": ["a", "m"],
}


@pytest.mark.parametrize(("text", "value"), FINE.items())
def test_what_computes_is_computed(text: str, value: object) -> None:
    assert evaluate(text, {"name": "arm"}) == value


HOSTILE = [
    "().__class__",
    "[x.__class__ for x in [1]]",
    "(lambda: ().__class__)()",
    "__import__('os')",
    "(x for x in [1]).gi_frame.f_back.f_globals",
    "vars(str)",
    "type(1).mro()",
    "name.format_map({})",
    "'{0.__class__}'.format(1)",
    "10 ** 100000",
    "1 << 100000",
    "'a' * 2000000",
    "1" + "+1" * 20000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:20])
def test_what_reaches_further_is_refused(text: str) -> None:
    with pytest.raises((RefusedError, NameError)):
        evaluate(text, {"name": "arm", "vars": vars, "type": type})


@pytest.mark.parametrize("text", ["open('/etc/passwd')", "exec('1')", "eval('1')", "globals()"])
def test_functions_that_act_do_not_exist(text: str) -> None:
    with pytest.raises(NameError):
        evaluate(text, {})


@pytest.mark.parametrize(
    "expression",
    [
        "$(eval open('{path}', 'w'))",
        "$(eval exec('x'))",
        "${{[x.__class__ for x in [1]]}}",
        "${{python.vars(python.type)}}",
        "${{open('{path}', 'w')}}",
    ],
)
def test_no_file_of_a_robot_acts(tmp_path: Path, expression: str) -> None:
    made = tmp_path / "made"
    text = expression.format(path=made)
    found, issues = reading(tmp_path, robot(f'<link name="{text}"/>'))
    assert found.robot is None
    assert told(issues)[0].startswith("X014")
    assert not made.exists()
