"""An element's attributes together with what its default classes say.

MJCF lets a class state what an element leaves out, attribute by attribute, and for lists of
numbers even number by number. Each value is read where it is written, so that a fault in a
class is one Issue, at the class, however many elements use it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from phyzctl import codes
from phyzctl.formats import values
from phyzctl.formats.values import Count
from phyzctl.formats.xmlnode import Node
from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Code, Fix, Issues, Source
from phyzctl.robot.elements import Extension, Quat

_NEVER_KEPT = frozenset({"name", "class", "childclass"})


class ValueReader:
    """Reads each text once: a default class is asked by many elements.

    It reports nothing: a tree's values are checked before they are read (see `typed`).
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, Count], tuple[float, ...] | None] = {}
        self._integers: dict[tuple[str, Count], tuple[int, ...] | None] = {}
        self._unheard = Issues()

    def numbers(self, node: Node, name: str, count: Count) -> tuple[float, ...] | None:
        """See `values.numbers`."""
        key = (node.attributes[name], count)
        if key not in self._numbers:
            self._numbers[key] = values.numbers(node, name, self._unheard, count=count)
        return self._numbers[key]

    def integers(self, node: Node, name: str, count: Count) -> tuple[int, ...] | None:
        """See `values.integers`."""
        key = (node.attributes[name], count)
        if key not in self._integers:
            self._integers[key] = values.integers(node, name, self._unheard, count=count)
        return self._integers[key]


class Attributes:
    """`layers` are the element itself and then the nodes of its class, nearest first.

    A getter returns None for what is written nowhere, or is unreadable where it is written.
    Whatever no getter was asked for is left for `extensions`.
    """

    def __init__(self, layers: tuple[Node, ...], reader: ValueReader, issues: Issues) -> None:
        self.layers = layers
        self.reader = reader
        self.issues = issues
        self._asked: set[str] = set(_NEVER_KEPT)

    @property
    def node(self) -> Node:
        """The element itself."""
        return self.layers[0]

    @property
    def source(self) -> Source:
        """Where the element stands."""
        return self.layers[0].source

    def report(self, code: Code, message: str, name: str = "", fix: Fix | None = None) -> None:
        """An Issue at an attribute, wherever it is written, or else at the element."""
        subject = self.node.subject
        self.issues.add(code, message, source=self.place(name), subject=subject, fix=fix)

    def report_missing(self, code: Code, message: str, name: str = "") -> None:
        """The same, unless it is missing because its name was misspelt, as was reported."""
        slips = self.issues.of(codes.NAME_NEAR_MISS)
        if not any(_is_in(self.node, issue.source) for issue in slips):
            self.report(code, message, name)

    def owner(self, name: str) -> Node | None:
        """The nearest node that writes the attribute."""
        self._asked.add(name)
        for node in self.layers:
            if name in node.attributes:
                return node
        return None

    def mark_read(self, *names: str) -> None:
        """Count attributes as interpreted, wherever that happens."""
        self._asked.update(names)

    def place(self, name: str) -> Source:
        """Where the attribute is written, or else the element."""
        node = self.owner(name)
        return self.source if node is None else node.attribute_source(name)

    def writes(self, *names: str) -> str | None:
        """The first of `names` that is written on the element or in its class."""
        for name in names:
            if self.owner(name) is not None:
                return name
        return None

    def string(self, name: str) -> str | None:
        """The text of an attribute."""
        node = self.owner(name)
        return None if node is None else node.attributes[name]

    def keyword(self, name: str, allowed: Collection[str]) -> str | None:
        """One of the allowed words."""
        word = self.string(name)
        return word if word in allowed else None

    def boolean(self, name: str) -> bool | None:
        """True or false, as MJCF spells them."""
        word = self.keyword(name, ("true", "false"))
        return None if word is None else word == "true"

    def number(self, name: str) -> float | None:
        """One number."""
        found = self.numbers(name, 1)
        return found[0] if found else None

    def integer(self, name: str) -> int | None:
        """One whole number."""
        node = self.owner(name)
        found = None if node is None else self.reader.integers(node, name, 1)
        return found[0] if found else None

    def integers(self, name: str, count: Count) -> tuple[int, ...] | None:
        """Whole numbers of the nearest node that writes them."""
        node = self.owner(name)
        return None if node is None else self.reader.integers(node, name, count)

    def numbers(self, name: str, count: Count) -> tuple[float, ...] | None:
        """Numbers of the nearest node that writes them."""
        node = self.owner(name)
        return None if node is None else self.reader.numbers(node, name, count)

    def overlaid(self, name: str, most: int) -> tuple[float, ...] | None:
        """One to `most` numbers; what a shorter list leaves out comes from the class."""
        self._asked.add(name)
        found: tuple[float, ...] | None = None
        for node in self.layers:
            if name in node.attributes:
                mine = self.reader.numbers(node, name, (1, most))
                if mine is None:
                    return None
                found = mine if found is None else found + mine[len(found) :]
        return found

    def pair(self, name: str) -> tuple[float, float] | None:
        """Two numbers, such as a range."""
        found = self.numbers(name, 2)
        return (found[0], found[1]) if found else None

    def vector(self, name: str, otherwise: Vec3 | None = (0.0, 0.0, 0.0)) -> Vec3 | None:
        """Three numbers; `otherwise` where not written, None where unreadable."""
        if self.owner(name) is None:
            return otherwise
        found = self.numbers(name, 3)
        return (found[0], found[1], found[2]) if found else None

    def four(self, name: str) -> Quat | None:
        """Four numbers: a quaternion or a colour."""
        found = self.numbers(name, 4)
        return (found[0], found[1], found[2], found[3]) if found else None

    def extensions(self) -> tuple[Extension, ...]:
        """What is written but no getter was asked for, one `@name` each, raw."""
        return tuple(self._left_over())

    def _left_over(self) -> Iterator[Extension]:
        for node in self.layers:
            for name, text in node.attributes.items():
                if name not in self._asked:
                    self._asked.add(name)
                    yield Extension(f"@{name}", text, source=node.attribute_source(name))


def _is_in(node: Node, place: Source | None) -> bool:
    if place is None or place.offset is None:
        return False
    return place.path == node.document.path and node.offset <= place.offset < node.end
