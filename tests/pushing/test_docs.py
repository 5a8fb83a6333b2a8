"""The page on pushing: its code runs, its files and names exist."""

from __future__ import annotations

import re

from phyzctl.pushing import batch, command, params, rollout
from tests.corpus import ROOT

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


def test_functions_exist() -> None:
    for name in ("step_batch", "rollout", "legacy_faces", "char_len_of_supports"):
        assert f"`{name}" in PAGE
        assert any(hasattr(module, name) for module in (batch, command, params, rollout))
    for name in ("step", "two_contact_twist", "motion_cone"):
        assert f"`{name}" in PAGE
        assert hasattr(params.PusherSliderParams, name)
