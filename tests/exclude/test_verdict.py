"""Labels in MoveIt's order, and the narrower suggestions."""

from __future__ import annotations

from typing import Any

import pytest

from phyzctl.exclude.facts import Certificate, ExcludeReport, Outcome, PairFacts, Witness
from phyzctl.exclude.pairs import BodyPair
from phyzctl.exclude.verdict import Policy, disabled_links, suggestions
from tests.exclude.robots import ball, mjcf, model_of

APART = Witness(0.02, (0.0,))
OVERLAP = Witness(-0.02, (0.0,))


def facts(*, first: int = 0, **changes: Any) -> PairFacts:
    """A pair two joints apart that never touched in 1000 samples, but for the changes."""
    pair = {"filtered": None, "excluded": False, "adjacent": False}
    pair |= {key: changes.pop(key) for key in list(changes) if key in pair}
    body_pair = BodyPair(first, 1, ((0, 1),), (0, 1), **pair)  # type: ignore[arg-type]
    plain: dict[str, Any] = {"samples": 1000, "hits": 0, "clearance": APART} | changes
    return PairFacts(body_pair, "a", "b", ("j", "k"), **plain)


HIT: dict[str, Any] = {"hits": 100, "deepest": OVERLAP, "clearance": None}
ALWAYS: dict[str, Any] = {"hits": 990, "deepest": OVERLAP, "clearance": None}


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"adjacent": True}, "Adjacent"),
        ({"adjacent": True, "default_depth": 0.1, **ALWAYS}, "Adjacent"),
        ({"default_depth": 0.1, **ALWAYS}, "Default"),
        (ALWAYS, "Always"),
        ({**HIT, "certificate": Certificate(Outcome.ALWAYS)}, "Always"),
        (HIT, None),
        ({}, "Never"),
        ({"certificate": Certificate(Outcome.NEVER)}, "Never"),
        ({"certificate": Certificate(Outcome.UNDECIDED)}, "Never"),
        ({"certificate": Certificate(Outcome.REFUTED, witness=OVERLAP)}, None),
        ({"certificate": Certificate(Outcome.GRAZES, witness=APART)}, None),
        ({"clearance": OVERLAP}, None),
        ({"samples": 0, "clearance": None}, None),
    ],
)
def test_labels(changes: dict[str, Any], label: str | None) -> None:
    assert Policy().label(facts(**changes)) == label


@pytest.mark.parametrize(
    ("changes", "suggestion"),
    [
        (ALWAYS, "Always"),
        ({**ALWAYS, "filtered": "welded"}, None),
        ({**ALWAYS, "excluded": True}, None),
        ({**HIT, "adjacent": True, "artefact": 0.6}, "Adjacent"),
        ({**HIT, "adjacent": True, "artefact": 0.1}, None),
        ({**HIT, "default_depth": 0.001, "artefact": 0.6}, "Default"),
        ({**HIT, "default_depth": 0.2, "artefact": 0.1}, None),
        ({**HIT, "artefact": 0.9}, None),
        ({"adjacent": True}, None),
        ({}, None),
    ],
)
def test_suggestions(changes: dict[str, Any], suggestion: str | None) -> None:
    assert Policy().suggestion(facts(**changes)) == suggestion


def test_never_is_suggested_on_demand_and_by_margin() -> None:
    assert Policy(never=True).suggestion(facts()) == "Never"
    assert Policy(never=True, margin=0.03).suggestion(facts()) is None
    assert Policy(margin=0.03).label(facts()) is None
    assert Policy(never=True).suggestion(facts(**HIT)) is None


def test_the_fraction_draws_the_line() -> None:
    assert Policy(fraction=0.995).label(facts(**ALWAYS)) is None
    assert Policy(fraction=0.1).label(facts(**HIT)) == "Always"


def report(*pairs: PairFacts) -> ExcludeReport:
    return ExcludeReport(model_of(mjcf(f'<body name="a">{ball()}</body>')), pairs, 1000, 0)


def test_an_srdf_gets_the_labels_asked_for_and_never_the_world() -> None:
    found = report(facts(adjacent=True), facts(first=-1))
    assert disabled_links(found, Policy()) == {("a", "b"): "Adjacent"}
    assert disabled_links(found, Policy(), frozenset({"Never"})) == {}


def test_suggestions_come_with_their_labels() -> None:
    found = report(facts(**ALWAYS), facts())
    assert [label for _, label in suggestions(found, Policy())] == ["Always"]
