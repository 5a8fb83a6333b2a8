"""The mistakes and traps collected beside the project: found or left alone, as their table says."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from phyzctl.config import Config
from phyzctl.formats import FORMATS, read
from phyzctl.issues import Issue, Issues, Severity
from phyzctl.lint.engine import lint
from tests.corpus import SHARED_CORPUS

FOLDER = SHARED_CORPUS / "lint_cases"
READABLE = {"urdf": ".urdf", "mjcf": ".xml"}

# Rules that only `--deep` runs. The table calls u27's overlap of 80 mm a warning; the catalogue of
# rules makes an error of what is deeper than 20 mm, and that is what we say.
DEEP = {"C901": "error"}
# Rules about consumers, which have to be named. The table makes an info of the fault without them.
TARGETS = {"P801": (("usd",), "warning")}
# What the line of the Issue must hold.
LINE = {
    "u09_revolute_no_limit.urdf": "<joint",
    "u11_effort_velocity_zero.urdf": 'effort="0"',
    "u13_axis_not_unit.urdf": "<axis",
    "u15_mimic_cycle.urdf": "<mimic",
    "u17_two_roots.urdf": "<link",
    "u21_package_unresolved.urdf": "package://",
    "u25_rpy_in_degrees.urdf": "0 0 90",
    "u29_limit_rounded_past_pi.urdf": "3.1416",
}

_EXPECTED = re.compile(r"([A-Z]\d{3}) (error|warning|info)|info ([A-Z]\d{3})")


def table() -> list[dict[str, str]]:
    if not FOLDER.is_dir():
        return []
    with (FOLDER / "cases.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def judge(name: str, *, deep: bool = False, target: tuple[str, ...] = ()) -> list[Issue]:
    suffixes = {READABLE[known.name] for known in FORMATS if known.name in READABLE}
    if Path(name).suffix not in suffixes:
        pytest.skip("this format is not read yet")
    issues = Issues()
    return lint(read(str(FOLDER / name), issues), issues, Config(deep=deep, target=target))


def expected(row: dict[str, str]) -> tuple[str, str] | None:
    match = _EXPECTED.match(row["expected"])
    if match is None:
        return None
    return (match[1], match[2]) if match[1] else (match[3], "info")


FOUND = {row["file"]: found for row in table() if (found := expected(row))}
CLEAN = [row["file"] for row in table() if row["expected"].startswith("clean")]


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared corpus is absent")
def test_the_table_is_read() -> None:
    assert len(FOUND) + len(CLEAN) == len(table()) > 20


@pytest.mark.parametrize("name", FOUND)
def test_a_mistake_is_found(name: str) -> None:
    code, severity = FOUND[name]
    target, severity = TARGETS.get(code, ((), severity))
    found = judge(name, deep=code in DEEP, target=target)
    severity = DEEP.get(code, severity)
    assert (code, severity) in {(issue.code.id, issue.severity.label) for issue in found}
    for issue in found:
        if issue.code.id == code and name in LINE:
            assert issue.source is not None
            assert issue.source.line is not None
            lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
            assert LINE[name] in lines[issue.source.line - 1]


@pytest.mark.parametrize("name", [*FOUND, *CLEAN])
def test_nothing_else_is_worse_than_an_info(name: str) -> None:
    wanted = FOUND.get(name, ("", ""))[0]
    others = [i for i in judge(name) if i.code.id != wanted and i.severity > Severity.INFO]
    assert [str(issue) for issue in others] == []
