"""Includes: sections merge, places keep their own file, and every failure is said."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from phyzctl import formats
from phyzctl.issues import Issue, Issues
from tests.formats.mjcf.reading import read_file, write_files


def _codes(issues: list[Issue]) -> list[str]:
    return [issue.code.id for issue in issues]


def _part(content: str) -> str:
    return f"<mujocoinclude>{content}</mujocoinclude>"


MAIN = '<mujoco model="main">\n<include file="{}"/>\n<worldbody>{}</worldbody></mujoco>'
PART = """<mujocoinclude>
  <default><geom size="0.3"/></default>
  <worldbody>
    <body name="arm"><geom/></body>
  </worldbody>
</mujocoinclude>"""


@pytest.mark.parametrize("root", ["mujocoinclude", "mujoco"])
def test_sections_merge(tmp_path: Path, root: str) -> None:
    part = PART.replace("mujocoinclude", root)
    files = {
        "main.xml": MAIN.format("part.xml", '<body name="own"><geom/></body>'),
        "part.xml": part,
    }
    robot, issues = read_file(write_files(tmp_path, files))
    assert issues == []
    assert [link.name for link in robot] == ["world", "arm", "own"]
    assert {getattr(geom.shape, "radius", None) for link in robot for geom in link.geoms} == {0.3}


def test_a_place_is_in_the_file_that_it_is_in(tmp_path: Path) -> None:
    files = {"main.xml": MAIN.format("part.xml", ""), "part.xml": PART}
    robot, _ = read_file(write_files(tmp_path, files))
    source = robot.structure.link("arm").source
    assert source is not None
    assert source.path == str(tmp_path / "part.xml")
    assert (source.line, source.column) == (4, 5)
    assert source.element == "/mujocoinclude/worldbody/body[@name='arm']"


def test_an_issue_in_an_included_file_is_placed_there(tmp_path: Path) -> None:
    part = PART.replace('size="0.3"', 'size="0.3 x"')
    files = {"main.xml": MAIN.format("part.xml", ""), "part.xml": part}
    _, issues = read_file(write_files(tmp_path, files))
    assert _codes(issues) == ["X010"]
    assert str(issues[0].source).endswith("part.xml:2:18")


@pytest.mark.parametrize(
    ("around", "content", "names"),
    [
        ("<worldbody>{}</worldbody>", '<body name="x"><geom size="1"/></body>', ["world", "x"]),
        (
            '<worldbody><body name="a"><geom size="1"/>{}</body></worldbody>',
            '<body name="x"><geom size="1"/></body>',
            ["world", "a", "x"],
        ),
        (
            '<worldbody><body name="a"><frame>{}</frame></body></worldbody>',
            '<geom size="1"/><body name="x"><geom size="1"/></body>',
            ["world", "a", "x"],
        ),
    ],
)
def test_includes_inside_of_sections(
    tmp_path: Path, around: str, content: str, names: list[str]
) -> None:
    main = f"<mujoco>{around}</mujoco>".format('<include file="part.xml"/>')
    part = f"<mujocoinclude>{content}</mujocoinclude>"
    path = write_files(tmp_path, {"main.xml": main, "part.xml": part})
    robot, issues = read_file(path)
    assert issues == []
    assert [link.name for link in robot] == names
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == len(names)


def test_paths_start_at_the_main_file_and_then_at_the_including_one(tmp_path: Path) -> None:
    files = {
        "main.xml": MAIN.format("parts/outer.xml", ""),
        "parts/outer.xml": _part('<include file="near.xml"/><include file="far.xml"/>'),
        "parts/near.xml": _part('<worldbody><body name="near"/></worldbody>'),
        "parts/far.xml": _part('<worldbody><body name="wrong"/></worldbody>'),
        "far.xml": _part('<worldbody><body name="far"/></worldbody>'),
    }
    path = write_files(tmp_path, files)
    robot, issues = read_file(path)
    assert issues == []
    assert [link.name for link in robot] == ["world", "near", "far"]
    theirs = mujoco.MjModel.from_xml_path(str(path))
    assert [theirs.body(index).name for index in range(3)] == ["world", "near", "far"]


def test_meshes_of_an_included_file_are_looked_for_beside_the_main_file(tmp_path: Path) -> None:
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    files = {
        "main.xml": MAIN.format("parts/p.xml", '<geom type="mesh" mesh="m"/>'),
        "parts/p.xml": '<mujocoinclude><asset><mesh file="m.obj"/></asset></mujocoinclude>',
        "m.obj": mesh,
    }
    robot, issues = read_file(write_files(tmp_path, files))
    assert issues == []
    assert robot.meshes[0].file == str(tmp_path / "m.obj")


def test_a_file_in_a_circle(tmp_path: Path) -> None:
    files = {
        "main.xml": MAIN.format("a.xml", ""),
        "a.xml": '<mujocoinclude><include file="b.xml"/></mujocoinclude>',
        "b.xml": '<mujocoinclude><include file="a.xml"/></mujocoinclude>',
    }
    _, issues = read_file(write_files(tmp_path, files))
    assert _codes(issues) == ["X019"]
    assert "already included" in issues[0].message
    assert str(issues[0].source).endswith("b.xml:1:25")


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    _, issues = read_file(write_files(tmp_path, {"main.xml": MAIN.format("./main.xml", "")}))
    assert _codes(issues) == ["X019"]


def test_a_file_included_twice(tmp_path: Path) -> None:
    text = '<mujoco><include file="a.xml"/><include file="a.xml"/></mujoco>'
    part = '<mujocoinclude><worldbody><body name="x"/></worldbody></mujocoinclude>'
    path = write_files(tmp_path, {"main.xml": text, "a.xml": part})
    robot, issues = read_file(path)
    assert _codes(issues) == ["X019"]
    assert [link.name for link in robot] == ["world", "x"]
    with pytest.raises(ValueError, match="already included"):
        mujoco.MjModel.from_xml_path(str(path))


@pytest.mark.parametrize(
    ("include", "part", "words"),
    [
        ('<include file="nowhere.xml"/>', "", "there is no file"),
        ("<include/>", "", "lacks the attribute"),
        ('<include file="part.xml"><worldbody/></include>', PART, "can't have elements"),
        ('<include file="part.xml"/>', "<mujocoinclude/>", "holds no elements"),
        ('<include file="folder"/>', "", "there is no file"),
    ],
)
def test_failures(tmp_path: Path, include: str, part: str, words: str) -> None:
    path = write_files(tmp_path, {"main.xml": f"<mujoco>{include}</mujoco>", "part.xml": part})
    (tmp_path / "folder").mkdir()
    robot, issues = read_file(path)
    assert "X019" in _codes(issues)
    assert any(words in issue.message for issue in issues)
    assert robot.structure.root.name == "world"
    with pytest.raises(ValueError, match=r"."):
        mujoco.MjModel.from_xml_path(str(path))


def test_a_broken_part_is_placed_in_its_file(tmp_path: Path) -> None:
    files = {
        "main.xml": MAIN.format("part.xml", ""),
        "part.xml": "<mujocoinclude>\n<a></b></mujocoinclude>",
    }
    _, issues = read_file(write_files(tmp_path, files))
    assert issues
    assert all("part.xml" in str(issue.source) for issue in issues)
    assert "X001" in _codes(issues)


def test_every_document_is_handed_on(tmp_path: Path) -> None:
    files = {"main.xml": MAIN.format("part.xml", ""), "part.xml": PART}
    path = write_files(tmp_path, files)
    documents = formats.read(str(path), Issues()).documents
    assert set(documents) == {str(path), str(tmp_path / "part.xml")}
    main = documents[str(path)].root
    assert main is not None
    assert main.find("include") is not None, "the document stays as it was read"


def test_an_absolute_path(tmp_path: Path) -> None:
    part = tmp_path / "elsewhere" / "part.xml"
    path = write_files(tmp_path, {"main.xml": MAIN.format(part, ""), "elsewhere/part.xml": PART})
    robot, issues = read_file(path)
    assert issues == []
    assert robot.structure.has_link("arm")


def test_backslashes_are_slashes_as_in_mujoco(tmp_path: Path) -> None:
    files = {"main.xml": MAIN.format("sub\\part.xml", ""), "sub/part.xml": PART}
    path = write_files(tmp_path, files)
    robot, issues = read_file(path)
    assert [link.name for link in robot.links] == ["world", "arm"]
    (issue,) = issues
    assert (issue.code.id, issue.source and issue.source.line) == ("F602", 2)
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == 2


def test_a_file_that_is_called_with_a_backslash_wins(tmp_path: Path) -> None:
    named = PART.replace('"arm"', '"named"')
    files = {"main.xml": MAIN.format("sub\\part.xml", ""), "sub/part.xml": PART}
    path = write_files(tmp_path, files)
    (tmp_path / "sub\\part.xml").write_text(named)
    robot, issues = read_file(path)
    assert (robot.links[-1].name, issues) == ("named", [])
