"""The sample robots are clean, and each broken one has its one fault, at its place."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from phyzctl.config import Config
from phyzctl.formats import read
from phyzctl.issues import Issue, Issues
from phyzctl.lint.engine import lint
from tests.corpus import ROOT, SAMPLES

TABLE = ROOT / "tests" / "samples" / "broken.tsv"
ROBOTS = sorted(path for path in SAMPLES.iterdir() if path.suffix in (".urdf", ".xml"))


def judge(path: Path, config: Config | None = None) -> list[Issue]:
    issues = Issues()
    return lint(read(str(path), issues), issues, config or Config())


def rows() -> list[dict[str, str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((li for li in lines if not li.startswith("#")), delimiter="\t"))


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.name)
def test_a_sample_robot_is_clean_to_pedants(path: Path) -> None:
    assert [str(issue) for issue in judge(path, Config(pedantic=True))] == []


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_a_broken_robot_has_one_fault(row: dict[str, str]) -> None:
    (issue,) = judge(SAMPLES / "broken" / row["file"])
    assert issue.source is not None
    place = (issue.source.line, issue.source.column)
    assert (issue.code.id, issue.severity.label) == (row["code"], row["severity"])
    assert place == (int(row["line"]), int(row["column"]))


def test_every_broken_robot_is_in_the_table() -> None:
    folder = SAMPLES / "broken"
    files = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix != ".stl"
    }
    listed = {row["file"] for row in rows()}
    assert listed == {name for name in files if "." in name and not name.endswith(".md")}
