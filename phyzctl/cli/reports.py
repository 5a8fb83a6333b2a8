"""Reports by name, and what they need to know: texts of rules, of files, places in a repository."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import phyzctl
from phyzctl.cli import streams
from phyzctl.cli.repository import repository_path
from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.issues import Issue
from phyzctl.report.report import Report, RuleText

if TYPE_CHECKING:
    from phyzctl.lint.rule import Rule

_RENDERERS = {
    "text": ("phyzctl.report.text", "render"),
    "json": ("phyzctl.report.json", "render"),
    "jsonl": ("phyzctl.report.json", "render_lines"),
    "sarif": ("phyzctl.report.sarif", "render"),
    "github": ("phyzctl.report.github", "render"),
    "gitlab": ("phyzctl.report.gitlab", "render"),
    "junit": ("phyzctl.report.junit", "render"),
    "markdown": ("phyzctl.report.markdown", "render"),
    "html": ("phyzctl.report.html", "render"),
}


def render(report: Report, form: str) -> str:
    """The report in one of the formats, plain."""
    module, function = _RENDERERS[form]
    text: str = getattr(importlib.import_module(module), function)(report)
    return text


def parse_outputs(stated: Sequence[str]) -> list[tuple[str, str]]:
    """`FORMAT=FILE` options as pairs."""
    pairs = []
    for item in stated:
        form, equals, path = item.partition("=")
        if not equals or not path:
            raise PhyzctlError(f"--output wants FORMAT=FILE, not {item!r}")
        if form not in _RENDERERS:
            hint = did_you_mean(form, _RENDERERS) or f"; there are {', '.join(_RENDERERS)}"
            raise PhyzctlError(f"there is no report format {form!r}{hint}")
        pairs.append((form, path))
    return pairs


def write_outputs(report: Report, outputs: Iterable[tuple[str, str]]) -> None:
    """Write the reports that go to files."""
    for form, path in outputs:
        streams.write_file(path, render(report, form))


def make_report(
    issues: Iterable[Issue],
    files: Sequence[str],
    texts: Mapping[str, str],
    rules: Mapping[str, Rule],
    *,
    failing: Collection[Issue] | None = None,
) -> Report:
    """A Report of a run, most serious Issue first; texts of rules only of those found."""
    ordered = sorted(issues, key=Issue.sort_key)
    found = {issue.code.id for issue in ordered} & rules.keys()
    paths = {*files, *(issue.source.path for issue in ordered if issue.source)}
    return Report(
        issues=ordered,
        files=files,
        version=phyzctl.__version__,
        rules={code: rule_text(rules[code]) for code in found},
        texts=texts,
        uris={path: repository_path(path) for path in paths},
        failing=failing,
    )


def rule_text(rule: Rule) -> RuleText:
    """What a rule's docstring says, as a report wants it."""
    docs = rule.docs
    sections = [f"**{heading}**\n\n{body}" for heading, body in docs.sections.items()]
    return RuleText(rule.code, docs.title, "\n\n".join([docs.title, *sections]))
