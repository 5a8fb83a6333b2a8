"""A process ends in silence, whatever it still holds."""

from __future__ import annotations

import subprocess
import sys

HOLDING = """
import gc
import numpy as np
from phyzctl import native
held = [native.Shapes(np.array([2], dtype=np.int32), np.array([[0.1, 0, 0]]))]
held.append(held)
gc.freeze()  # as the command does at its end
"""


def test_nothing_is_said_of_what_is_left() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", HOLDING], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
