"""Start-up, as CPU time beside that of `python -c "import numpy"` in the same run.

Ratios hold on any machine, milliseconds don't. Each number is the least of several runs, taken
in turn, so that a noisy moment hits all of them alike.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.corpus import SAMPLES, corpus_dir

pytestmark = pytest.mark.benchmark

ROUNDS = 7
NUMPY = ("-c", "import numpy")
PHYZCTL = ("-P", "-m", "phyzctl")


def cpu_seconds(arguments: Sequence[str]) -> float:
    """User and system time of one Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, check=False, env=environment
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
