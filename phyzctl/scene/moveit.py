"""MoveIt's `.scene` text: a name, objects of primitive shapes and meshes, a full stop."""

from __future__ import annotations

import math
import re

import numpy as np

from phyzctl import codes
from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.shapes import Box, Cylinder, Plane, Sphere
from phyzctl.issues import Issues, Source
from phyzctl.records import dataclass
from phyzctl.scene.items import Obstacle, SceneShape
from phyzctl.spatial import Array, identity, pose, quat_from_zaxis

_WORD = re.compile(r"\S+")
_SIZES = {"sphere": 1, "box": 3, "cylinder": 2}
_MOST = 10_000_000  # vertices or triangles of a mesh


@dataclass(frozen=True, eq=False)
class Thing:
    """One object: its id, its shapes, and where it stands in the text."""

    id: str
    obstacles: tuple[Obstacle, ...]
    source: Source


@dataclass(frozen=True, eq=False)
class MoveItScene:
    """The name in the first line, and the objects."""

    name: str
    things: tuple[Thing, ...]


class _MalformedError(Exception):
    """Nothing behind this place can be read."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def parse_moveit(data: bytes, path: str, issues: Issues) -> MoveItScene | None:
    """The scene in a file's bytes; None, with one Issue, when it can't be read to its end."""
    try:
        reader = _Reader(data.decode("utf-8-sig"), path, issues)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"this is not UTF-8: {error.reason}"
        issues.add(codes.SCENE_TEXT_MALFORMED, message, source=Source(path, line, 1))
        return None
    try:
        return reader.scene()
    except _MalformedError as error:
        issues.add(codes.SCENE_TEXT_MALFORMED, str(error), source=reader.source(error.at))
        return None


class _Reader:
    """Walks through the text word by word, or to the end of a line where a name stands."""

    def __init__(self, text: str, path: str, issues: Issues) -> None:
        self.text = text
        self.path = path
        self.issues = issues
        self.at = 0

    def scene(self) -> MoveItScene:
        name = self._line()
        things: list[Thing] = []
        posed: bool | None = None  # objects have poses of their own, in newer files
        while True:
            place = self._place()
            mark = self._word("'*' before an object, or '.' at the end")
            if mark == ".":
                return MoveItScene(name, tuple(things))
            if mark != "*":
                raise _MalformedError(f"expected '*' or '.', not {mark!r}", place)
            identifier = self._line()
            if not identifier:
                raise _MalformedError("the object has no id", place)
            if any(identifier == thing.id for thing in things):
                message = f"there is an object {identifier!r} already"
                self.issues.add(codes.ID_TAKEN, message, source=self.source(place))
            posed = self._next_line_has_blanks() if posed is None else posed
            things.append(Thing(identifier, self._object(posed=posed), self.source(place)))

    def _object(self, *, posed: bool) -> tuple[Obstacle, ...]:
        X_WO = self._pose() if posed else identity()
        found = [self._shape(X_WO) for _ in range(self._count("the number of shapes", least=1))]
        if posed:
            for _ in range(self._count("the number of subframes")):
                self._word("a subframe")  # a name and a pose, which nothing here refers to
                self._line()
                self._pose()
        return tuple(found)

    def _shape(self, X_WO: Array) -> Obstacle:
        place = self._place()
        kind = self._word("a shape")
        X_SG = identity()
        if kind == "mesh":
            shape = self._mesh(place)
        elif kind == "plane":
            shape, X_SG = self._plane(place)
        elif kind in _SIZES:
            shape = self._primitive(kind, place)
        else:
            known = ", ".join((*_SIZES, "plane", "mesh"))
            raise _MalformedError(f"unknown shape {kind!r}; there are {known}", place)
        X_OS = self._pose()
        self._numbers(4, "a colour")
        return Obstacle(shape, X_WO @ X_OS @ X_SG)

    def _plane(self, place: int) -> tuple[SceneShape, Array]:
        """The half-space a x + b y + c z + d <= 0, and its frame: z along the normal."""
        numbers = self._numbers(4, "the sizes of a plane")
        normal, d = np.array(numbers[:3]), numbers[3]
        size = float(np.linalg.norm(normal))
        if size == 0.0:
            raise _MalformedError("a plane's normal must not be all 0", place)
        message = "a plane is read as the half-space below it"
        self.issues.add(codes.UNSUPPORTED, message, source=self.source(place))
        quat = quat_from_zaxis(normal / size)
        return Plane(), pose(xyz=-d / size**2 * normal, quat=quat)

    def _primitive(self, kind: str, place: int) -> SceneShape:
        sizes = self._numbers(_SIZES[kind], f"the sizes of a {kind}")
        if not all(size > 0.0 for size in sizes):
            raise _MalformedError(f"the sizes of a {kind} must be above 0", place)
        if kind == "sphere":
            return Sphere(sizes[0])
        return Box((sizes[0], sizes[1], sizes[2])) if kind == "box" else Cylinder(*sizes)

    def _mesh(self, place: int) -> SceneShape:
        vertices = self._count("the number of vertices", least=1)
        triangles = self._count("the number of triangles")
        points = [self._numbers(3, "a vertex") for _ in range(vertices)]
        for _ in range(triangles):
            corners = self._numbers(3, "a triangle")
            if not all(0 <= corner < vertices and corner == int(corner) for corner in corners):
                raise _MalformedError("a triangle names a vertex that isn't there", place)
        return convex_hull(np.array(points, dtype=np.float64))

    def _pose(self) -> Array:
        place = self._place()
        xyz, (x, y, z, w) = self._numbers(3, "a position"), self._numbers(4, "a quaternion")
        if not any((x, y, z, w)):
            raise _MalformedError("a quaternion must not be all 0", place)
        return pose(xyz=xyz, quat=(w, x, y, z))

    def _numbers(self, count: int, what: str) -> list[float]:
        return [self._number(what) for _ in range(count)]

    def _number(self, what: str) -> float:
        place = self._place()
        word = self._word(what)
        try:
            number = float(word)
        except ValueError:
            raise _MalformedError(f"expected a number of {what}, not {word!r}", place) from None
        if not math.isfinite(number):
            raise _MalformedError(f"a number of {what} must be finite, not {word}", place)
        return number

    def _count(self, what: str, *, least: int = 0) -> int:
        place = self._place()
        word = self._word(what)
        if not word.isdecimal() or not least <= int(word) <= _MOST:
            raise _MalformedError(f"expected {what}, from {least} on, not {word!r}", place)
        return int(word)

    def _word(self, what: str) -> str:
        match = _WORD.search(self.text, self.at)
        if match is None:
            raise _MalformedError(f"the text ends where {what} should be", self._place())
        self.at = match.end()
        return match.group()

    def _line(self) -> str:
        """What is left of the line or, from its end, the next one."""
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end]
        self.at = end + 1
        return line.strip()

    def _next_line_has_blanks(self) -> bool:
        """True before a pose, which has several numbers; False before a count."""
        line = self.text[self.at :].lstrip().partition("\n")[0]
        return len(line.split()) > 1

    def _place(self) -> int:
        """Where the next word stands, or the text ends."""
        match = _WORD.search(self.text, self.at)
        return match.start() if match else len(self.text.rstrip())

    def source(self, at: int) -> Source:
        """A place in the text by line and column."""
        line = self.text.count("\n", 0, at) + 1
        return Source(self.path, line, at - self.text.rfind("\n", 0, at))
