"""Drives the XML layer with libFuzzer: `python fuzz_xmltree.py -max_total_time=60 FOLDER`."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports():
    from phyzctl.formats.grammar import Grammar
    from phyzctl.formats.xmltree import parse, quick_root_tag
    from phyzctl.issues import Issues

URDF = Grammar.load("urdf")


def examine(data: bytes) -> None:
    """Whatever the bytes are: no exception, an error when nothing was read, places that exist."""
    issues = Issues()
    document = parse(data, "f", issues)
    quick_root_tag(data)
    if document.root is None:
        assert issues.errors
        return
    URDF.check(document, issues)
    for node in document.root.iter():
        assert 0 <= node.offset < node.end <= len(document.data)
        for name in node.attributes:
            assert node.attribute_span(name) is not None
    for issue in issues:
        assert str(issue)


if __name__ == "__main__":
    atheris.Setup(sys.argv, examine)
    atheris.Fuzz()
