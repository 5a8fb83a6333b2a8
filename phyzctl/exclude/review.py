"""What is wrong with the disabled pairs of an SRDF, held against the facts."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.errors import did_you_mean
from phyzctl.exclude.codes import (
    EXCLUDE_HIDES_COLLISION,
    EXCLUDE_REASON_WRONG,
    PAIR_ALWAYS_TOUCHES,
)
from phyzctl.exclude.facts import ExcludeReport, PairFacts
from phyzctl.exclude.verdict import ADJACENT, ALWAYS, DEFAULT, NEVER, Policy
from phyzctl.exclude.wording import length, percent
from phyzctl.formats.srdf import DisabledPair, Srdf
from phyzctl.issues import Code, Issue, Related, Severity


def review(report: ExcludeReport, srdf: Srdf, policy: Policy) -> Iterator[Issue]:
    """Unknown links, pairs named twice, reasons that are wrong, hidden and missing pairs."""
    known = {body.name for body in report.model.bodies}
    seen: dict[frozenset[str], DisabledPair] = {}
    for pair in srdf.disabled:
        strangers = [name for name in (pair.first, pair.second) if name not in known]
        if strangers:
            yield from (_unknown(pair, name, known) for name in strangers)
            continue
        first = seen.setdefault(pair.key, pair)
        if pair.first == pair.second:
            yield _issue(codes.EXCLUDE_REDUNDANT, pair, "a link never collides with itself")
        elif first is not pair:
            yield _twice(pair, first)
        else:
            yield from _judged(pair, report.find(pair.first, pair.second), policy)
    yield from _missing(report, srdf, policy)


def _judged(pair: DisabledPair, facts: PairFacts | None, policy: Policy) -> Iterator[Issue]:
    if facts is None:
        message = "one of the two has no collision shape, so they never meet"
        yield _issue(codes.EXCLUDE_REDUNDANT, pair, message)
        return
    wrong = _wrong_reason(pair, facts, policy)
    if wrong is not None:
        yield _issue(EXCLUDE_REASON_WRONG, pair, f'"{pair.written}", but {wrong}')
    elif facts.hides_collision and pair.reason != NEVER:
        yield _issue(EXCLUDE_HIDES_COLLISION, pair, _hidden(facts))


def _wrong_reason(pair: DisabledPair, facts: PairFacts, policy: Policy) -> str | None:
    """What contradicts the reason that is written; None when nothing does."""
    seen = f"they overlap in {percent(facts.share)} of {facts.samples} samples"
    match pair.reason:
        case reason if reason == ADJACENT and not facts.pair.adjacent:
            return f"{len(facts.joints)} joints and other links are between them"
        case reason if reason == DEFAULT and facts.default_depth is None:
            return "they are apart in the reference pose"
        case reason if reason == ALWAYS and not policy.is_always(facts):
            return seen
        case reason if reason == NEVER and facts.overlaps:
            depth = f", by up to {length(-facts.deepest.distance)}" if facts.deepest else ""
            return f"{seen}{depth}"
        case _:
            return None


def _hidden(facts: PairFacts) -> str:
    """The collision that an exclude hides, in words."""
    depth = f", by up to {length(-facts.deepest.distance)}" if facts.deepest else ""
    return (
        f"hides a real collision: they overlap in {percent(facts.share)} of "
        f"{facts.samples} samples{depth}"
    )


def _missing(report: ExcludeReport, srdf: Srdf, policy: Policy) -> Iterator[Issue]:
    covered = {pair.key for pair in srdf.excluded(tuple(b.name for b in report.model.bodies))}
    root = srdf.document.root
    for facts in report.pairs:
        if policy.suggestion(facts) and frozenset(facts.names) not in covered:
            message = (
                f"{facts.first!r} and {facts.second!r} overlap in {percent(facts.share)} of "
                "samples as drawn, and are not disabled"
            )
            source = root.source if root is not None else None
            yield Issue(PAIR_ALWAYS_TOUCHES, Severity.INFO, message, source)


def _unknown(pair: DisabledPair, name: str, known: set[str]) -> Issue:
    attribute = "link1" if pair.first == name else "link2"
    message = f"there is no link {name!r}{did_you_mean(name, known)}"
    source = pair.node.attribute_source(attribute)
    return Issue(codes.CONTACT_NAME_UNKNOWN, Severity.WARNING, message, source)


def _twice(pair: DisabledPair, first: DisabledPair) -> Issue:
    how = "" if pair.first == first.first else ", the other way round"
    related = (Related("first disabled here", first.source),)
    message = f"the pair is disabled already{how}, in line {first.source.line}"
    return _issue(codes.EXCLUDE_REDUNDANT, pair, message, related)


def _issue(
    code: Code, pair: DisabledPair, message: str, related: tuple[Related, ...] = ()
) -> Issue:
    subject = f"{pair.first!r} and {pair.second!r}"
    return Issue(code, code.severity, message, pair.source, subject, related=related)
