"""Default classes: what an element of some kind says when it says nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from phyzctl import codes
from phyzctl.errors import Suggester
from phyzctl.formats.xmlnode import Node
from phyzctl.issues import Issues, Related
from phyzctl.records import dataclass
from phyzctl.robot.namesakes import code_of_namesake

MAIN = "main"

ACTUATORS = (
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
)
# All actuator shortcuts share one default; so do all equalities and all tendons.
_KIND_OF_TAG = dict.fromkeys(ACTUATORS, "actuator")
_KINDS = frozenset(
    {
        "mesh",
        "material",
        "joint",
        "geom",
        "site",
        "camera",
        "light",
        "pair",
        "equality",
        "tendon",
        "actuator",
    }
)


@dataclass(frozen=True)
class DefaultClass:
    """One class: what it says itself, and with what it inherits; nodes per kind."""

    name: str
    node: Node | None = None
    nodes: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)
    parent: DefaultClass | None = field(default=None, repr=False)

    def of(self, kind: str) -> tuple[Node, ...]:
        """The nodes that speak for elements of `kind`, the nearest first."""
        return self.nodes.get(kind, ())

    def own(self, kind: str) -> tuple[Node, ...]:
        """Those of them that stand in the class itself, in the order of the text."""
        inherited = len(self.parent.of(kind)) if self.parent else 0
        nodes = self.of(kind)
        return nodes[: len(nodes) - inherited][::-1]


class Classes:
    """The classes of one model. The outermost one, `main`, holds for elements without a class."""

    def __init__(self, sections: Sequence[Node], issues: Issues) -> None:
        self._issues = issues
        self._suggester = Suggester()
        self._classes = {MAIN: DefaultClass(MAIN)}
        for section in sections:
            self._read_main(section)

    @property
    def main(self) -> DefaultClass:
        """The class of elements that name none."""
        return self._classes[MAIN]

    def find(self, node: Node, attribute: str) -> DefaultClass | None:
        """The class that an attribute names; M013 when it doesn't exist, None when not written."""
        name = node.get(attribute)
        if name is None:
            return None
        found = self._classes.get(name)
        if found is None:
            hint = self._suggester.did_you_mean(name, self._classes)
            message = f"class {name!r} is not defined{hint}"
            place = node.attribute_source(attribute)
            self._issues.add(codes.CLASS_UNKNOWN, message, source=place, subject=node.subject)
        return found

    def _read_main(self, section: Node) -> None:
        """A top-level `<default>`: later ones add to main, but not to classes made before."""
        self._classes[MAIN] = _extended(MAIN, section, self.main)
        name = section.get("class")
        if name not in (None, "", MAIN):
            message = f"the outermost default class is always 'main', here it is called {name!r}"
            place = section.attribute_source("class")
            self._issues.add(codes.CLASS_UNKNOWN, message, source=place)
            self._classes.setdefault(name, self.main)
        self._read_nested(section)

    def _read_nested(self, section: Node) -> None:
        waiting = [(child, self.main) for child in reversed(section.findall("default"))]
        while waiting:
            node, parent = waiting.pop()
            made = self._define(node, parent)
            waiting += [(child, made) for child in reversed(node.findall("default"))]

    def _define(self, node: Node, parent: DefaultClass) -> DefaultClass:
        name = node.get("class") or ""
        made = _extended(name, node, parent)
        if not name:
            message = "a nested default class needs a name"
            self._issues.add(codes.REQUIRED_MISSING, message, source=node.source)
        elif name in self._classes:
            first = self._classes[name].node
            self._issues.add(
                code_of_namesake(node.source, first.source if first else None),
                f"default class {name!r} is defined twice",
                source=node.source,
                related=(Related("first defined here", first.source),) if first else (),
            )
        else:
            self._classes[name] = made
        return made


def _extended(name: str, node: Node, parent: DefaultClass) -> DefaultClass:
    nodes = dict(parent.nodes)
    for child in node.children:
        kind = _KIND_OF_TAG.get(child.tag, child.tag)
        if kind in _KINDS:
            nodes[kind] = (child, *nodes.get(kind, ()))
    return DefaultClass(name, node, nodes, parent)
