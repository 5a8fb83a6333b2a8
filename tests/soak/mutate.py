"""Spoils files of any kind: `spoiled(data, rng)` knows nothing but bytes, words and lines."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

Mutator = Callable[[bytes, random.Random], bytes]

ABSURD = (
    *("", " ", "nan", "-nan", "inf", "-inf", "1e999", "1e308", "-1e308", "5e-324", "0", "-0", "-1"),
    *("1e9", "1000000000", "-2147483648", "2147483648", "9223372036854775808", "0x10", "1_000"),
    *("1,5", "1 2", "1 2 3", "1 2 3 4 5 6 7 8 9", "0 0 0", "1 0 0 0", "true", "false", "null"),
    *("${x}", "$(arg x)", "&amp;", "é", "\u202e", "\U0001f916", "world", "base", "*", "..", "/"),
    *("../../../../etc/passwd", "package://nowhere/a.stl", "file:///dev/zero", "a" * 300),
)

_PIECES = (
    *(b"<", b">", b"/>", b"&", b'"', b"'", b"--", b"=", b" ", b"\r\n", b"\0", b"\xff", b"\xc3"),
    *(b"<!--", b"-->", b"<!DOCTYPE a>", b"]]>", b"<![CDATA[", b"<?xml ", b"?>", b"\xef\xbb\xbf"),
    *(b"[", b"]", b"{", b"}", b"[[", b"]]", b"#", b"\\", b"\n", b",", b"'''", b'"""', b"e9"),
)
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w.-]*")
_EXTREMES = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3B9ACA00)
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "cp037")
_MOST = 1 << 20  # bytes that doubling may come to


def spoiled(data: bytes, rng: random.Random) -> bytes:
    """The file after one to four mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = rng.choice(MUTATORS)(data, rng)
    return data


def flip(data: bytes, rng: random.Random) -> bytes:
    """Another byte somewhere."""
    at = _place(data, rng)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def insert(data: bytes, rng: random.Random) -> bytes:
    """A few bytes that mean something to some reader."""
    at = _place(data, rng)
    return data[:at] + rng.choice(_PIECES) + data[at:]


def cut(data: bytes, rng: random.Random) -> bytes:
    """The end is missing."""
    return data[: _place(data, rng)]


def hole(data: bytes, rng: random.Random) -> bytes:
    """Some bytes in the middle are missing."""
    at = _place(data, rng)
    return data[:at] + data[at + rng.randint(1, 64) :]


def doubled(data: bytes, rng: random.Random) -> bytes:
    """A stretch stands there twice, or many times."""
    start = _place(data, rng)
    piece = data[start : start + rng.randint(1, 400)]
    count = rng.choice((1, 1, 1, 2, 50))
    return data[:start] + piece * count + data[start:] if len(data) < _MOST else data


def number(data: bytes, rng: random.Random) -> bytes:
    """One number is another, or no number at all."""
    return _replaced(_NUMBER, data, rng, lambda _: rng.choice(ABSURD).encode())


def scaled(data: bytes, rng: random.Random) -> bytes:
    """One number is a thousand times as large, or negative."""
    factor = rng.choice((-1.0, 1e3, 1e-3, 57.29578))
    return _replaced(_NUMBER, data, rng, lambda text: repr(float(text) * factor).encode())


def word(data: bytes, rng: random.Random) -> bytes:
    """One word is another of the file, or absurd."""
    words = _WORD.findall(data[:_MOST]) or [b"x"]
    new = rng.choice(words) if rng.random() < 0.7 else rng.choice(ABSURD).encode()
    return _replaced(_WORD, data, rng, lambda _: new)


def line(data: bytes, rng: random.Random) -> bytes:
    """A line is missing, doubled, or elsewhere."""
    lines = data.split(b"\n")
    taken = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2))):
        lines.insert(rng.randint(0, len(lines)), taken)
    return b"\n".join(lines)


def field(data: bytes, rng: random.Random) -> bytes:
    """Four bytes hold an extreme integer, as counts of binary files do."""
    at = rng.choice((_place(data, rng), rng.randrange(0, 100, 4)))
    extreme = rng.choice(_EXTREMES).to_bytes(4, rng.choice(("little", "big")))
    return data[:at] + extreme + data[at + 4 :]


def recoded(data: bytes, rng: random.Random) -> bytes:
    """The text in another encoding than it says."""
    return data.decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")


MUTATORS: Sequence[Mutator] = (
    *(flip, insert, cut, hole, doubled, number, number, number),
    *(scaled, word, word, word, line, line, field, recoded),
)


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randint(0, len(data))


def _replaced(
    pattern: re.Pattern[bytes], data: bytes, rng: random.Random, new: Callable[[bytes], bytes]
) -> bytes:
    found = [match.span() for match in pattern.finditer(data[:_MOST])]
    if not found:
        return data
    start, end = rng.choice(found)
    return data[:start] + new(data[start:end]) + data[end:]
