"""One pair at length: its facts, the poses that show them, and how distances are spread."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from phyzctl.exclude.document import coordinates
from phyzctl.exclude.facts import ExcludeReport, Outcome, PairFacts, Witness
from phyzctl.exclude.sample import Sampler
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import space_of
from phyzctl.exclude.verdict import Policy
from phyzctl.exclude.wording import evidence, length
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model

_BINS = 12
_BAR = 40  # characters
_POINTS = 2000


def story(report: ExcludeReport, facts: PairFacts, policy: Policy) -> str:
    """All that is known of `facts`, for people."""
    lines = [f"{facts.first} and {facts.second}", *_facts(facts, policy)]
    if facts.deepest is not None:
        lines += ["", "deepest overlap seen:", *_pose(report.model, facts, facts.deepest)]
    if facts.clearance is not None:
        lines += ["", "nearest pose seen:", *_pose(report.model, facts, facts.clearance)]
    proof = facts.certificate
    if proof is not None and proof.witness is not None:
        lines += ["", "pose that the search found:", *_pose(report.model, facts, proof.witness)]
    lines += ["", f"distances in {_POINTS} configurations:", *_histogram(report, facts)]
    return "".join(f"{line}\n" for line in [*lines, "", *_to_prove(report.model, facts)])


def _facts(facts: PairFacts, policy: Policy) -> Iterator[str]:
    yield f"  label       {policy.label(facts) or 'none: they must be tested'}"
    yield f"  suggestion  {'exclude' if policy.suggestion(facts) else 'keep'}"
    yield f"  between     {', '.join(facts.joints) or 'no joint: they are welded'}"
    for clause in evidence(facts).split("; "):
        yield f"  evidence    {clause}"


def _pose(model: Model, facts: PairFacts, witness: Witness) -> Iterator[str]:
    gap = witness.distance
    yield f"  {'overlap' if gap < 0.0 else 'distance'}  {length(abs(gap))}"
    names = list(coordinates(model))
    for joint in facts.pair.joints:
        moved = model.joints[joint]
        unit = {JointType.HINGE: " rad", JointType.SLIDE: " m"}.get(moved.type, "")
        for place in range(*model.q_slice(joint).indices(model.nq)):
            yield f"  {names[place]}  {witness.q[place]:.9g}{unit}"


def _histogram(report: ExcludeReport, facts: PairFacts) -> Iterator[str]:
    """How many configurations fall into each of `_BINS` ranges of signed distance."""
    model = report.model
    space = space_of(model)
    sampler = Sampler(space, outlines(model).shapes, [facts.pair])
    q = sampler.configurations(range(_POINTS), report.seed)
    values = sampler.distances(q[np.isfinite(q).all(axis=1)])[:, 0]
    counts, edges = np.histogram(values, bins=_BINS)
    labels = [f"{length(low)} to {length(high)}" for low, high in pairwise(edges)]
    width = max(map(len, labels))
    for label, count in zip(labels, counts, strict=True):
        bar = "#" * int(np.ceil(_BAR * count / counts.max()))
        yield f"  {label:>{width}}  {count:5}  {bar}".rstrip()


def _to_prove(model: Model, facts: PairFacts) -> Iterator[str]:
    """What stands between the pair and a proof."""
    proof = facts.certificate
    if facts.proved_never or facts.proved_always:
        yield "Proved: for hulls, within the joint limits, beyond the contact margin."
    elif facts.hits > 0:
        yield "They overlap in some samples, so no proof of never is possible."
    elif proof is None:
        yield "No proof was tried."
    elif proof.outcome is Outcome.IMPOSSIBLE:
        free = [name for name in facts.joints if not _bounded(model, name)]
        yield f"A proof needs bounds for: {', '.join(free)}."
    elif proof.outcome is Outcome.UNDECIDED:
        yield f"The search ended after {proof.cells} boxes; more effort or tighter limits decide."
    else:
        yield "The pose above refutes that they never touch."


def _bounded(model: Model, name: str) -> bool:
    index = model.joint_index(name)
    if index is None:
        return True
    joint = model.joints[index]
    return joint.type in (JointType.HINGE, JointType.BALL) or bool(
        joint.type is JointType.SLIDE and np.isfinite(joint.range).all()
    )
