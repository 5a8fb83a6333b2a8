"""What the engine does with findings: stamps, orders, condemns, and never hides our own bugs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.formats.format import Reading
from phyzctl.issues import Code, Finding, Issues, Severity
from phyzctl.lint import engine
from phyzctl.lint.context import Context
from phyzctl.lint.engine import lint, subject_of
from phyzctl.lint.rule import Rule
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Inertial, Joint, JointKind, JointLimit, Link
from tests.lint.support import AXIS, LIMIT, PATH, codes_of, joint, judge, read_text

BAD_LIMIT = LIMIT.replace('lower="-1"', 'lower="2"')


def test_an_issue_points_at_the_attribute_from_its_name_to_its_closing_quote() -> None:
    text = joint(AXIS + BAD_LIMIT)
    (issue,) = judge(text)
    place = issue.source
    assert place is not None
    line = text.splitlines()[6]
    assert (place.path, place.line) == (PATH, 7)
    assert place.column is not None
    assert place.end_column is not None
    assert line[place.column - 1 : place.end_column - 1] == 'lower="2"'
    assert issue.subject == "joint 'hinge'"
    assert issue.severity is Severity.ERROR


def test_what_is_not_written_is_pointed_at_by_the_nearest_element_that_is() -> None:
    (issue,) = judge(joint(AXIS))
    assert issue.code.id == "J200"
    assert issue.source is not None
    assert (issue.source.line, issue.source.column) == (4, 3)
    assert issue.source.end_column is None


def test_order_is_severity_then_place() -> None:
    text = joint('<axis xyz="0 0 2"/>' + BAD_LIMIT + '<dynamics damping="-1"/>')
    assert codes_of(text) == ["J201", "J215", "J210"]


def test_issues_of_the_builder_are_placed_at_the_attribute() -> None:
    (issue,) = judge(joint().replace('<child link="arm"/>', '<child link="amr"/>'))
    assert issue.code.id == "T404"
    assert issue.source is not None
    assert issue.attribute is None
    assert (issue.source.line, issue.source.column) == (6, 12)


def test_an_issue_without_a_place_stands_at_the_root() -> None:
    (issue,) = judge('<robot name="r">\n</robot>')
    assert issue.source is not None
    assert (issue.source.line, issue.source.column) == (1, 1)


def test_equal_issues_count_once() -> None:
    reading, issues = read_text(joint().replace('link="arm"/>', 'link="amr"/>'))
    doubled = Issues([*issues, *issues])
    assert len(lint(reading, doubled, Config(ignore=("I",)))) == 1


def test_a_robot_built_in_code_is_judged_without_documents() -> None:
    limit = JointLimit(2.0, 1.0, 1.0, 1.0)
    builder = RobotBuilder("r").link(Link("base"))
    builder.joint(Joint("hinge", JointKind.REVOLUTE, "base", "arm", limit=limit))
    found = lint(Reading(builder.build(Issues())), [], Config(ignore=("I",)))
    assert [(issue.code.id, issue.source) for issue in found] == [("J201", None)]


def test_without_a_robot_only_the_readers_issues_come_through() -> None:
    assert codes_of("<robot><link></robot>") == ["X001"]


def test_a_rule_that_throws_is_our_bug_and_is_not_swallowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check(context: Context) -> Iterator[Finding]:
        raise ZeroDivisionError

    rule = Rule(Code("J299", "throws", Severity.INFO), __name__, check=check)
    monkeypatch.setattr(engine, "rules", lambda: {"J299": rule})
    monkeypatch.setattr(engine, "checked_rules", lambda: [rule])
    with pytest.raises(ZeroDivisionError):
        codes_of(joint(), Config())


def test_a_tolerance_of_the_configuration_holds() -> None:
    text = joint('<axis xyz="0 0 1.05"/>' + LIMIT)
    assert codes_of(text) == ["J210"]
    assert codes_of(text, Config(ignore=("I",), tolerances={"axis-length": 0.1})) == []


def test_an_unknown_tolerance_is_misuse() -> None:
    with pytest.raises(PhyzctlError, match="no tolerance is called 'axis-lenth'; did you mean"):
        codes_of(joint(), Config(tolerances={"axis-lenth": 0.1}))


def test_parts_without_a_name_go_by_their_links_name() -> None:
    geom, inertial = Geom(None), Inertial(1.0)
    builder = RobotBuilder("r").link(Link("arm", inertial=inertial, geoms=(geom,)))
    robot = builder.build(Issues())
    assert subject_of(geom, robot) == "link 'arm'"
    assert subject_of(inertial, robot) == "link 'arm'"
    assert subject_of(Geom(None), robot) is None


# What is said once: the mistake, and the one Issue it must make.
ONE_MISTAKE = {
    "a bound that can't be read is not 0": (AXIS + LIMIT.replace('"1"', '"-l"', 1), "X010"),
    "nor is one with a comma": (AXIS + LIMIT.replace('"-1"', '"1,5"'), "X011"),
    "an axis that can't be read is not zero": ('<axis xyz="a b c"/>' + LIMIT, "X010"),
    "a damping that is no number": (AXIS + LIMIT + '<dynamics damping="nan"/>', "X012"),
    "a mimic that names a macro": (AXIS + LIMIT + '<mimic joint="${lead}"/>', "X013"),
    "a missing limit is not also a locked one": (AXIS, "J200"),
    "inverted limits are not also degrees": (
        AXIS + LIMIT.replace('lower="-1" upper="1"', 'lower="90" upper="-90"'),
        "J201",
    ),
}


@pytest.mark.parametrize(("rest", "code"), ONE_MISTAKE.values(), ids=ONE_MISTAKE)
def test_one_mistake_makes_one_issue(rest: str, code: str) -> None:
    assert codes_of(joint(rest)) == [code]


def test_several_mistakes_of_one_joint_are_all_found() -> None:
    rest = '<axis xyz="0 0 0"/>' + BAD_LIMIT + '<dynamics damping="-1" friction="-2"/>'
    assert sorted(codes_of(joint(rest))) == ["J201", "J211", "J215", "J215"]


def test_nothing_else_is_said_of_a_joint_of_unknown_type() -> None:
    assert codes_of(joint('<axis xyz="0 0 0"/>', kind="hinge")) == ["T405"]
    assert codes_of(joint('<axis xyz="0 0 0"/>', kind="REVOLUTE")) == ["T405"]
