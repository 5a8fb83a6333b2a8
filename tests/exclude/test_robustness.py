"""Whatever is wrong with a file, a survey of it ends, and raises nothing but a sentence."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from phyzctl import formats
from phyzctl.errors import PhyzctlError
from phyzctl.exclude.document import report_document
from phyzctl.exclude.survey import Effort, survey
from phyzctl.exclude.verdict import Policy
from phyzctl.issues import Issues
from phyzctl.model import compiler
from tests.corpus import ROOT, SAMPLES
from tests.test_schemas import check

BROKEN = sorted((SAMPLES / "broken").rglob("*.*"))
CASES = sorted((ROOT / "tests/lint/cases").glob("*.bad.*"))


@pytest.mark.parametrize("path", [*BROKEN, *CASES], ids=lambda path: path.name)
def test_a_broken_robot_is_surveyed_or_refused(path: Path) -> None:
    robot = formats.read(str(path), Issues()).robot
    if robot is None:
        return
    try:
        model = compiler.compile(robot, issues=Issues())
        report = survey(model, Effort(samples=30, work=2_000_000))
    except PhyzctlError:
        return
    for facts in report.pairs:
        assert 0 <= facts.hits <= facts.samples
        for witness in (facts.deepest, facts.clearance):
            assert witness is None or math.isfinite(witness.distance)
        assert facts.artefact is None or 0.0 <= facts.artefact <= 1.0
    check("exclude-report", report_document(report, Policy(), version="0", path=path.name))
