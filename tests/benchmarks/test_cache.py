"""What the cache of `validate` saves, and what keeping results costs a run that finds none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from phyzctl.cachedir import VARIABLE
from tests.benchmarks.processes import PHYZCTL, cpu_seconds
from tests.corpus import SAMPLES, corpus_dir

pytestmark = pytest.mark.benchmark

ROUNDS = 3


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def measured(robots: Path, cache: Path) -> tuple[float, float, float]:
    """CPU time without a cache, with an empty one, and with one that holds all; the least each."""
    command = [*PHYZCTL, "validate", str(robots)]
    plain, cold, warm = [], [], []
    for _ in range(ROUNDS):
        plain.append(cpu_seconds([*command, "--no-cache"]))
        shutil.rmtree(cache, ignore_errors=True)
        cold.append(cpu_seconds(command))
        warm.append(cpu_seconds(command))
    found = min(plain), min(cold), min(warm)
    print(f"{robots.name}: no cache {found[0]:.2f} s, cold {found[1]:.2f} s, warm {found[2]:.2f} s")
    return found


def test_a_folder_of_robots(cache: Path) -> None:
    plain, cold, warm = measured(corpus_dir("shared") / "menagerie", cache)
    assert warm <= plain / 2.0
    assert cold <= plain * 1.25


def test_one_robot(cache: Path) -> None:
    plain, cold, warm = measured(SAMPLES / "quadruped.urdf", cache)
    assert warm <= plain
    assert cold <= plain * 1.15
