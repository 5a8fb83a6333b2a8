"""The report as plain values for JSON; see `schemas/exclude-report.schema.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phyzctl.exclude.facts import Certificate, ExcludeReport, PairFacts, Witness
from phyzctl.exclude.table import remarks
from phyzctl.exclude.verdict import Policy
from phyzctl.model.model import Model

SCHEMA = "phyzctl.exclude-report/1"


def report_document(
    report: ExcludeReport, policy: Policy, *, version: str, path: str
) -> dict[str, Any]:
    """All facts, labels and suggestions; `path` is the description's, as given."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "phyzctl", "version": version},
        "robot": {"name": report.model.robot.name, "path": path},
        "sampling": {"samples": report.samples, "seed": report.seed},
        "policy": {
            "always_fraction": policy.fraction,
            "never_margin": policy.margin,
            "never": policy.never,
        },
        "coordinates": list(coordinates(report.model)),
        "pairs": [_pair(facts, policy) for facts in report.pairs],
        "hulls": [
            {"body": hull.body, "mesh": hull.mesh, "volume_ratio": hull.ratio}
            for hull in report.hulls
        ],
        "notes": list(remarks(report)),
    }


def coordinates(model: Model) -> Iterator[str]:
    """A name for each number of a configuration: its joint's, with w x y z for rotations."""
    parts = {7: (".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"), 4: (".qw", ".qx", ".qy", ".qz")}
    for joint in model.joints:
        if joint.nq == 1:
            yield joint.name
        else:
            yield from (f"{joint.name}{part}" for part in parts.get(joint.nq, ()))


def _pair(facts: PairFacts, policy: Policy) -> dict[str, Any]:
    return {
        "bodies": list(facts.names),
        "label": policy.label(facts),
        "suggestion": policy.suggestion(facts),
        "filtered": facts.pair.filtered,
        "excluded": facts.pair.excluded,
        "adjacent": facts.pair.adjacent,
        "joints": list(facts.joints),
        "default_depth": facts.default_depth,
        "keyframes": dict(facts.keyframes),
        "samples": facts.samples,
        "hits": facts.hits,
        "interval": list(facts.interval),
        "deepest": _witness(facts.deepest),
        "clearance": _witness(facts.clearance),
        "artefact": facts.artefact,
        "certificate": _certificate(facts.certificate),
    }


def _certificate(certificate: Certificate | None) -> dict[str, Any] | None:
    if certificate is None:
        return None
    return {
        "outcome": certificate.outcome.value,
        "fraction": certificate.fraction,
        "cells": certificate.cells,
        "witness": _witness(certificate.witness),
    }


def _witness(witness: Witness | None) -> dict[str, Any] | None:
    return None if witness is None else {"distance": witness.distance, "q": list(witness.q)}
