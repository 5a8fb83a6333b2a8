"""Mutators and strategies: repeatable, really different, and harmless to what reads them."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.issues import Issues
from phyzctl.lint.engine import lint
from tests.corpus import SAMPLES
from tests.soak.cases import draw_documents
from tests.soak.mutate import MUTATORS, Mutator, spoiled
from tests.soak.mutatexml import TREE_MUTATORS, TreeMutator, restructured
from tests.soak.reduce import reduced
from tests.soak.strategies import FORMATS, documents

SAMPLE = (SAMPLES / "arm_gripper.urdf").read_bytes()


def judged(data: bytes) -> list[bool]:
    """Which of the Issues of a document are errors."""
    issues = Issues()
    return [issue.fatal for issue in lint(read_bytes(data, "r.xml", issues), issues, Config())]


@pytest.mark.parametrize("mutator", dict.fromkeys(MUTATORS), ids=lambda each: each.__name__)
def test_a_mutator_is_repeatable_and_spoils(mutator: Mutator) -> None:
    results = [mutator(SAMPLE, random.Random(seed)) for seed in range(20)]
    assert results == [mutator(SAMPLE, random.Random(seed)) for seed in range(20)]
    assert sum(result != SAMPLE for result in results) > 10
    mutator(b"", random.Random(0))


@pytest.mark.parametrize("mutator", dict.fromkeys(TREE_MUTATORS), ids=lambda each: each.__name__)
def test_a_tree_mutator_changes_one_thing(mutator: TreeMutator) -> None:
    original = ET.tostring(ET.fromstring(SAMPLE))
    changed = 0
    for seed in range(20):
        root = ET.fromstring(SAMPLE)
        mutator(root, random.Random(seed))
        changed += ET.tostring(root) != original
    assert changed > 10
    mutator(ET.Element("robot"), random.Random(0))


def test_what_is_spoiled_as_a_tree_is_well_formed() -> None:
    for seed in range(30):
        data = restructured(SAMPLE, random.Random(seed))
        assert data is not None
        ET.fromstring(data)
    assert restructured(b"<robot", random.Random(0)) is None


def test_spoiled_files_stay_small() -> None:
    data, rng = SAMPLE, random.Random(3)
    for _ in range(300):
        data = spoiled(data, rng) or SAMPLE
    assert len(data) < 50_000_000


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("orderly", [True, False])
def test_a_seed_makes_the_same_documents(form: str, orderly: bool) -> None:
    first = draw_documents(form, 7, orderly=orderly, count=10)
    assert first == draw_documents(form, 7, orderly=orderly, count=10)
    assert len(set(first)) > 3


@pytest.mark.parametrize("form", FORMATS)
def test_orderly_documents_are_better_than_others(form: str) -> None:
    def errors_per_kilobyte(orderly: bool) -> float:
        made = draw_documents(form, 5, orderly=orderly)
        return 1000 * sum(sum(judged(data)) for data in made) / sum(map(len, made))

    assert 2.0 * errors_per_kilobyte(True) < errors_per_kilobyte(False)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(data=st.data(), orderly=st.booleans())
def test_any_document_of_the_grammar_is_judged(
    form: str, data: st.DataObject, orderly: bool
) -> None:
    judged(data.draw(documents(form, orderly=orderly)))


def test_reduction_keeps_what_matters() -> None:
    def still(data: bytes) -> bool:
        return b"gripper" in data and b"<joint" in data

    small = reduced(SAMPLE, still, tries=3000)
    assert still(small)
    assert len(small) < 200
    text = b"\n".join(b"line %d" % number for number in range(200))
    assert reduced(text, lambda data: b"137" in data) == b"137"


def test_reduction_ends_when_its_tries_are_spent() -> None:
    asked = []

    def still(data: bytes) -> bool:
        asked.append(data)
        return True

    reduced(SAMPLE, still, tries=10)
    assert len(asked) <= 10
