"""What the passes share: the sections of a model, its settings, classes and issues."""

from __future__ import annotations

from collections.abc import Iterable

from phyzctl.formats.mjcf.attributes import Attributes, ValueReader
from phyzctl.formats.mjcf.defaults import Classes, DefaultClass
from phyzctl.formats.mjcf.places import AttachedKeys, JointPlace, Place
from phyzctl.formats.mjcf.settings import Settings, read_settings
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.issues import Issues
from phyzctl.records import dataclass


@dataclass(frozen=True)
class Scope:
    """How the elements of one model are to be read; a model that is attached has its own."""

    settings: Settings
    classes: Classes


class Model:
    """Sections by tag, each with the elements of all files, in the order of the text."""

    def __init__(self, root: Node, issues: Issues, within: Model | None = None) -> None:
        """`within` is the model that this one is part of, by being attached to it.

        The places of joints and actuators are known once these have been read.
        """
        self.issues = issues
        self.reader: ValueReader = within.reader if within else ValueReader()
        self._scopes: dict[Document, Scope] = within._scopes if within else {}
        self.defaults: list[Node] = []
        self.attached_keys: list[AttachedKeys] = []
        self.joint_places: list[JointPlace] = []
        self.actuator_places: list[Place] = []
        self.set_root(root)

    def set_root(self, root: Node) -> None:
        """Read from another tree of the same documents."""
        self.root = root
        self._sections: dict[str, list[Node]] = {}
        for node in root.children:
            self._sections.setdefault(node.tag, []).append(node)
        self.paired_geoms: frozenset[str | None] = frozenset(
            pair.attributes.get(name)
            for pair in self.elements("contact")
            for name in ("geom1", "geom2")
        ) - {None}

    def sections(self, tag: str) -> list[Node]:
        """All elements of that tag at the top level."""
        return self._sections.get(tag, [])

    def elements(self, tag: str) -> list[Node]:
        """What stands in the sections of that tag, together."""
        return [child for section in self.sections(tag) for child in section.children]

    def open_scope(self, folder: str, documents: Iterable[Document]) -> Scope:
        """Read settings and classes, which hold for every element of these documents."""
        settings = read_settings(self.sections("compiler"), folder, self.reader, self.issues)
        scope = Scope(settings, Classes(self.sections("default"), self.issues))
        for document in documents:
            self._scopes[document] = scope
        self.defaults += self.sections("default")
        return scope

    def scope(self, node: Node) -> Scope:
        """The scope that an element is to be read in."""
        return self._scopes[node.document]

    def settings(self, node: Node) -> Settings:
        """The settings that an element is to be read with."""
        return self.scope(node).settings

    def attributes(
        self, node: Node, kind: str | None = None, inherited: DefaultClass | None = None
    ) -> Attributes:
        """The element's attributes with those of its class, else the inherited, else main.

        Without a `kind` there are no defaults.
        """
        if kind is None:
            return Attributes((node,), self.reader, self.issues)
        chosen = self.default_class(node, inherited)
        return Attributes((node, *chosen.of(kind)), self.reader, self.issues)

    def default_class(self, node: Node, inherited: DefaultClass | None = None) -> DefaultClass:
        """The class that holds for an element: the one it names, the inherited one, or main."""
        classes = self.scope(node).classes
        return classes.find(node, "class") or inherited or classes.main
