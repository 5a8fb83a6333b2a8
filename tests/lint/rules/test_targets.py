"""Rules about consumers: F603, G501, G512 and the P family, and what each target changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phyzctl.config import TARGETS, Config
from phyzctl.formats import read
from phyzctl.issues import Issue, Issues, Severity
from phyzctl.lint.engine import lint, rules
from tests.corpus import robot_params
from tests.lint.support import applied, judge

yaml = pytest.importorskip("yaml")


def found(code: str, text: str, *target: str) -> list[Issue]:
    return judge(text, Config(select=(code,), target=target))


def test_every_rule_about_consumers_names_ones_that_exist() -> None:
    for rule in rules().values():
        assert rule.targets <= set(TARGETS)
        assert set(rule.raised) <= set(TARGETS)
        assert rule.default_on != bool(rule.targets) or not rule.default_on


def test_every_target_has_a_rule() -> None:
    for target in TARGETS:
        assert any(target in rule.targets or target in rule.raised for rule in rules().values())


# F603: what each consumer reads


def with_mesh(filename: str, element: str = "collision") -> str:
    shape = f'<geometry><mesh filename="package://p/{filename}"/></geometry>'
    return f'<robot name="r"><link name="a"><{element}>{shape}</{element}></link></robot>'


@pytest.mark.parametrize(
    ("filename", "targets", "readers"),
    [
        ("a.dae", (), None),
        ("a.dae", ("ros2", "gazebo", "pybullet"), None),
        ("a.dae", ("mujoco",), "mujoco"),
        ("a.dae", ("drake", "mujoco", "ros2"), "mujoco, drake"),
        ("a.STL", ("mujoco",), None),
        ("a.STL", ("drake",), "drake"),
        ("a.glb", ("pybullet", "gazebo"), "pybullet"),
        ("a.obj", TARGETS, None),
        ("a", TARGETS, None),
    ],
)
def test_formats_that_targets_read(
    filename: str, targets: tuple[str, ...], readers: str | None
) -> None:
    messages = [issue.message for issue in found("F603", with_mesh(filename), *targets)]
    if readers is None:
        assert messages == []
    else:
        (message,) = messages
        assert message.startswith(f"{readers} can't read .")


def test_what_nobody_reads_needs_no_target() -> None:
    (issue,) = found("F603", with_mesh("part.SLDPRT"))
    assert issue.message == "no program that reads robots reads .sldprt files"


def test_a_mesh_that_is_only_drawn_is_a_warning() -> None:
    for element, severity in (("visual", Severity.WARNING), ("collision", Severity.ERROR)):
        (issue,) = found("F603", with_mesh("a.dae", element), "mujoco")
        assert issue.severity is severity


# Severities that a target raises

RAISED = {
    "G501": (
        with_mesh('a.stl" scale="1 1 -1'),
        {"": "info", "ros2": "info", "usd": "warning", "gazebo": "warning"},
    ),
    "G512": (
        (
            '<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry>'
            '<material name="blue"/></visual></link></robot>'
        ),
        {"": "info", "moveit": "info", "drake": "error"},
    ),
    "N302": (
        (
            '<robot name="r"><link name="a"/><link name="b"/><joint name="b" type="fixed">'
            '<parent link="a"/><child link="b"/></joint></robot>'
        ),
        {"": "info", "usd": "warning", "gazebo": "warning"},
    ),
}


@pytest.mark.parametrize("code", RAISED)
def test_severities_by_target(code: str) -> None:
    text, expected = RAISED[code]
    for target, severity in expected.items():
        (issue,) = found(code, text, *filter(None, [target]))
        assert issue.severity.label == severity


# P801


def named(*links: str) -> str:
    tree = "".join(
        f'<link name="{name}"/><joint name="j{n}" type="fixed"><parent link="base"/>'
        f'<child link="{name}"/></joint>'
        for n, name in enumerate(links)
    )
    return f'<robot name="r"><link name="base"/>{tree}</robot>'


@pytest.mark.parametrize("name", ["a-b", "a b", "1st", "a.b", "a/b", "größe", "a:b"])
def test_names_that_are_no_identifiers(name: str) -> None:
    (issue,) = found("P801", named(name), "usd")
    assert issue.subject == f"link {name!r}"


@pytest.mark.parametrize("name", ["a", "A_1", "_x", "__"])
def test_identifiers(name: str) -> None:
    assert found("P801", named(name), "usd") == []


def test_names_are_listed_in_one_finding() -> None:
    (issue,) = found("P801", named("a-1", "a-2", "a-3"), "isaac")
    assert "likewise 2 more: a-2, a-3" in issue.message


def test_names_that_fall_together() -> None:
    (issue,) = found("P801", named("a_1", "a-1"), "usd")
    assert "becomes that of link 'a_1'" in issue.message
    assert len(issue.related) == 1


# P802: YAML itself is the oracle

SOUND = '<robot name="r">\n  <link name="a"/>\n</robot>\n'


def survives(text: str) -> bool:
    """Whether a YAML reader gives the text back as one string, blanks aside."""
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return False
    return isinstance(value, str) and "".join(value.split()) == "".join(text.split())


@given(st.text(alphabet="ab:#-. \t\n\r'\"[]{}&*!|>%@`,?", max_size=30))
@example("a: b")
@example("a :b")
@example("a #b")
@example("a\n---\nb")
@example("a\n...\nb")
@example("a\n----\nb")
@example("a:\nb")
@example("\t")
@settings(max_examples=300)
def test_comments_that_yaml_stumbles_over(comment: str) -> None:
    if "--" in comment or comment.endswith("-"):
        return  # XML forbids them in comments
    text = SOUND.replace("<link", f"<!-- {comment} -->\n  <link")
    assert bool(found("P802", text, "ros2")) != survives(text)


@given(st.text(alphabet="ab:# \t.-", max_size=12))
def test_values_that_yaml_stumbles_over(value: str) -> None:
    text = SOUND.replace('name="r"', f'name="r{value}"')
    assert bool(found("P802", text, "ros2")) != survives(text)


@given(st.text(alphabet="ab: \t\n", max_size=20))
def test_the_fix_makes_it_a_string_and_stays_xml(comment: str) -> None:
    text = SOUND.replace("<link", f"<!--{comment}-->\n\t<link")
    (issue,) = found("P802", text, "ros2")
    assert issue.fix is not None
    assert issue.fix.safe
    mended = applied(text, issue.fix.edits)
    assert survives(mended)
    assert found("P802", mended, "ros2") == []
    assert "X" not in {other.code.id[0] for other in judge(mended)}


def test_a_value_is_the_author_s_to_change() -> None:
    (issue,) = found("P802", SOUND.replace('"a"', '"a: b"'), "ros2")
    assert issue.fix is None


def test_our_own_comments_stay_understood() -> None:
    text = SOUND.replace("<link", "<!-- phyzctl: ignore[T401] on purpose -->\n  <link")
    (issue,) = found("P802", text, "ros2")
    assert issue.fix is not None
    assert "<!-- phyzctl:ignore[T401] on purpose -->" in applied(text, issue.fix.edits)


@pytest.mark.slow
@pytest.mark.parametrize("path", [*robot_params("s", "robot"), *robot_params("m", "robot")])
def test_yaml_agrees_on_published_robots(path: Path) -> None:
    issues = Issues()
    config = Config(select=("P802",), target=("ros2",))
    judged = lint(read(str(path), issues), issues, config)
    assert bool(judged) != survives(path.read_bytes().decode("utf-8"))


# P805, P806, P811, P812


def test_an_empty_root_that_is_called_world_is_the_world() -> None:
    text = named("arm")
    assert [issue.subject for issue in found("P805", text, "isaac")] == ["link 'base'"]
    assert found("P805", text.replace("base", "world"), "isaac") == []


TENSOR = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
HEAVY = f'<inertial><mass value="1"/>{TENSOR}</inertial>'


@pytest.mark.parametrize(("mass", "dropped"), [("0.0000001", True), ("0.1", False)])
def test_gazebo_drops_what_weighs_next_to_nothing(mass: str, *, dropped: bool) -> None:
    text = f"""<robot name="r"><link name="a">{HEAVY}</link>
      <link name="b">{HEAVY.replace('"1"', f'"{mass}"', 1)}</link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""
    assert bool(found("P806", text, "gazebo")) is dropped


def test_who_ignores_a_mimic_is_named() -> None:
    text = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
      <joint name="k" type="continuous"><parent link="a"/><child link="c"/>
        <mimic joint="j"/></joint>
      </robot>"""
    for targets, named_ones in (
        (("kdl",), "in KDL"),
        (("pybullet", "kdl", "ros2"), "in KDL, PyBullet"),
        ((), "in a continuous plant of Drake, KDL, MuJoCo before 3.17, PyBullet"),
    ):
        (issue,) = found("P812", text, *targets)
        assert issue.message.endswith(named_ones)
    assert judge(text, Config(ignore=("I", "J"), target=("ros2", "moveit"))) == []
