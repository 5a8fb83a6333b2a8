"""Make the fixes that Issues carry: only the bytes that they repair change.

Fixes are made in passes, since one may stand in the way of another, or show what was hidden:
after each the description is read again, in memory, until nothing is left to fix. Files change
only then, by `write`, and only when they still are what was read.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import shutil
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from phyzctl.codes import XML_REPAIRED
from phyzctl.errors import UnreadableError
from phyzctl.formats.format import Reading
from phyzctl.formats.xmltree import Document
from phyzctl.issues import Edit, Fix, Issue
from phyzctl.records import dataclass
from phyzctl.report.report import slashed

Check = Callable[[bytes | None], tuple[Reading, list[Issue]]]
"""Judges a description: as it is on disk, or with other bytes in its main file."""

_PATIENCE = 3  # passes in a row that may leave no fewer fixes to make than any before


class StaleFixError(UnreadableError):
    """A file that is no longer what its fixes were made for."""


@dataclass(frozen=True)
class Change:
    """What fixes make of one file: its bytes as they were read, and afterwards."""

    document: Document
    after: bytes

    @property
    def path(self) -> str:
        """The file, as Sources name it."""
        return self.document.path

    def diff(self) -> str:
        """The change as a unified diff, which `git apply` and `patch -p1` take."""
        before = _lines(self.document.original, self.document)
        after = _lines(self.after, self.document)
        name = slashed(self.path)
        names = (name, name) if name.startswith("/") else (f"a/{name}", f"b/{name}")
        return "".join(map(_ended, difflib.unified_diff(before, after, *names)))


@dataclass(frozen=True)
class Repaired:
    """What came of a description: how it reads now, the Issues left, how many were fixed."""

    reading: Reading
    issues: list[Issue]
    changes: tuple[Change, ...] = ()
    fixed: int = 0


def repair(check: Check, path: str, *, unsafe: bool = False) -> Repaired:
    """Make the fixes of the description at `path`, in memory; `unsafe` ones only when asked for.

    Files that it includes change in the first pass only, since they are read from disk. Raises
    `RuntimeError` when fixes break the file or make each other's work undone, which is our bug.
    """
    reading, issues = check(None)
    documents = reading.documents
    after: dict[str, bytes] = {}
    made: list[Issue] = []
    least, stalled = len(issues) + 1, 0
    while chosen := _compatible(issues, reading.documents, unsafe, after.keys() - {path}):
        stalled = stalled + 1 if len(chosen.waiting) >= least else 0
        least = min(least, len(chosen.waiting))
        if stalled > _PATIENCE:
            raise RuntimeError(f"the fixes of {_codes(chosen.issues)} in {path!r} come to no end")
        after |= _patched(chosen.issues, reading.documents)
        made += chosen.issues
        readable = reading.robot is not None
        reading, issues = check(after.get(path))
        if readable and reading.robot is None:
            raise RuntimeError(f"the fixes of {_codes(made)} break {path!r}")
        issues = [issue for issue in issues if not _mended_on_disk(issue, made, path)]
    changes = (Change(documents[name], data) for name, data in after.items())
    real = tuple(change for change in changes if change.after != change.document.original)
    return Repaired(reading, issues, real, len(made))


def write(changes: Iterable[Change]) -> None:
    """Change the files, each at once or not at all, keeping their permissions.

    Raises `StaleFixError`, before anything changes, when a file is not what was read, and
    `UnreadableError` when one can't be written.
    """
    changes = list(changes)
    for change in changes:
        if _digest(change.path) != change.document.sha256:
            raise StaleFixError(f"{change.path!r} changed while it was checked; it is left alone")
    for change in changes:
        try:
            _replace(os.path.realpath(change.path), change.after)
        except OSError as error:
            reason = error.strerror or error
            raise UnreadableError(f"can't write {change.path!r}: {reason}") from error


def usable(issue: Issue, documents: Mapping[str, Document]) -> Fix | None:
    """The fix of an Issue when it says which bytes to change, and they can be changed.

    Text that had to be repaired is repaired first: other edits can't be trusted before.
    """
    fix = issue.fix
    if fix is None or not fix.edits:
        return None
    mends_text = issue.code == XML_REPAIRED
    for edit in fix.edits:
        document = documents.get(edit.path)
        if document is None or not document.editable or (document.repairs and not mends_text):
            return None
        if not (edit.text.isascii() or document.encoding == "utf-8"):
            return None
    return fix


def withheld(issues: Iterable[Issue], documents: Mapping[str, Document]) -> Iterator[Issue]:
    """The Issues whose fixes are not made unless unsafe ones are asked for."""
    for issue in issues:
        fix = usable(issue, documents)
        if fix is not None and not fix.safe:
            yield issue


@dataclass(frozen=True)
class _Chosen:
    """The Issues that one pass fixes, out of those that wait for it."""

    issues: Sequence[Issue]
    waiting: Sequence[Issue]

    def __bool__(self) -> bool:
        return bool(self.issues)


def _compatible(
    issues: Iterable[Issue],
    documents: Mapping[str, Document],
    unsafe: bool,
    done: Iterable[str],
) -> _Chosen:
    """In their order the Issues whose edits meet none of those chosen before; the rest waits."""
    chosen, waiting = [], []
    taken = {path: _Taken() for path in documents}
    closed = set(done)
    for issue in issues:
        fix = usable(issue, documents)
        if fix is None or not (fix.safe or unsafe) or any(e.path in closed for e in fix.edits):
            continue
        if not _consistent(fix.edits):
            continue
        waiting.append(issue)
        if not any(taken[edit.path].meets(edit) for edit in fix.edits):
            chosen.append(issue)
            for edit in fix.edits:
                taken[edit.path].add(edit)
    return _Chosen(chosen, waiting)


def _consistent(edits: Iterable[Edit]) -> bool:
    """False for a fix that would change the same bytes twice."""
    ordered = sorted(dict.fromkeys(edits), key=lambda edit: (edit.path, edit.start, edit.end))
    pairs = pairwise(ordered)
    return all(one.path != other.path or one.end <= other.start for one, other in pairs)


class _Taken:
    """The spans of one file that edits of other fixes change; they don't overlap."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []

    def meets(self, edit: Edit) -> bool:
        """True when it changes the same bytes; inserting at the edge of a change does, too."""
        index = bisect_left(self.spans, (edit.start, edit.end))
        near = self.spans[max(0, index - 1) : index + 1]
        return any(_meet(span, (edit.start, edit.end)) for span in near)

    def add(self, edit: Edit) -> None:
        span = (edit.start, edit.end)
        self.spans.insert(bisect_left(self.spans, span), span)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    inserting = one[0] == one[1] or other[0] == other[1]
    if inserting:
        return one[0] <= other[1] and other[0] <= one[1]
    return one[0] < other[1] and other[0] < one[1]


def _patched(issues: Iterable[Issue], documents: Mapping[str, Document]) -> dict[str, bytes]:
    """The new bytes of every file that the fixes of the Issues change."""
    edits: dict[str, list[Edit]] = {}
    for issue in issues:
        for edit in dict.fromkeys(issue.fix.edits if issue.fix else ()):
            edits.setdefault(edit.path, []).append(edit)
    return {path: _edited(documents[path], found) for path, found in edits.items()}


def _edited(document: Document, edits: Iterable[Edit]) -> bytes:
    data, position, pieces = document.original, 0, []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += [data[position : edit.start], edit.text.encode(document.encoding)]
        position = edit.end
    return b"".join([*pieces, data[position:]])


def _mended_on_disk(issue: Issue, made: Sequence[Issue], path: str) -> bool:
    """True for an Issue that was fixed, but in a file that is read unfixed until it is written."""
    elsewhere = issue.source is not None and issue.source.path != path
    return elsewhere and issue in made


def _codes(issues: Iterable[Issue]) -> str:
    return ", ".join(sorted({issue.code.id for issue in issues}))


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _replace(path: str, data: bytes) -> None:
    """Write beside the file and move into its place, so that it is never half-written."""
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    handle, temporary = tempfile.mkstemp(prefix=".phyzctl-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def _lines(data: bytes, document: Document) -> list[str]:
    """Lines with their ends; nothing but a line feed ends one, as `patch` sees it."""
    *lines, last = data.decode(document.encoding, "replace").split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
