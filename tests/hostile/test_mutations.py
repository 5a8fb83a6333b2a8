"""No attribute of a sample can be mutated so that `validate` fails without saying where."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import SAMPLES
from tests.hostile.mutations import KINDS, Mutation, errors, is_told, mutations

SAMPLE_FILES = sorted((*SAMPLES.glob("*.urdf"), *SAMPLES.glob("*.xml")))


def untold(path: Path, step: int = 1) -> tuple[int, int, list[Mutation]]:
    """How many mutations there are, how many change the exit code, and which untold."""
    fails = bool(errors(path.read_bytes(), path))
    total, changed, silent = 0, 0, []
    for mutation in list(mutations(path))[::step]:
        found = errors(mutation.data, path)
        total += 1
        if bool(found) != fails:
            changed += 1
            if not is_told(mutation, found):
                silent.append(mutation)
    return total, changed, silent


def test_all_kinds_are_made_and_one_thing_changes() -> None:
    path = SAMPLES / "double_pendulum.urdf"
    made = list(mutations(path))
    assert {each.kind for each in made} == set(KINDS)
    original = path.read_bytes()
    assert all(each.data != original for each in made)
    assert all(each.data.count(b"\n") == original.count(b"\n") for each in made)


@pytest.mark.parametrize("name", ["double_pendulum.urdf", "double_pendulum.xml"])
def test_some_mutations_of_a_small_sample_are_told(name: str) -> None:
    total, changed, silent = untold(SAMPLES / name, step=7)
    assert total > 60
    assert changed > 0.5 * total
    assert [str(each) for each in silent] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLE_FILES, ids=lambda each: each.name)
def test_every_mutation_of_every_sample_is_told(path: Path) -> None:
    total, changed, silent = untold(path)
    print(f"{path.name}: {total} mutations, {changed} change the exit code, {len(silent)} untold")
    assert [str(each) for each in silent] == []
