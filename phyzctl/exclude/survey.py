"""The whole survey of a Model: sample, judge, prove, and report what was found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from phyzctl.exclude.artefact import Judge
from phyzctl.exclude.facts import Certificate, ExcludeReport, Outcome, PairFacts, Witness
from phyzctl.exclude.pairs import BodyPair, TooManyPairsError, body_name, body_pairs
from phyzctl.exclude.prove import Proof, certify, is_bounded, prepare
from phyzctl.exclude.sample import Sampled, Sampler
from phyzctl.exclude.shapes import Outlines, outlines
from phyzctl.exclude.space import Space, space_of
from phyzctl.exclude.verdict import Policy
from phyzctl.model.body import Pair
from phyzctl.model.geom import GeomType
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.spatial import Array

TRIALS = 10_000
WORK = 1e10  # units of about a nanosecond
_MOST = 30_000_000  # numbers in the witnesses of all pairs: about a gigabyte
_PURSUED = 5  # times as many samples in all, of pairs in doubt
_CLOSE = 0.02  # [m] of clearance below which a pair is


@dataclass(frozen=True)
class Effort:
    """How much to do: samples drawn by `seed`, and `jobs` threads, which don't change results.

    `prove` searches for certificates with at most `work` units in all, about a nanosecond each;
    with `inflate` they cover 0.02 rad or 2 mm beyond the limits, as far as soft limits give.
    `pursue` goes downhill from the nearest sample of each pair that was never hit, and draws more
    samples of those that come close.
    """

    samples: int = TRIALS
    seed: int = 0
    jobs: int = 1
    prove: bool = True
    work: float = WORK
    inflate: bool = False
    pursue: bool = True


_USUAL = Effort()


def survey(
    model: Model,
    effort: Effort = _USUAL,
    *,
    passive: Collection[str] = (),
    postures: Mapping[str, Array] | None = None,
    only: Collection[Pair] | None = None,
) -> ExcludeReport:
    """What can be known of every pair of bodies of `model`; see `ExcludeReport`.

    Joints named in `passive` are held in their reference position; `postures` (nq,) are looked
    at besides the reference pose and the keyframes; `only` are the pairs of bodies (indices,
    the smaller first) to look at, all when None. Raises PhyzctlError for a robot without
    collision geometry, and for very many bodies.
    """
    pairs = [
        pair for pair in body_pairs(model) if only is None or (pair.first, pair.second) in only
    ]
    return _Survey(model, pairs, effort, passive=passive, postures=postures or {}).report()


def suggest_excludes(
    model: Model, *, samples: int = TRIALS, seed: int = 0, prove: bool = True, jobs: int = 1
) -> ExcludeReport:
    """Which pairs of bodies of `model` should never collide, with the evidence for all pairs.

    `samples` configurations within the joint limits are drawn by `seed`; `prove` searches for
    proofs besides; `jobs` threads don't change the result. `report.suggested` names the pairs
    to exclude. Raises PhyzctlError for a robot without collision geometry.
    """
    return survey(model, Effort(samples=samples, seed=seed, jobs=jobs, prove=prove))


class _Survey:
    def __init__(
        self,
        model: Model,
        pairs: Sequence[BodyPair],
        effort: Effort,
        *,
        passive: Collection[str],
        postures: Mapping[str, Array],
    ) -> None:
        self.model = model
        self.effort = effort
        self.outlines = outlines(model)
        self.pairs = _with_shapes(pairs, self.outlines)
        if len(self.pairs) * model.nq > _MOST:
            raise TooManyPairsError(
                f"{len(self.pairs)} pairs of bodies in {model.nq} coordinates are more than can be "
                "surveyed"
            )
        self.space = space_of(model, passive=passive)
        self.box = space_of(model, passive=passive, inflate=effort.inflate)
        shapes = self.outlines.shapes
        self.sampler = Sampler(self.space, shapes, self.pairs, jobs=effort.jobs)
        self.judge = Judge(model, shapes, self.outlines.radii)
        self.postures = {**_keyframes(model), **postures}

    def report(self) -> ExcludeReport:
        facts = list(self._look()) if self.pairs else []
        if self.effort.pursue:
            facts = list(self._refined(facts))
        facts = self._proved(facts)
        if self.effort.pursue:
            facts = self._pursued(facts)
        return ExcludeReport(
            self.model,
            tuple(facts),
            self.effort.samples,
            self.effort.seed,
            suggested=tuple(each.names for each in facts if Policy().suggestion(each)),
            hulls=self.outlines.hulls,
            notes=(
                *_scope(self.effort),
                *_notes(self.space, self.outlines),
                *self._note_on_loops(facts),
            ),
        )

    def _note_on_loops(self, facts: Sequence[PairFacts]) -> Iterator[str]:
        count, drawn = len(self.sampler.loops), self.effort.samples
        if count and facts:
            looked_at = min(each.samples for each in facts)
            yield (
                f"loops ({count}) are closed in {looked_at} of {drawn} samples, in the others they "
                "can't be; proofs cover open ones, too"
            )

    def _look(self) -> Iterator[PairFacts]:
        """What samples, reference pose and postures show."""
        sampled = self.sampler.sweep(range(self.effort.samples), seed=self.effort.seed)
        reference = self.model.arrays.q_reference
        default = self.sampler.depths(reference)
        depths = {name: self.sampler.depths(q) for name, q in self.postures.items()}
        for number, pair in enumerate(self.pairs):
            facts = self._sampled(number, sampled)
            if not pair.joints:
                facts = _welded(facts, default[number], self.model.arrays.q_reference)
            there = {name: float(row[number]) for name, row in depths.items()}
            facts = replace(
                facts,
                default_depth=None if np.isnan(default[number]) else float(default[number]),
                keyframes={name: depth for name, depth in there.items() if not np.isnan(depth)},
            )
            yield replace(facts, artefact=self._artefact(pair, facts))

    def _sampled(self, number: int, sampled: Sampled) -> PairFacts:
        pair = self.pairs[number]
        hits = int(sampled.hits[number])
        deepest, clearance = sampled.deepest[number], sampled.clearance[number]
        return PairFacts(
            pair,
            body_name(self.model, pair.first),
            body_name(self.model, pair.second),
            tuple(self.model.joints[joint].name for joint in pair.joints),
            sampled.configurations,
            hits,
            deepest=_witness(-deepest, sampled.deepest_q[number]) if hits else None,
            clearance=None if hits else _witness(clearance, sampled.clearance_q[number]),
        )

    def _refined(self, found: Iterable[PairFacts]) -> Iterator[PairFacts]:
        """The smallest clearance of pairs never hit, made smaller as far as that is easy."""
        for facts in found:
            held = not facts.pair.joints or self.sampler.loops.hold(facts.pair.joints)
            if facts.clearance is None or facts.overlaps or held:
                yield facts
                continue
            proof = prepare(self.space, self.outlines.shapes, facts.pair)
            nearer = proof.refined(np.array(facts.clearance.q))
            better = nearer.distance < facts.clearance.distance
            yield replace(facts, clearance=nearer) if better else facts

    def _proved(self, found: Sequence[PairFacts]) -> list[PairFacts]:
        """The facts with certificates, for what no sample contradicts."""
        everything = list(found)
        if not self.effort.prove:
            return everything
        proofs: dict[int, Proof] = {}
        for number, facts in enumerate(everything):
            claim = self._claim(facts)
            if isinstance(claim, Certificate):
                everything[number] = replace(facts, certificate=claim)
            elif claim is not None:
                proofs[number] = claim
        results = certify(list(proofs.values()), work=self.effort.work, jobs=self.effort.jobs)
        for number, certificate in zip(proofs, results, strict=True):
            facts = everything[number]
            everything[number] = replace(facts, certificate=self._within_loops(facts, certificate))
        return everything

    def _within_loops(self, facts: PairFacts, certificate: Certificate) -> Certificate:
        """A proof for open loops holds for closed ones; a witness that opens them shows nothing."""
        shown = certificate.outcome in (Outcome.REFUTED, Outcome.GRAZES)
        if not shown or not self.sampler.loops.hold(facts.pair.joints):
            return certificate
        return replace(certificate, outcome=Outcome.UNDECIDED, witness=None)

    def _pursued(self, found: Sequence[PairFacts]) -> list[PairFacts]:
        """More samples where doubt is left: of pairs that came close, and that no proof covers."""
        everything = list(found)
        numbers = [number for number, facts in enumerate(found) if _in_doubt(facts)]
        if not numbers:
            return everything
        pairs = [everything[number].pair for number in numbers]
        sampler = Sampler(self.space, self.outlines.shapes, pairs, jobs=self.effort.jobs)
        points = range(self.effort.samples, _PURSUED * self.effort.samples)
        more = sampler.sweep(points, seed=self.effort.seed)
        for place, number in enumerate(numbers):
            everything[number] = self._added(everything[number], more, place)
        return everything

    def _added(self, facts: PairFacts, more: Sampled, place: int) -> PairFacts:
        hits, samples = int(more.hits[place]), facts.samples + more.configurations
        if not hits:
            seen = _witness(more.clearance[place], more.clearance_q[place])
            nearer = seen is not None and (
                facts.clearance is None or seen.distance < facts.clearance.distance
            )
            return replace(facts, samples=samples, clearance=seen if nearer else facts.clearance)
        deepest = _witness(-more.deepest[place], more.deepest_q[place])
        shown = facts.certificate and Certificate(Outcome.REFUTED, witness=deepest)
        facts = replace(
            facts, samples=samples, hits=hits, deepest=deepest, clearance=None, certificate=shown
        )
        return replace(facts, artefact=self._artefact(facts.pair, facts))

    def _claim(self, facts: PairFacts) -> Proof | Certificate | None:
        """What to search for, or what that comes to without: None for what samples have told."""
        always = facts.hits > 0 and facts.hits == facts.samples
        if facts.clearance is not None and facts.clearance.distance < 0.0:
            return Certificate(Outcome.REFUTED, witness=facts.clearance)
        if not always and (facts.overlaps or facts.keyframes):
            return None
        if not is_bounded(self.space, facts.pair):
            return Certificate(Outcome.IMPOSSIBLE)
        return prepare(self.box, self.outlines.shapes, facts.pair, always=always)

    def _artefact(self, pair: BodyPair, facts: PairFacts) -> float | None:
        """Of the overlap that would be drawn: the reference pose's, else the deepest seen."""
        if facts.default_depth is not None:
            return self.judge.score(pair, self.model.arrays.q_reference)
        if facts.deepest is not None:
            return self.judge.score(pair, np.array(facts.deepest.q))
        return None


def _in_doubt(facts: PairFacts) -> bool:
    """Never seen to overlap, seen to come close, and neither proved nor refuted."""
    close = facts.clearance is not None and 0.0 < facts.clearance.distance < _CLOSE
    proof = facts.certificate
    open_question = proof is None or proof.outcome in (Outcome.UNDECIDED, Outcome.IMPOSSIBLE)
    return close and open_question and facts.hits == 0 and bool(facts.pair.joints)


def _welded(facts: PairFacts, depth: float, reference: Array) -> PairFacts:
    """Of bodies that don't move against each other, one pose tells all, rounding left aside."""
    if np.isnan(depth):
        return replace(facts, hits=0, deepest=None)
    return replace(facts, hits=facts.samples, deepest=_witness(-depth, reference), clearance=None)


def _with_shapes(pairs: Sequence[BodyPair], found: Outlines) -> list[BodyPair]:
    """The pairs without the geoms that could not be had."""
    kept = []
    for pair in pairs:
        geoms = tuple(each for each in pair.geoms if not found.missing.keys() & set(each))
        if geoms:
            kept.append(replace(pair, geoms=geoms))
    return kept


def _keyframes(model: Model) -> dict[str, Array]:
    return {
        keyframe.name or f"keyframe {number}": keyframe.state.q
        for number, keyframe in enumerate(model.keyframes)
    }


def _witness(distance: float, q: Array) -> Witness | None:
    if not np.isfinite(distance) or np.isnan(q).any():
        return None
    return Witness(float(distance) + 0.0, tuple(q.tolist()))


def _scope(effort: Effort) -> Iterator[str]:
    """What proofs hold for."""
    if effort.prove:
        limits = "0.02 rad and 2 mm beyond the limits" if effort.inflate else "within the limits"
        yield f"proofs hold for joints {limits}, for hulls, and beyond the contact margin"


def _notes(space: Space, found: Outlines) -> Iterator[str]:
    """What the facts leave aside."""
    model = space.model
    for index, reason in found.missing.items():
        geom = model.geoms[index]
        name = geom.name or f"of body {body_name(model, geom.body)!r}"
        yield f"geom {name} is left out: {reason}"
    ground = [geom for geom in model.world_geoms if geom.type is GeomType.PLANE and geom.collides]
    fields = [geom for geom in model.geoms if geom.type is GeomType.HEIGHTFIELD and geom.collides]
    if ground or fields:
        yield "planes and height fields are ground to stand on, and not looked at"
    if space.open_ended:
        names = ", ".join(sorted(model.joints[joint].name for joint in space.open_ended))
        yield f"joints without bounds stay in the reference pose: {names}"
