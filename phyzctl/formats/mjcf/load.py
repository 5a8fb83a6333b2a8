"""From a document to a model without includes and macros, ready to be read."""

from __future__ import annotations

import os

from phyzctl import codes, disk
from phyzctl.formats.mjcf import typed
from phyzctl.formats.mjcf.allowance import BYTES_SEEN, Allowance
from phyzctl.formats.mjcf.attach import Attacher
from phyzctl.formats.mjcf.draft import Draft, deep_copy
from phyzctl.formats.mjcf.include import resolve_includes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.replicate import Replicator
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.formats.xmltree import MAX_BYTES, parse
from phyzctl.issues import Issues

MAX_MODELS = 1000
_MACROS = ("replicate", "attach")


class Loader:
    """Loads a document and the models that it attaches; `documents` are all that were read."""

    def __init__(self, issues: Issues) -> None:
        self.issues = issues
        self.documents: dict[str, Document] = {}
        self.allowance = Allowance()
        self._open: list[str] = []
        self._loaded = 0

    def load(self, asset: Node, within: Model) -> Model | None:
        """The model that a `<model>` asset names."""
        path = self._path(asset, within)
        if path is None or not self._may_load(asset, path):
            return None
        # What is wrong with a model is said the first time that it is attached.
        issues = Issues() if path in self.documents else self.issues
        document = self._parse(asset, path, issues)
        if document is None:
            return None
        self._open.append(os.path.realpath(path))
        model = self._load_document(document, issues, within)
        self._open.pop()
        return model

    def load_document(self, document: Document) -> Model | None:
        """The model that a document holds; None when it has no root."""
        self._open.append(os.path.realpath(document.path))
        return self._load_document(document, self.issues, None)

    def _load_document(
        self, document: Document, issues: Issues, within: Model | None
    ) -> Model | None:
        if document.root is None:
            self.documents[document.path] = document
            return None
        included = resolve_includes(document, document.root, issues)
        self.documents |= included.documents
        root = included.root
        typed.check(document, root, issues)
        model = Model(deep_copy(root) if within else root, issues, within)
        model.open_scope(os.path.dirname(document.path), included.documents.values())
        self._expand_macros(model)
        return model

    def models(self, model: Model) -> dict[str, Node]:
        """The `<model>` assets of a model, by their names or those that their files state."""
        found: dict[str, Node] = {}
        for node in model.elements("asset"):
            if node.tag == "model":
                name = node.get("name") or self._name_in_file(node, model)
                found.setdefault(name, node)
        return found

    def _expand_macros(self, model: Model) -> None:
        worlds = model.sections("worldbody")
        if not any(node.tag in _MACROS for world in worlds for node in world.iter()):
            return
        draft = Draft(model.root)
        replicator = Replicator(model, draft, self.allowance)
        attacher = Attacher(model, draft, self)
        macros = draft.innermost_first(*_MACROS)
        for number, node in enumerate(macros):
            if not self.allowance.see(draft.held, node, model.issues):
                draft.remove(macros[number:])
                break
            if node.tag == "replicate":
                replicator.expand(node)
            else:
                attacher.expand(node)
        model.set_root(draft.root)

    def _path(self, asset: Node, model: Model) -> str | None:
        file = asset.get("file")
        if not file:
            self._report(asset, "<model> lacks the attribute 'file'")
            return None
        folder = model.settings(asset).assets.base_dir
        return os.path.normpath(os.path.join(folder, file))

    def _may_load(self, asset: Node, path: str) -> bool:
        self._loaded += 1
        if os.path.realpath(path) not in self._open and self._loaded <= MAX_MODELS:
            return True
        self._report(asset, f"the model {path!r} attaches itself, or too many are attached")
        return False

    def _parse(self, asset: Node, path: str, issues: Issues) -> Document | None:
        """What a file holds; None when it can't be read, as is reported."""
        data = self._bytes(asset, path)
        if data is None or not self.allowance.see(len(data) // BYTES_SEEN, asset, self.issues):
            return None
        return parse(data, path, issues)

    def _bytes(self, asset: Node, path: str) -> bytes | None:
        if disk.kind(path) == "nothing":  # or a pipe, which would be waited for
            self._report(asset, f"there is no file {path!r}")
            return None
        try:
            return disk.read_bytes(path, MAX_BYTES + 1)
        except OSError as error:
            self._report(asset, f"can't read {path!r}: {os.strerror(error.errno or 0)}")
            return None

    def _name_in_file(self, asset: Node, model: Model) -> str:
        path = self._path(asset, model)
        if path is None or not disk.is_file(path):
            return ""
        document = self._parse(asset, path, Issues())
        root = None if document is None else document.root
        return (root.get("model") if root else None) or ""

    def _report(self, asset: Node, message: str) -> None:
        source = asset.attribute_source("file")
        self.issues.add(codes.INCLUDE_FAILED, message, source=source, subject=asset.subject)
