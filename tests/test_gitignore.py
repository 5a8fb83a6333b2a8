"""`.gitignore` as git itself reads it: each case is put to `git check-ignore` as well."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from phyzctl.gitignore import ignored, parse, patterns_above, patterns_in

# Patterns, then paths relative to their folder with what is to become of them. A path that
# ends in / is a folder.
CASES: dict[str, tuple[str, dict[str, bool]]] = {
    "a name, anywhere": ("x.urdf", {"x.urdf": True, "a/x.urdf": True, "xx.urdf": False}),
    "a folder": ("build/", {"build/": True, "a/build/": True, "build": False}),
    "at the top": ("/x.urdf", {"x.urdf": True, "a/x.urdf": False}),
    "a path": ("a/x.urdf", {"a/x.urdf": True, "b/a/x.urdf": False}),
    "a path of a folder": ("a/b/", {"a/b/": True, "c/a/b/": False}),
    "star": ("*.urdf", {"x.urdf": True, "a/.urdf": True, "x.xml": False}),
    "star within a part": ("a/*.urdf", {"a/x.urdf": True, "a/b/x.urdf": False}),
    "question mark": ("?.urdf", {"x.urdf": True, "xy.urdf": False, ".urdf": False}),
    "a set": ("[ab].urdf", {"a.urdf": True, "c.urdf": False}),
    "a range": ("[a-c]x", {"bx": True, "dx": False}),
    "not in a set": ("[!ab].urdf", {"c.urdf": True, "a.urdf": False}),
    "not in a set, otherwise": ("[^ab].urdf", {"c.urdf": True, "a.urdf": False}),
    "leading double star": ("**/x", {"x": True, "a/x": True, "a/b/x": True, "ax": False}),
    "trailing double star": ("a/**", {"a/x": True, "a/b/x": True, "b/x": False}),
    "double star between": ("a/**/x", {"a/x": True, "a/b/x": True, "a/b/c/x": True, "ax": False}),
    "a double star that is none": ("a**x", {"abcx": True, "a/x": False}),
    "all but one": ("*.urdf\n!keep.urdf", {"x.urdf": True, "keep.urdf": False}),
    "the last one decides": ("!x\nx", {"x": True}),
    "comment": ("# x\n\n", {"x": False, "# x": False}),
    "escaped hash": ("\\#x", {"#x": True}),
    "escaped exclamation": ("\\!x", {"!x": True}),
    "escaped star": ("a\\*", {"a*": True, "ab": False}),
    "trailing blanks": ("x  ", {"x": True, "x  ": False}),
    "escaped trailing blank": ("x\\ ", {"x ": True, "x": False}),
    "dots are dots": ("a.b", {"a.b": True, "axb": False}),
    "everything": ("*", {"x": True, "a/": True, "a/b": True}),
    "a range the wrong way": ("[z-a]", {"z": True, "a": False, "-": False}),
    "a set with a dash": ("[a-]x", {"ax": True, "-x": True, "bx": False}),
    "a set with a bracket": ("[]a]x", {"]x": True, "ax": True, "bx": False}),
    "a set and a slash": ("a[!b]c", {"a/c": False, "axc": True}),
    "unclosed set": ("a[b", {"a[b": False, "ab": False}),
    "backslash in a set": ("[\\]]x", {"]x": True, "\\x": False}),
    "carriage returns": ("x\r\ny\r\n", {"x": True, "y": True}),
}


def check(text: str, paths: dict[str, bool], folder: Path) -> dict[str, bool]:
    patterns = list(parse(text, folder.as_posix()))
    return {
        path: ignored(
            f"{folder.as_posix()}/{path.rstrip('/')}", patterns, is_folder=path[-1] == "/"
        )
        for path in paths
    }


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_patterns(text: str, expected: dict[str, bool], tmp_path: Path) -> None:
    assert check(text, expected, tmp_path) == expected


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")
@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_git_agrees(text: str, expected: dict[str, bool], tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_bytes(text.encode())
    found = {}
    for path in expected:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            target.mkdir(exist_ok=True)
        elif not target.exists():
            target.write_text("")
        asked = ["git", "-C", str(tmp_path), "check-ignore", "-q", "--no-index", f"./{path}"]
        found[path] = subprocess.run(asked, check=False).returncode == 0
        if path.endswith("/"):
            shutil.rmtree(target)
        else:
            target.unlink()
    assert found == expected


def test_a_pattern_speaks_of_its_own_folder_only(tmp_path: Path) -> None:
    patterns = list(parse("/x", f"{tmp_path.as_posix()}/a"))
    assert ignored(f"{tmp_path.as_posix()}/a/x", patterns, is_folder=False)
    assert not ignored(f"{tmp_path.as_posix()}/x", patterns, is_folder=False)


def test_files_above_count_up_to_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repo/a/b"
    inner.mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("outside")
    (tmp_path / "repo/.gitignore").write_text("top")
    (tmp_path / "repo/a/.gitignore").write_text("nearer")
    assert patterns_above(inner) == []
    (tmp_path / "repo/.git").mkdir()
    assert patterns_above(inner) == [
        *patterns_in(tmp_path / "repo"),
        *patterns_in(tmp_path / "repo/a"),
    ]
    assert patterns_above(tmp_path / "repo") == []


def test_no_file_no_patterns(tmp_path: Path) -> None:
    assert patterns_in(tmp_path) == []
