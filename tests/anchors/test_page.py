"""docs/anchors.md says what is measured."""

from __future__ import annotations

import re

import pytest

from tests.anchors.page import page
from tests.corpus import ROOT

WRITTEN = ROOT / "docs" / "anchors.md"


def parts(text: str) -> list[tuple[str, list[str]]]:
    """Of every line the words, without the two columns of figures, and those."""
    found = []
    for line in text.rstrip().split("\n"):
        cells = line.split("|")
        cut = 3 if re.match(r"\| [^|]+ \| [^|]* \|", line) else len(cells)
        found.append(("|".join(cells[:cut]), [cell.strip() for cell in cells[cut:-1]]))
    return found


@pytest.mark.slow
def test_the_page_is_what_is_measured() -> None:
    written, measured = parts(WRITTEN.read_text(encoding="utf-8")), parts("\n".join(page()))
    assert [words for words, _ in written] == [words for words, _ in measured]
    for (words, shown), (_, found) in zip(written, measured, strict=True):
        for old, new in zip(shown, found, strict=True):
            if re.match(r"[-\d]", old):
                assert float(new) == pytest.approx(float(old), rel=0.2, abs=1e-12), words
            else:
                assert new == old, words
