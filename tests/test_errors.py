"""Nearest names, and how the search for them ends."""

from __future__ import annotations

import time

import pytest

from phyzctl.errors import Suggester, did_you_mean, nearest

NAMES = ["elbow", "shoulder", "wrist"]


@pytest.mark.parametrize(
    ("name", "match"),
    [("elbw", "elbow"), ("sholder", "shoulder"), ("wirst", "wrist"), ("zebra", None), ("", None)],
)
def test_nearest(name: str, match: str | None) -> None:
    assert nearest(name, NAMES) == match
    assert Suggester().nearest(name, NAMES) == match
    hint = f"; did you mean {match!r}?" if match else ""
    assert did_you_mean(name, NAMES) == hint
    assert Suggester().did_you_mean(name, NAMES) == hint


def test_a_suggester_gives_up_after_its_comparisons() -> None:
    suggester = Suggester(comparisons=7)
    answers = [suggester.nearest("elbw", NAMES) for _ in range(5)]
    assert answers == ["elbow", "elbow", "elbow", None, None]


def test_very_many_unknown_names_take_no_time() -> None:
    known = [f"link_{n}" for n in range(3_000)]
    suggester = Suggester()
    start = time.process_time()
    for n in range(3_000):
        suggester.nearest(f"lnk_{n}", known)
    assert time.process_time() - start < 10.0


def test_no_names_offer_none() -> None:
    assert nearest("elbow", []) is None
    assert Suggester(0).did_you_mean("elbw", NAMES) == ""
