"""The hundred errors that `docs/judged_errors.md` judges: true ones are found, false ones not."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from phyzctl.config import Config
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.lint.engine import lint, rules
from tests.corpus import ROOT, corpus_dir

DOCUMENT = ROOT / "docs" / "judged_errors.md"

_ROW = re.compile(
    r"\| `(m|shared)/([^`]+)` \| (?:([^ |]+):)?(\d+) \| ([A-Z]\d{3}) \| (.+) \| "
    r"(true|false, mended) \| (.+) \|"
)
_PREFIX = "cmeel.prefix/share"


class Row(NamedTuple):
    """One judged finding: in which file it comes up, where it stands, and the verdict."""

    tier: str
    file: str
    part: str | None
    line: int
    code: str
    finding: str
    verdict: str
    reason: str

    @property
    def is_true(self) -> bool:
        return self.verdict == "true"


def table() -> list[Row]:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    matches = [match.groups() for line in lines if (match := _ROW.fullmatch(line))]
    return [Row(tier, file, part, int(line), *rest) for tier, file, part, line, *rest in matches]


def path_of(row: Row) -> Path:
    folder = corpus_dir(row.tier)
    plain = folder / row.file
    return plain if plain.is_file() else folder / _PREFIX / row.file


def test_the_table_has_a_hundred_rows_and_its_sums_are_right() -> None:
    rows = table()
    false = sum(not row.is_true for row in rows)
    assert len(rows) == 100
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert f"{100 - false} of the 100 are true, {false} were false" in text
    assert {row.code for row in rows} <= rules().keys()
    assert all(row.reason.endswith(".") for row in rows)


def test_the_rows_are_spread() -> None:
    rows = table()
    assert len({row.code for row in rows}) >= 15
    assert len({row.file for row in rows}) >= 25
    assert Counter(row.code for row in rows).most_common(1)[0][1] <= 60


def test_ten_warnings_are_judged() -> None:
    _, _, text = DOCUMENT.read_text(encoding="utf-8").partition("most frequent warnings")
    codes = re.findall(r"^\| ([A-Z]\d{3}) \|", text, re.MULTILINE)
    assert len(codes) == len(set(codes)) == 10
    assert set(codes) <= rules().keys()


FILES = sorted({(row.tier, row.file) for row in table()})


@pytest.mark.corpus_m
@pytest.mark.parametrize("file", FILES, ids="/".join)
def test_what_is_true_is_found_and_what_was_false_is_not(file: tuple[str, str]) -> None:
    rows = [row for row in table() if (row.tier, row.file) == file]
    path = path_of(rows[0])
    if not path.is_file():
        pytest.skip(f"{file[1]} is absent")
    issues = Issues()
    chosen = Config(select=tuple({row.code for row in rows}))
    found = {
        (Path(issue.source.path).name, issue.source.line, issue.code.id)
        for issue in lint(read(str(path), issues), issues, chosen)
        if issue.fatal and issue.source is not None
    }
    for row in rows:
        place = (row.part or path.name, row.line, row.code)
        assert (place in found) is row.is_true, row
