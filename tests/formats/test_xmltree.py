"""The tree and its places. Expected places are counted in the text by other means."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from lxml import etree

from phyzctl.formats.xmltree import Document, Node, parse, quick_root_tag
from phyzctl.issues import Issues, Source

REPOSITORY = Path(__file__).parents[2]
ROBOTS = sorted(
    path
    for folder in ("sample_robots", ".corpus/s")
    for path in (REPOSITORY / folder).rglob("*")
    if path.suffix in (".urdf", ".xml")
)

ARM = """<?xml version="1.0"?>
<!-- größe: two lines
 of comment -->
<robot name="arm">
  <link name='base'/>
  <link
     name = "fore&amp;arm"
\t mass="2.5"  >
    <!-- inside -->
    <inertial><mass value="1"/></inertial> words <b/> more
  </link>
  <größe wert="ä" x="1"/>
</robot>
"""


def read(text: str | bytes, path: str = "arm.urdf") -> tuple[Document, Issues]:
    issues = Issues()
    data = text.encode() if isinstance(text, str) else text
    return parse(data, path, issues), issues


def root_of(text: str | bytes) -> Node:
    document, issues = read(text)
    assert list(issues) == []
    assert document.root is not None
    return document.root


def expected_place(text: str, mark: str) -> tuple[int, int]:
    """Line and column of the first `mark` in a text, counted by splitting it."""
    before = text[: text.index(mark)].split("\n")
    return len(before), len(before[-1]) + 1


def test_structure_and_order() -> None:
    root = root_of(ARM)
    assert [node.tag for node in root.iter()] == [
        "robot", "link", "link", "inertial", "mass", "b", "größe",
    ]  # fmt: skip
    fore = root.findall("link")[1]
    assert fore.attributes == {"name": "fore&arm", "mass": "2.5"}
    assert list(fore.attributes) == ["name", "mass"]
    assert fore.text == "words  more"
    assert root.text == ""
    assert fore.parent is root
    assert root.parent is None
    assert root.get("version") is None
    assert root.find("joint") is None
    assert root.find("link") is root.children[0]


def test_elements_have_places_in_characters() -> None:
    root = root_of(ARM)
    for node, mark in zip(
        root.iter(),
        ("<robot", "<link name", "<link\n", "<inertial", "<mass", "<b/>", "<größe"),
        strict=True,
    ):
        assert (node.line, node.column) == expected_place(ARM, mark)
        assert node.document.data[node.offset :].decode().startswith(mark)


@pytest.mark.parametrize(
    ("tag", "name", "value"),
    [("link", "name", "fore&amp;arm"), ("link", "mass", "2.5"), ("größe", "wert", "ä")],
)
def test_attributes_have_places(tag: str, name: str, value: str) -> None:
    node = root_of(ARM).findall(tag)[-1]
    start, end = node.attribute_span(name) or (0, 0)
    assert node.document.data[start:end].decode() == value
    source = node.attribute_source(name)
    assert source.line is not None
    line = ARM.split("\n")[source.line - 1]
    assert source.column is not None
    assert source.end_column is not None
    written = line[source.column - 1 : source.end_column - 1]
    assert written.startswith(name)
    assert written.endswith(f'"{value}"')


def test_the_place_of_an_attribute_that_is_not_written_is_the_element() -> None:
    base = root_of(ARM).children[0]
    assert base.attribute_source("mass") == base.source
    assert base.attribute_span("mass") is None
    assert base.name_span("mass") is None


def test_an_attribute_is_not_found_inside_the_value_of_another() -> None:
    node = root_of("""<a note='x="9" ' x="1"/>""")
    start, end = node.attribute_span("x") or (0, 0)
    assert node.document.data[start:end] == b"1"
    assert node.name_span("x") == (17, 18)


def test_an_attribute_over_two_lines_has_no_end_column() -> None:
    source = root_of('<a b="1\n2"/>').attribute_source("b")
    assert (source.line, source.column, source.end_column) == (1, 4, None)


def test_source_names_path_and_element() -> None:
    mass = root_of(ARM).children[1].children[0].children[0]
    offset = ARM.encode().index(b"<mass")
    line, column = expected_place(ARM, "<mass")
    element = "/robot/link[@name='fore&arm']/inertial/mass"
    assert mass.source == Source("arm.urdf", line, column, element, offset)
    assert mass.subject == "link 'fore&arm'"


def test_element_paths_of_deep_elements_are_cut() -> None:
    node = root_of("<r>" + "<a>" * 400 + "</a>" * 400 + "</r>")
    *_, last = node.iter()
    assert last.element_path == "/…/" + "/".join(["a"] * 16)


def test_long_names_are_cut_in_places() -> None:
    node = root_of(f"<r><{'x' * 9999} name='{'y' * 9999}'/></r>").children[0]
    assert len(node.element_path) < 500
    assert len(node.subject or "") < 500


def test_verbatim_text() -> None:
    root = root_of(ARM)
    assert root.children[0].raw_text() == "<link name='base'/>"
    assert root.children[1].raw_text() == ARM[ARM.index("<link\n") : ARM.index("\n  <größe")]


@pytest.mark.parametrize(
    "text",
    ["<a/>", "<a></a>", "<a  />", "<a></a >", "<a>/></a>", '<a x="/>"></a>', "<a><a/></a>",
     "<a><![CDATA[]]></a>", "<a><!-- /> --></a>", "<a>x</a\n>", '<a x=">" y="/>"/>'],
)  # fmt: skip
def test_elements_end_behind_their_last_bracket(text: str) -> None:
    root = root_of(f"<r>{text}<z/></r>")
    assert root.children[0].raw_text() == text


def test_comments_know_where_they_stand() -> None:
    document, _ = read("<!--a--><r><!--b--><x/><!--c--></r><!--d-->")
    root = document.root
    assert root is not None
    found = [(c.text, c.line, c.column, c.parent, c.following) for c in document.comments]
    assert found == [
        ("a", 1, 1, None, root),
        ("b", 1, 12, root, root.children[0]),
        ("c", 1, 24, root, None),
        ("d", 1, 36, None, None),
    ]


def test_node_at_is_the_innermost() -> None:
    document, _ = read(ARM)
    data = document.data
    for mark, tag in ((b"<mass", "mass"), (b"words", "link"), (b"<robot", "robot")):
        node = document.node_at(data.index(mark))
        assert node is not None
        assert node.tag == tag
    assert document.node_at(0) is None
    assert document.node_at(len(data)) is None


def test_stray_text_has_a_place() -> None:
    fore = root_of(ARM).children[1]
    assert (fore.text_source().line, fore.text_source().column) == expected_place(ARM, "words")
    assert fore.children[0].text_source() == fore.children[0].source


def test_spans_for_renaming_and_inserting() -> None:
    root = root_of("<r><ab c='1'><ab/></ab><ab/></r>")
    first, second = root.children
    data = first.document.data
    assert [data[a - 1 : b + 1] for a, b in first.tag_spans()] == [b"<ab ", b"/ab>"]
    assert [data[a - 1 : b + 1] for a, b in second.tag_spans()] == [b"<ab/"]
    assert data[: first.insertion_offset].endswith(b"c='1'")
    assert data[: second.insertion_offset].endswith(b"<ab")


def test_lines_of_text() -> None:
    document, _ = read("<a>\r\n <b/>\r\n</a>\r\n")
    assert [document.line_text(n) for n in range(6)] == ["", "<a>", " <b/>", "</a>", "", ""]
    assert document.root is not None
    assert (document.root.children[0].line, document.root.children[0].column) == (2, 2)


def test_lines_across_many_chunks() -> None:
    text = "<r>\n" + "".join(f"<é{'ü' * (i % 90)} n='{i}'/>\n" for i in range(700)) + "</r>"
    document, _ = read(text)
    lines = text.split("\n")
    assert document.root is not None
    for i, node in enumerate(document.root.children):
        assert (node.line, node.column) == (i + 2, 1)
        assert document.line_text(i + 2) == lines[i + 1]
        assert node.attribute_source("n").column == lines[i + 1].index("n=") + 1


def test_a_byte_order_mark_takes_no_column() -> None:
    document, issues = read(b"\xef\xbb\xbf<a><b/></a>")
    assert list(issues) == []
    assert document.root is not None
    assert (document.root.column, document.root.children[0].column) == (1, 4)
    assert document.line_text(1) == "<a><b/></a>"
    assert document.source(0).column == 1


def test_prefixes_need_no_declaration() -> None:
    assert root_of('<a drake:x="1"><drake:joint/></a>').children[0].tag == "drake:joint"


def test_fixes_carry_byte_offsets() -> None:
    document, _ = read("<ä b='1'/>")
    assert document.root is not None
    start, end = document.root.attribute_span("b") or (0, 0)
    fix = document.fix("write 2", (start, end, "2"), safe=True)
    (edit,) = fix.edits
    data = document.data
    assert data[: edit.start] + edit.text.encode() + data[edit.end :] == "<ä b='2'/>".encode()
    assert (fix.safe, edit.path) == (True, "arm.urdf")


@pytest.mark.parametrize(
    ("data", "tag"),
    [
        (b"<robot/>", "robot"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <no/> -->\n<mujoco model="x">', "mujoco"),
        ("<mujoco/>".encode("utf-16"), "mujoco"),
        (b"<!-- -- > -->\n <r:obot/>", "r:obot"),
        (b'<!DOCTYPE robot PUBLIC "-//YARP//DTD" "x.dtd">\n<robot/>', None),
        (b"solid cube", None),
        (b"", None),
        (b"<!-- unclosed <robot/>", None),
        (b"a < b", None),
        (b"\x00\xff<\xff", "\ufffd"),
    ],
)
def test_the_root_is_sniffed(data: bytes, tag: str | None) -> None:
    assert quick_root_tag(data) == tag


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: os.path.relpath(path, REPOSITORY))
def test_real_files_are_read_as_lxml_reads_them(path: Path) -> None:
    data = path.read_bytes()
    try:
        theirs = etree.fromstring(data, etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        pytest.skip("lxml refuses the file")
    if theirs.getroottree().docinfo.internalDTD is not None:
        pytest.skip("document types are refused")
    document, issues = read(data)
    assert list(issues) == []
    assert document.root is not None
    elements = [element for element in theirs.iter() if isinstance(element.tag, str)]
    nodes = list(document.root.iter())
    assert len(elements) == len(nodes)
    for element, node in zip(elements, nodes, strict=True):
        assert node.tag.split(":")[-1] == etree.QName(element).localname
        plain = [(k.split(":")[-1], v) for k, v in node.attributes.items() if k[:5] != "xmlns"]
        assert plain == [(etree.QName(k).localname, v) for k, v in element.attrib.items()]
        tails = "".join(child.tail or "" for child in element)
        assert node.text == ((element.text or "") + tails).strip()
        assert data[node.offset : node.end].startswith(b"<" + node.tag.encode())
        sourceline = element.sourceline
        if isinstance(sourceline, int) and sourceline < 65535:  # where libxml2 stops counting
            start_tag = data[node.offset : data.index(b">", node.offset)]
            assert node.line <= sourceline <= node.line + start_tag.count(b"\n")


def test_many_elements_are_read_in_time() -> None:
    data = b"<r>" + b'<link name="a" b="1 2 3"/>\n' * 99_000 + b"</r>"
    begin = time.process_time()
    document, issues = read(data)
    assert time.process_time() - begin < 3.0
    assert list(issues) == []
    assert document.root is not None
    assert document.root.children[-1].line == 99_000
