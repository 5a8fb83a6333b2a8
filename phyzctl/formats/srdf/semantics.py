"""What an SRDF says, every element knowing its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Source
from phyzctl.records import dataclass

# What sampling can find out. Any other reason is a person's own, "User".
REASONS = ("Adjacent", "Default", "Always", "Never")
USER = "User"


@dataclass(frozen=True)
class LinkPair:
    """Two links whose collisions the file switches off or on; their order doesn't matter."""

    first: str
    second: str

    @property
    def key(self) -> frozenset[str]:
        """The same for both orders."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True)
class DisabledPair(LinkPair):
    """A `<disable_collisions>`; `reason` is one of `REASONS` or "User", `written` the text."""

    written: str | None
    node: Node

    @property
    def reason(self) -> str:
        """As MoveIt reads it: a reason it doesn't know is the user's."""
        return self.written if self.written in REASONS else USER

    @property
    def source(self) -> Source:
        """Where the pair stands in the file."""
        return self.node.source


@dataclass(frozen=True)
class GroupState:
    """A named posture of a group: joint name -> value [rad or m], the first of several."""

    name: str
    group: str
    joints: Mapping[str, float]
    source: Source | None = None


@dataclass(frozen=True)
class Srdf:
    """One SRDF file.

    `unpaired` are links that `<disable_default_collisions>` takes out of every test but those
    of `enabled`.
    """

    name: str
    document: Document
    disabled: tuple[DisabledPair, ...] = ()
    enabled: tuple[LinkPair, ...] = ()
    unpaired: tuple[str, ...] = ()
    passive_joints: tuple[str, ...] = ()
    states: tuple[GroupState, ...] = field(default=())

    def excluded(self, links: tuple[str, ...]) -> list[LinkPair]:
        """Every pair of `links` that the file switches off, each once."""
        enabled = {pair.key for pair in self.enabled}
        found = {pair.key: LinkPair(pair.first, pair.second) for pair in self.disabled}
        for link in self.unpaired:
            for other in links:
                pair = LinkPair(link, other)
                if other != link and pair.key not in enabled:
                    found.setdefault(pair.key, pair)
        return list(found.values())
