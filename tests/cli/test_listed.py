"""`validate --files-from`: robots among the paths that a list names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import BAD, GOOD, Cli

MJCF = "<mujoco/>"


@pytest.fixture
def place(robots: Path) -> Path:
    """The robots, and what may stand beside them in the list of a commit."""
    (robots / "scene.xml").write_text(MJCF)
    (robots / "package.xml").write_text("<package/>")
    (robots / "readme.md").write_text("# Robots\n")
    (robots / "broken.urdf").write_text("hello")
    (robots / "my robot.urdf").write_text(GOOD)
    (robots / "sub").mkdir()
    (robots / "sub/arm.urdf").write_text(GOOD)
    return robots


def judged(cli: Cli, *arguments: str, stdin: bytes = b"") -> str:
    """The last line of the report, which counts files."""
    code, out, err = cli("validate", *arguments, stdin=stdin)
    assert code in {0, 1}, err
    return out.splitlines()[-1]


LISTS = {
    "one": (b"good.urdf\n", 1),
    "without an end": (b"good.urdf", 1),
    "several": (b"good.urdf\nbad.urdf\nscene.xml\n", 3),
    "twice": (b"good.urdf\n./good.urdf\n", 1),
    "what is no robot": (b"package.xml\nreadme.md\ngood.urdf\n", 1),
    "a broken one": (b"broken.urdf\n", 1),
    "blanks": (b"\n\nmy robot.urdf\r\n\n", 1),
    "nul": (b"good.urdf\0my robot.urdf\0", 2),
    "a folder": (b"sub\n", 1),
    "nothing": (b"", 0),
    "only others": (b"package.xml\n", 0),
}


@pytest.mark.parametrize(("content", "count"), LISTS.values(), ids=LISTS)
def test_lists(cli: Cli, place: Path, content: bytes, count: int) -> None:
    (place / "list").write_bytes(content)
    files = "1 file" if count == 1 else f"{count} files"
    assert judged(cli, "--files-from", "list").endswith(files)
    assert judged(cli, "--files-from", "-", stdin=content).endswith(files)


def test_named_files_are_judged_too(cli: Cli, place: Path) -> None:
    (place / "list").write_text("good.urdf\nbad.urdf\n")
    assert judged(cli, "bad.urdf", "scene.xml", "--files-from", "list").endswith("of 3 files")


def test_a_robot_may_come_through_stdin_beside_a_list(cli: Cli, place: Path) -> None:
    (place / "list").write_text("good.urdf\n")
    last = judged(cli, "-", "--files-from", "list", stdin=BAD.encode())
    assert last.endswith("1 of 2 files")


MISUSE = {
    "no list": (["--files-from", "nope"], "there is no list of files 'nope'"),
    "a file that is gone": (["--files-from", "gone"], "no file 'x.urdf', which 'gone' lists"),
    "gone, by stdin": (["--files-from", "-"], "no file 'y.urdf', which stdin lists"),
    "stdin twice": (["-", "--files-from", "-"], "stdin can't be both a robot and the list"),
}


@pytest.mark.parametrize(("arguments", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse(cli: Cli, place: Path, arguments: list[str], message: str) -> None:
    (place / "gone").write_text("x.urdf\n")
    code, out, err = cli("validate", *arguments, stdin=b"y.urdf\n")
    assert (code, out) == (2, "")
    assert message in err


def test_a_list_that_can_not_be_read(cli: Cli, place: Path) -> None:
    code, _, err = cli("validate", "--files-from", "sub")
    assert code == 3
    assert "can't read 'sub'" in err


def test_no_files_at_all(cli: Cli, place: Path) -> None:
    code, out, err = cli("validate")
    assert (code, out) == (2, "")
    assert "Usage: phyzctl validate" in err
    assert "--files-from" in err
