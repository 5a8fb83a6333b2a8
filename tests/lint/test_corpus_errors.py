"""Published robots have the errors that `docs/corpus_errors.md` defends, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from phyzctl.config import Config
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.lint.engine import lint
from tests.corpus import ROOT, SHARED_CORPUS, files_with_root, robot_files

DOCUMENT = ROOT / "docs" / "corpus_errors.md"

_ROW = re.compile(r"\| `([^`]+)` \| ([A-Z0-9, ]+) \|")
# The five packages of the bar, and which of their URDFs are parts or empty.
PACKAGES = (
    "example-robot-data",
    "iCub",
    "dexmate_urdf",
    "stretch4_urdf",
    "robot_properties_fingers",
)
PARTS = re.compile(r"eoa_wrist|docking_station|/ur3\.urdf|finger_macro|finger(edu)?_stage\.urdf")


def documented() -> dict[str, set[str]]:
    """Per file, as the document names it, the codes that it lists."""
    found: dict[str, set[str]] = {}
    for file, codes in _ROW.findall(DOCUMENT.read_text(encoding="utf-8")):
        found.setdefault(file, set()).update(codes.split(", "))
    return found


def errors(path: Path) -> set[str]:
    issues = Issues()
    found = lint(read(str(path), issues), issues, Config())
    return {issue.code.id for issue in found if issue.fatal}


def named(path: Path, names: Iterable[str]) -> str:
    """The documented name that a path ends with, or else the path."""
    plain = path.as_posix().replace("/share/iCub/", "/icub-models/iCub/")
    return next((name for name in names if plain.endswith(f"/{name}")), plain)


def compare(paths: Sequence[Path]) -> None:
    expected = documented()
    found = {named(path, expected): codes for path in paths if (codes := errors(path))}
    assert found == {name: expected.get(name, set()) for name in found}
    for path in paths:
        name = named(path, expected)
        assert name in found or name not in expected, f"{name} has no error any more"


TIERS = [
    pytest.param("s", marks=pytest.mark.slow),
    pytest.param("m", marks=pytest.mark.corpus_m),
    pytest.param("l", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("tier", TIERS)
def test_urdf_errors_are_those_of_the_table(tier: str) -> None:
    urdfs = [path for path in robot_files(tier, "robot") if path.suffix == ".urdf"]
    compare([path for path in urdfs if tier != "l" or PACKAGES[0] in path.parts])


@pytest.mark.slow
def test_mjcf_errors_are_those_of_the_table() -> None:
    folder = SHARED_CORPUS / "menagerie"
    if not folder.is_dir():
        pytest.skip("MuJoCo Menagerie is absent")
    compare(files_with_root(folder, "mujoco"))


def test_the_table_is_read_and_defends_every_row() -> None:
    rows = [
        line.strip("|").split(" | ")
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if _ROW.match(line)
    ]
    assert len(rows) == 26
    assert all(len(row) == 4 and all(cell.strip() for cell in row) for row in rows)


@pytest.mark.slow
def test_the_share_of_robots_with_an_error_is_the_one_stated() -> None:
    robots = [
        path
        for tier in ("s", "m", "l")
        for path in robot_files(tier, "robot")
        if path.suffix == ".urdf"
        and any(package in path.parts for package in PACKAGES)
        and not PARTS.search(path.as_posix())
    ]
    known = documented()
    wrong = [path for path in robots if named(path, known) in known]
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert f"{len(robots)} are robots; {len(wrong)} of them" in text
