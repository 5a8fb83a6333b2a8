"""Names that differ only in upper and lower case, or in letters that look alike.

What it checks
    No two links, and no two joints, have names that are equal once case and the compatibility
    forms of Unicode are set aside, or once Cyrillic and Greek letters are replaced by the Latin
    ones that look the same.

Why it matters
    Nobody tells them apart by eye, and on file systems and in tools that ignore case they are one.

Fix
    Rename one of them so that the difference can be seen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.elements import Joint, Link

CODE = Code("N304", "names-differ-in-case", Severity.WARNING)

# Cyrillic and Greek lower-case letters and the Latin ones that they look like.
_LOOK_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf\u03bd",
    "aeopcyxijsov",
)


def check(context: Context) -> Iterator[Finding]:
    """Later names that look like an earlier one of the same kind."""
    for elements in (context.robot.links, context.robot.joints):
        yield from _twins(elements)


def _twins(elements: Iterable[Link | Joint]) -> Iterator[Finding]:
    seen: dict[str, Link | Joint] = {}
    for element in elements:
        if not element.name_stated:
            continue
        first = seen.setdefault(_folded(element.name), element)
        if first is not element:
            message = f"the name differs from {first.name!r} only in case or in look-alike letters"
            related = (Related(f"{first.name!r} stands here", first.source),)
            yield Finding(element, message, "name", related=related)


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFKC", name).casefold().translate(_LOOK_ALIKE)
