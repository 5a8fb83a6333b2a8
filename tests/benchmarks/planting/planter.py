"""Mistakes made on purpose: a planter changes one thing in a description and knows what it is.

A planter is a function of an `Original` and a random generator. It returns a `Defect`: the new
text, and the element and line that a finding has to point at; or None where the robot offers
nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import TypeVar

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.formats.xmledits import Edit, insert_after, remove_element, set_attribute
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Issues
from phyzctl.robot.robot import Robot

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Defect:
    """A description with one mistake: its bytes, the line, and the span [bytes] of the element."""

    data: bytes
    line: int
    span: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Original:
    """A clean description at `path`, of the format "urdf" or "mjcf"."""

    path: str
    data: bytes
    format: str

    @cached_property
    def _read(self) -> tuple[Robot, Node]:
        reading = read_bytes(self.data, self.path, Issues())
        root = reading.documents[self.path].root
        assert reading.robot is not None
        assert root is not None
        return reading.robot, root

    @property
    def robot(self) -> Robot:
        """The Robot that it describes."""
        return self._read[0]

    @property
    def root(self) -> Node:
        """The root element."""
        return self._read[1]

    def nodes(self, *tags: str) -> list[Node]:
        """Every element of these tags."""
        return [node for node in self.root.iter() if node.tag in tags]

    def changed(self, *edits: Edit, node: Node, at: int | None = None) -> Defect:
        """The defect that edits make; it is found at `node`, on the line of `at`."""
        data = applied(self.data, edits)
        place = moved(node.offset if at is None else at, edits)
        span = (moved(node.offset, edits), moved(node.end, edits))
        return Defect(data, data[:place].count(b"\n") + 1, span)


def applied(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes after edits that don't overlap."""
    for start, end, text in sorted(edits, reverse=True):
        data = data[:start] + text.encode() + data[end:]
    return data


def moved(offset: int, edits: Sequence[Edit]) -> int:
    """Where the byte at `offset` is after the edits."""
    return offset + sum(
        len(text.encode()) - (end - start) for start, end, text in edits if end <= offset
    )


def write(original: Original, node: Node, name: str, value: str) -> Defect:
    """Write an attribute: found at its value."""
    span = node.attribute_span(name)
    at = node.insertion_offset - 1 if span is None else span[0]
    return original.changed(set_attribute(node, name, value), node=node, at=at)


def drop(original: Original, node: Node, name: str) -> Defect:
    """Leave an attribute out: found at the element."""
    start, end = node.name_span(name), node.attribute_span(name)
    assert start is not None
    assert end is not None
    return original.changed((start[0], end[1] + 1, ""), node=node)


def remove(original: Original, node: Node) -> Defect:
    """Leave an element out: found at the one around it."""
    assert node.parent is not None
    return original.changed(remove_element(node), node=node.parent)


def rename_tag(original: Original, node: Node, tag: str) -> Defect:
    """Write another tag: found at the element."""
    edits = [(start, end, tag) for start, end in node.tag_spans()]
    return original.changed(*edits, node=node)


def insert(original: Original, sibling: Node, text: str) -> Defect:
    """Write an element behind another: found at the new one."""
    edit = insert_after(sibling, text)
    data = applied(original.data, [edit])
    start = data.index(text.encode(), edit[0])
    return Defect(data, data[:start].count(b"\n") + 1, (start, start + len(text.encode())))


def value_span(node: Node | None, name: str) -> tuple[int, int] | None:
    """The bytes of an attribute's value; None without an element or where it isn't written."""
    return None if node is None else node.attribute_span(name)


def name_span(node: Node | None, name: str) -> tuple[int, int] | None:
    """The same of its name."""
    return None if node is None else node.name_span(name)


Plant = Callable[[Original, Random], Defect | None]


@dataclass(frozen=True, eq=False)
class Planter:
    """A kind of mistake: its name, the format it is made in, the codes that tell of it."""

    name: str
    format: str
    codes: frozenset[str]
    plant: Plant = field(repr=False)
    config: Config = field(default_factory=Config)

    @property
    def family(self) -> str:
        """The letter of the rules that are to find it."""
        return min(self.codes)[0]


def pick(rng: Random, candidates: Iterable[T]) -> T | None:
    """One of the candidates, None when there is none."""
    found = list(candidates)
    return rng.choice(found) if found else None


class Planters:
    """Collects the planters of a format."""

    def __init__(self, format_name: str) -> None:
        self._format = format_name
        self.all: list[Planter] = []

    def __call__(
        self, *codes: str, target: tuple[str, ...] = (), deep: bool = False
    ) -> Callable[[Plant], Plant]:
        """A decorator: the function plants what one of these codes tells of."""

        def keep(plant: Plant) -> Plant:
            name = getattr(plant, "__name__", "").replace("_", " ").strip()
            config = Config(target=target, deep=deep, select=codes if deep else ())
            self.all.append(Planter(name, self._format, frozenset(codes), plant, config))
            return plant

        return keep
