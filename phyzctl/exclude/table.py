"""The report as rows, for a table on the terminal, CSV and Markdown."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from phyzctl.exclude.facts import ExcludeReport, PairFacts
from phyzctl.exclude.verdict import Policy
from phyzctl.exclude.wording import evidence

COLUMNS = ("body1", "body2", "label", "suggestion", "evidence")

_FIGURES = (
    "body1",
    "body2",
    "label",
    "suggestion",
    "filtered",
    "excluded",
    "adjacent",
    "joints",
    "default_depth",
    "samples",
    "hits",
    "share_low",
    "share_high",
    "deepest",
    "clearance",
    "artefact",
    "proof",
    "proved_fraction",
)


def rows(report: ExcludeReport, policy: Policy) -> list[list[str]]:
    """One row a pair, as `COLUMNS` names them; what has no label or suggestion shows `-`."""
    return [
        [*facts.names, policy.label(facts) or "-", suggested(facts, policy), evidence(facts)]
        for facts in report.pairs
    ]


def suggested(facts: PairFacts, policy: Policy) -> str:
    """`exclude`, `excluded` or `-`."""
    if facts.pair.excluded:
        return "excluded"
    return "exclude" if policy.suggestion(facts) else "-"


def csv_text(report: ExcludeReport, policy: Policy) -> str:
    """Numbers for a spreadsheet: lengths in metres, empty where not known."""
    import csv

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_FIGURES)
    writer.writerows(_figures(facts, policy) for facts in report.pairs)
    return stream.getvalue()


def markdown_text(report: ExcludeReport, policy: Policy) -> str:
    """A table in Markdown under a heading, with the notes below it."""
    name = _cell(report.model.robot.name)
    lines = [f"# Pairs of {name}", "", _line(COLUMNS), _line(["---"] * len(COLUMNS))]
    lines += [_line(row) for row in rows(report, policy)]
    lines += ["", *(f"* {note}" for note in remarks(report))]
    return "\n".join(lines).rstrip() + "\n"


def remarks(report: ExcludeReport) -> Iterable[str]:
    """How it was sampled, what hulls invent, and what the facts leave aside."""
    yield f"{report.samples} configurations within the limits, seed {report.seed}"
    for hull in report.hulls:
        if hull.ratio is None:
            yield f"mesh {hull.mesh} of {hull.body} is compared as its hull; it encloses no volume"
        elif hull.ratio > 1.01:
            times = f"{hull.ratio:.3g} times its volume"
            yield f"mesh {hull.mesh} of {hull.body} is compared as its hull, {times}"
    yield from report.notes


def _figures(facts: PairFacts, policy: Policy) -> list[str]:
    proof = facts.certificate
    lower, upper = facts.interval
    return [
        *facts.names,
        policy.label(facts) or "",
        policy.suggestion(facts) or "",
        facts.pair.filtered or "",
        str(facts.pair.excluded).lower(),
        str(facts.pair.adjacent).lower(),
        " ".join(facts.joints),
        _number(facts.default_depth),
        str(facts.samples),
        str(facts.hits),
        _number(lower),
        _number(upper),
        _number(-facts.deepest.distance if facts.deepest else None),
        _number(facts.clearance.distance if facts.clearance else None),
        _number(facts.artefact),
        proof.outcome.value if proof else "",
        _number(proof.fraction if proof else None),
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value + 0.0:.6g}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
