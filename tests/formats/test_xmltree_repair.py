"""Bad XML: what is repaired, what is refused, and where each is reported."""

from __future__ import annotations

import time

import pytest

from phyzctl.formats.xmltree import Document, parse
from phyzctl.issues import Issues, Severity

MIB = 1 << 20


def read(text: str | bytes) -> tuple[Document, Issues]:
    issues = Issues()
    data = text.encode() if isinstance(text, str) else text
    return parse(data, "f", issues), issues


def found(issues: Issues) -> list[tuple[str, int | None, int | None]]:
    return [
        (issue.code.id, issue.source.line, issue.source.column) for issue in issues if issue.source
    ]


def repaired(document: Document, issues: Issues) -> bytes:
    """The file after all fixes, as an editor would apply them."""
    edits = sorted(edit for issue in issues if issue.fix for edit in map(_key, issue.fix.edits))
    data = document.original
    for start, end, text in reversed(edits):
        data = data[:start] + text + data[end:]
    return data


def _key(edit: object) -> tuple[int, int, bytes]:
    return edit.start, edit.end, edit.text.encode()  # type: ignore[attr-defined]


REPAIRS = [
    # text, places of X016, the tags that are read
    ("<r/>\0", [(1, 5)], "r"),
    ("<r/>\n\0\0\n", [(1, 5)], "r"),
    ("<r/>\nleft over", [(1, 5)], "r"),
    ("left over<r/>", [(1, 1)], "r"),
    ("\n\n<?xml version='1.0'?>\n<r/>", [(1, 1)], "r"),
    ("x <?xml version='1.0'?>\n<r/>", [(1, 1)], "r"),
    ("<!-- licence -->\n<?xml version='1.0'?>\n<r/>", [(2, 1)], "r"),
    ("<r><!-- a -- b --><x/></r>", [(1, 8)], "r x"),
    ("<r><!-- a ---><x/></r>", [(1, 8)], "r x"),
    ("<r><!----------><x/></r>", [(1, 8)], "r x"),
    ("<r>\n <x a='1'b='2'\tc='3'd='4'/></r>", [(2, 10), (2, 21)], "r x"),
    (r"<r><!-\- <x/> <y/> -\-><z/></r>", [(1, 4)], "r z"),
    ("<r><!- x ><z/></r>", [(1, 4)], "r z"),
    ("<r a='x & y'>a && b &lt; &#65;</r>", [(1, 9), (1, 16), (1, 17)], "r"),
    ("<r a='&nbsp;'/>", [(1, 7)], "r"),
    ("<r a='x < y'/>", [(1, 9)], "r"),
]


@pytest.mark.parametrize(("text", "places", "tags"), REPAIRS)
def test_repairs(text: str, places: list[tuple[int, int]], tags: str) -> None:
    document, issues = read(text)
    assert found(issues) == [("X016", line, column) for line, column in places]
    assert document.root is not None
    assert [node.tag for node in document.root.iter()] == tags.split()
    for node in document.root.iter():
        assert text[node.offset :].startswith(f"<{node.tag}")
        for name in node.attributes:
            span = node.attribute_span(name)
            assert span is not None
            assert text[span[0] - 1] == text[span[1]] == "'"
    assert document.root.raw_text().endswith(">")
    assert len(document.repairs) == len(places)


@pytest.mark.parametrize(("text", "places", "tags"), REPAIRS)
def test_the_fixes_of_repairs_make_the_file_well_formed(
    text: str, places: list[tuple[int, int]], tags: str
) -> None:
    document, issues = read(text)
    assert document.root is not None
    again, none = read(repaired(document, issues))
    assert list(none) == []
    assert again.root is not None
    first, second = document.root.iter(), again.root.iter()
    for node, twin in zip(first, second, strict=True):
        assert (node.tag, node.attributes, node.text) == (twin.tag, twin.attributes, twin.text)


def test_values_and_text_behind_a_repair() -> None:
    document, _ = read("<r a='x & y < z'b='&lt;'>p & q<s t='é'/></r>")
    root = document.root
    assert root is not None
    assert root.attributes == {"a": "x & y < z", "b": "<"}
    assert root.text == "p & q"
    assert root.children[0].raw_text() == "<s t='é'/>"


def test_cutting_text_away_is_not_called_safe() -> None:
    _, issues = read("<r/>left over")
    _, harmless = read("<r/>\0")
    assert [issue.fix.safe for issue in issues if issue.fix] == [False]
    assert [issue.fix.safe for issue in harmless if issue.fix] == [True]


def test_a_repeated_attribute_is_an_error_and_the_rest_is_read() -> None:
    document, issues = read("<r><x a='1' b='2' a='3'/><y/></r>")
    assert found(issues) == [("X001", 1, 18)]
    assert document.root is not None
    assert document.root.children[0].attributes == {"a": "1", "b": "2"}
    assert document.root.children[1].tag == "y"


MALFORMED = [
    ("", (1, 1), "empty"),
    ("  \n", (2, 1), "empty"),
    ("hello", (1, 6), "no XML element"),
    ("{'a': 1}", (1, 9), "no XML element"),
    ("<r>\n<x>\n</r>", (3, 3), "closes <x>, opened at line 2"),
    ("<r>\n<x>\n", (3, 1), "<x>, opened at line 2, is never closed"),
    ("<r/><s/>", (1, 5), "follows the end of the root"),
    ("<r a=1/>", (1, 6), "must stand in quotes"),
    ("<r a/>", (1, 5), "'/' is not allowed"),
    ("<r>\n<x a='1>\n<y b='2'/></r>", (3, 1), "before it has not ended"),
    ("<r>a\0b</r>", (1, 5), "'\\x00' is not allowed"),
    ("<r><!-- ", (1, 4), "<r>, opened at line 1, is never closed"),
    ("<r><![CDATA[ ", (1, 14), "CDATA"),
    ("<r a='1' <x/></r>", (1, 10), "before it has not ended"),
    ("<?xml version='1.0'", (1, 1), ""),
]


@pytest.mark.parametrize(("text", "place", "words"), MALFORMED)
def test_malformed(text: str, place: tuple[int, int], words: str) -> None:
    document, issues = read(text)
    assert document.root is None
    (issue,) = issues
    assert issue.code.id == "X001"
    assert issue.severity is Severity.ERROR
    assert issue.source is not None
    assert (issue.source.line, issue.source.column) == place
    assert words in issue.message


def test_repairs_in_front_of_a_fault_are_reported_with_it() -> None:
    document, issues = read("<r a='1'b='2'>\n<x></r><!-- -- -->")
    assert document.root is None
    assert found(issues) == [("X016", 1, 9), ("X001", 2, 6)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<?xml version='1.0'?>\n\n<!DOCTYPE r>\n<r/>", 3),
        ("<!DOCTYPE r [\n<!ENTITY a 'aaaaaaaaaa'>\n<!ENTITY b '&a;&a;&a;'>]>\n<r>&b;</r>", 1),
        ("\n<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n<r/>", 2),
        ("<!-- -- -->\n<!DOCTYPE r [<!ENTITY a SYSTEM 'x'>]><r>&a;</r>", 2),
    ],
)
def test_document_types_are_refused(text: str, line: int) -> None:
    document, issues = read(text)
    assert document.root is None
    assert found(issues) == [("X017", line, 1)]


ENCODINGS: list[tuple[bytes, list[tuple[str, int | None, int | None]], str | None]] = [
    ("<r a='é'/>".encode(), [], "é"),
    (b"\xef\xbb\xbf" + "<r a='é'/>".encode(), [], "é"),
    ("<r a='é'/>".encode("utf-16"), [], "é"),
    (b"\xfe\xff" + "<r a='é'/>".encode("utf-16-be"), [], "é"),
    ("<?xml version='1.0' encoding='utf-16'?><r a='é'/>".encode("utf-16"), [], "é"),
    ("<?xml version='1.0' encoding='ISO-8859-1'?><r a='é'/>".encode("latin-1"), [], "é"),
    ("<?xml version='1.0' encoding='latin1'?><r a='é'/>".encode("latin-1"), [], "é"),
    ("<?xml version='1.0' encoding='windows-1252'?><r a='é'/>".encode("cp1252"), [], "é"),
    ("<?xml version='1.0' encoding='UTF8'?><r a='é'/>".encode(), [], "é"),
    ("<?xml version='0.0' ?><r a='é'/>".encode(), [], "é"),
    ("<r a='é'/>".encode("latin-1"), [("X015", 1, 7)], "?"),
    ("<?xml version='1.0' encoding='UTF-8'?>\n<r a='é'/>".encode("latin-1"),
     [("X015", 2, 7)], "?"),
    ("<?xml version='1.0' encoding='nonsense'?><r a='é'/>".encode(), [("X015", 1, 31)], "é"),
    ("<?xml version='1.0' encoding='gbk'?><r a='中'/>".encode("gbk"), [("X015", 1, 31)], "??"),
    ("<?xml version='1.0' encoding='zlib'?><r a='é'/>".encode(), [("X015", 1, 31)], "é"),
    ("<?xml version='1.0' encoding='utf-16'?><r a='é'/>".encode(), [("X015", 1, 31)], "é"),
    ("<r a='é'/>".encode("utf-16-le"), [("X015", 1, 1)], None),
    ("<r a='é'/>".encode("utf-32"), [("X015", 1, 1)], None),
    ("<r a='é'/>".encode("utf-16") + b"x", [("X015", 1, 23)], None),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected", "value"), ENCODINGS)
def test_encodings(
    data: bytes, expected: list[tuple[str, int | None, int | None]], value: str | None
) -> None:
    document, issues = read(data)
    assert found(issues) == expected
    assert (document.root.attributes["a"] if document.root else None) == value


def test_places_and_text_of_other_encodings() -> None:
    head = "<?xml version='1.0' encoding='latin-1'?><r a='éé' b='x'/>"
    document, _ = read(head.encode("latin-1"))
    root = document.root
    assert root is not None
    assert root.attribute_source("b").column == head.index("b='x") + 1
    assert document.line_text(1) == head
    assert root.raw_text() == "<r a='éé' b='x'/>"
    assert document.fix("", (0, 0, "x")).edits != ()
    assert document.fix("", (0, 0, "é")).edits == ()  # would be written as UTF-8


def test_bytes_that_cannot_be_decoded_count_as_characters() -> None:
    document, _ = read(b"<?xml version='1.0' encoding='gbk'?><r a='\x80\xff' b='1'/>")
    assert document.root is not None
    assert document.root.attribute_source("b").column == 47
    assert document.line_text(1).endswith("<r a='??' b='1'/>")
    assert b"\xff" in document.original


def test_utf16_offers_no_edits() -> None:
    document, _ = read("<r a='é' b='1'/>".encode("utf-16"))
    assert document.root is not None
    assert document.root.attribute_source("b").column == 10
    assert document.fix("write", (0, 1, "x")).edits == ()


def test_several_bad_bytes_are_one_issue() -> None:
    document, issues = read(b"<r a='\xff\xfe'>\xe9 \xe9</r>")
    (issue,) = issues
    assert "4 invalid bytes, the first is 0xff" in issue.message
    assert document.root is not None
    assert document.root.text == "? ?"


CAPS = [
    (b"<a>" * 513, "512 levels"),
    (b"<r>" + b"<a/>" * 300_001 + b"</r>", "100000 elements"),
    (b"<r>" + b"<!---->" * 300_001 + b"</r>", "100000 comments"),
    (b"<r>" + b" " * (64 * MIB), "64"),
    (b"<r>" + b"=" * 2_000_001, "2000000 attributes"),
]


@pytest.mark.parametrize(("data", "words"), CAPS, ids=[words for _, words in CAPS])
def test_caps(data: bytes, words: str) -> None:
    document, issues = read(data)
    assert document.root is None
    (issue,) = issues
    assert issue.code.id == "X018"
    assert words in issue.message


def test_what_the_caps_allow() -> None:
    document, issues = read(b"<a>" * 512 + b"</a>" * 512)
    assert list(issues) == []
    assert document.root is not None


HOSTILE = {
    "ampersands": b"<a>" + b"&" * (2 * MIB) + b"</a>",
    "less-thans": b"<" * (2 * MIB),
    "less-thans in a value": b'<a b="' + b"<" * (2 * MIB) + b'"/>',
    "dashes": b"<a><!--" + b"-" * (2 * MIB) + b"--></a>",
    "comments that never end": b"<a>" + b"<!-- --" * (MIB // 4),
    "values that never end": b'<a b="' * (MIB // 4),
    "blanks in a tag": b"<a b" + b" " * (2 * MIB),
    "line ends": b"\n" * (2 * MIB),
    "bad bytes": b"<a>" + b"\xff " * MIB + b"</a>",
    "repeated attributes": b"<a " + b'a="" ' * (MIB // 4) + b"/>",
    "NULs": b"<a/>" + b"\0" * (2 * MIB),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_end_in_time(data: bytes) -> None:
    begin = time.process_time()
    document, issues = read(data)
    assert time.process_time() - begin < 5.0
    assert 1 <= len(issues) <= 1002
    for issue in issues:
        assert issue.source is not None
        assert document.line_text(issue.source.line or 0) is not None


def test_more_than_a_thousand_repairs_are_no_slip() -> None:
    document, issues = read("<a>" + "&" * 1001 + "</a>")
    assert document.root is None
    assert [issue.code.id for issue in issues].count("X001") == 1
