"""Where traces part."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from phyzctl.trace.compare import compare
from phyzctl.trace.header import Channel
from phyzctl.trace.trace import Trace, make_trace
from tests.trace.test_files import header, trace


def changed(sample: int, column: int, by: float) -> Trace:
    made = trace()
    made.values["body_pose"][sample:, column] += by
    return made


def test_the_same() -> None:
    assert compare(trace(), trace()).same


def test_the_first_column_to_part_is_named_first() -> None:
    other = changed(30, 0, 1e3)
    other.values["body_pose"][20:, 2] += 5e3
    found = compare(trace(), other)
    assert [(each.sample, each.column) for each in found.partings] == [(20, "theta"), (30, "x")]
    first = found.partings[0]
    assert (first.channel, first.unit, first.time) == ("body_pose", "rad", trace().times[20])
    assert first.values[1] - first.values[0] == pytest.approx(5e3)
    assert first.largest == pytest.approx(5e3, rel=1e-3)


@pytest.mark.parametrize(("atol", "same"), [(0.0, False), (0.9e-3, False), (1.1e-3, True)])
def test_a_tolerance_in_units(atol: float, same: bool) -> None:
    one, two = trace(), trace()
    one.values["body_pose"][:] = 1.0
    two.values["body_pose"][:] = 1.001
    assert compare(one, two, atol=atol).same is same
    assert compare(one, two, rtol=atol).same is same


def test_nan_equals_nan_and_nothing_else() -> None:
    other = trace()
    assert math.isnan(other.values["speed"][0, 0])
    other.values["speed"][7, 0] = 1.0
    (parting,) = compare(trace(), other, atol=1e300, rtol=1e300).partings
    assert (parting.sample, parting.channel) == (7, "speed")
    assert not compare(other, trace(), atol=1e300).same


def test_infinity_equals_itself() -> None:
    one, two = trace(), trace()
    for each in (one, two):
        each.values["speed"][1, 0] = math.inf
    assert compare(one, two).same
    two.values["speed"][1, 0] = -math.inf
    assert not compare(one, two).same


def test_what_only_one_of_them_has() -> None:
    extra = Channel("extra", ("a",), ("m",))
    made = make_trace(header(channels=(extra,)), 0.5 + np.arange(3.0), {"extra": np.zeros((3, 1))})
    words = compare(trace(), made).structure
    assert "only the first has the channel 'body_pose'" in words
    assert "only the second has the channel 'extra'" in words
    assert "the first has 50 samples, the second 3" in words
    assert "sample 0 is at 0 s in the first and 0.5 s in the second" in words


def test_a_shorter_trace_is_compared_as_far_as_it_goes() -> None:
    short = trace()
    short = Trace(short.header, short.times[:10], {n: v[:10] for n, v in short.values.items()})
    found = compare(trace(), short)
    assert found.structure == ("the first has 50 samples, the second 10",)
    assert found.partings == ()


def test_other_columns() -> None:
    channels = (replace(trace().header.channels[0], columns=("x", "y", "phi")),)
    made = make_trace(header(channels=channels), trace().times, trace().values)
    assert "the channel 'body_pose' has other columns" in compare(trace(), made).structure
