"""The published matrices of real robots, as docs/exclude.md compares them with ours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from phyzctl import formats
from phyzctl.exclude.facts import PairFacts
from phyzctl.exclude.survey import Effort, survey
from phyzctl.exclude.verdict import ADJACENT, ALWAYS, DEFAULT, NEVER, Policy
from phyzctl.formats.srdf import read_srdf
from phyzctl.issues import Issues
from phyzctl.model import compiler
from tests.corpus import ROOT, corpus_dir

pytestmark = [pytest.mark.corpus_m, pytest.mark.slow]

SAME, NEIGHBOURS, OTHER = "same", "neighbours", "other"
SAMPLED, SEARCHED = "collide, samples", "collide, search"
APART, NOW_AND_THEN, DRAWN = "proved apart", "now and then", "as drawn"


def rows() -> Iterator[tuple[str, dict[str, int]]]:
    """Per SRDF in the page's table, how many of its pairs are what."""
    page = (ROOT / "docs" / "exclude.md").read_text(encoding="utf-8")
    table = re.search(r"^\| SRDF \|.*?\n\n", page, re.MULTILINE | re.DOTALL)
    assert table is not None
    head, _, *lines = (line.strip("|").split("|") for line in table[0].strip().splitlines())
    kinds = [word.strip() for word in head[1:]]
    for names, *cells in lines:
        counts = {kind: int(cell.strip() or 0) for kind, cell in zip(kinds, cells, strict=True)}
        for name in re.findall(r"`(\w+)`", names):
            yield name, counts


def kind_of(reason: str, facts: PairFacts | None) -> str:
    """How a published reason compares with the facts."""
    if facts is None:
        return OTHER
    label = Policy().label(facts)
    if label == reason:
        return SAME
    if label == ADJACENT:
        return NEIGHBOURS
    if reason == NEVER and facts.overlaps:
        return DRAWN if facts.default_depth is not None else SAMPLED if facts.hits else SEARCHED
    if reason in (ALWAYS, DEFAULT, ADJACENT) and facts.proved_never:
        return APART
    apart = facts.default_depth is None and label != ALWAYS
    return NOW_AND_THEN if reason in (ALWAYS, DEFAULT) and apart else OTHER


@pytest.mark.parametrize(("name", "told"), list(rows()))
def test_the_table_of_the_page(name: str, told: dict[str, int]) -> None:
    paths = list(corpus_dir("m").rglob(f"{name}.srdf"))
    assert len(paths) == 1
    robot = formats.read(str(paths[0].with_suffix(".urdf")), Issues()).robot
    srdf = read_srdf(str(paths[0]), Issues())
    assert robot is not None
    assert srdf is not None
    model = compiler.compile(robot)
    bodies = {body.name for body in model.bodies}
    report = survey(model, Effort(), passive=srdf.passive_joints)
    published = {pair.key: pair for pair in reversed(srdf.disabled)}
    found = Counter(
        kind_of(
            pair.reason,
            report.find(pair.first, pair.second) if {pair.first, pair.second} <= bodies else None,
        )
        for pair in published.values()
    )
    assert len(published) == told["pairs"]
    assert {kind: found[kind] for kind in told if kind != "pairs"} == {
        kind: count for kind, count in told.items() if kind != "pairs"
    }
