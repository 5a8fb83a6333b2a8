"""A picture of a scenario: the area that the slider sweeps, its poses, and where it was pushed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import numpy as np

from phyzctl.pushing.command import ContactMode
from phyzctl.pushing.record import pusher_points
from phyzctl.pushing.rollout import Array, Rollout
from phyzctl.pushing.scenario import Scenario
from phyzctl.records import dataclass

_WIDTH, _MARGIN, _HEAD, _FOOT = 820.0, 56.0, 64.0, 44.0
_TALLEST = 900.0
_GHOSTS = 9  # outlines between the first pose and the last
_SWEPT = 240  # hulls of two poses each that make up the swept area
_COLOURS = {
    ContactMode.SEPARATED: "#9aa3ad",
    ContactMode.STICK: "#1f9d55",
    ContactMode.SLIDE_UP: "#e07b00",
    ContactMode.SLIDE_DOWN: "#7b3fb5",
    ContactMode.JAMMED: "#d1242f",
}
_STYLE = """\
text { font: 12px system-ui, sans-serif; fill: #57606a; }
.title { font-size: 17px; font-weight: 600; fill: #1f2328; }
.grid { stroke: #e6eaef; stroke-width: 1; }
.swept { fill: #dbe7f6; stroke: #dbe7f6; stroke-width: 1; }
.ghost { fill: none; stroke: #7ba3d0; stroke-width: 1; }
.start { fill: none; stroke: #35618f; stroke-width: 1.5; stroke-dasharray: 5 4; }
.end { fill: #35618f; fill-opacity: 0.18; stroke: #173a5e; stroke-width: 2; }
.way { fill: none; stroke: #173a5e; stroke-width: 1.5; }
.heading { stroke: #173a5e; stroke-width: 2; }
.pusher { fill: none; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
"""


@dataclass(frozen=True)
class _View:
    """World [m] to picture: x to the right, y up."""

    left: float
    top: float
    scale: float
    height: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        return _MARGIN + (x - self.left) * self.scale, _HEAD + (self.top - y) * self.scale

    def path(self, points: Array) -> str:
        places = (self.at(float(x), float(y)) for x, y in points)
        return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)


def draw(scenario: Scenario, rollouts: Sequence[Rollout]) -> str:
    """The picture as an SVG document."""
    half = scenario.params.half_extent
    poses = np.concatenate([each.poses for each in rollouts])
    points = [pusher_points(half, each) for each in rollouts]
    spots = np.concatenate(
        [_corners(half, poses).reshape(-1, 2), *(p.reshape(-1, 2) for p in points)]
    )
    view, high = _fitted(spots)
    size = f'width="{_WIDTH:g}" height="{high:.0f}" viewBox="0 0 {_WIDTH:g} {high:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{_WIDTH:g}" height="{high:.0f}" fill="#ffffff"/>',
        *_grid(view, spots),
        *_slider(view, half, poses),
        *itertools.chain.from_iterable(
            _pusher(view, each, where) for each, where in zip(rollouts, points, strict=True)
        ),
        *_words(scenario, rollouts, high),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _corners(half: float, poses: Array) -> Array:
    """The corners of the slider in every pose, (n, 4, 2)."""
    square = half * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    cosine, sine = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turns = np.stack([np.stack([cosine, -sine], -1), np.stack([sine, cosine], -1)], 1)
    corners: Array = poses[:, None, :2] + np.einsum("nij,kj->nki", turns, square)
    return corners


def _hull(points: Array) -> Array:
    """The convex hull of points in the plane, by Andrew's monotone chain."""
    ordered = sorted(set(map(tuple, points.tolist())))
    chains = []
    for way in (ordered, ordered[::-1]):
        chain: list[tuple[float, ...]] = []
        for point in way:
            while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], point):
                chain.pop()
            chain.append(point)
        chains += chain[:-1]
    return np.array(chains)


def _turns_left(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0


def _fitted(spots: Array) -> tuple[_View, float]:
    """A view that shows all spots, and the height of the picture."""
    (left, bottom), (right, top) = spots.min(axis=0), spots.max(axis=0)
    room = _WIDTH - 2 * _MARGIN
    scale = min(room / (right - left), _TALLEST / (top - bottom))
    spare = room / scale - (right - left)
    high = (top - bottom) * scale
    view = _View(float(left - spare / 2), float(top), float(scale), float(high))
    return view, _HEAD + float(high) + _MARGIN + _FOOT


def _grid(view: _View, spots: Array) -> Iterator[str]:
    """Lines at round numbers, with their values."""
    wide = (_WIDTH - 2 * _MARGIN) / view.scale
    pitch = _round_pitch(max(wide, view.height / view.scale) / 8)
    bottom, floor = float(spots[:, 1].min()), _HEAD + view.height
    for x in _multiples(view.left, view.left + wide, pitch):
        at, _ = view.at(x, 0.0)
        yield _line("grid", (at, _HEAD), (at, floor))
        yield _text(at, floor + 18.0, _tick(x, pitch), "middle")
    for y in _multiples(bottom, view.top, pitch):
        _, at = view.at(0.0, y)
        yield _line("grid", (_MARGIN, at), (_WIDTH - _MARGIN, at))
        yield _text(_MARGIN - 8.0, at + 4.0, _tick(y, pitch), "end")
    yield _text(_WIDTH - _MARGIN + 8.0, floor + 18.0, "m")


def _slider(view: _View, half: float, poses: Array) -> Iterator[str]:
    """The swept area, a few poses, the way of the centre, the first pose and the last."""
    corners = _corners(half, poses)
    yield '<g class="swept">'
    for before, after in itertools.pairwise(_spread(len(poses), _SWEPT)):
        around = _hull(np.concatenate([corners[before], corners[after]]))
        yield f'<polygon points="{view.path(around)}"/>'
    yield "</g>"
    for index in _spread(len(poses), _GHOSTS + 2)[1:-1]:
        yield f'<polygon class="ghost" points="{view.path(corners[index])}"/>'
    yield f'<polygon class="start" points="{view.path(corners[0])}"/>'
    yield f'<polygon class="end" points="{view.path(corners[-1])}"/>'
    yield f'<polyline class="way" points="{view.path(poses[:, :2])}"/>'
    x, y, theta = (float(each) for each in poses[-1])
    nose = (x + 0.6 * half * math.cos(theta), y + 0.6 * half * math.sin(theta))
    yield _line("heading", view.at(x, y), view.at(*nose))
    yield _dot(view.at(x, y), 4.0, "#173a5e")


def _pusher(view: _View, rollout: Rollout, points: Array) -> Iterator[str]:
    """The ways of the pushers, in the colours of what their contacts do."""
    for index in range(points.shape[1]):
        modes = rollout.modes[:, index].tolist()
        start = 0
        for mode, run in itertools.groupby(modes):
            stop = start + len(list(run))
            colour = _COLOURS[ContactMode(mode)]
            way = view.path(points[start : stop + 1, index])
            yield f'<polyline class="pusher" stroke="{colour}" points="{way}"/>'
            start = stop
        first, last = ContactMode(modes[0]), ContactMode(modes[-1])
        yield _dot(view.at(*points[0, index].tolist()), 4.0, "#ffffff", _COLOURS[first])
        yield _dot(view.at(*points[-1, index].tolist()), 5.0, _COLOURS[last], "#ffffff")


def _words(scenario: Scenario, rollouts: Sequence[Rollout], high: float) -> Iterator[str]:
    """Title, end, legend."""
    end, time = rollouts[-1].state, sum(push.duration for push in scenario.pushes)
    yield f'<text class="title" x="{_MARGIN:g}" y="28">{escape(scenario.name)}</text>'
    turned = f"{math.degrees(end.theta):.2f}°"
    said = f"after {time:g} s at ({end.x:.4f}, {end.y:.4f}) m, turned to {turned}"
    yield _text(_MARGIN, 48.0, said)
    seen = sorted({mode for each in rollouts for mode in each.modes.ravel().tolist()})
    for number, mode in enumerate(seen):
        x, y = _MARGIN + 120.0 * number, high - 24.0
        colour = _COLOURS[ContactMode(mode)]
        yield f'<path class="pusher" stroke="{colour}" d="M{x:g} {y - 4:g}h22"/>'
        yield _text(x + 30.0, y, ContactMode(mode).label)


def _spread(count: int, wanted: int) -> list[int]:
    """At most `wanted` indices below `count`, evenly spread, the first and the last among them."""
    chosen = np.linspace(0, count - 1, min(count, wanted)).round().astype(int)
    return sorted(set(chosen.tolist()))


def _multiples(low: float, high: float, pitch: float) -> list[float]:
    return [pitch * n for n in range(math.ceil(low / pitch), math.floor(high / pitch) + 1)]


def _round_pitch(least: float) -> float:
    """1, 2 or 5 times a power of ten, not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * each for each in (1.0, 2.0, 5.0, 10.0) if power * each >= least * 0.999)


def _tick(value: float, pitch: float) -> str:
    digits = max(0, -math.floor(math.log10(pitch) + 1e-9))
    return f"{value + 0.0:.{digits}f}"


def _line(role: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<path class="{role}" d="M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}"/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{escape(words)}</text>'


def _dot(place: tuple[float, float], radius: float, fill: str, edge: str = "none") -> str:
    x, y = place
    shape = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}"'
    return f'{shape} fill="{fill}" stroke="{edge}" stroke-width="2"/>'
