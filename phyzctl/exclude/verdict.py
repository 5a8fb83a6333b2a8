"""From facts to a label and a suggestion.

The label is MoveIt's, in its order: Adjacent, Default, Always, Never; none for a pair that
touches now and then. A suggestion is stricter. To switch off a pair that overlaps because it was
drawn that way repairs a model; to switch off one that can collide hides a collision; and one
that never touches costs nothing but time. So what is suggested is what always overlaps, and
neighbours and overlaps of the reference pose that look drawn (see `artefact`); pairs that never
touch only when asked for, and never one that an engine doesn't test anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.exclude.facts import DRAWN, NEARLY_ALWAYS, ExcludeReport, Outcome, PairFacts
from phyzctl.model.body import WORLD
from phyzctl.records import dataclass

ADJACENT, DEFAULT, ALWAYS, NEVER = "Adjacent", "Default", "Always", "Never"
LABELS = (ADJACENT, DEFAULT, ALWAYS, NEVER)


@dataclass(frozen=True)
class Policy:
    """What is called always (a share of samples), how much clearance [m] makes a never.

    `never` suggests pairs that never touch as well.
    """

    fraction: float = NEARLY_ALWAYS
    margin: float = 0.0
    never: bool = False

    def label(self, facts: PairFacts) -> str | None:
        """MoveIt's reason to leave the pair out, None for a pair that must be tested."""
        if facts.pair.adjacent:
            return ADJACENT
        if facts.default_depth is not None:
            return DEFAULT
        if self.is_always(facts):
            return ALWAYS
        return NEVER if self.is_never(facts) else None

    def suggestion(self, facts: PairFacts) -> str | None:
        """The label under which leaving the pair out is suggested, None where it isn't."""
        if not facts.pair.free:
            return None
        if self.is_always(facts):
            return ALWAYS
        if self.is_drawn(facts) and facts.pair.adjacent:
            return ADJACENT
        if self.is_drawn(facts) and facts.default_depth is not None:
            return DEFAULT
        return NEVER if self.never and self.is_never(facts) else None

    def is_drawn(self, facts: PairFacts) -> bool:
        """True when their overlap looks drawn that way."""
        return facts.artefact is not None and facts.artefact >= DRAWN

    def is_always(self, facts: PairFacts) -> bool:
        """True when they overlap wherever they are, or nearly so."""
        return facts.proved_always or (facts.hits > 0 and facts.share >= self.fraction)

    def is_never(self, facts: PairFacts) -> bool:
        """True when no overlap is known, and they stay apart by the margin."""
        if facts.overlaps or facts.certificate_is(Outcome.GRAZES):
            return False
        if facts.clearance is None:
            return facts.samples > 0
        return facts.clearance.distance >= self.margin


def suggestions(report: ExcludeReport, policy: Policy) -> Iterator[tuple[PairFacts, str]]:
    """The pairs to leave out in MJCF or phyzctl, with the label."""
    for facts in report.pairs:
        label = policy.suggestion(facts)
        if label is not None:
            yield facts, label


def disabled_links(
    report: ExcludeReport, policy: Policy, labels: frozenset[str] = frozenset(LABELS)
) -> dict[tuple[str, str], str]:
    """The pairs of an SRDF with their reasons, those of `labels` only."""
    found = {}
    for facts in report.pairs:
        label = policy.label(facts)
        if label is not None and label in labels and facts.pair.first != WORLD:
            found[facts.names] = label
    return found
