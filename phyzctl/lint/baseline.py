"""Baselines: findings that a project knows and lives with, so that only new ones are reported.

A finding is known again by its code, file, element and subject. Its line and its numbers don't
count: they change with every edit. An entry that nothing matches any more is reported (X091).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phyzctl import disk
from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.issues import Code, Issue, Severity, Source

BASELINE_STALE = Code("X091", "baseline-stale", Severity.INFO)
SCHEMA = "phyzctl.baseline/1"


@dataclass(frozen=True, slots=True, order=True)
class Fingerprint:
    """What a finding is known by; `file` is relative to the baseline's folder, with slashes."""

    file: str
    code: str
    element: str
    subject: str

    @classmethod
    def of(cls, issue: Issue, folder: str) -> Fingerprint:
        """The fingerprint of an Issue for a baseline in `folder`."""
        source = issue.source
        file = relative(source.path, folder) if source else ""
        element = source.element if source else None
        return cls(file, issue.code.id, element or "", issue.subject or "")


class Baseline:
    """Known findings, each as often as it is known; remembers which of them turned up."""

    def __init__(self, path: str, known: Counter[Fingerprint], text: str = "") -> None:
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        self.known = known
        self._met: Counter[Fingerprint] = Counter()
        self._lines = {line.strip(" ,"): number for number, line in enumerate(text.split("\n"), 1)}

    def new(self, issues: Iterable[Issue]) -> list[Issue]:
        """The Issues of one description that are not known."""
        met: Counter[Fingerprint] = Counter()
        found = []
        for issue in issues:
            mark = Fingerprint.of(issue, self.folder)
            met[mark] += 1
            if met[mark] > self.known[mark]:
                found.append(issue)
        self._met |= met
        return found

    def stale(self, judged: Callable[[str, str], bool]) -> Iterator[Issue]:
        """An Issue for every entry that nothing matched.

        `judged` says whether a file, by its absolute path, was checked for a code; an entry of
        a file that is gone is stale in any case.
        """
        for mark, count in sorted((self.known - self._met).items()):
            path = os.path.normpath(os.path.join(self.folder, mark.file))
            if judged(path, mark.code) or not Path(path).exists():
                yield Issue(
                    BASELINE_STALE,
                    BASELINE_STALE.severity,
                    _complaint(mark, count),
                    Source(self.path, self._lines.get(_entry(mark, self.known[mark]))),
                )


def read_baseline(path: str) -> Baseline:
    """The baseline in that file; `PhyzctlError` when it isn't one."""
    try:
        text = disk.document(path).decode("utf-8-sig")
        return Baseline(path, _known(json.loads(text)), text)
    except FileNotFoundError:
        message = f"there is no baseline {path!r}; --write-baseline makes one"
        raise NotFoundError(message) from None
    except OSError as error:
        raise UnreadableError(f"can't read {path!r}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"{path!r} is no baseline of phyzctl ({SCHEMA}); --write-baseline makes one"
        raise PhyzctlError(message) from error


def baseline_of(issues: Iterable[Issue], path: str) -> Baseline:
    """The baseline, to lie at `path`, that knows these Issues."""
    baseline = Baseline(path, Counter())
    baseline.known = Counter(
        Fingerprint.of(issue, baseline.folder) for issue in issues if issue.code != BASELINE_STALE
    )
    return baseline


def baseline_text(baseline: Baseline) -> str:
    """The baseline as JSON, an entry a line, in an order that makes small diffs."""
    entries = [_entry(mark, count) for mark, count in sorted(baseline.known.items())]
    body = ",\n".join(f"    {entry}" for entry in entries)
    listed = f"[\n{body}\n  ]" if entries else "[]"
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": {listed}\n}}\n'


def relative(path: str, folder: str) -> str:
    """A path seen from `folder`, with slashes; links in it are left as they are named."""
    try:
        seen = os.path.relpath(os.path.abspath(path), folder)
    except ValueError:  # on another drive
        seen = os.path.abspath(path)
    return Path(seen).as_posix()


def _known(document: Any) -> Counter[Fingerprint]:
    if document["schema"] != SCHEMA:
        raise ValueError(document["schema"])
    known: Counter[Fingerprint] = Counter()
    for item in document["findings"]:
        names = (item["file"], item["code"], item.get("element", ""), item.get("subject", ""))
        count = item.get("count", 1)
        if not all(isinstance(name, str) for name in names) or not isinstance(count, int):
            raise TypeError(item)
        known[Fingerprint(*names)] += count
    return known


def _entry(mark: Fingerprint, count: int) -> str:
    entry: dict[str, Any] = {"code": mark.code, "file": mark.file}
    entry |= {"element": mark.element} if mark.element else {}
    entry |= {"subject": mark.subject} if mark.subject else {}
    entry |= {"count": count} if count > 1 else {}
    return json.dumps(entry, ensure_ascii=False)


def _complaint(mark: Fingerprint, count: int) -> str:
    where = f" of {mark.subject}" if mark.subject else f" at {mark.element}" if mark.element else ""
    times = f", {count} times" if count > 1 else ""
    return f"{mark.code}{where} in {mark.file!r} is not found any more{times}; remove the entry"
