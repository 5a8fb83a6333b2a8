"""One Issue for one cause: findings that say the same of many elements become one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Fix, Related, Severity
from phyzctl.robot.subject import describe

_NAMED = 8  # elements that a message lists before it only counts


def fold(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Merge findings of equal message and severity, in order of their first element.

    The first element gives the place; the message names the others, `related` has their places,
    and the fix mends them all.
    """
    groups: dict[tuple[str, Severity | None], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.message, finding.severity), []).append(finding)
    for group in groups.values():
        yield group[0] if len(group) == 1 else _merged(group)


def summed(findings: Iterable[Finding], message: str) -> Iterator[Finding]:
    """Fold findings whose messages differ in numbers: more than one get `message` instead."""
    found = list(findings)
    yield from fold(found if len(found) < 2 else (replace(f, message=message) for f in found))


def _merged(group: list[Finding]) -> Finding:
    first, *others = group
    names = [_name(finding) for finding in others]
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return replace(
        first,
        message=f"{first.message}; likewise {len(others)} more: {shown}",
        related=(*first.related, *map(_related, others)),
        fix=_joint_fix(group),
    )


def _name(finding: Finding) -> str:
    """What a list calls an element: its name, else the name around it, else its line."""
    element = finding.element
    if isinstance(element, Node):
        return element.subject or f"line {element.line}"
    return str(getattr(element, "name", None) or finding.subject or "unnamed")


def _related(finding: Finding) -> Related:
    subject = finding.subject or describe(finding.element) or _name(finding)
    return Related(f"{subject} too", getattr(finding.element, "source", None))


def _joint_fix(group: list[Finding]) -> Fix | None:
    fixes = [finding.fix for finding in group if finding.fix is not None]
    if not fixes:
        return None
    safe = len(fixes) == len(group) and all(fix.safe for fix in fixes)
    edits = dict.fromkeys(edit for fix in fixes for edit in fix.edits)
    return Fix(fixes[0].description, safe, tuple(edits))
