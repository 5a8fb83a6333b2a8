"""Fingerprints against those that GitHub's own uploader computes for the same texts.

The expected values are published with the uploader's source (github/codeql-action, tests of
its fingerprints).
"""

from __future__ import annotations

import pytest

from phyzctl.report.linehash import line_hashes

GREETINGS = [
    "e9496ae3ebfced30:1",
    "fb7c023a8b9ccb3f:1",
    "ce8ba1a563dcdaca:1",
    "e20e36e16fcb0cc8:1",
    "b3edc88f2938467e:1",
    "c8e28b0b4002a3a0:1",
    "c129715d7a2bc9a3:1",
]

PUBLISHED = [
    ("", ["c129715d7a2bc9a3:1"]),
    (
        " a\nb\n  \t\tc\n d",
        ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"],
    ),
    (
        " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
        [
            "8b7cf3e952e7aeb2:1",
            "b1ae1287ec4718d9:1",
            "bff680108adb0fcc:1",
            "c6805c5e1288b612:1",
            "b86d3392aea1be30:1",
            "e6ceba753e1a442:1",
        ],
    ),
    (" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", GREETINGS),
    (" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", GREETINGS),
    (" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", GREETINGS),
]


@pytest.mark.parametrize(("text", "expected"), PUBLISHED)
def test_published_values(text: str, expected: list[str]) -> None:
    assert line_hashes(text) == expected


def test_blanks_and_line_ends_do_not_count() -> None:
    plain = line_hashes("<a>\n<b c='1'/>\n</a>\n")
    assert line_hashes("  <a>\r\n\t<b  c='1'/>\r\n</a> \r\n") == plain


def test_an_edit_above_changes_nothing_below() -> None:
    below = "".join(f"<link name='l{number}'/>\n" for number in range(30))
    assert line_hashes(f"<!-- new -->\n{below}")[1:] == line_hashes(below)


def test_equal_lines_with_equal_context_are_numbered() -> None:
    text = "x\n" * 300
    counts = [hash_.partition(":")[2] for hash_ in line_hashes(text)[:200]]
    assert counts == [str(number) for number in range(1, 201)]


def test_characters_beyond_the_basic_plane_are_two_units() -> None:
    assert line_hashes("\U0001f916\n") != line_hashes("\uf916\n")
    assert len(line_hashes("\U0001f916\n\udc80\n")) == 3
