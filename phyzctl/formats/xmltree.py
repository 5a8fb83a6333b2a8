"""Bytes of an XML file -> `Document`: strict first, repairing what is common in the wild.

Nothing here raises on a bad file: every fault is an Issue, and `Document.root` is None when
nothing could be read. DOCTYPE and entities are refused; size, depth and counts are capped.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from phyzctl import codes
from phyzctl.formats.xmlencoding import decode_plan
from phyzctl.formats.xmlnode import Comment, Document, Node, Repair
from phyzctl.formats.xmlplaces import OffsetMap
from phyzctl.formats.xmlrepair import apply_repairs, find_repairs
from phyzctl.issues import Issues, Related

__all__ = ["Comment", "Document", "Node", "Repair", "parse", "quick_root_tag"]

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 512
MAX_ELEMENTS = 100_000  # the largest robot known has four thousand
MAX_COMMENTS = 100_000
MAX_ATTRIBUTES = 2_000_000

_SNIFF_BYTES = 1 << 16
_PROLOG = re.compile(rb"(?:[^<]+|<!--.*?-->|<\?.*?\?>|<!-[^-][^<>]*>)*", re.DOTALL)
_ROOT_TAG = re.compile(rb"<([^\s/><=\"'!?&]+)")
_NO_ELEMENT, _INVALID_TOKEN, _UNCLOSED_TOKEN, _TAG_MISMATCH = 3, 4, 5, 7  # of expat
_PLAIN_WORDS = {
    3: "no XML element is found",
    5: "the text ends in the middle of a tag or value",
    6: "the text ends in the middle of a character",
    9: "something follows the end of the root element",
    11: "an entity is used that is not defined",
    20: "a CDATA section is never closed",
    30: "the XML declaration is malformed",
    31: "the XML declaration is malformed",
}


class _RefusedError(Exception):
    """Stops expat: the reason is already among the Issues."""


def parse(data: bytes, path: str, issues: Issues) -> Document:
    """Parse a file's bytes. Faults go to `issues` as X001, X015, X016, X017, X018.

    When strict parsing fails, known faults are repaired (each an X016 warning) and offsets
    mapped back, so that every place still means the original bytes.
    """
    document = Document(path, data)
    if not _small_enough(document, issues):
        return document
    text = decode_plan(document, issues)
    if text is None:
        return document
    try:
        result = _read(document, text, OffsetMap(), issues)
        if result.failed:
            document.repairs = find_repairs(text)
        if document.repairs:
            repaired, offsets = apply_repairs(text, document.repairs)
            result = _read(document, repaired, offsets, issues)
    except _RefusedError:
        document.root = None
        return document
    _report_repairs(document, result, issues)
    return document


def quick_root_tag(data: bytes) -> str | None:
    """The root element's name from a file's first bytes, None when it doesn't look like ours.

    A document type means that the file belongs to something else (YARP has `<robot>` files).
    """
    head = data[:_SNIFF_BYTES]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode()
    prolog = _PROLOG.match(head)
    match = _ROOT_TAG.match(head, prolog.end() if prolog else 0)
    return match.group(1).decode("utf-8", "replace") if match else None


def _small_enough(document: Document, issues: Issues) -> bool:
    if len(document.data) > MAX_BYTES:
        size = len(document.data) / 1024 / 1024
        message = f"the file has {size:.1f} MiB, at most {MAX_BYTES >> 20} are read"
    elif document.data.count(b"=") > MAX_ATTRIBUTES:
        message = f"the file has more than {MAX_ATTRIBUTES} attributes"
    else:
        return True
    issues.add(codes.DOCUMENT_TOO_LARGE, message, source=document.source(0))
    return False


def _read(document: Document, text: bytes, offsets: OffsetMap, issues: Issues) -> _Builder:
    """One run of expat, filling in the document's root and comments."""
    document.root = None
    document.comments = []
    builder = _Builder(document, text, offsets, issues)
    builder.run()
    return builder


class _Builder:
    """Expat's handlers: they make the tree and watch the caps."""

    def __init__(self, document: Document, text: bytes, offsets: OffsetMap, issues: Issues) -> None:
        self.document = document
        self.text = text
        self.offsets = offsets
        self.issues = issues
        self.stack: list[Node] = []
        self.texts: list[list[str]] = []
        self.waiting: list[Comment] = []
        self.elements = 0
        self.failed = False
        self.error_offset = 0
        self.error_code = 0
        self.parser = self._make_parser()

    def _make_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(self.document.encoding)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._comment
        parser.StartDoctypeDeclHandler = self._doctype
        return parser

    def run(self) -> None:
        try:
            self.parser.Parse(self.text, True)  # noqa: FBT003 (expat takes no keywords)
        except expat.ExpatError as error:
            self.failed = True
            self.error_code = error.code
            self.error_offset = self.offsets.original(max(0, self.parser.ErrorByteIndex))
            self.document.root = None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        offset = self.offsets.original(self.parser.CurrentByteIndex)
        parent = self.stack[-1] if self.stack else None
        node = Node(tag, attributes, self.document, parent, offset)
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            self._refuse(f"the file has more than {MAX_ELEMENTS} elements", offset)
        if len(self.stack) >= MAX_DEPTH:
            self._refuse(f"elements are nested more than {MAX_DEPTH} levels deep", offset)
        if parent is None:
            self.document.root = node
        else:
            parent.children.append(node)
        if self.waiting:
            self._settle_comments(node)
        self.stack.append(node)
        self.texts.append([])

    def _end(self, _tag: str) -> None:
        index = self.parser.CurrentByteIndex
        node = self.stack.pop()
        pieces = self.texts.pop()
        self.waiting.clear()
        empty_tag = not pieces and not node.children and self.text[index - 2 : index] == b"/>"
        if not empty_tag:
            index = self.text.find(b">", index) + 1
        node.end = self.offsets.original_end(index)
        if pieces:
            node.text = "".join(pieces).strip()

    def _characters(self, data: str) -> None:
        self.texts[-1].append(data)

    def _comment(self, text: str) -> None:
        offset = self.offsets.original(self.parser.CurrentByteIndex)
        if len(self.document.comments) >= MAX_COMMENTS:
            self._refuse(f"the file has more than {MAX_COMMENTS} comments", offset)
        parent = self.stack[-1] if self.stack else None
        comment = Comment(text, offset, self.document, parent)
        self.document.comments.append(comment)
        self.waiting.append(comment)

    def _settle_comments(self, node: Node) -> None:
        for comment in self.waiting:
            if comment.parent is node.parent:
                comment.following = node
        self.waiting.clear()

    def _doctype(self, *_declaration: object) -> None:
        end = self.parser.CurrentByteIndex + 1
        offset = self.offsets.original(max(0, self.text.rfind(b"<!DOCTYPE", 0, end)))
        self.issues.add(
            codes.DOCTYPE_REFUSED,
            "document type and entity declarations are refused, since they can include other "
            "files and grow without bound; remove <!DOCTYPE> and write its entities out",
            source=self.document.source(offset),
        )
        raise _RefusedError

    def _refuse(self, message: str, offset: int) -> None:
        self.issues.add(codes.DOCUMENT_TOO_LARGE, message, source=self.document.source(offset))
        raise _RefusedError

    def report_error(self) -> None:
        """X001 in plain words."""
        open_node = self.stack[-1] if self.stack else None
        unclosed = open_node is not None and self.error_code in (_NO_ELEMENT, _UNCLOSED_TOKEN)
        if self.error_code == _INVALID_TOKEN:
            words = self._token_words()
        elif self.error_code == _TAG_MISMATCH and open_node is not None:
            found = self._text_at_error(64).split(">")[0].strip("</ ")
            words = f"</{found}> closes <{open_node.tag}>, opened at line {open_node.line}"
            unclosed = True
        elif unclosed and open_node is not None:
            words = f"<{open_node.tag}>, opened at line {open_node.line}, is never closed"
        elif self.error_code == _NO_ELEMENT and not self.document.data.strip():
            words = "the file is empty"
        else:
            words = _PLAIN_WORDS.get(self.error_code) or expat.ErrorString(self.error_code) or ""
        related = Related("opened here", open_node.source) if unclosed and open_node else None
        self.issues.add(
            codes.XML_MALFORMED,
            words,
            source=self.document.source(self.error_offset),
            related=() if related is None else (related,),
        )

    def _token_words(self) -> str:
        before = self.document.data[max(0, self.error_offset - 1) : self.error_offset]
        found = self._text_at_error(4)[:1]
        if found == "<":
            return "a tag begins here, but the tag or value before it has not ended"
        if before == b"=":
            return f"a value begins with {found!r}, it must stand in quotes"
        return f"{found!r} is not allowed here" if found else "the text ends too early"

    def _text_at_error(self, length: int) -> str:
        data = self.document.data[self.error_offset : self.error_offset + length]
        return data.decode(self.document.encoding, "replace")


def _report_repairs(document: Document, result: _Builder, issues: Issues) -> None:
    """X016 for each repair that mattered, then X001 when even the repaired text fails."""
    for repair in document.repairs if result.elements else ():
        if not (result.failed and repair.start > result.error_offset):
            _report_repair(document, repair, issues)
    if result.failed:
        result.report_error()


def _report_repair(document: Document, repair: Repair, issues: Issues) -> None:
    source = document.source(repair.start)
    if repair.fatal:
        issues.add(codes.XML_MALFORMED, repair.message, source=source)
        return
    edit = (repair.start, repair.end, repair.text.decode(document.encoding))
    fix = document.fix("write well-formed XML", edit, safe=repair.safe)
    issues.add(codes.XML_REPAIRED, repair.message, source=source, fix=fix)
