"""A name that USD can't have.

What it checks
    Names of the robot, its links and joints are identifiers: letters, digits and underscores, no
    digit at the front. Where several names become the same once the others are replaced by
    underscores, that is said too.

Why it matters
    Importers to USD, Isaac's among them, change such names without a word. Code that looks the
    joint up by its name in the URDF doesn't find it.

Fix
    Rename it in all places, with an underscore for the hyphen, blank or dot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.subject import describe

CODE = Code("P801", "name-not-usd", Severity.WARNING)
FORMATS = frozenset({"urdf", "mjcf"})
TARGETS = frozenset({"isaac", "usd"})

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OTHER = re.compile(r"[^A-Za-z0-9_]")


def check(context: Context) -> Iterator[Finding]:
    """Names that importers change."""
    robot = context.robot
    clashes = [*_clashes(robot.links), *_clashes(robot.joints)]
    yield from clashes
    told = {id(finding.element) for finding in clashes}
    message = "the name is no identifier, so importers to USD change it"
    yield from fold(
        Finding(each, message, "name")
        for each in (robot, *robot.links, *robot.joints)
        if _is_changed(each) and id(each) not in told
    )


def _is_changed(element: Any) -> bool:
    stated = bool(element.name) and getattr(element, "name_stated", True)
    return stated and not _IDENTIFIER.fullmatch(element.name)


def _clashes(elements: tuple[Any, ...]) -> Iterator[Finding]:
    """Names that are no longer apart after the change."""
    owners: dict[str, Any] = {}
    for element in elements:
        first = owners.setdefault(_OTHER.sub("_", element.name), element)
        if first is not element:
            message = f"in USD its name becomes that of {describe(first)}"
            related = (Related("the other one", first.source),)
            yield Finding(element, message, "name", related=related)
