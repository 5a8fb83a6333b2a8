"""The formats of traces as parameters of tests; one whose package is missing is skipped."""

from __future__ import annotations

import importlib.util

import pytest

from phyzctl.trace.files import SUFFIXES

HERE = [s for s in SUFFIXES if s != ".parquet" or importlib.util.find_spec("pyarrow")]
_MISSING = pytest.mark.skip(reason="pyarrow is not installed")
EVERY = [pytest.param(s, marks=() if s in HERE else (_MISSING,), id=s) for s in SUFFIXES]
every_format = pytest.mark.parametrize("suffix", EVERY)
