"""CPU time of whole processes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence

PHYZCTL = (sys.executable, "-P", "-m", "phyzctl")


def cpu_seconds(command: Sequence[str], codes: Sequence[int] = (0, 1)) -> float:
    """User and system time of a process and what it started.

    One thread, and compiled modules kept from run to run, as they are for whatever is installed.
    The process must end with one of `codes`, any if there are none.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = _spent()
    done = subprocess.run(
        command, capture_output=True, check=False, env={**kept, "OPENBLAS_NUM_THREADS": "1"}
    )
    assert not codes or done.returncode in codes, done.stderr.decode()
    return _spent() - before


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime
