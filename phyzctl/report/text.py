"""Text for people: a clickable place, what is wrong, the line it stands in, what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from phyzctl.issues import Issue, Related, Severity, Source
from phyzctl.records import dataclass
from phyzctl.report.excerpts import Excerpts
from phyzctl.report.report import Report

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class Style:
    """Escape codes by role: error, warning, info, place, fix, dim. The plain style has none."""

    codes: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, role: str, text: str) -> str:
        """The text in the colour of its role."""
        code = self.codes.get(role)
        return f"\x1b[{code}m{text}\x1b[0m" if code else text


PLAIN = Style()
COLOURED = Style(
    {
        "error": "1;31",
        "warning": "1;33",
        "info": "1;36",
        "place": "1",
        "fix": "32",
        "dim": "2",
    }
)


def render(
    report: Report, *, style: Style = PLAIN, excerpts: bool = False, summary: bool = True
) -> str:
    """Some lines an Issue, then the summary. Never wrapped, whatever the width."""
    lines_of = Excerpts(report.texts if excerpts else {})
    lines: list[str] = []
    for issue in report.issues:
        lines.extend([""] if excerpts and lines else [])
        lines.append(_headline(issue, style))
        found = lines_of.of(issue.source)
        lines.extend(_excerpt(found, issue.source, issue.severity, style))
        lines.extend(_note(other, style) for other in issue.related)
        if issue.fix is not None:
            lines.append(f"  {style('fix', 'fix:')} {printable(issue.fix.description)}")
    if summary:
        lines.extend([*([""] if lines else []), summary_line(report)])
    return "".join(f"{line}\n" for line in lines)


def summary_line(report: Report) -> str:
    """Such as `2 errors and 1 warning in 1 of 14 files`."""
    found = len({issue.source.path for issue in report.issues if issue.source})
    counts = [plural(report.count(kind), kind.label) for kind in reversed(Severity)]
    stated = [count for count in counts if not count.startswith("0 ")]
    files = plural(len(report.files), "file")
    if not stated:
        return f"no issues in {files}"
    found = min(found, len(report.files))  # what files include, or a baseline, may be meant too
    share = f"{found} of {files}" if len(report.files) > 1 else files
    head, last = stated[:-1], stated[-1]
    return f"{', '.join(head)} and {last} in {share}" if head else f"{last} in {share}"


def printable(text: str) -> str:
    """The text without characters that would break a line or command a terminal."""
    return _CONTROL.sub(lambda match: repr(match.group())[1:-1], text)


def _headline(issue: Issue, style: Style) -> str:
    place = f"{style('place', printable(str(issue.source)))}: " if issue.source else ""
    kind = style(issue.severity.label, f"{issue.severity.label}[{issue.code.id}]")
    subject = f"{printable(issue.subject)}: " if issue.subject else ""
    return f"{place}{kind} {subject}{printable(issue.message)}"


def _note(related: Related, style: Style) -> str:
    place = f" {printable(str(related.source))}" if related.source else ""
    return f"  {style('dim', 'note:')} {printable(related.message)}{place and ':' + place}"


def plural(count: int, noun: str) -> str:
    """Such as `1 file` and `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _excerpt(
    found: tuple[str, int, int] | None, source: Source | None, severity: Severity, style: Style
) -> list[str]:
    """The line of a place with a caret below what is meant."""
    if source is None or found is None:
        return []
    line, start, end = found
    number = f"{source.line:>5}"
    mark = style(severity.label, "^" + "~" * (end - start - 1))
    return [
        f"{style('dim', number + ' |')} {printable(line)}",
        f"{style('dim', ' ' * len(number) + ' |')} {' ' * start}{mark}",
    ]
