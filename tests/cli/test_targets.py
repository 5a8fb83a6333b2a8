"""Which files a command line means."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from phyzctl.cli.targets import Target, find_targets, robots_below
from phyzctl.errors import NotFoundError, PhyzctlError

URDF = "<robot name='r'/>"
MJCF = "<mujoco/>"


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        place = folder / name.replace("__", "/").replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def names(*arguments: str) -> list[str]:
    return [target.path for target in find_targets(arguments)]


def test_a_named_file_is_taken_as_it_is(workspace: Path) -> None:
    put(workspace, a_txt="anything", b_stl="x")
    assert names("a.txt", "./b.stl") == ["a.txt", "./b.stl"]


def test_each_file_once(workspace: Path) -> None:
    put(workspace, a_urdf=URDF)
    assert names("a.urdf", "./a.urdf", ".", "*.urdf") == ["a.urdf"]


@pytest.mark.parametrize("name", ["nope.urdf", "nope/", "a/nope.urdf", ""])
def test_a_path_that_is_not_there(workspace: Path, name: str) -> None:
    with pytest.raises(NotFoundError, match="there is no file"):
        find_targets([name])


def test_a_dangling_link_is_a_file_that_can_not_be_read(workspace: Path) -> None:
    (workspace / "a.urdf").symlink_to("nowhere")
    assert names("a.urdf") == ["a.urdf"]


# Folders


def test_the_root_element_decides(workspace: Path) -> None:
    put(
        workspace,
        a_urdf=URDF,
        b_xml=f"<?xml version='1.0'?><!-- <package/> -->\n{URDF}",
        package_xml="<package/>",
        c_launch="<launch/>",
        d_urdf="",
        e_txt=URDF,
        F_URDF=URDF,
        sub__deep__g_xml=URDF,
    )
    assert names(".") == ["F.URDF", "a.urdf", "b.xml", "sub/deep/g.xml"]


def test_paths_start_as_the_folder_was_given(workspace: Path) -> None:
    put(workspace, a__b__x_urdf=URDF)
    assert names("a") == names("./a/") == ["a/b/x.urdf"]
    assert names(str(workspace / "a")) == [str(workspace / "a/b/x.urdf")]
    os.chdir(workspace / "a/b")
    assert names("..") == ["../b/x.urdf"]


@pytest.mark.parametrize("folder", [".git", ".hg", "__pycache__", "node_modules", ".tox"])
def test_what_holds_no_sources_is_not_entered(workspace: Path, folder: str) -> None:
    put(workspace, a_urdf=URDF)
    (workspace / folder).mkdir(exist_ok=True)
    (workspace / folder / "x.urdf").write_text(URDF)
    assert names(".") == ["a.urdf"]


def test_virtual_environments_are_not_entered(workspace: Path) -> None:
    put(workspace, a_urdf=URDF, env__pyvenv_cfg="", env__x_urdf=URDF, venv__b_urdf=URDF)
    assert names(".") == ["a.urdf", "venv/b.urdf"]


def test_gitignore_is_respected(workspace: Path) -> None:
    put(workspace, a_urdf=URDF, build__x_urdf=URDF, sub__c_urdf=URDF, sub__d_urdf=URDF)
    (workspace / ".gitignore").write_text("build/\n")
    (workspace / "sub/.gitignore").write_text("/d.urdf\n")
    assert names(".") == ["a.urdf", "sub/c.urdf"]
    assert names("sub") == ["sub/c.urdf"]


def test_what_is_ignored_can_be_named(workspace: Path) -> None:
    put(workspace, build__x_urdf=URDF)
    (workspace / ".gitignore").write_text("build/\n")
    assert names("build/x.urdf") == names("build") == ["build/x.urdf"]


def test_gitignore_above_the_folder_counts(workspace: Path) -> None:
    put(workspace, sub__generated_urdf=URDF, sub__a_urdf=URDF)
    (workspace / ".gitignore").write_text("generated.urdf\n")
    assert names("sub") == ["sub/a.urdf"]


def test_links_in_a_ring_end(workspace: Path) -> None:
    put(workspace, a__x_urdf=URDF)
    (workspace / "a/again").symlink_to(workspace / "a")
    assert names(".") == ["a/x.urdf"]


def test_a_folder_without_robots(workspace: Path) -> None:
    put(workspace, sub__package_xml="<package/>")
    with pytest.raises(
        PhyzctlError, match=r"no robot below 'sub': no \.json, \.mjcf, \.urdf, \.xacro, \.xml"
    ):
        find_targets(["sub"])


def test_what_others_include_is_no_robot(workspace: Path) -> None:
    put(
        workspace,
        m__scene_xml='<mujoco><include\n file="robot.xml"/></mujoco>',
        m__robot_xml="<mujoco><include file='../parts/hand.xml'/></mujoco>",
        m__other_xml=MJCF,
        parts__hand_xml=MJCF,
        robot_xml=MJCF,
    )
    assert names(".") == ["robot.xml", "m/other.xml", "m/scene.xml"]


def test_a_robot_in_xacro_is_one_and_a_library_of_macros_is_none(workspace: Path) -> None:
    macros = (
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:macro name="m"><link name="l"/></xacro:macro></robot>'
    )
    put(workspace, sub__a_xacro=URDF, sub__macros_xacro=macros)
    assert names(".") == ["sub/a.xacro"]


def test_an_unreadable_candidate_is_passed(workspace: Path) -> None:
    (workspace / "a.urdf").symlink_to("nowhere")
    assert robots_below(".") == []


# Globs and stdin


def test_globs(workspace: Path) -> None:
    put(workspace, a_urdf=URDF, b_urdf=URDF, c_txt="x", sub__d_urdf=URDF)
    assert names("*.urdf") == ["a.urdf", "b.urdf"]
    assert names("**/*.urdf") == ["a.urdf", "b.urdf", "sub/d.urdf"]
    assert names("[ab].*") == ["a.urdf", "b.urdf"]
    assert names("s*") == ["sub/d.urdf"]


def test_a_glob_without_a_match(workspace: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no file matches '\*\.urdf'"):
        find_targets(["*.urdf"])


def test_a_file_may_be_called_like_a_glob(workspace: Path) -> None:
    (workspace / "a[1].urdf").write_text(URDF)
    assert names("a[1].urdf") == ["a[1].urdf"]


@pytest.mark.parametrize(("name", "path"), [(None, "<stdin>"), ("x/y.urdf", "x/y.urdf")])
def test_stdin(monkeypatch: pytest.MonkeyPatch, name: str | None, path: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<robot/>")))
    assert find_targets(["-"], name) == [Target(path, b"<robot/>")]
