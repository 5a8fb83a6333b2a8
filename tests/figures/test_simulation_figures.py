"""The page of figures is what was measured, and what misses a gate has its reason."""

from __future__ import annotations

import json

import pytest

from tests.corpus import ROOT, SHARED_CORPUS
from tests.figures.simulation import GATES, KEPT, REASONS, Figures, all_scenes, beyond, page
from tests.native.test_trajectories import APART

PAGE = ROOT / "docs" / "simulation_figures.md"


@pytest.fixture(scope="module")
def figures() -> Figures:
    kept: Figures = json.loads(KEPT.read_text())
    return kept


def test_page_is_what_was_measured() -> None:
    assert PAGE.read_text() == page()


def test_figures_meet_their_gates_or_have_a_reason(figures: Figures) -> None:
    missed = {name for name, row in figures.items() if beyond(name, row)}
    assert missed <= set(REASONS)


def test_reasons_are_needed(figures: Figures) -> None:
    """Of a second's motion; ratios near their gates go either way from run to run."""
    assert {name for name in APART if name in figures} == {
        name for name, row in figures.items() if "1 s" in beyond(name, row)
    } | {"hello_robot_stretch_3/scene.xml"}  # its gate is as wide as what noise makes of it
    assert set(REASONS) <= set(figures)


def test_every_robot_is_there(figures: Figures) -> None:
    if not SHARED_CORPUS.is_dir():
        pytest.skip("the menagerie is not here")
    assert set(figures) <= set(all_scenes())
    assert len(figures) >= 0.95 * len(all_scenes())
    assert all(
        set(GATES) | {"apart", "noise", "us", "ratio"} <= set(row) for row in figures.values()
    )
