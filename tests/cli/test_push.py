"""`phyzctl push` from the command line to the files it writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import phyzctl
from phyzctl.trace.files import SUFFIXES, read_trace
from tests.cli.conftest import Cli
from tests.corpus import SAMPLES

SCENARIOS = sorted((SAMPLES / "push").glob("*.toml"))

SCENARIO = """\
name = "short"
dt = 0.1

[[pushes]]
duration = 1.0
contacts = [{ face = 0, contact = 0.03, push_speed = 0.05 }]
"""


@pytest.fixture
def scenario(workspace: Path) -> str:
    (workspace / "s.toml").write_text(SCENARIO)
    return "s.toml"


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_samples(cli: Cli, workspace: Path, path: Path) -> None:
    shutil.copy(path, workspace)
    code, out, err = cli("push", path.name, "-o", "t.npz", "--picture", "p.svg")
    assert (code, err) == (0, "")
    assert out.splitlines()[1].startswith("  ends at x ")
    trace = read_trace("t.npz")
    assert trace.is_intact()
    assert trace.header.origin.path == path.name
    assert ET.parse("p.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_the_summary_says_what_the_reference_does(cli: Cli, workspace: Path) -> None:
    shutil.copy(SAMPLES / "push" / "corner.toml", workspace)
    out = cli("push", "corner.toml").out
    assert out == (
        "one pusher, off the middle: 1 push, 4 s\n"
        "  ends at x 0.094752773 m, y -0.142373829 m, turned by -70.457735 deg\n"
        "  contact 0: slide down, 0.020400645 m along face 0\n"
    )


def test_events_are_told(cli: Cli, workspace: Path) -> None:
    shutil.copy(SAMPLES / "push" / "two_fingers.toml", workspace)
    lines = cli("push", "two_fingers.toml").out.splitlines()
    assert lines[0] == "two fingers: 3 pushes, 6 s"
    assert [line.split(" s ")[1] for line in lines if line.startswith("  at ")] == [
        "contact 0: slide down to jammed",
        "contact 1: slide down to jammed",
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_traces_by_suffix(cli: Cli, scenario: str, suffix: str) -> None:
    assert cli("push", scenario, "--out", f"t{suffix}").code == 0
    trace = read_trace(f"t{suffix}")
    assert trace.is_intact()
    assert trace.times.tolist() == pytest.approx(np.arange(11) / 10)
    assert trace.header.kind == "push"


def test_the_same_scenario_makes_the_same_bytes(cli: Cli, scenario: str) -> None:
    cli("push", scenario, "-o", "one.mcap")
    cli("push", scenario, "-o", "two.mcap")
    assert Path("one.mcap").read_bytes() == Path("two.mcap").read_bytes()


def test_quiet_says_nothing(cli: Cli, scenario: str) -> None:
    assert cli("push", scenario, "-q", "-o", "t.csv") == (0, "", "")
    assert Path("t.csv").exists()


def test_the_picture_may_go_to_stdout(cli: Cli, scenario: str) -> None:
    out = cli("push", scenario, "-q", "--picture", "-").out
    assert ET.fromstring(out).tag.endswith("svg")


def test_without_files_it_only_tells(cli: Cli, workspace: Path, scenario: str) -> None:
    assert cli("push", scenario).code == 0
    assert sorted(path.name for path in workspace.iterdir()) == [".git", "s.toml"]


def test_faults_are_told_with_their_places_and_nothing_is_written(
    cli: Cli, workspace: Path
) -> None:
    text = SCENARIO.replace("face = 0", "face = 7").replace("dt = 0.1", "dt = 0.1\ndtt = 1")
    (workspace / "s.toml").write_text(text)
    code, out, err = cli("push", "s.toml", "-o", "t.npz", "--picture", "p.svg")
    assert (code, out) == (3, "")
    assert err.splitlines() == [
        "s.toml:3:1: error[E002] unknown key 'dtt'; did you mean 'dt'?",
        "s.toml:7:15: error[E005] 'face' must be 0, 1, 2 or 3, not 7",
    ]
    assert not Path("t.npz").exists()
    assert not Path("p.svg").exists()


MISUSE = {
    "no file": (("none.toml",), 2, "there is no scenario 'none.toml'"),
    "suffix": (("s.toml", "-o", "t.txt"), 2, "can't tell the trace format of 't.txt'"),
    "picture": (("s.toml", "--picture", "p.png"), 2, "ends in .svg, not 'p.png'"),
    "folder": ((".",), 3, ".: Is a directory"),
    "no folder": (("s.toml", "-o", "none/t.npz"), 2, "can't write 'none/t.npz'"),
    "no picture folder": (("s.toml", "--picture", "none/p.svg"), 2, "can't write 'none/p.svg'"),
    "nothing": ((), 2, "SCENARIO"),
    "option": (("s.toml", "--nope"), 2, "--nope"),
}


@pytest.mark.parametrize(("arguments", "code", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse(
    cli: Cli, scenario: str, arguments: tuple[str, ...], code: int, message: str
) -> None:
    found = cli("push", *arguments)
    assert found.code == code
    assert found.out == ""
    assert message in found.err


def test_a_wrong_suffix_is_told_before_the_scenario_is_read(cli: Cli, workspace: Path) -> None:
    assert "trace format" in cli("push", "none.toml", "-o", "t.txt").err


def test_the_schema_is_known(cli: Cli) -> None:
    document = json.loads(cli("schema", "push-scenario").out)
    assert document["$id"] == "urn:phyzctl:schema:push-scenario:1"


def test_codes_of_scenarios_are_explained(cli: Cli) -> None:
    for number in range(1, 7):
        assert "Why it matters" in cli("explain", f"E00{number}").out


def test_nothing_heavy_is_loaded_that_is_not_used(scenario: str) -> None:
    code = (
        "import sys; from phyzctl.cli.app import run\n"
        "try: run(['push', 's.toml', '-q'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'mcap', 'lxml', 'scipy', 'trimesh'} & sys.modules.keys()))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(phyzctl.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment
    )
    assert done.stdout == "[]\n"
