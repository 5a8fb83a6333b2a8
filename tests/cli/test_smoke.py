"""`phyzctl smoke` from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.corpus import SAMPLES
from tests.sim.robots import EXPLODING, MIXED


@pytest.mark.parametrize("name", ["cart_pole.xml", "four_bar.urdf", "diff_drive.urdf"])
def test_healthy_samples(cli: Cli, workspace: Path, name: str) -> None:
    shutil.copy(SAMPLES / name, workspace)
    code, out, err = cli("smoke", name, "--duration", "0.5")
    assert (code, err) == (0, "")
    assert "0.5 s held in the reference pose, " in out.splitlines()[-1]
    assert "error" not in out


def test_findings_are_told_and_make_the_exit_code(cli: Cli, workspace: Path) -> None:
    (workspace / "mixed.xml").write_text(MIXED)
    run = ("smoke", "mixed.xml", "--duration", "0.5")
    code, out, _ = cli(*run)
    assert code == 0
    assert "mixed.xml:5:7: warning[S957] joint 'root': drops by " in out
    assert out.splitlines()[-1].startswith("mixed: 0.5 s held in keyframe 'driven', ")
    assert cli(*run, "--fail-on", "warning").code == 1
    assert cli(*run, "--fail-on", "never").code == 0


def test_a_run_that_breaks(cli: Cli, workspace: Path) -> None:
    (workspace / "boom.xml").write_text(EXPLODING)
    code, out, _ = cli("smoke", "boom.xml", "--q", "elbow=0.1")
    assert code == 3
    assert "boom.xml:5:7: error[S952] joint 'elbow': the run diverges in step " in out


def test_as_json(cli: Cli, workspace: Path) -> None:
    (workspace / "mixed.xml").write_text(MIXED)
    document = json.loads(cli("smoke", "mixed.xml", "--duration", "0.2", "-f", "json").out)
    assert "S957" in {issue["code"] for issue in document["issues"]}


def test_misuse(cli: Cli, workspace: Path) -> None:
    (workspace / "mixed.xml").write_text(MIXED)
    for arguments, message in (
        (("none.xml",), "none.xml"),
        (("mixed.xml", "--key", "drive"), "did you mean 'driven'"),
        (("mixed.xml", "--duration", "-1"), "--duration"),
    ):
        code, _, err = cli("smoke", *arguments)
        assert code == 2
        assert message in err


def test_the_codes_are_explained(cli: Cli) -> None:
    for code in ("S952", "S953", *(f"S{number}" for number in range(955, 966))):
        assert "Why it matters" in cli("explain", code).out
