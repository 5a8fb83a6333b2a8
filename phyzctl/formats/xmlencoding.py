"""Which encoding a file is in, and what to do when it says or is something else."""

from __future__ import annotations

import codecs
import re

from phyzctl import codes
from phyzctl.formats.xmlnode import Document
from phyzctl.issues import Issues

_DECLARATION = re.compile(rb"\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"'>]*)[\"']")
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_BOMS = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_UNPAIRED = re.compile("[\udc80-\udcff]+")
_MAX_BAD_PLACES = 1000


def decode_plan(document: Document, issues: Issues) -> bytes | None:
    """The bytes to parse, which `document.data` becomes; None when it is hopeless.

    Sets `document.encoding` and turns UTF-16 into UTF-8. Bytes that are not what they should
    be become `?`, with one X015 for the file.
    """
    data = document.data
    if data.startswith(_UTF32_BOMS) or _looks_like_bare_utf16(data):
        _report(document, "the text is UTF-16 without a byte order mark, or UTF-32", 0, issues)
        return None
    if data.startswith(_UTF16_BOMS):
        return _from_utf16(document, issues)
    declared = _declared(data)
    if declared is None or data.startswith(_UTF8_BOM):
        return _as_utf8(document, issues)
    name, offset = declared
    encoding = _single_byte(name)
    if encoding is None:
        what = "which is unknown" if _python_name(name) is None else "which is not accepted"
        message = f"the file declares the encoding {name!r}, {what}; save it as UTF-8"
        text = _as_utf8(document, Issues())
        _report(document, message, offset, issues)
        return text
    if encoding == "utf-8":
        return _as_utf8(document, issues)
    document.encoding = encoding
    return data


def _declared(data: bytes) -> tuple[str, int] | None:
    match = _DECLARATION.match(data[:1024])
    return (match.group(1).decode("latin-1").strip(), match.start(1)) if match else None


def _python_name(name: str) -> str | None:
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None


def _single_byte(name: str) -> str | None:
    """Python's name of UTF-8 or of a superset of ASCII with one byte a character."""
    encoding = _python_name(name)
    if encoding in (None, "utf-8", "ascii"):
        return "utf-8" if encoding else None
    ascii_bytes = bytes(range(128))
    try:
        text = bytes(range(256)).decode(encoding, "replace")
        plain = ascii_bytes.decode(encoding)
    except (LookupError, ValueError):
        return None
    return encoding if len(text) == 256 and plain.encode("utf-8") == ascii_bytes else None


def _looks_like_bare_utf16(data: bytes) -> bool:
    return data[:2] in (b"<\x00", b"\x00<")


def _from_utf16(document: Document, issues: Issues) -> bytes | None:
    try:
        text = document.data.decode("utf-16")
    except UnicodeDecodeError as error:
        _report(document, f"the text is broken UTF-16 ({error.reason})", error.start, issues)
        return None
    document.data = text.encode("utf-8", "replace")
    document.editable = False
    return document.data


def _as_utf8(document: Document, issues: Issues) -> bytes | None:
    data = document.data
    if data.isascii():
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _without_bad_bytes(document, issues)
    return data


def _without_bad_bytes(document: Document, issues: Issues) -> bytes | None:
    text = document.data.decode("utf-8", "surrogateescape")
    fixed = bytearray(document.data)
    position, offset, first, bad = 0, 0, -1, 0
    for places, match in enumerate(_UNPAIRED.finditer(text)):
        if places >= _MAX_BAD_PLACES:
            _report(document, "the file is not UTF-8 text", first, issues)
            return None
        offset += len(text[position : match.start()].encode("utf-8"))
        first = offset if first < 0 else first
        length = match.end() - match.start()
        fixed[offset : offset + length] = b"?" * length
        bad, position, offset = bad + length, match.end(), offset + length
    found = document.data[first]
    document.data = bytes(fixed)  # before anybody counts its characters
    message = f"not UTF-8: {bad} invalid byte{'s' * (bad > 1)}, the first is 0x{found:02x}; "
    _report(document, message + "save the file as UTF-8 or declare its encoding", first, issues)
    return document.data


def _report(document: Document, message: str, offset: int, issues: Issues) -> None:
    issues.add(codes.ENCODING_WRONG, message, source=document.source(offset))
