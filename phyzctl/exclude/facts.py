"""What is known about a pair of bodies, and the report that collects it."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import field

from phyzctl.exclude.pairs import BodyPair
from phyzctl.model.model import Model
from phyzctl.records import dataclass

RARE = 0.001  # a share of samples below which a pair hardly ever overlaps
NEARLY_ALWAYS = 0.95
DRAWN = 0.25  # the artefact score from which on an overlap counts as drawn

_Z95 = 1.959963984540054  # of the normal distribution, two-sided


@dataclass(frozen=True)
class Witness:
    """A configuration (nq,) and the signed distance of the pair there [m], negative: overlap."""

    distance: float
    q: tuple[float, ...]


class Outcome(enum.Enum):
    """What a proof came to."""

    NEVER = "never"
    """No configuration within the limits lets them touch."""
    ALWAYS = "always"
    """In every configuration within the limits they overlap."""
    REFUTED = "refuted"
    """The witness shows an overlap of a pair never seen to, or a gap of one always seen to."""
    GRAZES = "grazes"
    """They come closer than the resolution of the proof without overlapping where seen."""
    UNDECIDED = "undecided"
    """The effort ran out."""
    IMPOSSIBLE = "impossible"
    """A joint between them is free or slides without limits: there is no box to search."""


@dataclass(frozen=True)
class Certificate:
    """The result of branch and bound over the joints between two bodies.

    `fraction` of the box of variables is proved; `cells` were looked at. `witness` refutes.
    """

    outcome: Outcome
    fraction: float = 0.0
    cells: int = 0
    witness: Witness | None = None


@dataclass(frozen=True)
class PairFacts:
    """Everything that was found out about two bodies.

    `default_depth` is how deep they overlap in the reference pose [m], None when apart;
    `keyframes` the same by the name of each keyframe (and group state) in which they overlap.
    `hits` of `samples` configurations overlap. `deepest` is the deepest overlap seen,
    `clearance` the smallest distance seen of a pair never hit, refined by going downhill from
    there, which may end in an overlap (below zero). `artefact` from 0 to 1
    says how much the overlap looks drawn rather than real, None without any overlap.
    """

    pair: BodyPair
    first: str
    second: str
    joints: tuple[str, ...]
    samples: int
    hits: int
    default_depth: float | None = None
    keyframes: Mapping[str, float] = field(default_factory=dict)
    deepest: Witness | None = None
    clearance: Witness | None = None
    artefact: float | None = None
    certificate: Certificate | None = None

    @property
    def names(self) -> tuple[str, str]:
        """The bodies' names."""
        return self.first, self.second

    @property
    def share(self) -> float:
        """The fraction of samples that overlap."""
        return self.hits / self.samples if self.samples else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the fraction of configurations that overlap.

        For no hit its upper end is replaced by 3/N, the rule of three. Wilson (1927), Probable
        inference, the law of succession, and statistical inference.
        """
        if self.samples == 0:
            return 0.0, 1.0
        lower, upper = wilson(self.hits, self.samples)
        return (0.0, min(1.0, 3.0 / self.samples)) if self.hits == 0 else (lower, upper)

    @property
    def overlaps(self) -> bool:
        """True when an overlap is known: sampled, in the reference pose, or found by search."""
        if self.hits > 0 or self.default_depth is not None:
            return True
        proof = self.certificate.witness if self.certificate is not None else None
        return any(found is not None and found.distance < 0.0 for found in (proof, self.clearance))

    def certificate_is(self, outcome: Outcome) -> bool:
        """True when there was a search for a proof, and it came to that."""
        return self.certificate is not None and self.certificate.outcome is outcome

    @property
    def hides_collision(self) -> bool:
        """True when to leave the pair out would hide what can really happen.

        Parts that aren't neighbours, and that overlap neither hardly ever nor nearly always,
        without it being drawn that way.
        """
        if self.pair.adjacent or self.pair.filtered:
            return False
        drawn = self.default_depth is not None and (self.artefact or 0.0) >= DRAWN
        return RARE <= self.share < NEARLY_ALWAYS and not drawn

    @property
    def proved_never(self) -> bool:
        """True when they can never touch."""
        return self.certificate_is(Outcome.NEVER)

    @property
    def proved_always(self) -> bool:
        """True when they can never part."""
        return self.certificate_is(Outcome.ALWAYS)


@dataclass(frozen=True)
class HullNote:
    """A mesh that was compared as its convex hull: hull volume over mesh volume, None: unknown."""

    body: str
    mesh: str
    ratio: float | None


@dataclass(frozen=True, eq=False)
class ExcludeReport:
    """The facts about every pair of bodies with collision shapes, in order of index.

    `suggested` are the names of those to exclude, by the default `Policy`. `notes` say in
    sentences what the facts leave aside: loops not closed, ground not looked at, shapes that
    could not be read.
    """

    model: Model
    pairs: tuple[PairFacts, ...]
    samples: int
    seed: int
    suggested: tuple[tuple[str, str], ...] = ()
    hulls: tuple[HullNote, ...] = ()
    notes: tuple[str, ...] = ()

    def find(self, first: str, second: str) -> PairFacts | None:
        """The facts about two bodies, in either order; None when they are no pair."""
        for facts in self.pairs:
            if {first, second} == set(facts.names):
                return facts
        return None


def wilson(hits: int, samples: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a proportion."""
    share, z2 = hits / samples, _Z95 * _Z95 / samples
    middle = (share + 0.5 * z2) / (1.0 + z2)
    half = _Z95 / (1.0 + z2) * math.sqrt(share * (1.0 - share) / samples + 0.25 * z2 / samples)
    return max(0.0, middle - half), min(1.0, middle + half)
