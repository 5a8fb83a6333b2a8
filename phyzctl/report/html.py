"""HTML: one file that needs nothing else, with the findings and the robots as they are drawn.

The findings are there without scripts; a script of our own filters them, and turns the robots.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from phyzctl.issues import Issue, Severity, Source
from phyzctl.report.excerpts import Excerpts
from phyzctl.report.report import TOOL, Report, Scene
from phyzctl.report.text import plural, printable, summary_line

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_NAMED = re.compile(r"/(link|body|joint|geom)\[@name='([^']*)'\]")
_NOTES = 3
_HERE = Path(__file__).parent


def render(report: Report) -> str:
    """The whole page."""
    title = _escaped(f"{TOOL}: {summary_line(report)}")
    scenes = [_drawing(report.uri(path), scene) for path, scene in report.scenes.items()]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_file('page.css')}</style></head>",
            f"<body><header><h1>{title}</h1>{_filters(report)}</header>",
            f'<main><ol id="findings">\n{"".join(_findings(report))}</ol>{_stage(report)}</main>',
            f'<script type="application/json" id="scenes">{_embedded(scenes)}</script>',
            f"<script>\n{_file('viewer.js')}</script>",
            "</body></html>\n",
        ]
    )


def _file(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _filters(report: Report) -> str:
    boxes = [
        f'<label class="{kind.label}"><input type="checkbox" name="severity" value="{kind.label}"'
        f" checked> {plural(report.count(kind), kind.label)}</label>"
        for kind in reversed(Severity)
        if report.count(kind)
    ]
    codes = {issue.code.id: issue.code.name for issue in report.issues}
    options = [
        f'<option value="{code}">{code} {_escaped(name)}</option>'
        for code, name in sorted(codes.items())
    ]
    choice = f'<select name="code"><option value="">all rules</option>{"".join(options)}</select>'
    search = '<input type="search" name="text" placeholder="file, element, message">'
    return f'<form id="filters">{"".join(boxes)}{choice}{search}</form>' if codes else ""


def _stage(report: Report) -> str:
    """The place where robots are shown."""
    if not report.scenes:
        return ""
    options = "".join(
        f'<option value="{index}">{_escaped(report.uri(path))}</option>'
        for index, path in enumerate(report.scenes)
    )
    return (
        f'<aside id="stage"><div><select id="robot">{options}</select>'
        '<select id="role"><option value="visual">as seen</option>'
        '<option value="collision">as hit</option></select>'
        '<button id="reset" type="button">reset</button></div>'
        '<canvas id="view" width="640" height="560"></canvas>'
        '<p id="caption">Drag to turn, shift and drag to move, wheel to zoom, click to pick.</p>'
        "</aside>"
    )


def _findings(report: Report) -> Iterator[str]:
    excerpts = Excerpts(report.texts)
    scenes = list(report.scenes.values())
    for issue in report.issues:
        index = _scene_of(issue, report)
        parts, joints = _meant(issue, scenes[index]) if index is not None else ((), ())
        attributes = {
            "class": issue.severity.label,
            "data-severity": issue.severity.label,
            "data-code": issue.code.id,
            "data-scene": "" if index is None else index,
            "data-parts": json.dumps(list(parts)),
            "data-joints": json.dumps(list(joints)),
        }
        stated = " ".join(f'{key}="{_escaped(str(value))}"' for key, value in attributes.items())
        said = _headline(issue, report) + _body(issue, excerpts, report)
        yield f'<li {stated} tabindex="0">{said}</li>\n'


def _headline(issue: Issue, report: Report) -> str:
    place = f"<code>{_escaped(_place(issue.source, report))}</code> " if issue.source else ""
    name = f'<abbr title="{_escaped(issue.code.name)}">{issue.code.id}</abbr>'
    kind = f"<b>{issue.severity.label}</b> {name}"
    subject = f"<i>{_escaped(issue.subject)}</i>: " if issue.subject else ""
    return f"<p>{kind} {place}</p><p>{subject}{_escaped(issue.message)}</p>"


def _place(source: Source | None, report: Report) -> str:
    if source is None:
        return ""
    parts = (report.uri(source.path), source.line, source.column)
    return ":".join(str(part) for part in parts if part is not None)


def _body(issue: Issue, excerpts: Excerpts, report: Report) -> str:
    """The line that is meant, what to do, and what the rule says."""
    found, pieces = excerpts.of(issue.source), []
    if found is not None and issue.source is not None:
        line, start, end = found
        before, meant, after = map(_escaped, (line[:start], line[start:end], line[end:]))
        marked = f"{before}<mark>{meant}</mark>{after}"
        pieces.append(f"<pre><span>{issue.source.line}</span> {marked}</pre>")
    pieces.append(_notes(issue, report))
    if issue.fix is not None:
        pieces.append(f"<p><b>fix</b> {_escaped(issue.fix.description)}</p>")
    rule = report.rules.get(issue.code.id)
    if rule is not None:
        text = rule.markdown.removeprefix(rule.summary).strip().replace("**", "")
        body = f"<summary>{_escaped(rule.summary)}</summary><pre>{html.escape(text)}</pre>"
        pieces.append(f"<details>{body}</details>")
    return "".join(pieces)


def _notes(issue: Issue, report: Report) -> str:
    """Other places that belong to a finding; many of them are folded away."""
    notes = [
        f"<p><b>note</b> {_escaped(other.message)} "
        f"<code>{_escaped(_place(other.source, report))}</code></p>"
        for other in issue.related
    ]
    shown, folded = (notes, []) if len(notes) <= _NOTES else ([], notes)
    summary = f"<summary>{plural(len(folded), 'more place')}</summary>"
    return "".join(shown) + (f"<details>{summary}{''.join(folded)}</details>" if folded else "")


def _scene_of(issue: Issue, report: Report) -> int | None:
    """Which robot a finding is about: that of its file, or the first that includes the file."""
    path = issue.source.path if issue.source else None
    for index, (name, scene) in enumerate(report.scenes.items()):
        if path == name or path in scene.documents:
            return index
    return None


def _meant(issue: Issue, scene: Scene) -> tuple[Sequence[int], Sequence[str]]:
    """The parts and joints that a finding is about, by its subject or the elements around it."""
    subject = issue.subject or ""
    if subject in scene.subjects:
        return scene.subjects[subject]
    element = issue.source.element if issue.source else None
    for kind, name in reversed(_NAMED.findall(element or "")):
        known = scene.subjects.get(f"{'link' if kind == 'body' else kind} {name!r}")
        if known is not None:
            return known
    return (), ()


def _drawing(path: str, scene: Scene) -> dict[str, Any]:
    """A scene for the script: numbers to a hundred-thousandth, which no eye can tell."""
    parts = [
        {
            "link": part.link,
            "role": part.role,
            "vertices": [float(f"{x:.5g}") for vertex in part.vertices for x in vertex],
            "faces": [index for face in part.faces for index in face],
        }
        for part in scene.parts
    ]
    joints: Mapping[str, Any] = {
        name: [list(at), None if axis is None else list(axis)]
        for name, (at, axis) in scene.joints.items()
    }
    return {"path": path, "parts": parts, "joints": joints}


def _embedded(document: Any) -> str:
    """JSON that can't end the element it stands in."""
    return json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")


def _escaped(text: str) -> str:
    return html.escape(printable(text))
