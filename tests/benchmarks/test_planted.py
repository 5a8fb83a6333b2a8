"""Mistakes planted in clean robots, one a copy: which are found, at the element and line.

`pytest -s` prints the tables of `docs/planted.md`: by family, by kind of mistake, and beside
other programs where these are installed (see `planting.peers`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest

from phyzctl.issues import Issue, Source
from tests.benchmarks.planting.catalogue import PLANTERS
from tests.benchmarks.planting.peers import mirrored, peers
from tests.benchmarks.planting.planter import Defect, Original, Planter
from tests.benchmarks.planting.robots import errors, judge, originals

pytestmark = pytest.mark.benchmark

COPIES = 7  # of each kind of mistake, in as many robots
PEER_COPIES = 2  # the same for other programs, of which one takes a second a file
SEED = 8


@dataclass(frozen=True, eq=False)
class Planted:
    """A mistake, where it was made, and whether it was found there."""

    planter: Planter
    original: Original
    defect: Defect
    found: bool


def test_the_originals_are_called_clean() -> None:
    assert {each.path: found for each in originals() if (found := errors(each))} == {}


def test_every_kind_of_mistake_is_known() -> None:
    names = Counter((planter.format, planter.name) for planter in PLANTERS)
    assert [name for name, count in names.items() if count > 1] == []


def test_mistakes_are_found_where_they_are() -> None:
    planted = all_planted()
    print(f"\n{len(planted)} mistakes of {len(PLANTERS)} kinds\n")
    print(table(planted))
    missed = [each for each in planted if not each.found]
    for each in missed:
        print(f"missed: {each.planter.name} in {each.original.path}:{each.defect.line}")
    assert len(planted) >= 600
    assert len(missed) <= 0.03 * len(planted)


@pytest.mark.parametrize("planter", PLANTERS, ids=lambda each: f"{each.format}: {each.name}")
def test_no_kind_of_mistake_goes_by(planter: Planter) -> None:
    own = [each for each in all_planted() if each.planter is planter]
    assert own, "nothing to plant it in"
    assert sum(each.found for each in own) > 0.5 * len(own)


def test_beside_other_programs(tmp_path: Path) -> None:
    planted = all_planted(PEER_COPIES)
    paths = {each: mirrored_path(each, tmp_path / str(n)) for n, each in enumerate(planted)}
    clean = {each.original.path for each in planted}
    found: dict[str, dict[Planted, bool]] = {}
    for name, ask in peers().items():
        before, after = ask(sorted(clean)), ask(list(paths.values()))
        found[name] = {
            each: bool(after[path] - before[each.original.path])
            for each, path in paths.items()
            if reads(name, each.original.format) and "refused" not in before[each.original.path]
        }
    print(f"\n{len(planted)} mistakes, {PEER_COPIES} of a kind\n")
    print(peer_table(planted, found))
    for name, told in found.items():
        assert sum(told.values()) < sum(each.found for each in told), name


def reads(program: str, format_name: str) -> bool:
    """Whether a program is made for files of that format."""
    known = {"check_urdf": {"urdf"}, "mjcf-doctor": {"mjcf"}}
    return format_name in known.get(program, {"urdf", "mjcf"})


def mirrored_path(each: Planted, folder: Path) -> str:
    return str(mirrored(Path(each.original.path), each.defect.data, folder))


@cache
def all_planted(most: int = COPIES) -> tuple[Planted, ...]:
    """All mistakes, planted and looked for; the seed chooses the robots and the places."""
    rng = Random(SEED)
    robots = list(originals())
    planted = []
    for planter in PLANTERS:
        able = [each for each in robots if each.format == planter.format]
        rng.shuffle(able)
        copies = 0
        for original in able:
            defect = planter.plant(original, rng) if copies < most else None
            if defect is not None:
                copies += 1
                planted.append(looked_for(planter, original, defect))
    return tuple(planted)


def looked_for(planter: Planter, original: Original, defect: Defect) -> Planted:
    issues = judge(defect.data, original.path, planter.config)
    found = any(points_at(issue, defect) for issue in issues if issue.code.id in planter.codes)
    return Planted(planter, original, defect, found)


def points_at(issue: Issue, defect: Defect) -> bool:
    """Whether an Issue, or one of the places that it lists, is on the line and in the element."""
    places: Iterable[Source | None] = (issue.source, *(each.source for each in issue.related))
    start, end = defect.span
    return any(
        place.line == defect.line and (place.offset is None or start <= place.offset < end)
        for place in places
        if place is not None
    )


def table(planted: Iterable[Planted]) -> str:
    """Families and kinds of mistakes: how many were planted, how many found."""
    planted = list(planted)
    rows = ["| mistake | format | codes | planted | found |", "|---|---|---|---:|---:|"]
    for planter in sorted(PLANTERS, key=lambda each: (sorted(each.codes), each.format, each.name)):
        own = [each for each in planted if each.planter is planter]
        codes = ", ".join(sorted(planter.codes))
        found = sum(each.found for each in own)
        rows.append(f"| {planter.name} | {planter.format} | {codes} | {len(own)} | {found} |")
    return "\n".join(rows)


def peer_table(planted: Iterable[Planted], found: dict[str, dict[Planted, bool]]) -> str:
    """By family: found here, and by each of the others, of those in files that it reads."""
    planted = list(planted)
    rows = [f"| family | phyzctl | {' | '.join(found)} |", f"|---|---:|{'---:|' * len(found)}"]
    families = sorted({each.planter.family for each in planted})
    for family in [*families, "all"]:
        own = [each for each in planted if family in (each.planter.family, "all")]
        cells = [share([each.found for each in own])]
        cells += [share([told[each] for each in own if each in told]) for told in found.values()]
        rows.append(f"| {family} | {' | '.join(cells)} |")
    return "\n".join(rows)


def share(answers: list[bool]) -> str:
    return f"{sum(answers)} of {len(answers)}" if answers else "-"
