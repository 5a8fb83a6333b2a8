"""Macros of xacro that were left in the file names of meshes."""

from __future__ import annotations

from phyzctl.formats import read_bytes
from phyzctl.issues import Issue, Issues, Severity
from phyzctl.robot.robot import Robot


def read(names: list[str]) -> tuple[Robot, list[Issue]]:
    visual = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    visuals = "".join(visual.format(name) for name in names)
    text = f'<robot name="r"><link name="arm">{visuals}</link></robot>'
    issues = Issues()
    robot = read_bytes(text.encode(), "r.urdf", issues).robot
    assert robot is not None
    return robot, list(issues)


def test_they_are_one_warning_with_all_their_places() -> None:
    robot, (issue,) = read(["$(arg dir)/a.stl", "${dir}/b.stl", "$(find pkg)/c.stl"])
    assert (issue.code.id, issue.severity) == ("X013", Severity.WARNING)
    assert "3 meshes" in issue.message
    assert issue.subject == "link 'arm'"
    assert issue.source is not None
    assert issue.source.end_column is not None
    assert len(issue.related) == 2
    assert robot.meshes == ()
    assert [geom.shape for geom in robot.links[0].geoms] == [None] * 3


def test_other_files_are_judged_as_ever() -> None:
    robot, issues = read(["$(arg dir)/a.stl", "missing.stl"])
    assert [issue.code.id for issue in issues] == ["X013", "F601"]
    assert "1 mesh " in issues[0].message
    assert [mesh.uri for mesh in robot.meshes] == ["missing.stl"]


def test_a_dollar_alone_is_no_macro() -> None:
    _, issues = read(["cash$.stl"])
    assert [issue.code.id for issue in issues] == ["F601"]
