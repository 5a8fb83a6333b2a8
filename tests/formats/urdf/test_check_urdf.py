"""What check_urdf refuses, `validate` calls an error."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from phyzctl import api
from tests.corpus import SAMPLES, robot_params
from tests.samples.oracles import check_urdf

_BROKEN = sorted((SAMPLES / "broken").glob("*.urdf"))


def expect_an_error_where_check_urdf_refuses(path: Path) -> None:
    """Its word against ours; a file on which it never returns tells nothing."""
    try:
        verdict = check_urdf(path)
    except subprocess.TimeoutExpired:
        pytest.skip("check_urdf does not return")
    if verdict.returncode != 0:
        assert any(issue.fatal for issue in api.validate(path)), verdict.stderr


@pytest.mark.parametrize("path", _BROKEN, ids=lambda path: path.stem)
def test_broken_samples(path: Path) -> None:
    expect_an_error_where_check_urdf_refuses(path)


@pytest.mark.parametrize("path", robot_params("s", "robot"))
def test_tier_s(path: Path) -> None:
    expect_an_error_where_check_urdf_refuses(path)


@pytest.mark.corpus_m
@pytest.mark.parametrize("path", robot_params("m", "robot"))
def test_tier_m(path: Path) -> None:
    expect_an_error_where_check_urdf_refuses(path)


def test_the_broken_samples_hold_some_that_it_refuses() -> None:
    refused = [path for path in _BROKEN if check_urdf(path).returncode != 0]
    assert len(refused) >= 10
