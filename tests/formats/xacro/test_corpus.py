"""The xacros of the corpora: at least as many expand as with the other tool that needs no ROS."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from phyzctl.formats import read
from phyzctl.formats.xacro import is_xacro
from phyzctl.formats.xmltree import parse
from phyzctl.issues import Issues
from tests.corpus import corpus_dir

_STOPPED = {"F600", "X001", "X013", "X018", "X019", "X014"}  # as far as they are errors


def xacros(tier: str) -> list[Path]:
    files = sorted(path for path in corpus_dir(tier).rglob("*") if path.is_file())
    texts = (path for path in files if path.suffix in {".xacro", ".urdf"})
    return [path for path in texts if is_xacro(parse(path.read_bytes(), str(path), Issues()))]


def we_expand(path: Path) -> bool:
    issues = Issues()
    read(str(path), issues)
    return not any(issue.code.id in _STOPPED for issue in issues.errors)


def they_expand(path: Path) -> bool:
    xacrodoc = pytest.importorskip("xacrodoc")
    xacrodoc.packages.reset()
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            xacrodoc.XacroDoc.from_file(str(path), walk_up=True).to_urdf_string()
        except Exception:  # noqa: BLE001 (it raises whatever happens)
            return False
    return True


@pytest.mark.parametrize(
    "tier",
    ["s", pytest.param("m", marks=pytest.mark.corpus_m), pytest.param("l", marks=pytest.mark.slow)],
)
def test_no_fewer_expand_than_with_xacrodoc(tier: str) -> None:
    files = xacros(tier)
    assert files
    ours = {path for path in files if we_expand(path)}
    theirs = {path for path in files if they_expand(path)}
    print(f"tier {tier}: {len(ours)} of {len(files)} expand, with xacrodoc {len(theirs)}")
    assert theirs <= ours
