"""Whatever bytes come: no exception, places that exist, and an Issue whenever nothing was read."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl.formats.grammar import Grammar
from phyzctl.formats.xmltree import parse, quick_root_tag
from phyzctl.issues import Issues

SEED = b"""<?xml version="1.0" encoding="utf-8"?>
<!-- a -- comment --><robot name="r" version="1.1">
  <link name='a'b="&amp;"><inertial><mass value="1"/> text </inertial></link>
  <joint name="j" type="fixed"><parent link="a"/><child link="\xc3\xa9"/></joint>
  <gazebo><![CDATA[ x ]]></gazebo><drake:x/>
</robot>
"""
PIECES = [
    *(b"<", b">", b"/>", b"&", b'"', b"'", b"--", b"=", b" ", b"\r\n", b"\0", b"\xff", b"\xc3"),
    *(b"<!--", b"-->", b"<!DOCTYPE a>", b"]]>", b"<?xml ", b"?>", b"<a>", b"</a>", b"xacro:"),
]
URDF = Grammar.load("urdf")

mutations = st.lists(
    st.tuples(
        st.integers(0, len(SEED)),
        st.integers(0, 12),
        st.sampled_from(PIECES) | st.binary(max_size=3),
    ),
    max_size=6,
)


def examine(data: bytes) -> None:
    issues = Issues()
    document = parse(data, "f", issues)
    quick_root_tag(data)
    if document.root is None:
        assert issues.errors
        return
    URDF.check(document, issues)
    for node in document.root.iter():
        tag = node.tag.encode(document.encoding)
        assert document.data[node.offset :].startswith(b"<" + tag)
        assert node.offset < node.end <= len(document.data)
        assert document.data[node.end - 1 : node.end] == b">"
        assert document.node_at(node.offset) is node
        assert document.line_text(node.line)[node.column - 1 :].startswith("<")
        for name in node.attributes:
            span = node.attribute_span(name)
            assert span is not None
            assert document.data[span[0] - 1] == document.data[span[1]]
    for issue in issues:
        assert issue.source is not None
        assert str(issue)


@settings(max_examples=400, deadline=2000)
@given(mutations)
def test_mutated_files(changes: list[tuple[int, int, bytes]]) -> None:
    data = SEED
    for start, length, piece in changes:
        data = data[:start] + piece + data[start + length :]
    examine(data)


@settings(max_examples=200, deadline=2000)
@given(st.binary(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join))
def test_arbitrary_bytes(data: bytes) -> None:
    examine(data)
