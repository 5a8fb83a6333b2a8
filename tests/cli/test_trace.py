"""`phyzctl trace` on traces of runs and pushes."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from phyzctl.trace.files import read_trace
from tests.cli.conftest import Cli
from tests.corpus import SAMPLES
from tests.sim.robots import EXPLODING, MIXED
from tests.trace.formats import every_format


@pytest.fixture
def run(cli: Cli, workspace: Path) -> Path:
    """`t.npz`, a run of `mixed.xml`, whose servo swings and whose motor pulls."""
    (workspace / "mixed.xml").write_text(MIXED)
    arguments = ("--key", "driven", "--sine", "push=0.05,2", "--steps", "200", "--every", "2")
    assert cli("simulate", "mixed.xml", *arguments, "-q", "-o", "t.npz").code == 0
    return workspace


def test_info(cli: Cli, run: Path) -> None:
    code, out, err = cli("trace", "info", "t.npz")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "t.npz: simulate of mixed.xml"
    assert lines[1] == "  samples   101, 0 to 0.4 s, in steps of 0.002 s by euler"
    assert "  control   sine" in lines
    assert f"  digest    {read_trace('t.npz').header.digest}, intact" in lines
    assert any(line.split()[:3] == ["q", "(state)", "9"] for line in lines)


def test_info_as_json(cli: Cli, run: Path) -> None:
    document = json.loads(cli("trace", "info", "t.npz", "--format", "json").out)
    assert document["schema"] == "phyzctl.trace/1"
    assert document["intact"] is True
    assert document["initial_state"]["origin"] == 0.0


def test_info_of_a_run_that_broke(cli: Cli, workspace: Path) -> None:
    (workspace / "boom.xml").write_text(EXPLODING)
    cli("simulate", "boom.xml", "--q", "elbow=0.1", "-n", "500", "-o", "t.jsonl", "-q")
    out = cli("trace", "info", "t.jsonl").out
    assert "complete  no" in out
    assert "diverges in step" in out


@every_format
def test_a_run_is_verified_whatever_its_format(cli: Cli, run: Path, suffix: str) -> None:
    assert cli("trace", "convert", "t.npz", "-o", f"u{suffix}") == (0, "", "")
    code, out, err = cli("trace", "verify", f"u{suffix}")
    digest = read_trace("t.npz").header.digest
    assert (code, err) == (0, "")
    assert out == f"the same digest, {digest}, over 101 samples\n"


def test_thinned_runs_are_verified(cli: Cli, run: Path) -> None:
    cli("trace", "convert", "t.npz", "-o", "thin.csv", "--every", "7")
    assert len(read_trace("thin.csv")) == 16
    assert cli("trace", "verify", "thin.csv").code == 0


@pytest.mark.parametrize("name", ["corner", "two_fingers"])
def test_pushes_are_verified(cli: Cli, workspace: Path, name: str) -> None:
    shutil.copy(SAMPLES / "push" / f"{name}.toml", workspace)
    cli("push", f"{name}.toml", "-o", "p.mcap")
    assert cli("trace", "verify", "p.mcap").code == 0


def test_another_robot_makes_another_run(cli: Cli, run: Path) -> None:
    Path("mixed.xml").write_text(MIXED.replace('mass="0.5"', 'mass="0.6"'))
    code, out, err = cli("trace", "verify", "t.npz")
    assert code == 1
    assert "mixed.xml has changed since: it describes another robot" in err
    assert out.startswith("part at sample 1, 0.004 s, in ")
    Path("other.xml").write_text(MIXED)
    assert cli("trace", "verify", "t.npz", "--robot", "other.xml").code == 0
    Path("mixed.xml").write_text(MIXED.replace("<mujoco", "<!-- a remark -->\n<mujoco"))
    assert cli("trace", "verify", "t.npz")[::2] == (0, "")


def test_values_that_were_changed(cli: Cli, run: Path) -> None:
    cli("trace", "convert", "t.npz", "-o", "u.csv")
    rows = [line.split(",") for line in Path("u.csv").read_text().splitlines()]
    rows[5][1] = "0.5"
    Path("u.csv").write_text("".join(f"{','.join(row)}\n" for row in rows))
    code, out, _ = cli("trace", "verify", "u.csv")
    assert (code, out) == (1, "the values are not those that the digest was made of\n")


def test_diff(cli: Cli, run: Path) -> None:
    arguments = ("--sine", "push=0.05,2", "--steps", "200", "--every", "2")
    cli("simulate", "mixed.xml", "--key", "driven", "--q", "slide=0.06", *arguments, "-o", "u.mcap")
    code, out, _ = cli("trace", "diff", "t.npz", "u.mcap")
    assert code == 1
    assert "part at sample 0, 0 s, in q.slide: 0.05 and 0.06 m" in out
    assert "only the second has the channel 'poses'" in out
    document = json.loads(cli("trace", "diff", "t.npz", "u.mcap", "--format", "json").out)
    assert document["same"] is False
    assert document["partings"][0]["column"] == "slide"
    assert cli("trace", "diff", "t.npz", "t.npz") == (0, "no difference\n", "")


def test_diff_within_a_tolerance(cli: Cli, run: Path) -> None:
    arguments = ("--key", "driven", "--sine", "push=0.05,2", "--steps", "200", "--every", "2")
    cli("simulate", "mixed.xml", *arguments, "--integrator", "rk4", "-o", "u.npz")
    assert cli("trace", "diff", "t.npz", "u.npz").code == 1
    assert cli("trace", "diff", "t.npz", "u.npz", "--atol", "0.2").code == 0


def test_conversion_for_viewers_adds_the_robot(cli: Cli, run: Path) -> None:
    cli("trace", "convert", "t.npz", "-o", "u.mcap")
    found = read_trace("u.mcap")
    assert [each.name for each in found.header.channels] == [
        "q",
        "v",
        "qacc_warmstart",
        "ctrl",
        "poses",
    ]
    assert '<robot name="mixed"' in found.description
    cli("simulate", "mixed.xml", "--steps", "1", "-o", "v.mcap")
    assert found.description == read_trace("v.mcap").description
    Path("mixed.xml").unlink()
    code, _, err = cli("trace", "convert", "t.npz", "-o", "w.mcap")
    assert code == 0
    assert "without the robot and its poses: there is no robot 'mixed.xml'" in err
    assert np.array_equal(read_trace("w.mcap").values["q"], found.values["q"])


def test_plot(cli: Cli, run: Path) -> None:
    out = cli("trace", "plot", "t.npz", "q.slide", "ctrl").out
    assert ET.fromstring(out).tag == "{http://www.w3.org/2000/svg}svg"
    assert "Shoulder-1" not in out
    assert cli("trace", "plot", "t.npz", "-o", "p.svg") == (0, "", "")
    assert "Shoulder-1" in Path("p.svg").read_text()


MISUSE = {
    "no file": (("info", "none.npz"), "there is no trace 'none.npz'"),
    "no trace": (("info", "mixed.xml"), "trace format of 'mixed.xml'"),
    "suffix": (("convert", "t.npz", "-o", "t.txt"), "trace format of 't.txt'"),
    "no target": (("convert", "t.npz"), "--out"),
    "picture": (("plot", "t.npz", "-o", "p.png"), "ends in .svg, not 'p.png'"),
    "column": (("plot", "t.npz", "slid"), "no column is called 'slid'"),
    "robot": (("verify", "t.npz", "--robot", "no.xml"), "there is no robot 'no.xml'"),
    "tolerance": (("diff", "t.npz", "t.npz", "--atol", "-1"), "--atol"),
    "verb": (("show",), "show"),
}


@pytest.mark.parametrize(("arguments", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse(cli: Cli, run: Path, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = cli("trace", *arguments)
    assert (code, out) == (2, "")
    assert message in err
