"""Traces as pictures: a panel for each channel and unit, in plain SVG.

Where samples are denser than the picture, a curve is drawn through the least and the greatest of
each column of pixels, so that no peak is lost.
"""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass
from phyzctl.trace.trace import Array, Trace

_WIDTH, _LEFT, _RIGHT, _HEAD, _FOOT = 860.0, 72.0, 190.0, 56.0, 30.0
_PANEL, _GAP = 150.0, 34.0
_COLOURS = ("#35618f", "#e07b00", "#1f9d55", "#d1242f", "#7b3fb5", "#0a9396", "#b08900", "#6b7280")
_NAMED = 9  # curves in a legend
_STYLE = """\
text { font: 11px system-ui, sans-serif; fill: #57606a; }
.title { font-size: 16px; font-weight: 600; fill: #1f2328; }
.panel { font-weight: 600; fill: #1f2328; }
.grid { stroke: #e6eaef; stroke-width: 1; }
.curve { fill: none; stroke-width: 1.2; stroke-linejoin: round; }
"""


@dataclass(frozen=True)
class _Panel:
    """Curves that share an axis: `values` (n, len(names))."""

    channel: str
    unit: str
    names: tuple[str, ...]
    values: Array


def plot(trace: Trace, chosen: Sequence[str] = (), *, title: str = "") -> str:
    """The SVG of the columns chosen by patterns such as `q`, `v.elbow` or `*.x`; of all if none.

    Raises PhyzctlError for a pattern that means no column, or a trace without samples.
    """
    if not len(trace):
        raise PhyzctlError("the trace has no samples to plot")
    panels = list(_panels(trace, chosen))
    high = _HEAD + len(panels) * (_PANEL + _GAP) + _FOOT
    size = f'width="{_WIDTH:g}" height="{high:g}" viewBox="0 0 {_WIDTH:g} {high:g}"'
    words = escape(title or trace.header.origin.path)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{_WIDTH:g}" height="{high:g}" fill="#ffffff"/>',
        f'<text class="title" x="{_LEFT:g}" y="28">{words}</text>',
    ]
    for number, panel in enumerate(panels):
        parts += _drawn(panel, trace.times, _HEAD + number * (_PANEL + _GAP))
    parts.append(_text(_WIDTH - _RIGHT, high - _FOOT + 4.0, "s", "start"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panels(trace: Trace, chosen: Sequence[str]) -> Iterator[_Panel]:
    unused = set(chosen)
    for channel in trace.header.channels:
        groups: dict[str, list[int]] = {}
        for index, column in enumerate(channel.columns):
            known = (channel.name, f"{channel.name}.{column}")
            meant = {p for p in chosen if any(fnmatch.fnmatchcase(name, p) for name in known)}
            unused -= meant
            if meant or not chosen:
                groups.setdefault(channel.units[index], []).append(index)
        for unit, columns in groups.items():
            names = tuple(channel.columns[index] for index in columns)
            yield _Panel(channel.name, unit, names, trace.values[channel.name][:, columns])
    if unused:
        listed = ", ".join(each.name for each in trace.header.channels)
        raise PhyzctlError(f"no column is called {min(unused)!r}; the channels are {listed}")


def _drawn(panel: _Panel, times: Array, top: float) -> Iterator[str]:
    low, high = _span(panel.values[np.isfinite(panel.values)])
    start, end = float(times[0]), float(times[-1])
    wide = _WIDTH - _LEFT - _RIGHT
    x_scale = wide / (end - start) if end > start else 0.0
    y_scale = _PANEL / (high - low)
    yield _text(_LEFT, top - 6.0, f"{panel.channel} [{panel.unit}]", "start", "panel")
    for value in _ticks(low, high, 4):
        y = top + (high - value) * y_scale
        yield f'<path class="grid" d="M{_LEFT:g} {y:.1f}h{wide:g}"/>'
        yield _text(_LEFT - 6.0, y + 4.0, f"{value:.6g}", "end")
    for value in _ticks(start, end, 8) if end > start else [start]:
        x = _LEFT + (value - start) * x_scale
        yield f'<path class="grid" d="M{x:.1f} {top:.1f}v{_PANEL:g}"/>'
        yield _text(x, top + _PANEL + 14.0, f"{value:.6g}", "middle")
    pixels = _LEFT + (times - start) * x_scale
    for number, name in enumerate(panel.names):
        colour = _COLOURS[number % len(_COLOURS)]
        for points in _curve(pixels, top + (high - panel.values[:, number]) * y_scale):
            yield f'<polyline class="curve" stroke="{colour}" points="{points}"/>'
        if number < _NAMED:
            y = top + 10.0 + 15.0 * number
            x = _WIDTH - _RIGHT + 10.0
            yield f'<path class="curve" stroke="{colour}" d="M{x:g} {y - 4:g}h14"/>'
            yield _text(x + 20.0, y, name, "start")
    if len(panel.names) > _NAMED:
        more = f"and {len(panel.names) - _NAMED} more"
        yield _text(_WIDTH - _RIGHT + 30.0, top + 10.0 + 15.0 * _NAMED, more, "start")


def _curve(x: Array, y: Array) -> Iterator[str]:
    """Polylines through what is finite: per pixel the first, the extremes, and the last."""
    finite = np.isfinite(y)
    breaks = np.flatnonzero(finite[1:] != finite[:-1]) + 1
    for part in np.split(np.arange(len(y)), breaks):
        if finite[part[0]]:
            kept = _decimated(x[part], y[part])
            yield " ".join(f"{x[part][i]:.1f},{y[part][i]:.1f}" for i in kept)


def _decimated(x: Array, y: Array) -> list[int]:
    pixel = np.floor(x).astype(int)
    starts = np.flatnonzero(np.r_[True, pixel[1:] != pixel[:-1]])
    kept: list[int] = []
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(x)], strict=True):
        some = y[start:stop]
        places = {0, int(some.argmin()), int(some.argmax()), stop - start - 1}
        kept += sorted(start + place for place in places)
    return kept


def _span(values: Array) -> tuple[float, float]:
    """The least and the greatest, some room around them, and some where they are one."""
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    room = 0.05 * (high - low) or 0.1 * abs(high) or 1.0
    return low - room, high + room


def _ticks(low: float, high: float, wanted: int) -> list[float]:
    """Round numbers between two."""
    raw = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    pitch = next(power * each for each in (1.0, 2.0, 5.0, 10.0) if power * each >= raw * 0.999)
    return [pitch * n + 0.0 for n in range(math.ceil(low / pitch), math.floor(high / pitch) + 1)]


def _text(x: float, y: float, words: str, anchor: str, role: str = "") -> str:
    kind = f' class="{role}"' if role else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
