"""The lenient pass: faults that tinyxml2 based tools accept, as edits on the original bytes.

The scan is linear and stops at the first thing it doesn't understand, keeping what it found:
the strict parser then reports that place.
"""

from __future__ import annotations

import contextlib
import re

from phyzctl.formats.xmlnode import Repair
from phyzctl.formats.xmlplaces import OffsetMap

MAX_REPAIRS = 1000

_NAME = re.compile(rb"[^\s/><=\"'&]+")
_ATTRIBUTE = re.compile(rb"(\s*)([^\s=<>/\"'&]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_TAG_END = re.compile(rb"\s*(/?)>")
_BARE_AMPERSAND = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
_BARE_IN_VALUE = re.compile(rb"<|" + _BARE_AMPERSAND.pattern)
_DECLARATION = re.compile(rb"<\?xml\s")
_UTF8_BOM = b"\xef\xbb\xbf"


def find_repairs(data: bytes) -> list[Repair]:
    """Edits that make the text well-formed as far as it is understood, in order of place."""
    scan = _Scan(data)
    scan.run()
    return scan.repairs


def apply_repairs(data: bytes, repairs: list[Repair]) -> tuple[bytes, OffsetMap]:
    """The repaired text, and the map from its offsets to those of `data`."""
    pieces: list[bytes] = []
    offsets = OffsetMap()
    position = length = 0
    for repair in repairs:
        pieces += (data[position : repair.start], repair.text)
        length += repair.start - position
        offsets.add(length, repair.start)
        length += len(repair.text)
        position = repair.end
        offsets.add(length, position)
    pieces.append(data[position:])
    return b"".join(pieces), offsets


class _EnoughError(Exception):
    """Stops a scan that repairs too much to be a slip."""


class _Scan:
    """A forgiving tokenizer that collects repairs on its way."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.start = len(_UTF8_BOM) if data.startswith(_UTF8_BOM) else 0
        self.position = self.start
        self.depth = 0
        self.root_seen = False
        self.markup_seen = False
        self.repairs: list[Repair] = []

    def run(self) -> None:
        with contextlib.suppress(_EnoughError):
            self._scan()

    def _scan(self) -> None:
        while self.position < len(self.data):
            opening = self.data.find(b"<", self.position)
            end = len(self.data) if opening < 0 else opening
            self._text(self.position, end)
            self.position = end
            if opening < 0 or not self._markup(opening):
                return

    def add(self, start: int, end: int, text: bytes, message: str, *, safe: bool = True) -> None:
        self._append(Repair(start, end, text, message, safe))

    def _append(self, repair: Repair) -> None:
        if len(self.repairs) >= MAX_REPAIRS:
            raise _EnoughError
        self.repairs.append(repair)

    def _text(self, start: int, end: int) -> None:
        text = self.data[start:end]
        if self.depth:
            self._ampersands(start, end, "text")
        elif not text.strip():
            if start == self.start and text and _DECLARATION.match(self.data, end):
                self.add(start, end, b"", "blanks stand before the XML declaration; left out")
        elif not text.strip(b"\x00 \t\r\n"):
            self.add(start, end, b"\n", "NUL bytes stand outside the root element; left out")
        else:
            where = "behind" if self.root_seen else "before"
            shown = text.strip(b"\x00 \t\r\n")[:20].decode("utf-8", "replace")
            message = f"text stands {where} the root element ({shown!r}); left out"
            self.add(start, end, b"", message, safe=False)

    def _ampersands(self, start: int, end: int, what: str) -> None:
        for match in _BARE_AMPERSAND.finditer(self.data, start, end):
            at = match.start()
            self.add(at, at + 1, b"&amp;", f"a bare & in {what}; read as &amp;")

    def _markup(self, at: int) -> bool:
        """Step over what begins at `<`; False when the scan can't go on."""
        data = self.data
        if data.startswith(b"<!--", at):
            understood = self._comment(at)
        elif data.startswith(b"<!-", at):
            understood = self._broken_comment(at)
        elif data.startswith(b"<![CDATA[", at):
            understood = self._skip_behind(b"]]>", at)
        elif data.startswith(b"<?", at):
            understood = self._instruction(at)
        elif data.startswith(b"</", at):
            self.depth -= 1
            understood = self.depth >= 0 and self._skip_behind(b">", at)
        else:
            understood = self._start_tag(at)
        self.markup_seen = True
        return understood

    def _skip_behind(self, mark: bytes, at: int) -> bool:
        found = self.data.find(mark, at)
        self.position = found + len(mark)
        return found >= 0

    def _comment(self, at: int) -> bool:
        if not self._skip_behind(b"-->", at + 4):
            return False
        start, end = at + 4, self.position - 3
        body = self.data[start:end]
        if b"--" in body or body.endswith(b"-"):
            apart = body.replace(b"--", b"- ")  # of the same length: a comment can be long
            apart = apart[:-1] + b" " if apart.endswith(b"-") else apart
            self.add(start, end, apart, "-- inside a comment; dashes set apart")
        return True

    def _broken_comment(self, at: int) -> bool:
        r"""`<!-\- … -\->`, which editors write for a comment inside a comment."""
        closing = rb"-\->" if self.data.startswith(rb"<!-\-", at) else b">"
        if not self._skip_behind(closing, at):
            return False
        message = "a broken comment (<!- in place of <!--); left out"
        self.add(at, self.position, b"", message, safe=False)
        return True

    def _instruction(self, at: int) -> bool:
        declaration = _DECLARATION.match(self.data, at)
        if not self._skip_behind(b"?>", at):
            return False
        if declaration and at > self.start and self.markup_seen:
            message = "the XML declaration does not stand at the start; left out"
            self.add(at, self.position, b"", message)
        return True

    def _start_tag(self, at: int) -> bool:
        name = _NAME.match(self.data, at + 1)
        if name is None or (self.depth == 0 and self.root_seen):
            return False
        position, seen = name.end(), set[bytes]()
        while match := _ATTRIBUTE.match(self.data, position):
            if not self._attribute(match, seen):
                return False
            position = match.end()
        end = _TAG_END.match(self.data, position)
        if end is None:
            return False
        self.root_seen = True
        self.depth += 0 if end.group(1) else 1
        self.position = end.end()
        return True

    def _attribute(self, match: re.Match[bytes], seen: set[bytes]) -> bool:
        name = match.group(2)
        value, shown = 3 if match.group(3) is not None else 4, name.decode("utf-8", "replace")
        if name in seen:
            message = f"the attribute {shown!r} is given twice; the first is read"
            self._append(Repair(match.start(), match.end(), b"", message, safe=False, fatal=True))
            return True
        seen.add(name)
        if not match.group(1):
            at = match.start()
            self.add(at, at, b" ", f"no blank before the attribute {shown!r}")
        text = match.group(value)
        if b"<" in text and (b"\n" in text or b"=" in text):
            return False  # more likely a missing quote
        self._value(match.start(value), match.end(value))
        return True

    def _value(self, start: int, end: int) -> None:
        for match in _BARE_IN_VALUE.finditer(self.data, start, end):
            at, found = match.start(), match.group()
            text = b"&lt;" if found == b"<" else b"&amp;"
            message = f"a bare {found.decode()} in a value; read as {text.decode()}"
            self.add(at, at + 1, text, message)
