"""What went wrong in an expansion, in our words, at the element that xacro was busy with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from phyzctl import codes
from phyzctl.formats.xacro.dom import TooLargeError, origin_of
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.issues import Issues, Related, Severity

_BUSY_WITH = ("node", "elt", "tag")  # what xacro calls an element at work
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LOCATION = re.compile(r"^(in file:|when processing file:|included from:|when instantiating|inst)")
_UNGIVEN = re.compile(r"Undefined substitution argument '?([^' ]+)'?")
_CODES = (
    (TooLargeError, codes.DOCUMENT_TOO_LARGE),
    (RecursionError, codes.DOCUMENT_TOO_LARGE),
    (OSError, codes.INCLUDE_FAILED),
)
_LONGEST = 300
_SHOWN = 8


class MissingError(Exception):
    """A file is included from a package that is not found."""

    def __init__(self, package: str, looked_in: Sequence[str]) -> None:
        super().__init__(package)
        self.package = package
        self.looked_in = looked_in


class UnreadError(Exception):
    """A file that is included can't be parsed, which has been told."""


def report(error: BaseException, document: Document, issues: Issues) -> None:
    """One Issue for what stopped an expansion."""
    chain = _chain(error.__traceback__)
    busy = list(dict.fromkeys(chain))
    place = busy[-1] if busy else document.root
    source = place.source if place is not None else None
    around = [node for node in reversed(busy[:-1]) if node.tag.startswith("xacro:")]
    related = tuple(Related("in what is made here", node.source) for node in around[:_SHOWN])
    causes = list(_causes(error))
    cause = causes[-1]
    if isinstance(cause, UnreadError):
        return
    missing = next((each for each in causes if isinstance(each, MissingError)), None)
    if missing is not None:
        looked = ", ".join(list(missing.looked_in)[:_SHOWN])
        message = (
            f"package {missing.package!r} is not found, so nothing of it can be included; "
            f"looked in {looked}; say where it is with --package-path {missing.package}=DIR"
        )
        error_all_the_same = Severity.ERROR
        issues.add(
            codes.PACKAGE_NOT_FOUND,
            message,
            source=source,
            severity=error_all_the_same,
            related=related,
        )
        return
    code = next((code for kind, code in _CODES if isinstance(cause, kind)), codes.XACRO_FAILED)
    issues.add(code, _sentence(error, cause), source=source, related=related)


def report_warnings(text: str, document: Document, issues: Issues) -> None:
    """What xacro printed, each line once; where it was is not told."""
    source = document.root.source if document.root is not None else None
    lines = [_COLOUR.sub("", line).strip() for line in text.splitlines()]
    for line in dict.fromkeys(lines):
        if line and not _LOCATION.match(line):
            words = line.removeprefix("warning:").strip()[:_LONGEST]
            message = f"xacro says: {words}"
            issues.add(codes.XACRO_FAILED, message, source=source, severity=Severity.WARNING)


def _sentence(error: BaseException, cause: BaseException) -> str:
    if isinstance(cause, RecursionError):
        return "macros or includes call themselves without end"
    if isinstance(cause, OSError) and cause.filename:
        return f"there is no file {cause.filename!r}"
    if isinstance(cause, TooLargeError):
        return f"the expansion is given up: {cause}"
    words = " ".join(str(error).split())
    ungiven = _UNGIVEN.search(words)
    if ungiven:
        name = ungiven[1]
        return f"the argument {name!r} is not given; state it with --xacro-arg {name}=VALUE"
    return (words or type(error).__name__)[:_LONGEST]


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what xacro wrapped into it, the first cause last."""
    seen: Any = error
    for _ in range(100):
        if not isinstance(seen, BaseException):
            return
        yield seen
        seen = getattr(seen, "exc", None)


def _chain(trace: TracebackType | None) -> Iterator[Node]:
    """The elements that xacro was at work on, the innermost last."""
    while trace is not None:
        for name in _BUSY_WITH:
            node = origin_of(trace.tb_frame.f_locals.get(name))
            if node is not None:
                yield node
        trace = trace.tb_next
