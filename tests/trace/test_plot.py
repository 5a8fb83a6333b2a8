"""Plots: what is drawn, and that nothing of it is lost."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import Channel
from phyzctl.trace.plot import plot
from phyzctl.trace.trace import Trace, make_trace
from tests.trace.test_files import header, trace

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]


def curves(svg: str) -> list[list[tuple[float, float]]]:
    found = ET.fromstring(svg).iter(f"{SVG}polyline")
    pairs = [each.attrib["points"].split() for each in found]
    return [[(float(x), float(y)) for x, y in (p.split(",") for p in some)] for some in pairs]


def single(values: np.ndarray) -> Trace:
    channel = Channel("height", ("z",), ("m",))
    times = np.linspace(0.0, 10.0, len(values))
    return make_trace(header(channels=(channel,)), times, {"height": values.reshape(-1, 1)})


def test_a_panel_for_each_channel_and_unit() -> None:
    found = texts(plot(trace(), title="run"))
    for words in ("run", "body_pose [m]", "body_pose [rad]", "speed [m/s]", "x", "y", "theta", "s"):
        assert words in found


@pytest.mark.parametrize(
    ("chosen", "panels"),
    [
        (["speed"], ["speed [m/s]"]),
        (["body_pose.y"], ["body_pose [m]"]),
        (["*.theta", "speed.*"], ["body_pose [rad]", "speed [m/s]"]),
    ],
)
def test_columns_are_chosen(chosen: list[str], panels: list[str]) -> None:
    assert [each for each in texts(plot(trace(), chosen)) if "[" in each] == panels


def test_a_pattern_that_means_nothing() -> None:
    with pytest.raises(PhyzctlError, match=r"no column is called 'q'; the channels are body_pose"):
        plot(trace(), ["speed", "q"])
    with pytest.raises(PhyzctlError, match="no samples"):
        plot(trace(0))


def test_a_straight_line_is_straight() -> None:
    ((first, *_, last),) = (curve for curve in curves(plot(single(np.linspace(1.0, 3.0, 11)))))
    assert first[0] < last[0]
    assert first[1] > last[1]


def test_no_peak_is_lost_however_many_samples() -> None:
    values = np.sin(np.linspace(0, 40, 100_000))
    values[54_321] = 9.0
    (curve,) = curves(plot(single(values)))
    assert len(curve) < 5000
    top = min(curve, key=lambda point: point[1])
    span = curve[-1][0] - curve[0][0]
    assert (top[0] - curve[0][0]) / span == pytest.approx(0.54321, abs=2e-3)
    assert sum(y < 0.5 * (top[1] + curve[0][1]) for _, y in curve) == 1


def test_gaps_stay_gaps() -> None:
    values = np.arange(10.0)
    values[4:6] = math.nan
    assert [len(each) for each in curves(plot(single(values)))] == [4, 4]


@pytest.mark.parametrize("values", [[0.0], [5.0, 5.0], [math.nan, math.nan], [1e-300, 2e300]])
def test_odd_values(values: list[float]) -> None:
    svg = plot(single(np.array(values)))
    ET.fromstring(svg)
    assert not re.search(r"nan|inf", svg.replace("sans", ""))


def test_many_curves_are_not_all_named() -> None:
    columns = tuple(f"joint{number}" for number in range(30))
    channel = Channel("q", columns, ("rad",) * 30)
    made = make_trace(header(channels=(channel,)), np.arange(2.0), {"q": np.zeros((2, 30))})
    found = texts(plot(made))
    assert "and 21 more" in found
    assert "joint8" in found
    assert "joint9" not in found


def test_names_are_escaped() -> None:
    channel = Channel("q", ("<a> & b",), ("rad",))
    made = make_trace(header(channels=(channel,)), np.arange(2.0), {"q": np.zeros((2, 1))})
    assert "<a> & b" in texts(plot(made, title="a < b"))
