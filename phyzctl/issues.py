"""What is wrong with a user's file: values that carry a code, a place and a remedy.

Readers, the builder and rules report into an `Issues` list and carry on; callers decide
what to make of it. Nothing here raises but `Issues.raise_errors`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass


class Severity(enum.IntEnum):
    """How bad: `ERROR` is unusable or silently wrong in a mainstream consumer."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """The lower-case word that reports print."""
        return self.name.lower()


@dataclass(frozen=True)
class Code:
    """One kind of Issue: a letter and three digits, a kebab-case name, a default severity."""

    id: str
    name: str
    severity: Severity

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True)
class Source:
    """A place in a file. Lines and columns count characters from 1, `offset` counts bytes from 0.

    `element` is the XML element path, such as `/robot/link[@name='arm']/inertial`.
    """

    path: str
    line: int | None = None
    column: int | None = None
    element: str | None = None
    offset: int | None = None
    end_column: int | None = None

    def __str__(self) -> str:
        parts = [self.path, self.line, self.column]
        return ":".join(str(part) for part in parts if part is not None)


@dataclass(frozen=True)
class Edit:
    """Replace the bytes `start:end` of the file at `path` by `text` (UTF-8)."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """A remedy. `safe` means that no consumer reads the repaired file differently."""

    description: str
    safe: bool = False
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Related:
    """Another place that belongs to an Issue, such as "first defined here"."""

    message: str
    source: Source | None


@dataclass(frozen=True)
class Finding:
    """What a check found on one element, before a code and a place are stamped on it.

    `element` is any object with a `source` attribute. `attribute` points below it:
    `"lower"` is its own XML attribute, `"limit@lower"` that of its child `<limit>`, and
    `"limit@"` the child itself; `"=elbow"` points at the first attribute in it that has that
    value. `subject` overrides the name derived from the element;
    `severity` overrides the code's.
    """

    element: Any
    message: str
    attribute: str | None = None
    subject: str | None = None
    severity: Severity | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None


@dataclass(frozen=True)
class Issue:
    """One fault, at one place, with its numbers and what to do about it.

    `attribute` is a path below the element at `source`, as in a `Finding`, that nobody with the
    document at hand has looked up yet; the lint engine turns it into a place of its own.
    """

    code: Code
    severity: Severity
    message: str
    source: Source | None = None
    subject: str | None = None
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    attribute: str | None = None

    @property
    def fatal(self) -> bool:
        """True when the severity is error."""
        return self.severity is Severity.ERROR

    def sort_key(self) -> tuple[int, str, int, int, str, str]:
        """Severity first, then file, line, column, code."""
        place = self.source or Source("")
        line, column = place.line or 0, place.column or 0
        return (-self.severity, place.path, line, column, self.code.id, self.message)

    def __str__(self) -> str:
        place = f"{self.source}: " if self.source else ""
        subject = f"{self.subject}: " if self.subject else ""
        return f"{place}{self.severity.label}[{self.code.id}] {subject}{self.message}"


class Issues:
    """The list that readers and rules report into, in order of discovery."""

    def __init__(self, items: Iterable[Issue] = ()) -> None:
        self._items: list[Issue] = []
        self._by_code: dict[str, list[Issue]] = {}
        self.extend(items)

    def add(
        self,
        code: Code,
        message: str,
        *,
        source: Source | None = None,
        subject: str | None = None,
        severity: Severity | None = None,
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
        attribute: str | None = None,
    ) -> None:
        """Append one Issue; `severity` defaults to the code's own."""
        degree = code.severity if severity is None else severity
        made = Issue(code, degree, message, source, subject, fix, related, attribute)
        self.extend([made])

    def extend(self, items: Iterable[Issue]) -> None:
        """Append Issues made elsewhere."""
        for issue in items:
            self._items.append(issue)
            self._by_code.setdefault(issue.code.id, []).append(issue)

    def of(self, code: Code) -> Sequence[Issue]:
        """Those of one code."""
        return self._by_code.get(code.id, ())

    @property
    def errors(self) -> list[Issue]:
        """Those of severity error."""
        return [issue for issue in self._items if issue.fatal]

    def sorted(self) -> list[Issue]:
        """Most serious first, then by place."""
        return sorted(self._items, key=Issue.sort_key)

    def __iter__(self) -> Iterator[Issue]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class IssuesError(PhyzctlError):
    """Errors in a description, all of them: `issues` is the list, most serious first."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = sorted(issues, key=Issue.sort_key)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        more = len(self.issues) - 1
        tail = f" (and {more} more)" if more > 0 else ""
        return f"{self.issues[0]}{tail}" if self.issues else "no issue given"


class BuildError(IssuesError):
    """What `RobotBuilder.build()` raises: every structural fault and value fault at once."""


class LoadError(IssuesError):
    """What `phyzctl.load()` raises: every error found while reading a file."""
