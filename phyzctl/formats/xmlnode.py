"""A light XML tree in which every element and attribute knows its place in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from phyzctl.errors import shortened
from phyzctl.formats.xmlplaces import Places
from phyzctl.issues import Edit, Fix, Source
from phyzctl.records import dataclass

_PATH_LEVELS = 16
_TAG_NAME = re.compile(rb"<[^\s/><=\"']*")
_ATTRIBUTE = re.compile(rb"\s*([^\s=<>/\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_BETWEEN = re.compile(rb"\s+|<!--.*?-->|<\?.*?\?>", re.DOTALL)


class Node:
    """One element: `tag`, `attributes` in document order, `children`, `parent`, `text`.

    `text` is the character data directly inside, stripped, '' when blank; comments are no
    part of it. `offset` and `end` are byte offsets in the original file: of the start tag's
    `<`, and behind the element. `origin` is the element of another file that this one was made
    of by macros: its places are the ones that people know.
    """

    __slots__ = (
        "_path",
        "attributes",
        "children",
        "document",
        "end",
        "offset",
        "origin",
        "parent",
        "tag",
        "text",
    )

    def __init__(
        self,
        tag: str,
        attributes: dict[str, str],
        document: Document,
        parent: Node | None = None,
        offset: int = 0,
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.document = document
        self.parent = parent
        self.offset = offset
        self.end = offset
        self.children: list[Node] = []
        self.text = ""
        self.origin: Node | None = None
        self._path: tuple[str, ...] | None = None

    def get(self, name: str) -> str | None:
        """The raw value of an attribute, None when it isn't written."""
        return self.attributes.get(name)

    def find(self, tag: str) -> Node | None:
        """The first child with that tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def findall(self, tag: str) -> list[Node]:
        """All children with that tag, in document order."""
        return [child for child in self.children if child.tag == tag]

    def iter(self) -> Iterator[Node]:
        """This element and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def line(self) -> int:
        """Line of the start tag, from 1."""
        return self.document.places.line_column(self.offset)[0]

    @property
    def column(self) -> int:
        """Column of the start tag in characters, from 1."""
        return self.document.places.line_column(self.offset)[1]

    @property
    def element_path(self) -> str:
        """Such as `/robot/link[@name='arm']/inertial`; its middle is cut when it is deep."""
        steps = self._steps()
        return ("/" if len(steps) <= _PATH_LEVELS else "/…/") + "/".join(steps[-_PATH_LEVELS:])

    def _steps(self) -> tuple[str, ...]:
        """The path, one level more than is told of it; kept, since many ask for it."""
        if self._path is None:
            above = () if self.parent is None else self.parent._steps()
            name = self.attributes.get("name") if above else None
            tag = shortened(self.tag)
            step = f"{tag}[@name='{shortened(name)}']" if name else tag
            self._path = (*above[-_PATH_LEVELS:], step)
        return self._path

    @property
    def subject(self) -> str | None:
        """What a message calls it: the nearest name around it, such as `joint 'elbow'`."""
        node: Node | None = self
        while node is not None and node.parent is not None:
            if name := node.attributes.get("name"):
                return f"{shortened(node.tag)} {shortened(name)!r}"
            node = node.parent
        return None

    @property
    def source(self) -> Source:
        """Where the element starts."""
        if self.origin is not None:
            return self._as_of_here(self.origin.source)
        line, column = self.document.places.line_column(self.offset)
        return Source(self.document.path, line, column, self.element_path, self.offset)

    def attribute_source(self, name: str) -> Source:
        """From an attribute's name to behind its closing quote; the element when not written."""
        if self.origin is not None:
            return self._as_of_here(self.origin.attribute_source(name))
        spans = self._scan(name)
        if spans is None:
            return self.source
        start, (_, value_end) = spans
        line, column = self.document.places.line_column(start)
        end_line, end_column = self.document.places.line_column(value_end + 1)
        return Source(
            self.document.path,
            line,
            column,
            self.element_path,
            start,
            end_column if end_line == line else None,
        )

    def _as_of_here(self, source: Source) -> Source:
        """A place in the origin's file, by whose offset this element is found again."""
        return replace(source, element=self.element_path, offset=self.offset)

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """Byte offsets of the value inside its quotes; None when it isn't written."""
        spans = self._scan(name)
        return None if spans is None else spans[1]

    def name_span(self, name: str) -> tuple[int, int] | None:
        """Byte offsets of an attribute's name; None when it isn't written."""
        spans = self._scan(name)
        if spans is None:
            return None
        return spans[0], spans[0] + len(name.encode(self.document.encoding))

    def tag_spans(self) -> list[tuple[int, int]]:
        """Byte offsets of the tag's name in the start tag and, if there is one, the end tag."""
        name = self.tag.encode(self.document.encoding)
        spans = [(self.offset + 1, self.offset + 1 + len(name))]
        closing = self.document.data.rfind(b"</" + name, self.offset, self.end)
        start_tag_end = self.document.data.find(b">", self.offset)
        if closing > start_tag_end and not self.document.data[closing : self.end].count(b"<") > 1:
            spans.append((closing + 2, closing + 2 + len(name)))
        return spans

    @property
    def insertion_offset(self) -> int:
        """Byte offset behind the last attribute, where a further one can be written."""
        tag = _TAG_NAME.match(self.document.data, self.offset)
        position = tag.end() if tag else self.offset
        for match in self._attribute_matches():
            position = match.end()
        return position

    def text_source(self) -> Source:
        """Where the first character data that is not blank begins; the element when none."""
        if self.origin is not None:
            return self._as_of_here(self.origin.text_source())
        data, position = self.document.data, self._start_tag_end()
        for child in [*self.children, None]:
            limit = self.end if child is None else child.offset
            while position < limit and (match := _BETWEEN.match(data, position, limit)):
                position = match.end()
            if position < limit and not data.startswith(b"</", position):
                line, column = self.document.places.line_column(position)
                return Source(self.document.path, line, column, self.element_path, position)
            if child is not None:
                position = child.end
        return self.source

    def raw_text(self) -> str:
        """The element's XML as it stands in the file."""
        raw = self.document.data[self.offset : self.end]
        return raw.decode(self.document.encoding, "replace")

    def _scan(self, name: str) -> tuple[int, tuple[int, int]] | None:
        """Start of the attribute's name, and the span of its value."""
        if name not in self.attributes:
            return None
        wanted = name.encode(self.document.encoding)
        for match in self._attribute_matches():
            if match.group(1) == wanted:
                return match.start(1), match.span(2 if match.group(2) is not None else 3)
        return None

    def _attribute_matches(self) -> Iterator[re.Match[bytes]]:
        data = self.document.data
        tag = _TAG_NAME.match(data, self.offset)
        position = tag.end() if tag else self.offset
        while match := _ATTRIBUTE.match(data, position):
            yield match
            position = match.end()

    def _start_tag_end(self) -> int:
        return self.document.data.find(b">", self.insertion_offset) + 1

    def __repr__(self) -> str:
        return f"<{self.tag} at {self.document.path}:{self.line}:{self.column}>"


@dataclass
class Comment:
    """An XML comment: its text, the element it stands in, and the sibling that follows it.

    `parent` is None outside the root, `following` None when no element follows in `parent`.
    """

    text: str
    offset: int
    document: Document
    parent: Node | None = None
    following: Node | None = None

    @property
    def line(self) -> int:
        """Line of the comment's `<`, from 1."""
        return self.document.places.line_column(self.offset)[0]

    @property
    def column(self) -> int:
        """Column of the comment's `<`, from 1."""
        return self.document.places.line_column(self.offset)[1]


@dataclass(frozen=True)
class Repair:
    """What the lenient pass changed: the bytes `start:end` of the file became `text`."""

    start: int
    end: int
    text: bytes
    message: str
    safe: bool = True
    fatal: bool = False


class Document:
    """A parsed file. `root` is None when the XML could not be read at all.

    `original` are the file's bytes, and `data` the same as far as they can be decoded with
    `encoding`: bytes that can't are `?`. UTF-16 is the one exception, it is turned into UTF-8,
    offsets count that, and no edits are offered.
    """

    def __init__(self, path: str, data: bytes, encoding: str = "utf-8") -> None:
        self.path = path
        self.data = data
        self.encoding = encoding
        self.editable = True
        self.root: Node | None = None
        self.comments: list[Comment] = []
        self.repairs: list[Repair] = []
        self.original = data

    @cached_property
    def places(self) -> Places:
        """Lines and columns of byte offsets."""
        return Places(self.data, utf8=self.encoding == "utf-8")

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the file, so that a stale fix can be refused."""
        import hashlib  # here, since it loads a library of cryptography and few files are edited

        return hashlib.sha256(self.original).hexdigest()

    def source(self, offset: int) -> Source:
        """The place of a byte offset."""
        line, column = self.places.line_column(offset)
        return Source(self.path, line, column, offset=offset)

    def line_text(self, line: int) -> str:
        """One line without its line end; '' when there is no such line."""
        start, end = self.places.line_span(line)
        return self.data[start:end].decode(self.encoding, "replace").rstrip("\r")

    def node_at(self, offset: int) -> Node | None:
        """The innermost element that covers a byte offset."""
        node = self.root
        if node is None or not node.offset <= offset < node.end:
            return None
        while True:
            index = bisect_right(node.children, offset, key=lambda child: child.offset) - 1
            if index < 0 or offset >= node.children[index].end:
                return node
            node = node.children[index]

    def fix(self, description: str, *edits: tuple[int, int, str], safe: bool = False) -> Fix:
        """A remedy whose edits (start, end, text) are left out where bytes can't be edited."""
        plain = self.encoding == "utf-8" or all(text.isascii() for _, _, text in edits)
        if not (self.editable and plain):
            return Fix(description, safe)
        made = tuple(Edit(self.path, start, end, text) for start, end, text in edits)
        return Fix(description, safe, made)
