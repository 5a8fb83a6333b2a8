"""Start-up, as CPU time beside that of `python -c "import numpy"` in the same run.

Ratios hold on any machine, milliseconds don't. Each number is the least of several runs, taken
in turn, so that a noisy moment hits all of them alike.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.benchmarks.processes import PHYZCTL, cpu_seconds
from tests.corpus import SAMPLES, corpus_dir

pytestmark = pytest.mark.benchmark

ROUNDS = 7
NUMPY = (sys.executable, "-c", "import numpy")


def ratio(*arguments: str) -> float:
    """CPU time of `phyzctl arguments` over that of importing numpy."""
    ours, numpys = [], []
    for _ in range(ROUNDS):
        ours.append(cpu_seconds([*PHYZCTL, *arguments]))
        numpys.append(cpu_seconds(NUMPY))
    found = min(ours) / min(numpys)
    print(f"phyzctl {' '.join(arguments)}: {found:.2f} of importing numpy ({min(ours):.3f} s)")
    return found


def talos() -> Path:
    robots = corpus_dir("l") / "cmeel.prefix/share/example-robot-data/robots"
    return robots / "talos_data/robots/talos_full_v2.urdf"


def test_version() -> None:
    assert ratio("--version") <= 1.0


def test_help() -> None:
    assert ratio("--help") <= 1.5


def test_validating_13_links() -> None:
    assert ratio("validate", "--no-cache", str(SAMPLES / "quadruped.urdf")) <= 4.0


def test_validating_talos() -> None:
    assert ratio("validate", "--no-cache", str(talos())) <= 5.0
