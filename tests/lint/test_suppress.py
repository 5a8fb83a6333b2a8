"""Comments in the file that call an Issue intended."""

from __future__ import annotations

import pytest

from phyzctl.config import Config
from phyzctl.formats.xmltree import parse
from phyzctl.issues import Issue, Issues
from phyzctl.lint.engine import rules
from phyzctl.lint.suppress import Suppressions
from tests.lint.support import LIMIT, codes_of, joint, judge

CALM = Config(ignore=("I",))
AXIS = '<axis xyz="0 0 2"/>'  # J210
IGNORE = "<!-- phyzctl: ignore[J210] scaled on purpose -->"

# Where a comment stands that speaks of the axis.
COVERING = {
    "on the line before": f"{IGNORE}\n    {AXIS}\n    {LIMIT}",
    "lines before, behind another comment": f"{IGNORE}\n\n  <!-- the axis -->\n    {AXIS}{LIMIT}",
    "behind it on its line": f"{AXIS} {IGNORE}\n    {LIMIT}",
    "before it on its line": f"{LIMIT}\n {IGNORE} {AXIS}",
    "at the end of the element around": f"{AXIS}\n    {LIMIT}\n    {IGNORE}",
    "within": f'<axis xyz="0 0 2">\n{IGNORE}\n</axis>{LIMIT}',
    "several codes": f"{LIMIT}\n <!-- phyzctl: ignore[J210, axis-not-unit] -->\n {AXIS}",
    "a prefix": f"<!--phyzctl:ignore[J2]-->\n{AXIS}\n{LIMIT}",
    "a name": f"<!-- phyzctl: ignore[axis-not-unit] -->\n{AXIS}\n{LIMIT}",
    "behind the last line of an element": f'<axis\n  xyz="0 0 2"/> {IGNORE}\n{LIMIT}',
}


@pytest.mark.parametrize("rest", COVERING.values(), ids=COVERING)
def test_a_comment_suppresses(rest: str) -> None:
    assert codes_of(joint(rest)) == []


def test_before_the_joint_and_at_its_start_tag() -> None:
    text = joint(AXIS + LIMIT)
    assert codes_of(text.replace("  <joint", f"  {IGNORE}\n  <joint")) == []
    assert codes_of(text.replace('"revolute">', f'"revolute"> {IGNORE}')) == []


NOT_COVERING = {
    "behind another element": f"{LIMIT} {IGNORE}\n    {AXIS}",
    "before another element": f"{AXIS}\n    {IGNORE}\n    {LIMIT}",
    "another code": f"{LIMIT}\n<!-- phyzctl: ignore[J211] -->\n{AXIS}",
    "in another element": f"{AXIS}\n<limit{LIMIT[6:-2]}>\n{IGNORE}\n</limit>",
}


@pytest.mark.parametrize("rest", NOT_COVERING.values(), ids=NOT_COVERING)
def test_a_comment_elsewhere_suppresses_nothing_and_is_reported(rest: str) -> None:
    found = judge(joint(rest))
    assert [issue.code.id for issue in found] == ["J210", "X090"]
    place = found[1].source
    assert place is not None
    assert "<!--" in joint(rest).splitlines()[(place.line or 0) - 1][(place.column or 0) - 1 :]


def test_a_comment_at_top_level_does_not_speak_of_all_that_is_there() -> None:
    text = joint(AXIS + LIMIT)
    before, behind = (
        text.replace("  <link", f"  {IGNORE}\n  <link", 1),
        text.replace("</robot>", f"{IGNORE}\n</robot>"),
    )
    for commented in (before, behind):
        assert codes_of(commented) == ["J210", "X090"]


NESTED = """<mujoco>
  <worldbody>
    <body name="upper">
      <!-- phyzctl: ignore[J210] -->
      <joint name="one"/>
      <body name="lower">
        <joint name="two"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def test_a_body_within_a_body_is_not_meant() -> None:
    document = parse(NESTED.encode(), "arm.xml", Issues())
    suppressions = Suppressions({"arm.xml": document}, rules())
    assert document.root is not None
    joints = {node.get("name"): node for node in document.root.iter() if node.tag == "joint"}
    code = rules()["J210"].code
    found = {n: Issue(code, code.severity, "", node.source) for n, node in joints.items()}
    assert suppressions.cover(found["one"])
    assert not suppressions.cover(found["two"])


def test_ignore_file_speaks_of_the_whole_file() -> None:
    text = joint(AXIS + LIMIT)
    for place in ("<robot", "</robot>"):
        comment = "<!-- phyzctl: ignore-file[J210] all scaled -->\n"
        assert codes_of(text.replace(place, comment + place)) == []


def test_readers_issues_are_suppressed_too() -> None:
    rest = f'{LIMIT}\n<!-- phyzctl: ignore[X011] -->\n<axis xyz="0 0 1,0"/>'
    assert codes_of(joint(rest)) == []


def test_each_unused_part_is_named() -> None:
    comment = "<!-- phyzctl: ignore[J210, J211, T, limit-inverte] -->"
    found = [i.message for i in judge(joint(f"{comment}\n{AXIS}{LIMIT}")) if i.code.id == "X090"]
    assert [m.split(" ")[0] for m in found] == ["ignore[J211]", "ignore[T]", "no"]
    assert "did you mean 'limit-inverted'" in found[2]


@pytest.mark.parametrize("text", ["phyzctl: ignore", "phyzctl: ignore[]", "phyzctl: ignroe[J210]"])
def test_a_comment_that_is_not_understood_is_reported(text: str) -> None:
    (axis, unused) = judge(joint(f"<!-- {text} -->\n{AXIS}{LIMIT}"))
    assert (axis.code.id, unused.code.id) == ("J210", "X090")
    assert "names no rule" in unused.message


def test_other_comments_are_left_alone() -> None:
    assert codes_of(joint(f"<!-- phyzctl is nice; ignore[J210] -->\n{AXIS}{LIMIT}")) == ["J210"]


def test_what_a_run_does_not_look_for_is_not_unused() -> None:
    text = joint(f"<!-- phyzctl: ignore[J211] -->\n<axis xyz='0 0 1'/>{LIMIT}")
    assert codes_of(text, Config(ignore=("I",))) == ["X090"]
    assert codes_of(text, Config(ignore=("I", "J"))) == []
    assert codes_of(text, Config(select=("J201", "X090"))) == []


def test_unused_comments_can_be_switched_off() -> None:
    text = joint(f"<!-- phyzctl: ignore[J211] -->\n<axis xyz='0 0 1'/>{LIMIT}")
    assert codes_of(text, Config(ignore=("I", "X090"))) == []
