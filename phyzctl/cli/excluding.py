"""What `phyzctl exclude` reads, and the texts it makes of a report."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import phyzctl
from phyzctl.cli import streams
from phyzctl.cli.checking import load_robot
from phyzctl.cli.choices import Choices
from phyzctl.cli.options import Base
from phyzctl.cli.tables import columns
from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean
from phyzctl.exclude.facts import ExcludeReport
from phyzctl.exclude.mjcf import mjcf_text, rewritten_mjcf
from phyzctl.exclude.semantics import foreign_excludes, pair_of, postures
from phyzctl.exclude.survey import Effort, survey
from phyzctl.exclude.table import COLUMNS, csv_text, markdown_text, remarks, rows
from phyzctl.exclude.verdict import LABELS, Policy, disabled_links, suggestions
from phyzctl.formats import quick_root_tag
from phyzctl.formats.srdf import Srdf, new_srdf, read_srdf, rewritten
from phyzctl.formats.xmltree import Document, parse
from phyzctl.issues import Issue, Issues, LoadError, Severity
from phyzctl.model.body import Pair
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.report.report import slashed
from phyzctl.report.text import plural, printable


class ExcludeFormat(StrEnum):
    """How the pairs are written."""

    TABLE = "table"
    MJCF = "mjcf"
    SRDF = "srdf"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"


_SUFFIXES = {
    ".xml": ExcludeFormat.MJCF,
    ".srdf": ExcludeFormat.SRDF,
    ".json": ExcludeFormat.JSON,
    ".csv": ExcludeFormat.CSV,
    ".md": ExcludeFormat.MARKDOWN,
    ".html": ExcludeFormat.HTML,
}


@dataclass(frozen=True)
class Subject:
    """A robot to look at, and its SRDF if there is one."""

    path: str
    model: Model
    srdf: Srdf | None

    def survey(self, effort: Effort, only: Pair | None = None) -> ExcludeReport:
        """The facts about its pairs, or about one."""
        return survey(
            self.model,
            effort,
            passive=self.srdf.passive_joints if self.srdf else (),
            postures=dict(postures(self.model, self.srdf)) if self.srdf else None,
            only=None if only is None else {only},
        )

    def pair(self, first: str, second: str) -> Pair:
        """Two bodies by name. Raises NotFoundError for one that isn't there."""
        for name in (first, second):
            if pair_of(self.model, name, first if name != first else second) is None:
                self._refuse(name)
        found = pair_of(self.model, first, second)
        if found is None:
            raise PhyzctlError(f"a pair is two bodies, not {first!r} twice")
        return found

    def _refuse(self, name: str) -> None:
        known = [body.name for body in self.model.bodies]
        if name not in known and name != "world":
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise NotFoundError(f"robot {self.model.robot.name!r} has no body {name!r}{hint}")


def subject_of(
    robot: str,
    srdf: str | None,
    base: Base,
    choices: Choices,
    stdin_name: str | None = None,
) -> Subject:
    """Read a robot and its SRDF; errors in them are told on stderr, and don't stop the work."""
    path, found, issues = load_robot(robot, choices, stdin_name)
    model = compile_model(found, base=base.value, issues=issues)
    semantics = None
    if srdf is not None:
        told = Issues()
        semantics = read_srdf(srdf, told)
        if semantics is None:
            raise LoadError(told)
        _tell_errors(srdf, told)
    _tell_errors(path, issues)
    model.contact_exclude = foreign_excludes(model, semantics)
    return Subject(path, model, semantics)


def _tell_errors(path: str, issues: Issues) -> None:
    if issues.errors:
        count = plural(len(issues.errors), "error")
        streams.note(f"phyzctl: reading {path} found {count}; see phyzctl validate")


@dataclass(frozen=True)
class Request:
    """How to judge, and which pairs to write."""

    policy: Policy
    labels: frozenset[str] = frozenset(LABELS)
    keep: bool = False
    verbose: bool = False


def outputs(subject: Subject, report: ExcludeReport, request: Request) -> Outputs:
    """The texts that can be made of a report."""
    return Outputs(subject, report, request)


@dataclass(frozen=True)
class Outputs:
    """A report in every form, and as the change of a file."""

    subject: Subject
    report: ExcludeReport
    request: Request

    def remark(self) -> None:
        """How it was sampled and what was left aside, on stderr."""
        for note in remarks(self.report):
            streams.note(f"phyzctl: {note}")

    def text(self, form: ExcludeFormat | None, output: str | None) -> str:
        """The report in a form, by default the one that the output's suffix means."""
        policy, report = self.request.policy, self.report
        suffix = Path(output).suffix.lower() if output else ""
        match form or _SUFFIXES.get(suffix, ExcludeFormat.TABLE):
            case ExcludeFormat.MJCF:
                return mjcf_text(list(suggestions(report, policy)))
            case ExcludeFormat.SRDF:
                return self._srdf().decode()
            case ExcludeFormat.JSON:
                import json

                from phyzctl.exclude.document import report_document

                path, version = slashed(self.subject.path), phyzctl.__version__
                document = report_document(report, policy, version=version, path=path)
                return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
            case ExcludeFormat.CSV:
                return csv_text(report, policy)
            case ExcludeFormat.MARKDOWN:
                return markdown_text(report, policy)
            case ExcludeFormat.HTML:
                from phyzctl.exclude.html import html_text

                return html_text(report, policy)
            case _:
                return self._table()

    def change(self, *, write: bool, diff: bool) -> bool:
        """What `--write` makes of the file; True when that differs from what is there."""
        path, old, new = self._rewritten()
        if diff:
            streams.write(_unified(path, old, new))
        if new == old:
            streams.note(f"phyzctl: {path} is up to date")
        elif write:
            _write_bytes(path, new)
            streams.note(f"phyzctl: {path} is rewritten")
        else:
            streams.note(f"phyzctl: {path} is stale")
        return new != old

    def _rewritten(self) -> tuple[str, bytes, bytes]:
        srdf = self.subject.srdf
        if srdf is not None:
            return srdf.document.path, srdf.document.original, self._srdf()
        document = _document(self.subject.path)
        pairs = [facts.names for facts, _ in suggestions(self.report, self.request.policy)]
        return document.path, document.original, rewritten_mjcf(document, pairs)

    def _srdf(self) -> bytes:
        pairs = disabled_links(self.report, self.request.policy, self.request.labels)
        if self.subject.srdf is None:
            return new_srdf(self.report.model.robot.name, pairs).encode()
        return rewritten(self.subject.srdf, pairs, keep=self.request.keep)

    def _table(self) -> str:
        policy = self.request.policy
        shown = rows(self.report, policy)
        if not self.request.verbose:
            shown = [row for row in shown if row[3] != "-"]
        chosen = sum(row[3] == "exclude" for row in rows(self.report, policy))
        summary = f"{plural(len(self.report.pairs), 'pair')}, {chosen} to exclude"
        cells = [[printable(cell) for cell in row] for row in [list(COLUMNS), *shown]]
        return (columns(cells) + "\n" if shown else "") + summary + "\n"


def _document(path: str) -> Document:
    """The MJCF at `path`, to be edited. Raises PhyzctlError for what holds no excludes."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PhyzctlError(f"can't edit {path!r} in place: {error.strerror or error}") from error
    if quick_root_tag(data) != "mujoco":
        raise PhyzctlError(f"{path!r} holds no excludes: give the robot's SRDF with --srdf")
    return parse(data, path, Issues())


def _write_bytes(path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise PhyzctlError(f"can't write {path!r}: {error.strerror or error}") from error


def _unified(path: str, old: bytes, new: bytes) -> str:
    import difflib

    name = slashed(path)
    return "".join(difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}"))


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines(keepends=True)


def explained(report: ExcludeReport, policy: Policy) -> str:
    """One pair at length."""
    from phyzctl.exclude.story import story

    if not report.pairs:
        raise PhyzctlError("one of the two has no collision shapes that could meet the other's")
    return story(report, report.pairs[0], policy)


def reviewed(subject: Subject, report: ExcludeReport, policy: Policy, *, quiet: bool) -> bool:
    """Print what is wrong with the SRDF's pairs; True when there is a warning among it."""
    from phyzctl.exclude.review import review

    if subject.srdf is None:
        return False
    issues = sorted(review(report, subject.srdf, policy), key=Issue.sort_key)
    streams.write("".join(f"{printable(str(issue))}\n" for issue in issues))
    if not quiet:
        count = plural(len(issues), "finding")
        streams.note(f"phyzctl: {count} in {plural(len(subject.srdf.disabled), 'pair')}")
    return any(issue.severity >= Severity.WARNING for issue in issues)
