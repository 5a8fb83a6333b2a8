"""The report as one HTML file: a heat map of all pairs, and the table. No script, no network."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from phyzctl.exclude.facts import ExcludeReport, PairFacts
from phyzctl.exclude.table import COLUMNS, remarks, rows
from phyzctl.exclude.verdict import Policy
from phyzctl.exclude.wording import evidence

_CELL = 16  # pixels
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  color: #1c1e21; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
svg text { font-size: 11px; fill: currentColor; }
.key { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: .8rem 0; }
.key i { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem;
  vertical-align: -2px; border: 1px solid #8886; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; padding: .25rem .7rem; border-bottom: 1px solid #8884; }
tr.exclude td { background: #f2a90022; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #17191c; } }
"""
_NEVER, _PROVED, _FILTERED = "#cfe8d5", "#5fb37c", "#8883"
_RAMP = ("#fde7c7", "#f9bf78", "#ee8448", "#cf4631", "#8f1d2c")
_STEPS = ("below 0.1%", "0.1 to 1%", "1 to 10%", "10 to 95%", "always")


def html_text(report: ExcludeReport, policy: Policy) -> str:
    """The whole page."""
    name = escape(report.model.robot.name)
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Pairs of {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>Which bodies of {name} can touch</h1>",
        *_heat_map(report),
        "<h2>Every pair</h2>",
        *_table(report, policy),
        "<h2>Remarks</h2>\n<ul>",
        *(f"<li>{escape(note)}</li>" for note in remarks(report)),
        "</ul>\n</body>\n</html>",
    ]
    return "\n".join(parts) + "\n"


def _heat_map(report: ExcludeReport) -> Iterator[str]:
    names = list(dict.fromkeys(name for facts in report.pairs for name in facts.names))
    place = {name: index for index, name in enumerate(names)}
    side = _CELL * len(names)
    margin = 8 + 7 * max((len(name) for name in names), default=0)
    yield '<div class="scroll">'
    yield (
        f'<svg role="img" aria-label="How often each pair of bodies overlaps" '
        f'width="{margin + side}" height="{margin + side}">'
    )
    for name, index in place.items():
        middle = margin + _CELL * index + 12
        yield f'<text x="{margin - 6}" y="{middle}" text-anchor="end">{escape(name)}</text>'
        turned = f"translate({middle},{margin - 6}) rotate(-90)"
        yield f'<text transform="{turned}">{escape(name)}</text>'
    for facts in report.pairs:
        first, second = (place[name] for name in facts.names)
        for row, column in ((first, second), (second, first)):
            yield _square(facts, margin + _CELL * column, margin + _CELL * row)
    yield "</svg></div>"
    yield from _key()


def _square(facts: PairFacts, x: int, y: int) -> str:
    title = f"{facts.first} and {facts.second}: {evidence(facts)}"
    size = _CELL - 1
    return (
        f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{colour(facts)}">'
        f"<title>{escape(title)}</title></rect>"
    )


def colour(facts: PairFacts) -> str:
    """Grey: never tested; green: never, dark when proved; else warmer with how often."""
    if facts.pair.filtered:
        return _FILTERED
    if facts.proved_never:
        return _PROVED
    if not facts.overlaps:
        return _NEVER
    if facts.proved_always or facts.share >= 0.95:
        return _RAMP[-1]
    level = math.log10(max(facts.share, 1e-9)) + 4.0
    return _RAMP[min(max(int(level), 0), len(_RAMP) - 2)]


def _key() -> Iterator[str]:
    entries = [("never tested", _FILTERED), ("proved never", _PROVED), ("never seen", _NEVER)]
    entries += list(zip(_STEPS, _RAMP, strict=True))
    yield '<div class="key">'
    for words, fill in entries:
        yield f'<span><i style="background:{fill}"></i>{words}</span>'
    yield "</div>"


def _table(report: ExcludeReport, policy: Policy) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    yield f"<thead>{_row(COLUMNS, 'th')}</thead>\n<tbody>"
    for facts, cells in zip(report.pairs, rows(report, policy), strict=True):
        kind = ' class="exclude"' if policy.suggestion(facts) else ""
        yield _row(cells, "td", kind)
    yield "</tbody></table></div>"


def _row(cells: Sequence[str], tag: str, kind: str = "") -> str:
    inside = "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)
    return f"<tr{kind}>{inside}</tr>"
