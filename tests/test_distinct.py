"""`distinct` against `numpy.unique`."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from phyzctl.distinct import distinct


def check(values: np.ndarray) -> None:
    found, first, which = distinct(values)
    expected = np.unique(values, return_index=True, return_inverse=True)
    assert_array_equal(found, expected[0])
    assert_array_equal(first, expected[1])
    assert_array_equal(which, expected[2].ravel())
    assert_array_equal(found[which], values.ravel())


@given(st.lists(st.integers(-5, 5) | st.integers(-(2**62), 2**62), max_size=40))
def test_any_integers(values: list[int]) -> None:
    check(np.array(values, dtype=np.int64))


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.intp])
def test_tables_of_any_type(dtype: type) -> None:
    check(np.random.default_rng(0).integers(0, 9, (20, 2)).astype(dtype))


def test_masked_arrays_are_not_imported() -> None:
    code = (
        "import sys, numpy as np; from phyzctl.distinct import distinct\n"
        "distinct(np.array([2, 1, 2])); sys.exit('numpy.ma' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
