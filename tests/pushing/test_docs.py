"""The page on pushing: its code runs, its files and names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phyzctl.issues import Issues
from phyzctl.pushing import batch, command, params, rollout
from phyzctl.pushing.picture import draw
from phyzctl.pushing.scenario import parse_scenario, roll_out
from tests.corpus import ROOT, SAMPLES

PAGE = (ROOT / "docs" / "pushing.md").read_text("utf-8")


def test_code_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 1
    for block in blocks:
        exec(compile(block, "docs/pushing.md", "exec"), {})


def test_scenarios_exist() -> None:
    found = re.findall(r"sample_robots/[\w/.]+", PAGE)
    assert found
    assert all((ROOT / name).is_file() for name in found)


@pytest.mark.parametrize("name", re.findall(r"\]\((push/\w+\.svg)\)", PAGE))
def test_pictures_are_those_of_the_scenarios(name: str) -> None:
    """Word for word, and number for number to within what rounding may move."""
    kept = (ROOT / "docs" / name).read_text("utf-8")
    path = SAMPLES / Path(name).with_suffix(".toml")
    scenario = parse_scenario(path.read_bytes(), str(path), Issues())
    assert scenario is not None
    drawn = draw(scenario, roll_out(scenario))
    number = re.compile(r"-?\d+\.\d+")
    assert number.sub("#", drawn) == number.sub("#", kept)
    pairs = zip(number.findall(drawn), number.findall(kept), strict=True)
    assert max(abs(float(one) - float(other)) for one, other in pairs) < 0.02


def test_functions_exist() -> None:
    for name in ("step_batch", "rollout", "legacy_faces", "char_len_of_supports"):
        assert f"`{name}" in PAGE
        assert any(hasattr(module, name) for module in (batch, command, params, rollout))
    for name in ("step", "two_contact_twist", "motion_cone"):
        assert f"`{name}" in PAGE
        assert hasattr(params.PusherSliderParams, name)
