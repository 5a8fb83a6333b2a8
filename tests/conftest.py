"""Fixtures that all tests share; real robots are found by tests/corpus.py."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

import phyzctl
from phyzctl.cachedir import VARIABLE
from tests.corpus import ROOT, corpus_dir

Command = Callable[..., subprocess.CompletedProcess[str]]


def pytest_configure() -> None:
    """Refuse to test a tree without its compiled kernel, as `python -m pytest` would."""
    try:
        importlib.import_module("phyzctl.native")
    except ImportError:
        raise pytest.UsageError(
            f"{phyzctl.__path__[0]} has no compiled kernel: run `pip install .` and then "
            "`pytest`, which leaves the working directory off the path, or `pip install -e .`"
        ) from None
    # A busy machine is no fault: how long an example takes is for the benchmarks.
    hypothesis.settings.register_profile("phyzctl", deadline=None)
    hypothesis.settings.load_profile("phyzctl")


def pytest_report_header() -> str:
    """Say which phyzctl is under test: the installed one, or a tree on the path."""
    return f"phyzctl: {phyzctl.__version__} from {Path(phyzctl.__file__).parent}"


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds pyproject.toml, sample_robots/ and schemas/."""
    return ROOT


@pytest.fixture(scope="session")
def shared_corpus() -> Path:
    """The robots kept beside the project; skips the test where they are absent."""
    return corpus_dir("shared")


@pytest.fixture(scope="session")
def run_phyzctl(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """`run_phyzctl(*arguments, stdin=None, cwd=None)`: the command in a process of its own.

    Its cache is the session's. `-P` keeps the working directory off the path, so that the same
    package answers as here.
    """

    environment = {**os.environ, VARIABLE: str(tmp_path_factory.mktemp("cache"))}

    def run(
        *arguments: str, stdin: str | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "phyzctl", *arguments],
            input=stdin,
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run
