"""A mesh path that some programs stumble over.

What it checks
    Paths of meshes have a suffix in lower case, no blank, no doubled slash and ASCII letters only.

Why it matters
    Some importers choose their reader by the suffix as it is written and don't know `.STL`; others
    cut a path at a blank, or don't find it with a slash too many.

Fix
    Rename the file, and write its path plainly. The offered fix takes out doubled slashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phyzctl.config import TARGETS as ALL_TARGETS
from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import set_attribute
from phyzctl.lint.fold import fold
from phyzctl.lint.meshuse import place

CODE = Code("P803", "mesh-path-fragile", Severity.INFO)
FORMATS = frozenset({"urdf", "mjcf"})
TARGETS = frozenset(ALL_TARGETS)

_DOUBLED = re.compile(r"(?<![:/])/{2,}")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]+$")


def check(context: Context) -> Iterator[Finding]:
    """Paths that aren't plain."""
    yield from fold(_fragile(context))


def _fragile(context: Context) -> Iterator[Finding]:
    attribute = place(context.robot, "file")
    for mesh in context.robot.meshes:
        uri = mesh.uri or ""
        suffix = _SUFFIX.search(uri)
        if suffix is not None and suffix[0] != suffix[0].lower():
            yield Finding(
                mesh, "the suffix is in capitals, which some readers don't know", attribute
            )
        if any(letter.isspace() for letter in uri) or not uri.isascii():
            yield Finding(mesh, "the path has a blank or a letter beyond ASCII", attribute)
        if _DOUBLED.search(uri):
            message = "the path has a doubled slash"
            yield Finding(mesh, message, attribute, fix=_fix(context, mesh, attribute, uri))


def _fix(context: Context, mesh: object, attribute: str, uri: str) -> Fix | None:
    node = context.node(mesh)
    if node is None or node.get(attribute) != uri:
        return None
    edit = set_attribute(node, attribute, _DOUBLED.sub("/", uri))
    return node.document.fix("write one slash", edit, safe=True)
