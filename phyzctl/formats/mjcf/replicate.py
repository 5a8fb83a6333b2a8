"""`<replicate>`: copies of its content, each in a frame of its own, names told apart by number.

Whatever in other sections refers to the content (tendons, actuators, sensors, …) is copied with
it, after everything else in its section.
"""

from __future__ import annotations

from collections.abc import Callable

from phyzctl import codes, spatial
from phyzctl.formats.mjcf.allowance import Allowance
from phyzctl.formats.mjcf.draft import REFERRING, Draft, deep_copy, size
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.placement import ORIGIN
from phyzctl.formats.mjcf.references import (
    Name,
    defined,
    kind_of,
    referred,
    rename_itself,
    rename_references,
)
from phyzctl.formats.xmlnode import Node
from phyzctl.geometry.shapes import Vec3
from phyzctl.records import dataclass

_NOT_INSIDE = frozenset({"joint", "freejoint", "inertial"})


@dataclass(frozen=True)
class _Series:
    """How often to copy, how far apart, and what to put behind each name."""

    count: int
    offset: Vec3
    euler: Vec3
    separator: str

    def suffix(self, number: int) -> str:
        return f"{self.separator}{number:0{len(str(self.count))}d}"


_NONE = _Series(0, ORIGIN, ORIGIN, "")


class Replicator:
    """Expands the `<replicate>` elements of a draft."""

    def __init__(self, model: Model, draft: Draft, allowance: Allowance) -> None:
        self.model = model
        self.draft = draft
        self.allowance = allowance

    def expand(self, node: Node) -> None:
        """Put the copies into the place of a `<replicate>` whose content is expanded already."""
        series = self._series(node)
        content = [child for child in node.children if child.tag not in _NOT_INSIDE]
        self._report_misplaced(node)
        if not self.allowance.make(size(node) * series.count, node, self.model.issues):
            series = _NONE
        names = {name for child in content for name in defined(child.iter(), "worldbody")}
        self._copy_what_refers(node, names, series)
        self.draft.replace(node, self._frames(node, content, names, series))

    def _series(self, node: Node) -> _Series:
        attributes = self.model.attributes(node)
        count = attributes.integer("count") or 0
        offset = attributes.vector("offset") or ORIGIN
        euler = attributes.vector("euler") or ORIGIN
        return _Series(max(0, count), offset, euler, attributes.string("sep") or "")

    def _report_misplaced(self, node: Node) -> None:
        for child in node.children:
            if child.tag in ("joint", "inertial"):
                message = f"<{child.tag}> can't be repeated by a <replicate> around it"
                self.model.issues.add(codes.ELEMENT_REPEATED, message, source=child.source)

    def _frames(
        self, node: Node, content: list[Node], names: set[Name], series: _Series
    ) -> list[Node]:
        settings = self.model.settings(node)
        frames = []
        position = spatial.identity()[:3, 3]
        for number in range(series.count):
            angles = [number * angle * settings.angle for angle in series.euler]
            quat = spatial.quat_from_euler(settings.euler_sequence, angles)
            frame = Node("frame", {}, node.document, node.parent, node.offset)
            frame.end = node.end
            frame.attributes["pos"] = " ".join(map(repr, position.tolist()))
            frame.attributes["quat"] = " ".join(map(repr, quat.tolist()))
            if (childclass := node.get("childclass")) is not None:
                frame.attributes["childclass"] = childclass
            change = _suffixing(names, series.suffix(number), "worldbody")
            frame.children = [deep_copy(child, change) for child in content]
            frames.append(frame)
            position = position + spatial.rotation_from_quat(quat) @ series.offset
        return frames

    def _copy_what_refers(self, macro: Node, names: set[Name], series: _Series) -> None:
        for section in REFERRING:
            originals = [
                node
                for node in self.draft.elements(section)
                if not names.isdisjoint(referred(node))
            ]
            names |= set(defined(originals, section))
            self.draft.remove(originals)
            count = series.count * sum(map(size, originals))
            if not self.allowance.make(count, macro, self.model.issues):
                return
            for number in range(series.count):
                change = _suffixing(names, series.suffix(number), section)
                copies = [deep_copy(node, change) for node in originals]
                self.draft.append(section, copies, like=self.draft.root)


def _suffixing(names: set[Name], suffix: str, section: str) -> Callable[[Node], None]:
    """Changes names and references of a copy."""

    def rename(name: Name) -> str:
        return name[1] + suffix if name in names else name[1]

    def change(node: Node) -> None:
        rename_references(node, rename)
        if kind_of(node, section) is not None:
            rename_itself(node, section, lambda name: name + suffix)

    return change
