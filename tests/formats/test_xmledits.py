"""Byte edits: what they write, and that all else stays."""

from __future__ import annotations

import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.formats.xmledits import (
    append_child,
    applied,
    insert_after,
    insert_at_end,
    remove_element,
    set_attribute,
)
from phyzctl.formats.xmltree import Document, Node, parse
from phyzctl.issues import Issues


def document_of(text: str | bytes) -> tuple[Document, Node]:
    data = text.encode() if isinstance(text, str) else text
    document = parse(data, "a.xml", Issues())
    assert document.root is not None
    return document, document.root


def test_an_attribute_is_replaced_between_its_quotes() -> None:
    document, root = document_of("<a><b x='1' y=\"2\" /></a>")
    edit = set_attribute(root.children[0], "x", 'say "<"')
    assert applied(document, [edit]) == b"<a><b x='say &quot;&lt;&quot;' y=\"2\" /></a>"


def test_a_new_attribute_stands_behind_the_others() -> None:
    document, root = document_of("<a><b x='1' /></a>")
    assert applied(document, [set_attribute(root.children[0], "y", "2")]) == (
        b"<a><b x='1' y=\"2\" /></a>"
    )


def test_an_element_goes_with_the_blanks_before_it() -> None:
    document, root = document_of("<a>\n  <b/> <!-- stays -->\n  <c/>\n</a>")
    assert applied(document, [remove_element(root.children[0])]) == (
        b"<a> <!-- stays -->\n  <c/>\n</a>"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a>\n  <b/>\n</a>", "<a>\n  <b/>\n  <c/>\n  <d/>\n</a>"),
        ("<a>\r\n\t<b/>\r\n</a>", "<a>\r\n\t<b/>\r\n\t<c/>\r\n\t<d/>\r\n</a>"),
        ("<a><b/></a>", "<a><b/><c/><d/></a>"),
    ],
)
def test_siblings_are_indented_alike(before: str, after: str) -> None:
    document, root = document_of(before)
    edit = insert_after(root.children[0], "<c/>", "<d/>")
    assert applied(document, [edit]) == after.encode()


def test_a_child_needs_one_to_stand_behind() -> None:
    assert append_child(document_of("<a/>")[1], "<c/>") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a>\n  <b/>\n</a>\n", "<a>\n  <b/>\n  <c/>\n</a>\n"),
        ("<a>\r\n</a>", "<a>\r\n  <c/>\r\n</a>"),
        ("<a><b/></a>", "<a><b/>\n  <c/>\n</a>"),
        ('<a name="x/y" />', '<a name="x/y" >\n  <c/>\n</a>'),
        ("<a><!-- </a> --></a>", "<a><!-- </a> -->\n  <c/>\n</a>"),
    ],
)
def test_lines_at_the_end_of_an_element(before: str, after: str) -> None:
    document, root = document_of(before)
    assert applied(document, [insert_at_end(root, "  <c/>")]) == after.encode()


def test_edits_may_come_in_any_order() -> None:
    document, root = document_of("<a><b/><c/><d/></a>")
    edits = [remove_element(root.children[2]), remove_element(root.children[0])]
    assert applied(document, edits) == b"<a><c/></a>"


def test_no_edit_leaves_every_byte() -> None:
    data = b"\xef\xbb\xbf<a>\r\n <b  x = '1'/>\t</a>\n\n"
    assert applied(document_of(data)[0], []) == data


def test_a_repaired_file_is_not_edited() -> None:
    document, root = document_of("<a><b x='1'y='2'/></a>")
    assert document.repairs
    with pytest.raises(PhyzctlError, match="repaired"):
        applied(document, [remove_element(root.children[0])])


def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    document, root = document_of("<?xml version='1.0' encoding='latin-1'?><a><b x='1'/></a>")
    with pytest.raises(PhyzctlError, match="it is in"):
        applied(document, [set_attribute(root.children[0], "x", "Ω")])
