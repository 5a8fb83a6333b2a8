"""The command under limits, so that what takes too much fails instead of taking it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

CPU_SECONDS = 30  # far above what a case takes, far below what has no bounds
ADDRESS_SPACE = 3 << 29  # 1.5 GiB; Python, numpy and the kernel take a third of it


class Ending(NamedTuple):
    """What a run came to; a negative code is the signal that ended it."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> list[str]:
        """What stands on both streams, without blank lines and the summary."""
        lines = (self.out + self.err).splitlines()
        return [line for line in lines if line.strip() and not line.endswith((" file", " files"))]


Bounded = Callable[..., Ending]


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@pytest.fixture
def bounded(tmp_path: Path) -> Bounded:
    """`bounded(*arguments)`: the command in `tmp_path`, in a process with limits."""

    def run(*arguments: str) -> Ending:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "phyzctl", *arguments],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            preexec_fn=_limit,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            timeout=300,
            check=False,
        )
        return Ending(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
