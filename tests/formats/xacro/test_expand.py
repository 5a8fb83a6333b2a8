"""Xacros: expanded as the xacro package does, packages without ROS, faults with their places."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import xacro

from phyzctl.config import Config
from phyzctl.formats import ReadOptions, read_bytes
from phyzctl.issues import Issues
from phyzctl.lint.engine import lint
from tests.formats.xacro.expanding import NAMESPACE, link_names, reading, robot, told

LEGS = robot(
    """<xacro:arg name="count" default="2"/>
<xacro:property name="pi2" value="${pi/2}"/>
<xacro:property name="sizes" value="${dict(upper=0.3, lower=[0.2, 0.1])}"/>
<xacro:macro name="leg" params="side mass:=1.5 *tip **rest">
  <link name="${side}_leg">
    <inertial><origin xyz="0 0 ${sizes['lower'][1]}" rpy="${pi2} 0 0"/><mass value="${mass}"/>
      <inertia ixx="${mass*0.1}" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial>
    <visual><geometry><xacro:insert_block name="tip"/></geometry></visual>
  </link>
  <joint name="${side}" type="revolute">
    <parent link="base"/><child link="${side}_leg"/>
    <xacro:insert_block name="rest"/>
    <limit lower="${-radians(90)}" upper="${sin(pi2)}" effort="1" velocity="1"/>
  </joint>
</xacro:macro>
<link name="base"/>
<xacro:if value="$(eval count > 1)">
  <xacro:leg side="left"><sphere radius="0.1"/><rest><axis xyz="0 1 0"/></rest></xacro:leg>
</xacro:if>
<xacro:unless value="$(eval count > 2)">
  <xacro:leg side="right" mass="${2**3}"><box size="1 2 3"/><rest/></xacro:leg>
</xacro:unless>
<gazebo reference="base"><material>Gazebo/Grey</material></gazebo>"""
)


@pytest.mark.parametrize("count", ["1", "2", "3"])
def test_the_robot_is_that_of_the_xacro_package(tmp_path: Path, count: str) -> None:
    found, issues = reading(tmp_path, LEGS, {"count": count})
    text = xacro.process_file(str(tmp_path / "r.urdf.xacro"), mappings={"count": count}).toxml()
    wanted = read_bytes(text.encode(), str(tmp_path / "r.urdf"), Issues()).robot
    assert wanted is not None
    assert found.robot is not None
    assert found.robot.links == wanted.links
    assert found.robot.joints == wanted.joints
    assert not issues


def test_xacro_is_told_by_content_and_not_by_suffix(tmp_path: Path) -> None:
    macro = '<xacro:macro name="m" params=""><link name="a"/></xacro:macro><xacro:m/>'
    for text, links in (
        (robot(macro), ["a"]),
        (robot('<link name="${1+1}"/>'), ["2"]),
        (f'<robot name="r" {NAMESPACE}><link name="plain"/></robot>', ["plain"]),
    ):
        found = read_bytes(text.encode(), str(tmp_path / "r.urdf"), Issues())
        assert link_names(found) == links
    issues = Issues()
    read_bytes(b'<robot name="r"><link name="${1+1}"/></robot>', "r.urdf", issues)
    assert [issue.code.id for issue in issues] == ["X013"]


def test_mjcf_may_be_a_xacro(tmp_path: Path) -> None:
    text = (
        f'<mujoco model="m" {NAMESPACE}><worldbody><body name="${{\'b\' + str(1)}}">'
        '<geom size="${0.5/2}"/></body></worldbody></mujoco>'
    )
    found, issues = reading(tmp_path, text)
    assert link_names(found) == ["world", "b1"]
    assert not issues


def package(folder: Path, name: str, **files: str) -> Path:
    (folder / name).mkdir()
    (folder / name / "package.xml").write_text(f"<package><name>{name}</name></package>")
    for file, text in files.items():
        (folder / name / f"{file}.xacro").write_text(text)
    return folder / name


LIBRARY = robot('<xacro:macro name="part" params="n"><link name="${n}"/></xacro:macro>', "")
USE = robot(
    '<xacro:include filename="$(find parts)/library.xacro"/><xacro:part n="a"/>'
    '<link name="b"><visual><geometry><mesh filename="$(find parts)/a.stl"/></geometry></visual>'
    '<visual><geometry><mesh filename="file://$(find parts)/b.stl"/></geometry></visual></link>'
    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
)


def test_packages_are_found_without_ros(tmp_path: Path) -> None:
    parts = package(tmp_path, "parts", library=LIBRARY)
    for name in ("a.stl", "b.stl"):
        (parts / name).write_bytes(b"")
    mine = package(tmp_path, "mine")
    found, issues = reading(mine, USE)
    assert link_names(found) == ["a", "b"]
    assert found.robot is not None
    assert [mesh.uri for mesh in found.robot.meshes] == [
        "package://parts/a.stl",
        "package://parts/b.stl",
    ]
    assert [mesh.file for mesh in found.robot.meshes] == [
        str(parts / "a.stl"),
        str(parts / "b.stl"),
    ]
    assert not issues
    assert set(found.documents) == {str(mine / "r.urdf.xacro"), str(parts / "library.xacro")}


def test_a_package_may_be_stated(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    elsewhere = package(tmp_path / "x", "other_name", library=LIBRARY)
    (tmp_path / "y").mkdir()
    found, _ = reading(tmp_path / "y", USE, parts=str(elsewhere))
    assert link_names(found) == ["a", "b"]


def test_a_missing_package_stops_what_needs_its_files_only(tmp_path: Path) -> None:
    found, issues = reading(tmp_path, USE)
    assert found.robot is None
    (told_once,) = told(issues)
    assert told_once.startswith("F600 package 'parts' is not found, so nothing of it can be")
    assert "--package-path parts=DIR" in told_once
    assert issues[0].source is not None
    assert (issues[0].source.line, issues[0].source.column) == (2, 1)
    mesh = '<visual><geometry><mesh filename="$(find parts)/a.stl"/></geometry></visual>'
    found, issues = reading(tmp_path, robot(f'<link name="b">{mesh}</link>'))
    assert link_names(found) == ["b"]
    assert [issue.code.id for issue in issues] == ["F600"]


def test_findings_stand_where_they_are_written(tmp_path: Path) -> None:
    library = robot(
        '<xacro:macro name="part" params="n m">\n  <link name="${n}">\n    <inertial>\n'
        '      <mass value="${m}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>\n'
        "    </inertial></link></xacro:macro>",
        "",
    )
    (tmp_path / "library.xacro").write_text(library)
    content = robot(
        '<xacro:include filename="library.xacro"/>\n<link name="base"/>\n<xacro:part n="a" m="-1"/>'
        '\n<joint name="j" type="revolute"><parent link="base"/><child link="a"/>\n'
        '  <axis xyz="0 0 ${1-1}"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>'
    )
    found, issues = reading(tmp_path, content)
    judged = lint(found, issues, Config())
    places = {
        issue.code.id: (Path(issue.source.path).name, issue.source.line, issue.source.column)
        for issue in judged
        if issue.source
    }
    assert places["I107"] == ("library.xacro", 5, 13)
    assert places["J211"] == ("r.urdf.xacro", 6, 9)


def test_comments_suppress_where_they_are_written(tmp_path: Path) -> None:
    macro = (
        '<xacro:macro name="part" params="n">\n<link name="${n}"><inertial>\n'
        '<mass value="-1"/> <!-- phyzctl: ignore[I107] on purpose -->\n'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></xacro:macro>'
    )
    found, issues = reading(tmp_path, robot(f'{macro}<xacro:part n="a"/>'))
    assert [issue.code.id for issue in lint(found, issues, Config())] == []


def test_no_fix_is_offered_for_what_macros_made(tmp_path: Path) -> None:
    content = robot(
        '<link name="base"/><link name="a"/><joint name="${1}" type="revolute">'
        '<parent link="base"/><child link="a"/><limit lower="1" upper="0" effort="1"'
        ' velocity="1"/></joint>'
    )
    found, issues = reading(tmp_path, content)
    judged = lint(found, issues, Config())
    assert "J201" in {issue.code.id for issue in judged}
    assert not any(issue.fix and issue.fix.edits for issue in judged)


FAULTS = {
    "unknown macro": ('<xacro:nope a="1"/>', 2, "X014 unknown macro name: xacro:nope"),
    "unknown name": ('<link name="a"/>\n<link name="${nope}"/>', 3, "name 'nope' is not defined"),
    "no argument": (
        '<link name="$(arg side)"/>',
        2,
        "X014 the argument 'side' is not given; state it with --xacro-arg side=VALUE",
    ),
    "no condition": ('<xacro:if value="maybe"/>', 2, "which is not a boolean expression"),
    "no such include": ('<xacro:include filename="no.xacro"/>', 2, "X019 there is no file"),
    "no such yaml": ("<link name=\"${xacro.load_yaml('no.yaml')}\"/>", 2, "X019 there is no file"),
    "syntax": ('<link name="${1 +}"/>', 2, "X014 invalid syntax"),
    "missing attribute": ("<xacro:property/>", 2, "missing attribute"),
    "parameter": (
        '<xacro:macro name="m" params="a"/>\n<xacro:m b="1"/>',
        3,
        'X014 Invalid parameter "b"',
    ),
    "undefined parameter": (
        '<xacro:macro name="m" params="a"/>\n<xacro:m/>',
        3,
        "X014 Undefined parameters [a]",
    ),
    "division": ('<link name="${1/0}"/>', 2, "division by zero"),
    "raised by the author": ("<link name=\"${xacro.fatal('so not')}\"/>", 2, "so not"),
    "endless macro": (
        '<xacro:macro name="m" params=""><xacro:m/></xacro:macro>\n<xacro:m/>',
        None,
        "X018 macros or includes call themselves without end",
    ),
    "own include": (
        '<xacro:include filename="r.urdf.xacro"/>',
        None,
        "X018 the expansion is given up",
    ),
    "endless property": ('<xacro:property name="a" value="${a}"/>\n<link name="${a}"/>', 3, "X014"),
}


@pytest.mark.parametrize(("content", "line", "words"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_issue_at_its_place(
    tmp_path: Path, content: str, line: int | None, words: str
) -> None:
    found, issues = reading(tmp_path, robot(content))
    assert found.robot is None
    assert len(issues) == 1
    assert words in told(issues)[0]
    assert issues[0].fatal
    assert issues[0].source is not None
    assert issues[0].source.path == str(tmp_path / "r.urdf.xacro")
    assert line in (None, issues[0].source.line)


def test_a_fault_in_a_macro_tells_who_called_it(tmp_path: Path) -> None:
    (tmp_path / "library.xacro").write_text(
        robot('<xacro:macro name="inner" params="">\n<link name="${nope}"/></xacro:macro>', "")
    )
    content = robot('<xacro:include filename="library.xacro"/>\n\n<xacro:inner/>')
    _, (issue,) = reading(tmp_path, content)
    assert issue.source is not None
    assert (Path(issue.source.path).name, issue.source.line) == ("library.xacro", 3)
    assert [related.source.line for related in issue.related if related.source] == [4]


def test_macros_that_multiply_are_given_up(tmp_path: Path) -> None:
    macros = ['<xacro:macro name="m0" params=""><link name="a"/></xacro:macro>']
    for n in range(1, 40):
        calls = f"<xacro:m{n - 1}/>" * 2
        macros.append(f'<xacro:macro name="m{n}" params="">{calls}</xacro:macro>')
    _, issues = reading(tmp_path, robot("".join(macros) + "<xacro:m39/>"))
    assert [issue.code.id for issue in issues] == ["X018"]


def test_broken_files_are_told_in_their_own_lines(tmp_path: Path) -> None:
    (tmp_path / "library.xacro").write_text("<robot>\n<link name='a'></robot>")
    found, issues = reading(tmp_path, robot('<xacro:include filename="library.xacro"/>'))
    assert found.robot is None
    assert [issue.code.id for issue in issues] == ["X001"]
    assert issues[0].source is not None
    assert issues[0].source.path.endswith("library.xacro")
    (tmp_path / "library.xacro").write_text('<!DOCTYPE r [<!ENTITY a "aa">]><robot>&a;</robot>')
    _, issues = reading(tmp_path, robot('<xacro:include filename="library.xacro"/>'))
    assert [issue.code.id for issue in issues] == ["X017"]


def test_an_optional_include_may_be_missing(tmp_path: Path) -> None:
    content = robot('<xacro:include filename="no.xacro" optional="true"/><link name="a"/>')
    found, issues = reading(tmp_path, content)
    assert link_names(found) == ["a"]
    assert not issues


def test_what_xacro_warns_of_is_told(tmp_path: Path) -> None:
    _, issues = reading(tmp_path, robot('<xacro:include filename="no*.xacro"/><link name="a"/>'))
    (issue,) = issues
    assert "matched no files" in issue.message
    assert not issue.fatal


def test_a_library_is_no_robot_and_no_fault(tmp_path: Path) -> None:
    found, issues = reading(tmp_path, LIBRARY)
    assert found.robot is None
    assert [(issue.code.id, issue.fatal) for issue in issues] == [("X024", False)]


def test_the_folder_of_a_file_and_yaml_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sizes.yaml").write_text("arm: {mass: 2.5}\nnames: [a, b]\n")
    content = robot(
        '<xacro:property name="s" value="${xacro.load_yaml(\'$(dirname)/sizes.yaml\')}"/>'
        "<link name=\"${s['names'][1]}\"><inertial><mass value=\"${s['arm']['mass']}\"/></inertial>"
        "</link>"
    )
    found, _ = reading(tmp_path, content)
    assert link_names(found) == ["b"]
    assert found.robot is not None
    assert found.robot.links[0].inertial is not None
    assert found.robot.links[0].inertial.mass == 2.5


def test_devices_are_not_read(tmp_path: Path) -> None:
    for name in ("/dev/zero", "/dev/stdin", str(tmp_path)):
        for content in (
            f'<xacro:include filename="{name}"/>',
            f"<link name=\"${{xacro.load_yaml('{name}')}}\"/>",
        ):
            _, issues = reading(tmp_path, robot(content))
            assert [issue.code.id for issue in issues] == ["X019"]


def test_without_the_extra_it_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    found, issues = reading(tmp_path, LEGS)
    assert found.robot is None
    assert [issue.code.id for issue in issues] == ["X013"]
    assert "pip install 'phyzctl[xacro]'" in issues[0].message


def test_one_expansion_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    before = (xacro.parse, xacro.safe_eval, dict(vars(xacro.substitution_args)))
    reading(tmp_path, robot('<xacro:arg name="a" default="1"/><link name="${nope}"/>'))
    after = (xacro.parse, xacro.safe_eval, dict(vars(xacro.substitution_args)))
    assert before == after
    _, issues = reading(tmp_path, robot('<link name="$(arg a)"/>'))
    assert "the argument 'a' is not given" in issues[0].message


def test_options_are_not_changed(tmp_path: Path) -> None:
    options = ReadOptions({}, {"count": "3"})
    read_bytes(LEGS.encode(), str(tmp_path / "r.xacro"), Issues(), options)
    assert options.xacro_args == {"count": "3"}
