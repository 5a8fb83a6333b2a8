"""`<include>`: other files' elements in its place, each with the place it really stands at."""

from __future__ import annotations

import os
from dataclasses import field

from phyzctl import codes, disk
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.formats.xmltree import MAX_BYTES, parse
from phyzctl.issues import Issues
from phyzctl.records import dataclass

MAX_FILES = 1000
MAX_TOTAL_BYTES = 256 * 1024 * 1024


@dataclass
class Included:
    """The tree with all includes resolved, and the documents that it was made from."""

    root: Node
    documents: dict[str, Document] = field(default_factory=dict)


def resolve_includes(document: Document, root: Node, issues: Issues) -> Included:
    """Replace every `<include>` below `root` by what its file holds, to any depth.

    A path is looked for in the main file's folder, then in that of the including file. Trees
    are copied where they change; `document` stays as it was read.
    """
    return _Includer(document, issues).run(root)


class _Includer:
    def __init__(self, document: Document, issues: Issues) -> None:
        self.issues = issues
        self.folder = os.path.dirname(document.path)
        self.documents = {document.path: document}
        self.seen = {_identity(document.path)}
        self.bytes = len(document.data)

    def run(self, root: Node) -> Included:
        expanded = self._expanded(root)
        return Included(expanded, self.documents)

    def _expanded(self, root: Node) -> Node:
        """A copy of `root` without includes, or itself when it has none."""
        if not any(node.tag == "include" for node in root.iter()):
            return root
        top = copied(root)
        waiting = [(top, root.children)]
        while waiting:
            parent, children = waiting.pop()
            parent.children = []
            for child in self._resolved(children):
                clone = copied(child)
                parent.children.append(clone)
                if child.children:
                    waiting.append((clone, child.children))
        return top

    def _resolved(self, children: list[Node]) -> list[Node]:
        """The children with includes among them replaced by the content of their files."""
        found: list[Node] = []
        waiting = list(reversed(children))
        while waiting:
            child = waiting.pop()
            if child.tag == "include":
                waiting += reversed(self._content(child))
            else:
                found.append(child)
        return found

    def _content(self, include: Node) -> list[Node]:
        path = self._file(include)
        document = self._parsed(include, path) if path else None
        if document is None or document.root is None:
            return []
        if not document.root.children:
            self._report(include, f"the included file {document.path!r} holds no elements")
        return document.root.children

    def _file(self, include: Node) -> str | None:
        file = include.get("file")
        if include.children:
            self._report(include, "<include> can't have elements in it")
        if not file:
            self._report(include, "<include> lacks the attribute 'file'")
            return None
        here = os.path.dirname(include.document.path)
        places = (os.path.join(folder, file) for folder in (self.folder, here))
        candidates = list(dict.fromkeys(map(os.path.normpath, places)))
        for path in candidates:
            if disk.is_file(path):
                return path
        for path in (os.path.normpath(path.replace("\\", "/")) for path in candidates):
            if disk.is_file(path):
                self._report_backslashes(include)
                return path
        self._report(include, f"there is no file {' nor '.join(map(repr, candidates))}")
        return None

    def _parsed(self, include: Node, path: str) -> Document | None:
        if _identity(path) in self.seen:
            self._report(include, f"the file {path!r} is already included, or includes itself")
            return None
        if len(self.seen) > MAX_FILES:
            self._report(include, f"more than {MAX_FILES} files are included")
            return None
        self.seen.add(_identity(path))
        try:
            data = disk.read_bytes(path, MAX_BYTES + 1)
        except OSError as error:
            self._report(include, f"can't read {path!r}: {os.strerror(error.errno or 0)}")
            return None
        self.bytes += len(data)
        if self.bytes > MAX_TOTAL_BYTES:
            self._report(include, f"more than {MAX_TOTAL_BYTES >> 20} MiB are included")
            return None
        document = parse(data, path, self.issues)
        self.documents[path] = document
        return document

    def _report_backslashes(self, include: Node) -> None:
        """MuJoCo takes a backslash for a slash everywhere; other programs look for such a name."""
        message = "the path is written with backslashes, which not all programs take for slashes"
        source = include.attribute_source("file")
        self.issues.add(codes.PATH_NOT_PORTABLE, message, source=source)

    def _report(self, include: Node, message: str) -> None:
        source = include.attribute_source("file")
        self.issues.add(codes.INCLUDE_FAILED, message, source=source)


def copied(node: Node) -> Node:
    """A copy that stands at the same place of the same file and shares the children."""
    clone = Node(node.tag, node.attributes, node.document, node.parent, node.offset)
    clone.end, clone.text, clone.children = node.end, node.text, node.children
    return clone


def _identity(path: str) -> str:
    return os.path.realpath(path)
