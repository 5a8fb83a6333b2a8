"""The broken samples: that broken.tsv describes the files, and what peers make of them."""

from __future__ import annotations

import re
import subprocess
import xml.parsers.expat
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.samples.oracles import SAMPLES, check_urdf

BROKEN = SAMPLES / "broken"
TABLE = Path(__file__).with_name("broken.tsv")
MARK = re.compile(r"<!-- expect: ([A-Z]\d{3}) -->")
NOT_XML = {"X001", "X015", "X016"}


class Case(NamedTuple):
    """A row of broken.tsv."""

    file: str
    code: str
    severity: str
    line: int
    column: int
    verdict: str

    @property
    def path(self) -> Path:
        return BROKEN / self.file

    def lines(self) -> list[str]:
        return self.path.read_bytes().decode("latin-1").split("\n")


def _cases() -> list[Case]:
    rows = [row for row in TABLE.read_text("utf-8").splitlines() if not row.startswith("#")]
    cells = [row.split("\t") for row in rows[1:]]
    return [
        Case(file, code, severity, int(line), int(column), verdict)
        for file, code, severity, line, column, verdict in cells
    ]


CASES = _cases()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
each_urdf = pytest.mark.parametrize(
    "case", [case for case in CASES if case.path.suffix == ".urdf"], ids=lambda case: case.file
)
each_mjcf = pytest.mark.parametrize(
    "case", [case for case in CASES if case.path.suffix == ".xml"], ids=lambda case: case.file
)


def test_every_file_is_in_the_table_once() -> None:
    found = [str(path.relative_to(BROKEN)) for path in BROKEN.rglob("*") if path.is_file()]
    assert sorted(found) == sorted(case.file for case in CASES)


@each_case
def test_the_name_says_the_code(case: Case) -> None:
    assert case.path.name.startswith(f"{case.code}_")
    assert case.severity in ("error", "warning", "info")


@each_case
def test_the_mark_stands_on_the_line_once(case: Case) -> None:
    marks = {number: MARK.findall(text) for number, text in enumerate(case.lines(), 1)}
    assert {number: codes for number, codes in marks.items() if codes} == {case.line: [case.code]}


@each_case
def test_a_comment_on_top_tells_the_story(case: Case) -> None:
    top = "\n".join(case.lines()[:3])
    story = re.search(r"<!-- (?!expect)(.+?) -->", top)
    assert story is not None
    assert ": " not in story.group(1)


@each_case
def test_the_column_is_where_something_begins(case: Case) -> None:
    rest = case.lines()[case.line - 1][case.column - 1 :]
    if case.code in ("X001", "X009", "X015"):
        assert rest.strip()
    else:
        assert re.match(r"<[!a-zA-Z]|[A-Za-z_]\w*=", rest)


@each_case
def test_only_the_broken_xml_is_broken(case: Case) -> None:
    parser = xml.parsers.expat.ParserCreate()
    if case.code in NOT_XML:
        with pytest.raises(xml.parsers.expat.ExpatError):
            parser.Parse(case.path.read_bytes(), True)
    else:
        parser.Parse(case.path.read_bytes(), True)


@each_case
def test_it_is_tiny(case: Case) -> None:
    assert len(case.lines()) <= 60
    assert case.path.stat().st_size < 2500


@each_urdf
def test_check_urdf_judges_it_as_recorded(case: Case) -> None:
    try:
        result = check_urdf(case.path, seconds=5)
    except subprocess.TimeoutExpired:
        assert case.verdict == "hangs"
        return
    grumbles = re.search("error|warn", result.stdout + result.stderr, re.IGNORECASE)
    accepted = "warns" if grumbles else "accepts"
    assert ("refuses" if result.returncode else accepted) == case.verdict


@each_mjcf
def test_mujoco_judges_it_as_recorded(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mujoco = pytest.importorskip("mujoco")
    monkeypatch.chdir(tmp_path)  # where MuJoCo leaves its log
    said: list[Any] = []
    mujoco.set_mju_user_warning(said.append)
    try:
        mujoco.MjModel.from_xml_path(str(case.path))
        verdict = "warns" if said else "accepts"
    except ValueError:
        verdict = "refuses"
    finally:
        mujoco.set_mju_user_warning(None)
    assert verdict == case.verdict


@each_urdf
def test_no_urdf_is_broken_for_want_of_a_robot(case: Case) -> None:
    """A case that check_urdf refuses is one whose code says so, not one with a slip of ours."""
    structural = ("X", "N3", "T4", "J200")
    if case.verdict in ("refuses", "warns", "hangs"):
        assert case.code.startswith((*structural, "G513"))
