"""Report: what a run found, and all that a format may want to know about it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from phyzctl.issues import Code, Issue, Severity
from phyzctl.records import dataclass

TOOL = "phyzctl"


@dataclass(frozen=True)
class RuleText:
    """What is written about a rule: one sentence, and the whole as markdown."""

    code: Code
    summary: str
    markdown: str


@dataclass(frozen=True)
class Part:
    """A shape in the world: of which link, seen or hit, corners [m] and triangles."""

    link: str
    role: str
    vertices: Sequence[Sequence[float]]
    faces: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Scene:
    """A robot as drawn, at its reference pose.

    `documents` are the files it was read from, `joints` where they are [m] and their axes, by
    name, `subjects` the parts and joints that a message means when it speaks of something.
    """

    documents: Sequence[str]
    parts: Sequence[Part]
    joints: Mapping[str, tuple[Sequence[float], Sequence[float] | None]]
    subjects: Mapping[str, tuple[Sequence[int], Sequence[str]]]


@dataclass(frozen=True)
class Report:
    """The Issues of a run over `files`, most serious first.

    `rules` are the texts by code, `texts` the content of files by path (for excerpts and
    fingerprints), `uris` how a path is called within its repository, `scenes` drawings of
    robots by path; each may be incomplete. `failing` are those that make the run fail: the
    errors, when it isn't stated.
    """

    issues: Sequence[Issue]
    files: Sequence[str] = ()
    version: str = ""
    rules: Mapping[str, RuleText] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    uris: Mapping[str, str] = field(default_factory=dict)
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    failing: Collection[Issue] | None = None

    def count(self, severity: Severity) -> int:
        """How many Issues have that severity."""
        return Counter(issue.severity for issue in self.issues)[severity]

    def fails(self, issue: Issue) -> bool:
        """True for an Issue that makes the run fail."""
        return issue.fatal if self.failing is None else issue in self.failing

    def uri(self, path: str) -> str:
        """The path as a repository knows it, with slashes."""
        return self.uris.get(path, slashed(path))


def slashed(path: str) -> str:
    """A path with `/` between its parts, whatever the system uses."""
    return path.replace(os.sep, "/")
