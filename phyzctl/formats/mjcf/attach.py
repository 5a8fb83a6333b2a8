"""`<attach>`: a body of another model, or of this one, with all that speaks of it.

The other model is read with its own settings and default classes. All of its names get a
prefix, its assets come along, and what refers to anything that is not attached is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from phyzctl import codes
from phyzctl.errors import Suggester
from phyzctl.formats.mjcf.actuators import read_actuators
from phyzctl.formats.mjcf.allowance import Allowance
from phyzctl.formats.mjcf.draft import REFERRING, Draft, deep_copy, size
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.places import AttachedKeys
from phyzctl.formats.mjcf.references import (
    ASSETS,
    WORLD,
    Name,
    defined,
    referred,
    rename_itself,
    rename_references,
)
from phyzctl.formats.mjcf.tree import read_tree
from phyzctl.formats.mjcf.unsupported import report_unsupported
from phyzctl.formats.xmlnode import Node
from phyzctl.issues import Code, Issues
from phyzctl.records import dataclass
from phyzctl.robot.builder import RobotBuilder

_ATTACHABLE = ("body", "frame")


class Library(Protocol):
    """Where attached models come from."""

    def models(self, model: Model) -> Mapping[str, Node]:
        """The `<model>` assets of a model, by name."""

    @property
    def allowance(self) -> Allowance:
        """What all macros together may make."""

    def load(self, asset: Node, within: Model) -> Model | None:
        """The model that an asset names, made anew; None when that failed, as was reported."""


@dataclass(frozen=True)
class _Origin:
    """Where the attached elements come from; `foreign` unless it is the model itself."""

    draft: Draft
    foreign: bool


class Attacher:
    """Expands the `<attach>` elements of a draft."""

    def __init__(self, model: Model, draft: Draft, library: Library) -> None:
        self.model = model
        self.draft = draft
        self.library = library
        self.suggester = Suggester()

    @cached_property
    def models(self) -> Mapping[str, Node]:
        """What can be attached, by name."""
        return self.library.models(self.model)

    def expand(self, node: Node) -> None:
        """Put what is attached into the place of an `<attach>`."""
        origin = self._origin(node)
        chosen = None if origin is None else self._chosen(node, origin.draft)
        if origin is None or chosen is None:
            self.draft.replace(node, ())
            return
        prefix = node.get("prefix") or ""
        tree = [item for top in chosen for item in top.iter()]
        if not self._may_make(len(tree), node):
            self.draft.replace(node, ())
            return
        inside = {WORLD, *defined(tree, "worldbody")}
        assets = origin.foreign
        self._bring_what_refers(node, origin.draft, inside, prefix)
        change = prefixing(prefix, "worldbody", assets=assets)
        self.draft.replace(node, [deep_copy(top, change) for top in chosen])
        if origin.foreign:
            change = prefixing(prefix, "asset", assets=True)
            items = origin.draft.elements("asset")
            if self._may_make(sum(map(size, items)), node):
                copies = [deep_copy(item, change) for item in items]
                self.draft.append("asset", copies, like=node)

    def _keep_keys(self, loaded: Model, prefix: str) -> None:
        """Remember the keys of an attached model; they are read when all joints are known."""
        nodes = [item for item in loaded.elements("keyframe") if item.tag == "key"]
        if nodes:
            rehearsal = Model(loaded.root, Issues(), within=self.model)
            read_tree(rehearsal, RobotBuilder(""))
            read_actuators(rehearsal, RobotBuilder(""))
            joints, actuators = rehearsal.joint_places, rehearsal.actuator_places
            keys = AttachedKeys(tuple(nodes), prefix, tuple(joints), tuple(actuators))
            self.model.attached_keys.append(keys)
        for keys in loaded.attached_keys:
            self.model.attached_keys.append(replace(keys, prefix=prefix + keys.prefix))

    def _origin(self, node: Node) -> _Origin | None:
        name = node.get("model")
        if name is None:
            return _Origin(self.draft, foreign=False)
        models = self.models
        if name not in models:
            hint = self.suggester.did_you_mean(name, models)
            self._report(node, codes.REFERENCE_UNKNOWN, f"model {name!r} is not defined{hint}")
            return None
        loaded = self.library.load(models[name], self.model)
        if loaded is None:
            return None
        prefix = node.get("prefix") or ""
        self._keep_keys(loaded, prefix)
        for default in loaded.defaults:
            for item in default.iter():
                prefixing(prefix, "default", assets=True)(item)
        self.model.defaults += loaded.defaults
        self._report_losses(node, loaded)
        return _Origin(Draft(loaded.root), foreign=True)

    def _chosen(self, node: Node, draft: Draft) -> list[Node] | None:
        """The elements to attach: one body or frame, or all that the world holds."""
        wanted = next((tag for tag in _ATTACHABLE if tag in node.attributes), None)
        if wanted is None:
            if node.get("model") is None:
                message = "<attach> without a model needs a body or a frame"
                self._report(node, codes.REQUIRED_MISSING, message)
                return None
            return draft.elements("worldbody")
        name = node.attributes[wanted]
        found = next((item for item in draft.named(wanted) if item.get("name") == name), None)
        if found is None:
            known = [item.attributes["name"] for item in draft.named(wanted)]
            hint = self.suggester.did_you_mean(name, known)
            message = f"{wanted} {name!r} is not defined{hint}"
            self._report(node, codes.REFERENCE_UNKNOWN, message)
            return None
        if any(item is node for item in found.iter()):
            message = f"{wanted} {name!r} can't be attached inside of itself"
            self._report(node, codes.LOOP, message)
            return None
        return [_in_its_class(found, draft)]

    def _bring_what_refers(self, node: Node, draft: Draft, inside: set[Name], prefix: str) -> None:
        """Copy what refers to nothing but attached elements."""
        for section in REFERRING:
            change = prefixing(prefix, section, assets=node.get("model") is not None)
            chosen = []
            for item in draft.elements(section):
                needed = set(referred(item))
                # What refers to the world alone stays where it is.
                if needed <= inside and needed != {WORLD}:
                    chosen.append(item)
                    inside.update(defined([item], section))
            if not self._may_make(sum(map(size, chosen)), node):
                return
            copies = [deep_copy(item, change) for item in chosen]
            self.draft.append(section, copies, like=self.draft.root)

    def _may_make(self, count: int, node: Node) -> bool:
        return self.library.allowance.make(count, node, self.model.issues)

    def _report_losses(self, node: Node, loaded: Model) -> None:
        own = self.model.settings(node).robot
        if loaded.sections("compiler") and own != loaded.settings(loaded.root).robot:
            report_unsupported(
                node,
                self.model.issues,
                "a <compiler> of an attached model that makes masses in its own way",
                "the settings of the main model hold for both",
            )

    def _report(self, node: Node, code: Code, message: str) -> None:
        self.model.issues.add(code, message, source=node.source, subject=node.subject)


def prefixing(prefix: str, section: str, *, assets: bool) -> Callable[[Node], None]:
    """Puts a prefix before all names and references of an element, on assets where asked."""

    def rename(name: Name) -> str:
        if name == WORLD or (name[0] in ASSETS and not assets):
            return name[1]
        return prefix + name[1]

    def change(node: Node) -> None:
        rename_references(node, rename)
        rename_itself(node, section, lambda name: prefix + name)

    return change


def _in_its_class(node: Node, draft: Draft) -> Node:
    """The element, in a frame that brings the class which it inherits where it stands."""
    holder = draft.holder(node)
    while holder.tag in ("body", "frame"):
        if (childclass := holder.get("childclass")) is not None:
            frame = Node("frame", {"childclass": childclass}, node.document, None, node.offset)
            frame.end = node.end
            frame.children = [node]
            return frame
        holder = draft.holder(holder)
    return node
