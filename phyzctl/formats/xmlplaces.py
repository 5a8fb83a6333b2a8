"""Lines and columns of byte offsets, in bounded memory even for hostile texts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

_CHUNK = 4096
_CONTINUATION = bytes(range(0x80, 0xC0))
_UTF8_BOM = b"\xef\xbb\xbf"


class Places:
    """Turns byte offsets of one text into lines and columns, which count characters from 1.

    Counts are kept for every 4 KiB only: a query costs microseconds, and a file of nothing
    but line ends costs no memory. A text without line feeds counts carriage returns.
    """

    def __init__(self, data: bytes, *, utf8: bool = True) -> None:
        self._data = data
        self._uncounted = _CONTINUATION if utf8 else b""
        self._newline = b"\n" if b"\n" in data or b"\r" not in data else b"\r"
        self._first = len(_UTF8_BOM) if utf8 and data.startswith(_UTF8_BOM) else 0
        self._lines: list[int] = []  # line ends before each chunk
        self._characters: list[int] = []  # characters before each chunk
        self._line_starts: list[int] = []  # start of the line each chunk begins in
        self._count()

    def _count(self) -> None:
        lines, characters, line_start = 0, 0, self._first
        for start in range(0, len(self._data) + 1, _CHUNK):
            self._lines.append(lines)
            self._characters.append(characters)
            self._line_starts.append(line_start)
            chunk = self._data[start : start + _CHUNK]
            lines += chunk.count(self._newline)
            characters += len(chunk.translate(None, self._uncounted))
            line_start = max(line_start, start + chunk.rfind(self._newline) + 1)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset; offsets beyond the text mean its end."""
        offset = max(self._first, min(offset, len(self._data)))
        chunk = offset // _CHUNK
        begin = chunk * _CHUNK
        line = self._lines[chunk] + self._data.count(self._newline, begin, offset) + 1
        newline = self._data.rfind(self._newline, begin, offset)
        line_start = self._line_starts[chunk] if newline < 0 else newline + 1
        return line, self._characters_before(offset) - self._characters_before(line_start) + 1

    def line_span(self, line: int) -> tuple[int, int]:
        """Byte offsets of the start and end of a line (line end left out); (0, 0) when none."""
        if line < 1:
            return 0, 0
        start = self._line_start(line)
        if start is None:
            return 0, 0
        end = self._data.find(self._newline, start)
        return start, len(self._data) if end < 0 else end

    def _line_start(self, line: int) -> int | None:
        if line == 1:
            return self._first
        # the last chunk before which fewer than line-1 line ends lie holds the one we want
        chunk = bisect_left(self._lines, line - 1) - 1
        position = chunk * _CHUNK
        for _ in range(line - 1 - self._lines[chunk]):
            position = self._data.find(self._newline, position) + 1
            if position == 0:
                return None
        return position

    def _characters_before(self, offset: int) -> int:
        chunk = offset // _CHUNK
        part = self._data[chunk * _CHUNK : offset]
        return self._characters[chunk] + len(part.translate(None, self._uncounted))


class OffsetMap:
    """Maps offsets of an edited text back to the original one."""

    def __init__(self) -> None:
        self._edited = [0]
        self._original = [0]

    def add(self, edited: int, original: int) -> None:
        """From `edited` on, text comes from `original` on; called in ascending order."""
        self._edited.append(edited)
        self._original.append(original)

    def original_end(self, edited: int) -> int:
        """The same for the end of a piece of text: what was cut out behind it stays out."""
        return self.original(edited - 1) + 1

    def original(self, edited: int) -> int:
        """The original offset of an offset in the edited text."""
        index = bisect_right(self._edited, edited) - 1
        mapped = self._original[index] + edited - self._edited[index]
        if index + 1 < len(self._original):
            # inserted text has no original: it stands where the next piece begins
            mapped = min(mapped, self._original[index + 1])
        return mapped
