"""A picture of a robot among obstacles, and of what touches: three views of their outlines."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import numpy as np

from phyzctl.model.geom import GeomType
from phyzctl.records import dataclass
from phyzctl.scene.contact import Contact, RefKind
from phyzctl.scene.findings import meeting
from phyzctl.scene.items import Outline
from phyzctl.scene.pairs import robot_shapes
from phyzctl.scene.prepared import Prepared
from phyzctl.spatial import Array, rotation_from_quat

_WIDE, _SMALL, _GAP, _HEAD, _LINE = 620.0, 300.0, 20.0, 64.0, 19.0
_HIGH = 2.0 * _SMALL + _GAP
_MOST = 12  # contacts that are listed
_AROUND = np.stack([np.cos(a := np.linspace(0, 2 * np.pi, 25)[:-1]), np.sin(a)], axis=1)
_FILLS = {RefKind.ROBOT: "#8fb1d9", RefKind.ATTACHED: "#7cc79a", RefKind.OBSTACLE: "#dccfae"}
_EDGES = {RefKind.ROBOT: "#173a5e", RefKind.ATTACHED: "#14603a", RefKind.OBSTACLE: "#7d6a36"}
_WORDS = {RefKind.ROBOT: "robot", RefKind.ATTACHED: "attached", RefKind.OBSTACLE: "obstacle"}
_STYLE = """\
text { font: 12px system-ui, sans-serif; fill: #57606a; }
.title { font-size: 17px; font-weight: 600; fill: #1f2328; }
.said { fill: #1f2328; }
.frame { fill: #ffffff; stroke: #d5dbe1; }
.ghost { fill: #8fb1d9; fill-opacity: 0.10; stroke: #8fb1d9; stroke-width: 0.6; }
.contact { fill: #d1242f; stroke: #ffffff; stroke-width: 1.5; }
.number { font-size: 11px; font-weight: 700; fill: #d1242f; }
.halo { stroke: #ffffff; stroke-width: 3; stroke-linejoin: round; }
"""


@dataclass(frozen=True)
class _View:
    """A direction to look from, and the rectangle in the picture that shows it.

    Rows of `axes` (3, 3): to the right, up, and towards the eye.
    """

    name: str
    axes: Array
    left: float
    top: float
    wide: float
    high: float


def _views() -> list[_View]:
    turn, rise = math.radians(-50.0), math.radians(28.0)
    out = np.array(
        [math.cos(turn) * math.cos(rise), math.sin(turn) * math.cos(rise), math.sin(rise)]
    )
    right = np.array([-math.sin(turn), math.cos(turn), 0.0])
    oblique = np.stack([right, np.cross(out, right), out])
    x, y, z = np.eye(3)
    aside = 2.0 * _GAP + _WIDE
    return [
        _View("", oblique, _GAP, _HEAD, _WIDE, _HIGH),
        _View("from above: x right, y up", np.stack([x, y, z]), aside, _HEAD, _SMALL, _SMALL),
        _View(
            "from the front: x right, z up",
            np.stack([x, z, -y]),
            aside,
            _HEAD + _SMALL + _GAP,
            _SMALL,
            _SMALL,
        ),
    ]


@dataclass(frozen=True)
class Subject:
    """What to draw: poses (n, 7) of the row's shapes, contacts, and other poses as ghosts."""

    title: str
    prepared: Prepared
    poses: Array
    contacts: Sequence[Contact]
    ghosts: Sequence[Array] = ()


@np.errstate(over="ignore", invalid="ignore")  # shapes may be as far away as they like
def draw(subject: Subject) -> str:
    """The picture as an SVG document."""
    listed = list(subject.contacts[:_MOST])
    left = len(subject.contacts) - len(listed)
    said = [f"{number}  {meeting(contact)}" for number, contact in enumerate(listed, 1)]
    said += [f"and {left} more"] if left else []
    said = said or ["nothing touches"]
    wide = 3.0 * _GAP + _WIDE + _SMALL
    high = _HEAD + _HIGH + 2.0 * _GAP + _LINE * len(said)
    bodies = _Bodies(subject)
    size = f'width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>',
        f'<text class="title" x="{_GAP:g}" y="28">{escape(subject.title)}</text>',
        *_legend(),
        *itertools.chain.from_iterable(
            _drawn(view, number, bodies, listed) for number, view in enumerate(_views())
        ),
    ]
    for number, line in enumerate(said):
        y = _HEAD + _HIGH + _GAP + _LINE * (number + 0.6)
        parts.append(f'<text class="said" x="{_GAP:g}" y="{y:.1f}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend() -> Iterator[str]:
    for number, kind in enumerate(RefKind):
        x = _GAP + 110.0 * number
        colours = f'fill="{_FILLS[kind]}" stroke="{_EDGES[kind]}"'
        yield f'<rect x="{x:g}" y="40" width="14" height="10" {colours}/>'
        yield f'<text x="{x + 20:g}" y="49">{_WORDS[kind]}</text>'


@dataclass(frozen=True)
class _Solid:
    """Corners (n, 3) in the world, around which there is `radius`; edge and fill by kind."""

    corners: Array
    radius: float
    kind: RefKind
    hit: bool
    ghost: bool = False
    endless: bool = False


class _Bodies:
    """All that is drawn, in the world."""

    def __init__(self, subject: Subject) -> None:
        prepared = subject.prepared
        hit = {_place(prepared, ref) for each in subject.contacts for ref in (each.a, each.b)}
        moving = robot_shapes(prepared.model)
        carried = range(prepared.row.attached_place(0), prepared.row.obstacle_place(0))
        obstacles = range(prepared.row.obstacle_place(0), len(prepared.outlines))
        self.solids: list[_Solid] = []
        self.half_spaces: list[tuple[Array, bool]] = []
        for poses in subject.ghosts:
            for place in (*moving, *carried):
                self._add(prepared, poses[place], place, ghost=True, hit=False)
        for place in (*moving, *carried, *obstacles):
            self._add(prepared, subject.poses[place], place, ghost=False, hit=place in hit)
        corners = [solid.corners for solid in self.solids] or [np.zeros((1, 3))]
        radii = [solid.radius for solid in self.solids] or [0.5]
        low = np.min([c.min(axis=0) - r for c, r in zip(corners, radii, strict=True)], axis=0)
        high = np.max([c.max(axis=0) + r for c, r in zip(corners, radii, strict=True)], axis=0)
        self.middle: Array = 0.5 * (low + high)
        self.half: Array = np.maximum(0.5 * (high - low), 0.05)
        self.solids += [self._patch(pose, hit=hit) for pose, hit in self.half_spaces]

    def _add(self, prepared: Prepared, pose: Array, place: int, *, ghost: bool, hit: bool) -> None:
        outline, kind = prepared.outlines[place], prepared.ref(place).kind
        if outline.type is GeomType.PLANE:
            if not ghost:
                self.half_spaces.append((pose, hit))
            return
        corners, radius = _corners(outline)
        if len(corners):
            placed = corners @ rotation_from_quat(pose[3:]).T + pose[:3]
            self.solids.append(_Solid(placed, radius, kind, hit, ghost))

    def _patch(self, pose: Array, *, hit: bool) -> _Solid:
        """The part of a half-space's face that lies below all else."""
        R = rotation_from_quat(pose[3:])
        normal = R[:, 2]
        centre = self.middle - normal * float(normal @ (self.middle - pose[:3]))
        reach = float(np.linalg.norm(self.half)) * 0.8
        signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], dtype=np.float64)
        return _Solid(centre + reach * signs @ R[:, :2].T, 0.0, RefKind.OBSTACLE, hit, endless=True)


def _place(prepared: Prepared, ref: object) -> int:
    number = getattr(ref, "number", 0)
    is_obstacle = getattr(ref, "kind", None) is RefKind.OBSTACLE
    return prepared.row.obstacle_place(number) if is_obstacle else int(number)


def _corners(outline: Outline) -> tuple[Array, float]:
    """Points whose hull, grown by a radius, is the shape (nearly, where it is curved)."""
    x, y, _ = outline.size
    ring = np.column_stack([_AROUND, np.zeros(len(_AROUND))])
    match outline.type:
        case GeomType.SPHERE:
            return np.zeros((1, 3)), x
        case GeomType.CAPSULE:
            return np.array([(0.0, 0.0, -y), (0.0, 0.0, y)]), x
        case GeomType.CYLINDER:
            return np.concatenate([x * ring + (0.0, 0.0, -y), x * ring + (0.0, 0.0, y)]), 0.0
        case GeomType.BOX:
            signs = list(itertools.product((-1.0, 1.0), repeat=3))
            return np.array(signs) * np.array(outline.size), 0.0
        case GeomType.ELLIPSOID:
            levels = np.linspace(-1.0, 1.0, 13)
            ball = [math.sqrt(1.0 - h * h) * ring + (0.0, 0.0, h) for h in levels]
            return np.concatenate(ball) * np.array(outline.size), 0.0
        case GeomType.MESH if outline.hull is not None:
            return outline.hull.vertices, 0.0
        case _:
            return np.zeros((0, 3)), 0.0


def _drawn(view: _View, number: int, bodies: _Bodies, contacts: Sequence[Contact]) -> Iterator[str]:
    """One view: its frame, what is in it from behind to before, and the contacts."""
    half = np.abs(view.axes) @ bodies.half
    scale = 0.94 * min(view.wide / (2.0 * half[0]), view.high / (2.0 * half[1]))
    centre = np.array([view.left + 0.5 * view.wide, view.top + 0.5 * view.high])

    def at(points: Array) -> Array:
        seen: Array = (points - bodies.middle) @ view.axes.T
        placed: Array = centre + scale * seen[:, :2] * np.array([1.0, -1.0])
        return placed

    size = f'x="{view.left:g}" y="{view.top:g}" width="{view.wide:g}" height="{view.high:g}"'
    yield f'<clipPath id="v{number}"><rect {size}/></clipPath>'
    yield f'<rect class="frame" {size}/>'
    yield f'<g clip-path="url(#v{number})">'
    for solid in sorted(bodies.solids, key=lambda each: _depth(each, view)):
        ends = at(solid.corners)
        if solid.radius:
            ends = (ends[:, None] + scale * solid.radius * _AROUND).reshape(-1, 2)
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in _hull(ends))
        yield f'<polygon points="{path}" {_look(solid)}/>'
    for index, contact in enumerate(contacts, 1):
        ((x, y),) = at(0.5 * (contact.point_a + contact.point_b)[np.newaxis])
        yield f'<circle class="contact" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
        for role in ("number halo", "number"):
            yield f'<text class="{role}" x="{x + 7:.1f}" y="{y - 5:.1f}">{index}</text>'
    yield "</g>"
    yield f'<text x="{view.left + 8:g}" y="{view.top + 17:g}">{view.name}</text>'


def _depth(solid: _Solid, view: _View) -> tuple[bool, bool, float]:
    """What has no end comes first, then ghosts, then the others from afar to near."""
    nearness = float((solid.corners @ view.axes[2]).mean())
    return not solid.endless, not solid.ghost, nearness


def _look(solid: _Solid) -> str:
    if solid.ghost:
        return 'class="ghost"'
    opacity = "0.55" if solid.kind is RefKind.OBSTACLE else "0.92"
    opacity = "0.25" if solid.endless else opacity
    edge = "#d1242f" if solid.hit else _EDGES[solid.kind]
    width = "2" if solid.hit else "1"
    colours = f'fill="{_FILLS[solid.kind]}" fill-opacity="{opacity}" stroke="{edge}"'
    return f'{colours} stroke-width="{width}" stroke-linejoin="round"'


def _hull(points: Array) -> list[tuple[float, float]]:
    """The convex hull of points in the plane, by Andrew's monotone chain."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    chains: list[tuple[float, float]] = []
    for way in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for point in way:
            while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], point):
                chain.pop()
            chain.append(point)
        chains += chain[:-1] if len(chain) > 1 else chain
    return chains


def _turns_left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
