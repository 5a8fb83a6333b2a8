"""The lexical checker: each mistake once, at its place; and URDF's own table."""

from __future__ import annotations

import json
import os
import time
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.formats.grammar import Grammar
from phyzctl.formats.grammarrules import FREE
from phyzctl.formats.nearmiss import MAX_SEARCHES, NearMisses, edit_distance
from phyzctl.formats.xmltree import Document, parse
from phyzctl.issues import Issue, Issues, Severity

REPOSITORY = Path(__file__).parents[2]
URDF = Grammar.load("urdf")

TABLE: dict[str, Any] = {
    "roots": {"robot": "robot"},
    "versions": ["1.0", "2.0"],
    "everywhere": {"include": "* free"},
    "elements": {
        "robot": {
            "attributes": {"name": "!", "version": ""},
            "children": {"link": "+", "joint": "*", "tool": "? info"},
        },
        "link": {
            "attributes": {"name": "! warning", "mass": "! insert 0", "drag": "! insert 0"},
            "children": {"joint": "? inner", "note": "* text", "extra": "*", "shape": "?"},
        },
        "joint": {"attributes": {"kind": "", "selfcollide": ""}},
        "inner": {"attributes": {"other": "!"}},
        "text": {"text": True},
        "tool": {},
        "extra": {"open": True, "attributes": {"reference": ""}, "children": {"param": "*"}},
        "param": {},
        "shape": {"single": True, "children": {"box": "? free", "ball": "? free"}},
    },
}
GOOD = "<link name='a' mass='1' drag='0'/>"


def check(text: str, grammar: Grammar | None = None) -> tuple[Document, list[Issue]]:
    reading, issues = Issues(), Issues()
    document = parse(text.encode(), "f", reading)
    assert list(reading) == []
    (grammar or Grammar(TABLE)).check(document, issues)
    return document, list(issues)


def inside(text: str) -> str:
    return f"<robot name='r'>\n{GOOD}\n{text}</robot>"


def found(issues: list[Issue]) -> list[tuple[str, int | None, int | None]]:
    return [
        (issue.code.id, issue.source.line, issue.source.column) for issue in issues if issue.source
    ]


def fixed(document: Document, issue: Issue) -> str:
    assert issue.fix is not None
    assert not issue.fix.safe
    data = document.data
    for edit in reversed(issue.fix.edits):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data.decode()


CLEAN = [
    GOOD,
    "<joint kind='x'/><joint/>",
    "<link name='b' mass='1' drag='2'><joint other='1'/><note>text</note></link>",
    "<link name='b' mass='1' drag='2'><extra what='1'>x<ever/><any><thing/>y</any></extra></link>",
    "<include anything='1'><x/>text</include>",
    "<link name='b' mass='1' drag='2'><include/><include/></link>",
    "<drake:link colour='red'/><joint drake:kind='x' xmlns:drake='y' xml:lang='en' xmlns='z'/>",
    "<link name='b' mass='1' drag='2'><shape><box junk='1'/></shape></link>",
    "<!-- text --> <?pi text?> <joint>  \n </joint>",
    "<tool/>",
]


@pytest.mark.parametrize("text", CLEAN)
def test_nothing_to_report(text: str) -> None:
    assert check(inside(text))[1] == []


MISTAKES = [
    # text, code, column in line 3, severity, a piece of the message
    ("<lnik name='b' mass='1' drag='2'/>", "X003", 1, "warning", "'link'"),
    ("<Link name='b' mass='1' drag='2'/>", "X003", 1, "warning", "'link'"),
    ("<joint knid='x'/>", "X003", 8, "warning", "'kind'"),
    ("<joint  KIND='x'/>", "X003", 9, "warning", "'kind'"),
    ("<joint self_collide='x'/>", "X003", 8, "warning", "'selfcollide'"),
    ("<joint kind='x' knd='y'/>", "X004", 17, "info", "'knd'"),  # it is there already
    ("<colour/>", "X004", 1, "info", "<colour>"),
    ("<joint colour='red'/>", "X004", 8, "info", "'colour'"),
    ("<tool/><tool/>", "X005", 8, "info", "2 <tool>"),
    ("<tool/><tool/><tool/>", "X005", 8, "info", "3 <tool>"),
    ("<link mass='1' drag='2'/>", "X006", 1, "warning", "'name'"),
    ("<link name='b' mass='1'/>", "X006", 1, "error", "'drag'"),
    ("<link/>", "X006", 1, "error", "'name', 'mass', 'drag'"),
    ("<joint> stray <!-- x --> text </joint>", "X009", 9, "warning", "stray"),
    ("<joint><!-- a --><?b c?>\tstray</joint>", "X009", 26, "warning", "stray"),
    ("<xacro:macro/>", "X013", 1, "error", "xacro"),
    ("<joint/><xacro:if><joint/></xacro:if><xacro:x/>", "X013", 9, "error", "xacro"),
    ("<link name='b' mass='1' drag='2'><shape><box/><ball/></shape></link>",
     "X005", 47, "error", "<shape> has 2 elements"),
    ("<link name='b' mass='1' drag='2'><shape><box/><box/></shape></link>",
     "X005", 47, "error", "2 <box>"),
    ("<link name='b' mass='1' drag='2'><extra referense='1'/></link>",
     "X003", 41, "warning", "'reference'"),
    ("<link name='b' mass='1' drag='2'><extra><parm/></extra></link>",
     "X003", 41, "warning", "'param'"),
    ("<link name='b' mass='1' drag='2'><joint/></link>", "X006", 34, "error", "'other'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "column", "severity", "words"), MISTAKES)
def test_one_mistake_is_one_issue(
    text: str, code: str, column: int, severity: str, words: str
) -> None:
    _, issues = check(inside(text))
    assert found(issues) == [(code, 3, column)]
    assert issues[0].severity.label == severity
    assert words in issues[0].message


def test_a_missing_child_points_at_its_parent() -> None:
    _, issues = check("<robot name='r'/>")
    assert found(issues) == [("X006", 1, 1)]
    assert "<link>" in issues[0].message


def test_a_misspelt_name_is_not_also_missing() -> None:
    for text in ("<robot nmae='r'>" + GOOD + "</robot>", "<robot name='r'><lnik/></robot>"):
        _, issues = check(text)
        assert [issue.code.id for issue in issues] == ["X003"]


def test_a_misspelt_name_that_is_required_is_an_error() -> None:
    for text in (f"<robot nmae='r'>{GOOD}</robot>", "<robot name='r'><lnik/></robot>"):
        _, (issue,) = check(text)
        assert issue.severity is Severity.ERROR
    _, (issue,) = check(inside("<link nam='b' mass='1' drag='1'/>"))
    assert issue.severity is Severity.WARNING


def test_a_repetition_points_back_at_the_first() -> None:
    _, (issue,) = check(inside("<tool/>\n<tool/>"))
    (related,) = issue.related
    assert related.source is not None
    assert (related.source.line, issue.source and issue.source.line) == (3, 4)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("<lnik a='lnik'><lnik/></lnik >", "<link a='lnik'><lnik/></link >"),
        ("<lnik/>", "<link/>"),
        ("<joint  knid = 'knid'/>", "<joint  kind = 'knid'/>"),
        ("<link name='b'/>", '<link name=\'b\' mass="0" drag="0"/>'),
        ("<link name='b' mass='1'\n ></link>", "<link name='b' mass='1' drag=\"0\"\n ></link>"),
    ],
)
def test_fixes(text: str, repaired: str) -> None:
    document, (issue,) = check(inside(text))
    assert fixed(document, issue) == inside(repaired)


def test_no_fix_where_a_missing_value_is_not_known() -> None:
    _, (issue,) = check(inside("<link mass='1'/>"))
    assert issue.fix is None


@pytest.mark.parametrize(("version", "reported"), [("1.0", 0), ("2.0", 0), ("1", 1), ("9.0", 1)])
def test_versions(version: str, reported: int) -> None:
    _, issues = check(f"<robot name='r'\n version='{version}'>{GOOD}</robot>")
    assert found(issues) == [("X020", 2, 2)] * reported


def test_a_table_can_make_unknown_names_errors() -> None:
    strict = Grammar({**TABLE, "unknown": "error"})
    _, issues = check(inside("<colour/><joint knid='x'/>"), strict)
    assert [issue.severity for issue in issues] == [Severity.ERROR, Severity.ERROR]


def test_other_roots_are_left_alone() -> None:
    assert check("<mujoco><x/></mujoco>")[1] == []


def test_another_tree_can_be_checked() -> None:
    document, _ = check(inside(""))
    other, _ = check("<robot/>")
    issues = Issues()
    Grammar(TABLE).check(document, issues, root=other.root)
    assert [issue.code.id for issue in issues] == ["X006", "X006"]


def test_an_unknown_format_is_misuse() -> None:
    with pytest.raises(PhyzctlError, match="urdf or mjcf"):
        Grammar.load("sdf")


def test_an_element_of_nothing_but_unknown_attributes_ends_in_time() -> None:
    attributes = " ".join(f"a{i}=''" for i in range(50_000))
    begin = time.process_time()
    _, issues = check(inside(f"<joint {attributes}/>"))
    assert time.process_time() - begin < 5.0
    assert len(issues) == 21
    assert "49980 further attributes" in issues[-1].message


def test_long_names_are_cut() -> None:
    _, issues = check(inside(f"<{'x' * 9999} {'y' * 9999}=''/><joint {'z' * 9999}=''/>"))
    assert len(issues) == 2
    assert all(len(issue.message) < 200 for issue in issues)


def test_a_file_of_nothing_but_slips_ends_in_time() -> None:
    slips = "".join(f"<link{i:034d}/>" for i in range(20_000))
    begin = time.process_time()
    _, issues = check(inside(slips))
    assert time.process_time() - begin < 5.0
    assert len(issues) == 20_000


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [("", "", 0), ("a", "", 1), ("uper", "upper", 1), ("lnik", "link", 1), ("kitten", "sitting", 3),
     ("ca", "abc", 3), ("colision", "collision", 1), ("abcd", "badc", 2), ("same", "same", 0)],
)  # fmt: skip
def test_edit_distance(first: str, second: str, distance: int) -> None:
    assert edit_distance(first, second, 5) == distance
    assert edit_distance(second, first, 5) == distance
    assert edit_distance(first, second, 1) == min(distance, 2)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("uper", "upper"), ("Lower", "lower"), ("velocty", "velocity"), ("xy", None), ("xyx", "xyz"),
     ("rpz", "rpy"), ("k-position", "k_position"), ("kp", None), ("gear_velocity", None)],
)  # fmt: skip
def test_near_misses(name: str, meant: str | None) -> None:
    known = ("upper", "lower", "velocity", "xyz", "rpy", "k_position", "kd")
    assert NearMisses().find(name, known) == meant


def test_searches_are_capped() -> None:
    near = NearMisses()
    for i in range(MAX_SEARCHES):
        near.find(f"{i}", ("link",))
    assert near.find("lnik", ("link",)) is None


def test_every_type_of_every_table_is_there() -> None:
    for folder in resources.files("phyzctl.formats").iterdir():
        file = folder.joinpath("grammar.json")
        if not file.is_file():
            continue
        grammar = Grammar(json.loads(file.read_text(encoding="utf-8")))
        reached = set(grammar.roots.values())
        for kind in grammar.types:
            rule = grammar.rule(kind)
            children = {child.type for child in rule.children.values()}
            assert children - {FREE} <= set(grammar.types), (folder, kind)
            reached |= children
        assert set(grammar.types) <= reached, (folder, "types that nothing uses")


CASES = REPOSITORY / "sample_robots" / "broken"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.urdf")), ids=lambda path: path.name)
def test_broken_samples(path: Path) -> None:
    """Those named after a code of this layer have that one, the others none."""
    reading = Issues()
    document = parse(path.read_bytes(), "f", reading)
    issues = Issues()
    URDF.check(document, issues)
    code = path.name[:4]
    mine = code in ("X003", "X005", "X006", "X009", "X020")
    reported = [issue.code.id for issue in issues if issue.code.id != "X004"]
    if code != "X013":
        assert reported == [code] * mine


def _urdf_files() -> list[Path]:
    roots = [REPOSITORY / "sample_robots", REPOSITORY / ".corpus/s"]
    files = [path for root in roots for path in root.rglob("*.urdf")]
    return sorted(path for path in files if path.parent.name != "broken")


@pytest.mark.parametrize("path", _urdf_files(), ids=lambda path: os.path.relpath(path, REPOSITORY))
def test_real_robots_have_no_slips(path: Path) -> None:
    document = parse(path.read_bytes(), str(path), Issues())
    issues = Issues()
    URDF.check(document, issues)
    macro = document.root is not None and document.root.get("name") is None
    expected = {"X006"} if macro else set()
    assert {issue.code.id for issue in issues if issue.code.id != "X004"} == expected


ROBOT = """<robot name="r" version="1.2" xmlns:drake="x">
<material name="m"><color rgba="1 0 0 1"/><texture filename="t.png"/></material>
<link name="a"><inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="1"/>
 <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
 <visual name="v"><origin quat_xyzw="0 0 0 1"/><geometry><capsule radius="1" length="1"/></geometry>
  <material name="m"/></visual>
 <collision><geometry><mesh filename="x.stl" scale="1 1 1"/></geometry><drake:x/></collision>
 <contact><lateral_friction value="1"/></contact><self_collision_checking/></link>
<link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
 <limit lower="0" upper="1" effort="1" velocity="1" acceleration="1" deceleration="1" jerk="1"/>
 <calibration rising="0"/><dynamics damping="1" friction="0"/>
 <safety_controller soft_lower_limit="0" soft_upper_limit="1" k_position="1" k_velocity="1"/>
 <mimic joint="k" multiplier="1" offset="0"/></joint>
<gazebo reference="a"><mu1>1</mu1><selfCollide>true</selfCollide></gazebo>
<transmission name="t"><type>x/Simple</type><joint name="j"><hardwareInterface>E</hardwareInterface>
 </joint><actuator name="m"><mechanicalReduction>1</mechanicalReduction></actuator></transmission>
<ros2_control name="c" type="system"><hardware><plugin>p</plugin><param name="x"/></hardware>
 <joint name="j"><command_interface name="position"><param name="min">0</param></command_interface>
 </joint></ros2_control>
<mujoco><compiler meshdir="."/></mujoco><sensor name="s"><x/>text</sensor>
</robot>"""

URDF_MISTAKES = [
    ("<collision>", "<colision>", "X003"),
    ('upper="1"', 'uper="1"', "X003"),
    ('<mass value="1"/>', '<mass vlaue="1"/>', "X003"),
    ('<gazebo reference="a">', '<gazebo refrence="a">', "X003"),
    ("<command_interface", "<comand_interface", "X003"),
    ("<self_collision_checking/>", "<self_collision_cheking/>", "X003"),
    ('<link name="b"/>', '<link name="b"/><wheel/>', "X004"),
    ('<mass value="1"/>', '<mass value="1"/><mass value="2"/>', "X005"),
    ('<capsule radius="1" length="1"/>', '<sphere radius="1"/><box size="1 1 1"/>', "X005"),
    ('<material name="m"/></visual>', '<material name="m"/><material name="n"/></visual>', "X005"),
    ('<mass value="1"/>', "", "X006"),
    ('<mass value="1"/>', "<mass/>", "X006"),
    ('ixy="0" ixz="0"', "", "X006"),
    ('<parent link="a"/>', "", "X006"),
    ('type="revolute"', "", "X006"),
    ('effort="1"', "", "X006"),
    ('filename="x.stl"', "", "X006"),
    ('name="r"', "", "X006"),
    ('<link name="b"/>', '<link name="b">x</link>', "X009"),
    ('version="1.2"', 'version="3"', "X020"),
]


def test_a_urdf_with_everything() -> None:
    assert check(ROBOT, URDF)[1] == []


@pytest.mark.parametrize(("right", "wrong", "code"), URDF_MISTAKES)
def test_urdf_mistakes(right: str, wrong: str, code: str) -> None:
    assert right in ROBOT
    text = ROBOT.replace(right, wrong, 1)
    if right == "<collision>":
        text = text.replace("</collision>", "</colision>")
    if right == "<command_interface":
        text = text.replace("</command_interface", "</comand_interface")
    _, issues = check(text, URDF)
    assert [issue.code.id for issue in issues] == [code]


def test_several_materials_of_a_visual_are_a_warning_only() -> None:
    text = ROBOT.replace("</visual>", '<material name="n"/></visual>')
    _, (issue,) = check(text, URDF)
    assert issue.severity is Severity.WARNING


def test_missing_products_of_inertia_can_be_written_as_zero() -> None:
    document, (issue,) = check(ROBOT.replace(' ixy="0" ixz="0"', ""), URDF)
    assert fixed(document, issue) == ROBOT.replace(
        'ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"',
        'ixx="1" iyy="1" iyz="0" izz="1" ixy="0" ixz="0"',
    )
