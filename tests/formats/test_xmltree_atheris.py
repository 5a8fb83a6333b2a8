"""The XML layer under a fuzzer that watches which lines are reached; skipped without atheris."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import SAMPLES

FUZZER = Path(__file__).with_name("fuzz_xmltree.py")
SECONDS = 60


@pytest.mark.soak
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_a_minute_of_fuzzing(tmp_path: Path) -> None:
    for path in (SAMPLES / "broken").glob("*.urdf"):
        shutil.copy(path, tmp_path)
    done = subprocess.run(
        [sys.executable, str(FUZZER), f"-max_total_time={SECONDS}", "-timeout=10", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=20 * SECONDS,
        check=False,
    )
    print(done.stderr[-300:])
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Done" in done.stderr
