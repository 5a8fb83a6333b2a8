"""The facts about a pair in words, for tables and comments."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.exclude.facts import Certificate, Outcome, PairFacts


def evidence(facts: PairFacts) -> str:
    """All that is known of a pair, in one line."""
    return "; ".join(_clauses(facts))


def _clauses(facts: PairFacts) -> Iterator[str]:
    if facts.pair.filtered:
        yield f"{facts.pair.filtered}, not tested"
    if facts.pair.excluded:
        yield "excluded already"
    if facts.default_depth is not None:
        yield f"overlap by {length(facts.default_depth)} in the reference pose"
    for name, depth in facts.keyframes.items():
        yield f"overlap by {length(depth)} in {name!r}"
    if facts.samples:
        yield from _sampled(facts)
    if facts.artefact is not None:
        yield f"artefact score {facts.artefact:.2f}"
    if facts.certificate is not None:
        yield certified(facts.certificate)


def _sampled(facts: PairFacts) -> Iterator[str]:
    lower, upper = facts.interval
    if facts.hits == 0:
        yield f"0 of {facts.samples} samples (below {percent(upper)})"
        if facts.clearance is not None and facts.clearance.distance >= 0.0:
            yield f"at least {length(facts.clearance.distance)} apart where seen"
        return
    span = f"{percent(lower)} to {percent(upper)}"
    yield f"{facts.hits} of {facts.samples} samples ({span})"
    if facts.deepest is not None:
        yield f"deepest {length(-facts.deepest.distance)}"


def certified(certificate: Certificate) -> str:
    """What a proof came to."""
    witness = certificate.witness
    match certificate.outcome:
        case Outcome.NEVER:
            return "proved never to touch"
        case Outcome.ALWAYS:
            return "proved always to overlap"
        case Outcome.REFUTED if witness is not None and witness.distance <= 0.0:
            return f"the search found an overlap of {length(-witness.distance)}"
        case Outcome.REFUTED:
            return "the search found them apart"
        case Outcome.GRAZES:
            return "the search found them touching"
        case Outcome.IMPOSSIBLE:
            return "no proof: a joint between them has no bounds"
        case _:
            return f"undecided, {percent(certificate.fraction)} of the range proved"


def length(metres: float) -> str:
    """A length as people read it: in millimetres, three digits."""
    return f"{1000.0 * metres + 0.0:.3g} mm"


def percent(share: float) -> str:
    """A fraction as a percentage of three digits."""
    return f"{100.0 * share:.3g}%"
